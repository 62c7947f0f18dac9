using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;

namespace Formatters;

/// <summary>Prints bodies of one wire format as JSON, without the type that they were written for: to look into a queue, and into a body that cannot be read.</summary>
/// <remarks>
/// Values that JSON does not have are objects with a name that begins with <c>$</c>, as <c>{ "$binary": "00FF" }</c> (docs/wire says which for each format).
/// For people, not for programs: what is printed cannot be turned back into the same bytes. Derive from it for a format of your own.
/// </remarks>
public abstract class MessageInspector
{
    /// <summary>Sets what the format is called.</summary>
    /// <param name="name">A short name, for command lines.</param>
    /// <param name="contentType">The MIME name.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    protected MessageInspector(string name, string contentType)
    {
        Name = name ?? throw new ArgumentNullException(nameof(name));
        ContentType = contentType ?? throw new ArgumentNullException(nameof(contentType));
    }

    /// <summary>Prints MessagePack.</summary>
    public static MessageInspector MessagePack { get; } = new MessagePackInspector();

    /// <summary>Prints protobuf, by the numbers of the fields: there are no names in it, and of some values no types.</summary>
    public static MessageInspector Protobuf { get; } = new ProtobufInspector();

    /// <summary>All inspectors of this library.</summary>
    public static IReadOnlyList<MessageInspector> All { get; } = [MessagePack, Protobuf];

    /// <summary>The short name of the format, as <c>messagepack</c>.</summary>
    public string Name { get; }

    /// <summary>The MIME name of the format.</summary>
    public string ContentType { get; }

    /// <summary>Finds an inspector of this library.</summary>
    /// <param name="nameOrContentType">The short name of the format or its MIME name, in any case.</param>
    /// <returns>The inspector; null if there is none.</returns>
    public static MessageInspector? Find(string nameOrContentType)
    {
        foreach (MessageInspector inspector in All)
        {
            if (inspector.Name.Equals(nameOrContentType, StringComparison.OrdinalIgnoreCase)
                || inspector.ContentType.Equals(nameOrContentType, StringComparison.OrdinalIgnoreCase))
                return inspector;
        }

        return null;
    }

    /// <summary>Prints a body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="options">The options; null means <see cref="InspectionOptions.Default"/>.</param>
    /// <returns>The text, indented, one value a line, its lines ended by LF.</returns>
    /// <exception cref="MessageFormatException">The body is bad, or beyond a limit.</exception>
    public string Inspect(ReadOnlySpan<byte> body, InspectionOptions? options = null)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        Inspect(body, output, options);
        return output.ToString();
    }

    /// <summary>Prints a body as far as it is good.</summary>
    /// <param name="body">The body.</param>
    /// <param name="output">Receives the text; of a bad body what stands before the error.</param>
    /// <param name="options">The options; null means <see cref="InspectionOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is bad, or beyond a limit.</exception>
    public void Inspect(ReadOnlySpan<byte> body, TextWriter output, InspectionOptions? options = null)
    {
        options ??= InspectionOptions.Default;
        var writer = new InspectionWriter(output ?? throw new ArgumentNullException(nameof(output)), options.ShowOffsets);
        try
        {
            Inspect(body, writer, options.Limits);
        }
        finally
        {
            writer.EndLine();
        }
    }

    /// <summary>Prints a body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="writer">Receives one value.</param>
    /// <param name="limits">The limits under which the body is read.</param>
    /// <exception cref="MessageFormatException">The body is bad, or beyond a limit.</exception>
    protected abstract void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits);
}
