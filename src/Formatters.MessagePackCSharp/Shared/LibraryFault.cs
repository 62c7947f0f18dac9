using System;
using System.IO;
using System.Threading;

namespace Formatters;

/// <summary>Turns what a library throws into ours: the cause that lies innermost decides.</summary>
internal static class LibraryFault
{
    /// <summary>Determines whether an exception is to become a <see cref="MessageFormatException"/>: all but those, and what ends an operation or a
    /// thread.</summary>
    internal static bool Is(Exception e) => e is not (MessageFormatException or OperationCanceledException or ThreadAbortException);

    /// <summary>The error of a body.</summary>
    /// <param name="e">What the library threw.</param>
    /// <param name="type">What was being read.</param>
    /// <param name="byteOffset">How far the library had read; -1 if it does not say.</param>
    /// <param name="bodyByteCount">The length of the body.</param>
    internal static MessageFormatException Reading(Exception e, Type type, long byteOffset, long bodyByteCount) =>
        Common(e, "The body is deeper than the limit, or than the stack allows (FormatterLimits.MaxDepth).", byteOffset)
        ?? Cause<EndOfStreamException>(e) switch
        {
            not null => new(
                MessageFormatErrorCode.Truncated, "The body ends too early.", bodyByteCount, type.Name, isPoison: true, e),
            null => new(
                MessageFormatErrorCode.Malformed, "The library could not read the body: see the inner exception.", byteOffset, type.Name,
                    isPoison: true, e),
        };

    /// <summary>The error of an object that is being written.</summary>
    internal static MessageFormatException Writing(Exception e, Type type) =>
        Common(e, "The object graph is deeper than the stack or the library allows, or has a cycle.", -1)
            ?? new(MessageFormatErrorCode.BadValue, "The library could not write the object: see the inner exception.", memberPath: type.Name,
                innerException: e);

    private static MessageFormatException? Common(Exception e, string tooDeep, long byteOffset)
    {
        if (Cause<MessageFormatException>(e) is MessageFormatException own)
            return own;
        if (Cause<InsufficientExecutionStackException>(e) is not null)
            return new(MessageFormatErrorCode.DepthExceeded, tooDeep, byteOffset, innerException: e);
        return Cause<OutOfMemoryException>(e) is null
            ? null
            : new(MessageFormatErrorCode.LimitExceeded, "There is not the memory that the body asks for.", byteOffset, innerException: e);
    }

    private static T? Cause<T>(Exception? e)
        where T : Exception
    {
        for (; e is not null; e = e.InnerException)
        {
            if (e is T cause)
                return cause;
        }

        return null;
    }
}
