using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using System.Reflection;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>docs/wire/compact.md, in both directions: each value has one form.</summary>
public class CompactGoldenTests
{
    public static TheoryData<string, object> Values => new()
    {
        { "00", false }, { "01", true },
        { "00", 0 }, { "7F", 127 }, { "DA 00", 128 }, { "DA FF", 383 }, { "DF FF", 1663 }, { "82 8006", 1664 }, { "82 FFFF", 65535 }, { "83 000001", 65536 }, { "84 FFFFFF7F", int.MaxValue },
        { "FF", -1 }, { "E0", -32 }, { "A8 20", -33 }, { "A8 FF", -256 }, { "A9 0001", -257 }, { "AB FFFFFF7F", int.MinValue },
        { "88 FFFFFFFFFFFFFF7F", long.MaxValue }, { "AF FFFFFFFFFFFFFF7F", long.MinValue }, { "88 FFFFFFFFFFFFFFFF", ulong.MaxValue }, { "DA 7F", byte.MaxValue }, { "A8 7F", sbyte.MinValue },
        { "61", 'a' }, { "A9 FF7F", short.MinValue }, { "82 FF7F", short.MaxValue },
        { "89 000000000000000001", BigInteger.Pow(2, 64) }, { "89 FFFFFFFFFFFFFF7FFF", (BigInteger)long.MinValue - 1 }, { "05", new BigInteger(5) }, { "88 FFFFFFFFFFFFFFFF", (BigInteger)ulong.MaxValue },
        { "00", 0.0 }, { "7F", 127.0 }, { "E0", -32.0 }, { "DF FF", 1663.0 }, { "82 001A", 1664.0 }, { "81 86", -33.0 }, { "82 4913", 12.34 }, { "82 4B13", -12.34 }, { "81 05", 0.01 },
        { "87 FCFFFFFFFFFF7F", 9007199254740991.0 }, { "88 0000000000004043", 9007199254740992.0 }, { "88 0000000000000080", -0.0 }, { "88 555555555555D53F", 1 / 3.0 },
        { "88 000000000000F07F", double.PositiveInfinity }, { "82 491F", 20.02 }, { "00", 0f }, { "82 4913", 12.34f }, { "84 00000080", -0f }, { "84 DB0F4940", 3.1415927f }, { "83 FDFFFF", 41943.03f }, { "84 0AD72347", 41943.04f }, { "84 0AD723C7", -41943.04f }, { "84 0000C07F", BitConverter.ToSingle([0, 0, 0xC0, 0x7F], 0) },
        { "07", 7m }, { "82 0080", 128m }, { "83 02D204", 12.34m }, { "83 82D204", -12.34m }, { "82 010A", 1.0m }, { "81 80", new decimal(0, 0, 0, true, 0) }, { "81 02", 0.00m },
        { "8D 00 FFFFFFFFFFFFFFFFFFFFFFFF", decimal.MaxValue }, { "82 1C01", 0.0000000000000000000000000001m },
        { "80", "" }, { "81 61", "a" }, { "82 C3BC", "\u00FC" }, { "A7 " + Repeat("61", 39), new string('a', 39) }, { "D1 28 " + Repeat("61", 40), new string('a', 40) },
        { "A0 " + Repeat("61", 32), new string('a', 32) }, { "D2 0001 " + Repeat("61", 256), new string('a', 256) }, { "D3 00000100 " + Repeat("61", 65536), new string('a', 65536) },
        { "82 0102", new byte[] { 1, 2 } }, { "B3 010203", new[] { 1, 2, 3 } }, { "B0", Array.Empty<int>() }, { "D4 10 " + Repeat("01", 16), Enumerable.Repeat(1, 16).ToArray() },
        { "C1 81 61 01", new Dictionary<string, int> { ["a"] = 1 } },
        { "80", DateTime.MinValue }, { "90 00112233445566778899AABBCCDDEEFF", new Guid("00112233-4455-6677-8899-aabbccddeeff") },
        { "83 809698", TimeSpan.FromSeconds(1) }, { "B2 01 81 61", (1, "a") }, { "B3 02 02 B4 01020304", new[,] { { 1, 2 }, { 3, 4 } } },
    };

    /// <summary>The values whose bytes are computed here by the words of the page, not by the code of the library.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(864_000_000_000)]
    [InlineData(638_000_000_000_000_001)]
    [InlineData(638_000_000_000_010_000)]
    [InlineData(638_000_000_010_000_000)]
    [InlineData(638_000_000_000_000_000)]
    [InlineData(3_155_378_975_999_999_999)]
    public void Dates_AreDaysSecondsMillisecondsOrTicks(long ticks)
    {
        foreach (DateTimeKind kind in new[] { DateTimeKind.Unspecified, DateTimeKind.Utc })
        {
            long[] units = [864_000_000_000, 10_000_000, 10_000, 1];
            int unit = Array.FindIndex(units, u => ticks % u == 0);
            BigInteger number = ((BigInteger)(ticks / units[unit]) << 4) | ((int)kind << 2) | unit;
            byte[] content = [.. number.ToByteArray().Reverse().SkipWhile(b => b == 0).Reverse()];
            var value = new DateTime(ticks, kind);
            byte[] body = [(byte)(0x80 + content.Length), .. content];
            Assert.Equal(body, new CompactFormatter<DateTime>().Write(value));
            DateTime same = new CompactFormatter<DateTime>().Read(body);
            Assert.Equal((value, value.Kind), (same, same.Kind));
            var offset = new DateTimeOffset(DateTime.SpecifyKind(value, DateTimeKind.Unspecified), TimeSpan.Zero);
            if (kind == DateTimeKind.Unspecified)
                Assert.Equal([(byte)(body[0] + 2), .. content, 0, 0], new CompactFormatter<DateTimeOffset>().Write(offset));
            Assert.Equal(offset, new CompactFormatter<DateTimeOffset>().Read(new CompactFormatter<DateTimeOffset>().Write(offset)));
        }

        var local = new DateTime(ticks, DateTimeKind.Local);
        DateTime sameLocal = new CompactFormatter<DateTime>().Read(new CompactFormatter<DateTime>().Write(local));
        Assert.Equal((local, local.Kind), (sameLocal, sameLocal.Kind));
    }

    [Theory]
    [MemberData(nameof(Values), DisableDiscoveryEnumeration = true)]
    public void Values_HaveTheseBytes(string hex, object value)
    {
        typeof(CompactGoldenTests).GetMethod(nameof(Check), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(value.GetType()).Invoke(null, [Bytes.Hex(hex), value]);
    }

    /// <summary>Each is another form of a value that has one, or no value: the code says which.</summary>
    [Theory]
    [InlineData(typeof(int), "81 05", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "82 0500", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "82 7F06", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "83 FFFF00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "A8 1F", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "A9 2000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "D1 01 05", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "84 00000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "80", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "D0", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData(typeof(long), "AF 0000000000000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(bool), "02", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(byte), "DA 80", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(BigInteger), "89 000000000000000000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "80", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "81 04", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "81 01", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "83 491300", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "82 9101", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "88 0000000000000000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "88 AE47E17A14AE2840", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "89 000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "84 00000000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "84 A4704541", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "84 FCFFFF7F", null)]
    [InlineData(typeof(decimal), "82 0007", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(decimal), "81 00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(decimal), "83 020A00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(decimal), "82 1D01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "FF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "81 00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(DateTime), "81 03", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(DateTime), "83 1C92B4", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "89 F3FFFFFFFFFFFFFF03", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "89 030000000000000004", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTimeOffset), "81 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTimeOffset), "82 4903", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "81 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(string), "D1 02 6161", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "81 FE", MessageFormatErrorCode.BadText)]
    [InlineData(typeof(string), "85 FF 7167 AC4E", null)]
    [InlineData(typeof(string), "86 E69DB1 E4BAAC", MessageFormatErrorCode.Malformed)] // shorter in UTF-16
    [InlineData(typeof(string), "83 FF 7167", MessageFormatErrorCode.Malformed)] // not longer in UTF-8
    [InlineData(typeof(string), "81 FF", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "86 FF 7167 AC4E 00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "87 FF 7167 AC4E 00D8", MessageFormatErrorCode.BadText)]
    [InlineData(typeof(string), "61", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(string), "D3 FFFFFFFF", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(List<int>), "D6 FFFFFFFF", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(List<int>), "D4 01 01", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(List<int>), "C1 01 02", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Dictionary<int, int>), "C2 01 02 01 03", MessageFormatErrorCode.DuplicateKey)]
    [InlineData(typeof(int), "82 8006", null)]
    [InlineData(typeof(int), "A8 20", null)]
    [InlineData(typeof(int), "A8 00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "AB 00000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "88 FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "88 0000000000000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "88 FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "82 7F06", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(ulong), "89 000000000000000001", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "FF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "A8 20", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "82 7F06", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(BigInteger), "89 FFFFFFFFFFFFFFFF00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(BigInteger), "89 0000000000000080FF", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(BigInteger), "89 000000000000000080", null)]
    [InlineData(typeof(double), "82 FC19", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "82 001A", null)]
    [InlineData(typeof(double), "81 82", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "81 86", null)]
    [InlineData(typeof(double), "82 9301", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "87 FDFFFFFFFFFF1F", null)]
    [InlineData(typeof(double), "87 01000000000020", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(double), "87 00000000000080", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "82 FC19", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "82 001A", null)]
    [InlineData(typeof(float), "81 82", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "81 86", null)]
    [InlineData(typeof(float), "82 9101", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "81 01", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(float), "85 0000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "82 007F", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(decimal), "82 0080", null)]
    [InlineData(typeof(decimal), "82 8000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(decimal), "82 9C01", null)]
    [InlineData(typeof(decimal), "82 9D01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "8E 00FFFFFFFFFFFFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "80", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "81 04", null)]
    [InlineData(typeof(DateTime), "81 0C", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "8A 03000000000000000001", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTimeOffset), "82 B8FC", null)]
    [InlineData(typeof(DateTimeOffset), "82 B7FC", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTimeOffset), "82 C4FF", null)]
    [InlineData(typeof(DateTimeOffset), "82 3C00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "8F 000000000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "91 0000000000000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(string), "D1 27", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "D1 28", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(string), "D2 FF00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "D2 0001", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(string), "D3 FFFF0000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(string), "D3 00000100", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(List<int>), "D4 0F", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(List<int>), "D4 10", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(List<int>), "D5 FF00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(List<int>), "D5 0001", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(List<int>), "D6 FFFF0000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(List<int>), "D6 00000100", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(Dictionary<int, int>), "D7 0F", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(Dictionary<int, int>), "D7 10", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(Dictionary<int, int>), "D8 FF00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(Dictionary<int, int>), "D8 0001", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(Dictionary<int, int>), "D9 FFFF0000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(Dictionary<int, int>), "D9 00000100", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(ValueTuple<int, int>), "B2 0102", null)]
    [InlineData(typeof(ValueTuple<int, int>), "B3 010203", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ValueTuple<int, int>), "B1 01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(KeyValuePair<int, int>), "B3 010203", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int[,]), "B3 02 02 B4 01020304", null)]
    [InlineData(typeof(int[,]), "B3 02 02 B3 010203", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "B3 02 02 B5 0102030405", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "B3 FF 02 B0", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "B2 02 B2 0102", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int[,]), "B4 01 01 01 B1 01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(HashSet<int>), "B2 0101", MessageFormatErrorCode.DuplicateKey)]
    [InlineData(typeof(Dictionary<string, int>), "C2 8161 02 8161 03", MessageFormatErrorCode.DuplicateKey)]
    public void OtherForms_AreRefused(Type type, string hex, MessageFormatErrorCode? code) =>
        typeof(CompactGoldenTests).GetMethod(nameof(CheckRefused), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(type).Invoke(null, [Bytes.Hex(hex), code]);

    /// <summary>Every float near the greatest number of hundredths that is written as such, where the float itself is rounded.</summary>
    [Fact]
    public void Floats_NearTheLastHundredths_KeepTheirBits()
    {
        var floats = new CompactFormatter<float>();
        int end = BitConverter.ToInt32(BitConverter.GetBytes(41943.04f), 0);
        for (int bits = end - 20_000; bits < end + 20_000; bits++)
        {
            foreach (float value in new[] { BitConverter.ToSingle(BitConverter.GetBytes(bits), 0), -BitConverter.ToSingle(BitConverter.GetBytes(bits), 0) })
                Assert.Equal(BitConverter.GetBytes(value), BitConverter.GetBytes(floats.Read(floats.Write(value))));
        }
    }

    /// <summary>What is written is read back bit for bit, for doubles and floats near every boundary and at random.</summary>
    [Fact]
    public void Floats_KeepTheirBits()
    {
        var random = new Random(20261125);
        var doubles = new CompactFormatter<double>();
        var floats = new CompactFormatter<float>();
        for (int i = 0; i < 200_000; i++)
        {
            double value = (i % 5) switch
            {
                0 => BitConverter.Int64BitsToDouble(((long)random.Next() << 33) ^ ((long)random.Next() << 8) ^ random.Next()),
                1 => random.Next(-2_000_000, 2_000_000) / 100.0,
                2 => Math.Floor(random.NextDouble() * Math.Pow(2, random.Next(64))) / 100,
                3 => Math.Floor(random.NextDouble() * Math.Pow(2, random.Next(64))) * (random.Next(2) - 1),
                _ => random.Next(-2_000, 2_000),
            };
            byte[] body = doubles.Write(value);
            Assert.InRange(body.Length, 1, 9);
            Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(doubles.Read(body)));
            Assert.Equal(BitConverter.DoubleToInt64Bits(value), BitConverter.DoubleToInt64Bits(new CompactFormatter<double[]>().Read([0xB1, .. body])[0]));
            float narrow = (float)value;
            byte[] narrowBody = floats.Write(narrow);
            Assert.InRange(narrowBody.Length, 1, 5);
            Assert.Equal(BitConverter.GetBytes(narrow), BitConverter.GetBytes(floats.Read(narrowBody)));
        }
    }

    /// <summary>The example of docs/wire/compact.md; and that every value can be passed over, which no member stands for.</summary>
    [Fact]
    public void Example_HasTheBytesOfThePage()
    {
        byte[] body = Bytes.Hex("B4 DA AC 82 C3A9 D0 B1 82 D90E");
        var formatter = new CompactFormatter<Example>();
        Assert.Equal(body, formatter.Write(new Example { CustomerID = 300, Note = "\u00E9", Prices = [9.5] }));
        Example same = formatter.Read(Bytes.Hex("B9 DA AC 82 C3A9 D0 B1 82 D90E D0 A8 20 C1 01 D4 10" + Repeat("05", 16) + "D1 28" + Repeat("61", 40) + "DF FF"));
        Assert.Equal(body, formatter.Write(same));
    }

    public sealed class Example
    {
        [MessageMember(1)]
        public int CustomerID { get; set; }

        [MessageMember(2)]
        public string? Note { get; set; }

        [MessageMember(4)]
        public List<double> Prices { get; set; } = [];
    }

    /// <summary>Bodies that a second program wrote, in Python: tests/golden/README.md.</summary>
    [Fact]
    public void Orders_HaveTheBytesOfAnotherWriter()
    {
        var binary = new BinaryBodyFormatter<GeneratedOrder>(GeneratedOrder.MessageContract);
        string[] files = Directory.GetFiles(Golden.Directory("compact"), "*.bin");
        Assert.Equal(12, files.Length);
        foreach (string file in files)
        {
            byte[] order = File.ReadAllBytes(Path.Combine(Golden.Directory("binary"), Path.GetFileName(file)));
            byte[] body = File.ReadAllBytes(file);
            foreach (var formatter in new[] { new CompactFormatter<GeneratedOrder>(GeneratedOrder.MessageContract), new CompactFormatter<GeneratedOrder>(ByReflection.Compact) })
            {
                Assert.Equal(Convert.ToHexString(body), Convert.ToHexString(formatter.Write(binary.Read(order))));
                Assert.Equal(order, binary.Write(formatter.Read(body)));
            }
        }
    }

    /// <summary>No body of an order is larger than that of MessagePack.</summary>
    [Fact]
    public void Orders_HaveFewerBytesThanInMessagePack()
    {
        foreach (SampleText set in new[] { SampleText.Ascii, SampleText.Accented, SampleText.Cjk, SampleText.Mixed })
        {
            foreach (int itemCount in new[] { 0, 1, 5, 50, 500 })
            {
                GeneratedOrder order = new BinaryBodyFormatter<GeneratedOrder>(GeneratedOrder.MessageContract).Read(new HandCodedFormatter<Order>().Write(SampleOrders.Create(3, itemCount, set)));
                int compact = new CompactFormatter<GeneratedOrder>(GeneratedOrder.MessageContract).Write(order).Length;
                int messagePack = new MessagePackFormatter<GeneratedOrder>(GeneratedOrder.MessageContract).Write(order).Length;
                Assert.True(compact < messagePack, $"{itemCount} items: {compact} bytes, {messagePack} in MessagePack.");
            }
        }
    }

    /// <summary>Nor is that of any other value.</summary>
    [Fact]
    public void Values_HaveNoMoreBytesThanInMessagePack()
    {
        Check<Scalars>();
        Check<Nullables>();
        Check<Collections>();
        Check<Wide>();
        Check<Segments>();
        Check<Dictionary<string, Point?>>();
        Check<int[][]>();
#if !FORMATTERS_NETSTANDARD
        Check<NetScalars>();
#endif

        static void Check<T>()
        {
            var values = new RandomValues(20261126);
            var compact = new CompactFormatter<T>(ByReflection.Compact);
            var messagePack = new MessagePackFormatter<T>(ByReflection.MessagePack);
            for (int i = 0; i < 500; i++)
            {
                T value = values.Next<T>();
                Assert.InRange(compact.Write(value).Length, 1, messagePack.Write(value).Length);
            }
        }
    }

    [Fact]
    public void Inspector_PrintsWhatTheBodySays()
    {
        string text = MessageInspector.Compact.Inspect(Bytes.Hex("B7 05 FF A8 20 D0 82 6869 82 FF01 C1 81 61 B0"));
        Assert.Equal("[5,-1,-33,null,\"hi\",{\"$binary\":\"FF01\"},{\"a\":[]}]", string.Concat(text.Where(c => !char.IsWhiteSpace(c))));
    }

    private static void CheckRefused<T>(byte[] body, MessageFormatErrorCode? code)
    {
        NumberRow.Check("compact", 0xB7, 0x8A, typeof(T), body, code);
        if (code is null)
        {
            Assert.Equal(body, new CompactFormatter<T>().Write(new CompactFormatter<T>().Read(body)));
            Assert.Equal([0xB1, .. body], new CompactFormatter<List<T>>().Write(new CompactFormatter<List<T>>().Read([0xB1, .. body])));
            return;
        }

        var error = Assert.Throws<MessageFormatException>(() => new CompactFormatter<T>().Read(body));
        Assert.Equal(code, error.Code);
        Assert.InRange(error.ByteOffset, 0, body.Length);
        // It is the reader that refuses it, and not a constructor of the base library.
        Assert.Null(error.InnerException);
        // The same in a list and in an array, where nine bytes follow: fast paths look at several bytes at once.
        byte[] list = [0xBA, .. body, .. new byte[9]];
        CheckInside(Assert.Throws<MessageFormatException>(() => new CompactFormatter<List<T>>().Read(list)));
        if (typeof(T) != typeof(byte))
            CheckInside(Assert.Throws<MessageFormatException>(() => new CompactFormatter<T[]>().Read(list)));

        void CheckInside(MessageFormatException inside) =>
            Assert.Equal((code, code == MessageFormatErrorCode.Truncated ? list.Length : error.ByteOffset + 1), (inside.Code, inside.ByteOffset));
    }

    private static void Check<T>(byte[] body, T value)
    {
        var formatter = new CompactFormatter<T>();
        Assert.Equal(body, formatter.Write(value));
        T same = formatter.Read(body);
        Assert.Equal(value, same);
        Assert.Equal(body, formatter.Write(same));
        for (int i = 0; i < body.Length && body.Length < 1000; i++)
        {
            var error = Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, i)));
            Assert.Equal((MessageFormatErrorCode.Truncated, i), (error.Code, error.ByteOffset));
        }

        Assert.Equal(MessageFormatErrorCode.TrailingBytes, Assert.Throws<MessageFormatException>(() => formatter.Read([.. body, 0])).Code);
        Assert.Equal(value, new CompactFormatter<List<T>>().Read([0xB1, .. body])[0]);
    }

    private static string Repeat(string hex, int count) => string.Concat(Enumerable.Repeat(hex, count));
}
