using System;
using Formatters.Protobuf;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Protobuf;

public sealed class ProtobufEncodingTests
{
    [Theory]
    [InlineData(0UL, "00")]
    [InlineData(1UL, "01")]
    [InlineData(127UL, "7F")]
    [InlineData(128UL, "8001")]
    [InlineData(150UL, "9601")]
    [InlineData(16_383UL, "FF7F")]
    [InlineData(16_384UL, "808001")]
    [InlineData(2_097_151UL, "FFFF7F")]
    [InlineData(2_097_152UL, "80808001")]
    [InlineData(uint.MaxValue, "FFFFFFFF0F")]
    [InlineData((ulong)uint.MaxValue + 1, "8080808010")]
    [InlineData(1UL << 56, "808080808080808001")]
    [InlineData((ulong)long.MaxValue, "FFFFFFFFFFFFFFFF7F")]
    [InlineData(ulong.MaxValue, "FFFFFFFFFFFFFFFFFF01")]
    public void Varints_at_every_width_in_both_directions(ulong value, string hex)
    {
        byte[] bytes = Bytes.Hex(hex);
        byte[] destination = new byte[bytes.Length];
        Assert.True(ProtobufEncoding.TryWriteVarint(destination, value, out int bytesWritten));
        Assert.Equal((bytes.Length, hex), (bytesWritten, Convert.ToHexString(destination)));
        Assert.Equal(bytes.Length, ProtobufEncoding.GetVarintByteCount(value));
        Assert.False(ProtobufEncoding.TryWriteVarint(destination.AsSpan(1), value, out bytesWritten));
        Assert.Equal(bytes.Length, bytesWritten);
        Assert.True(ProtobufEncoding.TryReadVarint([.. bytes, 0xFF], out ulong read, out int bytesRead));
        Assert.Equal((value, bytes.Length), (read, bytesRead));
        Assert.False(ProtobufEncoding.TryReadVarint(bytes.AsSpan(0, bytes.Length - 1), out _, out bytesRead));
        Assert.Equal(bytes.Length, bytesRead);
    }

    [Fact]
    public void A_varint_of_more_than_ten_bytes_is_none_and_one_with_too_many_bits_is_cut()
    {
        Assert.False(ProtobufEncoding.TryReadVarint(Bytes.Hex("8080808080808080808000"), out _, out int bytesRead));
        Assert.Equal(0, bytesRead);
        Assert.True(ProtobufEncoding.TryReadVarint(Bytes.Hex("8000"), out ulong value, out bytesRead));
        Assert.Equal((0UL, 2), (value, bytesRead));
        Assert.True(ProtobufEncoding.TryReadVarint(Bytes.Hex("FFFFFFFFFFFFFFFFFF7F"), out value, out _));
        Assert.Equal(ulong.MaxValue, value);
    }

    [Theory]
    [InlineData(0, 0u)]
    [InlineData(-1, 1u)]
    [InlineData(1, 2u)]
    [InlineData(-2, 3u)]
    [InlineData(int.MaxValue, uint.MaxValue - 1)]
    [InlineData(int.MinValue, uint.MaxValue)]
    public void Zigzag_of_32_bits(int value, uint encoded)
    {
        Assert.Equal(encoded, ProtobufEncoding.EncodeZigZag(value));
        Assert.Equal(value, ProtobufEncoding.DecodeZigZag(encoded));
        Assert.Equal((long)value, ProtobufEncoding.DecodeZigZag(ProtobufEncoding.EncodeZigZag((long)value)));
    }

    [Fact]
    public void Zigzag_of_64_bits()
    {
        Assert.Equal(ulong.MaxValue, ProtobufEncoding.EncodeZigZag(long.MinValue));
        Assert.Equal(long.MinValue, ProtobufEncoding.DecodeZigZag(ulong.MaxValue));
        Assert.Equal(long.MaxValue, ProtobufEncoding.DecodeZigZag(ProtobufEncoding.EncodeZigZag(long.MaxValue)));
    }

    [Theory]
    [InlineData(1, ProtobufWireType.Varint, "08")]
    [InlineData(15, ProtobufWireType.Fixed32, "7D")]
    [InlineData(16, ProtobufWireType.LengthDelimited, "8201")]
    [InlineData(536_870_911, ProtobufWireType.Fixed32, "FDFFFFFF0F")]
    public void Tags_in_both_directions(int number, ProtobufWireType wireType, string hex)
    {
        byte[] destination = new byte[5];
        Assert.True(ProtobufEncoding.TryWriteTag(destination, number, wireType, out int bytesWritten));
        Assert.Equal(hex, Convert.ToHexString(destination, 0, bytesWritten));
        Assert.True(ProtobufEncoding.TryReadTag(Bytes.Hex(hex), out int read, out ProtobufWireType readType, out int bytesRead));
        Assert.Equal((number, wireType, bytesWritten), (read, readType, bytesRead));
    }

    [Theory]
    [InlineData("00", 0)]
    [InlineData("07", 0)]
    [InlineData("0E", 0)]
    [InlineData("888080808000", 0)]
    [InlineData("8080808010", 0)]
    [InlineData("88", 2)]
    public void What_is_no_tag_is_refused(string hex, int expectedBytesRead)
    {
        Assert.False(ProtobufEncoding.TryReadTag(Bytes.Hex(hex), out _, out _, out int bytesRead));
        Assert.Equal(expectedBytesRead, bytesRead);
        Assert.Throws<ArgumentOutOfRangeException>(() => ProtobufEncoding.TryWriteTag(new byte[5], 0, ProtobufWireType.Varint, out _));
        Assert.Throws<ArgumentOutOfRangeException>(() => ProtobufEncoding.TryWriteTag(new byte[5], 1, (ProtobufWireType)6, out _));
    }
}
