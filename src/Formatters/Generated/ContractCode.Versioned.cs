using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Returns the offset of a position, for <see cref="EndLong"/>.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>The offset.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long OffsetAt(ref BinaryBodyWriter writer, ref byte position) => writer.Output.OffsetAt(ref position);

    /// <summary>Reserves 4 bytes for the byte count of a record, and writes its table; the space is already reserved.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="table">The table, its first byte lowest.</param>
    /// <param name="tableByteCount">Its size, 1 to 8; a constant.</param>
    /// <param name="start">For <see cref="EndLong"/>.</param>
    /// <returns>The position after the table.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte BeginRecord(ref BinaryBodyWriter writer, ref byte position, ulong table, int tableByteCount, out long start)
    {
        start = writer.Output.OffsetAt(ref position) + sizeof(int);
        if (tableByteCount == 4)
            return ref Write(ref position, (long)(table << 32));
        position = ref Write(ref position, 0);
        if (tableByteCount == 8)
            return ref Write(ref position, (long)table);
        if ((tableByteCount & 4) != 0)
            position = ref Write(ref position, (int)table);
        if ((tableByteCount & 2) != 0)
            position = ref Write(ref position, (short)(table >> (tableByteCount & 4) * 8));
        if ((tableByteCount & 1) != 0)
            position = ref Write(ref position, (byte)(table >> (tableByteCount & 6) * 8));
        return ref position;
    }

    /// <summary>Reserves 4 bytes for a byte count.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>The position after them.</returns>
    public static ref byte BeginLong(ref BinaryBodyWriter writer, ref byte position) =>
        ref Write(ref Reserve(ref writer, ref position, sizeof(int)), 0);

    /// <summary>Writes the number of bytes after an Int32 into it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position after the bytes.</param>
    /// <param name="start">The offset of the first of them.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndLong(ref BinaryBodyWriter writer, ref byte position, long start)
    {
        int byteCount = (int)(writer.Output.OffsetAt(ref position) - start);
        Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
    }

    /// <summary>Reserves 1 byte for the byte count of a short value; the space is already ensured.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte BeginShort(ref byte position) => ref Unsafe.Add(ref position, 1);

    /// <summary>Writes the byte count of a short value.</summary>
    /// <param name="start">The position that <see cref="BeginShort(ref byte)"/> returned.</param>
    /// <param name="position">The position after the value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndShort(ref byte start, ref byte position) =>
        Unsafe.Subtract(ref start, 1) = (byte)Unsafe.ByteOffset(ref start, ref position);

    /// <summary>Returns the stored unknown members to write with an object.</summary>
    /// <typeparam name="TFormat">The format; the binary one has none.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="unknown">The stored members; null for none.</param>
    /// <returns>Null if there are none to write.</returns>
    /// <exception cref="MessageFormatException">The members are of another format.</exception>
    public static UnknownMembers? TakeUnknown<TFormat>(ref BinaryBodyWriter writer, UnknownMembers? unknown)
        where TFormat : struct, IBinaryFormat =>
        UnknownMembers.Take(unknown, typeof(TFormat) == typeof(Versioned) ? BodyTypes.Versioned : BodyTypes.Binary, isMap: false, writer.Limits);

    /// <summary>Writes the member table of a record with stored unknown members, after its byte count.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="table">The table of the type.</param>
    /// <param name="unknown">The unknown members to write with it.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteTable(ref BinaryBodyWriter writer, ref byte position, ReadOnlySpan<byte> table, UnknownMembers unknown)
    {
        Span<byte> merged = stackalloc byte[1 + ((MemberKind.MaxNumber + 1) / 2)];
        int byteCount = unknown.MergeTable(table, merged);
        position = ref Reserve(ref writer, ref position, byteCount);
        foreach (byte kinds in merged.Slice(0, byteCount))
            position = ref Write(ref position, kinds);
        return ref position;
    }

    /// <summary>Writes the unknown members between two numbers.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="unknown">The unknown members.</param>
    /// <param name="after">The number of the known member before; 0 for none.</param>
    /// <param name="before">The number of the next known member; 256 after the last.</param>
    /// <returns>The position after them.</returns>
    public static ref byte WriteUnknown(ref BinaryBodyWriter writer, ref byte position, UnknownMembers unknown, int after, int before)
    {
        writer.Output.MoveTo(ref position);
        unknown.Write(ref writer, after, before);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the byte count and the table of a record, if the table is the expected one; otherwise does not advance.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="table">The table, its first byte lowest.</param>
    /// <param name="tableByteCount">Its size, 1 to 8; a constant.</param>
    /// <param name="bytesBehind">For <see cref="End(ref BinaryBodyReader, int)"/>.</param>
    /// <returns>Whether exactly the expected members follow.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryBeginRecord(ref BinaryBodyReader reader, ulong table, int tableByteCount, out int bytesBehind) =>
        reader.TryBeginRecord(table, tableByteCount, out bytesBehind);

    /// <inheritdoc cref="TryBeginRecord(ref BinaryBodyReader, ulong, int, out int)"/>
    public static bool TryBeginRecord(ref BinaryBodyReader reader, ReadOnlySpan<byte> table, out int bytesBehind) =>
        reader.TryBeginRecord(table, out bytesBehind);

    /// <summary>Reads an Int32 byte count.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>For <see cref="End(ref BinaryBodyReader, int)"/>.</returns>
    public static int BeginLong(ref BinaryBodyReader reader) => reader.BeginLong();

    /// <summary>Reads a 7-bit byte count.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>For <see cref="End(ref BinaryBodyReader, int)"/>.</returns>
    public static int BeginShort(ref BinaryBodyReader reader) => reader.BeginShort();

    /// <summary>Checks that a record or value has ended where its byte count requires.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="bytesBehind">The result of its beginning.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref BinaryBodyReader reader, int bytesBehind) => reader.End(bytesBehind);

    /// <summary>Throws for a record without a required member.</summary>
    /// <param name="reader">The reader, after the record.</param>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref BinaryBodyReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);
}
