using System;
using System.Collections.Generic;
using System.Numerics;
using System.Text;
using OwnFormat;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>How the types of members are written with the nine kinds of values: docs/wire/custom.md.</summary>
public class Resp3GoldenTests
{
    private static readonly Guid SampleGuid = new("00112233-4455-6677-8899-aabbccddeeff");

    [Fact]
    public void Scalars_HaveTheirBytes()
    {
        Check(true, "#t|");
        Check((byte)255, ":255|");
        Check((sbyte)-1, ":-1|");
        Check('A', ":65|");
        Check(long.MinValue, ":-9223372036854775808|");
        Check((ulong)long.MaxValue, ":9223372036854775807|");
        Check(ulong.MaxValue, "(18446744073709551615|");
        Check(-0.0, ",-0|");
        Check(0.1, ",0.1|");
        Check(1e300, ",1E+300|");
        Check(double.NaN, ",nan|");
        Check(double.NegativeInfinity, ",-inf|");
        Check(0.1f, ",0.10000000149011612|");
        Check(12.340m, "$6|12.340|");
        Check(new decimal(0, 0, 0, isNegative: true, 1), "$4|-0.0|");
        Check("", "$0||");
        Check("h\u00e9", "$3|h\u00e9|");
        Check(new byte[] { 0x61, 0x62 }, "$2|ab|");
        Check(SampleGuid, "$36|00112233-4455-6677-8899-aabbccddeeff|");
        Check(new DateTime(2026, 11, 27, 9, 30, 0, DateTimeKind.Utc), "$20|2026-11-27T09:30:00Z|");
        Check(new DateTime(2026, 11, 27, 9, 30, 0, 500), "$21|2026-11-27T09:30:00.5|");
        Check(new DateTimeOffset(2026, 11, 27, 9, 30, 0, TimeSpan.FromHours(-5)), "$25|2026-11-27T09:30:00-05:00|");
        Check(TimeSpan.FromTicks(-1), ":-1|");
        Check(new BigInteger(300), "$2|,\u0001|");
        Check(new Uri("https://example.com/a"), "$21|https://example.com/a|");
        Check(new Version(1, 2), "$3|1.2|");
#if !FORMATTERS_NETSTANDARD
        Check(new DateOnly(2026, 11, 27), "$10|2026-11-27|");
        Check(DateOnly.MinValue, "$10|0001-01-01|");
        Check(DateOnly.MaxValue, "$10|9999-12-31|");
        Check(new TimeOnly(0, 0, 1), ":10000000|");
        Check((Half)1.5f, ",1.5|");
        Check((Int128)0x41, "$16|A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0|");
#endif
    }

    [Fact]
    public void Collections_HaveTheirBytes()
    {
        Check(new List<int?> { 1, null }, "*2|:1|_|");
        Check(new Dictionary<string, bool> { ["b"] = true, ["a"] = false }, "%2|$1|b|#t|$1|a|#f|");
        Check(new int[,] { { 1, 2 } }, "*3|:1|:2|*2|:1|:2|");
    }

    [Theory]
    [InlineData(":12|", typeof(double))]
    [InlineData(",1.0|", typeof(double))]
    [InlineData(",0.1|", typeof(float))]
    public void Doubles_HaveOtherForms(string body, Type type) =>
        Assert.NotNull(MessageFormatter.Create(type, WireFormat.Custom<Resp3>()).Read(new MessageBody(Bytes(body))));

    [Theory]
    [InlineData("_|", MessageFormatErrorCode.UnexpectedNull, 0)]
    [InlineData("#t|", MessageFormatErrorCode.BadValue, 0)]
    [InlineData(":2147483648|", MessageFormatErrorCode.BadValue, 0)]
    [InlineData(":9223372036854775808|", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("(5|", MessageFormatErrorCode.None, 0)]
    [InlineData(":|", MessageFormatErrorCode.BadValue, 0)]
    [InlineData(":5", MessageFormatErrorCode.Truncated, 2)]
    [InlineData("", MessageFormatErrorCode.Truncated, 0)]
    [InlineData(":5|:6|", MessageFormatErrorCode.TrailingBytes, 4)]
    [InlineData("x5|", MessageFormatErrorCode.Malformed, 0)]
    public void InvalidIntegers_HaveTheirErrors(string body, MessageFormatErrorCode code, int byteOffset)
    {
        foreach (MessageFormatter<int> formatter in new[] { new CustomFormatter<int, Resp3>(), new CustomFormatter<int, Resp3>(ByReflection.Custom) })
        {
            var error = (MessageFormatException?)Record.Exception(() => formatter.Read(Bytes(body)));
            Assert.Equal(code, error?.Code ?? MessageFormatErrorCode.None);
            Assert.Equal(byteOffset, error?.ByteOffset ?? byteOffset);
        }
    }

    [Theory]
    [InlineData("*3|:1|:2|", MessageFormatErrorCode.Truncated, 12)]
    [InlineData("*-1|", MessageFormatErrorCode.BadLength, 0)]
    [InlineData("*9223372036854775807|", MessageFormatErrorCode.Truncated, 22)]
    [InlineData("*2|:1|$1|x|", MessageFormatErrorCode.BadValue, 8)]
    [InlineData("%0|", MessageFormatErrorCode.BadValue, 0)]
    public void InvalidLists_HaveTheirErrors(string body, MessageFormatErrorCode code, int byteOffset)
    {
        var error = Assert.Throws<MessageFormatException>(() => new CustomFormatter<List<int>, Resp3>().Read(Bytes(body)));
        Assert.Equal((code, byteOffset), (error.Code, (int)error.ByteOffset));
    }

    /// <summary>Values of the right kind that the type does not have: the reader refuses them, and not a constructor of the base library.</summary>
    [Theory]
    [InlineData(typeof(sbyte), ":-129|")]
    [InlineData(typeof(float), ",1E+39|")]
    [InlineData(typeof(decimal), "$5|12.3x|")]
    [InlineData(typeof(decimal), "$0||")]
    [InlineData(typeof(Guid), "$37|00112233-4455-6677-8899-aabbccddeeffx|")]
    [InlineData(typeof(Guid), "$32|00112233445566778899aabbccddeeff|")]
    [InlineData(typeof(DateTime), "$20|2026-11-27T09:30:60Z|")]
    [InlineData(typeof(DateTimeOffset), "$19|2026-11-27T09:30:00|")]
#if !FORMATTERS_NETSTANDARD
    [InlineData(typeof(DateOnly), "$19|2026-11-27T09:30:00|")]
    [InlineData(typeof(DateOnly), "$9|2026-11-7|")]
    [InlineData(typeof(Int128), "$17|A\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0|")]
#endif
    [InlineData(typeof(List<int>), "*4294967297|:1|", MessageFormatErrorCode.Truncated)]
    public void ValuesBeyondTheirTypes_AreRefused(Type type, string body, MessageFormatErrorCode code = MessageFormatErrorCode.BadValue)
    {
        IMessageFormatter formatter = MessageFormatter.Create(type, WireFormat.Custom<Resp3>());
        var error = Assert.Throws<MessageFormatException>(() => formatter.Read(new MessageBody(Bytes(body))));
        Assert.Equal((code, null), (error.Code, error.InnerException));
    }

    /// <summary>The offset is that of the first invalid byte, although the line break follows the string.</summary>
    [Fact]
    public void InvalidUtf8_HasItsOffset()
    {
        byte[] body = [.. "*1\r\n$3\r\na"u8, 0xFF, .. "b\r\n"u8];
        var error = Assert.Throws<MessageFormatException>(() => new CustomFormatter<List<string>, Resp3>().Read(body));
        Assert.Equal((MessageFormatErrorCode.BadText, 9, "List<string>[0]"), (error.Code, (int)error.ByteOffset, error.MemberPath));
        error = Assert.Throws<MessageFormatException>(() => new CustomFormatter<List<string>, Resp3>().Read([.. "*1\r\n$-1\r\n"u8]));
        Assert.Equal((MessageFormatErrorCode.BadLength, 9), (error.Code, (int)error.ByteOffset));
    }

    [Fact]
    public void Inspector_PrintsEveryKind()
    {
        MessageInspector inspector = WireFormat.Custom<Resp3>().Inspector;
        string text = inspector.Inspect(Bytes("*9|_|#f|:-1|(18446744073709551615|,1.5|$1|a|%2|$1|k|:1|:5|*0|+simple|-ERR no|"));
        Assert.Equal(
            "[null,false,-1,18446744073709551615,1.5,\"a\",{\"k\":1,\"5\":[]},{\"$value\":\"2B73696D706C650D0A\"},{\"$value\":\"2D455252206E6F0D0A\"}]",
            text.Replace("\n", "", StringComparison.Ordinal).Replace(" ", "", StringComparison.Ordinal));
        byte[] bytes = [.. "$2\r\n"u8, 0xFF, 0xFE, .. "\r\n"u8];
        Assert.Contains("FFFE", inspector.Inspect(bytes), StringComparison.Ordinal);
        Assert.Equal(MessageFormatErrorCode.TrailingBytes, Assert.Throws<MessageFormatException>(() => inspector.Inspect(Bytes(":1|:2|"))).Code);
        Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => inspector.Inspect(Bytes(":1x|"))).Code);
    }

    [Fact]
    public void Descriptor_HasTheTags()
    {
        WireFormat format = WireFormat.Custom<Resp3>();
        var resp3 = default(Resp3);
        Assert.Same(format, WireFormat.Custom<Resp3>());
        Assert.Equal((resp3.Name, resp3.ContentType, resp3.BodyType), (format.Name, format.ContentType, format.BodyType));
        Assert.Equal(ContractFormats.MessagePack, format.ContractFormat);
        Assert.Null(WireFormat.Find(resp3.Name));
        MessageFormatter<int> formatter = MessageFormatter.Create<int>(format, FormatterLimits.Default with { MaxDepth = 3 });
        Assert.IsType<CustomFormatter<int, Resp3>>(formatter);
        Assert.Equal((resp3.ContentType, resp3.BodyType, 3), (formatter.ContentType, formatter.BodyType, formatter.Limits.MaxDepth));
    }

    [Fact]
    public void Create_UsesTheGeneratedContract()
    {
        Assert.Equal(new CustomFormatter<DefectRecord, Resp3>(ByReflection.Custom).Write(new DefectRecord()),
            CustomFormatter.Create<DefectRecord, Resp3>().Write(new DefectRecord()));
        Assert.Contains(nameof(ContractFormats.MessagePack), Assert.Throws<InvalidOperationException>(() => CustomFormatter.Create<string, Resp3>()).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => CustomFormatter.Create<DefectRecord, Resp3>(ByReflection.Custom));
    }

    /// <summary>An unknown member of one format is not written in another one, even if both have the same body type.</summary>
    [Fact]
    public void UnknownMembers_StayInTheirFormat()
    {
        EntriesOld old = new CustomFormatter<EntriesOld, Resp3>().Read(new CustomFormatter<EntriesAll, Resp3>().Write(new EntriesAll { A = 1, B = 2, C = "c", D = 4 }));
        Assert.True(old.Unknown!.Count > 0);
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new CustomFormatter<EntriesOld, Defective<NoDefect>>().Write(old));
        Assert.Equal(MessageFormatErrorCode.ForeignBytes, error.Code);
        Assert.Contains("$1\r\nC\r\n", Encoding.UTF8.GetString(new CustomFormatter<EntriesOld, Resp3>().Write(old)), StringComparison.Ordinal);
    }

    private static byte[] Bytes(string body) => Encoding.UTF8.GetBytes(body.Replace("|", "\r\n", StringComparison.Ordinal));

    private static void Check<T>(T value, string body)
    {
        var formatter = new CustomFormatter<T, Resp3>();
        Assert.Equal(body.Replace("|", "\r\n", StringComparison.Ordinal), Encoding.UTF8.GetString(formatter.Write(value)));
        Assert.Equal(value, formatter.Read(Bytes(body)));
    }
}
