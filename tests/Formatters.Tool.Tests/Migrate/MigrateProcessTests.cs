using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.LegacyBinary;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Tools.Tests.Migrate;

/// <summary>The built tool in a process of its own that is killed, interrupted, and left alone, over durable queues.</summary>
public sealed class MigrateProcessTests : IDisposable
{
    private const int Count = 4_000;

    private static readonly LegacyBinaryFormatter<Order> Legacy = new(options: LegacyBinaryOptions.Default.WithType(typeof(LineItem)));

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-migrate-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [BrokerFact]
    public Task Killed_between_brokers_queues() => KillAsync(Broker.NewQueue(), Broker.NewQueue());

    [BrokerFact]
    public Task Killed_from_a_folder_to_a_broker() => KillAsync($"file:{_folder}/queues/old", Broker.NewQueue());

    [BrokerFact]
    public Task Killed_from_a_broker_to_a_folder() => KillAsync(Broker.NewQueue(), $"file:{_folder}/queues/new");

    [Fact]
    public Task Killed_between_folders() => KillAsync($"file:{_folder}/a/old", $"file:{_folder}/b/new");

    [BrokerFact]
    public async Task Interrupted_from_the_keyboard()
    {
        string source = Broker.NewQueue();
        string destination = Broker.NewQueue();
        await SendAsync(source);
        using Process tool = Start(source, destination, "1000");
        await UntilUnderWayAsync(tool, source, destination, startCount: 0);
        using Process kill = Process.Start("kill", ["-INT", $"{tool.Id}"]);
        string error = await tool.StandardError.ReadToEndAsync();
        await tool.WaitForExitAsync();

        Assert.Equal(130, tool.ExitCode);
        Assert.Contains("interrupted; what was not moved is in its queue", error, StringComparison.Ordinal);
        // Between messages: none is in both.
        int movedCount = await CountAsync(destination);
        Assert.InRange(movedCount, 1, Count);
        List<int> ids = await ReadAsync(destination, new BinaryBodyFormatter<Order>(), movedCount);
        ids.AddRange(await ReadAsync(source, Legacy, Count - movedCount));
        Assert.Equal(Enumerable.Range(0, Count), ids.Order());
        await DeleteAsync(source, destination);
    }

    /// <summary>Kills the tool while it moves messages, again and again, and then lets it end: every message has arrived, at most more than once.</summary>
    private static async Task KillAsync(string source, string destination)
    {
        await SendAsync(source);
        for (int kills = 0; kills < 3; kills++)
        {
            using Process doomed = Start(source, destination, "0.2");
            await UntilUnderWayAsync(doomed, source, destination);
            await Task.Delay(40 * kills);
            doomed.Kill();
            await doomed.WaitForExitAsync();
        }

        using Process tool = Start(source, destination, "5");
        string error = await tool.StandardError.ReadToEndAsync();
        await tool.WaitForExitAsync();

        Assert.True(tool.ExitCode == 0, error);
        List<int> ids = await ReadAsync(destination, new BinaryBodyFormatter<Order>(), Count);
        Assert.Equal(Enumerable.Range(0, Count), ids.Distinct().Order());
        Assert.Empty(await ReadAsync(source, Legacy, 0));
        await DeleteAsync(source, destination);
    }

    /// <summary>Waits until some messages have moved, where a queue can be asked; else until the tool has begun.</summary>
    /// <param name="startCount">How many there were; null means to ask, which is late where the tool is already moving them.</param>
    private static async Task UntilUnderWayAsync(Process tool, string source, string destination, long? startCount = null)
    {
        Assert.Equal("migrating ...", await tool.StandardError.ReadLineAsync());
        bool isSource = !destination.StartsWith("amqp", StringComparison.Ordinal);
        string asked = isSource ? source : destination;
        if (!asked.StartsWith("amqp", StringComparison.Ordinal))
            return;
        await using QueueClient queue = await new QueueConnector(new RabbitMqQueueProvider()).OpenAsync(asked, QueueOptions.Fastest);
        long start = startCount ?? await queue.GetMessageCountAsync();
        while (!tool.HasExited && Math.Abs(await queue.GetMessageCountAsync() - start) < 200)
            await Task.Yield();
    }

    private static Process Start(string source, string destination, string wait)
    {
        // A program that a script runs in the background ignores SIGINT, and so do all that it starts.
        string[] command = OperatingSystem.IsLinux() ? ["env", "--default-signal=INT", "dotnet"] : ["dotnet"];
        var start = new ProcessStartInfo(command[0]) { RedirectStandardOutput = true, RedirectStandardError = true };
        string[] args =
        [
            .. command[1..], Path.Combine(AppContext.BaseDirectory, "Formatters.Tool.dll"), "migrate", source, destination,
            "--type", typeof(Order).FullName!, "--type", typeof(LineItem).FullName!, "--assembly", typeof(Order).Assembly.Location, "--to-format", "binary", "--wait", wait,
        ];
        Array.ForEach(args, start.ArgumentList.Add);
        return Process.Start(start)!;
    }

    private static async Task SendAsync(string address)
    {
        await using var files = new FileQueueProvider();
        await using QueueClient queue = await new QueueConnector(files, new RabbitMqQueueProvider()).OpenAsync(address, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        await Task.WhenAll(Enumerable.Range(0, Count).Select(i =>
        {
            var message = new QueueMessage { MessageId = $"{i}" };
            ((IMessageFormatter)Legacy).Write(message.Body, SampleOrders.Create(seed: i, lineItemCount: 3));
            return queue.SendAsync(message).AsTask();
        }));
    }

    private static async Task<int> CountAsync(string address)
    {
        await using QueueClient queue = await new QueueConnector(new RabbitMqQueueProvider()).OpenAsync(address, QueueOptions.Fastest);
        return (int)await queue.GetMessageCountAsync();
    }

    /// <summary>Looks at all messages, checks that each has the order that its id says, and gives the ids.</summary>
    /// <remarks>Waits long for the messages that are expected, and not for others.</remarks>
    private static async Task<List<int>> ReadAsync(string address, MessageFormatter<Order> formatter, int expectedCount)
    {
        await using var files = new FileQueueProvider();
        // Looked at, and not acknowledged one by one: that would be a flush for each.
        var options = new QueueOptions { ReceiveMode = ReceiveMode.PeekLock, PrefetchCount = ushort.MaxValue };
        await using QueueClient queue = await new QueueConnector(files, new RabbitMqQueueProvider()).OpenAsync(address, options);
        var ids = new List<int>();
        var different = new HashSet<int>();
        while (await queue.ReceiveAsync(TimeSpan.FromSeconds(different.Count < expectedCount ? 30 : 1)) is { } message)
        {
            int id = int.Parse(message.MessageId!, System.Globalization.CultureInfo.InvariantCulture);
            Assert.True(formatter.Read(message.Body).ContentEquals(SampleOrders.Create(seed: id, lineItemCount: 3)));
            ids.Add(id);
            different.Add(id);
        }

        return ids;
    }

    private static async Task DeleteAsync(params string[] queues)
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider());
        foreach (string queue in queues.Where(queue => queue.StartsWith("amqp", StringComparison.Ordinal)))
            await connector.DeleteAsync(queue);
    }
}
