using System;
using System.IO;
using System.Reflection;
using System.Threading;

namespace Formatters;

/// <summary>The errors of code that is not ours and reads a body: <c>Load</c>, setters and constructors, delegates, System.Text.Json.</summary>
internal static class BodyFault
{
    private static readonly string Own = typeof(BodyFault).Assembly.GetName().Name!;

    /// <summary>Whether an exception of such code is to become a <see cref="MessageFormatException"/>: all but those and what ends an operation or a
    /// thread.</summary>
    internal static bool Is(Exception e) => e is not (MessageFormatException or OperationCanceledException or ThreadAbortException);

    /// <summary>The part of an exception that may be shown: what code of the application threw. The messages of libraries repeat what they could not
    /// read.</summary>
    /// <param name="e">What a library threw.</param>
    /// <returns>The outermost exception below it that is not a library's; null if there is none.</returns>
    internal static Exception? OwnCause(Exception e)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            // The name of the assembly that threw it; ahead of time compiled, it may have none. Ours is that of a library's method that was inlined here.
            if (cause.Source is { Length: > 0 } source && (source == Own ? cause is MessageFormatException : IsOfApplication(source)))
                return cause;
        }

        return null;
    }

    /// <summary>Whether an assembly of a name is loaded that is not one of .NET's, which have known keys. Code made at run time is a library's.</summary>
    private static bool IsOfApplication(string assemblyName)
    {
        foreach (Assembly assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            AssemblyName name = assembly.GetName();
            if (name.Name == assemblyName && !assembly.IsDynamic)
                return !BaseLibrary.HasToken(name.GetPublicKeyToken());
        }

        return false;
    }

    /// <summary>The error where a type's own <c>Load</c>, setter or constructor throws.</summary>
    /// <param name="byteOffset">The first byte not yet read.</param>
    /// <param name="cause">What it threw.</param>
    /// <param name="memberPath">The member that was being read, as far as it is known.</param>
    /// <remarks>
    /// Poison where the exception is one that speaks of a value; any other may be a fault of the code or of the moment, and the same bytes may be
    /// read the next time.
    /// </remarks>
    internal static MessageFormatException Refused(long byteOffset, Exception cause, string? memberPath = null) =>
        OfResources(byteOffset, cause, memberPath) ?? new(
            MessageFormatErrorCode.BadValue,
            "The type rejected the value: its own code threw " + TypeNames.Of(cause.GetType()) + ".",
            byteOffset,
            memberPath,
            isPoison: cause is ArgumentException or FormatException or OverflowException or InvalidDataException or EndOfStreamException,
            innerException: cause);

    /// <summary>The error where another codec throws.</summary>
    /// <param name="cause">What it threw.</param>
    /// <param name="type">What was being read.</param>
    internal static MessageFormatException Malformed(Exception cause, Type type) =>
        OfResources(-1, cause, null) ?? new(
            MessageFormatErrorCode.Malformed,
            $"The body could not be read as {TypeNames.Of(type)}: see the inner exception.",
            isPoison: true,
            innerException: cause);

    /// <summary>As <see cref="Malformed"/>, where the codec is a library whose messages repeat the body.</summary>
    internal static MessageFormatException MalformedForLibrary(Exception cause, Type type) =>
        OfResources(-1, cause, null) ?? new(
            MessageFormatErrorCode.Malformed,
            $"The body could not be read as {TypeNames.Of(type)}: {TypeNames.Of(cause.GetType())}.",
            isPoison: true,
            // A setter's or constructor's exceptions come as they are, whoever threw them for it; the library's own, of two types, have the keys of
            // dictionaries in their paths.
            // By the source alone they cannot be told apart: a setter that is compiled into the library's dynamic method has the library's name.
            innerException: (cause is InvalidOperationException or NotSupportedException) && cause.Source is null or "System.Text.Json" ? null : cause);

    /// <summary>The error for a want of stack or memory, which may be the body's doing or the process's: never poison.</summary>
    private static MessageFormatException? OfResources(long byteOffset, Exception cause, string? memberPath) => cause switch
    {
        InsufficientExecutionStackException => new(
            MessageFormatErrorCode.DepthExceeded,
            "The records are nested deeper than the stack allows.",
            byteOffset,
            memberPath,
            innerException: cause),
        OutOfMemoryException => new(
            MessageFormatErrorCode.LimitExceeded, "There is not enough memory to read the body.", byteOffset, memberPath, innerException: cause),
        _ => null,
    };
}
