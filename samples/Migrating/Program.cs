// A queue on its way from the bodies of System.Messaging to new ones, while old senders still send (docs/migration.md).
// Claim: the receiver reads all of them, each step of the way, and what nobody can read is put aside and not lost.
//   dotnet run --project samples/Migrating                           in a folder of its own, durable
//   dotnet run --project samples/Migrating -- amqp://localhost/      on RabbitMQ
using System;
using System.IO;
using System.Linq;
using Formatters;
using Formatters.LegacyBinary;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;

string folder = Path.Combine(Path.GetTempPath(), "formatters-migrating-" + Guid.NewGuid().ToString("N"));
string place = args.Length > 0 ? args[0] : $"file:{folder}/";
try
{
    await using var files = new FileQueueProvider();
    var connector = new QueueConnector(files, new RabbitMqQueueProvider());
    await using QueueClient queue = await connector.OpenAsync(place + "orders"); // recoverable and peek-lock, by default
    await using QueueClient errors = await connector.OpenAsync(place + "orders-errors");
    _ = await queue.PurgeAsync() + await errors.PurgeAsync();

    // Who has not been changed yet: .NET Framework with its binary and its XML formatter.
    var binary768 = new LegacyBinaryFormatter<Order>(LegacyBinaryOptions.Default.WithType(typeof(LineItem)));
    var xml = new XmlFormatter<Order>();
    // Step 1, in every receiver: reads all three formats, writes the old one. Step 2, when all receivers have it: writes the new one.
    var step1 = new FormatterRegistry(binary768, xml, new HandCodedFormatter<Order>());
    FormatterRegistry step2 = step1.WithWriter(new HandCodedFormatter<Order>());

    IMessageFormatter[] senders = [binary768, xml, step1, step2];
    for (int i = 0; i < 12; i++)
        await queue.SendAsync(SampleOrders.Create(seed: i), senders[i % senders.Length]);
    await queue.SendAsync(new QueueMessage(new MessageBody("of an unknown time"u8.ToArray(), bodyType: 768)));

    int equal = 0;
    while (await queue.ReceiveAsync(TimeSpan.FromSeconds(1)) is { } message)
    {
        try
        {
            equal += step2.Read<Order>(message.Body).ContentEquals(SampleOrders.Create(seed: equal)) ? 1 : 0;
        }
        catch (MessageFormatException e)
        {
            await errors.SendAsync(new QueueMessage(message.Body) { MessageId = message.MessageId, Headers = { ["reason"] = e.Message } });
        }

        await message.AcknowledgeAsync(); // only now: what is not processed is still there
    }

    bool isAside = await errors.ReceiveAsync(TimeSpan.FromSeconds(1)) is { Body: var body } && body.ToArray().SequenceEqual("of an unknown time"u8.ToArray());
    Console.WriteLine($"{equal} orders of 4 senders read; {(isAside ? "the one that cannot be read is" : "ONE IS NOT")} in the error queue.");
    return equal == 12 && isAside ? 0 : 1;
}
finally
{
    if (Directory.Exists(folder))
        Directory.Delete(folder, recursive: true);
}
