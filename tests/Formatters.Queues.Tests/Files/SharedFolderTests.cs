using System;
using System.Buffers;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A folder that several processes, or several providers of this one, have open.</summary>
public sealed class SharedFolderTests : IDisposable
{
    private static readonly QueueOptions Recoverable = new() { DeliveryMode = DeliveryMode.Recoverable };
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(60);

    private readonly TestFolder _folder = new();

    public void Dispose() => _folder.Delete();

    [Fact]
    public async Task Follower_goes_on_when_the_owner_closes_and_has_what_it_had_received()
    {
        await using var follower = new FileQueueProvider();
        QueueClient queue;
        ReceivedMessage message;
        QueueTransaction transaction;
        QueueClient inTransaction;
        await using (var owner = new FileQueueProvider())
        {
            QueueClient first = await OpenAsync(owner, "a");
            await SendAsync(first, "1", "2", "3");
            queue = await OpenAsync(follower, "a");
            message = (await queue.ReceiveAsync(Soon))!;
            inTransaction = await OpenAsync(follower, "a", new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
            transaction = await inTransaction.BeginTransactionAsync();
            Assert.Equal("2", TextOf(await inTransaction.ReceiveAsync(Soon, transaction)));
            await inTransaction.SendAsync(Text("4"), transaction);
        }

        Assert.True((await follower.GetProcessesAsync(Place)) is [{ IsOwner: true }, { LockedCount: 2 }]);
        Assert.Equal("3", TextOf(await ReceiveAsync(queue)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await message.AcknowledgeAsync();
        await transaction.CommitAsync();
        Assert.Equal("4", TextOf(await ReceiveAsync(queue)));
        await follower.DisposeAsync();
        await using var last = new FileQueueProvider();
        Assert.Equal(0, await (await OpenAsync(last, "a")).GetMessageCountAsync());
    }

    [Fact]
    public async Task Receives_that_wait_at_a_follower_go_on_when_the_owner_closes()
    {
        await using var owner = new FileQueueProvider();
        await OpenAsync(owner, "a");
        await using var follower = new FileQueueProvider();
        QueueClient queue = await OpenAsync(follower, "a");
        using var cancellation = new CancellationTokenSource();
        ValueTask<ReceivedMessage?> canceled = queue.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: cancellation.Token);
        ValueTask<ReceivedMessage?> waiting = queue.ReceiveAsync(Timeout.InfiniteTimeSpan);
        await owner.DisposeAsync();
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(async () => await canceled);
        await SendAsync(await OpenAsync(follower, "a"), "1");
        Assert.Equal("1", TextOf(await waiting));
    }

    [Fact]
    public async Task Messages_of_a_follower_that_ends_come_back_at_once()
    {
        await using var owner = new FileQueueProvider();
        QueueClient queue = await OpenAsync(owner, "a");
        await SendAsync(queue, "1");
        await using (var follower = new FileQueueProvider())
            Assert.NotNull(await (await OpenAsync(follower, "a")).ReceiveAsync(Soon));
        Assert.Equal("1", TextOf(await ReceiveAsync(queue)));
    }

    [Fact]
    public async Task Owner_that_is_stopped_is_named_and_goes_on_when_it_is_continued()
    {
        using var owner = new CrashChild([], "share-idle", _folder.Path);
        await owner.Opened;
        await using var follower = new FileQueueProvider();
        QueueClient queue = await OpenAsync(follower, "a", Recoverable with { OperationTimeout = TimeSpan.FromSeconds(2) });
        await SendAsync(queue, "1");
        Signal(owner.ProcessId, "STOP");
        // Longer than an owner may be silent.
        await Task.Delay(3500);
        QueueException e = await Assert.ThrowsAsync<QueueException>(async () => await queue.ReceiveAsync(TimeSpan.FromMilliseconds(100)));
        Assert.Contains($"process {owner.ProcessId}", e.Message, StringComparison.Ordinal);
        Assert.Contains("does not answer", e.Message, StringComparison.Ordinal);
        Assert.True(e is { IsUnreachable: true, OutcomeUnknown: false });
        e = await Assert.ThrowsAsync<QueueException>(async () => await SendAsync(queue, "2"));
        Assert.True(e is { IsUnreachable: true, OutcomeUnknown: true });
        Signal(owner.ProcessId, "CONT");
        // In any order: the receive that had ended may have been handed the first.
        string[] texts = [TextOf(await ReceiveAsync(queue)), TextOf(await ReceiveAsync(queue))];
        Assert.Equal(["1", "2"], texts.Order(StringComparer.Ordinal));
        await SendAsync(queue, "3");
        Assert.Equal("3", TextOf(await ReceiveAsync(queue)));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Commit_and_rollback_wait_for_a_stopped_owner_as_long_as_the_queue_says(bool isCommit)
    {
        using var owner = new CrashChild([], "share-idle", _folder.Path);
        await owner.Opened;
        await using var follower = new FileQueueProvider();
        QueueClient queue = await OpenAsync(follower, "a",
            new QueueOptions { DeliveryMode = DeliveryMode.Transactional, OperationTimeout = TimeSpan.FromSeconds(2) });
        QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(Text("1"), transaction);
        Signal(owner.ProcessId, "STOP");
        ValueTask end = isCommit ? transaction.CommitAsync() : transaction.RollbackAsync();
        // After two seconds, and one for the answer; a queue without an OperationTimeout has thirty.
        Task first = await Task.WhenAny(end.AsTask(), Task.Delay(TimeSpan.FromSeconds(20)));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => first);
        Assert.Equal(isCommit, e.OutcomeUnknown);
        Signal(owner.ProcessId, "CONT");
    }

    [Fact]
    public async Task Dead_letter_that_fails_in_a_transaction_is_not_repeated_to_the_next_owner()
    {
        using var owner = new CrashChild([], "share-idle", _folder.Path);
        await owner.Opened;
        await using var follower = new FileQueueProvider();
        var options = new QueueOptions
        {
            DeliveryMode = DeliveryMode.Transactional,
            DeadLetterQueue = "dead",
            OperationTimeout = TimeSpan.FromMilliseconds(100),
        };
        QueueClient queue = await OpenAsync(follower, "a", options);
        await SendAsync(await OpenAsync(follower, "a"), "1");
        QueueTransaction transaction = await queue.BeginTransactionAsync();
        ReceivedMessage message = (await queue.ReceiveAsync(Soon, transaction))!;
        Signal(owner.ProcessId, "STOP");
        await Assert.ThrowsAsync<QueueException>(async () => await message.DeadLetterAsync("reason"));
        Signal(owner.ProcessId, "KILL");
        await (await OpenAsync(follower, "b")).GetMessageCountAsync();
        await transaction.CommitAsync();
        Assert.Equal(0, await (await OpenAsync(follower, "dead")).GetMessageCountAsync());
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Files_of_a_folder_that_a_group_shares_are_the_groups_whatever_the_umask_says()
    {
        if (OperatingSystem.IsWindows())
        {
            Skip.If(true, "Windows has no umask.");
            return;
        }

        var options = new FileQueueOptions { Sharing = FolderSharing.Group };
        await using var owner = new FileQueueProvider(options);
        await SendAsync(await OpenAsync(owner, "a"), "1");
        await using var follower = new FileQueueProvider(options);
        await OpenAsync(follower, "a");

        const UnixFileMode Group = UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        string[] files = Directory.GetFiles(_folder.Path, "*", SearchOption.AllDirectories);
        // The log, its next segment, the manifest, the lock, the socket and the follower's file.
        Assert.InRange(files.Length, 6, int.MaxValue);
        foreach (string file in files)
            Assert.Equal((file, Group), (file, File.GetUnixFileMode(file) & (Group | UnixFileMode.OtherRead)));
        Assert.True(File.GetUnixFileMode(Path.Combine(_folder.Path, "processes")).HasFlag(Group | UnixFileMode.SetGroup));
    }

    [Fact]
    public async Task Socket_that_is_deleted_is_made_again()
    {
        await using var owner = new FileQueueProvider();
        await SendAsync(await OpenAsync(owner, "a"), "1");
        File.Delete(Path.Combine(_folder.Path, "processes", "owner"));
        await using var follower = new FileQueueProvider();
        Assert.Equal("1", TextOf(await ReceiveAsync(await OpenAsync(follower, "a"))));
    }

    [Fact]
    public async Task Folder_that_is_moved_under_owner_and_follower_is_opened_again_when_it_is_back()
    {
        string path = Path.Combine(_folder.Path, "queues");
        await using var owner = new FileQueueProvider();
        await using var follower = new FileQueueProvider();
        var address = QueueAddress.Parse($"file://{path}/a");
        await SendAsync(await owner.OpenAsync(address, Recoverable, default), "1");
        QueueClient queue = await follower.OpenAsync(address, Recoverable, default);
        ValueTask<ReceivedMessage?> waiting = (await follower.OpenAsync(QueueAddress.Parse($"file://{path}/b"), Recoverable, default))
            .ReceiveAsync(Timeout.InfiniteTimeSpan);
        Directory.Move(path, path + ".moved");
        QueueException e = await Assert.ThrowsAsync<QueueException>(async () => await waiting);
        Assert.Equal(QueueErrorCode.FolderStopped, e.Code);
        Directory.Move(path + ".moved", path);
        Assert.Equal("1", TextOf(await ReceiveAsync(await follower.OpenAsync(address, Recoverable, default))));
        await SendAsync(await owner.OpenAsync(address, Recoverable, default), "2");
    }

    [Fact]
    public async Task Large_bodies_do_not_hold_up_small_ones()
    {
        await using var owner = new FileQueueProvider();
        await OpenAsync(owner, "small");
        await using var follower = new FileQueueProvider();
        QueueClient large = await OpenAsync(follower, "large"), small = await OpenAsync(follower, "small");
        byte[] body = new byte[64 << 20];
        new Random(1).NextBytes(body);
        Task sending = large.SendAsync(new QueueMessage(new MessageBody(body))).AsTask();
        await SendAsync(small, "1");
        bool wasSooner = !sending.IsCompleted;
        await sending;
        Task<ReceivedMessage?> receiving = large.ReceiveAsync(Soon).AsTask();
        Assert.Equal("1", TextOf(await ReceiveAsync(small)));
        Assert.True((await receiving)!.Body.ToArray().AsSpan().SequenceEqual(body));
        Assert.True(wasSooner);
    }

    [Fact]
    public async Task Order_of_a_sender_that_does_not_wait_is_kept_also_with_a_large_body()
    {
        await using var owner = new FileQueueProvider();
        await OpenAsync(owner, "a");
        await using var follower = new FileQueueProvider();
        QueueClient queue = await OpenAsync(follower, "a");
        var sends = new List<Task>();
        for (int i = 0; i < 40; i++)
            sends.Add(queue.SendAsync(new QueueMessage(new MessageBody(new byte[i % 7 == 3 ? 300_000 : 10])) { Label = $"{i}" }).AsTask());
        await Task.WhenAll(sends);
        for (int i = 0; i < 40; i++)
            Assert.Equal($"{i}", (await ReceiveAsync(queue)).Label);
    }

    [Fact]
    public async Task Folder_with_a_long_path_is_shared()
    {
        string path = Path.Combine(_folder.Path, new string('x', 100), new string('y', 100));
        await using var owner = new FileQueueProvider();
        await using var follower = new FileQueueProvider();
        var address = QueueAddress.Parse($"file://{path}/a");
        await SendAsync(await owner.OpenAsync(address, Recoverable, default), "1");
        Assert.Equal("1", TextOf(await ReceiveAsync(await follower.OpenAsync(address, Recoverable, default))));
    }

    [Fact]
    public async Task Many_open_the_same_folder_at_the_same_moment()
    {
        for (int round = 0; round < 20; round++)
        {
            FileQueueProvider[] providers = [.. Enumerable.Range(0, 5).Select(static _ => new FileQueueProvider())];
            QueueClient[] queues = await Task.WhenAll(providers.Select(provider => Task.Run(() => OpenAsync(provider, $"q{round}"))));
            await Task.WhenAll(queues.Select(queue => SendAsync(queue, "x")));
            Assert.Equal(5, await queues[round % 5].GetMessageCountAsync());
            Assert.Single(await providers[0].GetProcessesAsync(Place), static process => process.IsOwner);
            await Task.WhenAll(providers.Select(static provider => provider.DisposeAsync().AsTask()));
        }
    }

    [Fact]
    public async Task Another_version_gets_an_exact_error()
    {
        await using var owner = new FileQueueProvider();
        await OpenAsync(owner, "a");
        using var socket = Connect();
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new BinaryBodyWriter(buffer);
        writer.Write((byte)FolderRequest.Hello);
        writer.Write(FolderProtocol.Version + 1);
        writer.Write(Guid.NewGuid());
        writer.Write(1234);
        writer.Write("elsewhere");
        writer.Write(0L);
        writer.Flush();
        socket.Send(Frame(1, buffer.WrittenSpan));
        byte[] answer = new byte[4096];
        int count = socket.Receive(answer);
        var reader = new BinaryBodyReader(answer.AsSpan(8, count - 8));
        var e = Assert.IsType<QueueException>(FolderProtocol.ReadError(ref reader));
        Assert.Equal(QueueErrorCode.UnknownVersion, e.Code);
        Assert.Contains($"process {Environment.ProcessId}", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Whoever sends nonsense loses its connection, and the owner nothing.</summary>
    [Fact]
    public async Task Damaged_frames_end_their_connection_and_nothing_else()
    {
        int count = TestScale.Count("FORMATTERS_DAMAGED_FRAMES", full: 5_000, quick: 2_000, night: 1_000_000);
        var random = new Random(TestScale.Seed(1));
        await using var owner = new FileQueueProvider();
        QueueClient queue = await OpenAsync(owner, "kept");
        await SendAsync(queue, "1", "2", "3");
        byte[][] frames = ValidRequests();
        for (int i = 0; i < count;)
        {
            using Socket socket = Connect();
            try
            {
                socket.Send(Frame(1, Hello()));
                // Some valid ones first, so that handles are open.
                foreach (byte[] frame in frames)
                    socket.Send(Frame((uint)(2 + i), frame));
                for (int j = 0; j < 50; j++, i++)
                    socket.Send(Damaged(frames[random.Next(frames.Length)], (uint)(100 + i), random));
            }
            catch (SocketException)
            {
                // It has been ended.
                i++;
            }
        }

        Assert.Equal(3, await queue.GetMessageCountAsync());
        await using var follower = new FileQueueProvider();
        QueueClient same = await OpenAsync(follower, "kept");
        foreach (string text in new[] { "1", "2", "3" })
            Assert.Equal(text, TextOf(await ReceiveAsync(same)));
    }

    private static byte[] Hello()
    {
        var buffer = new ArrayBufferWriter<byte>();
        var writer = new BinaryBodyWriter(buffer);
        writer.Write((byte)FolderRequest.Hello);
        writer.Write(FolderProtocol.Version);
        writer.Write(Guid.NewGuid());
        writer.Write(1234);
        writer.Write("here");
        writer.Write(0L);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    private static byte[][] ValidRequests()
    {
        return
        [
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.OpenQueue);
                writer.Write(1);
                writer.Write("damaged");
                FolderProtocol.Write(ref writer, Recoverable);
            }),
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Send);
                writer.Write(1L);
                writer.Write(1L);
                writer.Write(0L);
                writer.Write(false);
                writer.WriteCount(1);
                writer.Write(1);
                writer.WriteCount(1);
                FolderProtocol.Write(ref writer, Text("x"));
            }),
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Receive);
                writer.Write(1);
                writer.Write(0L);
                writer.Write(1);
                writer.Write(TimeSpan.Zero);
                writer.Write((byte)ReceiveBy.Order);
                writer.WriteNullable(null);
            }),
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Settle);
                writer.Write((byte)Settlement.Acknowledge);
                writer.Write(1);
                writer.Write(TimeSpan.Zero);
                writer.WriteNullable(null);
                writer.WriteNullable(null);
                writer.WriteCount(1);
                writer.Write(1L);
            }),
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Begin);
                writer.Write(1L);
            }),
            Make((ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Peek);
                writer.Write(1);
                writer.Write(10);
                writer.WriteNullable(null);
                writer.WriteNullable("a = 1");
                writer.Write(true);
                writer.Write(true);
            }),
        ];

        static byte[] Make(Encoder encode)
        {
            var buffer = new ArrayBufferWriter<byte>();
            var writer = new BinaryBodyWriter(buffer);
            encode(ref writer);
            writer.Flush();
            return buffer.WrittenSpan.ToArray();
        }
    }

    private delegate void Encoder(ref BinaryBodyWriter writer);

    private static byte[] Damaged(byte[] payload, uint id, Random random)
    {
        byte[] frame = Frame(id, payload);
        switch (random.Next(4))
        {
            case 0:
                // Not the name of the queue, which might become that of the kept one.
                frame[random.Next(frame.Length)] ^= (byte)(1 << random.Next(8));
                break;
            case 1:
                frame = frame[..random.Next(frame.Length)];
                break;
            case 2:
                random.NextBytes(frame.AsSpan(8));
                break;
            default:
                BinaryPrimitives.WriteUInt32LittleEndian(frame, (uint)random.Next());
                break;
        }

        return frame;
    }

    private static byte[] Frame(uint id, ReadOnlySpan<byte> payload)
    {
        byte[] frame = new byte[8 + payload.Length];
        BinaryPrimitives.WriteUInt32LittleEndian(frame, (uint)payload.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(frame.AsSpan(4), id);
        payload.CopyTo(frame.AsSpan(8));
        return frame;
    }

    private Socket Connect()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        socket.Connect(new UnixDomainSocketEndPoint(Path.Combine(_folder.Path, "processes", "owner")));
        return socket;
    }

    private string Place => $"file://{_folder.Path}";

    private Task<QueueClient> OpenAsync(FileQueueProvider provider, string name, QueueOptions? options = null) =>
        provider.OpenAsync(QueueAddress.Parse($"{Place}/{name}"), options ?? Recoverable, default).AsTask();

    private static QueueMessage Text(string text) => new(new MessageBody(System.Text.Encoding.UTF8.GetBytes(text)));

    private static string TextOf(QueueMessage? message) => System.Text.Encoding.UTF8.GetString(message!.Body.ToArray());

    private static async Task SendAsync(QueueClient queue, params string[] texts)
    {
        foreach (string text in texts)
            await queue.SendAsync(Text(text));
    }

    private static async Task<ReceivedMessage> ReceiveAsync(QueueClient queue)
    {
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        await message.AcknowledgeAsync();
        return message;
    }

    private static void Signal(int processId, string signal)
    {
        using Process process = Process.Start("kill", [$"-{signal}", $"{processId}"]);
        process.WaitForExit();
    }
}
