using System;
using System.Buffers;
using System.IO.Pipelines;
using System.Threading.Tasks;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc.Formatters;
using Microsoft.Net.Http.Headers;

namespace Formatters.AspNetCore;

/// <summary>Reads the bodies of requests with formatters.</summary>
internal sealed class MessageInputFormatter : InputFormatter
{
    private readonly HttpFormatters _formatters;

    internal MessageInputFormatter(HttpFormatters formatters)
    {
        _formatters = formatters;
        foreach (string contentType in formatters.ContentTypes)
            SupportedMediaTypes.Add(MediaTypeHeaderValue.Parse(contentType));
    }

    public override bool CanRead(InputFormatterContext context) =>
        base.CanRead(context) && _formatters.Find(context.ModelType, MediaTypeOf(context.HttpContext.Request)) is not null;

    /// <summary>Reads a body without bytes if it is one of the format, as a message of protobuf whose members have their defaults; otherwise the
    /// request has no body, and the application decides whether that is an error.</summary>
    public override Task<InputFormatterResult> ReadAsync(InputFormatterContext context)
    {
        HttpRequest request = context.HttpContext.Request;
        if (request.ContentLength is not 0)
            return base.ReadAsync(context);
        try
        {
            return InputFormatterResult.SuccessAsync(_formatters.Find(context.ModelType, MediaTypeOf(request))!.Read(ReadOnlySequence<byte>.Empty)!);
        }
        catch (MessageFormatException)
        {
            return base.ReadAsync(context);
        }
    }

    public override async Task<InputFormatterResult> ReadRequestBodyAsync(InputFormatterContext context)
    {
        HttpRequest request = context.HttpContext.Request;
        HttpFormatter formatter = _formatters.Find(context.ModelType, MediaTypeOf(request))!;
        long maxByteCount = formatter.Limits.MaxBodyByteCount;
        PipeReader reader = request.BodyReader;
        while (true)
        {
            ReadResult result = await reader.ReadAsync(context.HttpContext.RequestAborted).ConfigureAwait(false);
            ReadOnlySequence<byte> body = result.Buffer;
            // A formatter that is given too much says so itself.
            if (!result.IsCompleted && body.Length <= maxByteCount)
            {
                reader.AdvanceTo(body.Start, body.End);
                continue;
            }

            try
            {
                object? payload = formatter.Read(body);
                return payload is null ? await InputFormatterResult.NoValueAsync().ConfigureAwait(false)
                    : await InputFormatterResult.SuccessAsync(payload).ConfigureAwait(false);
            }
            catch (MessageFormatException e)
            {
                context.ModelState.TryAddModelError(e.MemberPath ?? context.ModelName, e.Message);
                return await InputFormatterResult.FailureAsync().ConfigureAwait(false);
            }
            finally
            {
                reader.AdvanceTo(body.End);
            }
        }
    }

    protected override bool CanReadType(Type type) => true;

    private static string? MediaTypeOf(HttpRequest request) =>
        MediaTypeHeaderValue.TryParse(request.ContentType, out MediaTypeHeaderValue? type) ? type.MediaType.Value : null;
}
