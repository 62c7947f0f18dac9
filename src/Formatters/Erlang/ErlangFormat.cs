using System;
using System.Numerics;
using Formatters.Generated;

namespace Formatters;

/// <summary>Terms of Erlang as a format of the traversal, by the values of <see cref="ErlangTerm"/>.</summary>
internal readonly struct ErlangFormat : IWireFormat
{
    private static CustomWireFormat<ErlangTerm> Custom => default;

    public int BodyType => BodyTypes.Erlang;

    public ContractFormats ContractFormat => ContractFormats.Erlang;

    public bool RoundsFloats => Custom.RoundsFloats;

    public bool IsSorted => Custom.IsSorted;

    public bool SortsKeys => Custom.SortsKeys;

    public byte ShortTextCode => Custom.ShortTextCode;

    public int MaxShortTextByteCount => Custom.MaxShortTextByteCount;

    public int ByteCountOf(byte first) => Custom.ByteCountOf(first);

    public ref byte WriteNull(ref WireWriter writer, ref byte position) =>
        ref Custom.WriteNull(ref writer, ref position);

    public ref byte Write(ref WireWriter writer, ref byte position, bool value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, int value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, long value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, ulong value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, float value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, double value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, decimal value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, DateTime value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte Write(ref WireWriter writer, ref byte position, Guid value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber) =>
        ref Custom.WriteDate(ref writer, ref position, dayNumber);

    public ref byte Write(ref WireWriter writer, ref byte position, BigInteger value) =>
        ref Custom.Write(ref writer, ref position, value);

    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned) =>
        ref Custom.WriteWide(ref writer, ref position, high, low, isSigned);

    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value) =>
        ref Custom.WriteUri(ref writer, ref position, value);

    public ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref Custom.WriteBytes(ref writer, ref position, value);

    public ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value) =>
        ref Custom.WriteUtf8(ref writer, ref position, value);

    public ref byte WriteTextHeader(ref byte position, int byteCount) =>
        ref Custom.WriteTextHeader(ref position, byteCount);

    public ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count) =>
        ref Custom.WriteArrayHeader(ref writer, ref position, count);

    public ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count) =>
        ref Custom.WriteMapHeader(ref writer, ref position, count);

    public bool TryReadNull(ref WireReader reader) =>
        Custom.TryReadNull(ref reader);

    public bool ReadBoolean(ref WireReader reader) =>
        Custom.ReadBoolean(ref reader);

    public long ReadInteger(ref WireReader reader, long min, long max, string typeName) =>
        Custom.ReadInteger(ref reader, min, max, typeName);

    public ulong ReadUInt64(ref WireReader reader) =>
        Custom.ReadUInt64(ref reader);

    public float ReadSingle(ref WireReader reader) =>
        Custom.ReadSingle(ref reader);

    public double ReadDouble(ref WireReader reader) =>
        Custom.ReadDouble(ref reader);

    public decimal ReadDecimal(ref WireReader reader) =>
        Custom.ReadDecimal(ref reader);

    public DateTime ReadDateTime(ref WireReader reader) =>
        Custom.ReadDateTime(ref reader);

    public DateTimeOffset ReadDateTimeOffset(ref WireReader reader) =>
        Custom.ReadDateTimeOffset(ref reader);

    public Guid ReadGuid(ref WireReader reader) =>
        Custom.ReadGuid(ref reader);

    public long ReadDate(ref WireReader reader) =>
        Custom.ReadDate(ref reader);

    public BigInteger ReadBigInteger(ref WireReader reader) =>
        Custom.ReadBigInteger(ref reader);

    public void ReadWide(ref WireReader reader, bool isSigned, out ulong high, out ulong low) =>
        Custom.ReadWide(ref reader, isSigned, out high, out low);

    public ReadOnlySpan<byte> ReadUtf8(ref WireReader reader) =>
        Custom.ReadUtf8(ref reader);

    public string ReadUri(ref WireReader reader) =>
        Custom.ReadUri(ref reader);

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) =>
        Custom.ReadBytes(ref reader);

    public ReadOnlySpan<byte> ReadKey(ref WireReader reader, out bool isText) =>
        Custom.ReadKey(ref reader, out isText);

    public int ReadInt32(ref WireReader reader, ref byte position, out int byteCount) =>
        Custom.ReadInt32(ref reader, ref position, out byteCount);

    public double ReadDouble(ref WireReader reader, ref byte position, out int byteCount) =>
        Custom.ReadDouble(ref reader, ref position, out byteCount);

    public bool IsArrayOf(ref byte position, int remaining, int count, out int byteCount) =>
        Custom.IsArrayOf(ref position, remaining, count, out byteCount);

    public int ReadArrayHeader(ref WireReader reader, int elementAllocation) =>
        Custom.ReadArrayHeader(ref reader, elementAllocation);

    public int ReadMapHeader(ref WireReader reader, int entryAllocation) =>
        Custom.ReadMapHeader(ref reader, entryAllocation);

#if NET
    public ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged =>
        ref Custom.WriteNumbers(ref writer, ref position, numbers);

    public int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged =>
        Custom.ReadNumbers(ref reader, numbers);

#endif
    public void Skip(ref WireReader reader) =>
        Custom.Skip(ref reader);
}
