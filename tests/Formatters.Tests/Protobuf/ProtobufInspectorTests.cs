using System;
using Formatters.Inspection;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Protobuf;

public sealed class ProtobufInspectorTests
{
    // 1: 300, 2: "Hat", 3: { 1: -1 } twice, 4: 9.5, 5: 0.5f, 6: bytes, 7: a group { 1: 1 }, 8: fixed64 1, 9: "".
    private const string Sample =
        "08AC02" + "1203486174" + "1A0B08FFFFFFFFFFFFFFFFFF01" + "1A020801" + "210000000000002340" + "2D0000003F" + "3202FFFE" + "3B08013C" + "410100000000000000" + "4A00";

    [Fact]
    public void Every_kind_is_printed()
    {
        Assert.Equal(
            """
            {
              "1": 300,
              "2": "Hat",
              "3": [
                {
                  "1": -1
                },
                {
                  "1": 1
                }
              ],
              "4": 9.5,
              "5": 0.5,
              "6": { "$binary": "FFFE" },
              "7": {
                "1": 1
              },
              "8": 1,
              "9": ""
            }

            """.ReplaceLineEndings("\n"),
            MessageInspector.Protobuf.Inspect(Bytes.Hex(Sample)));
        Assert.Same(MessageInspector.Protobuf, MessageInspector.Find("application/x-protobuf"));
    }

    [Fact]
    public void Offsets_are_comments_before_each_line()
    {
        Assert.Equal(
            """
            /* 00000000 */ {
            /* 00000000 */   "1": 5,
            /* 00000002 */   "3": {
            /* 00000004 */     "1": 1
            /*          */   }
            /*          */ }

            """.ReplaceLineEndings("\n"),
            MessageInspector.Protobuf.Inspect(Bytes.Hex("0805 1A020801"), new InspectionOptions { ShowOffsets = true }));
    }

    [Fact]
    public void A_bad_body_is_printed_up_to_the_error()
    {
        using var output = new System.IO.StringWriter();
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => MessageInspector.Protobuf.Inspect(Bytes.Hex("0805 0C"), output));
        Assert.Equal((MessageFormatErrorCode.Malformed, 3), (error.Code, error.ByteOffset));
        Assert.Equal("{\n  \"1\": 5\n", output.ToString());
    }

    [Fact]
    public void Nesting_beyond_the_limit_is_bytes()
    {
        byte[] body = [];
        for (int i = 0; i < 100; i++)
            body = [0x0A, .. Varint(body.Length), .. body];
        string text = MessageInspector.Protobuf.Inspect(body);
        Assert.Contains("\"1\": \"", text, StringComparison.Ordinal);

        static byte[] Varint(int value) => value < 128 ? [(byte)value] : [(byte)(value | 0x80), (byte)(value >> 7)];
    }
}
