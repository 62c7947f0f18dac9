using System;
using System.Globalization;
using System.Messaging;

namespace Formatters.SystemMessaging.Program;

/// <summary>
/// <c>send PATH FIRST COUNT</c>: sends numbers. <c>receive PATH</c>: receives numbers in transactions until it is killed; writes each number before
/// the commit and <c>committed</c> after it. <c>move PATH PATH</c>: the same, and sends each number to the second queue in the same transaction.
/// <c>hold PATH</c>: receives in a transaction, and waits to be killed.
/// </summary>
public static class Program
{
    public static int Main(string[] args)
    {
        using var queue = new MessageQueue(args[1]) { Formatter = new XmlMessageFormatter([typeof(int)]) };
        switch (args[0])
        {
            case "send":
                int first = Number(args[2]), count = Number(args[3]);
                for (int i = first; i < first + count; i++)
                {
                    queue.Send(i, MessageQueueTransactionType.Single);
                    Write($"sent {i}");
                }

                return 0;
            case "receive" or "move":
                using (MessageQueue? destination = args[0] == "move" ? new MessageQueue(args[2]) : null)
                while (true)
                {
                    using var transaction = new MessageQueueTransaction();
                    transaction.Begin();
                    int value = (int)queue.Receive(MessageQueue.InfiniteTimeout, transaction).Body!;
                    destination?.Send(value, transaction);
                    Write($"received {value}");
                    transaction.Commit();
                    Write($"committed {value}");
                }

            case "hold":
                var open = new MessageQueueTransaction();
                open.Begin();
                Write($"received {queue.Receive(MessageQueue.InfiniteTimeout, open).Body}");
                Console.In.ReadToEnd();
                return 1;
            default:
                return 2;
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);

    private static void Write(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }
}
