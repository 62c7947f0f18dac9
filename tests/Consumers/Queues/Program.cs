using System;
using System.Threading.Tasks;
using Formatters;
using Formatters.Queues;

namespace Queues;

[MessageContract(Formats = ContractFormats.Binary)]
public partial class Order
{
    public int CustomerID { get; set; }
    public string Name { get; set; } = "";
}

internal static class Program
{
    private static async Task Main()
    {
        var connector = new QueueConnector(new MemoryQueueProvider());
        QueueClient queue = await connector.OpenAsync("memory:orders");
        var formatter = new BinaryBodyFormatter<Order>(Order.MessageContract);
        await queue.SendAsync(new QueueMessage(new MessageBody(formatter.Write(new Order { CustomerID = 7, Name = "é" }))));
        ReceivedMessage message = await queue.ReceiveAsync(TimeSpan.FromSeconds(5)) ?? throw new InvalidOperationException("No message.");
        Order order = formatter.Read(message.Body.ToArray());
        if (order is not { CustomerID: 7, Name: "é" })
            throw new InvalidOperationException("Another order.");
        await message.AcknowledgeAsync();
        if (await queue.GetMessageCountAsync() != 0)
            throw new InvalidOperationException("The message is still there.");
#if NET
        // Builds for .NET have these, that for netstandard2.0 has not.
        if (!BinaryBodyFormatter.Create<Order>().Write(order).AsSpan().SequenceEqual(formatter.Write(order)))
            throw new InvalidOperationException("Other bytes.");
        try
        {
            new JsonFormatter<Order>().Read("""{"CustomerID":1,"CustomerID":2,"Name":"x"}"""u8);
            throw new InvalidOperationException("A property twice was read.");
        }
        catch (MessageFormatException)
        {
        }
#endif
        await queue.DisposeAsync();
        Console.WriteLine(Environment.Version);
    }
}
