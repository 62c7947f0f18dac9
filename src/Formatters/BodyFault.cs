using System;

namespace Formatters;

/// <summary>Tells faults of a body from faults of the process, where code that is not ours reads it.</summary>
internal static class BodyFault
{
    /// <summary>Whether an exception of foreign code is to be taken for the body's fault, and so to become a <see cref="MessageFormatException"/>.</summary>
    internal static bool Is(Exception e) =>
        e is not (MessageFormatException or OutOfMemoryException or OperationCanceledException or System.Threading.ThreadAbortException);

    /// <summary>The error for it.</summary>
    internal static MessageFormatException Error(Exception e, string typeName) => e is InsufficientExecutionStackException
        ? new MessageFormatException(
            MessageFormatErrorCode.DepthExceeded, "The records lie deeper inside each other than the stack allows.", innerException: e)
        : new MessageFormatException(
            MessageFormatErrorCode.Malformed, $"The body could not be read as {typeName}: see the inner exception.", isPoison: true, innerException: e);
}
