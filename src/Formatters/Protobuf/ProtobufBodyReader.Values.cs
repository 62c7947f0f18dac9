// https://protobuf.dev/programming-guides/proto3/#scalar
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Protobuf;

public ref partial struct ProtobufBodyReader
{
    /// <summary>Reads a <c>bool</c>: a varint that is not 0.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The message ends too early, or a varint of more than ten bytes.</exception>
    public bool ReadBool() => ReadUInt64() != 0;

    /// <summary>Reads an <c>int32</c> or an enum: the low 32 bits of a varint.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int ReadInt32() => (int)ReadUInt64();

    /// <summary>Reads an <c>int64</c>: a varint.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long ReadInt64() => (long)ReadUInt64();

    /// <summary>Reads a <c>uint32</c>: the low 32 bits of a varint.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public uint ReadUInt32() => (uint)ReadUInt64();

    /// <summary>Reads a <c>uint64</c>: a varint.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong ReadUInt64()
    {
        ref byte p = ref _input.Require(1);
        uint value = p;
        if (value >= 0x80)
            return ReadLongVarint();
        _input.Advance(ref p, 1);
        return value;
    }

    /// <summary>Reads a <c>sint32</c>: the low 32 bits of a varint, zigzag.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    public int ReadSInt32() => ProtobufBytes.UnZigZag((uint)ReadUInt64());

    /// <summary>Reads a <c>sint64</c>: a varint, zigzag.</summary>
    /// <inheritdoc cref="ReadBool" path="/returns|/exception"/>
    public long ReadSInt64() => ProtobufBytes.UnZigZag(ReadUInt64());

    /// <summary>Reads a <c>fixed32</c>: 4 bytes.</summary>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The message ends too early.</exception>
    public uint ReadFixed32() => (uint)ReadSFixed32();

    /// <summary>Reads a <c>fixed64</c>: 8 bytes.</summary>
    /// <inheritdoc cref="ReadFixed32" path="/returns|/exception"/>
    public ulong ReadFixed64() => (ulong)ReadSFixed64();

    /// <summary>Reads a <c>sfixed32</c>: 4 bytes.</summary>
    /// <inheritdoc cref="ReadFixed32" path="/returns|/exception"/>
    public int ReadSFixed32()
    {
        ref byte p = ref _input.Require(sizeof(int));
        _input.Advance(ref p, sizeof(int));
        return LittleEndian.ReadInt32(ref p);
    }

    /// <summary>Reads a <c>sfixed64</c>: 8 bytes.</summary>
    /// <inheritdoc cref="ReadFixed32" path="/returns|/exception"/>
    public long ReadSFixed64()
    {
        ref byte p = ref _input.Require(sizeof(long));
        _input.Advance(ref p, sizeof(long));
        return LittleEndian.ReadInt64(ref p);
    }

    /// <summary>Reads a <c>float</c>: 4 bytes, bit for bit.</summary>
    /// <inheritdoc cref="ReadFixed32" path="/returns|/exception"/>
    public float ReadFloat()
    {
        ref byte p = ref _input.Require(sizeof(float));
        _input.Advance(ref p, sizeof(float));
        return LittleEndian.ReadSingle(ref p);
    }

    /// <summary>Reads a <c>double</c>: 8 bytes, bit for bit.</summary>
    /// <inheritdoc cref="ReadFixed32" path="/returns|/exception"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public double ReadDouble()
    {
        ref byte p = ref _input.Require(sizeof(double));
        _input.Advance(ref p, sizeof(double));
        return LittleEndian.ReadDouble(ref p);
    }

    /// <summary>Reads a <c>string</c>.</summary>
    /// <param name="existing">The current string of the member, which is returned if it is equal, so that nothing is allocated; null for
    /// none.</param>
    /// <returns><paramref name="existing"/> itself, or another string.</returns>
    /// <exception cref="MessageFormatException">The string is not UTF-8, or the message ends too early.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public string ReadString(string? existing = null)
    {
        int byteCount = ReadLength();
        ref byte p = ref _input.Position;
        string? text = Utf8Text.Read(ref p, byteCount, existing);
        if (text is null)
            ThrowHelper.ThrowBadText(ByteOffset + Utf8Text.IndexOfInvalid(ref p, byteCount));
        _input.Advance(ref p, byteCount);
        return text;
    }

    /// <summary>Reads <c>bytes</c>, or any other value after a length.</summary>
    /// <returns>A view of the body, not a copy.</returns>
    /// <exception cref="MessageFormatException">The message ends too early.</exception>
    public ReadOnlySpan<byte> ReadSpan() => _input.Take(ReadLength());

    /// <summary>Reads <c>bytes</c> into an array.</summary>
    /// <param name="existing">An array to fill if it has the right length; null means none.</param>
    /// <returns><paramref name="existing"/> or a new array.</returns>
    /// <inheritdoc cref="ReadSpan" path="/exception"/>
    public byte[] ReadBytes(byte[]? existing = null)
    {
        ReadOnlySpan<byte> bytes = ReadSpan();
        if (existing is null || existing.Length != bytes.Length)
            return bytes.ToArray();
        bytes.CopyTo(existing);
        return existing;
    }
}
