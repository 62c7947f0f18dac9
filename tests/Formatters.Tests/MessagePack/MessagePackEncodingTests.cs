using System;
using System.Collections.Generic;
using Formatters.MessagePack;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.MessagePack;

/// <summary>Single values over spans: https://github.com/msgpack/msgpack/blob/master/spec.md.</summary>
public sealed class MessagePackEncodingTests
{
    [Theory]
    [InlineData(0, "00")]
    [InlineData(127, "7F")]
    [InlineData(128, "CC80")]
    [InlineData(255, "CCFF")]
    [InlineData(256, "CD0100")]
    [InlineData(65535, "CDFFFF")]
    [InlineData(65536, "CE00010000")]
    [InlineData(4294967295, "CEFFFFFFFF")]
    [InlineData(4294967296, "CF0000000100000000")]
    [InlineData(long.MaxValue, "CF7FFFFFFFFFFFFFFF")]
    [InlineData(-1, "FF")]
    [InlineData(-32, "E0")]
    [InlineData(-33, "D0DF")]
    [InlineData(-128, "D080")]
    [InlineData(-129, "D1FF7F")]
    [InlineData(-32768, "D18000")]
    [InlineData(-32769, "D2FFFF7FFF")]
    [InlineData(int.MinValue, "D280000000")]
    [InlineData(-2147483649, "D3FFFFFFFF7FFFFFFF")]
    [InlineData(long.MinValue, "D38000000000000000")]
    public void Integer_is_written_in_the_fewest_bytes_and_read_back(long value, string hex)
    {
        Check(hex, (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, value, out n));
        if (value >= 0)
            Check(hex, (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, (ulong)value, out n));
        CheckRead(hex, (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadInt64(s, out long read, out n) && read == value);
    }

    [Theory]
    [InlineData(0, "90", "80")]
    [InlineData(15, "9F", "8F")]
    [InlineData(16, "DC0010", "DE0010")]
    [InlineData(65535, "DCFFFF", "DEFFFF")]
    [InlineData(65536, "DD00010000", "DF00010000")]
    public void Headers_of_arrays_and_maps(int count, string array, string map)
    {
        Check(array, (Span<byte> d, out int n) => MessagePackEncoding.TryWriteArrayHeader(d, count, out n));
        Check(map, (Span<byte> d, out int n) => MessagePackEncoding.TryWriteMapHeader(d, count, out n));
        CheckHeader(array, new MessagePackHeader(MessagePackType.Array, array.Length / 2, (uint)count));
        CheckHeader(map, new MessagePackHeader(MessagePackType.Map, map.Length / 2, (uint)count));
    }

    [Theory]
    [InlineData(0, "A0", "C400", "C700FB")]
    [InlineData(1, "A1", "C401", "D4FB")]
    [InlineData(2, "A2", "C402", "D5FB")]
    [InlineData(3, "A3", "C403", "C703FB")]
    [InlineData(4, "A4", "C404", "D6FB")]
    [InlineData(8, "A8", "C408", "D7FB")]
    [InlineData(16, "B0", "C410", "D8FB")]
    [InlineData(31, "BF", "C41F", "C71FFB")]
    [InlineData(32, "D920", "C420", "C720FB")]
    [InlineData(255, "D9FF", "C4FF", "C7FFFB")]
    [InlineData(256, "DA0100", "C50100", "C80100FB")]
    [InlineData(65535, "DAFFFF", "C5FFFF", "C8FFFFFB")]
    [InlineData(65536, "DB00010000", "C600010000", "C900010000FB")]
    public void Headers_of_text_bytes_and_extensions(int count, string text, string bytes, string extension)
    {
        Check(text, (Span<byte> d, out int n) => MessagePackEncoding.TryWriteStringHeader(d, count, out n));
        Check(bytes, (Span<byte> d, out int n) => MessagePackEncoding.TryWriteBinaryHeader(d, count, out n));
        Check(extension, (Span<byte> d, out int n) => MessagePackEncoding.TryWriteExtensionHeader(d, -5, count, out n));
        CheckHeader(text, new MessagePackHeader(MessagePackType.String, text.Length / 2, (uint)count));
        CheckHeader(bytes, new MessagePackHeader(MessagePackType.Binary, bytes.Length / 2, (uint)count));
        CheckHeader(extension, new MessagePackHeader(MessagePackType.Extension, extension.Length / 2, (uint)count, -5));
    }

    [Fact]
    public void Nil_truth_floats_and_text()
    {
        Check("C0", MessagePackEncoding.TryWriteNil);
        Check("C2", (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, false, out n));
        Check("C3", (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, true, out n));
        Check("CA3FC00000", (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, 1.5f, out n));
        Check("CB3FF8000000000000", (Span<byte> d, out int n) => MessagePackEncoding.TryWrite(d, 1.5, out n));
        Check("A3C3A961", (Span<byte> d, out int n) => MessagePackEncoding.TryWriteString(d, "éa", out n));
        Check("A0", (Span<byte> d, out int n) => MessagePackEncoding.TryWriteString(d, "", out n));
        CheckRead("C2", (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadBoolean(s, out bool v, out n) && !v);
        CheckRead("C3", (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadBoolean(s, out bool v, out n) && v);
        CheckRead("CA3FC00000", (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadSingle(s, out float v, out n) && v == 1.5f);
        CheckRead("CB3FF8000000000000", (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadDouble(s, out double v, out n) && v == 1.5);
    }

    public static TheoryData<string> EveryCode()
    {
        var codes = new TheoryData<string>();
        for (int code = 0; code < 256; code++)
            codes.Add(code.ToString("X2", System.Globalization.CultureInfo.InvariantCulture));
        return codes;
    }

    /// <summary>The table of the specification once more, by hand.</summary>
    [Theory]
    [MemberData(nameof(EveryCode))]
    public void Every_first_byte_has_its_kind_and_length(string hex)
    {
        byte code = Bytes.Hex(hex)[0];
        (MessagePackType type, int header, uint count) = code switch
        {
            <= 0x7F or >= 0xE0 => (MessagePackType.Integer, 1, 0u),
            <= 0x8F => (MessagePackType.Map, 1, code - 0x80u),
            <= 0x9F => (MessagePackType.Array, 1, code - 0x90u),
            <= 0xBF => (MessagePackType.String, 1, code - 0xA0u),
            0xC0 => (MessagePackType.Nil, 1, 0u),
            0xC1 => (MessagePackType.None, 0, 0u),
            0xC2 or 0xC3 => (MessagePackType.Boolean, 1, 0u),
            0xC4 => (MessagePackType.Binary, 2, 1u),
            0xC5 => (MessagePackType.Binary, 3, 0x0101u),
            0xC6 => (MessagePackType.Binary, 5, 0x01010101u),
            0xC7 => (MessagePackType.Extension, 3, 1u),
            0xC8 => (MessagePackType.Extension, 4, 0x0101u),
            0xC9 => (MessagePackType.Extension, 6, 0x01010101u),
            0xCA => (MessagePackType.Float, 1, 4u),
            0xCB => (MessagePackType.Float, 1, 8u),
            0xCC or 0xD0 => (MessagePackType.Integer, 1, 1u),
            0xCD or 0xD1 => (MessagePackType.Integer, 1, 2u),
            0xCE or 0xD2 => (MessagePackType.Integer, 1, 4u),
            0xCF or 0xD3 => (MessagePackType.Integer, 1, 8u),
            0xD4 => (MessagePackType.Extension, 2, 1u),
            0xD5 => (MessagePackType.Extension, 2, 2u),
            0xD6 => (MessagePackType.Extension, 2, 4u),
            0xD7 => (MessagePackType.Extension, 2, 8u),
            0xD8 => (MessagePackType.Extension, 2, 16u),
            0xD9 => (MessagePackType.String, 2, 1u),
            0xDA => (MessagePackType.String, 3, 0x0101u),
            0xDB => (MessagePackType.String, 5, 0x01010101u),
            0xDC => (MessagePackType.Array, 3, 0x0101u),
            0xDD => (MessagePackType.Array, 5, 0x01010101u),
            0xDE => (MessagePackType.Map, 3, 0x0101u),
            _ => (MessagePackType.Map, 5, 0x01010101u),
        };
        Assert.Equal(type, MessagePackEncoding.GetType(code));
        byte[] source = [code, 1, 1, 1, 1, 1, 1, 1, 1];
        Assert.Equal(type != MessagePackType.None, MessagePackEncoding.TryReadHeader(source, out MessagePackHeader read, out int bytesRead));
        Assert.Equal(header, bytesRead);
        Assert.Equal(type, read.Type);
        Assert.Equal(count, read.Count);
        Assert.Equal(type == MessagePackType.Extension ? 1 : 0, read.ExtensionType);
    }

    [Theory]
    [InlineData("CB4340000000000000", 9007199254740992)]
    [InlineData("CAC3000000", -128)]
    [InlineData("CB0000000000000000", 0)]
    public void A_float_that_is_a_whole_number_is_read_as_an_integer(string hex, long value) =>
        CheckRead(hex, (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadInt64(s, out long read, out n) && read == value);

    [Theory]
    [InlineData("CB3FF8000000000000")] // 1.5
    [InlineData("CB7FF8000000000000")] // NaN
    [InlineData("CB7FF0000000000000")] // infinity
    [InlineData("CB43F0000000000000")] // 2^64
    [InlineData("CB43E0000000000000")] // 2^63
    [InlineData("CFFFFFFFFFFFFFFFFF")]
    [InlineData("C0")]
    [InlineData("C1")]
    [InlineData("A131")]
    public void What_is_no_Int64_is_not_read_as_one(string hex)
    {
        Assert.False(MessagePackEncoding.TryReadInt64(Bytes.Hex(hex), out long value, out int bytesRead));
        Assert.Equal(0, bytesRead);
        Assert.Equal(0, value);
    }

    [Fact]
    public void UInt64_takes_no_negative_number()
    {
        CheckRead("CFFFFFFFFFFFFFFFFF", (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadUInt64(s, out ulong v, out n) && v == ulong.MaxValue);
        Assert.False(MessagePackEncoding.TryReadUInt64([0xFF], out _, out int bytesRead));
        Assert.Equal(0, bytesRead);
    }

    [Theory]
    [InlineData("CE01000000", 16777216f, true)]
    [InlineData("CE01000001", 0, false)] // 16777217 is no float
    [InlineData("CB47EFFFFFE0000000", float.MaxValue, true)]
    [InlineData("CB47EFFFFFF0000000", 0, false)] // rounds to infinity
    [InlineData("CB7FF0000000000000", float.PositiveInfinity, true)]
    [InlineData("CB3FB999999999999A", 0.1f, true)]
    public void Single_takes_what_it_can_hold(string hex, float value, bool isRead)
    {
        byte[] source = Bytes.Hex(hex);
        Assert.Equal(isRead, MessagePackEncoding.TryReadSingle(source, out float read, out int bytesRead));
        Assert.Equal(value, read);
        Assert.Equal(isRead ? source.Length : 0, bytesRead);
    }

    [Theory]
    [InlineData("CF0020000000000000", 9007199254740992.0, true)]
    [InlineData("CF0020000000000001", 0, false)]
    [InlineData("CFFFFFFFFFFFFFFFFF", 0, false)]
    [InlineData("D38000000000000000", -9223372036854775808.0, true)]
    [InlineData("CA3DCCCCCD", 0.1f, true)]
    public void Double_takes_what_it_can_hold(string hex, double value, bool isRead)
    {
        Assert.Equal(isRead, MessagePackEncoding.TryReadDouble(Bytes.Hex(hex), out double read, out _));
        Assert.Equal(value, read);
    }

    [Fact]
    public void A_NaN_keeps_its_bits()
    {
        byte[] source = Bytes.Hex("CA7F800001");
        Assert.True(MessagePackEncoding.TryReadSingle(source, out float value, out _));
        byte[] written = new byte[5];
        Assert.True(MessagePackEncoding.TryWrite(written, value, out _));
        Assert.Equal(source, written);
    }

    [Theory]
    [InlineData("D6FF00000000", "1970-01-01T00:00:00.0000000Z")]
    [InlineData("C704FF00000001", "1970-01-01T00:00:01.0000000Z")]
    [InlineData("C80008FF0000000000000001", "1970-01-01T00:00:01.0000000Z")]
    [InlineData("D7FF0000019000000000", "1970-01-01T00:00:00.0000001Z")]
    [InlineData("C70CFF00000000FFFFFFF1886E0900", "0001-01-01T00:00:00.0000000Z")]
    [InlineData("C70CFF3B9AC9FF0000003AFFF4417F", "9999-12-31T23:59:59.9999999Z")]
    public void Timestamp_is_read_in_every_form(string hex, string time) =>
        CheckRead(
            hex,
            (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadDateTime(s, out DateTime value, out n)
                && value.Kind == DateTimeKind.Utc
                && value.ToString("O", System.Globalization.CultureInfo.InvariantCulture) == time);

    [Theory]
    [InlineData("D6FE00000000")] // another extension
    [InlineData("D5FF0000")] // 2 bytes
    [InlineData("D7FFEE6B280000000000")] // 1,000,000,000 ns
    [InlineData("C70CFF00000000FFFFFFF1886E08FF")] // the year 0
    [InlineData("C70CFF000000000000003AFFF44180")] // the year 10000
    [InlineData("00")]
    public void What_is_no_timestamp_is_not_read_as_one(string hex)
    {
        Assert.False(MessagePackEncoding.TryReadDateTime(Bytes.Hex(hex), out _, out int bytesRead));
        Assert.Equal(0, bytesRead);
    }

    [Fact]
    public void A_negative_count_is_refused()
    {
        byte[] destination = new byte[16];
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackEncoding.TryWriteArrayHeader(destination, -1, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackEncoding.TryWriteMapHeader(destination, -1, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackEncoding.TryWriteStringHeader(destination, -1, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackEncoding.TryWriteBinaryHeader(destination, -1, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => MessagePackEncoding.TryWriteExtensionHeader(destination, 1, -1, out _));
    }

    private delegate bool Write(Span<byte> destination, out int bytesWritten);

    private delegate bool Read(ReadOnlySpan<byte> source, out int bytesRead);

    /// <summary>Writes exactly these bytes into exactly their room, and nothing into less.</summary>
    private static void Check(string hex, Write write)
    {
        byte[] expected = Bytes.Hex(hex);
        byte[] destination = new byte[expected.Length];
        Assert.True(write(destination, out int bytesWritten));
        Assert.Equal(expected.Length, bytesWritten);
        Assert.Equal(expected, destination);
        for (int length = 0; length < expected.Length; length++)
        {
            byte[] small = new byte[length];
            Assert.False(write(small, out bytesWritten));
            Assert.Equal(expected.Length, bytesWritten);
            Assert.All(small, static b => Assert.Equal(0, b));
        }
    }

    /// <summary>Reads these bytes, also with others behind; of a part it says that more are needed.</summary>
    private static void CheckRead(string hex, Read read)
    {
        byte[] source = Bytes.Hex(hex);
        Assert.True(read([.. source, 0xC1], out int bytesRead));
        Assert.Equal(source.Length, bytesRead);
        for (int length = 0; length < source.Length; length++)
        {
            Assert.False(read(source.AsSpan(0, length), out bytesRead));
            Assert.InRange(bytesRead, length + 1, source.Length);
        }
    }

    private static void CheckHeader(string hex, MessagePackHeader header) =>
        CheckRead(hex, (ReadOnlySpan<byte> s, out int n) => MessagePackEncoding.TryReadHeader(s, out MessagePackHeader read, out n) && read == header);
}
