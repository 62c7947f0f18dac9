using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.ServiceBus;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Programs that receive under peek-lock, and are killed while they do.</summary>
public sealed class ServiceBusKillTests
{
    /// <summary>The lines that a program may write after those for which the test waits.</summary>
    private const int LinesAfterwards = 30;

    /// <summary>The lines that are certainly written after those at which a program stops.</summary>
    private const int LinesAtTheStop = 5;

    /// <summary>More than a program receives on the average: half of 15 lines, and of those afterwards.</summary>
    private const int MessagesPerRun = 24;

    /// <summary>What they acknowledged is gone, everything else comes again, and nothing is lost.</summary>
    [ServiceBusFact]
    public async Task Receivers_killed_again_and_again_lose_nothing()
    {
        int kills = TestScale.Count("FORMATTERS_SERVICEBUS_KILLS", full: 4, quick: 4, night: 300);
        int messageCount = (kills * MessagesPerRun) + 100;
        string address = $"{ServiceBusPeer.Address}/formatters-tests-{Guid.NewGuid():N}";
        // The locks of a killed program end after five seconds.
        var connector = new QueueConnector(new ServiceBusQueueProvider(new ServiceBusOptions { LockDuration = TimeSpan.FromSeconds(5) }));
        await using QueueClient queue = await connector.OpenAsync(address);
        try
        {
            await queue.SendBatchAsync([.. Enumerable.Range(0, messageCount).Select(i => new QueueMessage { MessageId = $"{i}" })]);
            var acknowledged = new List<string>();
            var received = new List<string>();
            for (int kill = 0; kill < kills; kill += 2)
            {
                int[] lineCounts = [LineCount(kill * 7), LineCount((kill * 7) + 5)];
                // The second has stopped when it is killed, with messages that it has received and not acknowledged.
                CrashChild[] receivers = [.. lineCounts.Select((lines, i) => new CrashChild([], "consume", address, $"{lines + (i == 0 ? LinesAfterwards : -LinesAtTheStop)}"))];
                await Task.WhenAll(receivers.Select(async (receiver, i) =>
                {
                    await receiver.WhenWritten(lineCounts[i]);
                    receiver.Kill();
                }));
                foreach (CrashChild receiver in receivers)
                {
                    (_, List<string> ledger, string error) = await receiver.EndAsync();
                    Assert.Equal("", error);
                    acknowledged.AddRange(Ids(ledger, "acknowledged "));
                    received.AddRange(Ids(ledger, "received "));
                    receiver.Dispose();
                }
            }

            var rest = new List<string>();
            while (await queue.ReceiveAsync(TimeSpan.FromSeconds(8)) is { } message)
            {
                rest.Add(message.MessageId!);
                await message.AcknowledgeAsync();
            }

            // By the programs that followed, or here.
            int redelivered = received.Count + rest.Count - received.Concat(rest).Distinct().Count();
            Assert.True(redelivered > 0);
            // Once each; and none is missing but those whose acknowledgement was done and could not be written down any more.
            Assert.Equal(acknowledged.Count + rest.Count, acknowledged.Concat(rest).Distinct().Count());
            string[] missing = [.. Enumerable.Range(0, messageCount).Select(i => $"{i}").Except(acknowledged).Except(rest)];
            Assert.Empty(missing.Except(received));
            Assert.InRange(missing.Length, 0, 4 * kills);
            Console.WriteLine($"{kills} kills: {messageCount} messages, {acknowledged.Count} acknowledged before the kills, {missing.Length} acknowledged and not written down, {rest.Count} received afterwards, {redelivered} deliveries of a message that was delivered before, 0 lost.");
        }
        finally
        {
            await connector.DeleteAsync(address);
        }
    }

    /// <summary>A session goes on with the first message that was not acknowledged, in its order, and no message of it is with two programs.</summary>
    [ServiceBusFact]
    public async Task Receivers_of_sessions_killed_again_and_again_lose_nothing_and_keep_the_order()
    {
        int kills = TestScale.Count("FORMATTERS_SERVICEBUS_KILLS", full: 4, quick: 4, night: 300);
        const int SessionCount = 4;
        int messageCount = SessionCount * ((kills * MessagesPerRun / SessionCount) + 10);
        string address = $"{ServiceBusPeer.Address}/formatters-tests-{Guid.NewGuid():N}";
        var connector = new QueueConnector(new ServiceBusQueueProvider(new ServiceBusOptions { LockDuration = TimeSpan.FromSeconds(5) }));
        await using QueueClient queue = await connector.OpenAsync(address, new QueueOptions { RequiresSession = true });
        try
        {
            await queue.SendBatchAsync([.. Enumerable.Range(0, messageCount).Select(i => new QueueMessage { MessageId = $"{i}", SessionId = $"s{i % SessionCount}" })]);
            var received = new List<string>();
            var acknowledged = new List<string>();
            for (int kill = 0; kill < kills; kill++)
            {
                int lines = LineCount(kill * 7);
                using var receiver = new CrashChild([], "sessions", address, $"{lines + LinesAfterwards}");
                await receiver.WhenWritten(lines);
                receiver.Kill();
                (_, List<string> ledger, string error) = await receiver.EndAsync();
                Assert.Equal("", error);
                received.AddRange(Ids(ledger, "received "));
                acknowledged.AddRange(Ids(ledger, "acknowledged "));
            }

            var rest = new List<string>();
            while (await queue.AcceptSessionAsync(TimeSpan.FromSeconds(8)) is { } session)
            {
                await using (session)
                {
                    while (await session.ReceiveAsync(TimeSpan.Zero) is { } message)
                    {
                        rest.Add($"{session.SessionId} {message.MessageId}");
                        await message.AcknowledgeAsync();
                    }
                }
            }

            int missing = 0;
            for (int i = 0; i < SessionCount; i++)
            {
                // Of one session: what was acknowledged before the kills, and then the rest, once each and in order.
                int[] numbers = [.. acknowledged.Concat(rest).Select(line => line.Split(' ')).Where(parts => parts[0] == $"s{i}").Select(parts => int.Parse(parts[1], null))];
                Assert.Equal(numbers.Distinct().Order(), numbers);
                // None is missing but those whose acknowledgement was done and could not be written down any more.
                string[] gone = [.. Enumerable.Range(0, messageCount).Where(n => n % SessionCount == i).Except(numbers).Select(n => $"s{i} {n}")];
                Assert.Empty(gone.Except(received));
                missing += gone.Length;
            }

            Assert.InRange(missing, 0, kills);
            Console.WriteLine($"{kills} kills: {messageCount} messages of {SessionCount} sessions, {acknowledged.Count} acknowledged before the kills, {missing} acknowledged and not written down, {rest.Count} received afterwards, 0 lost, all in order.");
        }
        finally
        {
            await connector.DeleteAsync(address);
        }
    }

    private static int LineCount(int number) => 4 + (number % 24);

    private static IEnumerable<string> Ids(List<string> ledger, string verb) =>
        ledger.Where(line => line.StartsWith(verb, StringComparison.Ordinal)).Select(line => line[verb.Length..]);
}
