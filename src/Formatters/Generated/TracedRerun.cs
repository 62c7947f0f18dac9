using System;
using System.Buffers;
using Formatters.Buffers;

namespace Formatters.Generated;

/// <summary>Runs a generated contract again after an error, tracking the member path.</summary>
/// <remarks>
/// The second run meets the same error at the same place, unless the type's own code behaves differently; the first error is then used. Call it
/// outside the catch block, in which the first run still occupies the stack.
/// </remarks>
internal static class TracedRerun
{
    /// <summary>Reads a body again, to find the member path of its error.</summary>
    /// <param name="body">The body.</param>
    /// <param name="path">The path to track.</param>
    /// <param name="byteOffset">Receives the offset at which the reader ends, even after an error.</param>
    internal delegate void Reading(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset);

    /// <summary>Writes a value again, to find the member path of its error.</summary>
    /// <param name="destination">Receives a body that is thrown away.</param>
    /// <param name="path">The path to track.</param>
    /// <param name="value">The value.</param>
    internal delegate void Writing<T>(IBufferWriter<byte> destination, MemberPath path, T value);

    /// <summary>Builds the exception for a failed read.</summary>
    internal static MessageFormatException Explain<T>(Exception error, ReadOnlySpan<byte> body, int byteOffset, Reading read)
    {
        var first = error as MessageFormatException;
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        if (error is OutOfMemoryException)
            return BodyFault.Refused(byteOffset, error, path.ToString());
        int secondOffset = 0;
        try
        {
            read(body, path, ref secondOffset);
        }
        catch (MessageFormatException e) when (first is null || e.Code == first.Code && e.ByteOffset == first.ByteOffset)
        {
            e.PrependPath(path.ToString());
            return e;
        }
        catch (Exception e) when (first is null && BodyFault.Is(e))
        {
            return BodyFault.Refused(secondOffset, e, path.ToString());
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first ?? BodyFault.Refused(byteOffset, error);
    }

    /// <summary>Builds the exception for a failed write.</summary>
    internal static MessageFormatException Explain<T>(MessageFormatException first, T value, Writing<T> write)
    {
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        using var buffer = new PooledBufferWriter();
        try
        {
            write(buffer, path, value);
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
