using System;
using System.Linq;
using System.Messaging;
using System.Text;
using Formatters.Interop.Tests.SystemMessaging;
using Formatters.LegacyBinary.Tests;
using Formatters.Orders;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>System.Messaging's own formatters at the other end. They are given only what they wrote themselves, and what we wrote of objects made here.</summary>
public sealed class GenuineFormatterTests
{
    private const int GraphCount = 300;

    /// <summary>Another run: another seed.</summary>
    private static readonly int Seed = TestScale.Seed(20041120);

    private static readonly FormatterAdapter Legacy = new(OrderFormats.All["legacy-binary"]);
    private static readonly FormatterAdapter Xml = new(OrderFormats.All["xml"]);
    private static readonly FormatterAdapter GeneratedXml = new(new XmlFormatter<Order>(GeneratedContracts.Order));

    [Fact]
    public void RandomGraphs_ByBinaryMessageFormatter_AreOurs_AndOursAreIts()
    {
        var ours = new FormatterAdapter(new LegacyBinaryFormatter<Graph>(RandomGraphs.Options));
        int changed = 0;
        for (int seed = Seed; seed < Seed + GraphCount; seed++)
        {
            // Graphs have cycles, so they are compared by what ours writes of them.
            Graph graph = new RandomGraphs(seed, withStringComparers: false).Next();
            byte[] ourBytes = Write(ours, graph);

            Message theirs = Received(WriteTheirs(graph), BodyTypes.LegacyBinary);
            Assert.True(ours.CanRead(theirs));
            Assert.True(ourBytes.SequenceEqual(Write(ours, ours.Read(theirs)!)), $"Seed {seed}: what BinaryMessageFormatter has written is read otherwise");

            Message message = Received(ourBytes, BodyTypes.LegacyBinary);
            Assert.True(new BinaryMessageFormatter().CanRead(message));
            changed += ourBytes.SequenceEqual(Write(ours, new BinaryMessageFormatter().Read(message))) ? 0 : 1;
        }

        // A few it reads as others, with objects shared that were not.
        Assert.InRange(changed, 0, GraphCount / 100);
    }

    [Fact]
    public void Orders_ByBinaryMessageFormatter_AreOurs_AndOursAreIts()
    {
        for (int i = 0; i < 50; i++)
        {
            Order order = OrderFormats.Order(i);
            byte[] theirs = WriteTheirs(order);
            Assert.Equal(theirs, Write(Legacy, order));
            Assert.True(order.ContentEquals((Order)Legacy.Read(Received(theirs, BodyTypes.LegacyBinary))!));
            Assert.True(order.ContentEquals((Order)new BinaryMessageFormatter().Read(Received(Write(Legacy, order), BodyTypes.LegacyBinary))));
        }
    }

    [Fact]
    public void Orders_ByXmlMessageFormatter_AreOurs_AndOursAreIts()
    {
        for (int i = 0; i < 50; i++)
        {
            Order order = OrderFormats.Order(i);
            var genuine = new XmlMessageFormatter([typeof(Order)]);
            var message = new Message();
            genuine.Write(message, order);
            byte[] theirs = FormatterAdapterTests.Bytes(message);
            Assert.Equal(0, message.BodyType);
            foreach (FormatterAdapter xml in new[] { Xml, GeneratedXml })
            {
                Assert.True(xml.CanRead(message));
                Assert.True(order.ContentEquals((Order)xml.Read(message)!));
                byte[] ours = Write(xml, order);
                Assert.True(order.ContentEquals((Order)genuine.Read(Received(ours, BodyTypes.Xml))));
                // Mono ends lines as its system does; the rest is the same.
                Assert.Equal(Encoding.UTF8.GetString(theirs).Replace("\r\n", "\n"), Encoding.UTF8.GetString(ours).Replace("\r\n", "\n"));
            }
        }
    }

    [Fact]
    public void AMessageOfABinaryMessageFormatter_IsReadThroughItsBody()
    {
        Order order = OrderFormats.Order(4);
        Message message = Received(WriteTheirs(order), BodyTypes.LegacyBinary);
        message.Formatter = new FormatterAdapter(OrderFormats.Registry);
        Assert.True(order.ContentEquals((Order)message.Body));
    }

    private static byte[] WriteTheirs(object value)
    {
        var message = new Message();
        new BinaryMessageFormatter().Write(message, value);
        Assert.Equal(BodyTypes.LegacyBinary, message.BodyType);
        return FormatterAdapterTests.Bytes(message);
    }

    private static byte[] Write(FormatterAdapter adapter, object value)
    {
        var message = new Message();
        adapter.Write(message, value);
        return FormatterAdapterTests.Bytes(message);
    }

    private static Message Received(byte[] bytes, int bodyType) => new() { BodyStream = new System.IO.MemoryStream(bytes), BodyType = bodyType };
}

/// <summary>The order in XML by generated code.</summary>
[MessageContractFor(typeof(Order), Name = "Order", Formats = ContractFormats.Xml)]
internal static partial class GeneratedContracts;
