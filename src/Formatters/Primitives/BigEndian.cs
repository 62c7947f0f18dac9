using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters;

/// <summary>Reads and writes fixed-size numbers, big endian, unaligned. No bounds are checked: the caller has reserved the space.</summary>
internal static class BigEndian
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, ushort value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, uint value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void Write(ref byte destination, ulong value) =>
        Unsafe.WriteUnaligned(ref destination, BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ushort ReadUInt16(ref byte source)
    {
        ushort value = Unsafe.ReadUnaligned<ushort>(ref source);
        return BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static uint ReadUInt32(ref byte source)
    {
        uint value = Unsafe.ReadUnaligned<uint>(ref source);
        return BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ulong ReadUInt64(ref byte source)
    {
        ulong value = Unsafe.ReadUnaligned<ulong>(ref source);
        return BitConverter.IsLittleEndian ? BinaryPrimitives.ReverseEndianness(value) : value;
    }

    /// <summary>Writes the sixteen bytes of a GUID, in the order of RFC 4122.</summary>
    internal static ref byte WriteGuid(ref byte position, Guid value)
    {
#if NET
        value.TryWriteBytes(MemoryMarshal.CreateSpan(ref position, 16), bigEndian: true, out _);
#else
        Unsafe.WriteUnaligned(ref position, value);
        Unsafe.WriteUnaligned(ref position, ReverseGuid(ref position));
#endif
        return ref Unsafe.Add(ref position, 16);
    }

    /// <summary>Converts sixteen bytes in that order to a GUID; throws for another number of bytes.</summary>
    internal static Guid ToGuid(ReadOnlySpan<byte> bytes, int byteOffset)
    {
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Guid));
#if NET
        return new Guid(bytes, bigEndian: true);
#else
        Span<byte> copy = stackalloc byte[16];
        bytes.CopyTo(copy);
        return ReverseGuid(ref MemoryMarshal.GetReference(copy));
#endif
    }

#if !NET
    /// <summary>Reverses the byte order of the first three parts of a GUID.</summary>
    private static Guid ReverseGuid(ref byte bytes)
    {
        (bytes, Unsafe.Add(ref bytes, 3)) = (Unsafe.Add(ref bytes, 3), bytes);
        (Unsafe.Add(ref bytes, 1), Unsafe.Add(ref bytes, 2)) = (Unsafe.Add(ref bytes, 2), Unsafe.Add(ref bytes, 1));
        (Unsafe.Add(ref bytes, 4), Unsafe.Add(ref bytes, 5)) = (Unsafe.Add(ref bytes, 5), Unsafe.Add(ref bytes, 4));
        (Unsafe.Add(ref bytes, 6), Unsafe.Add(ref bytes, 7)) = (Unsafe.Add(ref bytes, 7), Unsafe.Add(ref bytes, 6));
        return Unsafe.ReadUnaligned<Guid>(ref bytes);
    }
#endif

    /// <summary>Converts the bits of a float.</summary>
    internal static float ToSingle(uint bits) => Unsafe.As<uint, float>(ref bits);
}
