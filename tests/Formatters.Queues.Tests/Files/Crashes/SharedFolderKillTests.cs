using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>
/// Four programs work on one folder; the owner or another is killed, again and again. Nothing is lost, nobody else sees an exception, and a message comes again only if who had it was
/// killed.
/// </summary>
public class SharedFolderKillTests(ITestOutputHelper output)
{
    private const int ProgramCount = 4;

    /// <summary>How many owners are killed, and as many others.</summary>
    private static int KillCount => TestScale.Count("FORMATTERS_SHARING_KILLS", full: 5, quick: 5, night: 500);

    [KillFact]
    public async Task Killed_owners_and_others_lose_nothing_and_nobody_else_notices()
    {
        var folder = new TestFolder();
        var random = new Random(TestScale.Seed(1));
        var ledger = new SharedLedger();
        var programs = new CrashChild[ProgramCount];
        int started = 0;
        for (int i = 0; i < ProgramCount; i++)
            programs[i] = Start();
        int owners = 0;
        int others = 0;
        while (owners < KillCount || others < KillCount)
        {
            await Task.WhenAll(programs.Select(program => program.WhenWritten(random.Next(100))));
            await Task.Delay(random.Next(50));
            int owner = Array.FindIndex(programs, program => program.ProcessId == OwnerOf(folder.Path));
            int killed = owners < KillCount && (others >= KillCount || random.Next(2) == 0) ? owner : random.Next(ProgramCount);
            if (killed < 0)
                continue;
            owners += killed == owner ? 1 : 0;
            others += killed == owner ? 0 : 1;
            programs[killed].Kill();
            (int exitCode, List<string> lines, string error) = await programs[killed].EndAsync();
            Assert.True(exitCode == 137, $"ended with {exitCode}: {error}");
            ledger.Add(lines);
            programs[killed].Dispose();
            programs[killed] = Start();
        }

        await Task.WhenAll(programs.Select(program => program.WhenWritten(100)));
        foreach (CrashChild program in programs)
        {
            program.Kill();
            (int exitCode, List<string> lines, string error) = await program.EndAsync();
            Assert.True(exitCode == 137, $"ended with {exitCode}: {error}");
            ledger.Add(lines);
            program.Dispose();
        }

        output.WriteLine($"{owners} owners and {others} others killed: {await ledger.CheckAsync(folder.Path)}");
        folder.Delete();

        CrashChild Start()
        {
            started++;
            return new CrashChild([], "share", folder.Path, $"{started * 1_000_000L}", $"{started}");
        }
    }

    private static int OwnerOf(string folder) =>
        FolderLock.DescribeOwner(folder).Split(' ') is ["process", string id, ..] ? int.Parse(id, CultureInfo.InvariantCulture) : 0;

    /// <summary>What the ended programs say.</summary>
    private sealed class SharedLedger
    {
        private readonly Dictionary<long, Item> _items = [];
        private int _sent;
        private int _acknowledged;

        internal void Add(List<string> lines)
        {
            // What this program had when it was killed may come again.
            var taken = new HashSet<long>();
            var received = new HashSet<long>();
            foreach (string line in lines)
            {
                string[] words = line.Split(' ');
                if (words.Length != 2 || !long.TryParse(words[1], out long id))
                    continue;
                if (!_items.TryGetValue(id, out Item? item))
                    _items.Add(id, item = new Item());
                switch (words[0])
                {
                    case "sent":
                        item.IsSent = true;
                        _sent++;
                        break;
                    case "taken":
                        item.Taken++;
                        taken.Add(id);
                        break;
                    case "moved":
                        item.Moved++;
                        taken.Remove(id);
                        break;
                    case "received":
                        item.Received++;
                        received.Add(id);
                        break;
                    case "acknowledged":
                        item.Acknowledged++;
                        _acknowledged++;
                        received.Remove(id);
                        break;
                }
            }

            foreach (long id in taken)
                _items[id].TakenByKilled++;
            foreach (long id in received)
                _items[id].ReceivedByKilled++;
        }

        internal async Task<string> CheckAsync(string folder)
        {
            var waiting = new Dictionary<long, int>();
            await using (var provider = new FileQueueProvider(Program.Options))
            {
                foreach (string name in new[] { "a", "b" })
                {
                    await using QueueClient queue = await provider.OpenAsync(QueueAddress.Parse($"file://{folder}/{name}"),
                        new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }, default);
                    while (await queue.ReceiveBatchAsync(1_000, TimeSpan.Zero) is { Count: > 0 } messages)
                    {
                        foreach (ReceivedMessage message in messages)
                            waiting[CrashMessage.Read(message)] = waiting.GetValueOrDefault(CrashMessage.Read(message)) + 1;
                    }
                }
            }

            int again = 0;
            foreach ((long id, Item item) in _items)
            {
                int left = waiting.GetValueOrDefault(id);
                Assert.True(left <= 1, $"{id} waits {left} times");
                Assert.True(item.Moved <= 1 && item.Acknowledged <= 1, $"{id} was moved {item.Moved} times, acknowledged {item.Acknowledged} times");
                Assert.True(left == 0 || item.Acknowledged == 0, $"{id} was acknowledged and waits");
                // Whoever was killed may have done what it had no time to say.
                Assert.True(left == 1 || !item.IsSent || item.Acknowledged == 1 || item.ReceivedByKilled > 0 || item.TakenByKilled > 0, $"{id} is lost");
                Assert.True(item.Taken <= 1 + item.TakenByKilled, $"{id} was taken {item.Taken} times, by {item.TakenByKilled} that were killed");
                Assert.True(item.Received <= 1 + item.ReceivedByKilled, $"{id} was received {item.Received} times, by {item.ReceivedByKilled} that were killed");
                again += Math.Max(0, item.Received - 1) + Math.Max(0, item.Taken - 1);
            }

            Assert.True(_sent > 0 && _acknowledged > 0);
            return $"{_sent} sent, {_acknowledged} acknowledged, {waiting.Count} waiting, {again} came again from who was killed";
        }

        private sealed class Item
        {
            internal bool IsSent { get; set; }

            internal int Taken { get; set; }

            internal int TakenByKilled { get; set; }

            internal int Moved { get; set; }

            internal int Received { get; set; }

            internal int ReceivedByKilled { get; set; }

            internal int Acknowledged { get; set; }
        }
    }
}
