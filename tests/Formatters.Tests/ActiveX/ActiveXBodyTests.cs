using System;
using Formatters.ActiveX;
using Xunit;

namespace Formatters.Tests.ActiveX;

public class ActiveXBodyTests
{
    [Fact]
    public void TryWrite_DestinationTooSmall_SaysTheByteCountAndWritesNothing()
    {
        Span<byte> room = stackalloc byte[16];
        Assert.Equal((false, 2), (ActiveXBody.TryWriteInt16(room[..1], -1, out int n), n));
        Assert.Equal((false, 2), (ActiveXBody.TryWriteUInt16(room[..1], 1, out n), n));
        Assert.Equal((false, 4), (ActiveXBody.TryWriteInt32(room[..3], -1, out n), n));
        Assert.Equal((false, 4), (ActiveXBody.TryWriteUInt32(room[..3], 1, out n), n));
        Assert.Equal((false, 4), (ActiveXBody.TryWriteSingle(room[..3], 1, out n), n));
        Assert.Equal((false, 8), (ActiveXBody.TryWriteInt64(room[..7], -1, out n), n));
        Assert.Equal((false, 8), (ActiveXBody.TryWriteUInt64(room[..7], 1, out n), n));
        Assert.Equal((false, 8), (ActiveXBody.TryWriteDouble(room[..7], 1, out n), n));
        Assert.Equal((false, 8), (ActiveXBody.TryWriteCurrency(room[..7], 1, out n), n));
        Assert.Equal((false, 8), (ActiveXBody.TryWriteDate(room[..7], DateTime.MaxValue, out n), n));
        Assert.Equal((false, 1), (ActiveXBody.TryWriteByte(default, 1, out n), n));
        Assert.Equal((false, 1), (ActiveXBody.TryWriteBoolean(default, true, out n), n));
        Assert.Equal((false, 16), (ActiveXBody.TryWriteGuid(room[..15], Guid.NewGuid(), out n), n));
        Assert.Equal((false, 4), (ActiveXBody.TryWriteString(room[..3], "Hi".AsSpan(), out n), n));
        Assert.Equal((false, 2), (ActiveXBody.TryWriteBytes(room[..1], [1, 2], out n), n));
        Assert.True(room.IndexOfAnyExcept((byte)0) < 0);
    }

    [Theory]
    [InlineData("1.23445", 12344)] // half to even
    [InlineData("1.23455", 12346)]
    [InlineData("-1.23455", -12346)]
    [InlineData("1.2300", 12300)]
    [InlineData("922337203685477.5807", long.MaxValue)]
    [InlineData("-922337203685477.5808", long.MinValue)]
    public void TryWriteCurrency_RoundsHalfToEven(string amount, long expected)
    {
        Span<byte> body = stackalloc byte[8];
        Assert.True(ActiveXBody.TryWriteCurrency(body, decimal.Parse(amount, System.Globalization.CultureInfo.InvariantCulture), out _));
        Assert.True(ActiveXBody.TryReadInt64(body, out long units));
        Assert.Equal(expected, units);
        Assert.True(ActiveXBody.TryReadCurrency(body, out decimal back));
        Assert.Equal(expected / 10000m, back);
    }

    [Fact]
    public void TryWriteCurrency_OutOfRange_Overflows() =>
        Assert.Throws<OverflowException>(() => ActiveXBody.TryWriteCurrency(new byte[8], decimal.MaxValue, out _));

    [Fact]
    public void TryReadDate_EveryTicksAndEveryOleDate_AreToldApart()
    {
        // Ticks of every hundredth day, and the OLE dates of the same days where there are any: neither is taken for the other.
        Span<byte> body = stackalloc byte[8];
        for (DateTime day = DateTime.MinValue; day.Year < 9999; day = day.AddDays(100))
        {
            ActiveXBody.TryWriteDate(body, day, out _);
            Assert.True(ActiveXBody.TryReadDate(body, out DateTime back));
            Assert.Equal(day, back);
            if (day.Year < 100 || day == new DateTime(1899, 12, 30))
                continue;
            ActiveXBody.TryWriteDouble(body, day.ToOADate(), out _);
            Assert.True(ActiveXBody.TryReadDate(body, out back));
            Assert.Equal(day, back);
        }
    }

    /// <summary>One byte less and one more, for each type of fixed length.</summary>
    [Fact]
    public void TryRead_OneByteMoreOrLess_IsFalse()
    {
        Check(2, static body => ActiveXBody.TryReadInt16(body, out _));
        Check(2, static body => ActiveXBody.TryReadUInt16(body, out _));
        Check(4, static body => ActiveXBody.TryReadInt32(body, out _));
        Check(4, static body => ActiveXBody.TryReadUInt32(body, out _));
        Check(4, static body => ActiveXBody.TryReadSingle(body, out _));
        Check(8, static body => ActiveXBody.TryReadInt64(body, out _));
        Check(8, static body => ActiveXBody.TryReadUInt64(body, out _));
        Check(8, static body => ActiveXBody.TryReadDouble(body, out _));
        Check(8, static body => ActiveXBody.TryReadCurrency(body, out _));
        Check(8, static body => ActiveXBody.TryReadDate(body, out _));
        Check(1, static body => ActiveXBody.TryReadByte(body, out _));
        Check(16, static body => ActiveXBody.TryReadGuid(body, out _));

        static void Check(int byteCount, Func<byte[], bool> read)
        {
            for (int i = 0; i < 20; i++)
                Assert.Equal(i == byteCount, read(new byte[i]));
        }
    }

    /// <summary>One byte of .NET or the two of COM; not the four of a BOOL.</summary>
    [Fact]
    public void TryReadBoolean_TakesOneByteOrTwo()
    {
        for (int i = 0; i < 20; i++)
        {
            byte[] body = new byte[i];
            body.AsSpan().Fill(0xFF);
            Assert.Equal((i is 1 or 2, i is 1 or 2), (ActiveXBody.TryReadBoolean(body, out bool value), value));
            Assert.Equal((i is 1 or 2, false), (ActiveXBody.TryReadBoolean(new byte[i], out value), value));
        }
    }

    [Fact]
    public void TryRead_WrongLength_IsFalse()
    {
        byte[] three = [1, 2, 3];
        Assert.False(ActiveXBody.TryReadInt16(three, out _));
        Assert.False(ActiveXBody.TryReadUInt16(three, out _));
        Assert.False(ActiveXBody.TryReadInt32(three, out _));
        Assert.False(ActiveXBody.TryReadUInt32(three, out _));
        Assert.False(ActiveXBody.TryReadInt64(three, out _));
        Assert.False(ActiveXBody.TryReadUInt64(three, out _));
        Assert.False(ActiveXBody.TryReadSingle(three, out _));
        Assert.False(ActiveXBody.TryReadDouble(three, out _));
        Assert.False(ActiveXBody.TryReadByte(three, out _));
        Assert.False(ActiveXBody.TryReadBoolean(three, out _));
        Assert.False(ActiveXBody.TryReadCurrency(three, out _));
        Assert.False(ActiveXBody.TryReadDate(three, out _));
        Assert.False(ActiveXBody.TryReadGuid(three, out _));
        Assert.False(ActiveXBody.TryReadString(three, out string? text));
        Assert.Null(text);
    }
}
