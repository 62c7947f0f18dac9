// Claim: an order goes through a queue and comes out equal; a message that is no order does not get lost.
//
//   dotnet run --project samples/QueueRoundTrip                                  through this process's memory
//   dotnet run --project samples/QueueRoundTrip -- amqp://localhost/round-trip   through RabbitMQ

using System;
using Formatters;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;

string address = args.Length > 0 ? args[0] : "memory:round-trip";
var connector = new QueueConnector(new MemoryQueueProvider(), new FileQueueProvider(), new RabbitMqQueueProvider());
var formatter = new HandCodedFormatter<Order>();
TimeSpan timeout = TimeSpan.FromSeconds(5);

try
{
    await using QueueClient queue = await connector.OpenAsync(address); // recoverable where it can be, and peek-lock
    await queue.PurgeAsync();
    Order order = SampleOrders.Create(lineItemCount: 50);

    await queue.SendAsync(order, formatter, label: "an order");
    await queue.SendAsync(new QueueMessage(new MessageBody("no order"u8.ToArray())) { Label = "something else" });

    ReceivedMessage<Order>? received = await queue.ReceiveAsync(formatter, timeout);
    Check(received is { Error: null, Message.Label: "an order" } && order.ContentEquals(received.Value), "the order comes out equal");
    await received!.AcknowledgeAsync();

    ReceivedMessage<Order>? other = await queue.ReceiveAsync(formatter, timeout);
    Check(other is { Error.IsPoison: true, Message.Body.ByteCount: 8 }, "the other message is told apart, and is in our hand");
    await other!.AcknowledgeAsync();

    Check(await queue.ReceiveAsync(TimeSpan.Zero) is null, "the queue is empty");
    Console.WriteLine($"{queue.Capabilities.Product}, {queue.Address}: {received.Message.Body.ByteCount} bytes there and back.");
    return 0;
}
catch (Exception e) when (e is QueueException or FormatException or NotSupportedException or InvalidOperationException)
{
    Console.Error.WriteLine(e.Message);
    return 1;
}

static void Check(bool holds, string claim)
{
    if (!holds)
        throw new InvalidOperationException($"Not true: {claim}.");
}
