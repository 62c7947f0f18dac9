using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using Formatters.Inspection;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Inspection;

public sealed class MessageInspectorTests
{
    private const string Sample =
        "8A" + "A161" + "C0" + "A162" + "93C3C2CFFFFFFFFFFFFFFFFF" + "05" + "CA3DCCCCCD" + "A163" + "CB4000000000000000" + "A164" + "C40200FF"
        + "A165" + "D6FF00000001" + "A166" + "D407AA" + "9101" + "90" + "A167" + "CB7FF8000000000000" + "A168" + "A66122C2850A5C";

    [Fact]
    public void Every_kind_is_printed()
    {
        string text = MessageInspector.MessagePack.Inspect(Bytes.Hex(Sample));
        Assert.Equal(
            """
            {
              "a": null,
              "b": [
                true,
                false,
                18446744073709551615
              ],
              "5": 0.1,
              "c": 2.0,
              "d": { "$binary": "00FF" },
              "e": { "$timestamp": "1970-01-01T00:00:01Z" },
              "f": { "$extension 7": "AA" },
              "$key 9101": [],
              "g": { "$float": "NaN" },
              "h": "a\"\u0085\n\\"
            }

            """.ReplaceLineEndings("\n"),
            text);
        using JsonDocument document = JsonDocument.Parse(text);
        Assert.Equal(10, document.RootElement.EnumerateObject().Count());
    }

    [Fact]
    public void Offsets_are_comments_before_each_line()
    {
        string text = MessageInspector.MessagePack.Inspect(Bytes.Hex("82A161920102A16280"), new InspectionOptions { ShowOffsets = true });
        Assert.Equal(
            """
            /* 00000000 */ {
            /* 00000001 */   "a": [
            /* 00000004 */     1,
            /* 00000005 */     2
            /*          */   ],
            /* 00000006 */   "b": {}
            /*          */ }

            """.ReplaceLineEndings("\n"),
            text);
        using JsonDocument document = JsonDocument.Parse(text, new JsonDocumentOptions { CommentHandling = JsonCommentHandling.Skip });
        Assert.Equal(2, document.RootElement.GetProperty("a")[1].GetInt32());
    }

    [Fact]
    public void A_bad_body_is_printed_up_to_the_error()
    {
        using var output = new StringWriter();
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => MessageInspector.MessagePack.Inspect(Bytes.Hex("930102C1"), output));
        Assert.Equal((MessageFormatErrorCode.Malformed, 3), (error.Code, error.ByteOffset));
        Assert.Equal("[\n  1,\n  2\n", output.ToString());
        Assert.Equal(MessageFormatErrorCode.TrailingBytes, Assert.Throws<MessageFormatException>(() => MessageInspector.MessagePack.Inspect([1, 2])).Code);
    }

    [Fact]
    public void An_order_is_printed_as_JSON()
    {
        OrderWithList order = SampleOrders.CreateWithList(1, 2);
        byte[] body = new MessagePackFormatter<OrderWithList>().Write(order);
        using JsonDocument document = JsonDocument.Parse(MessageInspector.MessagePack.Inspect(body));
        JsonElement root = document.RootElement;
        Assert.Equal(order.ShippingAddress.City, root.GetProperty("ShippingAddress").GetProperty("City").GetString());
        Assert.Equal(order.LineItems[1].Price, root.GetProperty("LineItems")[1].GetProperty("Price").GetDouble());
    }

    [Theory]
    [InlineData("MessagePack", true)]
    [InlineData("application/x-msgpack", true)]
    [InlineData("yaml", false)]
    public void An_inspector_is_found_by_name(string name, bool isFound) =>
        Assert.Equal(isFound ? MessageInspector.MessagePack : null, MessageInspector.Find(name));
}
