using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Xml.Serialization;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Xml;

public class XmlFormatterTests
{
    public class Node
    {
        public string? Name { get; set; }
        public Node? Next { get; set; }
        public object? Tag { get; set; }

        [XmlAttribute]
        public string? Mark { get; set; }
    }

    [XmlRoot("Invoice", Namespace = "urn:invoices")]
    public class Invoice
    {
        public int Number { get; set; }
    }

    private static readonly XmlFormatter<Node> Nodes = new();

    [Theory]
    [InlineData(XmlBodyStyle.Framework, 0, SampleText.Ascii)]
    [InlineData(XmlBodyStyle.Framework, 50, SampleText.Accented)]
    [InlineData(XmlBodyStyle.Net, 50, SampleText.Mixed)]
    [InlineData(XmlBodyStyle.Compact, 1, SampleText.Cjk)]
    [InlineData(XmlBodyStyle.Compact, 50, SampleText.Ascii)]
    public void RoundTrip_Order_KeepsItsContent(XmlBodyStyle style, int lineItemCount, SampleText text)
    {
        var formatter = new XmlFormatter<Order>(new XmlOptions { Style = style });
        Order order = SampleOrders.Create(1, lineItemCount, text);
        byte[] body = formatter.Write(order);
        Assert.True(order.ContentEquals(formatter.Read(body)));
        Assert.True(order.ContentEquals(new XmlFormatter<Order>().Read(body)));
        Assert.True(order.ContentEquals(formatter.Read(Bytes.Segmented(body, 1000))));
        var stingy = new StingyBufferWriter();
        formatter.Write(stingy, order);
        Assert.Equal(body, stingy.ToArray());
    }

    [Theory]
    [InlineData("")]
    [InlineData("   ")]
    [InlineData(" \r\n\t ")]
    [InlineData("a\r\nb\nc\rd")]
    [InlineData("<&>\"' \u0001 \u00FC \uD83D\uDE00 ]]>")]
    public void RoundTrip_Text_ComesBackAsItWas(string text)
    {
        foreach (XmlBodyStyle style in new[] { XmlBodyStyle.Framework, XmlBodyStyle.Compact })
        {
            var formatter = new XmlFormatter<Node>(new XmlOptions { Style = style });
            Node back = formatter.Read(formatter.Write(new Node { Name = text, Mark = text, Next = new Node { Name = text } }));
            Assert.Equal((text, text, text), (back.Name, back.Mark, back.Next!.Name));
        }
    }

    [Fact]
    public void Write_Compact_HasNoIndentationAndKeepsCarriageReturns()
    {
        var formatter = new XmlFormatter<string>(new XmlOptions { Style = XmlBodyStyle.Compact });
        Assert.Equal("<?xml version=\"1.0\" encoding=\"utf-8\"?><string>a&#xD;\nb</string>", Encoding.UTF8.GetString(formatter.Write("a\r\nb")));
    }

    [Theory]
    [InlineData("a\rb\r\nc\nd\r", "a\r\nb\r\nc\r\nd\r\n")]
    [InlineData("\r\r\n\n", "\r\n\r\n\r\n")]
    public void Write_Net_EndsLinesAsWindowsDoes(string text, string written)
    {
        var formatter = new XmlFormatter<Node>(new XmlOptions { Style = XmlBodyStyle.Net });
        byte[] body = formatter.Write(new Node { Name = text, Mark = text });
        Assert.Equal(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n"
                + "<Node xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" Mark=\""
                + text.Replace("\r", "&#xD;", StringComparison.Ordinal).Replace("\n", "&#xA;", StringComparison.Ordinal) + "\">\r\n"
                + $"  <Name>{written}</Name>\r\n</Node>",
            Encoding.UTF8.GetString(body));
        Assert.Equal((written, text), (formatter.Read(body).Name, formatter.Read(body).Mark));
    }

    [Fact]
    public void Write_Net_RefusesControlCharacters() => Assert.Equal(
        MessageFormatErrorCode.BadText,
        Assert.Throws<MessageFormatException>(() => new XmlFormatter<Node>(new XmlOptions { Style = XmlBodyStyle.Net }).Write(new Node { Name = "\u0001" })).Code);

    [Fact]
    public void Write_Framework_PinsTheLayout() => Assert.Equal(
        "<?xml version=\"1.0\"?>\r\n"
            + "<Node xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" Mark=\"&#xD;&#xA;\">\r\n"
            + "  <Name>a\r\nb</Name>\r\n  <Tag xsi:type=\"xsd:int\">5</Tag>\r\n</Node>",
        Encoding.UTF8.GetString(Nodes.Write(new Node { Name = "a\r\nb", Mark = "\r\n", Tag = 5 })));

    [Fact]
    public void Read_SeveralTargetTypes_PicksTheOneOfTheRootElement()
    {
        var formatter = new XmlFormatter(typeof(Order), typeof(Invoice), typeof(int));
        var body = new MessageBody();
        foreach (object value in new object[] { SampleOrders.Create(1, 1), new Invoice { Number = 7 }, 42 })
        {
            formatter.Write(body, value);
            Assert.True(formatter.CanRead(body));
            Assert.IsType(value.GetType(), formatter.Read(body));
        }

        formatter.Write(body, "a type that is no target");
        Assert.False(formatter.CanRead(body));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, 23L, true), (e.Code, e.ByteOffset, e.IsPoison));
    }

    [Fact]
    public void TargetTypeNames_AreResolvedWhenMade()
    {
        var formatter = new XmlFormatter(typeof(Order).AssemblyQualifiedName!, "System.Int32");
        Assert.Equal([typeof(Order), typeof(int)], formatter.TargetTypes);
        Assert.Equal(typeof(Order).AssemblyQualifiedName, formatter.TargetTypeNames[0]);
        Assert.Throws<ArgumentException>(() => new XmlFormatter("No.Such.Type, No.Such.Assembly"));
        Assert.Throws<ArgumentException>(() => new XmlFormatter("bad[["));
        Assert.Throws<ArgumentNullException>(() => new XmlFormatter((string[])null!));
        Assert.Throws<ArgumentNullException>(() => new XmlFormatter((Type[])null!));
        Assert.Throws<ArgumentException>(() => new XmlFormatter([typeof(int), null!]));
    }

    [Fact]
    public void NoTargetTypes_WritesButDoesNotRead()
    {
        var formatter = new XmlFormatter();
        var body = new MessageBody();
        formatter.Write(body, 5);
        Assert.False(formatter.CanRead(body));
        Assert.Throws<InvalidOperationException>(() => formatter.Read(body));
        Assert.Same(formatter, formatter.Clone());
    }

    [Fact]
    public void CanRead_IsByTheRootElementAlone()
    {
        var formatter = new XmlFormatter<Invoice>();
        byte[] body = formatter.Write(new Invoice());
        Assert.True(formatter.CanRead(new MessageBody(body, 768, "application/json")));
        foreach (string other in new[] { "", "{}", "<", "<Invoice", "<Invoice/>", "<Invoice xmlns='urn:other'/>", "<!DOCTYPE Invoice><Invoice xmlns='urn:invoices'/>", "\0\0\0<", "  " })
            Assert.False(formatter.CanRead(new MessageBody(Encoding.UTF8.GetBytes(other))), other);
        Assert.True(formatter.CanRead(new MessageBody("<!-- --> <Invoice xmlns='urn:invoices'> damaged behind <"u8.ToArray())));
        Assert.Throws<ArgumentNullException>(() => formatter.CanRead(null!));
    }

    [Theory]
    [InlineData("utf-16", 2)]
    [InlineData("utf-16BE", 2)]
    [InlineData("utf-16", 0)]
    [InlineData("utf-16BE", 0)]
    [InlineData("utf-8", 3)]
    [InlineData("iso-8859-1", 0)]
    public void Read_OtherEncodings_AreRead(string encodingName, int preambleByteCount)
    {
        Encoding encoding = Encoding.GetEncoding(encodingName);
        byte[] body = [.. encoding.GetPreamble().AsSpan(0, preambleByteCount), .. encoding.GetBytes($"<?xml version='1.0' encoding='{encodingName}'?><string>Gr\u00FC\u00DFe</string>")];
        var formatter = new XmlFormatter<string>();
        Assert.True(formatter.CanRead(new MessageBody(body)));
        Assert.Equal("Gr\u00FC\u00DFe", formatter.Read(body));
    }

    [Theory]
    [InlineData("utf-7")]
    [InlineData("utf-32")]
    [InlineData("IBM037")]
    [InlineData("no-such-encoding")]
    public void Read_AnotherDeclaredEncoding_IsRefused(string encodingName)
    {
        byte[] body = Encoding.UTF8.GetBytes($"<?xml version='1.0' encoding='{encodingName}'?><string>x</string>");
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new XmlFormatter<string>().Read(body));
        Assert.Equal((MessageFormatErrorCode.Malformed, 20L), (e.Code, e.ByteOffset));
    }

    [Theory]
    [InlineData("", MessageFormatErrorCode.Truncated, 0)]
    [InlineData("no xml", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("<string>x</string>y", MessageFormatErrorCode.Malformed, 18)]
    [InlineData("<string>x</string><string/>", MessageFormatErrorCode.Malformed, 19)]
    [InlineData("<string>\u00FC\U0001F600\r\n\u00FC</strung>", MessageFormatErrorCode.Malformed, 20)]
    [InlineData("<string>\0</string>", MessageFormatErrorCode.Malformed, 8)]
    [InlineData("<!DOCTYPE string><string>x</string>", MessageFormatErrorCode.Malformed, 0)]
    [InlineData("<Node/>", MessageFormatErrorCode.TypeNotAllowed, 0)]
    [InlineData("<string xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'/>", MessageFormatErrorCode.UnexpectedNull, -1)]
    public void Read_BadBody_SaysWhatAndWhere(string xml, MessageFormatErrorCode code, long byteOffset)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new XmlFormatter<string>().Read(Encoding.UTF8.GetBytes(xml)));
        Assert.Equal((code, byteOffset, true), (e.Code, e.ByteOffset, e.IsPoison));
    }

    [Fact]
    public void Read_DeclarationThatIsNotUtf8_IsMalformed()
    {
        // XmlTextReader itself throws ArgumentOutOfRangeException there.
        byte[] body = [.. "<?xml version=\"1.0"u8, 0x91, .. "\"?>"u8];
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => new XmlFormatter<string>().Read(body)).Code);
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => MessageInspector.Xml.Inspect(body)).Code);
    }

    [Fact]
    public void Read_NotUtf8_IsMalformed()
    {
        byte[] body = [.. "<string>"u8, 0xFF, .. "</string>"u8];
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => new XmlFormatter<string>().Read(body)).Code);
        byte[] utf16 = [0xFF, 0xFE, .. Encoding.Unicode.GetBytes("<string>"), 0x00, 0xD8, .. Encoding.Unicode.GetBytes("</string>")];
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => new XmlFormatter<string>().Read(utf16)).Code);
    }

    [Fact]
    public void Read_ContentThatDoesNotFit_IsBadValue()
    {
        const string Xml = "<Order>\n  <Date>2004-11-20T13:14:15Z</Date>\n  <CustomerID>many</CustomerID>\n</Order>";
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new XmlFormatter<Order>().Read(Encoding.UTF8.GetBytes(Xml)));
        Assert.Equal((MessageFormatErrorCode.BadValue, true), (e.Code, e.IsPoison));
        Assert.InRange(e.ByteOffset, Xml.IndexOf("<CustomerID>", StringComparison.Ordinal), Xml.Length);
        Assert.DoesNotContain("many", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_TypeNamedByTheBody_IsNotLoaded()
    {
        const string Xml = "<Node><Next xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:type='Process'/></Node>";
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Nodes.Read(Encoding.UTF8.GetBytes(Xml)));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, true), (e.Code, e.IsPoison));
    }

    [Fact]
    public void Write_WhatXmlSerializerRefuses_SaysWhy()
    {
        var cycle = new Node { Next = new Node() };
        cycle.Next.Next = cycle;
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Nodes.Write(cycle)).Code);
        Assert.Equal(
            MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => Nodes.Write(new Node { Tag = new Invoice() })).Code);
        Assert.Equal(
            MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => Nodes.Write(new Node { Tag = new Hashtable() })).Code);
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => Nodes.Write(new Node { Name = "\uD800" })).Code);
        Assert.Throws<ArgumentNullException>(() => Nodes.Write(null!));
    }

    [Fact]
    public void UnsupportedType_IsTheCallersFault()
    {
        Assert.Throws<ArgumentException>(() => new XmlFormatter(typeof(Hashtable)));
        Assert.Throws<ArgumentException>(() => new XmlFormatter().Write(new MessageBody(), new Dictionary<int, int>()));
        Assert.Throws<NotSupportedException>(() => new XmlFormatter<IDisposable>());
    }
}
