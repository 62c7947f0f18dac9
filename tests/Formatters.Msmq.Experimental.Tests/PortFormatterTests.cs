using System;
using System.IO;
using System.Text;
using Formatters.Interop.Tests.SystemMessaging;
using Formatters.LegacyBinary;
using Formatters.Orders;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>The port's own formatters, which work without a queue, as the other end.</summary>
public sealed class PortFormatterTests
{
    private static readonly Order Order = OrderFormats.Order(3);

    [Fact]
    public void Xml_InTheStyleNet_HasTheBytesOfThePort()
    {
        var theirs = new Message();
        new XmlMessageFormatter([typeof(Order)]).Write(theirs, Order);
        theirs.BodyStream.Position = 0;
        string text = new StreamReader(theirs.BodyStream).ReadToEnd();

        // Only on Windows, where queues are, does .NET end lines as Windows does.
        Assert.Equal(text.ReplaceLineEndings("\r\n"), Encoding.UTF8.GetString(new XmlFormatter<Order>(new XmlOptions { Style = XmlBodyStyle.Net }).Write(Order)));
    }

    [Fact]
    public void Xml_IsReadByThePort_AndThePortsIsRead()
    {
        var ours = new FormatterAdapter(new XmlFormatter<Order>());
        var port = new XmlMessageFormatter([typeof(Order)]);

        var message = new Message();
        ours.Write(message, Order);
        Assert.True(port.CanRead(message));
        Assert.True(Order.ContentEquals((Order)port.Read(message)));

        var theirs = new Message();
        port.Write(theirs, Order);
        Assert.Equal(0, theirs.BodyType);
        Assert.True(ours.CanRead(theirs));
        Assert.True(Order.ContentEquals((Order)ours.Read(theirs)!));
        Assert.True(Order.ContentEquals(theirs.Read<Order>(OrderFormats.Registry)));
    }

    [Fact]
    public void ActiveX_IsReadByThePort_AndThePortsIsRead()
    {
        var ours = new FormatterAdapter(new ActiveXFormatter());
        var port = new ActiveXMessageFormatter();
        foreach (object value in new object[] { (short)-1, ushort.MaxValue, 7, 7u, 1L << 40, ulong.MaxValue, 2.5f, 2.5, (byte)9 })
        {
            var message = new Message();
            ours.Write(message, value);
            Assert.True(port.CanRead(message));
            Assert.Equal(value, port.Read(message));

            var theirs = new Message();
            port.Write(theirs, value);
            theirs.BodyStream.Position = 0;
            Assert.Equal((message.BodyType, Convert.ToHexString(FormatterAdapterTests.Bytes(message))), (theirs.BodyType, Convert.ToHexString(FormatterAdapterTests.Bytes(theirs))));
            Assert.Equal(value, ours.Read(theirs));
        }
    }

    [Fact]
    public void LegacyBinary_IsTakenForItsOwnByThePort()
    {
        // To read it the port has no formatter any more: BinaryFormatter has gone from .NET.
        var message = new Message();
        new FormatterAdapter(new LegacyBinaryFormatter<int>()).Write(message, 42);
        Assert.True(new BinaryMessageFormatter().CanRead(message));
        Assert.Equal(42, message.Read<int>(new LegacyBinaryFormatter<int>()));
    }

    [Fact]
    public void ABodyThatCameThroughTheBody_IsTheFormatters()
    {
        var message = new Message(Order, new FormatterAdapter(new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem)))));
        Assert.Same(Order, message.Body);
        var received = new Message { Formatter = message.Formatter };
        message.Formatter.Write(received, Order);
        Assert.True(Order.ContentEquals((Order)received.Body));
        received.BodyStream = new MemoryStream([0, 1]);
        received.BodyType = 768;
        Assert.Throws<MessageFormatException>(() => ((ISystemMessageFormatter)message.Formatter.Clone()).Read(received));
    }
}
