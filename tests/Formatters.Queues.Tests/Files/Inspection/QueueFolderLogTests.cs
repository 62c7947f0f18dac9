using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Logs that are damaged at random: whatever block is whole counts, and nothing else.</summary>
public class QueueFolderLogTests
{
    private const int SegmentByteCount = 1 << 16;

    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Salvage_has_exactly_what_the_whole_blocks_say(int part)
    {
        History history = MakeHistory();
        Assert.True(history.Blocks.Select(block => block.File).Distinct().Count() > 4);
        int damaged = 0;
        for (int seed = part * 150; seed < (part + 1) * 150; seed++)
        {
            var random = new Random(seed);
            SimulatedDisk disk = history.Disk.Clone();
            for (int i = random.Next(4); i >= 0; i--)
                Damage(disk, random);
            Dictionary<string, byte[]> before = disk.GetFileNames().ToDictionary(name => name, name => disk.BytesOf(name).ToArray());
            HashSet<ulong> whole = history.WholeBlocks(disk);
            string[] expected =
            [
                .. history.Sends.Where(send => whole.Contains(send.Block) && !history.Acknowledgements.Any(one => one.Tag == send.Tag && whole.Contains(one.Block))).Select(send => send.Tag),
            ];

            using QueueFolderLog log = QueueFolderLog.Open(disk, null, default);
            var target = new SimulatedDisk();
            long count = log.Salvage(target, SegmentByteCount, null, default);

            Assert.Equal(before.Count, disk.GetFileNames().Count);
            Assert.All(disk.GetFileNames(), name => Assert.Equal(before[name], disk.BytesOf(name)));
            string[] found = ReceiveAll(target);
            Assert.True(expected.SequenceEqual(found), $"seed {seed}: expected {string.Join(' ', expected)}\nfound {string.Join(' ', found)}");
            Assert.Equal((found.Length, found.Length), ((int)count, (int)log.MessageCount));
            string[] again = [.. found.Intersect(history.Acknowledgements.Select(one => one.Tag))];
            Assert.True(log.UncertainCount >= again.Length, $"seed {seed}: {again.Length} come again, {log.UncertainCount} are said to be uncertain");
            foreach ((string tag, ulong block) in history.Sends)
            {
                if (whole.Contains(block) || history.Acknowledgements.Any(one => one.Tag == tag))
                    continue;
                long number = history.Numbers[tag];
                Assert.True(log.LostNumbers.Any(range => number >= range.First && number <= (range.Last ?? long.MaxValue)), $"seed {seed}: {tag} is lost silently");
            }

            bool isOpened = CanOpen(disk.Clone());
            // Recovery passes over damage of padding, and so does this.
            Assert.True(isOpened == log.IsWhole, $"seed {seed}: opened {isOpened}, whole {log.IsWhole}: {string.Join("; ", log.Findings)}");
            damaged += log.IsWhole ? 0 : 1;
        }

        Assert.InRange(damaged, 100, 150);
    }

    [Fact]
    public void Segments_whose_files_were_swapped_lose_nothing()
    {
        History history = MakeHistory();
        string[] names = [.. history.Blocks.Select(block => block.File).Distinct().Order()];
        SimulatedDisk disk = history.Disk.Clone();
        byte[] first = disk.BytesOf(names[1]);
        byte[] second = disk.BytesOf(names[2]);
        byte[] kept = [.. first];
        second.CopyTo(first, 0);
        kept.CopyTo(second, 0);
        Assert.False(CanOpen(disk.Clone()));

        using QueueFolderLog log = QueueFolderLog.Open(disk, null, default);
        var target = new SimulatedDisk();
        log.Salvage(target, SegmentByteCount, null, default);

        Assert.Equal([names[1], names[2]], log.Findings.Select(finding => finding.File).Order());
        Assert.Equal(ReceiveAll(history.Disk.Clone()), ReceiveAll(target));
    }

    [Fact]
    public void Messages_after_a_salvage_have_new_numbers()
    {
        History history = MakeHistory();
        SimulatedDisk disk = history.Disk.Clone();
        (string file, int position, _, _) = history.Blocks[^1];
        disk.BytesOf(file)[position + 30] ^= 1;
        using QueueFolderLog log = QueueFolderLog.Open(disk, null, default);
        var target = new SimulatedDisk();
        log.Salvage(target, SegmentByteCount, null, default);
        QueueFolder folder = Open(target);
        var queue = new FileQueue(OpenStore(folder, "q"), Address, PeekLock);

        Wait(folder, queue.SendAsync(new QueueMessage()));

        ReceivedMessage last = LastOf(queue);
        Assert.True(long.Parse(last.MessageId!.Split('\\')[1]) > history.Numbers.Values.Max());
        Assert.StartsWith(folder.IdString, last.MessageId, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Folder_in_use_and_read_only_is_read_without_a_lock_and_without_a_trace()
    {
        string path = Directory.CreateTempSubdirectory("formatters-verify-").FullName;
        try
        {
            await using var provider = new FileQueueProvider();
            QueueClient queue = await provider.OpenAsync(QueueAddress.Parse($"file:{path}/q"), PeekLock, default);
            for (int i = 0; i < 20; i++)
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[i])));
            await (await queue.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
            string[] before = Directory.GetFiles(path).Order().ToArray();

            using (QueueFolderLog log = QueueFolderLog.Open(path))
            {
                Assert.True(log.IsWhole, string.Join("; ", log.Findings));
                Assert.Equal(new QueueLogCount("q", 19, 0), Assert.Single(log.Queues));
                Assert.Throws<QueueException>(() => log.Salvage(path));
            }

            Assert.Equal(before, Directory.GetFiles(path).Order());
            using var cancellation = new CancellationTokenSource();
            using QueueFolderLog second = QueueFolderLog.Open(path);
            await cancellation.CancelAsync();
            Assert.Throws<OperationCanceledException>(() => second.Salvage(path + "-copy", null, cancellation.Token));
            Assert.False(Directory.Exists(path + "-copy"));
            Assert.Throws<QueueException>(() => QueueFolderLog.Open(path + "-none"));

            // A file that cannot be opened: a copy would silently lack its messages.
            string unopened = LogSegment.FileName(99);
            File.CreateSymbolicLink(Path.Combine(path, unopened), Path.Combine(path, unopened));
            using QueueFolderLog third = QueueFolderLog.Open(path);
            QueueException refused = Assert.Throws<QueueException>(() => third.Salvage(path + "-copy"));
            Assert.Contains(unopened, refused.Message, StringComparison.Ordinal);
            Assert.False(Directory.Exists(path + "-copy"));
        }
        finally
        {
            Directory.Delete(path, recursive: true);
        }
    }

    private static void Damage(SimulatedDisk disk, Random random)
    {
        string[] names = [.. disk.GetFileNames().Where(name => LogSegment.NumberOf(name) is not null).Order()];
        if (names.Length == 0)
            return;
        string name = names[random.Next(names.Length)];
        byte[] bytes = disk.BytesOf(name);
        if (bytes.Length == 0)
            return;
        int end = Math.Max(1, bytes.AsSpan().LastIndexOfAnyExcept((byte)0));
        int from = random.Next(4) == 0 ? random.Next(Math.Min(64, end)) : random.Next(end);
        switch (random.Next(8))
        {
            case 0:
                bytes.AsSpan(from, Math.Min(bytes.Length - from, random.Next(20_000))).Clear();
                break;
            case 1:
                random.NextBytes(bytes.AsSpan(from, Math.Min(bytes.Length - from, random.Next(3_000))));
                break;
            case 2:
                disk.Truncate(name, from);
                break;
            case 3:
                disk.Delete(name);
                break;
            default:
                bytes[from] ^= (byte)(1 << random.Next(8));
                break;
        }
    }

    /// <summary>Sends and acknowledges at random, one block for each, over several segments of which the first are gone.</summary>
    private static History MakeHistory()
    {
        var random = new Random(7);
        var history = new History();
        QueueFolder folder = Open(history.Disk);
        var queue = new FileQueue(OpenStore(folder, "q"), Address, PeekLock);
        var held = new List<(string Tag, ReceivedMessage Message)>();
        for (int i = 0; i < 300; i++)
        {
            string tag = $"m{i}";
            Wait(folder, queue.SendAsync(new QueueMessage(new MessageBody(new byte[random.Next(4000)])) { Label = tag }));
            history.Sends.Add((tag, history.LastBlock));
            // The oldest stay from a point on, so that segments with live messages are there.
            if (i < 100 || random.Next(3) == 0)
            {
                ReceivedMessage message = queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult()!;
                history.Numbers[message.Label!] = long.Parse(message.MessageId!.Split('\\')[1]);
                Wait(folder, message.AcknowledgeAsync());
                history.Acknowledgements.Add((message.Label!, history.LastBlock));
            }
        }

        while (folder.WritePending())
        {
        }

        while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
            history.Numbers[message.Label!] = long.Parse(message.MessageId!.Split('\\')[1]);
        folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
        history.FindBlocks();
        return history;
    }

    private static bool CanOpen(SimulatedDisk disk)
    {
        try
        {
            Open(disk);
            return true;
        }
        catch (QueueException)
        {
            return false;
        }
    }

    private static string[] ReceiveAll(SimulatedDisk disk)
    {
        QueueFolder folder = Open(disk);
        var found = new List<string>();
        foreach (QueueStatus status in folder.List(null))
        {
            var queue = new FileQueue(OpenStore(folder, status.Name), Address, PeekLock);
            while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
                found.Add(message.Label!);
        }

        return [.. found];
    }

    private static ReceivedMessage LastOf(FileQueue queue)
    {
        ReceivedMessage? last = null;
        while (queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
            last = message;
        return last!;
    }

    private static QueueAddress Address { get; } = QueueAddress.Parse("file:///simulated/q");

    private static QueueFolder Open(SimulatedDisk disk) => new("/simulated", disk, new FileQueueOptions { SegmentByteCount = SegmentByteCount }, hasThread: false);

    private static FileQueueStore OpenStore(QueueFolder folder, string name)
    {
        ValueTask<FileQueueStore> open = folder.OpenQueueAsync(name, default);
        while (!open.IsCompleted)
            Assert.True(folder.WritePending());
        return open.GetAwaiter().GetResult();
    }

    private static void Wait(QueueFolder folder, ValueTask task)
    {
        while (!task.IsCompleted)
            Assert.True(folder.WritePending());
        task.GetAwaiter().GetResult();
    }

    private sealed class History
    {
        private readonly Dictionary<string, byte[]> _files = [];

        public SimulatedDisk Disk { get; } = new();

        public List<(string Tag, ulong Block)> Sends { get; } = [];

        public List<(string Tag, ulong Block)> Acknowledgements { get; } = [];

        public Dictionary<string, long> Numbers { get; } = [];

        public List<(string File, int Position, int ByteCount, ulong Number)> Blocks { get; } = [];

        /// <summary>What the manifest says in its third record.</summary>
        public ulong LastBlock => BinaryPrimitives.ReadUInt64LittleEndian(Disk.BytesOf(LogManifest.FileName).AsSpan((2 * 512) + 40)) - 1;

        public void FindBlocks()
        {
            foreach (string name in Disk.GetFileNames().Where(name => LogSegment.NumberOf(name) is not null).Order())
            {
                byte[] bytes = [.. Disk.BytesOf(name)];
                _files[name] = bytes;
                for (int position = 4096; position + 24 <= bytes.Length && LogBlock.TryReadHeader(bytes.AsSpan(position, 24), out _, out int payload, out ulong number);
                    position += (int)LogBlock.Align(24 + payload))
                    Blocks.Add((name, position, 24 + payload, number));
            }
        }

        /// <summary>The numbers of the blocks that a damaged disk still has, by a comparison of bytes.</summary>
        public HashSet<ulong> WholeBlocks(SimulatedDisk damaged)
        {
            var whole = new HashSet<ulong>();
            foreach (IGrouping<string, (string File, int Position, int ByteCount, ulong Number)> file in Blocks.GroupBy(block => block.File))
            {
                if (!damaged.GetFileNames().Contains(file.Key))
                    continue;
                byte[] now = damaged.BytesOf(file.Key);
                byte[] then = _files[file.Key];
                ulong[] same =
                [
                    .. file.Where(block => block.Position + block.ByteCount <= now.Length
                            && now.AsSpan(block.Position, block.ByteCount).SequenceEqual(then.AsSpan(block.Position, block.ByteCount)))
                        .Select(block => block.Number),
                ];
                // The checksums need the header's salt, which two blocks tell as well.
                if (same.Length > 1 || (now.Length >= 16 && now.AsSpan(12, 4).SequenceEqual(then.AsSpan(12, 4))))
                    whole.UnionWith(same);
            }

            return whole;
        }
    }
}
