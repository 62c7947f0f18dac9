using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.Binary;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Binary;

public class BinaryBodyReaderTests
{
    private delegate object Load(ref BinaryBodyReader reader);

    private static readonly Dictionary<string, Load> Loads = new()
    {
        ["bool"] = (ref BinaryBodyReader r) => r.ReadBoolean(),
        ["byte"] = (ref BinaryBodyReader r) => r.ReadByte(),
        ["sbyte"] = (ref BinaryBodyReader r) => r.ReadSByte(),
        ["short"] = (ref BinaryBodyReader r) => r.ReadInt16(),
        ["ushort"] = (ref BinaryBodyReader r) => r.ReadUInt16(),
        ["int"] = (ref BinaryBodyReader r) => r.ReadInt32(),
        ["uint"] = (ref BinaryBodyReader r) => r.ReadUInt32(),
        ["long"] = (ref BinaryBodyReader r) => r.ReadInt64(),
        ["ulong"] = (ref BinaryBodyReader r) => r.ReadUInt64(),
        ["float"] = (ref BinaryBodyReader r) => r.ReadSingle(),
        ["double"] = (ref BinaryBodyReader r) => r.ReadDouble(),
        ["decimal"] = (ref BinaryBodyReader r) => r.ReadDecimal(),
        ["char"] = (ref BinaryBodyReader r) => r.ReadChar(),
        ["string"] = (ref BinaryBodyReader r) => r.ReadString(),
        ["string?"] = (ref BinaryBodyReader r) => r.ReadNullableString() ?? "null",
        ["DateTime"] = (ref BinaryBodyReader r) => r.ReadDateTime(),
        ["DateTimeOffset"] = (ref BinaryBodyReader r) => r.ReadDateTimeOffset(),
        ["TimeSpan"] = (ref BinaryBodyReader r) => r.ReadTimeSpan(),
        ["Guid"] = (ref BinaryBodyReader r) => r.ReadGuid(),
        ["7-bit int"] = (ref BinaryBodyReader r) => r.Read7BitEncodedInt(),
        ["7-bit long"] = (ref BinaryBodyReader r) => r.Read7BitEncodedInt64(),
        ["bytes"] = (ref BinaryBodyReader r) => Convert.ToHexString(r.ReadBytes()),
        ["count of 4"] = (ref BinaryBodyReader r) => r.ReadCount(4),
        ["count of 0"] = (ref BinaryBodyReader r) => r.ReadCount(0),
#if !FORMATTERS_NETSTANDARD
        ["Half"] = (ref BinaryBodyReader r) => r.ReadHalf(),
        ["DateOnly"] = (ref BinaryBodyReader r) => r.ReadDateOnly(),
        ["TimeOnly"] = (ref BinaryBodyReader r) => r.ReadTimeOnly(),
        ["Int128"] = (ref BinaryBodyReader r) => r.ReadInt128(),
        ["UInt128"] = (ref BinaryBodyReader r) => r.ReadUInt128(),
#endif
    };

    private static object Read(string type, byte[] body)
    {
        var reader = new BinaryBodyReader(body);
        object value = Loads[type](ref reader);
        reader.EnsureEnd();
        return value;
    }

    public static TheoryData<string, string, object> Golden() => new()
    {
        { "bool", "00", false },
        { "bool", "01", true },
        { "byte", "FF", (byte)255 },
        { "sbyte", "80", (sbyte)-128 },
        { "short", "0201", (short)258 },
        { "ushort", "FFFF", ushort.MaxValue },
        { "int", "04030201", 0x01020304 },
        { "uint", "FFFFFFFF", uint.MaxValue },
        { "long", "0807060504030201", 0x0102030405060708L },
        { "ulong", "FFFFFFFFFFFFFFFF", ulong.MaxValue },
        { "float", "0000C03F", 1.5f },
        { "double", "182D4454FB210940", Math.PI },
        { "decimal", "78000000 00000000 00000000 00000200", 1.20m },
        { "decimal", "FFFFFFFF FFFFFFFF FFFFFFFF 00000080", decimal.MinValue },
        { "char", "61", 'a' },
        { "char", "C3BC", 'ü' },
        { "char", "E282AC", '€' },
        { "string", "00", "" },
        { "string", "01 61", "a" },
        { "string", "03 616263", "abc" },
        { "string", "07 61626364656667", "abcdefg" },
        { "string", "08 6162636465666768", "abcdefgh" },
        { "string", "06 E282AC E69DB1", "€東" },
        { "string", "04 F09F9880", "😀" },
        { "string?", "00", "null" },
        { "string?", "01 01 61", "a" },
        { "DateTime", "00C0BB7BC1B9DE48", new DateTime(0x08DEB9C17BBBC000, DateTimeKind.Utc) },
        { "DateTime", "0000000000000000", DateTime.MinValue },
        { "DateTimeOffset", "00C0BB7BC1B9DE08 C6FD", new DateTimeOffset(0x08DEB9C17BBBC000, TimeSpan.FromMinutes(-570)) },
        { "TimeSpan", "FFFFFFFFFFFFFF7F", TimeSpan.MaxValue },
        { "Guid", "33221100 5544 7766 8899AABBCCDDEEFF", new Guid("00112233-4455-6677-8899-aabbccddeeff") },
        { "7-bit int", "80808001", 2097152 },
        { "7-bit int", "FFFFFFFF0F", -1 },
        { "7-bit long", "FFFFFFFFFFFFFFFFFF01", -1L },
        { "bytes", "03000000 010203", "010203" },
        { "count of 4", "00000000", 0 },
        { "count of 0", "40420F00", 1_000_000 },
    };

    [Theory]
    [MemberData(nameof(Golden))]
    public void Read_GoldenBytes_GivesTheValue(string type, string hex, object expected) => Assert.Equal(expected, Read(type, Bytes.Hex(hex)));

    [Theory]
    [MemberData(nameof(Golden))]
    public void Read_EveryPrefixOfGoldenBytes_IsTruncatedAtItsEnd(string type, string hex, object expected)
    {
        byte[] body = Bytes.Hex(hex);
        Assert.NotNull(expected);
        for (int byteCount = 0; byteCount < body.Length; byteCount++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Read(type, body[..byteCount]));
            Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
            Assert.Equal(byteCount, e.ByteOffset);
            Assert.True(e.IsPoison);
        }
    }

    [Theory]
    [MemberData(nameof(Golden))]
    public void Read_OneByteTooMany_IsTrailing(string type, string hex, object expected)
    {
        Assert.NotNull(expected);
        byte[] body = [.. Bytes.Hex(hex), 0];
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Read(type, body));
        Assert.Equal(MessageFormatErrorCode.TrailingBytes, e.Code);
        Assert.Equal(body.Length - 1, e.ByteOffset);
    }

    [Theory]
    [InlineData("bool", "02", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("bool", "FF", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("string", "8100", MessageFormatErrorCode.BadLength, 0)] // padded 1
    [InlineData("string", "8000", MessageFormatErrorCode.BadLength, 0)] // padded 0
    [InlineData("string", "FFFFFFFF0F", MessageFormatErrorCode.BadLength, 0)] // -1
    [InlineData("string", "FFFFFFFF10", MessageFormatErrorCode.BadLength, 0)] // 33 bits
    [InlineData("string", "FFFFFFFFFF01", MessageFormatErrorCode.BadLength, 0)] // 6 bytes
    [InlineData("string", "FFFFFFFF07", MessageFormatErrorCode.Truncated, 5)] // 2 GiB claimed
    [InlineData("string", "02 C328", MessageFormatErrorCode.BadText, 1)]
    [InlineData("string", "04 61C3A9FF", MessageFormatErrorCode.BadText, 4)]
    [InlineData("string", "03 EDA080", MessageFormatErrorCode.BadText, 1)] // a surrogate
    [InlineData("string", "02 C080", MessageFormatErrorCode.BadText, 1)] // an overlong NUL
    [InlineData("string", "02 61E2", MessageFormatErrorCode.BadText, 2)] // cut in the middle of a character
    [InlineData("string", "09 6162636465666768FF", MessageFormatErrorCode.BadText, 9)]
    [InlineData("string?", "02", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("char", "80", MessageFormatErrorCode.BadText, 0)]
    [InlineData("char", "C080", MessageFormatErrorCode.BadText, 0)]
    [InlineData("char", "E08080", MessageFormatErrorCode.BadText, 0)]
    [InlineData("char", "EDA080", MessageFormatErrorCode.BadText, 0)]
    [InlineData("char", "F09F9880", MessageFormatErrorCode.BadText, 0)]
    [InlineData("char", "C3C3", MessageFormatErrorCode.BadText, 0)]
    [InlineData("decimal", "00000000 00000000 00000000 00001D00", MessageFormatErrorCode.BadValue, 0)] // scale 29
    [InlineData("decimal", "00000000 00000000 00000000 01000000", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("DateTime", "FFFFFFFFFFFFFF3F", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("DateTime", "FFFFFFFFFFFFFFAF", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("DateTimeOffset", "0000000000000000 0100", MessageFormatErrorCode.BadValue, 0)] // before year 1 in UTC
    [InlineData("DateTimeOffset", "00C0BB7BC1B9DE08 4903", MessageFormatErrorCode.BadValue, 0)] // 841 minutes
    [InlineData("7-bit int", "8000", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("7-bit int", "FFFFFFFF1F", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("7-bit long", "FFFFFFFFFFFFFFFFFF02", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("bytes", "FFFFFFFF", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("bytes", "FFFFFF7F", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("count of 4", "FFFFFFFF", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("count of 4", "01000000", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("count of 4", "FFFFFF7F", MessageFormatErrorCode.Truncated, 4)]
    [InlineData("count of 0", "41420F00", MessageFormatErrorCode.LimitExceeded, 0)]
#if !FORMATTERS_NETSTANDARD
    [InlineData("DateOnly", "FFFFFFFF", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("TimeOnly", "FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue, 0)]
#endif
    public void Read_BadBytes_GivesTheTypedErrorWithItsOffset(string type, string hex, MessageFormatErrorCode code, int offset)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Read(type, Bytes.Hex(hex)));
        Assert.Equal(code, e.Code);
        Assert.Equal(offset, e.ByteOffset);
        Assert.Equal(code != MessageFormatErrorCode.LimitExceeded, e.IsPoison);
        Assert.Contains($"byte offset {offset}", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void ReadDateTime_LocalTime_IsWhatFromBinaryGives()
    {
        var local = new DateTime(2026, 7, 1, 12, 0, 0, DateTimeKind.Local);
        byte[] body = BitConverter.GetBytes(local.ToBinary());
        Assert.Equal(local, Read("DateTime", body));
        Assert.Equal(DateTimeKind.Local, ((DateTime)Read("DateTime", body)).Kind);
    }

    [Fact]
    public void ReadString_RandomText_IsWhatBinaryReaderReads()
    {
        const int Seed = 20261120;
        var random = new Random(Seed);
        for (int i = 0; i < 100_000; i++)
        {
            string text = RandomText.Next(random, random.Next(20) == 0 ? random.Next(2_000) : random.Next(70), validOnly: true);
            using var stream = new MemoryStream();
            using var writer = new BinaryWriter(stream);
            writer.Write(text);
            Assert.True((string)Read("string", stream.ToArray()) == text, $"seed {Seed}, text {i}");
        }
    }

    [Fact]
    public void ReadString_RandomBytes_AcceptsExactlyWhatStrictUtf8Accepts()
    {
        const int Seed = 7;
        var random = new Random(Seed);
        var strict = new UTF8Encoding(false, throwOnInvalidBytes: true);
        int accepted = 0;
        for (int i = 0; i < 200_000; i++)
        {
            string seedText = RandomText.Next(random, random.Next(1, 40), validOnly: true);
            byte[] text = Encoding.UTF8.GetBytes(seedText);
            if (text.Length > 127)
                continue;
            for (int k = random.Next(3); k > 0; k--)
                text[random.Next(text.Length)] = (byte)random.Next(256);
            string? expected;
            try
            {
                expected = strict.GetString(text);
            }
            catch (DecoderFallbackException)
            {
                expected = null;
            }

            byte[] body = [(byte)text.Length, .. text];
            if (expected is not null)
            {
                accepted++;
                Assert.True((string)Read("string", body) == expected, $"seed {Seed}, case {i}");
            }
            else
            {
                MessageFormatException e = Assert.Throws<MessageFormatException>(() => Read("string", body));
                Assert.Equal(MessageFormatErrorCode.BadText, e.Code);
                Assert.InRange(e.ByteOffset, 1, body.Length);
            }
        }

        Assert.InRange(accepted, 1_000, 199_000);
    }

    [Fact]
    public void ReadString_EqualToExisting_ReturnsTheExistingOne()
    {
        foreach (string text in new[] { "a", "abcdefgh", "a name of twenty-three", new string('x', 500), "naïve", "東京都港区" })
        {
            using var stream = new MemoryStream();
            using var writer = new BinaryWriter(stream);
            writer.Write(text);
            byte[] body = stream.ToArray();

            string existing = new(text.AsSpan());
            var reader = new BinaryBodyReader(body);
            string read = reader.ReadString(existing);
            reader.EnsureEnd();
#if FORMATTERS_NETSTANDARD
            Assert.Equal(text, read);
            if (text.All(c => c < 0x80))
                Assert.Same(existing, read);
#else
            Assert.Same(existing, read);
#endif
            string other = text[..^1] + (char)(text[^1] ^ 1);
            reader = new BinaryBodyReader(body);
            Assert.Equal(text, reader.ReadString(other));
            reader = new BinaryBodyReader(body);
            Assert.Equal(text, reader.ReadString(null));
            reader = new BinaryBodyReader(body);
            Assert.Equal(text, reader.ReadString(""));
        }
    }

    [Fact]
    public void ReadBytes_ArrayOfTheRightLength_IsFilled()
    {
        byte[] body = Bytes.Hex("03000000 010203");
        var existing = new byte[3];
        var reader = new BinaryBodyReader(body);
        Assert.Same(existing, reader.ReadBytes(existing));
        Assert.Equal([1, 2, 3], existing);
        reader = new BinaryBodyReader(body);
        Assert.NotSame(existing, reader.ReadBytes(new byte[2]));
    }

    [Fact]
    public void ReadString_LongBadText_GivesTheSameOffsetOnEveryRuntime()
    {
        foreach (string bad in new[] { "C3", "E282", "EDA080", "F8808080", "C080", "F4908080", "E28041" })
        {
            byte[] text = [.. Enumerable.Repeat((byte)'a', 300), .. "東"u8, .. Bytes.Hex(bad), .. Enumerable.Repeat((byte)'b', 20)];
            byte[] body = [(byte)(0x80 | (text.Length & 0x7F)), (byte)(text.Length >> 7), .. text];
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Read("string", body));
            Assert.Equal((MessageFormatErrorCode.BadText, 2 + 303L), (e.Code, e.ByteOffset));
        }
    }

    [Fact]
    public void ReadCount_NegativeMinimum_Throws() => Assert.Throws<ArgumentOutOfRangeException>(() => new BinaryBodyReader(new byte[4]).ReadCount(-1));

    [Theory]
    [InlineData(64, true)]
    [InlineData(63, false)]
    public void ReadCount_Allocation_IsChargedOverTheWholeBody(int factor, bool accepted)
    {
        // Two lists of 1,000 nulls that take 16 + 64 KiB / 2,000 bytes each: 64 times their 2,008 bytes and the free 64 KiB are just reached.
        byte[] list = [.. BitConverter.GetBytes(1_000), .. new byte[1_000]];
        byte[] body = [.. list, .. list];
        int elementAllocation = ((64 * body.Length) + (64 * 1024)) / 2_000;
        Exception? error = Record.Exception(() =>
        {
            var reader = new BinaryBodyReader(body, FormatterLimits.Default with { MaxAllocationFactor = factor });
            for (int i = 0; i < 2; i++)
            {
                reader.ReadCount(1, elementAllocation);
                reader.ReadSpan(1_000);
            }
        });
        Assert.Equal(accepted, error is null);
        if (!accepted)
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.IsType<MessageFormatException>(error).Code);
    }

    [Fact]
    public void Constructor_BodyBeyondLimit_ThrowsLimitExceeded()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(
            () => new BinaryBodyReader(new byte[11], FormatterLimits.Default with { MaxBodyByteCount = 10 }).EnsureEnd());
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        Assert.False(e.IsPoison);
    }

    [Fact]
    public void Read_HostileLengths_AllocateNothingForThem()
    {
        byte[][] bodies = [Bytes.Hex("FFFFFFFF07"), Bytes.Hex("FFFFFF7F")];
        foreach ((string type, byte[] body) in new[] { ("string", bodies[0]), ("bytes", bodies[1]), ("count of 4", bodies[1]) })
        {
            Assert.Throws<MessageFormatException>(() => Read(type, body));
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Throws<MessageFormatException>(() => Read(type, body));
            Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        }
    }
}
