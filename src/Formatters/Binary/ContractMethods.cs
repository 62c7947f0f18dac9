using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters;

/// <summary>Operations of contracts beyond the writer and the reader; emitted code also calls them.</summary>
internal static partial class ContractMethods
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void WriteText(ref BinaryBodyWriter writer, string? value)
    {
        if (value is null)
            ThrowUnexpectedNull();
        writer.Write(value);
    }

    internal static void WriteBytes(ref BinaryBodyWriter writer, byte[]? value)
    {
        if (value is null)
            ThrowUnexpectedNull();
        writer.WriteBytes(value);
    }

    internal static void WriteChar(ref BinaryBodyWriter writer, char value)
    {
        if (char.IsSurrogate(value))
            throw new MessageFormatException(MessageFormatErrorCode.BadText, "A surrogate is half a character and cannot be written alone.");
        writer.Write(value);
    }

    /// <summary>Throws for an element of an <c>ArrayList</c> with a wrong type.</summary>
    [DoesNotReturn]
    internal static void ThrowNotOfType(object? element)
    {
        if (element is null)
            ThrowUnexpectedNull();
        throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, "The element is not of the declared element type.");
    }

    [DoesNotReturn]
    internal static void ThrowUnexpectedNull() => ThrowHelper.ThrowUnexpectedNull();

    [DoesNotReturn]
    internal static void ThrowDuplicateKey(int byteOffset) =>
        throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, "The same key occurs twice.", byteOffset, isPoison: byteOffset >= 0);
}
