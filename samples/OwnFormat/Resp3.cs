// https://github.com/redis/redis-specifications/blob/master/protocol/RESP3.md
using System;
using System.Buffers.Text;
using Formatters;
using Formatters.Custom;

namespace OwnFormat;

/// <summary>RESP3, the protocol of Redis, as a wire format. A value is a line that begins with its kind; a string follows its line.</summary>
public readonly struct Resp3 : ICustomWireFormat
{
    private const int MaxNumberByteCount = 32;

    public string Name => "resp3";

    public string ContentType => "application/vnd.redis.resp3";

    public int BodyType => 0x5233;

    public void WriteNull(ref WireWriter writer) => writer.Write("_\r\n"u8);

    public void WriteBoolean(ref WireWriter writer, bool value) => writer.Write(value ? "#t\r\n"u8 : "#f\r\n"u8);

    public void WriteInteger(ref WireWriter writer, long value) => WriteNumber(ref writer, ':', value);

    /// <summary>Writes a big number, because an integer of RESP3 has 64 bits and a sign.</summary>
    public void WriteUnsigned(ref WireWriter writer, ulong value)
    {
        writer.Write((byte)'(');
        Utf8Formatter.TryFormat(value, writer.GetSpan(MaxNumberByteCount), out int byteCount);
        writer.Advance(byteCount);
        writer.Write("\r\n"u8);
    }

    public void WriteDouble(ref WireWriter writer, double value)
    {
        writer.Write((byte)',');
        if (double.IsNaN(value) || double.IsInfinity(value))
        {
            writer.Write(double.IsNaN(value) ? "nan"u8 : value > 0 ? "inf"u8 : "-inf"u8);
        }
        else
        {
            Utf8Formatter.TryFormat(value, writer.GetSpan(MaxNumberByteCount), out int byteCount);
            writer.Advance(byteCount);
        }

        writer.Write("\r\n"u8);
    }

    public void WriteString(ref WireWriter writer, scoped ReadOnlySpan<byte> utf8) => WriteBytes(ref writer, utf8);

    /// <summary>Writes a blob string: RESP3 does not distinguish strings and bytes.</summary>
    public void WriteBytes(ref WireWriter writer, scoped ReadOnlySpan<byte> value)
    {
        WriteNumber(ref writer, '$', value.Length);
        writer.Write(value);
        writer.Write("\r\n"u8);
    }

    public void WriteArrayHeader(ref WireWriter writer, int elementCount) => WriteNumber(ref writer, '*', elementCount);

    public void WriteMapHeader(ref WireWriter writer, int entryCount) => WriteNumber(ref writer, '%', entryCount);

    public WireValueKind PeekKind(ref WireReader reader)
    {
        switch ((char)reader.Peek())
        {
            case '_':
                return WireValueKind.Null;
            case '#':
                return WireValueKind.Boolean;
            case ':' or '(':
                return WireValueKind.Integer;
            case ',':
                return WireValueKind.Double;
            case '$':
                return WireValueKind.String;
            case '*':
                return WireValueKind.Array;
            case '%':
                return WireValueKind.Map;
            case '+' or '-' or '!' or '=': // simple strings, errors, verbatim strings
                return WireValueKind.Other;
            default:
                reader.ThrowMalformed("No RESP3 value begins here.");
                return default;
        }
    }

    public void ReadNull(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        if (!ReadLine(ref reader).IsEmpty)
            reader.ThrowMalformed("A null has content.", start);
    }

    public bool ReadBoolean(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> line = ReadLine(ref reader);
        if (!line.SequenceEqual("t"u8) && !line.SequenceEqual("f"u8))
            reader.ThrowMalformed("A boolean is neither t nor f.", start);
        return line[0] == 't';
    }

    public long ReadInteger(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        return ParseInteger(ReadLine(ref reader), start, "Int64");
    }

    public ulong ReadUnsigned(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> digits = ReadLine(ref reader);
        CheckDigits(digits, start, allowsSign: false, "UInt64");
        return Utf8Parser.TryParse(digits, out ulong value, out int byteCount) && byteCount == digits.Length ? value : throw BadValue(start, "UInt64");
    }

    public double ReadDouble(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> digits = ReadLine(ref reader);
        if (digits.SequenceEqual("nan"u8))
            return double.NaN;
        if (digits.SequenceEqual("inf"u8))
            return double.PositiveInfinity;
        if (digits.SequenceEqual("-inf"u8))
            return double.NegativeInfinity;
        if (digits.IsEmpty || digits[^1] is < (byte)'0' or > (byte)'9' || !Utf8Parser.TryParse(digits, out double value, out int byteCount)
            || byteCount != digits.Length || double.IsInfinity(value))
            throw BadValue(start, "Double");
        return value;
    }

    public ReadOnlySpan<byte> ReadString(ref WireReader reader)
    {
        int start = reader.ByteOffset;
        long byteCount = ParseInteger(ReadLine(ref reader), start, "length");
        ReadOnlySpan<byte> content = reader.Read(byteCount);
        int end = reader.ByteOffset;
        if (!reader.Read(2).SequenceEqual("\r\n"u8))
            reader.ThrowMalformed("A string does not end with CR LF.", end);
        return content;
    }

    public ReadOnlySpan<byte> ReadBytes(ref WireReader reader) => ReadString(ref reader);

    public long ReadArrayHeader(ref WireReader reader) => ReadInteger(ref reader);

    public long ReadMapHeader(ref WireReader reader) => ReadInteger(ref reader);

    public void Skip(ref WireReader reader)
    {
        if (reader.Peek() is (byte)'$' or (byte)'!' or (byte)'=')
            ReadString(ref reader);
        else
            ReadLine(ref reader);
    }

    private static void WriteNumber(ref WireWriter writer, char kind, long value)
    {
        writer.Write((byte)kind);
        Utf8Formatter.TryFormat(value, writer.GetSpan(MaxNumberByteCount), out int byteCount);
        writer.Advance(byteCount);
        writer.Write("\r\n"u8);
    }

    /// <summary>Reads a kind and its line.</summary>
    /// <returns>The line without the kind and its CR LF.</returns>
    private static ReadOnlySpan<byte> ReadLine(ref WireReader reader)
    {
        int length = reader.Remaining.IndexOf((byte)'\n');
        if (length < 0)
            reader.ThrowTruncated();
        int start = reader.ByteOffset;
        ReadOnlySpan<byte> line = reader.Read(length + 1);
        if (length < 2 || line[length - 1] != '\r' || line[..(length - 1)].IndexOf((byte)'\r') >= 0)
            reader.ThrowMalformed("A line does not end with CR LF.", start);
        return line[1..(length - 1)];
    }

    private static long ParseInteger(ReadOnlySpan<byte> digits, int start, string typeName)
    {
        CheckDigits(digits, start, allowsSign: true, typeName);
        return Utf8Parser.TryParse(digits, out long value, out int byteCount) && byteCount == digits.Length ? value : throw BadValue(start, typeName);
    }

    private static void CheckDigits(ReadOnlySpan<byte> digits, int start, bool allowsSign, string typeName)
    {
        if (digits.IsEmpty || digits[^1] is < (byte)'0' or > (byte)'9' || !allowsSign && digits[0] == '-' || digits[0] == '+')
            throw BadValue(start, typeName);
    }

    private static MessageFormatException BadValue(int byteOffset, string typeName) =>
        new(MessageFormatErrorCode.BadValue, $"The line is not a valid {typeName}.", byteOffset, isPoison: true);
}
