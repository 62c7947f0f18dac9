// Records and values after their byte counts: docs/wire/versioned.md.
using System;
using System.Runtime.CompilerServices;

namespace Formatters.Binary;

public ref partial struct BinaryBodyReader
{
    /// <summary>Reads the byte count and the member table of a record, if the table is the expected one; otherwise does not advance.</summary>
    /// <param name="table">The table, its first byte lowest.</param>
    /// <param name="tableByteCount">Its size, 1 to 8; a constant.</param>
    /// <param name="bytesBehind">The number of bytes of the body after the record.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool TryBeginRecord(ulong table, int tableByteCount, out int bytesBehind)
    {
        ref byte p = ref _input.Position;
        int behindHead = BytesRemaining - sizeof(int);
        if (behindHead >= tableByteCount && LoadTable(ref Unsafe.Add(ref p, sizeof(int)), tableByteCount) == table)
        {
            int byteCount = LittleEndian.ReadInt32(ref p);
            if ((uint)byteCount <= (uint)behindHead)
            {
                bytesBehind = behindHead - byteCount;
                _input.Advance(ref p, sizeof(int) + tableByteCount);
                return true;
            }
        }

        bytesBehind = 0;
        return false;
    }

    /// <summary>Does what <see cref="TryBeginRecord(ulong, int, out int)"/> does, for tables of any size.</summary>
    internal bool TryBeginRecord(ReadOnlySpan<byte> table, out int bytesBehind)
    {
        int behindHead = BytesRemaining - sizeof(int);
        if (behindHead >= table.Length)
        {
            ref byte p = ref _input.Position;
            int byteCount = LittleEndian.ReadInt32(ref p);
            if ((uint)byteCount <= (uint)behindHead && ReadAgain(ByteOffset + sizeof(int), table.Length).SequenceEqual(table))
            {
                bytesBehind = behindHead - byteCount;
                _input.Advance(ref p, sizeof(int) + table.Length);
                return true;
            }
        }

        bytesBehind = 0;
        return false;
    }

    /// <summary>Reads an Int32 byte count.</summary>
    /// <returns>The number of bytes of the body after the counted content.</returns>
    internal int BeginLong()
    {
        int byteCount = ReadInt32();
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(ByteOffset - sizeof(int), "The number of bytes is negative.");
        return BytesBehind(byteCount);
    }

    /// <summary>Reads a 7-bit byte count.</summary>
    /// <returns>The number of bytes of the body after the counted content.</returns>
    internal int BeginShort() => BytesBehind(ReadLongByteCount());

    /// <summary>Checks that a record or value has ended where its byte count requires.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly void End(int bytesBehind)
    {
        if (BytesRemaining != bytesBehind)
            ThrowNotAtEnd(bytesBehind);
    }

    /// <summary>Skips a member that is present in a table.</summary>
    internal void SkipMember(int kind)
    {
        if (kind >= MemberKind.Nullable)
        {
            if (!ReadBoolean())
                return;
            kind -= MemberKind.Nullable;
        }

        int byteCount;
        if (kind < MemberKind.Short)
        {
            byteCount = MemberKind.FixedByteCount(kind);
        }
        else
        {
            int bytesBehind = kind == MemberKind.Short ? BytesBehind(ReadTextByteCount(out _)) : BeginLong();
            byteCount = BytesRemaining - bytesBehind;
        }

        _input.Require(byteCount);
        _input.Advance(byteCount);
    }

    /// <summary>Returns bytes that have been read, or are known to remain.</summary>
    internal readonly ReadOnlySpan<byte> ReadAgain(int byteOffset, int byteCount) => _input.ReadAgain(byteOffset, byteCount);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong LoadTable(ref byte p, int byteCount) => byteCount switch
    {
        1 => p,
        2 => (ushort)LittleEndian.ReadInt16(ref p),
        3 => (ushort)LittleEndian.ReadInt16(ref p) | ((ulong)Unsafe.Add(ref p, 2) << 16),
        4 => (uint)LittleEndian.ReadInt32(ref p),
        5 => (uint)LittleEndian.ReadInt32(ref p) | ((ulong)Unsafe.Add(ref p, 4) << 32),
        6 => (uint)LittleEndian.ReadInt32(ref p) | ((ulong)(ushort)LittleEndian.ReadInt16(ref Unsafe.Add(ref p, 4)) << 32),
        7 => (uint)LittleEndian.ReadInt32(ref p) | ((ulong)(uint)LittleEndian.ReadInt32(ref Unsafe.Add(ref p, 3)) >> 8 << 32),
        _ => (ulong)LittleEndian.ReadInt64(ref p),
    };

    private readonly int BytesBehind(int byteCount)
    {
        if (byteCount > BytesRemaining)
            _input.ThrowTruncated(byteCount);
        return BytesRemaining - byteCount;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private readonly void ThrowNotAtEnd(int bytesBehind)
    {
        if (BytesRemaining > bytesBehind)
            ThrowHelper.ThrowTrailingBytes(ByteOffset, BytesRemaining - bytesBehind);
        ThrowHelper.ThrowOverrun(ByteOffset + BytesRemaining - bytesBehind);
    }
}
