using System;

namespace Formatters.Generated;

/// <summary>Runs a generated contract once more, with account of the member path, after an error: as <see cref="GeneratedCode{T}"/> does.</summary>
internal static class GeneratedProtobuf<T>
{
    // The second run meets the same error at the same place, unless the type's own code gives something else the second time: then the first error stands.
    internal static MessageFormatException Explain(ProtobufContract<T> contract, FormatterLimits limits, Exception error, ReadOnlySpan<byte> body, int byteOffset)
    {
        var first = error as MessageFormatException;
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        if (error is OutOfMemoryException)
            return BodyFault.Refused(byteOffset, error, path.ToString());
        var reader = new ProtobufBodyReader(body, limits) { Path = path };
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

    internal static MessageFormatException Explain(ProtobufContract<T> contract, FormatterLimits limits, bool isCanonical, MessageFormatException first, T value)
    {
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        using var buffer = new PooledBufferWriter();
        try
        {
            var writer = new ProtobufBodyWriter(buffer, limits, isCanonical) { Path = path };
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
