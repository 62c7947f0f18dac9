using System;
using System.Collections;
using System.Linq;
using System.Text;
using System.Threading;
using System.Xml;
using Formatters.Buffers;
using Formatters.Generated;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Xml;

/// <summary>Generated XML contracts: errors, limits, and what else a formatter promises.</summary>
public class XmlContractFormatterTests
{
    private static readonly XmlFormatter<XmlInvoice> Invoices = new(XmlInvoice.MessageContract);
    private static readonly XmlFormatter<XmlNode> Nodes = new(XmlNode.MessageContract);

    /// <summary>Numbers of every number of digits, on both sides of what is parsed quickly, are those of <see cref="XmlConvert"/>.</summary>
    [Fact]
    public void Read_NumbersOfAnyDigits_AreThoseOfXmlConvert()
    {
        string[] texts =
        [
            .. Enumerable.Range(1, 20).SelectMany(static count => new[] { new string('9', count), "1" + new string('0', count - 1), "1" + new string('7', count - 1), new string('0', count) + "5" })
                .Concat(["9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616"]).SelectMany(static text => new[] { text, "-" + text }),
        ];
        foreach (string text in texts)
        {
            Check("Long", text, XmlConvert.ToInt64, static read => read.Long);
            Check("ULong", text, XmlConvert.ToUInt64, static read => read.ULong);
            foreach (string number in Enumerable.Range(1, text.TrimStart('-').Length).Select(behind => text.Insert(text.Length - behind + 1, ".")).Append(text))
                Check("Double", number, XmlConvert.ToDouble, static read => read.Double);
        }

        static void Check<T>(string member, string text, Func<string, T> convert, Func<XmlScalars, T> get)
        {
            byte[] body = Encoding.UTF8.GetBytes($"<XmlScalars><{member}>{text}</{member}></XmlScalars>");
            object? expected = null;
            try
            {
                expected = convert(text);
            }
            catch (Exception e) when (e is OverflowException or FormatException)
            {
            }

            object? read = new XmlFormatter<XmlScalars>(XmlScalars.MessageContract).TryRead(body, out XmlScalars? scalars, out _) ? get(scalars) : null;
            Assert.True(Equals(expected, read), $"{text} as {member}: {read}, not {expected}");
        }
    }

    [Fact]
    public void Write_Framework_PinsTheLayout() => Assert.Equal(
        "<?xml version=\"1.0\"?>\r\n<drawing xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\r\n"
            + "  <Top xsi:type=\"XmlCircle\" Id=\"&quot;&#xA;\" r=\"1\">\r\n    <Layer>2</Layer>\r\n    <Radius>0.33333333333333331</Radius>\r\n  </Top>\r\n</drawing>",
        Encoding.UTF8.GetString(new XmlFormatter<XmlDrawing>(XmlDrawing.MessageContract).Write(new XmlDrawing { Top = new XmlCircle { Id = "\"\n", Rank = 1, Layer = 2, Radius = 1 / 3d } })));

    [Fact]
    public void Write_Net_PinsTheLayout() => Assert.Equal(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\r\n<drawing xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\">\r\n"
            + "  <Top xsi:type=\"XmlCircle\" Id=\"&quot;&#xA;&#x9;\" r=\"1\">\r\n    <Layer>2</Layer>\r\n    <Radius>0.3333333333333333</Radius>\r\n  </Top>\r\n</drawing>",
        Encoding.UTF8.GetString(new XmlFormatter<XmlDrawing>(XmlDrawing.MessageContract, new XmlOptions { Style = XmlBodyStyle.Net }).Write(
            new XmlDrawing { Top = new XmlCircle { Id = "\"\n\t", Rank = 1, Layer = 2, Radius = 1 / 3d } })));

    [Fact]
    public void Write_Compact_HasNoWhiteSpaceAndTheShortestNumbers() => Assert.Equal(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><Invoice xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\" number=\"7\" xmlns=\"urn:example:invoices\">"
            + "<Total currency=\"EUR\">1.50</Total><Point><X>0</X><Y>0.3333333333333333</Y></Point><Days xsi:nil=\"true\" /></Invoice>",
        Encoding.UTF8.GetString(new XmlFormatter<XmlInvoice>(XmlInvoice.MessageContract, new XmlOptions { Style = XmlBodyStyle.Compact }).Write(
            new XmlInvoice { Number = 7, Total = new XmlPrice { Currency = "EUR", Amount = 1.50m }, Point = new XmlPoint { Y = 1 / 3d } })));

    [Fact]
    public void Orders_HaveTheBytesOfXmlSerializer_InBuffersOfAnySize()
    {
        var generated = new XmlFormatter<Order>(XmlContracts.Order);
        var reference = new XmlFormatter<Order>(ByReflection.Xml);
        foreach (int count in new[] { 0, 1, 50, 500 })
        {
            Order order = SampleOrders.Create(count, count, SampleText.Mixed);
            byte[] body = reference.Write(order);
            Assert.Equal(body, generated.Write(order));
            var stingy = new StingyBufferWriter();
            generated.Write(stingy, order);
            Assert.Equal(body, stingy.ToArray());
            Assert.True(order.ContentEquals(generated.Read(body)));
            Assert.True(order.ContentEquals(generated.Read(Bytes.Segmented(body, 7))));
        }
    }

    [Fact]
    public void Null_OfADerivedType_TakesNothingOfTheElementBehindIt()
    {
        byte[] body = Encoding.UTF8.GetBytes("<drawing xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'><Shapes><XmlShape xsi:type='sq' xsi:nil='true'/><XmlShape xsi:type='XmlCircle'><Layer>5</Layer></XmlShape></Shapes></drawing>");

        var shapes = new XmlFormatter<XmlDrawing>(XmlDrawing.MessageContract).Read(body).Shapes!;

        Assert.Equal([null, typeof(XmlCircle)], shapes.Select(s => s?.GetType()));
        Assert.Equal(5, shapes[1].Layer);
        Assert.IsType<XmlSquare>(Assert.Single(new XmlFormatter<XmlDrawing>(ByReflection.Xml).Read(body).Shapes!));
    }

    [Theory]
    [InlineData("<Days>many</Days>", "Invoice.Days", MessageFormatErrorCode.BadValue, "<Days>")]
    [InlineData("<!-- c --><Days>many</Days>", "Invoice.Days", MessageFormatErrorCode.BadValue, "<Days>")]
    [InlineData("<Notes><XmlNote Line='1'/><XmlNote Line='x'/></Notes>", "Invoice.Notes[1].Line", MessageFormatErrorCode.BadValue, "<XmlNote Line='x'")]
    [InlineData("<Former><Point><X>99999999999</X></Point></Former>", "Invoice.Former.Point.X", MessageFormatErrorCode.BadValue, "<X>")]
    [InlineData("<Vip xsi:type='Process'/>", "Invoice.Vip", MessageFormatErrorCode.TypeNotAllowed, "<Vip")]
    [InlineData("<Days><a/></Days>", "Invoice.Days", MessageFormatErrorCode.Malformed, "<Days>")]
    public void Read_BadValue_NamesTheMember(string content, string path, MessageFormatErrorCode code, string place)
    {
        string body = $"<Invoice xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xmlns='urn:example:invoices'>{content}</Invoice>";
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Invoices.Read(Encoding.UTF8.GetBytes(body)));
        Assert.Equal((code, true, body.IndexOf(place, StringComparison.Ordinal)), (e.Code, e.IsPoison, (int)e.ByteOffset));
        Assert.Equal("Xml" + path, e.MemberPath);
    }

    [Fact]
    public void Read_AnotherRoot_IsRefused()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Invoices.Read("<Invoice/>"u8));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, 0L), (e.Code, e.ByteOffset));
        Assert.False(Invoices.CanRead(new MessageBody("<Invoice/>"u8.ToArray())));
        Assert.True(Invoices.CanRead(new MessageBody("<!-- --><i:Invoice xmlns:i='urn:example:invoices'/>"u8.ToArray())));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Assert.Throws<MessageFormatException>(() => Nodes.Read("<XmlNode xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'/>"u8)).Code);
    }

    [Theory]
    [InlineData("<!DOCTYPE XmlNode><XmlNode/>")]
    [InlineData("<XmlNode/><XmlNode/>")]
    [InlineData("<XmlNode/>text")]
    [InlineData("<XmlNode><Name>&lol;</Name></XmlNode>")]
    [InlineData("<XmlNode><Name>a</XmlNode></Name>")]
    [InlineData("<XmlNode><Name>a]]></Name></XmlNode>")]
    [InlineData("<XmlNode a='1' a='2'/>")]
    [InlineData("<XmlNode><Name>\u0001</Name></XmlNode>")]
    public void Read_WhatIsNotWellFormed_IsRefused(string body) =>
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => Nodes.Read(Encoding.UTF8.GetBytes(body))).Code);

    [Fact]
    public void Depth_IsLimitedInBothDirections()
    {
        Assert.NotNull(Nodes.Read(Nested(64)));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Nodes.Read(Nested(65)));
        Assert.Equal((MessageFormatErrorCode.DepthExceeded, "<XmlNode>".Length + (63 * "<Next>".Length)), (e.Code, (int)e.ByteOffset));
        var cycle = new XmlNode();
        cycle.Next = cycle;
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Nodes.Write(cycle)).Code);
        var raised = new XmlFormatter<XmlNode>(XmlNode.MessageContract, new XmlOptions { Limits = FormatterLimits.Default with { MaxDepth = int.MaxValue } });
        byte[] deep = Nested(200_000);
        OnSmallStack(() =>
        {
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => raised.Read(deep)).Code);
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => raised.Write(cycle)).Code);
        });
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        var formatter = new XmlFormatter<XmlNode>(XmlNode.MessageContract, new XmlOptions { Limits = FormatterLimits.Default with { MaxBodyByteCount = 1000 } });
        var node = new XmlNode { Name = new string('x', 1000) };
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(node)).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Nodes.Write(node))).Code);
    }

    [Fact]
    public void Write_WhatHasNoXml_SaysWhere()
    {
        MessageFormatException text = Assert.Throws<MessageFormatException>(() => Nodes.Write(new XmlNode { Children = [new XmlNode { Name = "\uD800" }] }));
        Assert.Equal(MessageFormatErrorCode.BadText, text.Code);
        Assert.Equal("XmlNode.Children[0].Name", text.MemberPath);
        var lists = new XmlFormatter<XmlLists>(XmlLists.MessageContract);
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Assert.Throws<MessageFormatException>(() => lists.Write(new XmlLists { Objects = new ArrayList { 5 } })).Code);
        Assert.Throws<ArgumentNullException>(() => Nodes.Write(null!));
    }

    [Theory]
    [InlineData("utf-16", true)]
    [InlineData("utf-16BE", false)]
    [InlineData("utf-8", true)]
    [InlineData("iso-8859-1", false)]
    public void Read_OtherEncodings_AreRead(string encodingName, bool hasPreamble)
    {
        Encoding encoding = Encoding.GetEncoding(encodingName);
        byte[] body = [.. hasPreamble ? encoding.GetPreamble() : [], .. encoding.GetBytes($"<?xml version='1.0' encoding='{encodingName}'?><XmlNode><Name>Gr\u00FC\u00DFe</Name></XmlNode>")];
        Assert.Equal("Gr\u00FC\u00DFe", Nodes.Read(body).Name);
    }

    [Fact]
    public void Write_AllocatesNothing()
    {
        var formatter = new XmlFormatter<OrderWithList>(XmlContracts.OrderWithList);
        OrderWithList order = OrderWithList.From(SampleOrders.Create(1, 50));
        using var buffer = new PooledBufferWriter(64 * 1024);
        formatter.Write(buffer, order);
        buffer.Clear();
        long before = GC.GetAllocatedBytesForCurrentThread();
        formatter.Write(buffer, order);
#if !FORMATTERS_NETSTANDARD
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
#else
        Assert.NotEqual(0, before);
#endif
    }

    [Fact]
    public void WhatIsNotCovered_IsLeftToXmlSerializer()
    {
        Assert.Equal(ContractFormats.None, XmlContracts.Dated.Formats);
        Assert.Same(XmlContracts.Dated, XmlContracts.Dated);
        InvalidOperationException error = Assert.Throws<InvalidOperationException>(() => new XmlFormatter<XmlDated>(XmlContracts.Dated));
        Assert.Contains("XmlDated has no generated contract for Xml", error.Message, StringComparison.Ordinal);
        var formatter = new XmlFormatter<XmlDated>();
        byte[] body = formatter.Write(new XmlDated { Day = new DateTime(2026, 11, 21) });
        Assert.Contains("<Day>2026-11-21</Day>", Encoding.UTF8.GetString(body), StringComparison.Ordinal);
        Assert.Equal(21, formatter.Read(body).Day.Day);
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void Create_TakesTheContractOfTheType() => Assert.Equal(Nodes.Write(new XmlNode { Name = "x" }), XmlFormatter.Create<XmlNode>().Write(new XmlNode { Name = "x" }));
#endif

    private static byte[] Nested(int depth) =>
        Encoding.ASCII.GetBytes("<XmlNode>" + string.Concat(Enumerable.Repeat("<Next>", depth - 1)) + string.Concat(Enumerable.Repeat("</Next>", depth - 1)) + "</XmlNode>");

    private static void OnSmallStack(Action action)
    {
        Exception? failure = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    failure = e;
                }
            },
            256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(failure);
    }
}
