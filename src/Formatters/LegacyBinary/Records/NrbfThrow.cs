using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>Throws the errors that only legacy binary bodies have.</summary>
internal static class NrbfThrow
{
    [DoesNotReturn]
    internal static void Malformed(long byteOffset, string what) =>
        throw new MessageFormatException(MessageFormatErrorCode.Malformed, what, byteOffset, isPoison: true);

    [DoesNotReturn]
    internal static void TypeNotAllowed(long byteOffset, string? memberPath = null, string? typeName = null) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed,
            $"The record is of a type that is neither declared by a member nor in LegacyBinaryOptions, or that is not allowed "
            + $"here{(typeName is null ? "" : $": '{typeName}'")}.",
            byteOffset,
            memberPath);

    /// <summary>Throws for an object of a type that is not declared. The exception has the type in its <see cref="Exception.Data"/>, as
    /// "Type".</summary>
    [DoesNotReturn]
    internal static void TypeNotWritten(Type type, string? memberPath = null, string? why = null) =>
        throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed,
            $"{type} is not written: {why ?? "it is neither the type of a member nor in LegacyBinaryOptions"}.",
            memberPath: memberPath)
        {
            Data = { ["Type"] = type },
        };
}
