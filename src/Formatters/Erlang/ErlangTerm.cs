using System;
using System.Buffers.Binary;
using System.Globalization;
using Formatters.Generated;

namespace Formatters;

/// <summary>The values of Erlang's external term format: https://www.erlang.org/doc/apps/erts/erl_ext_dist.html.</summary>
internal readonly struct ErlangTerm : ICustomWireFormat
{
    private const byte Float = 70;
    private const byte SmallInteger = 97;
    private const byte Integer = 98;
    private const byte SmallTuple = 104;
    private const byte LargeTuple = 105;
    private const byte Binary = 109;
    private const byte SmallBig = 110;
    private const byte Map = 116;
    private const byte SmallAtom = 119;

    public string Name => "erlang";

    public string ContentType => ContentTypes.Erlang;

    public int BodyType => BodyTypes.Erlang;

    public void WriteNull(ref WireWriter writer) => WriteAtom(ref writer, "nil"u8);

    public void WriteBoolean(ref WireWriter writer, bool value) => WriteAtom(ref writer, value ? "true"u8 : "false"u8);

    public void WriteInteger(ref WireWriter writer, long value)
    {
        if (value is >= 0 and <= byte.MaxValue)
        {
            writer.Write(SmallInteger);
            writer.Write((byte)value);
        }
        else if (value is >= int.MinValue and <= int.MaxValue)
        {
            WriteHeader(ref writer, Integer, (int)value);
        }
        else
        {
            WriteBig(ref writer, value < 0, value < 0 ? unchecked(0UL - (ulong)value) : (ulong)value);
        }
    }

    public void WriteUnsigned(ref WireWriter writer, ulong value) => WriteBig(ref writer, false, value);

    /// <summary>Writes a float; an infinity or NaN, which Erlang does not have, as the atom of its name.</summary>
    public void WriteDouble(ref WireWriter writer, double value)
    {
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            WriteAtom(ref writer, double.IsNaN(value) ? "nan"u8 : value > 0 ? "infinity"u8 : "neg_infinity"u8);
            return;
        }

        writer.Write(Float);
        BinaryPrimitives.WriteInt64BigEndian(writer.GetSpan(8), BitConverter.DoubleToInt64Bits(value));
        writer.Advance(8);
    }

    public void WriteString(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8) => WriteBytes(ref writer, utf8);

    /// <summary>Writes a binary: Erlang does not distinguish strings and bytes.</summary>
    public void WriteBytes(ref WireWriter writer, scoped ReadOnlySpan<byte> value)
    {
        WriteHeader(ref writer, Binary, value.Length);
        writer.Write(value);
    }

    public void WriteArrayHeader(ref WireWriter writer, int elementCount)
    {
        if (elementCount > byte.MaxValue)
        {
            WriteHeader(ref writer, LargeTuple, elementCount);
            return;
        }

        writer.Write(SmallTuple);
        writer.Write((byte)elementCount);
    }

    public void WriteMapHeader(ref WireWriter writer, int entryCount) => WriteHeader(ref writer, Map, entryCount);

    public WireValueKind PeekKind(ref WireReader reader)
    {
        switch (reader.Read(1)[0])
        {
            case SmallAtom:
                ReadOnlySpan<byte> atom = ReadAtom(ref reader);
                return atom.SequenceEqual("nil"u8) ? WireValueKind.Null
                    : atom.SequenceEqual("true"u8) || atom.SequenceEqual("false"u8) ? WireValueKind.Boolean
                    : IsNumber(atom, out _) ? WireValueKind.Double : WireValueKind.Other;
            case SmallInteger or Integer or SmallBig:
                return WireValueKind.Integer;
            case Float:
                return WireValueKind.Double;
            case Binary:
                return WireValueKind.String;
            case SmallTuple or LargeTuple:
                return WireValueKind.Array;
            case Map:
                return WireValueKind.Map;
            default:
                reader.ThrowMalformed("No term that is read begins here.", reader.ByteOffset - 1);
                return default;
        }
    }

    public void ReadNull(ref WireReader reader) => Skip(ref reader);

    public bool ReadBoolean(ref WireReader reader)
    {
        reader.Read(1);
        return ReadAtom(ref reader).Length == 4;
    }

    public long ReadInteger(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ulong magnitude = ReadMagnitude(ref reader, out bool isNegative);
        if (isNegative ? magnitude > 1UL << 63 : magnitude >= 1UL << 63)
            throw BadValue(start, nameof(Int64));
        return unchecked(isNegative ? (long)(0 - magnitude) : (long)magnitude);
    }

    public ulong ReadUnsigned(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ulong magnitude = ReadMagnitude(ref reader, out bool isNegative);
        return isNegative && magnitude > 0 ? throw BadValue(start, nameof(UInt64)) : magnitude;
    }

    public double ReadDouble(ref WireReader reader)
    {
        if (reader.Read(1)[0] == Float)
            return BitConverter.Int64BitsToDouble(BinaryPrimitives.ReadInt64BigEndian(reader.Read(8)));
        IsNumber(ReadAtom(ref reader), out double value);
        return value;
    }

    public ReadOnlySpan<byte> ReadString(ref WireReader reader)
    {
        reader.Read(1);
        return reader.Read(ReadCount(ref reader));
    }

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => ReadString(ref reader);

    public long ReadArrayHeader(ref WireReader reader) => reader.Read(1)[0] == SmallTuple ? reader.Read(1)[0] : ReadCount(ref reader);

    public long ReadMapHeader(ref WireReader reader)
    {
        reader.Read(1);
        return ReadCount(ref reader);
    }

    public void Skip(ref WireReader reader)
    {
        switch (reader.Read(1)[0])
        {
            case SmallAtom:
                ReadAtom(ref reader);
                break;
            case Binary:
                reader.Read(ReadCount(ref reader));
                break;
            case SmallBig:
                reader.Read(1 + reader.Read(1)[0]);
                break;
            case Float:
                reader.Read(8);
                break;
            case SmallInteger:
                reader.Read(1);
                break;
            default:
                reader.Read(4);
                break;
        }
    }

    private static void WriteHeader(ref WireWriter writer, byte tag, int value)
    {
        writer.Write(tag);
        BinaryPrimitives.WriteInt32BigEndian(writer.GetSpan(4), value);
        writer.Advance(4);
    }

    private static void WriteAtom(ref WireWriter writer, scoped ReadOnlySpan<byte> name)
    {
        writer.Write(SmallAtom);
        writer.Write((byte)name.Length);
        writer.Write(name);
    }

    /// <summary>Writes an integer as a number of bytes, a sign and the magnitude, the lowest byte first.</summary>
    private static void WriteBig(ref WireWriter writer, bool isNegative, ulong magnitude)
    {
        if (!isNegative && magnitude <= int.MaxValue)
        {
            WriteHeader(ref writer, Integer, (int)magnitude);
            return;
        }

        Span<byte> bytes = stackalloc byte[8];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, magnitude);
        int byteCount = 8;
        while (bytes[byteCount - 1] == 0)
            byteCount--;
        writer.Write(SmallBig);
        writer.Write((byte)byteCount);
        writer.Write(isNegative ? (byte)1 : (byte)0);
        writer.Write(bytes.Slice(0, byteCount));
    }

    private static ReadOnlySpan<byte> ReadAtom(ref WireReader reader) => reader.Read(reader.Read(1)[0]);

    private static long ReadCount(ref WireReader reader) => BinaryPrimitives.ReadUInt32BigEndian(reader.Read(4));

    private static ulong ReadMagnitude(ref WireReader reader, out bool isNegative)
    {
        int start = reader.ByteOffset;
        byte tag = reader.Read(1)[0];
        isNegative = false;
        if (tag == SmallInteger)
            return reader.Read(1)[0];
        if (tag == Integer)
        {
            int value = BinaryPrimitives.ReadInt32BigEndian(reader.Read(4));
            isNegative = value < 0;
            return (ulong)Math.Abs((long)value);
        }

        int byteCount = reader.Read(1)[0];
        int sign = reader.Read(1)[0];
        ReadOnlySpan<byte> bytes = reader.Read(byteCount);
        if (sign > 1)
            reader.ThrowMalformed($"The sign {sign.ToString(CultureInfo.InvariantCulture)} is neither 0 nor 1.", start);
        isNegative = sign == 1;
        ulong magnitude = 0;
        for (int i = byteCount - 1; i >= 0; i--)
        {
            if (i >= 8 && bytes[i] != 0)
                throw BadValue(start, "64-bit integer");
            magnitude = (magnitude << 8) | bytes[i];
        }

        return magnitude;
    }

    private static bool IsNumber(ReadOnlySpan<byte> atom, out double value)
    {
        value = atom.SequenceEqual("nan"u8) ? double.NaN : atom.SequenceEqual("infinity"u8) ? double.PositiveInfinity : double.NegativeInfinity;
        return !double.IsNegativeInfinity(value) || atom.SequenceEqual("neg_infinity"u8);
    }

    private static MessageFormatException BadValue(int byteOffset, string typeName) =>
        new(MessageFormatErrorCode.BadValue, $"The integer is not a valid {typeName}.", byteOffset, isPoison: true);
}
