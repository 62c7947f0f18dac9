#if !FORMATTERS_NETSTANDARD
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Xunit;

namespace Formatters.Tests.Json;

public sealed class JsonCanonicalTests
{
    private static readonly JsonFormatter<JsonElement> Any = new(new JsonOptions { IsCanonical = true });

    private static string Canonical(string json) => Encoding.UTF8.GetString(Any.Write(JsonDocument.Parse(json).RootElement));

    [Theory]
    // RFC 8785, 3.2.2 and 3.2.3.
    [InlineData(
        "{\"numbers\": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001], \"string\": \"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\", \"literals\": [null, true, false]}",
        "{\"literals\":[null,true,false],\"numbers\":[333333333.33333329,1e+30,4.5,0.002,1e-27],\"string\":\"€$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}")]
    [InlineData(
        "{\"\\u20ac\": \"Euro Sign\", \"\\r\": \"Carriage Return\", \"\\ufb33\": \"Hebrew Letter Dalet With Dagesh\", \"1\": \"One\", \"\\ud83d\\ude00\": \"Emoji: Grinning Face\", \"\\u0080\": \"Control\", \"\\u00f6\": \"Latin Small Letter O With Diaeresis\"}",
        "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\",\"€\":\"Euro Sign\",\"\U0001F600\":\"Emoji: Grinning Face\",\"\uFB33\":\"Hebrew Letter Dalet With Dagesh\"}")]
    [InlineData("{\"b\":{},\"a\":[]}", "{\"a\":[],\"b\":{}}")]
    [InlineData("[9007199254740993,12345678901234567890123456789,0.1234567890123456789]", "[9007199254740993,12345678901234567890123456789,0.1234567890123456789]")]
    [InlineData("[123456789012345678e2000000000,1e-2147483647]", "[1.23456789012345678e+2000000017,1e-2147483647]")]
    [InlineData("[-0,-0.0,0e9,1.20,100,1e2,-1.5e1]", "[0,0,0,1.2,100,100,-15]")]
    public void A_value_has_one_form(string json, string canonical) => Assert.Equal(canonical, Canonical(json));

    [Theory]
    // RFC 8785, appendix B.
    [InlineData(0x0000000000000000, "0")]
    [InlineData(0x8000000000000000, "0")]
    [InlineData(0x0000000000000001, "5e-324")]
    [InlineData(0x8000000000000001, "-5e-324")]
    [InlineData(0x7fefffffffffffff, "1.7976931348623157e+308")]
    [InlineData(0x4340000000000000, "9007199254740992")]
    [InlineData(0xc340000000000000, "-9007199254740992")]
    [InlineData(0x4430000000000000, "295147905179352830000")]
    [InlineData(0x44b52d02c7e14af5, "9.999999999999997e+22")]
    [InlineData(0x44b52d02c7e14af6, "1e+23")]
    [InlineData(0x44b52d02c7e14af7, "1.0000000000000001e+23")]
    [InlineData(0x444b1ae4d6e2ef4e, "999999999999999700000")]
    [InlineData(0x444b1ae4d6e2ef4f, "999999999999999900000")]
    [InlineData(0x444b1ae4d6e2ef50, "1e+21")]
    [InlineData(0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7")]
    [InlineData(0x3eb0c6f7a0b5ed8d, "0.000001")]
    [InlineData(0x41b3de4355555553, "333333333.3333332")]
    [InlineData(0x41b3de4355555557, "333333333.33333343")]
    [InlineData(0xbecbf647612f3696, "-0.0000033333333333333333")]
    [InlineData(0x43143ff3c1cb0959, "1424953923781206.2")]
    public void A_double_is_as_ECMAScript_prints_it(ulong bits, string canonical) =>
        Assert.Equal(canonical, Encoding.ASCII.GetString(new JsonFormatter<double>(new JsonOptions { IsCanonical = true }).Write(BitConverter.UInt64BitsToDouble(bits))));

    [Fact]
    public void Equal_objects_have_equal_bytes()
    {
        var formatter = new JsonFormatter<Dictionary<string, decimal>>(new JsonOptions { IsCanonical = true });
        byte[] body = formatter.Write(new() { ["b"] = 1.20m, ["a"] = 2m, ["B"] = 100m });
        Assert.Equal("{\"B\":100,\"a\":2,\"b\":1.2}", Encoding.UTF8.GetString(body));
        Assert.Equal(body, formatter.Write(new() { ["a"] = 2.00m, ["B"] = 100.0m, ["b"] = 1.2m }));
        Assert.Equal(1.2m, formatter.Read(body)["b"]);
    }

    [Fact]
    public void Numbers_keep_their_values()
    {
        var random = new Random(8785);
        for (int i = 0; i < 10_000; i++)
        {
            double value = BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue));
            if (!double.IsFinite(value))
                continue;
            string canonical = Encoding.ASCII.GetString(new JsonFormatter<double>(new JsonOptions { IsCanonical = true }).Write(value));
            Assert.Equal(value, double.Parse(canonical, CultureInfo.InvariantCulture));
            Assert.Equal(canonical, Canonical(canonical));
        }
    }

    [Fact]
    public void Limits_and_errors_hold()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Canonical("{\"a\":1,\"b\":2,\"a\":3}"));
        Assert.Equal(MessageFormatErrorCode.DuplicateKey, e.Code);
        Assert.Equal(MessageFormatErrorCode.BadValue, Assert.Throws<MessageFormatException>(() => Canonical("1e99999999999999999999")).Code);
        var small = new JsonFormatter<double[]>(new JsonOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 40 }, IsCanonical = true });
        Assert.Equal("[100000000000000000000]", Encoding.ASCII.GetString(small.Write([1e20])));
        // 31 bytes as System.Text.Json writes it, 111 in this form.
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => small.Write([1e20, 1e20, 1e20, 1e20, 1e20])).Code);
    }
}
#endif
