using System;
using System.Buffers;
using System.ComponentModel;
using System.Text;
using System.Xml;
using Formatters.Buffers;

namespace Formatters.Generated;

/// <summary>Generated code that writes and reads the XML bodies of a type. Only generated code derives from it.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class GeneratedXmlContract<T> : XmlContract<T>
{
    /// <summary>Creates a contract.</summary>
    protected GeneratedXmlContract()
    {
    }

    /// <summary>Gets the name of the root element.</summary>
    protected abstract string RootName { get; }

    /// <summary>Gets the namespace of the elements; empty for none.</summary>
    protected abstract string RootNamespace { get; }

    /// <summary>Writes a body.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="value">The value.</param>
    protected abstract void Write(ref XmlBodyWriter writer, T value);

    /// <summary>Reads a body.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value; null for xsi:nil, and of no use if the reader has failed.</returns>
    protected abstract T? Read(ref XmlBodyReader reader);

    internal sealed override string Root => "{" + RootNamespace + "}" + RootName;

    internal sealed override bool IsRoot(XmlReader reader) => reader.IsStartElement(RootName, RootNamespace);

    internal sealed override int Write(IBufferWriter<byte> destination, T value, XmlBodyStyle style, FormatterLimits limits)
    {
        MessageFormatException error;
        try
        {
            var writer = new XmlBodyWriter(destination, style, limits);
            Write(ref writer, value);
            writer.Flush();
            return (int)writer.BytesWritten;
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        throw Explain(error, value, style, limits);
    }

    internal sealed override T? Read(ReadOnlySpan<byte> body, FormatterLimits limits)
    {
        XmlBody.CheckByteCount(body, limits);
        var reader = new XmlBodyReader(body, limits);
        T? value = Read(ref reader, out Exception? error);
        if (error is not null)
        {
            var traced = new XmlBodyReader(body, limits) { Path = NewPath() };
            throw Explain(error, ref traced, reader.ByteOffset);
        }

        return reader.HasFailed ? ReadOther(body, limits) : value;
    }

    /// <summary>Reads a body in another form than formatters write, or an invalid one, with an XmlReader.</summary>
    private T? ReadOther(ReadOnlySpan<byte> body, FormatterLimits limits) => XmlBody.Open(body, limits, (reader, source) =>
    {
        reader.MoveToContent();
        if (!IsRoot(reader))
            throw XmlBody.WrongRoot($"The root element is not that of {typeof(T)}.", reader, source);
        CanonicalXml canonical;
        try
        {
            canonical = new CanonicalXml(reader, RootNamespace);
        }
        catch (EncoderFallbackException)
        {
            throw new MessageFormatException(MessageFormatErrorCode.BadText, "A string has a surrogate without its partner.", isPoison: true);
        }

        using (canonical)
        {
            var fast = new XmlBodyReader(canonical, source, limits);
            T? value = Read(ref fast, out Exception? error);
            if (error is null)
                return value;
            var traced = new XmlBodyReader(canonical, source, limits) { Path = NewPath() };
            throw Explain(error, ref traced, fast.ByteOffset);
        }
    });

    private T? Read(ref XmlBodyReader reader, out Exception? error)
    {
        error = null;
        try
        {
            return Read(ref reader);
        }
        catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
        {
            // Values that a failed reader passed to setters are not values of the body.
            error = reader.HasFailed ? null : e;
            return default;
        }
    }

    private static MemberPath NewPath() => new(TypeNames.Of(typeof(T)));

    // As in GeneratedCode: the second run meets the same error, and has the path.
    private MessageFormatException Explain(Exception error, ref XmlBodyReader traced, long byteOffset)
    {
        Read(ref traced, out Exception? second);
        string path = traced.Path!.ToString();
        if (error is not MessageFormatException first)
            return BodyFault.Refused(byteOffset, error, path);
        if (second is MessageFormatException same && same.Code == first.Code && same.ByteOffset == first.ByteOffset)
            first.PrependPath(path);
        return first;
    }

    private MessageFormatException Explain(MessageFormatException first, T value, XmlBodyStyle style, FormatterLimits limits)
    {
        MemberPath path = NewPath();
        using var buffer = new PooledBufferWriter();
        try
        {
            var writer = new XmlBodyWriter(buffer, style, limits) { Path = path };
            Write(ref writer, value);
        }
        catch (MessageFormatException e) when (e.Code == first.Code)
        {
            e.PrependPath(path.ToString());
            return e;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first;
    }
}
