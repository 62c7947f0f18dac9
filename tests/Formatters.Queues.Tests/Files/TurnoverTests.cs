using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>A day of messages that come and go, by a clock that the test moves: files, the log's size, open handles and memory stay where they were after the first hours.</summary>
[Collection(LongHistories.Name)]
public class TurnoverTests(ITestOutputHelper output)
{
    /// <summary>How many messages a minute: FORMATTERS_TURNOVER.</summary>
    private static int PerMinute => TestScale.Count("FORMATTERS_TURNOVER", full: 4, quick: 4, night: 400);

    [ExhaustiveFact]
    public async Task Day_of_turnover_leaves_files_handles_and_memory_level()
    {
        string path = Directory.CreateTempSubdirectory("formatters-turnover-").FullName;
        var time = new ManualTime();
        var options = new FileQueueOptions { SegmentByteCount = 1 << 16, CachedByteCount = 1 << 16, CachedMessageCount = 16, ParkedTogether = 16, TimeProvider = time };
        var hours = new List<(int Files, long LogBytes, int Handles, long Memory)>();
        await using (var provider = new FileQueueProvider(options))
        {
            var connector = new QueueConnector(provider);
            var limited = new QueueOptions { DeadLetterQueue = "dead", MaxDeliveryCount = 2, DuplicateWindow = TimeSpan.FromMinutes(10) };
            await using QueueClient queue = await connector.OpenAsync($"file:{path}/orders", limited);
            await using QueueClient dead = await connector.OpenAsync($"file:{path}/dead");
            await using QueueClient slow = await connector.OpenAsync($"file:{path}/slow");
            int number = 0;
            for (int hour = 0; hour < 24; hour++)
            {
                for (int minute = 0; minute < 60; minute++)
                {
                    await queue.SendBatchAsync(
                    [
                        .. Enumerable.Range(0, PerMinute).Select(i => new QueueMessage(new MessageBody(new byte[700]))
                        {
                            MessageId = $"id {number++}", TimeToLive = i % 4 == 0 ? TimeSpan.FromSeconds(30) : null, Priority = i % 3,
                        }),
                    ]);
                    if (minute % 10 == 0)
                        await slow.SendAsync(new QueueMessage(new MessageBody(new byte[100])));
                    time.Advance(TimeSpan.FromMinutes(1));
                    int received = 0;
                    while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
                    {
                        if (++received % 7 == 0 && message.DeliveryCount == 1)
                            await message.ReturnAsync();
                        else
                            await message.AcknowledgeAsync();
                    }

                    IReadOnlyList<ReceivedMessage> expired = await dead.ReceiveBatchAsync(1000, TimeSpan.Zero);
                    Assert.Equal((PerMinute + 3) / 4, expired.Count);
                    await dead.AcknowledgeBatchAsync(expired);
                }

                // What a slow receiver leaves for an hour.
                IReadOnlyList<ReceivedMessage> old = await slow.ReceiveBatchAsync(5, TimeSpan.Zero);
                Assert.Equal(5, old.Count);
                await slow.AcknowledgeBatchAsync(old);
                hours.Add((Directory.GetFiles(path).Length, Directory.GetFiles(path, "*.log").Sum(LengthOf), CountHandles(path), GC.GetTotalMemory(forceFullCollection: true)));
            }

            Assert.Equal(24, await slow.GetMessageCountAsync());
        }

        Directory.Delete(path, recursive: true);
        foreach ((int files, long logBytes, int handles, long memory) in hours)
            output.WriteLine($"{files} files, log {logBytes / 1024} KiB, {handles} handles, {memory / 1024} KiB in memory");
        // Two windows for duplicates, the minute under way, and what the next segment is prepared with.
        int few = 12 + (int)(25L * PerMinute * 1000 / (1 << 16));
        Assert.InRange(hours.Max(hour => hour.Files), 1, few);
        Assert.InRange(hours.Max(hour => hour.LogBytes), 1, (long)few << 16);
        Assert.InRange(hours.Max(hour => hour.Handles), 0, few);
        long afterSix = hours.Take(6).Max(hour => hour.Memory);
        Assert.InRange(hours.Skip(6).Min(hour => hour.Memory), 0, afterSix + (4 << 20));
        Assert.InRange(hours[^1].Memory, 0, afterSix + (8 << 20));
    }

    /// <summary>The length of a file; 0 of one that the log has deleted meanwhile.</summary>
    private static long LengthOf(string path)
    {
        var file = new FileInfo(path);
        try
        {
            return file.Length;
        }
        catch (FileNotFoundException)
        {
            return 0;
        }
    }

    /// <summary>How many files of a folder this process has open; 0 where the system does not say.</summary>
    private static int CountHandles(string path)
    {
        if (!OperatingSystem.IsLinux())
            return 0;
        return Directory.GetFiles("/proc/self/fd").Count(link => Target(link).StartsWith(path, StringComparison.Ordinal));

        static string Target(string link)
        {
            try
            {
                return File.ResolveLinkTarget(link, returnFinalTarget: false)?.FullName ?? "";
            }
            catch (IOException)
            {
                return "";
            }
        }
    }
}
