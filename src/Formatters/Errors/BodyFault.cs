using System;
using System.IO;
using System.Reflection;
using System.Threading;

namespace Formatters;

/// <summary>Converts the exceptions of foreign code that reads a body: <c>Load</c>, setters and constructors, delegates, System.Text.Json.</summary>
internal static class BodyFault
{
    private static readonly string Own = typeof(BodyFault).Assembly.GetName().Name!;

    /// <summary>
    /// Determines whether an exception is to be converted to a <see cref="MessageFormatException"/>: all except these exceptions themselves, and
    /// those that end an operation or a thread.
    /// </summary>
    internal static bool Is(Exception e) => e is not (MessageFormatException or OperationCanceledException or ThreadAbortException);

    /// <summary>
    /// Returns the part of an exception that may be shown: an exception of the application's code. The messages of libraries may repeat the body.
    /// </summary>
    /// <param name="e">The exception of a library.</param>
    /// <returns>The outermost inner exception that is not a library's; null if there is none.</returns>
    internal static Exception? OwnCause(Exception e)
    {
        for (Exception? cause = e; cause is not null; cause = cause.InnerException)
        {
            // The name of the assembly that threw it, which may be missing with ahead-of-time compilation. Ours is that of a library's method that
            // was inlined here.
            if (cause.Source is { Length: > 0 } source && (source == Own ? cause is MessageFormatException : IsOfApplication(source)))
                return cause;
        }

        return null;
    }

    /// <summary>
    /// Determines whether a loaded assembly with a name is not one of .NET's, which have known keys. Dynamic assemblies count as a library's.
    /// </summary>
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

    /// <summary>Creates the exception for an error in a type's own <c>Load</c>, setter or constructor.</summary>
    /// <param name="byteOffset">The first byte not yet read.</param>
    /// <param name="cause">The original exception.</param>
    /// <param name="memberPath">The member that was being read, as far as it is known.</param>
    /// <param name="message">The description; null for that of a type's own code.</param>
    /// <remarks>
    /// Poison if the exception's type concerns a value; any other may be caused by the code or be temporary, and the same bytes may be readable the
    /// next time.
    /// </remarks>
    internal static MessageFormatException Refused(long byteOffset, Exception cause, string? memberPath = null, string? message = null) =>
        OfResources(byteOffset, cause, memberPath) ?? new(
            MessageFormatErrorCode.BadValue,
            message ?? "The type rejected the value: its own code threw " + TypeNames.Of(cause.GetType()) + ".",
            byteOffset,
            memberPath,
            isPoison: cause is ArgumentException or FormatException or OverflowException or InvalidDataException or EndOfStreamException,
            innerException: cause);

    /// <summary>Creates the exception for an error in another codec.</summary>
    /// <param name="cause">The original exception.</param>
    /// <param name="type">The type that was being read.</param>
    internal static MessageFormatException Malformed(Exception cause, Type type) =>
        OfResources(-1, cause, null) ?? new(
            MessageFormatErrorCode.Malformed,
            $"The body could not be read as {TypeNames.Of(type)}: see the inner exception.",
            isPoison: true,
            innerException: cause);

    /// <summary>Does what <see cref="Malformed"/> does, for a library whose messages repeat the body.</summary>
    internal static MessageFormatException MalformedForLibrary(Exception cause, Type type) =>
        OfResources(-1, cause, null) ?? new(
            MessageFormatErrorCode.Malformed,
            $"The body could not be read as {TypeNames.Of(type)}: {TypeNames.Of(cause.GetType())}.",
            isPoison: true,
            // Exceptions of setters and constructors are passed on; the library's own, of two types, have dictionary keys in their paths. The source
            // alone does not distinguish them: a setter compiled into the library's dynamic method has the library's name.
            innerException: (cause is InvalidOperationException or NotSupportedException) && cause.Source is null or "System.Text.Json"
                ? null
                : cause);

    /// <summary>Creates the exception for insufficient stack or memory, which may be caused by the body or the process: never poison.</summary>
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
