using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using System.Xml;
using System.Xml.Serialization;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Xml;

/// <summary>The bodies that XmlMessageFormatter wrote, in both directions.</summary>
public class XmlGoldenTests
{
    private static readonly Dictionary<string, Type> OwnTypes = new() { ["Golden.Order"] = typeof(Order), ["Golden.Color"] = typeof(Color) };

    [XmlType("Color")]
    public enum Color : short
    {
        Red = 1,
        Green = 2,
        Blue = 300,
    }

    public static TheoryData<string> Files() => GoldenBody.Files("xml-");

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_GoldenBody_GivesTheValue(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        var formatter = new XmlFormatter(TypeOf(golden));
        var body = new MessageBody(golden.Bytes);
        Assert.True(formatter.CanRead(body));
        AssertExpected(golden, formatter.Read(body));

        var segmented = new MessageBody(Bytes.Segmented(golden.Bytes, 7));
        Assert.True(formatter.CanRead(segmented));
        AssertExpected(golden, formatter.Read(segmented));
        AssertExpected(golden, Typed(TypeOf(golden)).Read(body));
    }

    /// <summary>With CR LF, which the Mono that made them does not write, they are what .NET Framework writes.</summary>
    [Theory]
    [MemberData(nameof(Files))]
    public void Write_Value_GivesTheGoldenBodyWithFrameworkLineEnds(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        object value = new XmlFormatter(TypeOf(golden)).Read(new MessageBody(golden.Bytes))!;
        string expected = Encoding.UTF8.GetString(golden.Bytes).Replace("\n", "\r\n", StringComparison.Ordinal);
        if (value is DateTime { Kind: DateTimeKind.Local } local) // Its text is that of the time zone of this machine.
            expected = Regex.Replace(expected, "(?<=<dateTime>)[^<]+", XmlConvert.ToString(local, XmlDateTimeSerializationMode.RoundtripKind));

        var body = new MessageBody();
        new XmlFormatter().Write(body, value);
        Assert.Equal((0, ContentTypes.Xml), (body.BodyType, body.ContentType));
        Assert.Equal(expected, Encoding.UTF8.GetString(body.ToArray()));

        Typed(value.GetType()).Write(body, value);
        Assert.Equal(expected, Encoding.UTF8.GetString(body.ToArray()));

        // The list says which golden bodies are not written again byte for byte.
        Assert.NotEqual(golden.Bytes, body.ToArray());
        Assert.Equal(["xml-*.xml"], Support.Golden.NotRewritten().Where(static name => name.StartsWith("xml-", StringComparison.Ordinal)));
    }

    [Theory]
    [MemberData(nameof(Files))]
    public void Read_EveryPrefix_GivesTheError(string file)
    {
        GoldenBody golden = GoldenBody.Get(file);
        var formatter = new XmlFormatter(TypeOf(golden));
        for (int length = 0; length < golden.Bytes.Length; length++)
        {
            var body = new MessageBody(golden.Bytes.AsMemory(0, length));
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal(length == 0 ? MessageFormatErrorCode.Truncated : MessageFormatErrorCode.Malformed, e.Code);
            Assert.InRange(e.ByteOffset, 0, length);
            Assert.True(e.IsPoison);
            formatter.CanRead(body);
        }
    }

    private static Type TypeOf(GoldenBody golden) => OwnTypes.TryGetValue(golden.Type!, out Type? own) ? own : Type.GetType(golden.Type!)!;

    private static IMessageFormatter Typed(Type type) =>
        (IMessageFormatter)Activator.CreateInstance(typeof(XmlFormatter<>).MakeGenericType(type), [null])!;

    private static void AssertExpected(GoldenBody golden, object? actual)
    {
        switch (actual)
        {
            case Order order:
                JsonElement expected = golden.Expected;
                Assert.Equal(new DateTime(expected.GetProperty("Date").GetProperty("ticks").GetInt64(), DateTimeKind.Utc), order.Date);
                Assert.Equal(DateTimeKind.Utc, order.Date.Kind);
                Assert.Equal(expected.GetProperty("CustomerID").GetInt32(), order.CustomerID);
                Assert.Equal(expected.GetProperty("Total").GetDouble(), order.Total);
                Assert.Equal("Müller", order.ShippingAddress.Lastname);
                Assert.Equal("", order.ShippingAddress.State);
                Assert.Equal("Bahnhofstraße 12", order.BillingAddress.Street);
                Assert.Null(order.BillingAddress.Company);
                LineItem[] items = [.. order.LineItems.Cast<LineItem>()];
                Assert.Equal(golden.File == "xml-order-1.xml" ? 1 : 0, items.Length);
                if (items.Length == 1)
                    Assert.Equal((1001, "Article 1", 1.25, 2.0, 2.5), (items[0].ArticleID, items[0].Name, items[0].Price, items[0].Quantity, items[0].LineTotal));
                break;
            case Color color:
                Assert.Equal(golden.Expected.GetString(), color.ToString());
                break;
            case DateTime local when golden.File == "xml-datetime-local.xml":
                // Local means local where it is read: the instant is what travels. It was written at UTC+2.
                Assert.Equal(DateTimeKind.Local, local.Kind);
                Assert.Equal(((DateTime)golden.ExpectedValue()!).AddHours(-2).Ticks, local.ToUniversalTime().Ticks);
                break;
            default:
                Assert.Equal(golden.ExpectedValue(), actual);
                break;
        }
    }
}
