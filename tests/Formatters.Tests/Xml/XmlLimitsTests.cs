using System;
using System.Linq;
using System.Text;
using System.Threading;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Tests.Xml;

/// <summary>Bodies made to hurt.</summary>
public class XmlLimitsTests(ITestOutputHelper output)
{
    private static readonly XmlFormatter<XmlFormatterTests.Node> Nodes = new();

    [Fact]
    public void Read_TwoHundredThousandElementsDeep_OnASmallStack_IsTheTypedError()
    {
        byte[] body = Nested(200_000);
        MessageFormatException? e = null;
        OnStack(256 * 1024, () => e = Assert.Throws<MessageFormatException>(() => Nodes.Read(body)));
        Assert.Equal((MessageFormatErrorCode.DepthExceeded, false), (e!.Code, e.IsPoison));
        Assert.Equal("<Node>".Length + (63 * "<Next>".Length), e.ByteOffset);
    }

    [Fact]
    public void Read_DepthBeyondTheStack_WithTheLimitRaised_IsTheTypedError()
    {
        byte[] body = Nested(200_000);
        var formatter = new XmlFormatter<XmlFormatterTests.Node>(new XmlOptions { Limits = FormatterLimits.Default with { MaxDepth = int.MaxValue } });
        OnStack(256 * 1024, () =>
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code));
    }

    [Fact]
    public void Write_DepthBeyondTheLimitOrTheStack_IsTheTypedError()
    {
        XmlFormatterTests.Node? chain = null;
        for (int i = 0; i < 200_000; i++)
            chain = new XmlFormatterTests.Node { Next = chain };
        var raised = new XmlFormatter<XmlFormatterTests.Node>(new XmlOptions { Limits = FormatterLimits.Default with { MaxDepth = int.MaxValue } });
        OnStack(256 * 1024, () =>
        {
            foreach (XmlFormatter<XmlFormatterTests.Node> formatter in new[] { Nodes, raised })
                Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(chain!)).Code);
        });
    }

    [Fact]
    public void MaxDepth_CountsElements()
    {
        Assert.NotNull(Nodes.Read(Nested(64)));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Nodes.Read(Nested(65))).Code);

        // Depth is that of the markup: what stands in comments, CDATA, instructions and attribute values does not count, empty elements end at once.
        string disguise = string.Concat(Enumerable.Repeat("<!-- <a><b> --><?pi <a> ?><Name><![CDATA[<a><b>]]></Name><Tag a='>' b=\"/>\"/>", 100));
        Assert.NotNull(Nodes.Read(Encoding.UTF8.GetBytes("<Node>" + disguise + "</Node>")));
        // A comment that begins with its own end is not at its end.
        string begun = string.Concat(Enumerable.Repeat("<!--><a><b>--><!---><a><b>-->", 100));
        Assert.NotNull(Nodes.Read(Encoding.UTF8.GetBytes("<Node>" + begun + "</Node>")));
        string hidden = "<Node a='/>'><x b='\"'><!-- ' --></x>" + string.Concat(Enumerable.Repeat("<y c='/'>", 64));
        Assert.Equal(
            MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Nodes.Read(Encoding.UTF8.GetBytes(hidden))).Code);
    }

    [Fact]
    public void Read_DeepUtf16_IsTheTypedError()
    {
        byte[] body = [0xFF, 0xFE, .. Encoding.Unicode.GetBytes(Encoding.ASCII.GetString(Nested(200_000)))];
        OnStack(256 * 1024, () =>
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => Nodes.Read(body)).Code));
    }

    [Fact]
    public void Read_EntityExpansion_IsRefusedBeforeItIsParsed()
    {
        var laughs = new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY lol0 \"lol\">");
        for (int i = 1; i < 10; i++)
            laughs.Append("<!ENTITY lol").Append(i).Append(" \"").Insert(laughs.Length, $"&lol{i - 1};", 10).Append("\">");
        laughs.Append("]><Node><Name>&lol9;</Name></Node>");
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Nodes.Read(Encoding.UTF8.GetBytes(laughs.ToString())));
        Assert.Equal((MessageFormatErrorCode.Malformed, 21L, true), (e.Code, e.ByteOffset, e.IsPoison));

        byte[] external = "<!DOCTYPE Node SYSTEM 'file:///etc/hostname'><Node/>"u8.ToArray();
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => Nodes.Read(external)).Code);
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => Nodes.Read("<Node><Name>&lol;</Name></Node>"u8)).Code);
    }

    [Fact]
    public void Read_MillionAttributes_IsRefusedWithoutAllocatingForThem()
    {
        string Attributes(int count) => string.Concat(Enumerable.Range(0, count).Select(i => $" a{i}=''"));
        Assert.NotNull(Nodes.Read(Encoding.UTF8.GetBytes($"<Node{Attributes(1000)}/>")));
        byte[] body = Encoding.UTF8.GetBytes($"<Node><Next{Attributes(1_000_000)}/></Node>");
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Nodes.Read(body));
        long allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        Assert.Equal((MessageFormatErrorCode.LimitExceeded, 6L, false), (e.Code, e.ByteOffset, e.IsPoison));
        Assert.True(allocated < 100_000, $"{allocated} bytes were allocated for a body that is refused.");
        Assert.False(Nodes.CanRead(new MessageBody(Encoding.UTF8.GetBytes($"<Node{Attributes(1_000_000)}/>"))));
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = 1000 };
        var formatter = new XmlFormatter<string>(new XmlOptions { Limits = limits });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new string('x', 1000))).Code);
        byte[] body = new XmlFormatter<string>().Write(new string('x', 1000));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code);
        var untyped = new XmlFormatter([typeof(string)], XmlBodyStyle.Framework, limits);
        Assert.True(untyped.CanRead(new MessageBody(body)));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => untyped.Read(new MessageBody(body))).Code);
    }

    [Fact]
    public void Read_Damaged64KilobyteBody_OnlyTheTypedError()
    {
        var formatter = new XmlFormatter<Order>();
        byte[] body = formatter.Write(SampleOrders.Create(3, 340, SampleText.Accented));
        Assert.InRange(body.Length, 60_000, 90_000);
        Mutation.Run(output, 20041120, 300, body, damaged => formatter.Read(damaged));
    }

    [Fact]
    public void Read_DamagedSmallBody_OnlyTheTypedError()
    {
        var formatter = new XmlFormatter(typeof(Order), typeof(XmlFormatterTests.Node), typeof(string));
        byte[] body = new XmlFormatter<XmlFormatterTests.Node>().Write(
            new XmlFormatterTests.Node { Name = "<&>\r\n\u0001", Mark = "\u00FC", Tag = 5, Next = new XmlFormatterTests.Node { Tag = DateTime.UnixEpoch } });
        Mutation.Run(output, 4711, 3000, body, damaged =>
        {
            formatter.CanRead(new MessageBody(damaged));
            formatter.Read(new MessageBody(damaged));
        });
    }

    private static byte[] Nested(int depth)
    {
        var xml = new StringBuilder("<Node>");
        for (int i = 1; i < depth; i++)
            xml.Append("<Next>");
        for (int i = 1; i < depth; i++)
            xml.Append("</Next>");
        return Encoding.ASCII.GetBytes(xml.Append("</Node>").ToString());
    }

    private static void OnStack(int maxStackByteCount, Action action)
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
            maxStackByteCount);
        thread.Start();
        thread.Join();
        if (failure is not null)
            throw new InvalidOperationException("On the small stack: " + failure.Message, failure);
    }
}
