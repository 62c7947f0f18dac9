using System;
using System.Runtime.InteropServices;

namespace Formatters.MessagePack;

/// <summary>
/// Encodes and decodes single values of MessagePack over spans, without state: the basis of <see cref="MessagePackBodyWriter"/> and <see
/// cref="MessagePackBodyReader"/>.
/// </summary>
/// <remarks>
/// <para>Values are always written in the shortest form, and read in every legal form
/// (https://github.com/msgpack/msgpack/blob/master/spec.md).</para>
/// <para>A method that writes returns false, and writes nothing, if the destination is too small; <c>bytesWritten</c> is then the number of bytes
/// required. A method that reads returns false if the source does not begin with such a value (<c>bytesRead</c> is 0), or holds only a part of it
/// (<c>bytesRead</c> is more than the length of the source: at least that many bytes are needed).</para>
/// </remarks>
public static partial class MessagePackEncoding
{
    /// <summary>Writes a nil: <c>C0</c>.</summary>
    /// <param name="destination">Receives 1 byte.</param>
    /// <param name="bytesWritten">1.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWriteNil(Span<byte> destination, out int bytesWritten) => TryWriteCode(destination, MessagePackCode.Nil, out bytesWritten);

    /// <summary>Writes a Boolean value: <c>C2</c> for false, <c>C3</c> for true.</summary>
    /// <param name="destination">Receives 1 byte.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">1.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWrite(Span<byte> destination, bool value, out int bytesWritten) =>
        TryWriteCode(destination, value ? MessagePackCode.True : MessagePackCode.False, out bytesWritten);

    /// <summary>Writes an integer in the fewest bytes; one that is not negative in an unsigned form.</summary>
    /// <param name="destination">Receives 1, 2, 3, 5 or 9 bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWrite(Span<byte> destination, long value, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetByteCount(value);
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <inheritdoc cref="TryWrite(Span{byte}, long, out int)"/>
    public static bool TryWrite(Span<byte> destination, ulong value, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetByteCount(value);
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes an IEEE 754 number of 32 bits: <c>CA</c> and 4 bytes, big endian, bit for bit.</summary>
    /// <param name="destination">Receives 5 bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="bytesWritten">5.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWrite(Span<byte> destination, float value, out int bytesWritten)
    {
        bytesWritten = 5;
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes an IEEE 754 number of 64 bits: <c>CB</c> and 8 bytes, big endian, bit for bit.</summary>
    /// <param name="destination">Receives 9 bytes.</param>
    /// <param name="value">The value; it is not narrowed to 32 bits, even if it fits.</param>
    /// <param name="bytesWritten">9.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWrite(Span<byte> destination, double value, out int bytesWritten)
    {
        bytesWritten = 9;
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.Write(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes a timestamp, the extension -1.</summary>
    /// <param name="destination">Receives 6, 10 or 15 bytes.</param>
    /// <param name="value">The time; a local one is converted to UTC, one of unspecified kind taken as UTC.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    public static bool TryWrite(Span<byte> destination, DateTime value, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetTimestampByteCount(value);
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteTimestamp(ref MemoryMarshal.GetReference(destination), value);
        return true;
    }

    /// <summary>Writes the header of an array; its elements follow.</summary>
    /// <param name="destination">Receives 1, 3 or 5 bytes.</param>
    /// <param name="elementCount">The number of elements.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static bool TryWriteArrayHeader(Span<byte> destination, int elementCount, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetCountByteCount(CheckCount(elementCount, nameof(elementCount)));
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteArrayHeader(ref MemoryMarshal.GetReference(destination), elementCount);
        return true;
    }

    /// <summary>Writes the header of a map; key and value of every entry follow.</summary>
    /// <param name="destination">Receives 1, 3 or 5 bytes.</param>
    /// <param name="entryCount">The number of entries.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static bool TryWriteMapHeader(Span<byte> destination, int entryCount, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetCountByteCount(CheckCount(entryCount, nameof(entryCount)));
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteMapHeader(ref MemoryMarshal.GetReference(destination), entryCount);
        return true;
    }

    /// <summary>Writes the header of a string; its UTF-8 follows.</summary>
    /// <param name="destination">Receives 1, 2, 3 or 5 bytes.</param>
    /// <param name="byteCount">The number of bytes of UTF-8.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static bool TryWriteStringHeader(Span<byte> destination, int byteCount, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetStringHeaderByteCount(CheckCount(byteCount, nameof(byteCount)));
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteStringHeader(ref MemoryMarshal.GetReference(destination), byteCount);
        return true;
    }

    /// <summary>Writes the header of a binary value; its bytes follow.</summary>
    /// <param name="destination">Receives 2, 3 or 5 bytes.</param>
    /// <param name="byteCount">The number of bytes that follow.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static bool TryWriteBinaryHeader(Span<byte> destination, int byteCount, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetBinaryHeaderByteCount(CheckCount(byteCount, nameof(byteCount)));
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteBinaryHeader(ref MemoryMarshal.GetReference(destination), byteCount);
        return true;
    }

    /// <summary>Writes the header of an extension; its bytes follow.</summary>
    /// <param name="destination">Receives 2, 3, 4 or 6 bytes.</param>
    /// <param name="extensionType">The type number.</param>
    /// <param name="byteCount">The number of bytes that follow.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentOutOfRangeException">The number is negative.</exception>
    public static bool TryWriteExtensionHeader(Span<byte> destination, sbyte extensionType, int byteCount, out int bytesWritten)
    {
        bytesWritten = MessagePackBytes.GetExtensionHeaderByteCount(CheckCount(byteCount, nameof(byteCount)));
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteExtensionHeader(ref MemoryMarshal.GetReference(destination), extensionType, byteCount);
        return true;
    }

    /// <summary>Writes a string: its header and its UTF-8.</summary>
    /// <param name="destination">Receives the header and the string.</param>
    /// <param name="value">The string; a surrogate without its partner is written as U+FFFD.</param>
    /// <param name="bytesWritten">The number of bytes.</param>
    /// <returns>False if the destination is too small.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="value"/> is null.</exception>
    public static bool TryWriteString(Span<byte> destination, string value, out int bytesWritten)
    {
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        int byteCount = Utf8Text.GetByteCount(value);
        int header = MessagePackBytes.GetStringHeaderByteCount(byteCount);
        bytesWritten = checked(header + byteCount);
        if (destination.Length < bytesWritten)
            return false;
        MessagePackBytes.WriteStringHeader(ref MemoryMarshal.GetReference(destination), byteCount);
        if (byteCount != 0)
            Utf8Text.WriteExact(ref destination[header], value, byteCount);
        return true;
    }

    private static bool TryWriteCode(Span<byte> destination, byte code, out int bytesWritten)
    {
        bytesWritten = 1;
        if (destination.IsEmpty)
            return false;
        destination[0] = code;
        return true;
    }

    private static int CheckCount(int count, string parameterName) =>
        count >= 0 ? count : throw new ArgumentOutOfRangeException(parameterName, count, "A number of elements or bytes cannot be negative.");
}
