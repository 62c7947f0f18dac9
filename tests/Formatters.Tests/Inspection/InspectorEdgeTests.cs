using System;
using System.IO;
using System.Linq;
using System.Text;
using Formatters.Inspection;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Inspection;

/// <summary>Where what is printed changes its form: the last byte that is text, the last level that is allowed, the first number that is negative.</summary>
public sealed partial class InspectorEdgeTests
{
    [Theory]
    [InlineData(1e20, "1E+20")]
    [InlineData(1e-20, "1E-20")]
    [InlineData(1.5, "1.5")]
    [InlineData(1e18, "1E+18")]
    [InlineData(2, "2.0")]
    public void A_float_has_a_point_or_an_exponent(double value, string expected) =>
        Assert.Equal(expected + "\n", MessageInspector.MessagePack.Inspect(new MessagePackFormatter<double>().Write(value)));

    [Theory]
    [InlineData(DateTimeKind.Utc, "2026-11-24T03:04:05.06Z")]
    [InlineData(DateTimeKind.Local, "2026-11-24T03:04:05.06 local")]
    [InlineData(DateTimeKind.Unspecified, "2026-11-24T03:04:05.06")]
    public void A_date_has_its_kind(DateTimeKind kind, string expected)
    {
        // A date alone as MS-NRBF has it: ticks, and the kind in the two bits above.
        long ticks = new DateTime(2026, 11, 24, 3, 4, 5, 60).Ticks | ((long)kind << 62);
        byte[] header = Bytes.Hex("00 01000000 FFFFFFFF 01000000 00000000");
        byte[] date = [.. header, 4, 1, 0, 0, 0, 1, (byte)'T', 1, 0, 0, 0, 1, (byte)'d', 0, 13, .. BitConverter.GetBytes(ticks), 11];
        Assert.Contains($"\"$date\": \"{expected}\"", MessageInspector.LegacyBinary.Inspect(date), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("\U000E0041", "\\uDB40\\uDC41")]
    [InlineData("\uFE0F", "\\uFE0F")]
    [InlineData("\uFE00", "\\uFE00")]
    [InlineData("\u200B", "\\u200B")]
    [InlineData("\u3164", "\\u3164")]
    [InlineData("\U0001F600", "\U0001F600")]
    [InlineData("\uFDFF", "\uFDFF")]
    [InlineData("\u007F", "\\u007F")]
    public void What_cannot_be_seen_is_escaped(string text, string expected) =>
        Assert.Equal($"\"a{expected}b\"\n", MessageInspector.MessagePack.Inspect(new MessagePackFormatter<string>().Write("a" + text + "b")));

    [Theory]
    [InlineData("東京")]
    [InlineData("a\U0001F600é")]
    public void Utf16_is_text(string text)
    {
        var texts = new BinaryBodyFormatter<string[]>(new BinaryBodyOptions { UseUtf16 = true });
        byte[] body = texts.Write([text, text, "plain"]);
        Assert.Equal(2, MessageInspector.Binary.Inspect(body).Split('"' + text + '"').Length - 1);
        Assert.Contains("\"plain\"", MessageInspector.Binary.Inspect(body), StringComparison.Ordinal);
        byte[] versioned = new VersionedFormatter<Named>(new VersionedOptions { UseUtf16 = true }).Write(new Named { Name = text, Names = [text, "plain"] });
        Assert.Equal($"{{ \"1\": \"{text}\", \"2\": [\"{text}\", \"plain\"] }}", string.Join(' ', MessageInspector.Versioned.Inspect(versioned).Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)).Replace("[ ", "[", StringComparison.Ordinal).Replace(" ]", "]", StringComparison.Ordinal));
        // Half a character is none.
        byte[] bad = texts.Write([text]);
        bad[^1] = 0xD8;
        Assert.DoesNotContain("\uFFFD", MessageInspector.Binary.Inspect(bad), StringComparison.Ordinal);
        Assert.Equal($"\"{text}\"\n", MessageInspector.Compact.Inspect(new CompactFormatter<string>().Write(text)));
    }

    [Fact]
    public void A_text_is_cut_at_the_character()
    {
        byte[] body = new MessagePackFormatter<string>().Write("0123456789");
        foreach (int maxCharCount in Enumerable.Range(1, 11))
        {
            using var output = new StringWriter();
            var options = new InspectionOptions { MaxCharCount = maxCharCount };
            Assert.Throws<MessageFormatException>(() => MessageInspector.MessagePack.Inspect(body, output, options));
            Assert.StartsWith("\"0123456789"[..maxCharCount] + "\n... ", output.ToString(), StringComparison.Ordinal);
        }

        Assert.Equal("\"0123456789\"\n", MessageInspector.MessagePack.Inspect(body, new InspectionOptions { MaxCharCount = 12 }));
        // Names, which are printed whole: the name, and then what follows it.
        byte[] named = [0x81, 0xA5, .. "names"u8, 0xC3];
        string whole = MessageInspector.MessagePack.Inspect(named);
        foreach (int maxCharCount in Enumerable.Range(1, whole.Length - 2))
        {
            using var output = new StringWriter();
            var options = new InspectionOptions { MaxCharCount = maxCharCount };
            Assert.Throws<MessageFormatException>(() => MessageInspector.MessagePack.Inspect(named, output, options));
            Assert.StartsWith(whole[..maxCharCount] + "\n... ", output.ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("03616263", "\"abc\"")]
    [InlineData("026162", "{ \"$binary\": \"026162\" }")]
    [InlineData("04617F6263", "{ \"$binary\": \"04617F6263\" }")]
    [InlineData("0461C3A962", "\"aéb\"")]
    [InlineData("036161C3A9", "{ \"$binary\": \"036161C3A9\" }")]
    public void Binary_takes_three_bytes_of_whole_visible_characters_for_a_text(string hex, string expected) =>
        Assert.Equal($"[\n  {expected}\n]\n", MessageInspector.Binary.Inspect(Bytes.Hex(hex)));

    [Theory]
    [InlineData("7F", "127")]
    [InlineData("80", "128")]
    [InlineData("FF", "255")]
    public void One_byte_is_no_negative_number(string value, string expected) =>
        Assert.Contains($"\"$guess\": \"{expected}\"", Record("01", "01", value), StringComparison.Ordinal);

    [Theory]
    [InlineData("FFFFFFFF", "03", "-1")]
    [InlineData("FFFFFFFFFFFFFFFF", "04", "-1")]
    [InlineData("2A00000000000000", "04", "42")]
    public void Several_bytes_are_a_number_with_a_sign(string value, string kind, string expected) =>
        Assert.Contains($"\"$guess\": \"{expected}\"", Record("01", kind, value), StringComparison.Ordinal);

    [Fact]
    public void Levels_are_counted_alike()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxDepth = 5 };
        foreach (int depth in new[] { 4, 5, 6 })
        {
            byte[] json = Encoding.ASCII.GetBytes(new string('[', depth) + new string(']', depth));
            byte[] packed = [.. Enumerable.Repeat((byte)0x91, depth), 0xC0];
            Assert.Equal(depth > 5, IsTooDeep(MessageInspector.MessagePack, packed, limits));
#if !FORMATTERS_NETSTANDARD
            Assert.Equal(depth > 5, IsTooDeep(MessageInspector.Json, json, limits));
#endif
            byte[] versioned = new VersionedFormatter<LimitNode>().Write(LimitNode.OfDepth(depth));
            Assert.Equal(depth > 5, IsTooDeep(MessageInspector.Versioned, versioned, limits));
            // What is too deep may be a message, or bytes: it is printed as bytes. The innermost is field 1 = 8, which is no text.
            byte[] message = [0x08, 0x08];
            for (int i = 1; i < depth; i++)
                message = [0x0A, (byte)message.Length, .. message];
            string text = MessageInspector.Protobuf.Inspect(message, new InspectionOptions { Limits = limits });
            Assert.Equal(Math.Min(depth, 5), text.Count(c => c == '{'));
        }
    }

    [Fact]
    public void A_cut_body_of_MessagePack_is_found_and_one_with_a_tail_is_not()
    {
        Assert.Equal("messagepack", MessageInspector.Detect(new MessageBody(Bytes.Hex("93010203"))).Name);
        Assert.Equal("messagepack", MessageInspector.Detect(new MessageBody(Bytes.Hex("930102"))).Name);
        Assert.NotEqual("messagepack", MessageInspector.Detect(new MessageBody(Bytes.Hex("9301020304"))).Name);
    }

    private static bool IsTooDeep(MessageInspector inspector, byte[] body, FormatterLimits limits)
    {
        try
        {
            inspector.Inspect(body, new InspectionOptions { Limits = limits });
            return false;
        }
        catch (MessageFormatException e) when (e.Code == MessageFormatErrorCode.DepthExceeded)
        {
            return true;
        }
    }

    /// <summary>A versioned record of one member.</summary>
    private static string Record(string highest, string kind, string value)
    {
        byte[] content = Bytes.Hex(highest + kind + value);
        return MessageInspector.Versioned.Inspect([.. BitConverter.GetBytes(content.Length), .. content]);
    }

    [MessageContract]
    public sealed partial class Named
    {
        [MessageMember(1)] public string Name { get; set; } = "";
        [MessageMember(2)] public string[] Names { get; set; } = [];
    }
}
