using System;
using System.Buffers;
using System.Linq;
using System.Text;
using Formatters.ActiveX;
using Formatters.Buffers;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.ActiveX;

public class ActiveXFormatterTests(ITestOutputHelper output)
{
    private static readonly ActiveXFormatter Formatter = new();

    public static TheoryData<int, string, object?> ComBodies() => new()
    {
        { VarTypes.Boolean, "FFFF", true },
        { VarTypes.Boolean, "0000", false },
        { VarTypes.Boolean, "01", true },
        { VarTypes.Boolean, "0001", true }, // Anything but zero is true, whichever of the two bytes has it.
        { VarTypes.Boolean, "0100", true },
        { VarTypes.Date, "0000000000000000", DateTime.MinValue },
        { VarTypes.Date, "FF3F37F47528CA2B", DateTime.MaxValue },
        { VarTypes.Date, "0000000000002840", new DateTime(1900, 1, 11) }, // 12.0
        { VarTypes.Date, "000000000000F8BF", new DateTime(1899, 12, 29, 12, 0, 0) }, // -1.5: day -1, and half a day
        { VarTypes.Date, "0000000000000080", new DateTime(1899, 12, 30) }, // -0.0
        { VarTypes.Date, "00000000F8A8E240", new DateTime(2004, 8, 16, 18, 0, 0) }, // 38215.75
        { VarTypes.BStr, "48006900", "Hi" },
        { VarTypes.LPStr, "4869", "Hi" },
        { VarTypes.LPStr, "", "" },
        { VarTypes.SByte, "FE", (byte)254 },
        { VarTypes.ByteArray, "0102", new byte[] { 1, 2 } },
        { VarTypes.Empty, "0102", new byte[] { 1, 2 } },
        { VarTypes.Clsid, "33221100554477668899AABBCCDDEEFF", new Guid("00112233-4455-6677-8899-aabbccddeeff") },
        { VarTypes.Null, "", null },
    };

    public static TheoryData<int, string, MessageFormatErrorCode, long> BadBodies() => new()
    {
        { VarTypes.Null, "00", MessageFormatErrorCode.TrailingBytes, 0 },
        { VarTypes.Int32, "000000", MessageFormatErrorCode.Truncated, 3 },
        { VarTypes.Int32, "0000000000", MessageFormatErrorCode.TrailingBytes, 4 },
        { VarTypes.Boolean, "", MessageFormatErrorCode.Truncated, 0 },
        { VarTypes.Boolean, "FFFFFF", MessageFormatErrorCode.TrailingBytes, 2 },
        { VarTypes.Boolean, "01000000", MessageFormatErrorCode.TrailingBytes, 2 }, // A BOOL of Win32, which is no VARIANT_BOOL.
        { VarTypes.Null, "0000", MessageFormatErrorCode.TrailingBytes, 0 },
        { VarTypes.Int16, "00", MessageFormatErrorCode.Truncated, 1 },
        { VarTypes.Byte, "", MessageFormatErrorCode.Truncated, 0 },
        { VarTypes.Byte, "0000", MessageFormatErrorCode.TrailingBytes, 1 },
        { VarTypes.Currency, "00000000000000", MessageFormatErrorCode.Truncated, 7 },
        { VarTypes.Currency, "000000000000000000", MessageFormatErrorCode.TrailingBytes, 8 },
        { VarTypes.Clsid, "33221100554477668899AABBCCDDEEFF00", MessageFormatErrorCode.TrailingBytes, 16 },
        { VarTypes.Date, "000000000000F87F", MessageFormatErrorCode.BadValue, 0 }, // NaN
        { VarTypes.Date, "FFFFFFFFFFFFFFFF", MessageFormatErrorCode.BadValue, 0 },
        { VarTypes.Date, "0000000041924641", MessageFormatErrorCode.BadValue, 0 }, // 2958466.0: the year 10000
        { VarTypes.Date, "00000000361024C1", MessageFormatErrorCode.BadValue, 0 }, // -657435.0: the year 99
        { VarTypes.Clsid, "00", MessageFormatErrorCode.Truncated, 1 },
        { VarTypes.LPWStr, "4800D8", MessageFormatErrorCode.BadLength, 2 },
        { VarTypes.LPWStr, "480000D84800", MessageFormatErrorCode.BadText, 2 },
        { VarTypes.BStr, "00DC", MessageFormatErrorCode.BadText, 0 },
        { VarTypes.LPStr, "48FC", MessageFormatErrorCode.BadText, 1 },
    };

    [Theory]
    [MemberData(nameof(ComBodies))]
    public void Read_BodyOfAnotherSender_GivesTheValue(int varType, string hex, object? expected) =>
        Assert.Equal(expected, Formatter.Read(new MessageBody(Bytes.Hex(hex), varType)));

    [Theory]
    [MemberData(nameof(BadBodies))]
    public void Read_BadBody_SaysWhatAndWhere(int varType, string hex, MessageFormatErrorCode code, long byteOffset)
    {
        var body = new MessageBody(Bytes.Hex(hex), varType);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.Equal((code, byteOffset), (e.Code, e.ByteOffset));
        Assert.Equal(varType != VarTypes.LPStr, e.IsPoison);
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    [InlineData(12)]
    [InlineData(14)]
    [InlineData(22)]
    [InlineData(64)]
    [InlineData(68)]
    [InlineData(69)]
    [InlineData(768)]
    [InlineData(-1)]
    [InlineData(BodyTypes.Binary)]
    public void Read_UnknownVarType_IsUnknownFormatAndNoPoison(int varType)
    {
        var body = new MessageBody(new byte[8], varType);
        Assert.False(Formatter.CanRead(body));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.UnknownFormat, false), (e.Code, e.IsPoison));
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => new ActiveXFormatter<int>().Read(body)).Code);
    }

    [Fact]
    public void Write_Guid_GivesClsid()
    {
        var body = new MessageBody();
        Formatter.Write(body, new Guid("00112233-4455-6677-8899-aabbccddeeff"));
        Assert.Equal((VarTypes.Clsid, "33221100554477668899AABBCCDDEEFF"), (body.BodyType, Convert.ToHexString(body.ToArray())));
    }

    [Fact]
    public void Write_CharArray_GivesTextWithoutLeftovers()
    {
        var body = new MessageBody();
        Formatter.Write(body, "a long text before".ToCharArray());
        Formatter.Write(body, new[] { 'H', 'i' });
        Assert.Equal((VarTypes.LPWStr, "48006900"), (body.BodyType, Convert.ToHexString(body.ToArray())));
    }

    [Fact]
    public void Write_DateTime_GivesTicksAndLosesTheKind()
    {
        var body = new MessageBody();
        var date = new DateTime(2004, 11, 20, 13, 14, 15, DateTimeKind.Utc);
        Formatter.Write(body, date);
        Assert.Equal(BitConverter.GetBytes(date.Ticks), body.ToArray());
        DateTime back = Assert.IsType<DateTime>(Formatter.Read(body));
        Assert.Equal((date.Ticks, DateTimeKind.Unspecified), (back.Ticks, back.Kind));
    }

    [Fact]
    public void Write_TypeOutsideTheTable_IsRefused()
    {
        foreach (object value in new object[] { (sbyte)1, TimeSpan.Zero, DBNull.Value, DayOfWeek.Friday, new int[1], new object() })
            Assert.Throws<ArgumentException>(() => Formatter.Write(new MessageBody(), value));
        Assert.Throws<NotSupportedException>(() => new ActiveXFormatter<sbyte>());
        Assert.Throws<NotSupportedException>(() => new ActiveXFormatter<object>());
        Assert.Throws<ArgumentException>(() => ((IMessageFormatter)new ActiveXFormatter<int>()).Write(new MessageBody(), "text"));
        Assert.Throws<ArgumentNullException>(() => new ActiveXFormatter<string>().Write(null!));
    }

    [Fact]
    public void Write_DecimalBeyondCurrency_IsAnError()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Write(new MessageBody(), 922337203685477.5808m));
        Assert.Equal((MessageFormatErrorCode.BadValue, false), (e.Code, e.IsPoison));
        Assert.IsType<OverflowException>(e.InnerException);
    }

    [Fact]
    public void Write_HalfASurrogatePair_IsReplacedAsInSystemMessagingOrRefused()
    {
        var body = new MessageBody();
        Formatter.Write(body, "a\uD800b\uDC00\uD83D\uDE00");
        Assert.Equal("a\uFFFDb\uFFFD\uD83D\uDE00", Formatter.Read(body));
        Assert.Equal(body.ToArray(), new UnicodeEncoding().GetBytes("a\uD800b\uDC00\uD83D\uDE00"));

        var strict = new ActiveXFormatter(FormatterLimits.Default with { RefuseInvalidText = true });
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => strict.Write(body, "a\uD800")).Code);
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => strict.Write(body, new[] { '\uDC00' })).Code);
        strict.Write(body, "\uD83D\uDE00");
    }

    [Fact]
    public void Read_CodePageText_UsesTheCodePageGiven()
    {
        var body = new MessageBody(new byte[] { 0x48, 0xFC }, VarTypes.LPStr);
        Assert.Equal("H\u00FC", new ActiveXFormatter(codePage: Encoding.Latin1).Read(body));
        Assert.Equal("H\u00FC", new ActiveXFormatter<string>(codePage: Encoding.Latin1).Read(body));
        Assert.Equal("H?", new ActiveXFormatter(codePage: Encoding.ASCII).Read(body));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new ActiveXFormatter(codePage: new UTF8Encoding(false, true)).Read(body));
        Assert.Equal((MessageFormatErrorCode.BadText, false), (e.Code, e.IsPoison));
    }

    [Fact]
    public void CanRead_ByBodyTypeUnderAnOpenContentType()
    {
        byte[] bytes = [1];
        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.Byte)));
        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.Byte, ContentTypes.ActiveX)));
        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.Null, ContentTypes.OctetStream)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes, VarTypes.Byte, ContentTypes.Json)));
        Assert.False(Formatter.CanRead(new MessageBody(bytes, VarTypes.Empty)));
        Assert.True(Formatter.CanRead(new MessageBody(bytes, VarTypes.Empty, ContentTypes.ActiveX)));
        Assert.True(new ActiveXFormatter<string>().CanRead(new MessageBody(bytes, VarTypes.BStr)));
        Assert.False(new ActiveXFormatter<string>().CanRead(new MessageBody(bytes, VarTypes.Int32)));
        Assert.False(new ActiveXFormatter<byte[]>().CanRead(new MessageBody(bytes)));
        Assert.Throws<ArgumentNullException>(() => Formatter.CanRead(null!));
    }

    [Fact]
    public void Limits_HoldInBothDirections()
    {
        var small = new ActiveXFormatter(FormatterLimits.Default with { MaxBodyByteCount = 8 });
        small.Write(new MessageBody(), "four");
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => small.Write(new MessageBody(), "fiver")).Code);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => small.Read(new MessageBody(new byte[9], VarTypes.ByteVector)));
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, false), (e.Code, e.IsPoison));
        var typed = new ActiveXFormatter<byte[]>(FormatterLimits.Default with { MaxBodyByteCount = 8 });
        Assert.Throws<MessageFormatException>(() => typed.Read(new byte[9]));
        Assert.Throws<MessageFormatException>(() => typed.Write(new byte[9]));
    }

    [Fact]
    public void TypedFormatter_WriteOfANumber_AllocatesNothing()
    {
        var formatter = new ActiveXFormatter<long>();
        using var buffer = new PooledBufferWriter();
        formatter.Write(buffer, 1);
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < 1000; i++)
        {
            buffer.Clear();
            formatter.Write(buffer, i);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void Read_DamagedText_OnlyTheTypedError() =>
        Mutation.Run(output, 20041120, 2000, Encoding.Unicode.GetBytes(RandomText.Next(new Random(1), 32 * 1024, validOnly: true)), body =>
        {
            foreach (int varType in new[] { VarTypes.LPWStr, VarTypes.LPStr })
                Formatter.Read(new MessageBody(body, varType));
        });

    [Fact]
    public void Read_RandomBytesUnderEveryBodyType_OnlyTheTypedError()
    {
        const int Seed = 4711;
        output.WriteLine($"seed {Seed}");
        var random = new Random(Seed);
        int[] varTypes = [.. Enumerable.Range(-1, 80), VarTypes.ByteVector, VarTypes.ByteArray, BodyTypes.LegacyBinary];
        for (int i = 0; i < 200; i++)
        {
            var bytes = new byte[random.Next(20)];
            random.NextBytes(bytes);
            foreach (int varType in varTypes)
            {
                try
                {
                    Formatter.Read(new MessageBody(bytes, varType));
                }
                catch (MessageFormatException e)
                {
                    Assert.NotEqual(MessageFormatErrorCode.None, e.Code);
                }
            }
        }
    }
}
