using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Numerics;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>docs/wire/cbor.md and Appendix A of RFC 8949, in both directions.</summary>
public class CborGoldenTests
{
    public static TheoryData<string, object> Values => new()
    {
        // https://www.rfc-editor.org/rfc/rfc8949#appendix-A, as far as contracts have such values
        { "00", 0L }, { "01", 1L }, { "0A", 10L }, { "17", 23L }, { "18 18", 24L }, { "18 19", 25L }, { "18 64", 100L }, { "19 03E8", 1000L }, { "1A 000F4240", 1_000_000L },
        { "1B 000000E8D4A51000", 1_000_000_000_000L }, { "1B FFFFFFFFFFFFFFFF", ulong.MaxValue },
        { "C2 49 010000000000000000", BigInteger.Pow(2, 64) }, { "3B FFFFFFFFFFFFFFFF", -BigInteger.Pow(2, 64) }, { "C3 49 010000000000000000", -BigInteger.Pow(2, 64) - 1 },
        { "20", -1L }, { "29", -10L }, { "38 63", -100L }, { "39 03E7", -1000L },
        { "F9 0000", 0.0 }, { "F9 8000", -0.0 }, { "F9 3C00", 1.0 }, { "FB 3FF199999999999A", 1.1 }, { "F9 3E00", 1.5 }, { "F9 7BFF", 65504.0 }, { "FA 47C35000", 100000.0 },
        { "FA 7F7FFFFF", 3.4028234663852886e+38 }, { "FB 7E37E43C8800759C", 1.0e+300 }, { "F9 0001", 5.960464477539063e-8 }, { "F9 0400", 0.00006103515625 }, { "F9 C400", -4.0 },
        { "FB C010666666666666", -4.1 }, { "F9 7C00", double.PositiveInfinity }, { "F9 7E00", double.NaN }, { "F9 FC00", double.NegativeInfinity },
        { "F4", false }, { "F5", true }, { "40", Array.Empty<byte>() }, { "44 01020304", new byte[] { 1, 2, 3, 4 } },
        { "60", "" }, { "61 61", "a" }, { "64 49455446", "IETF" }, { "62 225C", "\"\\" }, { "62 C3BC", "\u00FC" }, { "63 E6B0B4", "\u6C34" }, { "64 F0908591", "\U00010151" },
        { "80", Array.Empty<int>() }, { "83 010203", new[] { 1, 2, 3 } }, { "98 19 0102030405060708090A0B0C0D0E0F101112131415161718181819", Enumerable.Range(1, 25).ToArray() },
        { "A0", new Dictionary<int, int>() }, { "A2 01 02 03 04", new Dictionary<int, int> { [3] = 4, [1] = 2 } },
        { "A5 6161 6141 6162 6142 6163 6143 6164 6144 6165 6145", new Dictionary<string, string> { ["e"] = "E", ["b"] = "B", ["c"] = "C", ["a"] = "A", ["d"] = "D" } },
        { "C0 74 323031332D30332D32315432303A30343A30305A", new DateTime(2013, 3, 21, 20, 4, 0, DateTimeKind.Utc) },
        { "D8 20 76 687474703A2F2F7777772E6578616D706C652E636F6D", new Uri("http://www.example.com") },

        // Our own choices.
        { "1A FFFFFFFF", uint.MaxValue }, { "18 FF", byte.MaxValue }, { "38 7F", sbyte.MinValue }, { "19 8000", (ushort)0x8000 }, { "18 61", 'a' }, { "F9 3C00", 1f }, { "FA 3DCCCCCD", 0.1f },
        { "F9 03FF", 6.097555160522461e-05 }, { "FA 33000000", Math.Pow(2, -25) }, { "FA 477FF000", 65520.0 }, { "F9 0401", 6.1094760894775390625e-05f },
        { "C4 82 21 19 6AB3", 273.15m }, { "C4 82 00 00", 0m }, { "C4 82 20 29", -1.0m }, { "C4 82 21 00", 0.00m },
        { "64 2D302E30", new decimal(0, 0, 0, true, 1) }, { "62 2D30", new decimal(0, 0, 0, true, 0) },
        { "C4 82 00 C2 4C FFFFFFFFFFFFFFFFFFFFFFFF", decimal.MaxValue }, { "C4 82 00 C3 4C FFFFFFFFFFFFFFFFFFFFFFFE", decimal.MinValue }, { "C4 82 38 1B 01", 0.0000000000000000000000000001m },
        { "C4 82 00 C2 49 010000000000000000", 18446744073709551616m }, { "C4 82 00 3B FFFFFFFFFFFFFFFF", -18446744073709551616m },
        { "73 303030312D30312D30315430303A30303A3030", DateTime.MinValue },
        { "C0 78 1C 393939392D31322D33315432333A35393A35392E393939393939395A", DateTime.SpecifyKind(DateTime.MaxValue, DateTimeKind.Utc) },
        { "C0 78 1B 323032362D30312D30325430333A30343A30352E352D30353A3330", new DateTimeOffset(2026, 1, 2, 3, 4, 5, 500, -new TimeSpan(5, 30, 0)) },
        { "1A 00989680", TimeSpan.FromSeconds(1) }, { "D8 25 50 00112233445566778899AABBCCDDEEFF", new Guid("00112233-4455-6677-8899-aabbccddeeff") },
        { "67 312E322E332E34", new Version(1, 2, 3, 4) }, { "82 01 61 61", (1, "a") }, { "83 02 02 84 01020304", new[,] { { 1, 2 }, { 3, 4 } } }, { "83 01 02 18 18", new HashSet<int> { 24, 2, 1 } },
#if NET && !FORMATTERS_NETSTANDARD
        { "D8 64 00", new DateOnly(1970, 1, 1) }, { "D8 64 38 1E", new DateOnly(1969, 12, 1) }, { "00", TimeOnly.MinValue }, { "F9 3C00", (Half)1 }, { "00", UInt128.Zero },
        { "C3 50 7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", Int128.MinValue },
#endif
    };

    [Theory]
    [MemberData(nameof(Values), DisableDiscoveryEnumeration = true)]
    public void Values_HaveTheseBytes(string hex, object value)
    {
        byte[] body = Bytes.Hex(hex);
        typeof(CborGoldenTests).GetMethod(nameof(Check), System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!
            .MakeGenericMethod(value.GetType()).Invoke(null, [body, value]);
    }

    /// <summary>Bytes that other writers may use, and the value that they are read as.</summary>
    [Fact]
    public void OtherForms_AreRead()
    {
        Assert.Equal(1, new CborFormatter<int>().Read([0x1B, 0, 0, 0, 0, 0, 0, 0, 1]));
        Assert.Equal(-2.0, new CborFormatter<double>().Read([0x21]));
        Assert.Equal(1.5, new CborFormatter<double>().Read([0xFB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]));
        Assert.Equal(1.5f, new CborFormatter<float>().Read([0xFB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]));
        Assert.Equal(7m, new CborFormatter<decimal>().Read([7]));
        Assert.Equal(700m, new CborFormatter<decimal>().Read([0xC4, 0x82, 2, 7]));
        Assert.Equal(1.25m, new CborFormatter<decimal>().Read([0x64, .. "1.25"u8]));
        var time = new DateTime(2013, 3, 21, 20, 4, 0, DateTimeKind.Utc);
        Assert.Equal(time, new CborFormatter<DateTime>().Read(Bytes.Hex("C1 1A 514B67B0")));
        Assert.Equal(time.AddSeconds(0.5), new CborFormatter<DateTime>().Read(Bytes.Hex("C1 FB 41D452D9EC200000")));
        Assert.Equal(new DateTimeOffset(time), new CborFormatter<DateTimeOffset>().Read(Bytes.Hex("C0 74 323031332D30332D32315432303A30343A30305A")));
        Assert.Equal(time.ToLocalTime(), new CborFormatter<DateTime>().Read([0xC0, 0x78, 25, .. "2013-03-21T22:04:00+02:00"u8]));
        Assert.Equal(Guid.Empty, new CborFormatter<Guid>().Read([0x50, .. new byte[16]]));
        Assert.Null(new CborFormatter<List<int?>>().Read([0x81, 0xF7])[0]);
    }

    /// <summary>Every kind is read back as it was, to the tick.</summary>
    [Theory]
    [InlineData(DateTimeKind.Utc)]
    [InlineData(DateTimeKind.Local)]
    [InlineData(DateTimeKind.Unspecified)]
    public void DateTimes_KeepKindAndTicks(DateTimeKind kind)
    {
        foreach (long ticks in new[] { 0, 1, 638_000_000_000_000_001, 638_000_000_000_000_000, DateTime.MaxValue.Ticks })
        {
            var value = new DateTime(ticks, kind);
            DateTime same = new CborFormatter<DateTime>().Read(new CborFormatter<DateTime>().Write(value));
            Assert.Equal((value, value.Kind), (same, same.Kind));
        }
    }

    [Theory]
    [InlineData("")]
    [InlineData("18")]
    [InlineData("1C")]
    [InlineData("FF")]
    [InlineData("61")]
    [InlineData("61 FF")]
    [InlineData("F8 14")]
    [InlineData("5F 41 61 FF")]
    [InlineData("7F 61 61 FF")]
    [InlineData("01")]
    [InlineData("F6")]
    [InlineData("61 61 00")]
    [InlineData("7B FFFFFFFFFFFFFFFF")]
    public void BadStrings_AreRefused(string hex)
    {
        var error = Assert.Throws<MessageFormatException>(() => new CborFormatter<string>().Read(Bytes.Hex(hex)));
        Assert.True(error.IsPoison);
        Assert.InRange(error.ByteOffset, 0, Bytes.Hex(hex).Length);
    }

    [Theory]
    [InlineData("9B FFFFFFFFFFFFFFFF", MessageFormatErrorCode.Truncated)]
    [InlineData("9A 7FFFFFFF 00", MessageFormatErrorCode.Truncated)]
    [InlineData("9F 01 FF", MessageFormatErrorCode.Malformed)]
    [InlineData("A1 01 02", MessageFormatErrorCode.BadValue)]
    [InlineData("81 F6", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData("81 1B 0000000080000000", MessageFormatErrorCode.BadValue)]
    public void BadLists_AreRefused(string hex, MessageFormatErrorCode code)
    {
        var error = Assert.Throws<MessageFormatException>(() => new CborFormatter<List<int>>().Read(Bytes.Hex(hex)));
        Assert.Equal(code, error.Code);
    }

    /// <summary>Values around the limits of their types: read, and written with the same bytes, or refused with this code.</summary>
    [Theory]
    [InlineData(typeof(long), "1B 7FFFFFFFFFFFFFFF", null)]
    [InlineData(typeof(long), "1B 8000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "1B FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "3B 7FFFFFFFFFFFFFFF", null)]
    [InlineData(typeof(long), "3B 8000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "3B FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "1A 7FFFFFFF", null)]
    [InlineData(typeof(int), "1A 80000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "3A 7FFFFFFF", null)]
    [InlineData(typeof(int), "3A 80000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "1B FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "3B FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(uint), "1A FFFFFFFF", null)]
    [InlineData(typeof(uint), "1B 0000000100000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(uint), "20", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(short), "19 7FFF", null)]
    [InlineData(typeof(short), "19 8000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(short), "39 7FFF", null)]
    [InlineData(typeof(short), "39 8000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ushort), "19 FFFF", null)]
    [InlineData(typeof(ushort), "1A 00010000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(byte), "18 FF", null)]
    [InlineData(typeof(byte), "19 0100", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(byte), "20", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(sbyte), "18 7F", null)]
    [InlineData(typeof(sbyte), "18 80", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(sbyte), "38 7F", null)]
    [InlineData(typeof(sbyte), "38 80", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(char), "19 FFFF", null)]
    [InlineData(typeof(char), "1A 00010000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "1B FFFFFFFFFFFFFFFF", null)]
    [InlineData(typeof(ulong), "20", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "F9 0000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "FA 3DCCCCCD", null)]
    [InlineData(typeof(float), "FB 3FF199999999999A", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "FB 7FEFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "FB 47EFFFFFF0000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "FB 3690000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "1A 01000001", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "3A 01000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(float), "F4", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(double), "FB 3FF199999999999A", null)]
    [InlineData(typeof(double), "F4", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(double), "60", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(double), "F8 FF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 38 1B 00", null)]
    [InlineData(typeof(decimal), "C4 82 38 1C 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 18 1D 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 18 1C 18 64", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 00 C2 4D 01000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 00 C3 4C FFFFFFFFFFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 82 01 C2 4C FFFFFFFFFFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 81 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C4 83 000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "C5 82 00 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "64 20312E32", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "64 31453130", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(decimal), "60", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "D8 25 4F 000000000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "D8 25 51 0000000000000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(Guid), "D8 26 50 00000000000000000000000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(BigInteger), "C2 49 010000000000000000", null)]
    [InlineData(typeof(BigInteger), "C4 41 01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(BigInteger), "C2 61 61", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(bool), "F6", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData(typeof(bool), "F7", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData(typeof(bool), "F8 FF", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(bool), "F8 1F", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(bool), "F8 20", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(bool), "00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "C1 3B 0000000E7791F700", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "C1 1B 0000003AFFF44180", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "C1 F9 7E00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "C1 F9 7C00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(DateTime), "C2 00", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ValueTuple<int, int>), "82 0102", null)]
    [InlineData(typeof(ValueTuple<int, int>), "83 010203", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ValueTuple<int, int>), "81 01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(KeyValuePair<int, int>), "83 010203", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int[,]), "83 02 02 84 01020304", null)]
    [InlineData(typeof(int[,]), "83 02 02 83 010203", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "83 02 02 85 0102030405", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "83 20 02 80", MessageFormatErrorCode.BadLength)]
    [InlineData(typeof(int[,]), "82 02 82 0102", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int[,]), "84 01 01 01 81 01", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(HashSet<int>), "82 0101", MessageFormatErrorCode.DuplicateKey)]
    [InlineData(typeof(Dictionary<int, int>), "A2 0102 0103", MessageFormatErrorCode.DuplicateKey)]
    [InlineData(typeof(Dictionary<string, int>), "A2 6161 02 6161 03", MessageFormatErrorCode.DuplicateKey)]
    public void ValuesBeyondTheirTypes_AreRefused(Type type, string hex, MessageFormatErrorCode? code) =>
        typeof(CborGoldenTests).GetMethod(nameof(CheckRefused), System.Reflection.BindingFlags.Static | System.Reflection.BindingFlags.NonPublic)!
            .MakeGenericMethod(type).Invoke(null, [Bytes.Hex(hex), code]);

    /// <summary>The first and the last second that a number of seconds can stand for, and the part of a second before 1970.</summary>
    [Fact]
    public void Seconds_AreReadFromTheFirstToTheLast()
    {
        var formatter = new CborFormatter<DateTime>();
        Assert.Equal(DateTime.MinValue, formatter.Read(Bytes.Hex("C1 3B 0000000E7791F6FF")));
        Assert.Equal(new DateTime(9999, 12, 31, 23, 59, 59), formatter.Read(Bytes.Hex("C1 1B 0000003AFFF4417F")));
        Assert.Equal(new DateTime(1969, 12, 31, 23, 59, 58).AddSeconds(0.5), formatter.Read(Bytes.Hex("C1 F9 BE00")));
        Assert.Equal(DateTimeKind.Utc, formatter.Read(Bytes.Hex("C1 00")).Kind);
    }

    [Theory]
    [InlineData("2012-02-29T23:59:59Z", true)]
    [InlineData("2012-02-29t23:59:59z", true)]
    [InlineData("2012-02-29T23:59:59.1234567891Z", true)]
    [InlineData("2012-02-29T23:59:59+14:00", true)]
    [InlineData("2012-02-29T23:59:59-14:00", true)]
    [InlineData("2012-02-29T23:59:59+14:01", false)]
    [InlineData("2012-02-29T23:59:59-14:01", false)]
    [InlineData("2012-02-29T23:59:59+02:60", false)]
    [InlineData("2012-02-29T23:59:59+0200", false)]
    [InlineData("2012-02-29T23:59:59+02:000", false)]
    [InlineData("2012-02-29T23:59:59.Z", false)]
    [InlineData("2012-02-29T23:59:59.", false)]
    [InlineData("2012-02-29T23:59:59ZZ", false)]
    [InlineData("2013-02-29T23:59:59Z", false)]
    [InlineData("2012-13-01T23:59:59Z", false)]
    [InlineData("2012-00-01T23:59:59Z", false)]
    [InlineData("2012-01-00T23:59:59Z", false)]
    [InlineData("0000-01-01T00:00:00Z", false)]
    [InlineData("2012-02-29T24:00:00Z", false)]
    [InlineData("2012-02-29T23:60:00Z", false)]
    [InlineData("2012-02-29T23:59:60Z", false)]
    [InlineData("2012-02-29 23:59:59Z", false)]
    [InlineData("2012/02-29T23:59:59Z", false)]
    [InlineData("2012-02/29T23:59:59Z", false)]
    [InlineData("2012-02-29T23.59:59Z", false)]
    [InlineData("2012-02-29T23:59.59Z", false)]
    [InlineData("2012-02-29T23:59:5Z", false)]
    [InlineData("2012-02-29T23:59", false)]
    public void Dates_AreThoseOfTheRfc(string text, bool isRead)
    {
        byte[] body = [0xC0, 0x78, (byte)text.Length, .. System.Text.Encoding.ASCII.GetBytes(text)];
        var formatter = new CborFormatter<DateTimeOffset>();
        if (!isRead)
        {
            foreach (Action read in new Action[] { () => formatter.Read(body), () => new CborFormatter<DateTime>().Read(body) })
            {
                var error = Assert.Throws<MessageFormatException>(read);
                Assert.Equal((MessageFormatErrorCode.BadValue, null), (error.Code, error.InnerException));
            }

            return;
        }

        DateTimeOffset value = formatter.Read(body);
        Assert.Equal(new DateTime(2012, 2, 29, 23, 59, 59).AddTicks(text.Contains('.') ? 1234567 : 0), value.DateTime);
        Assert.Equal(text[19] is '+' ? 14 : text[19] is '-' ? -14 : 0, value.Offset.TotalHours);
    }

    /// <summary>Without a zone, a text is a DateTime of unspecified kind and no DateTimeOffset; beyond the years it is neither.</summary>
    [Fact]
    public void Dates_WithoutAZone_AreNoInstants()
    {
        byte[] body = [0x73, .. "2012-02-29T23:59:59"u8];
        Assert.Equal(DateTimeKind.Unspecified, new CborFormatter<DateTime>().Read(body).Kind);
        Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => new CborFormatter<DateTimeOffset>().Read(body)).Code);
        foreach (string text in new[] { "0001-01-01T00:59:59+01:00", "9999-12-31T23:00:00-01:00" })
        {
            byte[] beyond = [0xC0, 0x78, (byte)text.Length, .. System.Text.Encoding.ASCII.GetBytes(text)];
            Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => new CborFormatter<DateTimeOffset>().Read(beyond)).Code);
            Assert.Equal(DateTimeKind.Local, new CborFormatter<DateTime>().Read(beyond).Kind);
        }
    }

    /// <summary>What RFC 8949 calls not well-formed is refused also where it is skipped.</summary>
    [Theory]
    [InlineData("1C")]
    [InlineData("1F")]
    [InlineData("3F")]
    [InlineData("DF")]
    [InlineData("FF")]
    [InlineData("F8 1F")]
    [InlineData("81 FF")]
    [InlineData("A1 01 FF")]
    [InlineData("C0 FF")]
    [InlineData("BF 01 FF")]
    [InlineData("5F 61 61 FF")]
    [InlineData("7F 41 61 FF")]
    [InlineData("5F 01 FF")]
    [InlineData("5F 5F 41 00 FF FF")]
    public void BadValues_AreNotSkipped(string hex)
    {
        byte[] body = [0x82, 0x01, .. Bytes.Hex(hex), 0, 0, 0, 0, 0, 0, 0, 0];
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => new CborFormatter<OneMember>().Read(body)).Code);
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => new CborFormatter<KeepsArray>(KeepsArray.MessageContract).Read(body)).Code);
    }

    /// <summary>The examples of Appendix A with indefinite lengths, tags and simple values: what no contract has is skipped as one value, and printed.</summary>
    [Theory]
    [InlineData("F7", "{\"$simple\":23}")]
    [InlineData("F0", "{\"$simple\":16}")]
    [InlineData("F8FF", "{\"$simple\":255}")]
    [InlineData("C1FB41D452D9EC200000", "{\"$tag 1\":1363896240.5}")]
    [InlineData("D74401020304", "{\"$tag 23\":{\"$binary\":\"01020304\"}}")]
    [InlineData("D818456449455446", "{\"$tag 24\":{\"$binary\":\"6449455446\"}}")]
    [InlineData("C249010000000000000000", "18446744073709551616")]
    [InlineData("5F42010243030405FF", "{\"$binary\":\"0102030405\"}")]
    [InlineData("7F657374726561646D696E67FF", "\"streaming\"")]
    [InlineData("9FFF", "[]")]
    [InlineData("9F018202039F0405FFFF", "[1,[2,3],[4,5]]")]
    [InlineData("83018202039F0405FF", "[1,[2,3],[4,5]]")]
    [InlineData("BF61610161629F0203FFFF", "{\"a\":1,\"b\":[2,3]}")]
    [InlineData("BF6346756EF563416D7421FF", "{\"Fun\":true,\"Amt\":-2}")]
    [InlineData("A201020304", "{\"1\":2,\"3\":4}")]
    [InlineData("F90001", "5.9604645E-08")]
    public void AnyValue_IsSkippedAndPrinted(string hex, string json)
    {
        byte[] value = Bytes.Hex(hex);
        string printed = MessageInspector.Cbor.Inspect(value);
        Assert.Equal(json, string.Concat(printed.Where(c => !char.IsWhiteSpace(c))).Replace("$tag", "$tag ", StringComparison.Ordinal));
        Assert.Equal([1], new CborFormatter<OneMember>().Write(new CborFormatter<OneMember>().Read([0x82, 0x01, .. value])).Skip(1));
        for (int length = 0; length < value.Length; length++)
        {
            byte[] body = [0x82, 0x01, .. value.Take(length)];
            Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => new CborFormatter<OneMember>().Read(body)).Code);
        }
    }

    /// <summary>Kept members are written back where they were: in the array form by index, in the map form in the order of keys.</summary>
    [Fact]
    public void UnknownMembers_AreRelayed()
    {
        byte[] array = Bytes.Hex("84 05 61 78 07 82 01 02");
        Assert.Equal(array, new CborFormatter<KeepsArray>().Write(new CborFormatter<KeepsArray>().Read(array)));
        byte[] map = Bytes.Hex("A4 00 01 61 41 02 61 42 05 62 6363 F5");
        Assert.Equal(map, new CborFormatter<KeepsMap>().Write(new CborFormatter<KeepsMap>().Read(map)));
    }

    [Fact]
    public void Errors_HaveOffsetPathAndVerdict()
    {
        byte[] body = new CborFormatter<GeneratedOrder>(GeneratedOrder.MessageContract).Write(RandomOrder());
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new CborFormatter<GeneratedOrder>(GeneratedOrder.MessageContract).Read(body.AsSpan(0, body.Length - 1)));
        Assert.Equal(MessageFormatErrorCode.Truncated, error.Code);
        Assert.Equal(body.Length - 1, error.ByteOffset);
        Assert.StartsWith("GeneratedOrder.", error.MemberPath, StringComparison.Ordinal);
        Assert.True(error.IsPoison);
    }

    [Fact]
    public void NestedTooDeeply_IsRefused()
    {
        byte[] body = [0x82, 0x01, .. Enumerable.Repeat((byte)0x81, 100_000)];
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => new CborFormatter<OneMember>().Read(body)).Code);
    }

    [Fact]
    public void Culture_DoesNotMatter()
    {
        CultureInfo before = CultureInfo.CurrentCulture;
        try
        {
            var german = (CultureInfo)CultureInfo.InvariantCulture.Clone();
            german.NumberFormat = new NumberFormatInfo { NumberDecimalSeparator = ",", NumberGroupSeparator = ".", NegativeSign = "~" };
            CultureInfo.CurrentCulture = german;
            Assert.Equal(Bytes.Hex("62 2D30"), new CborFormatter<decimal>().Write(new decimal(0, 0, 0, true, 0)));
            Assert.Equal(1.25m, new CborFormatter<decimal>().Read([0x64, .. "1.25"u8]));
        }
        finally
        {
            CultureInfo.CurrentCulture = before;
        }
    }

    private static GeneratedOrder RandomOrder() => new RandomValues(1).Next<GeneratedOrder>();

    private static void CheckRefused<T>(byte[] body, MessageFormatErrorCode? code)
    {
        NumberRow.Check("CBOR", 0x87, 0x6A, typeof(T), body, code);
        if (code is null)
        {
            Assert.Equal(body, new CborFormatter<T>().Write(new CborFormatter<T>().Read(body)));
            Assert.Equal([0x81, .. body], new CborFormatter<List<T>>().Write(new CborFormatter<List<T>>().Read([0x81, .. body])));
            return;
        }

        var error = Assert.Throws<MessageFormatException>(() => new CborFormatter<T>().Read(body));
        Assert.Equal(code, error.Code);
        Assert.InRange(error.ByteOffset, 0, body.Length);
        // It is the reader that refuses it, and not a constructor of the base library.
        Assert.Null(error.InnerException);
        // The same in a list and in an array, where nine bytes follow: fast paths look at several bytes at once.
        byte[] list = [0x8A, .. body, .. new byte[9]];
        var inside = Assert.Throws<MessageFormatException>(() => new CborFormatter<List<T>>().Read(list));
        Assert.Equal((code, error.ByteOffset + 1), (inside.Code, inside.ByteOffset));
        if (typeof(T) == typeof(byte))
            return;
        inside = Assert.Throws<MessageFormatException>(() => new CborFormatter<T[]>().Read(list));
        Assert.Equal((code, error.ByteOffset + 1), (inside.Code, inside.ByteOffset));
    }

    private static void Check<T>(byte[] body, T value)
        where T : notnull
    {
        var formatter = new CborFormatter<T>();
        Assert.Equal(body, formatter.Write(value));
        T same = formatter.Read(body);
        Assert.Equal(body, formatter.Write(same));
        Assert.Equal(value, same);
        for (int length = 0; length < body.Length; length++)
            Assert.Throws<MessageFormatException>(() => formatter.Read(body.AsSpan(0, length)));
    }
}

public sealed class OneMember
{
    [MessageMember(1)]
    public int A { get; set; }
}

[MessageContract(Formats = ContractFormats.Cbor)]
public sealed partial class KeepsArray
{
    [MessageMember(1)]
    public int A { get; set; }

    [MessageMember(3)]
    public int B { get; set; }

    public UnknownMembers? Unknown { get; set; }
}

[MessageContract(Formats = ContractFormats.Cbor)]
public sealed partial class KeepsMap
{
    public int B { get; set; }

    public UnknownMembers? Unknown { get; set; }
}
