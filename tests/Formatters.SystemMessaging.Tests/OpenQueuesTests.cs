using System;
using System.Diagnostics;
using System.Messaging;
using System.Threading.Tasks;
using Formatters.Queues;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The handles that receive from a broker: how long they stay open, and whether they prefetch.</summary>
public sealed class OpenQueuesTests : IAsyncDisposable
{
    private static readonly QueueOptions Plain = new() { PrefetchCount = 1 };
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly OpenQueues _queues;
    private readonly QueueTarget _target;

    public OpenQueuesTests()
    {
        var connector = new QueueConnector(new MemoryQueueProvider());
        _queues = new OpenQueues(connector);
        _target = new QueueTarget(
            new QueuePlace("memory:open/", new MemoryPropertyStore(), connector), "queue", QueuePath.ParsePath(@".\private$\queue")) { IsImplicit = true };
    }

    public ValueTask DisposeAsync() => _queues.DisposeAsync();

    [Fact]
    public async Task A_handle_without_messages_stays_open()
    {
        QueueClient first = await UseAsync(waits: false);
        await Task.Delay(Pause);
        Assert.Same(first, await UseAsync(waits: false));
    }

    /// <summary>A handle goes on taking messages after it has waited for one.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_handle_that_may_have_messages_is_closed_soon(bool polls)
    {
        QueueClient first = await UseAsync(waits: true);
        // On a busy machine it is closed before.
        while (polls && await UseAsync(waits: false) is var other && other != first)
        {
            await _queues.CloseAsync(_target.Address);
            first = await UseAsync(waits: true);
        }

        var time = Stopwatch.StartNew();
        while (!await IsClosedAsync(first) && time.Elapsed < TimeSpan.FromSeconds(25))
            await Task.Delay(10);
        Assert.True(await IsClosedAsync(first));
        Assert.NotSame(first, await UseAsync(waits: true));
    }

    /// <summary>The timer is set to the first handle that is due, also while one that is due much later is idle.</summary>
    [Fact]
    public async Task Each_handle_is_closed_at_its_time()
    {
        ReceivingHandle waiting = await RentAsync(waits: true);
        QueueClient polling = await UseAsync(waits: false);
        waiting.Dispose();
        while (!await IsClosedAsync(waiting.Queue))
            await Task.Delay(10);
        Assert.Same(polling, await UseAsync(waits: false));
    }

    [Fact]
    public async Task What_other_handles_may_have_goes_back_before_a_receive_that_does_not_wait()
    {
        ReceivingHandle one = await RentAsync(waits: true), two = await RentAsync(waits: true);
        one.Dispose();
        two.Dispose();
        using ReceivingHandle polling = await RentAsync(waits: false);
        // Unless both were closed before, on a busy machine.
        foreach (ReceivingHandle other in new[] { one, two })
            Assert.True(ReferenceEquals(other.Queue, polling.Queue) || await IsClosedAsync(other.Queue));
    }

    [Fact]
    public async Task A_burst_prefetches_until_it_has_paused_for_long()
    {
        Assert.Equal(1, (await UseAsync(waits: true)).Options.PrefetchCount);
        QueueClient prefetching = await BurstAsync();
        do
            await Task.Delay(5);
        while ((await UseAsync(waits: true)).Options.PrefetchCount > 1);
        Assert.True(await IsClosedAsync(prefetching));
    }

    [Fact]
    public async Task A_receive_that_does_not_wait_ends_a_burst()
    {
        QueueClient prefetching = await BurstAsync();
        Assert.Equal(1, (await UseAsync(waits: false)).Options.PrefetchCount);
        Assert.True(await IsClosedAsync(prefetching));
        Assert.Equal(1, (await UseAsync(waits: true)).Options.PrefetchCount);
    }

    [Fact]
    public async Task A_handle_that_comes_back_late_is_closed()
    {
        ReceivingHandle late = await RentAsync(waits: false);
        await _queues.DisposeAsync();
        late.Dispose();
        Assert.True(await IsClosedAsync(late.Queue));
    }

    /// <summary>A receive that waits must find what a handle that prefetches has, also if another, which has nothing, is idle.</summary>
    [Fact]
    public async Task What_a_burst_may_have_goes_back_before_another_handle_waits()
    {
        ReceivingHandle polling = await RentAsync(waits: false);
        QueueClient prefetching = await BurstAsync();
        polling.Dispose();
        while ((await UseAsync(waits: true)).Options.PrefetchCount > 1)
            await Task.Delay(5);
        Assert.True(await IsClosedAsync(prefetching));
    }

    /// <summary>Receives until a handle prefetches: on a busy machine, fewer receives follow each other closely.</summary>
    private async Task<QueueClient> BurstAsync()
    {
        while (true)
        {
            QueueClient queue = await UseAsync(waits: true);
            if (queue.Options.PrefetchCount > 1)
                return queue;
        }
    }

    private async Task<QueueClient> UseAsync(bool waits)
    {
        using ReceivingHandle handle = await RentAsync(waits);
        return handle.Queue;
    }

    private async Task<ReceivingHandle> RentAsync(bool waits) => await _queues.RentAsync(_target, Plain, waits, default);

    private static async Task<bool> IsClosedAsync(QueueClient queue)
    {
        try
        {
            await queue.GetMessageCountAsync();
            return false;
        }
        catch (ObjectDisposedException)
        {
            return true;
        }
    }
}
