using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Formatters.Inspection;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Inspection;

public sealed class InspectorTests
{
    private static string Lines(string text) => text.ReplaceLineEndings("\n") + "\n";

    [Fact]
    public void Legacy_binary_shows_ids_where_something_refers_to_them()
    {
        JsonElement root = Inspect(MessageInspector.LegacyBinary, Golden.Read("system-messaging", "bin-shared.bin"));
        Assert.Equal(1, root.GetProperty("$root").GetInt32());
        int[] ids = [.. All(root, "$id")];
        Assert.Equal(ids.Distinct().Count(), ids.Length);
        foreach (int reference in All(root, "$ref"))
            Assert.Contains(reference, ids);

        JsonElement cycle = Inspect(MessageInspector.LegacyBinary, Golden.Read("system-messaging", "bin-cycle.bin"));
        Assert.NotEmpty(All(cycle, "$ref"));
    }

    [Fact]
    public void Legacy_binary_names_classes_and_members()
    {
        JsonElement records = Inspect(MessageInspector.LegacyBinary, Golden.Read("system-messaging", "bin-order-1.bin")).GetProperty("$records");
        JsonElement order = records.EnumerateArray().Single(record => record.TryGetProperty("$class", out JsonElement name) && name.GetString() == "Golden.Order");
        Assert.Equal(4711, order.GetProperty("CustomerID").GetInt32());
        Assert.Equal("2004-11-20T13:14:15.678Z", order.GetProperty("Date").GetProperty("$date").GetString());
        Assert.Equal(2.5, order.GetProperty("Total").GetDouble());
    }

    [Fact]
    public void Legacy_binary_does_not_repeat_long_names_without_end()
    {
        // One class with a name of 100,000 characters, and 10,000 objects of it in nine bytes each: a gigabyte of text.
        var body = new List<byte>([0, 1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0]);
        body.AddRange([4, 1, 0, 0, 0, 0xA0, 0x8D, 6, .. Enumerable.Repeat((byte)'x', 100_000), 0, 0, 0, 0]);
        for (int i = 2; i < 10_000; i++)
            body.AddRange([1, .. BitConverter.GetBytes(i), 1, 0, 0, 0]);
        body.Add(11);
        using var output = new CountingWriter();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => MessageInspector.LegacyBinary.Inspect(body.ToArray(), output));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        Assert.InRange(output.CharCount, 100_000, 100L * body.Count);
    }

    [Fact]
    public void Legacy_binary_depth_and_arrays_are_limited()
    {
        // Arrays of one object, each in the other.
        var body = new List<byte>([0, 1, 0, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 0, 0, 0, 0]);
        for (int i = 1; i < 100_000; i++)
            body.AddRange([16, .. BitConverter.GetBytes(i), 1, 0, 0, 0]);
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Error(MessageInspector.LegacyBinary, body.ToArray()).Code);
        FormatterLimits deep = FormatterLimits.Default with { MaxDepth = int.MaxValue, MaxAllocationFactor = 1000 };
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Error(MessageInspector.LegacyBinary, body.ToArray(), deep, long.MaxValue).Code);

        byte[] array = [.. body.Take(17), 15, 1, 0, 0, 0, 255, 255, 255, 127, 8];
        Assert.Equal(MessageFormatErrorCode.Truncated, Error(MessageInspector.LegacyBinary, array).Code);
    }

    [Fact]
    public void A_long_text_is_cut_and_says_so()
    {
        byte[] body = [.. Enumerable.Repeat((byte)0x91, 40), 0xDC, 0, 200, .. Enumerable.Repeat((byte)7, 200)];
        foreach (int maxCharCount in new[] { 1, 2, 100, 3000, 5000 })
        {
            using var output = new StringWriter();
            MessageFormatException error = Assert.Throws<MessageFormatException>(
                () => MessageInspector.MessagePack.Inspect(body, output, new InspectionOptions { MaxCharCount = maxCharCount }));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
            Assert.InRange(error.ByteOffset, 0, body.Length);
            string what = $"The text of the body was cut after {maxCharCount} characters (InspectionOptions.MaxCharCount).";
            Assert.StartsWith(what, error.Message, StringComparison.Ordinal);
            string whole = MessageInspector.MessagePack.Inspect(body);
            Assert.Equal(whole[..maxCharCount] + "\n... " + what + "\n", output.ToString());
        }
    }

    [Fact]
    public void Fields_of_one_number_stand_together_in_the_order_in_which_the_numbers_come_first()
    {
        byte[] body = [0x10, 1, 0x08, 2, 0x10, 3, 0x18, 4, 0x08, 5];
        Assert.Equal("{\n  \"2\": [\n    1,\n    3\n  ],\n  \"1\": [\n    2,\n    5\n  ],\n  \"3\": 4\n}\n", MessageInspector.Protobuf.Inspect(body));
    }

    [Fact]
    public void Versioned_records_show_numbers_bytes_and_guesses()
    {
        // The example of docs/wire/versioned.md.
        byte[] body = Bytes.Hex("2800000006E370602A0000000102C3A916000000010000000E0000000246034861740000000000002340" + "0141");
        Assert.Equal(
            Lines("""
            /* 00000000 */ {
            /* 00000008 */   "1": { "$binary": "2A000000", "$guess": "42" },
            /* 0000000C */   "2": "é",
            /* 00000010 */   "4": [
            /* 00000018 */     {
            /* 0000001E */       "1": "Hat",
            /* 00000022 */       "2": { "$binary": "0000000000002340", "$guess": "9.5" }
            /*          */     }
            /*          */   ],
            /* 0000002A */   "6": "A"
            /*          */ }
            """),
            MessageInspector.Versioned.Inspect(body, new InspectionOptions { ShowOffsets = true }));

        byte[] union = Bytes.Hex("13000000" + "01" + "0E0000000243" + "01000000" + "000000000000E03F");
        Assert.Equal("versioned", MessageInspector.Detect(new MessageBody(union)).Name);
        JsonElement root = Inspect(MessageInspector.Versioned, union);
        Assert.Equal(1, root.GetProperty("$tag").GetInt32());
        Assert.Equal("0.5", root.GetProperty("$value").GetProperty("2").GetProperty("$guess").GetString());
    }

    [Fact]
    public void A_damaged_versioned_record_is_printed_up_to_the_error()
    {
        using var output = new StringWriter();
        MessageFormatException e = Assert.Throws<MessageFormatException>(
            () => MessageInspector.Versioned.Inspect(Bytes.Hex("0A0000000233" + "2A000000" + "2B0000"), output));
        Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
        e = Assert.Throws<MessageFormatException>(() => MessageInspector.Versioned.Inspect(Bytes.Hex("0B000000" + "0233" + "2A000000" + "2B000000" + "00"), output));
        Assert.Equal((MessageFormatErrorCode.TrailingBytes, 14), (e.Code, e.ByteOffset));
        Assert.Contains("\"$guess\": \"43\"", output.ToString(), StringComparison.Ordinal);
        Assert.Equal((MessageFormatErrorCode.BadValue, 5), Pair(Error(MessageInspector.Versioned, Bytes.Hex("0300000001" + "0800"))));
    }

    [Fact]
    public void Plain_binary_is_bytes_and_what_may_be_texts()
    {
        byte[] body = [42, 0, 0, 0, 7, .. "Contoso"u8, .. new byte[18], 3, .. "a\0b"u8];
        Assert.Equal(
            Lines("""
            /* 00000000 */ [
            /* 00000000 */   { "$binary": "2A000000" },
            /* 00000004 */   "Contoso",
            /* 0000000C */   { "$binary": "00000000000000000000000000000000" },
            /* 0000001C */   { "$binary": "000003610062" }
            /*          */ ]
            """),
            MessageInspector.Binary.Inspect(body, new InspectionOptions { ShowOffsets = true }));
        Assert.Equal("[]\n", MessageInspector.Binary.Inspect([]));
    }

    [Fact]
    public void Plain_binary_is_read_in_one_pass()
    {
        // At every third byte stands the length of a text of a million bytes, and what follows is text for nearly as long.
        byte[] block = [.. Enumerable.Repeat<byte[]>([0xC2, 0xA0, 0x40], 333_333).SelectMany(bytes => bytes), 1];
        byte[] body = [.. block, .. block, .. block];
        using var output = new CountingWriter();
        MessageInspector.Binary.Inspect(body, output);
        Assert.InRange(output.CharCount, body.Length * 2, 10L * body.Length);
    }

    [Fact]
    public void Xml_elements_are_members_and_repeated_ones_arrays()
    {
        byte[] body = "<?xml version=\"1.0\"?>\n<Order id=\"7\">\n  <Name>Ünal &amp; Co</Name><Line>a</Line><!-- no --><Line q='2'>b</Line><Empty/>\n</Order>"u8.ToArray();
        Assert.Equal(
            Lines("""
            /* 00000000 */ {
            /* 00000016 */   "Order": {
            /* 00000016 */     "@id": "7",
            /* 00000027 */     "Name": "Ünal & Co",
            /* 00000042 */     "Line": [
            /* 00000042 */       "a",
            /* 0000005B */       {
            /* 0000005B */         "@q": "2",
            /*          */         "$text": "b"
            /*          */       }
            /*          */     ],
            /* 0000006F */     "Empty": ""
            /*          */   }
            /*          */ }
            """),
            MessageInspector.Xml.Inspect(body, new InspectionOptions { ShowOffsets = true }));

        byte[] utf16 = [0xFF, 0xFE, .. Encoding.Unicode.GetBytes("<a>é</a>")];
        Assert.Equal("xml", MessageInspector.Detect(new MessageBody(utf16)).Name);
        Assert.Equal("é", Inspect(MessageInspector.Xml, utf16).GetProperty("a").GetString());
    }

    [Fact]
    public void Damaged_XML_is_printed_up_to_the_error()
    {
        using var output = new StringWriter();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => MessageInspector.Xml.Inspect("<a><b>1</b><c>2</d></a>"u8, output));
        Assert.Equal(MessageFormatErrorCode.Malformed, e.Code);
        Assert.InRange(e.ByteOffset, 15, 18);
        Assert.Equal("{\n  \"a\": {\n    \"b\": \"1\",\n    \"c\": \"2\"\n  }\n}\n", output.ToString());
        byte[] deep = Encoding.ASCII.GetBytes(string.Concat(Enumerable.Repeat("<a>", 1000)));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Error(MessageInspector.Xml, deep).Code);
        Assert.Equal(MessageFormatErrorCode.Malformed, Error(MessageInspector.Xml, "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>"u8.ToArray()).Code);
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void Json_is_indented_and_keeps_its_numbers()
    {
        byte[] body = "{\"a\":[1.50,-0,1e400,true,null],\"b\":{},\"\\u00e9\":\"x\\n\"}"u8.ToArray();
        Assert.Equal("json", MessageInspector.Detect(new MessageBody(body)).Name);
        Assert.Equal(
            Lines("""
            /* 00000000 */ {
            /* 00000001 */   "a": [
            /* 00000006 */     1.50,
            /* 0000000B */     -0,
            /* 0000000E */     1e400,
            /* 00000014 */     true,
            /* 00000019 */     null
            /* 0000001D */   ],
            /* 0000001F */   "b": {},
            /* 00000026 */   "é": "x\n"
            /* 00000034 */ }
            """),
            MessageInspector.Json.Inspect(body, new InspectionOptions { ShowOffsets = true }));
    }

    [Fact]
    public void Damaged_JSON_is_printed_up_to_the_error()
    {
        using var output = new StringWriter();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => MessageInspector.Json.Inspect("{\"a\":[1,x]}"u8, output));
        Assert.Equal((MessageFormatErrorCode.Malformed, 8), (e.Code, e.ByteOffset));
        Assert.Equal("{\n  \"a\": [\n    1\n", output.ToString());
        Assert.Equal((MessageFormatErrorCode.BadText, 1), Pair(Error(MessageInspector.Json, "[\"\\ud800\"]"u8.ToArray())));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Error(MessageInspector.Json, Encoding.ASCII.GetBytes(new string('[', 1_000_000))).Code);
        byte[] body = "{\"a\":[1,{\"b\":\"c\"}]}"u8.ToArray();
        for (int length = 0; length < body.Length; length++)
            Assert.Equal(MessageFormatErrorCode.Truncated, Error(MessageInspector.Json, body[..length]).Code);
    }
#endif

    [Theory]
    [InlineData("00", 0x4602, null, "versioned")]
    [InlineData("00", 768, null, "legacy-binary")]
    [InlineData("00", 0x4603, null, "messagepack")]
    [InlineData("00", 17, null, "activex")]
    [InlineData("00", 0x4601, null, "binary")]
    [InlineData("00", 17, "text/xml; charset=utf-8", "xml")]
    [InlineData("00", 17, "application/vnd.msgpack", "messagepack")]
    [InlineData("7B000000", 0, null, "binary")]
    [InlineData("810203", 0, null, "messagepack")]
    [InlineData("8102", 0, null, "messagepack")]
    [InlineData("81020304", 0, null, "binary")]
    [InlineData("", 0, null, "binary")]
    public void The_format_is_found_by_tags_and_then_by_bytes(string hex, int bodyType, string? contentType, string format) =>
        Assert.Equal(format, MessageInspector.Detect(new MessageBody(Bytes.Hex(hex), bodyType, contentType)).Name);

    [Fact]
    public void A_body_beyond_the_limit_is_refused()
    {
        foreach (MessageInspector inspector in MessageInspector.All)
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, Error(inspector, new byte[101], FormatterLimits.Default with { MaxBodyByteCount = 100 }).Code);
    }

    private static JsonElement Inspect(MessageInspector inspector, byte[] body) => JsonDocument.Parse(inspector.Inspect(body)).RootElement;

    private static MessageFormatException Error(MessageInspector inspector, byte[] body, FormatterLimits? limits = null, long maxCharCount = 1_000_000) => Assert.Throws<MessageFormatException>(
        () => inspector.Inspect(body, TextWriter.Null, new InspectionOptions { Limits = limits ?? FormatterLimits.Default, MaxCharCount = maxCharCount }));

    private static (MessageFormatErrorCode, long) Pair(MessageFormatException e) => (e.Code, e.ByteOffset);

    private static IEnumerable<int> All(JsonElement element, string name) => element.ValueKind switch
    {
        JsonValueKind.Object => element.EnumerateObject().SelectMany(member => member.Name == name ? [member.Value.GetInt32()] : All(member.Value, name)),
        JsonValueKind.Array => element.EnumerateArray().SelectMany(item => All(item, name)),
        _ => [],
    };

    private sealed class CountingWriter : TextWriter
    {
        internal long CharCount { get; private set; }

        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value) => CharCount++;
    }
}
