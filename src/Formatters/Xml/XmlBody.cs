using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Runtime.ExceptionServices;
using System.Text;
using System.Xml;
using System.Xml.Schema;
using System.Xml.Serialization;

namespace Formatters;

/// <summary>Reads and writes XML bodies: XmlSerializer with guarded readers and writers.</summary>
internal static class XmlBody
{
    /// <summary>The number of bytes of a body in which its root element is searched.</summary>
    private const int RootByteCount = 64 * 1024;

    /// <summary>Reads from an XmlReader; the body is used for the offsets of errors, and empty if they are unknown.</summary>
    internal delegate T Consumer<out T>(BodyXmlReader reader, ReadOnlySpan<byte> body);

    internal static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    // The order is fixed on .NET, where xsi is always first. .NET Framework enumerates a Hashtable regardless of the argument, in which the string
    // hashes of its 64-bit processes put xsd first; 32-bit ones have xsi first. Mono: xsd first.
    private static readonly XmlSerializerNamespaces FrameworkNamespaces = new(
        [new XmlQualifiedName("xsd", XmlSchema.Namespace), new XmlQualifiedName("xsi", XmlSchema.InstanceNamespace)]);

    private static readonly XmlSerializerNamespaces NetNamespaces = new(
        [new XmlQualifiedName("xsi", XmlSchema.InstanceNamespace), new XmlQualifiedName("xsd", XmlSchema.Namespace)]);

    /// <summary>Writes a body and returns its number of bytes.</summary>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    internal static int Write(IBufferWriter<byte> destination, object value, XmlSerializerContract contract, XmlBodyStyle style,
        FormatterLimits limits)
    {
        var stream = new BufferWriterStream(destination, limits.MaxBodyByteCount);
        bool isFramework = style == XmlBodyStyle.Framework;
        var writer = new BodyXmlWriter(stream, style, limits.MaxDepth, isFramework ? contract.Numbers : null);
        try
        {
            contract.Serializer.Serialize(writer, value, isFramework ? FrameworkNamespaces : NetNamespaces);
            writer.Flush();
            return (int)stream.Length;
        }
        catch (InvalidOperationException e)
        {
            // Not disposed: that would write the rest of a body that is lost anyway.
            if (e.InnerException is MessageFormatException inner)
                ExceptionDispatchInfo.Capture(inner).Throw();
            throw WriteError(e);
        }
    }

    /// <summary>Determines whether the root element matches.</summary>
    /// <param name="body">The body.</param>
    /// <param name="isRoot">Says so of a reader at the root element.</param>
    internal static bool HasRootOf(MessageBody body, Func<XmlReader, bool> isRoot)
    {
        ReadOnlySequence<byte> bytes = body.Bytes;
        if (bytes.Length > RootByteCount)
            bytes = bytes.Slice(0, RootByteCount);
        ReadOnlySpan<byte> start = bytes.IsSingleSegment ? bytes.First.Span : bytes.ToArray();
        if (!XmlBodyScanner.IsUtf16(start, out bool bigEndian) && !XmlBodyScanner.StartsWithMarkup(start))
            return false;
        try
        {
            if (XmlBodyScanner.IsUtf16(start, out bigEndian))
            {
                string text = new UnicodeEncoding(bigEndian, byteOrderMark: true).GetString(start.ToArray()).TrimStart('\uFEFF');
                XmlBodyScanner.Check(Utf8.GetBytes(text), int.MaxValue, isDecoded: true, rootOnly: true);
                using var decoded = new BodyXmlReader(new StringReader(text));
                decoded.MoveToContent();
                return isRoot(decoded);
            }

            XmlBodyScanner.Check(start, int.MaxValue, isDecoded: false, rootOnly: true);
            unsafe
            {
                fixed (byte* p = start)
                {
                    using var stream = new UnmanagedMemoryStream(p, start.Length);
                    using var reader = new BodyXmlReader(stream);
                    reader.MoveToContent();
                    return isRoot(reader);
                }
            }
        }
        catch (Exception e) when (e is XmlException or MessageFormatException)
        {
            return false;
        }
    }

    /// <summary>Reads a body with the first contract whose root element it has.</summary>
    /// <returns>The object; null if the root is <c>xsi:nil</c>.</returns>
    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    internal static object? Read(ReadOnlySpan<byte> body, XmlSerializerContract[] contracts, FormatterLimits limits) =>
        Open(body, limits, (reader, source) => Deserialize(reader, contracts, source));

    internal static void CheckByteCount(ReadOnlySpan<byte> body, FormatterLimits limits)
    {
        if (body.Length > limits.MaxBodyByteCount)
            ThrowHelper.ThrowBodyTooLarge(body.Length, limits.MaxBodyByteCount);
        if (body.IsEmpty)
            ThrowHelper.ThrowTruncated(0, 1);
    }

    /// <summary>Reads a body with an XmlReader, after the limits have been applied.</summary>
    internal static T Open<T>(ReadOnlySpan<byte> body, FormatterLimits limits, Consumer<T> read)
    {
        CheckByteCount(body, limits);
        ReadOnlySpan<byte> source = body;
        try
        {
            if (XmlBodyScanner.IsUtf16(body, out bool bigEndian))
            {
                source = default;
                string text = XmlBodyText.Decode(body, bigEndian);
                XmlBodyScanner.Check(Utf8.GetBytes(text), limits.MaxDepth, isDecoded: true, rootOnly: false);
                using var decoded = new BodyXmlReader(new StringReader(text));
                return read(decoded, default);
            }

            XmlBodyScanner.Check(body, limits.MaxDepth, isDecoded: false, rootOnly: false);
            unsafe
            {
                fixed (byte* p = body)
                {
                    using var stream = new UnmanagedMemoryStream(p, body.Length);
                    using var reader = new BodyXmlReader(stream);
                    return read(reader, body);
                }
            }
        }
        catch (XmlException e)
        {
            throw XmlBodyText.Malformed(e, source);
        }
    }

    internal static MessageFormatException WrongRoot(string what, BodyXmlReader reader, ReadOnlySpan<byte> body) =>
        new(MessageFormatErrorCode.TypeNotAllowed, what, XmlBodyText.ByteOffset(body, reader.LineNumber, reader.LinePosition - 1), isPoison: true);

    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    private static object? Deserialize(BodyXmlReader reader, XmlSerializerContract[] contracts, ReadOnlySpan<byte> body)
    {
        XmlSerializer serializer = FindRoot(reader, contracts) ?? throw WrongRoot(
            contracts.Length == 1
                ? $"The root element is not that of {contracts[0].Type}."
                : $"The root element is not that of any of the {contracts.Length} target types.",
            reader,
            body);
        try
        {
            object? value = serializer.Deserialize(reader);
            while (reader.Read())
            {
                // Comments and white space may follow; XmlReader rejects anything else.
            }

            return value;
        }
        catch (InvalidOperationException e)
        {
            throw ReadError(e, reader, body);
        }
    }

    [RequiresUnreferencedCode(XmlSerializerContract.UnreferencedCode)]
    [RequiresDynamicCode(XmlSerializerContract.DynamicCode)]
    internal static XmlSerializer? FindRoot(XmlReader reader, XmlSerializerContract[] contracts)
    {
        reader.MoveToContent();
        foreach (XmlSerializerContract contract in contracts)
            if (contract.IsRoot(reader))
                return contract.Serializer;
        return null;
    }

    private static MessageFormatException ReadError(InvalidOperationException e, BodyXmlReader reader, ReadOnlySpan<byte> body)
    {
        switch (e.InnerException)
        {
            case XmlException inner:
                return XmlBodyText.Malformed(inner, body);
            case MessageFormatException inner:
                ExceptionDispatchInfo.Capture(inner).Throw();
                break;
        }

        long byteOffset = XmlBodyText.ByteOffset(body, reader.LineNumber, reader.LinePosition);
        bool isTypeName = e.InnerException is InvalidOperationException && reader.NodeType == XmlNodeType.Element
            && reader.GetAttribute("type", XmlSchema.InstanceNamespace) is not null;
        return isTypeName
            ? new MessageFormatException(
                MessageFormatErrorCode.TypeNotAllowed, "An element names a type (xsi:type) that its member does not allow.", byteOffset,
                    isPoison: true, innerException: BodyFault.OwnCause(e))
            : new MessageFormatException(
                MessageFormatErrorCode.BadValue, "The content of an element is not a valid value of its member.", byteOffset, isPoison: true,
                    innerException: BodyFault.OwnCause(e));
    }

    private static MessageFormatException WriteError(InvalidOperationException e) => e.InnerException switch
    {
        ArgumentException inner => new MessageFormatException(
            MessageFormatErrorCode.BadText,
            "A string has a character that XML cannot carry, or a surrogate without its partner.",
            innerException: BodyFault.OwnCause(inner)),
        NotSupportedException inner => new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed, "A member holds an object of a type that XmlSerializer does not support.", innerException: inner),

        // XmlSerializer has one exception type for both; its messages name the attribute in every language, the cycle in English.
        InvalidOperationException inner when inner.Message.Contains("XmlInclude") => new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed, "A member holds an object of a type that its contract does not name (XmlInclude).",
                innerException: inner),
        InvalidOperationException inner when inner.Message.Contains("circular") => new MessageFormatException(
            MessageFormatErrorCode.DepthExceeded, "The object graph has a cycle.", innerException: inner),
        _ => new MessageFormatException(MessageFormatErrorCode.BadValue, "XmlSerializer cannot write the object.",
            innerException: BodyFault.OwnCause(e)),
    };
}
