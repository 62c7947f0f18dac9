using System;
using System.Threading.Tasks;
using Formatters.Buffers;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Formatters;
using Microsoft.Net.Http.Headers;

namespace Formatters.AspNetCore;

/// <summary>Writes the bodies of responses with formatters.</summary>
internal sealed class MessageOutputFormatter : OutputFormatter
{
    private readonly HttpFormatters _formatters;

    internal MessageOutputFormatter(HttpFormatters formatters)
    {
        _formatters = formatters;
        foreach (string contentType in formatters.ContentTypes)
            SupportedMediaTypes.Add(MediaTypeHeaderValue.Parse(contentType));
    }

    public override bool CanWriteResult(OutputFormatterCanWriteContext context) =>
        context.Object is not null && base.CanWriteResult(context) && FindFormatter(context) is not null;

    /// <summary>Writes the whole body before the first byte is sent, so that a payload that cannot be written becomes an error of the
    /// server.</summary>
    public override async Task WriteResponseBodyAsync(OutputFormatterWriteContext context)
    {
        HttpResponse response = context.HttpContext.Response;
        using var buffer = new PooledBufferWriter();
        FindFormatter(context)!.Write(buffer, context.Object!);
        response.ContentLength = buffer.WrittenCount;
        await response.BodyWriter.WriteAsync(buffer.WrittenMemory, context.HttpContext.RequestAborted).ConfigureAwait(false);
    }

    protected override bool CanWriteType(Type? type) => type is not null;

    private HttpFormatter? FindFormatter(OutputFormatterCanWriteContext context)
    {
        string? mediaType = MediaTypeHeaderValue.TryParse(context.ContentType, out MediaTypeHeaderValue? type) ? type.MediaType.Value : null;
        Type declared = context.ObjectType is { } objectType && objectType != typeof(object) ? objectType : context.Object!.GetType();
        return _formatters.Find(declared, mediaType) ?? _formatters.Find(context.Object!.GetType(), mediaType);
    }
}
