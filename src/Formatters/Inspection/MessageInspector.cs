using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Formatters.ActiveX;
using Formatters.Inspection;

namespace Formatters;

/// <summary>
/// Prints bodies of one wire format as JSON, without the type for which they were written. Use it to examine a queue, or a body that cannot be read.
/// </summary>
/// <remarks>
/// Values that JSON cannot represent are objects with a name that begins with <c>$</c>, as <c>{ "$binary": "00FF" }</c> (docs/inspector.md lists them
/// for each format). The output is for humans, not for programs: it cannot be converted back to the same bytes. Derive from this class for your own
/// format.
/// </remarks>
public abstract partial class MessageInspector
{
    /// <summary>Initializes the inspector with the names of its format.</summary>
    /// <param name="name">A short name, for command lines.</param>
    /// <param name="contentType">The MIME name.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    protected MessageInspector(string name, string contentType)
    {
        Name = name ?? throw new ArgumentNullException(nameof(name));
        ContentType = contentType ?? throw new ArgumentNullException(nameof(contentType));
    }

    /// <summary>
    /// Gets the inspector of signed bodies: the envelope, whether the signature is valid (<see cref="InspectionOptions.SigningKeys"/>), and the inner
    /// body.
    /// </summary>
    public static MessageInspector Signed { get; } = new EnvelopeInspector("signed", ContentTypes.Signed, BodyTypes.Signed);

    /// <summary>
    /// Gets the inspector of encrypted bodies: the envelope, and with the key (<c>InspectionOptions.EncryptionKeys</c>) the inner body.
    /// </summary>
    public static MessageInspector Encrypted { get; } = new EnvelopeInspector("encrypted", ContentTypes.Encrypted, BodyTypes.Encrypted);

    /// <summary>Gets the inspector of compressed bodies: the envelope and the inner body, with the offsets of the expanded body.</summary>
    public static MessageInspector Compressed { get; } = new EnvelopeInspector("compressed", ContentTypes.Compressed, BodyTypes.Compressed);

    /// <summary>Gets the inspector of batches: the envelope and every payload.</summary>
    public static MessageInspector Batch { get; } = new EnvelopeInspector("batch", ContentTypes.Batch, BodyTypes.Batch);

    /// <summary>
    /// Gets all inspectors of this library that need only the bytes, in the order in which <see cref="Detect"/> tries them; the last accepts every
    /// body.
    /// </summary>
    public static IReadOnlyList<MessageInspector> All => Inspectors.All;

    /// <summary>Returns the inspector of ActiveX bodies of one type.</summary>
    /// <param name="varType">The body type: one of <see cref="VarTypes"/>.</param>
    /// <returns>The inspector.</returns>
    /// <exception cref="ArgumentException">There is no ActiveX body of this type.</exception>
    public static MessageInspector ActiveX(int varType) => ActiveXInspector.IsKnown(varType)
        ? new ActiveXInspector(varType)
        : throw new ArgumentException("ActiveX bodies have no such VARTYPE.", nameof(varType));

    /// <summary>Gets the short name of the format, as <c>messagepack</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the MIME name of the format.</summary>
    public string ContentType { get; }

    /// <summary>Further MIME names of the format.</summary>
    internal virtual string[] OtherContentTypes => [];

    /// <summary>Gets the body type of the format; 0 if it has none.</summary>
    internal virtual int BodyType => 0;

    /// <summary>Finds an inspector of this library.</summary>
    /// <param name="nameOrContentType">The short name of the format or its MIME name, in any case.</param>
    /// <returns>The inspector; null if there is none.</returns>
    public static MessageInspector? Find(string nameOrContentType)
    {
        foreach (MessageInspector inspector in All)
        {
            if (inspector.Name.Equals(nameOrContentType, StringComparison.OrdinalIgnoreCase)
                || inspector.ContentType.Equals(nameOrContentType, StringComparison.OrdinalIgnoreCase)
                || Array.Exists(inspector.OtherContentTypes, name => name.Equals(nameOrContentType, StringComparison.OrdinalIgnoreCase)))
                return inspector;
        }

        return null;
    }

    /// <summary>Chooses the inspector for a body: by its content type, otherwise by its body type, otherwise by its bytes.</summary>
    /// <param name="body">The body; it is not changed.</param>
    /// <returns>The inspector; <see cref="Binary"/> if nothing indicates another one.</returns>
    /// <remarks>
    /// By the bytes, the choice is a guess, and an invalid body may be taken for a body of another format. The bytes are checked in this order: the
    /// header of MS-NRBF; a tag of XML; an object, array or string of JSON; a record of the versioned format that fills the body; an array or map of
    /// MessagePack; an envelope around a body with the content type of another inspector. Protobuf cannot be recognized by its bytes.
    /// </remarks>
    /// <exception cref="ArgumentNullException"><paramref name="body"/> is null.</exception>
    public static MessageInspector Detect(MessageBody body)
    {
        if (body is null)
            throw new ArgumentNullException(nameof(body));
        foreach (MessageInspector inspector in All)
        {
            if (body.HasContentType(inspector.ContentType) || Array.Exists(inspector.OtherContentTypes, body.HasContentType))
                return inspector;
        }

        foreach (MessageInspector inspector in All)
        {
            if (body.BodyType != 0 && body.BodyType == inspector.BodyType)
                return inspector;
        }

        if (ActiveXInspector.IsKnown(body.BodyType) && (body.BodyType != VarTypes.Empty || body.HasContentType(ContentTypes.ActiveX)))
            return ActiveX(body.BodyType);
        byte[] bytes = body.ToArray();
        foreach (MessageInspector inspector in All)
        {
            if (inspector.Recognizes(bytes))
                return inspector;
        }

        return Binary;
    }

    /// <summary>Prints a body.</summary>
    /// <param name="body">The body.</param>
    /// <param name="options">The options; null means <see cref="InspectionOptions.Default"/>.</param>
    /// <returns>Indented text, one value per line, with lines ended by LF.</returns>
    /// <exception cref="MessageFormatException">The body is invalid, or beyond a limit.</exception>
    public string Inspect(ReadOnlySpan<byte> body, InspectionOptions? options = null)
    {
        using var output = new StringWriter(CultureInfo.InvariantCulture);
        Inspect(body, output, options);
        return output.ToString();
    }

    /// <summary>Prints a body as far as it can be read.</summary>
    /// <param name="body">The body.</param>
    /// <param name="output">Receives the text; for an invalid body, the part before the error.</param>
    /// <param name="options">The options; null means <see cref="InspectionOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="output"/> is null.</exception>
    /// <exception cref="MessageFormatException">The body is invalid, or beyond a limit.</exception>
    public void Inspect(ReadOnlySpan<byte> body, TextWriter output, InspectionOptions? options = null)
    {
        options ??= InspectionOptions.Default;
        var writer = new InspectionWriter(output ?? throw new ArgumentNullException(nameof(output)), options);
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
    /// <exception cref="MessageFormatException">The body is invalid, or beyond a limit.</exception>
    protected abstract void Inspect(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits);

    /// <summary>Prints a body inside another one.</summary>
    internal void InspectInside(ReadOnlySpan<byte> body, InspectionWriter writer, FormatterLimits limits) => Inspect(body, writer, limits);

    /// <summary>Determines whether the bytes appear to have the format.</summary>
    internal virtual bool Recognizes(ReadOnlySpan<byte> body) => false;

    /// <summary>Contains the list, which is created on first use: the formats initialize their inspectors in files of their own.</summary>
    private static class Inspectors
    {
        internal static readonly IReadOnlyList<MessageInspector> All = Array.AsReadOnly(Create());

        private static MessageInspector[] Create()
        {
            // Formats with an unmistakable beginning come first.
            List<MessageInspector> all =
            [
                LegacyBinary,
                Xml,
#if NET
                Json,
#endif
                Versioned,
            ];
            foreach (WireFormat format in WireFormat.All)
            {
                if (!all.Contains(format.Inspector) && format.Inspector != Binary)
                    all.Add(format.Inspector);
            }

            all.AddRange([Signed, Encrypted, Compressed, Batch, Binary]);
            return [.. all];
        }
    }
}
