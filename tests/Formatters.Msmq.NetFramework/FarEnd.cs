using System;
using System.Globalization;
using System.IO;
using System.Messaging;
using System.Threading;
using Formatters.Interop.Tests.SystemMessaging;
using Formatters.Orders;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>The end of a queue that is System.Messaging's, in a process of its own.</summary>
internal static class FarEnd
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    internal static int Run(string[] args, TextWriter output)
    {
        string path = Program.PathOf(args[1]);
        switch (args[0])
        {
            case "send":
                Send(path, args[2]);
                break;
            case "receive":
                output.WriteLine(Receive(path));
                break;
            default:
                throw new ArgumentException($"'{args[0]}' is no command.", nameof(args));
        }

        return 0;
    }

    /// <summary>Sends orders in a format, then a number by ActiveX, and a message that no formatter knows.</summary>
    private static void Send(string path, string format)
    {
        using var queue = new MessageQueue(path);
        queue.Formatter = format switch
        {
            OrderFormats.GenuineBinary => new BinaryMessageFormatter(),
            OrderFormats.GenuineXml => new XmlMessageFormatter([typeof(Order)]),
            _ => new FormatterAdapter(OrderFormats.All[format]),
        };
        for (int i = 0; i < OrderFormats.OrderCount; i++)
            queue.Send(OrderFormats.Order(i), i.ToString(CultureInfo.InvariantCulture));
        queue.Send(OrderFormats.OrderCount, new ActiveXFormatter(), "a number");
    }

    /// <summary>Receives orders in any format until the number that ends them, by our formatters or, where the format is theirs, also by System.Messaging's.</summary>
    private static string Receive(string path)
    {
        using var queue = new MessageQueue(path) { Formatter = new FormatterAdapter(OrderFormats.Registry) };
        int count = 0;
        while (true)
        {
            Message message = queue.Receive(Soon);
            if (message.Body is int expected)
                return Equal(expected, count);
            Order order = OrderFormats.Order(int.Parse(message.Label, CultureInfo.InvariantCulture));
            Assert.True(order.ContentEquals((Order)message.Body));
            if (message.BodyType == BodyTypes.LegacyBinary)
                Assert.True(order.ContentEquals((Order)new BinaryMessageFormatter().Read(message)));
            else if (message.BodyType == BodyTypes.Xml)
                Assert.True(order.ContentEquals((Order)new XmlMessageFormatter([typeof(Order)]).Read(message)));
            count++;
        }
    }

    private static string Equal(int expected, int count)
    {
        Assert.Equal(expected, count);
        return $"{count} orders received";
    }
}
