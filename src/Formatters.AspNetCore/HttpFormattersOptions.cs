using System;
using System.Collections.Generic;

namespace Formatters.AspNetCore;

/// <summary>The formats that controllers read and write.</summary>
public sealed class HttpFormattersOptions
{
    /// <summary>Gets the formats, in the order in which they are preferred.</summary>
    /// <value>Default: MessagePack, CBOR and protobuf. With <see cref="WireFormat.Json"/>, JSON is read and written by <see cref="JsonFormatter{T}"/>
    /// instead of ASP.NET Core.</value>
    public IList<WireFormat> Formats { get; } = [WireFormat.MessagePack, WireFormat.Cbor, WireFormat.Protobuf];

    /// <summary>Gets or sets the limits of the formatters that are created for the <see cref="Formats"/>.</summary>
    /// <value>Default <see cref="FormatterLimits.Default"/>. A request whose body is longer than <see cref="FormatterLimits.MaxBodyByteCount"/> is
    /// not read further.</value>
    public FormatterLimits Limits { get; set; } = FormatterLimits.Default;

    /// <summary>Gets the formatters of single types, by type and content type.</summary>
    internal Dictionary<(Type Type, string ContentType), HttpFormatter> Formatters { get; } = new(FormatterKeyComparer.Instance);

    /// <summary>Sets the formatter of one type for its content type, in place of one for a format.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="formatter">The formatter. Its content type may be one of none of the <see cref="Formats"/>.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public HttpFormattersOptions Add<T>(MessageFormatter<T> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        Formatters[(typeof(T), formatter.ContentType)] = new HttpFormatter<T>(formatter);
        return this;
    }
}

/// <summary>Compares content types without regard to case.</summary>
internal sealed class FormatterKeyComparer : IEqualityComparer<(Type Type, string ContentType)>
{
    internal static FormatterKeyComparer Instance { get; } = new();

    public bool Equals((Type Type, string ContentType) x, (Type Type, string ContentType) y) =>
        x.Type == y.Type && string.Equals(x.ContentType, y.ContentType, StringComparison.OrdinalIgnoreCase);

    public int GetHashCode((Type Type, string ContentType) key) =>
        HashCode.Combine(key.Type, StringComparer.OrdinalIgnoreCase.GetHashCode(key.ContentType));
}
