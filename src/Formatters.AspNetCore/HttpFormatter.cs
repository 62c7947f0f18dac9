using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.AspNetCore;

/// <summary>Writes and reads the payloads of one type in one format.</summary>
internal abstract class HttpFormatter
{
    internal abstract FormatterLimits Limits { get; }

    internal abstract object? Read(in ReadOnlySequence<byte> body);

    internal abstract void Write(IBufferWriter<byte> destination, object payload);

    internal static HttpFormatter Create(Type type, WireFormat format, FormatterLimits limits) => (HttpFormatter)Activator.CreateInstance(
        typeof(HttpFormatter<>).MakeGenericType(type), MessageFormatter.Create(type, format, limits))!;
}

/// <summary>Writes and reads the payloads of one type with its formatter.</summary>
internal sealed class HttpFormatter<T>(MessageFormatter<T> formatter) : HttpFormatter
{
    internal override FormatterLimits Limits => formatter.Limits;

    internal override object? Read(in ReadOnlySequence<byte> body) => formatter.Read(body);

    internal override void Write(IBufferWriter<byte> destination, object payload) => formatter.Write(destination, (T)payload);
}

/// <summary>Finds the formatter of a type for a content type.</summary>
internal sealed class HttpFormatters(HttpFormattersOptions options)
{
    private readonly ConcurrentDictionary<(Type Type, string ContentType), HttpFormatter?> _formatters = new(FormatterKeyComparer.Instance);

    /// <summary>Gets the content types, with the other names of the formats.</summary>
    internal IReadOnlyList<string> ContentTypes { get; } =
    [
        .. options.Formats.SelectMany(static format => NamesOf(format))
            .Concat(options.Formatters.Keys.Select(static key => key.ContentType))
            .Distinct(StringComparer.OrdinalIgnoreCase),
    ];

    /// <summary>Finds the formatter of a type.</summary>
    /// <returns>Null if the content type is not among the formats, or the type has no contract in the format.</returns>
    internal HttpFormatter? Find(Type type, string? mediaType) =>
        mediaType is null ? null : _formatters.GetOrAdd((type, mediaType), static (key, options) => Create(key, options), options);

    private static HttpFormatter? Create((Type Type, string ContentType) key, HttpFormattersOptions options)
    {
        if (options.Formatters.TryGetValue(key, out HttpFormatter? formatter))
            return formatter;
        WireFormat? format = options.Formats.FirstOrDefault(
            format => NamesOf(format).Contains(key.ContentType, StringComparer.OrdinalIgnoreCase));
        if (format is null)
            return null;
        if (options.Formatters.TryGetValue((key.Type, format.ContentType), out formatter))
            return formatter;
        try
        {
            return HttpFormatter.Create(key.Type, format, options.Limits);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException or InvalidOperationException)
        {
            // The type has no contract in this format. Another format may be acceptable.
            return null;
        }
    }

    private static string[] NamesOf(WireFormat format) => format.ContentType switch
    {
        Formatters.ContentTypes.MessagePack => [format.ContentType, "application/msgpack", "application/vnd.msgpack"],
        Formatters.ContentTypes.Protobuf => [format.ContentType, "application/protobuf", "application/vnd.google.protobuf"],
        Formatters.ContentTypes.Xml => [format.ContentType, "application/xml"],
        _ => [format.ContentType],
    };
}
