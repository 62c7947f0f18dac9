using System;
using System.Buffers.Text;
using System.Linq;
using System.Text;
using Formatters.MessagePack;
using Formatters.Protobuf;
using Xunit;

namespace Formatters.Tests;

/// <summary>Values that are right up to a point: digits with a tail, numbers beyond their type, messages with bytes unread, arrays whose lengths do not fit their elements.</summary>
public class StrictValueTests
{
    [Theory]
    [InlineData("1.5xyz")]
    [InlineData("1.5 ")]
    [InlineData(" 1.5")]
    [InlineData("1.5.")]
    [InlineData("1,5")]
    [InlineData("-")]
    [InlineData("x")]
    public void Decimal_WithATail_IsRefused(string digits)
    {
        AssertBadValue(new MessagePackFormatter<decimal>(), PackedText(digits), 0);
        AssertBadValue(new ProtobufFormatter<decimal>(), [0x0A, (byte)digits.Length, .. Encoding.ASCII.GetBytes(digits)], 1);
    }

    [Theory]
    [InlineData("00112233-4455-6677-8899-aabbccddeeff0")]
    [InlineData("00112233-4455-6677-8899-aabbccddeeff ")]
    [InlineData("00112233-4455-6677-8899-aabbccddeef")]
    [InlineData("00112233-4455-6677-8899-aabbccddeefg")]
    [InlineData("{00112233-4455-6677-8899-aabbccddeeff}")]
    [InlineData("00112233445566778899aabbccddeeff")]
    [InlineData("00112233445566778899aabbccddeeffgggg")]
    public void Guid_WithATail_IsRefused(string digits)
    {
        AssertBadValue(new MessagePackFormatter<Guid>(), PackedText(digits), 0);
        AssertBadValue(new ProtobufFormatter<Guid>(), [0x0A, (byte)digits.Length, .. Encoding.ASCII.GetBytes(digits)], 1);
    }

    [Fact]
    public void Decimals_HaveTheirDigits()
    {
        var formatter = new MessagePackFormatter<decimal>();
        var random = new Random(43);
        for (int i = 0; i < 20_000; i++)
        {
            long low = ((long)random.Next() << 33 ^ random.Next()) >> random.Next(64);
            int high = i % 3 == 0 ? random.Next() >> random.Next(32) : 0;
            var value = new decimal((int)low, (int)(low >> 32), high, random.Next(2) == 0, (byte)random.Next(29));
            string digits = value.ToString(System.Globalization.CultureInfo.InvariantCulture);
            if (value == 0 && decimal.GetBits(value)[3] < 0 && digits[0] != '-')
                digits = "-" + digits;
            byte[] body = formatter.Write(value);
            Assert.Equal(digits, Encoding.ASCII.GetString(body, 1, body.Length - 1));
            Assert.Equal(decimal.GetBits(value), decimal.GetBits(formatter.Read(body)));
        }
    }

    [Theory]
    [InlineData("0")]
    [InlineData("-0")]
    [InlineData("0.00")]
    [InlineData("-0.00")]
    [InlineData("0000000000000000000.0")]
    [InlineData("0000000000000000000000.10")]
    [InlineData("00012.50")]
    [InlineData("-12.")]
    [InlineData(".5")]
    [InlineData("-.5")]
    [InlineData("+1.5")]
    [InlineData("1e3")]
    [InlineData("1.5e-3")]
    [InlineData("9999999999999999999")]
    [InlineData("-999999999999999999.9")]
    [InlineData("99999999999999999999")]
    [InlineData("18446744073709551616")]
    [InlineData("1844674407370955161.6")]
    [InlineData("184467440737095516.160")]
    [InlineData("79228162514264337593543950335")]
    public void Digits_AreParsedAsByTheBaseLibrary(string digits)
    {
        Assert.True(Utf8Parser.TryParse(Encoding.ASCII.GetBytes(digits), out decimal expected, out int byteCount) && byteCount == digits.Length);
        Assert.Equal(decimal.GetBits(expected), decimal.GetBits(new MessagePackFormatter<decimal>().Read(PackedText(digits))));
    }

    [Fact]
    public void Guid_HasNoOtherCharacters()
    {
        const string Digits = "0189abcd-ef01-4567-89AB-CDEF01234567";
        var formatter = new MessagePackFormatter<Guid>();
        Assert.Equal(new Guid(Digits), formatter.Read(PackedText(Digits)));
        for (int i = 0; i < Digits.Length; i++)
        {
            for (int c = 0; c < 128; c++)
            {
                string text = Digits.Substring(0, i) + (char)c + Digits.Substring(i + 1);
                if (Digits[i] != '-' ? Uri.IsHexDigit((char)c) : c == '-')
                    Assert.Equal(new Guid(text), formatter.Read(PackedText(text)));
                else
                    AssertBadValue(formatter, PackedText(text), 0);
            }
        }
    }

#if !FORMATTERS_NETSTANDARD
    [Theory]
    [InlineData(65519f, true)]
    [InlineData(-65519f, true)]
    [InlineData(float.PositiveInfinity, true)]
    [InlineData(float.NegativeInfinity, true)]
    [InlineData(65520f, false)]
    [InlineData(-65520f, false)]
    [InlineData(float.MaxValue, false)]
    public void Float_BeyondHalf_IsRefused(float value, bool isHalf)
    {
        byte[] packed = new MessagePackFormatter<float>().Write(value);
        byte[] field = new ProtobufFormatter<float>().Write(value);
        if (isHalf)
        {
            Assert.Equal((Half)value, new MessagePackFormatter<Half>().Read(packed));
            Assert.Equal((Half)value, new ProtobufFormatter<Half>().Read(field));
            return;
        }

        AssertBadValue(new MessagePackFormatter<Half>(), packed, 0);
        AssertBadValue(new ProtobufFormatter<Half>(), field, 1);
    }

    /// <summary>A float is rounded, an integer is not: by a contract, and by a codec of the application.</summary>
    [Theory]
    [InlineData(2048, true)]
    [InlineData(2049, false)]
    [InlineData(-2049, false)]
    [InlineData(65504, true)]
    [InlineData(65505, false)]
    public void MessagePack_IntegerThatHalfCannotHold_IsRefused(int value, bool isHalf)
    {
        byte[] body = new MessagePackFormatter<int>().Write(value);
        var reader = new MessagePackBodyReader(body);
        Half read = default;
        MessageFormatErrorCode? code = null;
        try
        {
            read = reader.ReadHalf();
        }
        catch (MessageFormatException e)
        {
            code = e.Code;
        }

        Assert.Equal(isHalf ? ((Half)value, null) : (default, MessageFormatErrorCode.BadValue), (read, code));
        if (isHalf)
            Assert.Equal(read, new MessagePackFormatter<Half>().Read(body));
        else
            AssertBadValue(new MessagePackFormatter<Half>(), body, 0);
    }
#endif

    [Fact]
    public void EndMessage_WithBytesUnread_IsRefused()
    {
        // A message of 2 bytes, of which one is read, and one behind it.
        var reader = new ProtobufBodyReader([0x02, 0x05, 0x06, 0x07]);
        int behind = reader.BeginMessage();
        Assert.Equal(5, reader.ReadInt32());
        MessageFormatException? error = null;
        try
        {
            reader.EndMessage(behind);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        Assert.Equal((MessageFormatErrorCode.TrailingBytes, 2L, true), (error!.Code, error.ByteOffset, error.IsPoison));
        var whole = new ProtobufBodyReader([0x01, 0x05, 0x07]);
        behind = whole.BeginMessage();
        Assert.Equal(5, whole.ReadInt32());
        whole.EndMessage(behind);
        Assert.Equal(7, whole.ReadInt32());
    }

    [Theory]
    [InlineData("2 3", 6, true)]
    [InlineData("3 4", 12, true)]
    [InlineData("2 3", 5, false)]
    [InlineData("2 3", 7, false)]
    [InlineData("2 3", 3, false)]
    [InlineData("2 3", 0, false)]
    [InlineData("0 3", 0, true)]
    [InlineData("0 3", 3, false)]
    public void Array_OfTwoDimensions_HasTheProductOfItsLengths(string lengths, int elementCount, bool isGood)
    {
        int[] sides = [.. lengths.Split(' ').Select(int.Parse)];
        Check(new MessagePackFormatter<int[,]>(), PackedGrid(sides, elementCount), isGood, MessageFormatErrorCode.BadLength);
        Check(new ProtobufFormatter<int[,]>(), FieldsOfGrid(sides, elementCount), isGood, MessageFormatErrorCode.BadLength);
        bool isShort = elementCount < sides[0] * sides[1];
        Check(new BinaryBodyFormatter<int[,]>(), PlainGrid(sides, elementCount), isGood, isShort ? MessageFormatErrorCode.Truncated : MessageFormatErrorCode.TrailingBytes);

        void Check(MessageFormatter<int[,]> formatter, byte[] body, bool isGood, MessageFormatErrorCode code)
        {
            if (!isGood)
            {
                Assert.Equal(code, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
                return;
            }

            int[,] read = formatter.Read(body);
            Assert.Equal((sides[0], sides[1]), (read.GetLength(0), read.GetLength(1)));
            Assert.Equal(Enumerable.Range(0, elementCount), read.Cast<int>());
        }
    }

    [Theory]
    [InlineData(0, 65536, 65536, 65536, 65536)] // 2^64: 0 in 64 bits
    [InlineData(4, 769546, 494770, 8681, 5581)] // 2^64 + 4: 4 in 64 bits
    public void Array_WhoseLengthsHaveAProductBeyond64Bits_IsRefused(int elementCount, params int[] sides)
    {
        Assert.Equal(MessageFormatErrorCode.BadLength, Assert.Throws<MessageFormatException>(() => new MessagePackFormatter<int[,,,]>().Read(PackedGrid(sides, elementCount))).Code);
        Assert.Equal(MessageFormatErrorCode.BadLength, Assert.Throws<MessageFormatException>(() => new ProtobufFormatter<int[,,,]>().Read(FieldsOfGrid(sides, elementCount))).Code);
        Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => new BinaryBodyFormatter<int[,,,]>().Read(PlainGrid(sides, elementCount))).Code);
    }

    private static byte[] PackedText(string text) => text.Length < 32 ? [(byte)(0xA0 | text.Length), .. Encoding.ASCII.GetBytes(text)] : [0xD9, (byte)text.Length, .. Encoding.ASCII.GetBytes(text)];

    private static byte[] PackedGrid(int[] sides, int elementCount)
    {
        byte[] lengths = [.. sides.SelectMany(s => new MessagePackFormatter<int>().Write(s))];
        return [(byte)(0x90 | (sides.Length + 1)), .. lengths, (byte)(0x90 | elementCount), .. Enumerable.Range(0, elementCount).Select(i => (byte)i)];
    }

    private static byte[] FieldsOfGrid(int[] sides, int elementCount)
    {
        byte[] lengths = new ProtobufFormatter<int[]>().Write(sides);
        return elementCount == 0 ? lengths : [.. lengths, 0x12, (byte)elementCount, .. Enumerable.Range(0, elementCount).Select(i => (byte)i)];
    }

    private static byte[] PlainGrid(int[] sides, int elementCount) => [.. sides.Concat(Enumerable.Range(0, elementCount)).SelectMany(i => BitConverter.GetBytes(i))];

    /// <summary>Seconds and nanoseconds of a google.protobuf.Timestamp: the first and the last that are one, and those beside them.</summary>
    [Theory]
    [InlineData(-62_135_596_800, 0, true)]
    [InlineData(-62_135_596_801, 0, false)]
    [InlineData(-62_135_596_801, 999_999_999, false)]
    [InlineData(253_402_300_799, 999_999_999, true)]
    [InlineData(253_402_300_800, 0, false)]
    [InlineData(0, 999_999_999, true)]
    [InlineData(0, 1_000_000_000, false)]
    [InlineData(0, -1, false)]
    [InlineData(long.MaxValue, 0, false)]
    [InlineData(long.MinValue, 0, false)]
    public void Timestamp_OfTheYears1To9999(long seconds, int nanos, bool isTime)
    {
        byte[] body = [0x0A, .. Prefixed(Time(seconds, nanos, null))];
        if (!isTime)
        {
            AssertBadValue(new ProtobufFormatter<DateTime>(), body, 1);
            AssertBadValue(new ProtobufFormatter<DateTimeOffset>(), body, 1);
            return;
        }

        DateTime expected = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddTicks((seconds * TimeSpan.TicksPerSecond) + (nanos / 100));
        Assert.Equal(expected, new ProtobufFormatter<DateTime>().Read(body));
        Assert.Equal(expected, new ProtobufFormatter<DateTimeOffset>().Read(body).UtcDateTime);
    }

    [Theory]
    [InlineData(840, true)]
    [InlineData(-840, true)]
    [InlineData(841, false)]
    [InlineData(-841, false)]
    [InlineData(int.MinValue, false)]
    public void Offset_IsAtMost14Hours(int minutes, bool isOffset)
    {
        byte[] body = [0x0A, .. Prefixed(Time(1_000_000_000, 0, minutes))];
        if (isOffset)
            Assert.Equal(TimeSpan.FromMinutes(minutes), new ProtobufFormatter<DateTimeOffset>().Read(body).Offset);
        else
            AssertBadValue(new ProtobufFormatter<DateTimeOffset>(), body, 1);
        if (minutes is < short.MinValue or > short.MaxValue)
            return;
        // A time and a 16-bit number.
        byte[] time = new MessagePackFormatter<DateTime>().Write(new DateTime(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc));
        byte[] packed = [0x92, .. time, 0xD1, (byte)(minutes >> 8), (byte)minutes];
        if (isOffset)
            Assert.Equal(TimeSpan.FromMinutes(minutes), new MessagePackFormatter<DateTimeOffset>().Read(packed).Offset);
        else
            AssertBadValue(new MessagePackFormatter<DateTimeOffset>(), packed, 0);
    }

    /// <summary>The local time has an offset, so that its UTC is beyond the years that there are.</summary>
    [Theory]
    [InlineData(1, 1, 1, 0, 14 * 60)]
    [InlineData(9999, 12, 31, 23, -14 * 60)]
    public void Offset_DoesNotLeaveTheYears(int year, int month, int day, int hour, int minutes)
    {
        byte[] time = new MessagePackFormatter<DateTime>().Write(new DateTime(year, month, day, hour, 0, 0, DateTimeKind.Utc));
        AssertBadValue(new MessagePackFormatter<DateTimeOffset>(), [0x92, .. time, 0xD1, (byte)(minutes >> 8), (byte)minutes], 0);
        DateTime epoch = new(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc);
        long seconds = (new DateTime(year, month, day, hour, 0, 0, DateTimeKind.Utc) - epoch).Ticks / TimeSpan.TicksPerSecond;
        AssertBadValue(new ProtobufFormatter<DateTimeOffset>(), [0x0A, .. Prefixed(Time(seconds, 0, -minutes))], 1);
    }

    [Theory]
    [InlineData(1, -1, false)]
    [InlineData(-1, 1, false)]
    [InlineData(0, -999_999_999, true)]
    [InlineData(0, -1_000_000_000, false)]
    [InlineData(922_337_203_685, 477_580_700, true)]
    [InlineData(922_337_203_685, 477_580_800, false)]
    [InlineData(922_337_203_686, 0, false)]
    [InlineData(-922_337_203_685, -477_580_800, true)]
    [InlineData(-922_337_203_685, -477_580_900, false)]
    public void Duration_OfOneSign_AsATimeSpanHoldsIt(long seconds, int nanos, bool isDuration)
    {
        byte[] body = [0x0A, .. Prefixed(Time(seconds, nanos, null))];
        if (isDuration)
            Assert.Equal(new TimeSpan((seconds * TimeSpan.TicksPerSecond) + (nanos / 100)), new ProtobufFormatter<TimeSpan>().Read(body));
        else
            AssertBadValue(new ProtobufFormatter<TimeSpan>(), body, 1);
    }

    /// <summary>What is local becomes UTC, wherever that is (the tests run in a zone of their own); what says nothing stays as it is.</summary>
    [Fact]
    public void LocalTime_BecomesUtc()
    {
        DateTime utc = new(2026, 7, 1, 12, 0, 0, DateTimeKind.Utc);
        DateTime local = utc.ToLocalTime();
        DateTime unspecified = DateTime.SpecifyKind(utc, DateTimeKind.Unspecified);
        MessageFormatter<DateTime>[] formatters = [new ProtobufFormatter<DateTime>(), new MessagePackFormatter<DateTime>()];
        foreach (MessageFormatter<DateTime> formatter in formatters)
        {
            Assert.Equal(formatter.Write(utc), formatter.Write(local));
            Assert.Equal(formatter.Write(utc), formatter.Write(unspecified));
            Assert.Equal((utc, DateTimeKind.Utc), (formatter.Read(formatter.Write(local)), formatter.Read(formatter.Write(local)).Kind));
        }

        // The kind is in these; read elsewhere the local time is that of the same moment.
        Assert.Equal((local, DateTimeKind.Local), (Binary(local), Binary(local).Kind));
        Assert.Equal((unspecified, DateTimeKind.Unspecified), (Binary(unspecified), Binary(unspecified).Kind));
        // An ActiveX date has no kind: the clock as it stands there.
        Assert.Equal(local, new ActiveXFormatter<DateTime>().Read(new ActiveXFormatter<DateTime>().Write(local)));

        static DateTime Binary(DateTime value) => new BinaryBodyFormatter<DateTime>().Read(new BinaryBodyFormatter<DateTime>().Write(value));
    }

    private static byte[] Prefixed(byte[] message) => [(byte)message.Length, .. message];

    private static byte[] Time(long seconds, int nanos, int? offsetMinutes) =>
    [
        0x08, .. Varint((ulong)seconds), 0x10, .. Varint((ulong)(long)nanos),
        .. offsetMinutes is int minutes ? (byte[])[0x18, .. Varint((uint)((minutes << 1) ^ (minutes >> 31)))] : [],
    ];

    private static byte[] Varint(ulong value)
    {
        var bytes = new System.Collections.Generic.List<byte>();
        for (; value >= 0x80; value >>= 7)
            bytes.Add((byte)(value | 0x80));
        bytes.Add((byte)value);
        return [.. bytes];
    }

    private static void AssertBadValue<T>(MessageFormatter<T> formatter, byte[] body, int byteOffset)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.BadValue, (long)byteOffset, true), (error.Code, error.ByteOffset, error.IsPoison));
    }
}
