using System;

namespace Formatters.Generated;

/// <summary>Runs a generated contract; and once more, with account of the member path, if there is an error.</summary>
internal sealed class GeneratedCode<T>(WireContract<T> contract, FormatterLimits limits)
{
    internal void Write(ref BinaryBodyWriter writer, T value)
    {
        MessageFormatException? error = null;
        try
        {
            contract.Write(ref writer, value);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        writer.Flush();
    }

    internal void Read(ReadOnlySpan<byte> body, ref T value, bool reuse)
    {
        var reader = new BinaryBodyReader(body, limits);
        Exception? error = null;
        try
        {
            value = contract.Read(ref reader, reuse ? value : default);
        }
        catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, body, reader.ByteOffset);
        reader.EnsureEnd();
    }

    // The second run meets the same error at the same place, unless the type's own code gives something else the second time: then the first error
    // stands. It takes place behind the catch clause, within which the stack of the first run is still taken.
    private MessageFormatException Explain(Exception error, ReadOnlySpan<byte> body, int byteOffset)
    {
        var first = error as MessageFormatException;
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        if (error is OutOfMemoryException)
            return BodyFault.Refused(byteOffset, error, path.ToString());
        var reader = new BinaryBodyReader(body, limits) { Path = path };
        try
        {
            contract.ReadTraced(ref reader);
        }
        catch (MessageFormatException e) when (first is null || e.Code == first.Code && e.ByteOffset == first.ByteOffset)
        {
            e.PrependPath(path.ToString());
            return e;
        }
        catch (Exception e) when (first is null && BodyFault.Is(e))
        {
            return BodyFault.Refused(reader.ByteOffset, e, path.ToString());
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first ?? BodyFault.Refused(byteOffset, error);
    }

    private MessageFormatException Explain(MessageFormatException first, T value)
    {
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        using var buffer = new PooledBufferWriter();
        try
        {
            var writer = new BinaryBodyWriter(buffer, limits) { Path = path };
            contract.WriteTraced(ref writer, value);
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
