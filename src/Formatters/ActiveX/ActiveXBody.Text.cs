// The table of ActiveXMessageFormatter: https://learn.microsoft.com/dotnet/api/system.messaging.activexmessageformatter.
using System;
using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.InteropServices;

namespace Formatters.ActiveX;

public static partial class ActiveXBody
{
    /// <summary>Writes a string body (<c>VT_LPWSTR</c>, vartype 31): UTF-16, little endian, without terminator.</summary>
    /// <param name="destination">Receives the body: 2 bytes for each <see cref="char"/>.</param>
    /// <param name="value">The string. A surrogate without its partner is written as U+FFFD, as <c>ActiveXMessageFormatter</c> does.</param>
    /// <param name="bytesWritten">The length of the body in bytes, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteString(Span<byte> destination, ReadOnlySpan<char> value, out int bytesWritten)
    {
        bytesWritten = checked(2 * value.Length);
        if (destination.Length < bytesWritten)
            return false;
        if (BitConverter.IsLittleEndian)
            MemoryMarshal.AsBytes(value).CopyTo(destination);
        else
            for (int i = 0; i < value.Length; i++)
                BinaryPrimitives.WriteUInt16LittleEndian(destination.Slice(2 * i), value[i]);

        for (int i = IndexOfUnpairedSurrogate(value, 0); i >= 0; i = IndexOfUnpairedSurrogate(value, i + 1))
            BinaryPrimitives.WriteUInt16LittleEndian(destination.Slice(2 * i), 0xFFFD);
        return true;
    }

    /// <summary>Reads a string body (<c>VT_LPWSTR</c>, vartype 31, or <c>VT_BSTR</c>, vartype 8): UTF-16, little endian.</summary>
    /// <param name="body">The whole body.</param>
    /// <param name="value">The string, or null.</param>
    /// <returns><see langword="false"/> if the length is odd, or a surrogate has no partner.</returns>
    /// <remarks>
    /// Stricter than <c>ActiveXMessageFormatter</c>, which drops an odd last byte and reads a lone surrogate as U+FFFD: no correct sender writes
    /// either.
    /// </remarks>
    public static bool TryReadString(ReadOnlySpan<byte> body, [NotNullWhen(true)] out string? value)
    {
        value = null;
        if ((body.Length & 1) != 0)
            return false;
        string text = ReadUtf16(body);
        if (IndexOfUnpairedSurrogate(text.AsSpan(), 0) >= 0)
            return false;
        value = text;
        return true;
    }

    /// <summary>Writes a body of bytes (<c>VT_VECTOR | VT_UI1</c>, vartype 4113): the bytes themselves.</summary>
    /// <param name="destination">Receives the body.</param>
    /// <param name="value">The bytes.</param>
    /// <param name="bytesWritten">The length of the body in bytes, also when <paramref name="destination"/> is too small.</param>
    /// <returns><see langword="false"/> if <paramref name="destination"/> is too small; nothing is written then.</returns>
    public static bool TryWriteBytes(Span<byte> destination, ReadOnlySpan<byte> value, out int bytesWritten)
    {
        bytesWritten = value.Length;
        return value.TryCopyTo(destination);
    }

    /// <summary>Finds the next unpaired surrogate, or returns -1.</summary>
    internal static int IndexOfUnpairedSurrogate(ReadOnlySpan<char> text, int start)
    {
        for (int i = start; i < text.Length; i++)
        {
#if NET
            int next = text[i..].IndexOfAnyInRange('\uD800', '\uDFFF');
            if (next < 0)
                return -1;
            i += next;
#endif
            if (!char.IsSurrogate(text[i]))
                continue;
            if (char.IsLowSurrogate(text[i]) || i + 1 == text.Length || !char.IsLowSurrogate(text[i + 1]))
                return i;
            i++;
        }

        return -1;
    }

    private static string ReadUtf16(ReadOnlySpan<byte> body)
    {
        if (BitConverter.IsLittleEndian)
            return MemoryMarshal.Cast<byte, char>(body).ToString();
        var chars = new char[body.Length / 2];
        for (int i = 0; i < chars.Length; i++)
            chars[i] = (char)BinaryPrimitives.ReadUInt16LittleEndian(body.Slice(2 * i));
        return new string(chars);
    }
}
