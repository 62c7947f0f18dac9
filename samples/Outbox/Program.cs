// Claim: a program sends into a folder whether the broker is there or not; a forwarder brings the orders to it in their order, losing none.
//
//   dotnet run --project samples/Outbox        to a RabbitMQ of its own (Debian's rabbitmq-server, by eng/rabbitmq), stopped and started in the middle;
//                                              where there is none, to a second folder that somebody else holds in the middle

using System;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;

string scratch = Directory.CreateTempSubdirectory("formatters-outbox-").FullName;
string? broker = Broker("start");
string target = broker is null ? $"file://{scratch}/there/orders" : $"{broker}/outbox-orders";
Console.WriteLine(broker is null ? "No RabbitMQ here: the target is a folder that another has locked in the middle." : "The target is a RabbitMQ that is stopped in the middle.");
var formatter = new HandCodedFormatter<Order>();
Order[] orders = [.. Enumerable.Range(1, 6).Select(seed => SampleOrders.Create(seed))];

await using var folders = new FileQueueProvider();
var connector = new QueueConnector(folders, new RabbitMqQueueProvider());
await using QueueClient outbox = await connector.OpenAsync($"file://{scratch}/here/orders");
using var stop = new CancellationTokenSource();
int retries = 0;
var options = new ForwarderOptions { MaxBackOff = TimeSpan.FromSeconds(1), OnRetry = (e, wait) => retries++ };

// The target is away: what is sent is safe in the folder all the same.
FileQueueProvider? holder = await TakeAwayAsync();
foreach (Order order in orders.Take(3))
    await outbox.SendAsync(order, formatter);
Task forwarding = new QueueForwarder(connector, $"file://{scratch}/here/orders", target, options).RunAsync(stop.Token);
while (retries == 0)
    await Task.Delay(10);
foreach (Order order in orders.Skip(3))
    await outbox.SendAsync(order, formatter);
Check(await outbox.GetMessageCountAsync() + (await outbox.GetLockedCountAsync() ?? 0) == 6, "all six orders wait in the folder");

// It is back: the orders go there by themselves.
await GiveBackAsync();
while (await outbox.GetMessageCountAsync() + await outbox.GetLockedCountAsync() > 0)
    await Task.Delay(10);
await stop.CancelAsync();
await forwarding;
await using (QueueClient there = await connector.OpenAsync(target))
{
    foreach (Order order in orders)
    {
        ReceivedMessage<Order>? received = await there.ReceiveAsync(formatter, TimeSpan.FromSeconds(10));
        Check(received is { Error: null } && order.ContentEquals(received.Value), "the orders arrive whole and in order");
        await received!.AcknowledgeAsync();
    }
}

Console.WriteLine($"Six orders forwarded, after {retries} attempt(s) while the target was away.");
Broker("stop");
await folders.DisposeAsync();
Directory.Delete(scratch, recursive: true);

async Task<FileQueueProvider?> TakeAwayAsync()
{
    if (Broker("stop") is not null)
        return null;
    var other = new FileQueueProvider(); // one process, or provider, at a time has a folder
    await (await other.OpenAsync(QueueAddress.Parse(target), QueueOptions.Default, default)).DisposeAsync();
    return other;
}

async Task GiveBackAsync()
{
    Broker("start");
    if (holder is not null)
        await holder.DisposeAsync();
}

// Runs eng/rabbitmq over a folder of this sample's own; null where there is no RabbitMQ.
string? Broker(string command)
{
    string? root = AppContext.BaseDirectory;
    while (root is not null && !File.Exists(Path.Combine(root, "eng", "rabbitmq")))
        root = Path.GetDirectoryName(root);
    if (root is null || !OperatingSystem.IsLinux())
        return null;
    var start = new ProcessStartInfo(Path.Combine(root, "eng", "rabbitmq"), [command, Path.Combine(scratch, "rabbitmq")]) { RedirectStandardOutput = true, RedirectStandardError = true };
    start.Environment["RABBITMQ_OWNER"] = $"{Environment.ProcessId}";
    using Process process = Process.Start(start)!;
    string output = process.StandardOutput.ReadToEnd();
    process.WaitForExit();
    return process.ExitCode != 0 ? null : output.Split("FORMATTERS_RABBITMQ=").Last().Split('\n')[0].Trim();
}

static void Check(bool holds, string claim)
{
    if (!holds)
        throw new InvalidOperationException($"Not true: {claim}.");
}
