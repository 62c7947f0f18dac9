using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Where a position is, for <see cref="EndLong"/>.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <returns>The offset.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long OffsetAt(ref BinaryBodyWriter writer, ref byte position) => writer.Output.OffsetAt(ref position);

    /// <summary>Leaves 4 bytes for a byte count.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <returns>The position behind them.</returns>
    public static ref byte BeginLong(ref BinaryBodyWriter writer, ref byte position) => ref Write(ref Reserve(ref writer, ref position, sizeof(int)), 0);

    /// <summary>Writes the number of bytes behind an Int32 into it.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Behind the bytes.</param>
    /// <param name="start">Where the first of them is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndLong(ref BinaryBodyWriter writer, ref byte position, long start)
    {
        int byteCount = (int)(writer.Output.OffsetAt(ref position) - start);
        Write(ref Unsafe.Subtract(ref position, byteCount + sizeof(int)), byteCount);
    }

    /// <summary>Leaves 1 byte for the byte count of a value of a few bytes; the room has been made.</summary>
    /// <param name="position">Where the next byte goes.</param>
    /// <returns>The position behind it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte BeginShort(ref byte position) => ref Unsafe.Add(ref position, 1);

    /// <summary>Writes the byte count of a value of a few bytes.</summary>
    /// <param name="start">The position that <see cref="BeginShort(ref byte)"/> returned.</param>
    /// <param name="position">Behind the value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void EndShort(ref byte start, ref byte position) => Unsafe.Subtract(ref start, 1) = (byte)Unsafe.ByteOffset(ref start, ref position);

    /// <summary>Writes the member table of a record that keeps unknown members, after its byte count.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="table">The table of the type.</param>
    /// <param name="unknown">What is to be written with it.</param>
    /// <returns>The position behind it.</returns>
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
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="unknown">The unknown members.</param>
    /// <param name="after">The number of the known member before; 0 for none.</param>
    /// <param name="before">The number of the known member that comes next; 256 behind the last.</param>
    /// <returns>The position behind them.</returns>
    public static ref byte WriteUnknown(ref BinaryBodyWriter writer, ref byte position, UnknownMembers unknown, int after, int before)
    {
        writer.Output.MoveTo(ref position);
        unknown.Write(ref writer, after, before);
        return ref writer.Output.Position;
    }

    /// <summary>Reads the byte count and the table of a record, if the table is the expected one; else moves nowhere.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="table">The table, its first byte lowest.</param>
    /// <param name="tableByteCount">Its size, 1 to 8; a constant.</param>
    /// <param name="bytesBehind">For <see cref="End(ref BinaryBodyReader, int)"/>.</param>
    /// <returns>Whether the members follow, all of them and no other.</returns>
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

    /// <summary>Checks that a record or value has ended where its byte count says.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="bytesBehind">What its beginning returned.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref BinaryBodyReader reader, int bytesBehind) => reader.End(bytesBehind);

    /// <summary>Refuses a record without a member that has no other value.</summary>
    /// <param name="reader">The reader, behind the record.</param>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref BinaryBodyReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);
}
