using System;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A receiver is preempted between being handed a message and reading its body from the log, for longer than its lease or the life of its queue.</summary>
/// <remarks>
/// The receiver is held up in the clock, by a timer that is made there: on its way it buries a message that is only in memory, for one who waits for dead letters with a lease.
/// </remarks>
public sealed class FilePreemptionTests : IAsyncLifetime, IDisposable
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueOptions Leased = PeekLock with { LeaseDuration = TimeSpan.FromSeconds(10) };

    private readonly SimulatedDisk _disk = new();
    private readonly ManualTime _time = new();
    private readonly QueueFolder _folder;
    private FileQueue _queue = null!;
    private FileQueue _leased = null!;

    public FilePreemptionTests() =>
        _folder = new QueueFolder("/simulated", _disk, new FileQueueOptions { SegmentByteCount = 1 << 16, CachedByteCount = 0, TimeProvider = _time });

    public async Task InitializeAsync()
    {
        _queue = await OpenAsync("a", PeekLock);
        _leased = new FileQueue(await _folder.OpenQueueAsync("a", default), Address("a"), Leased with { DeadLetterQueue = "dead" }, await _folder.OpenQueueAsync("dead", default));
        // Its timer is made now.
        await _queue.SendAsync(Message(0));
        await (await _leased.ReceiveAsync(TimeSpan.Zero))!.AcknowledgeAsync();
    }

    public async Task DisposeAsync() => await _folder.DisposeAsync();

    public void Dispose() => _disk.Dispose();

    [Fact]
    public async Task Message_that_another_has_settled_meanwhile_is_passed_over()
    {
        await HoldUpAsync(() => SettleAfterTheLease());
        await _queue.SendAsync(Message(1));
        await _queue.SendAsync(Message(2));

        ReceivedMessage message = (await _leased.ReceiveAsync(TimeSpan.Zero))!;

        Assert.Equal((2, 1), (Number(message), message.DeliveryCount));
        await message.AcknowledgeAsync();
        Assert.Null(await _leased.ReceiveAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task Message_that_another_has_settled_meanwhile_leaves_an_empty_queue()
    {
        await HoldUpAsync(() => SettleAfterTheLease());
        await _queue.SendAsync(Message(1));

        Assert.Null(await _leased.ReceiveAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task Message_that_another_holds_meanwhile_keeps_its_body()
    {
        ReceivedMessage? redelivered = null;
        byte[]? body = null;
        await HoldUpAsync(() =>
        {
            redelivered = ReceiveAfterTheLease();
            body = ArrayOf(redelivered);
        });
        await _queue.SendAsync(Message(1));

        ReceivedMessage late = (await _leased.ReceiveAsync(TimeSpan.Zero))!;

        // Not only the same bytes: nobody wrote to it behind the receiver's back.
        Assert.Same(body, ArrayOf(redelivered!));
        Assert.Equal((1, 1, 2), (Number(late), late.DeliveryCount, redelivered!.DeliveryCount));
        await Assert.ThrowsAsync<QueueException>(() => late.AcknowledgeAsync().AsTask());
        await redelivered.AcknowledgeAsync();
        Assert.Equal((1, 1), (Number(late), Number(redelivered)));
    }

    [Fact]
    public async Task Receiver_who_waits_goes_on_waiting()
    {
        Task<ReceivedMessage?> receive = await HoldUpWaiterAsync(() => _leased.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask());

        await _queue.SendAsync(Message(2));

        Assert.Equal(2, Number((await receive)!));
    }

    [Fact]
    public async Task Receiver_who_waits_waits_until_it_is_canceled()
    {
        using var source = new CancellationTokenSource();
        Task<ReceivedMessage?> receive = await HoldUpWaiterAsync(() => _leased.ReceiveAsync(TimeSpan.FromHours(1), cancellationToken: source.Token).AsTask());

        source.Cancel();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => receive);
    }

    [Fact]
    public async Task Receiver_whose_handle_was_closed_is_told_so()
    {
        await HoldUpAsync(() =>
        {
            _leased.DisposeAsync().AsTask().Wait();
            Assert.Equal(1, Number(Settle()));
        });
        await _queue.SendAsync(Message(1));

        await Assert.ThrowsAsync<ObjectDisposedException>(() => _leased.ReceiveAsync(TimeSpan.Zero).AsTask());
    }

    [Theory]
    [InlineData(ReceiveMode.PeekLock)]
    [InlineData(ReceiveMode.ReceiveAndDelete)]
    public async Task Receiver_whose_queue_was_deleted_is_told_so(ReceiveMode mode)
    {
        var queue = new FileQueue(
            await _folder.OpenQueueAsync("a", default), Address("a"), PeekLock with { ReceiveMode = mode, DeadLetterQueue = "dead" }, await _folder.OpenQueueAsync("dead", default));
        await HoldUpAsync(() => _folder.DeleteQueueAsync("a", default).AsTask().Wait());
        await _queue.SendAsync(Message(1));

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.Zero).AsTask());

        Assert.Contains("was deleted", e.Message, StringComparison.Ordinal);
    }

    /// <summary>Has the next receiver, once it has been handed a message, wait for something.</summary>
    private async Task HoldUpAsync(Action meanwhile)
    {
        FileQueue express = await OpenAsync("a", QueueOptions.Fastest);
        await express.SendAsync(new QueueMessage(new MessageBody()) { TimeToLive = TimeSpan.FromSeconds(1) });
        _time.Advance(TimeSpan.FromSeconds(1));
        FileQueue deadLetters = await OpenAsync("dead", Leased);
        _ = deadLetters.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        _time.OnNextTimer = meanwhile;
    }

    /// <summary>The same for a receiver that waits: a transaction gives back a message of each kind, the first of which goes to somebody with a journal.</summary>
    private async Task<Task<ReceivedMessage?>> HoldUpWaiterAsync(Func<Task<ReceivedMessage?>> wait)
    {
        await (await OpenAsync("a", QueueOptions.Fastest)).SendAsync(new QueueMessage(new MessageBody()));
        await _queue.SendAsync(Message(1));
        FileQueue transactional = await OpenAsync("a", new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        await using QueueTransaction transaction = await transactional.BeginTransactionAsync();
        await transactional.ReceiveAsync(TimeSpan.Zero, transaction);
        // So that it goes back without a body.
        Damage(1);
        await Assert.ThrowsAsync<QueueException>(() => transactional.ReceiveAsync(TimeSpan.Zero, transaction).AsTask());
        Damage(1);
        var journaled = new FileQueue(
            await _folder.OpenQueueAsync("a", default), Address("a"), QueueOptions.Fastest with { JournalQueue = "journal" }, journal: await _folder.OpenQueueAsync("journal", default));
        _ = journaled.ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        Task<ReceivedMessage?> receive = wait();
        _ = (await OpenAsync("journal", Leased)).ReceiveAsync(Timeout.InfiniteTimeSpan).AsTask();
        bool isSettled = false;
        _time.OnNextTimer = () =>
        {
            SettleAfterTheLease();
            isSettled = true;
        };
        await transaction.RollbackAsync();
        Assert.True(isSettled);
        return receive;
    }

    /// <summary>Turns a bit of a message's body in the log, or turns it back.</summary>
    private void Damage(int number)
    {
        byte[] log = _disk.BytesOf("0000000000000001.log");
        log[log.AsSpan().LastIndexOf(BodyOf(number).AsSpan(1)) - 1] ^= 1;
    }

    private ReceivedMessage ReceiveAfterTheLease()
    {
        _time.Advance(TimeSpan.FromSeconds(10));
        return _queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult()!;
    }

    private void SettleAfterTheLease()
    {
        _time.Advance(TimeSpan.FromSeconds(10));
        Assert.Equal(1, Number(Settle()));
    }

    private ReceivedMessage Settle()
    {
        ReceivedMessage message = _queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult()!;
        message.AcknowledgeAsync().AsTask().Wait();
        return message;
    }

    private async Task<FileQueue> OpenAsync(string name, QueueOptions options) => new(await _folder.OpenQueueAsync(name, default), Address(name), options);

    private static QueueAddress Address(string name) => QueueAddress.Parse("file:///simulated/" + name);

    private static byte[] BodyOf(int number) => [.. Enumerable.Repeat((byte)number, 100)];

    private static QueueMessage Message(int number) => new(new MessageBody(BodyOf(number)));

    private static int Number(ReceivedMessage message) => message.Body.ToArray()[^1];

    private static byte[]? ArrayOf(ReceivedMessage message) => MemoryMarshal.TryGetArray(message.Body.Bytes.First, out ArraySegment<byte> bytes) ? bytes.Array : null;
}
