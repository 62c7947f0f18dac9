using System;
using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
#if NET
using System.Runtime.Intrinsics;
#endif

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

    /// <summary>Writes the sixteen bytes of a GUID, in the order of RFC 9562.</summary>
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
    internal static void ToGuid(ReadOnlySpan<byte> bytes, int byteOffset, out Guid value)
    {
        if (bytes.Length != 16)
            ThrowHelper.ThrowBadValue(byteOffset, nameof(Guid));
#if NET
        ToGuid(Vector128.Create(bytes), out value);
#else
        Span<byte> copy = stackalloc byte[16];
        bytes.CopyTo(copy);
        value = ReverseGuid(ref MemoryMarshal.GetReference(copy));
#endif
    }

#if NET
    /// <summary>Gets the indexes of the bytes of a GUID in the other order: the first three parts are numbers.</summary>
    internal static Vector128<byte> GuidOrder => Vector128.Create((byte)3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15);

    /// <summary>Converts sixteen bytes in the order of RFC 9562, with one 16-byte store: see <see cref="Decimals.TryRead"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void ToGuid(Vector128<byte> bytes, out Guid value)
    {
        Unsafe.SkipInit(out value);
        Unsafe.As<Guid, Vector128<byte>>(ref value) = BitConverter.IsLittleEndian ? Vectors.Shuffle(bytes, GuidOrder) : bytes;
    }
#else
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
