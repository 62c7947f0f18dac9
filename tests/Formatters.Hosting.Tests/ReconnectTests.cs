using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>A queue that cannot be reached: the host starts, one line of the log says so, and the messages are received when it is reachable.</summary>
public class ReconnectTests
{
    private readonly FakeTimeProvider _time = new();

    [Fact]
    public async Task UnreachableForTenMinutes_GivesOneLogLineForEachChange_AndLosesNothing()
    {
        var provider = new FlakyProvider(_time) { IsDown = true };
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders"], queues =>
        {
            queues.Services.AddHealthChecks().AddQueues();
            queues.Services.AddSingleton<TimeProvider>(_time);
            queues.AddProvider(provider).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                provider.Handled.SetResult(order);
                return Task.CompletedTask;
            });
        });
        await Assert.ThrowsAsync<QueueException>(() => host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(0, "nobody")));
        DateTimeOffset start = _time.GetUtcNow();
        while (_time.GetUtcNow() - start < TimeSpan.FromMinutes(10))
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        Assert.Single(host.Log.Of(2), "Queue 'orders' is unreachable; it is opened again until it is reachable.");
        HealthReport report = await host.Get<HealthCheckService>().CheckHealthAsync();
        Assert.Equal((HealthStatus.Unhealthy, "orders: unreachable: the server is down"), (report.Status, report.Entries["queues"].Description));
        // At most 30 s apart, at least 0.5 s, 1 s, 2 s, ... 15 s.
        Assert.InRange(provider.OpenCount, 20, 48);

        provider.IsDown = false;
        while (host.Log.Of(3).Count == 0)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        Assert.StartsWith("Queue 'orders' is reachable again, after 00:10:", Assert.Single(host.Log.Of(3)), StringComparison.Ordinal);
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        Assert.Equal(1, (await provider.Handled.Task).Id);
        Assert.Equal(HealthStatus.Healthy, (await host.Get<HealthCheckService>().CheckHealthAsync()).Status);
        Assert.Single(host.Log.Of(2));
    }

    [Fact]
    public async Task QueueThatFailsWhileItIsReceivedFrom_IsOpenedAgain_AndTheRunningHandlerCompletes()
    {
        var provider = new FlakyProvider(_time);
        var release = new TaskCompletionSource();
        var begun = new TaskCompletionSource();
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders", "orders:Concurrency=2"], queues =>
        {
            queues.Services.AddSingleton<TimeProvider>(_time);
            queues.AddProvider(provider).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", async (order, _, _) =>
            {
                begun.TrySetResult();
                await release.Task;
                provider.HandledIds.Enqueue(order.Id);
            });
        });
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        await begun.Task;
        provider.Break();
        await host.Log.WaitForAsync(2);
        while (host.Log.Of(3).Count == 0)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        release.SetResult();
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(2, "Bob"));
        while (provider.HandledIds.Count < 2)
            await Task.Delay(1);
        Assert.Equal([1, 2], provider.HandledIds.ToArray());
    }

    /// <summary>The waits become longer only while the queue does not stay open.</summary>
    [Fact]
    public async Task QueueThatFailsNowAndThen_IsOpenedAgainAfterTheShortestWait()
    {
        var time = new SetClock(_time);
        var provider = new FlakyProvider(_time);
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders"], queues =>
        {
            queues.Services.AddSingleton<TimeProvider>(time);
            queues.AddProvider(provider).AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask);
        });
        for (int i = 1; i <= 6; i++)
        {
            _time.Advance(TimeSpan.FromMinutes(1));
            provider.Break();
            await host.Log.WaitForAsync(2, i);
            while (host.Log.Of(3).Count < i)
            {
                _time.Advance(TimeSpan.FromSeconds(1));
                await Task.Delay(1);
            }
        }

        Assert.Equal(6, time.DueTimes.Count);
        Assert.All(time.DueTimes, static wait => Assert.InRange(wait, TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(1)));
    }

    [Fact]
    public async Task LeaseThatCannotBeRenewed_CancelsTheHandler_AndTheMessageIsHandledAgain()
    {
        int calls = 0;
        var provider = new FlakyProvider(_time) { CanRenew = false };
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders", "orders:LeaseDuration=00:00:30", "orders:Concurrency=2"], queues =>
        {
            queues.Services.AddSingleton<TimeProvider>(_time);
            queues.AddProvider(provider).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, token) =>
            {
                if (Interlocked.Increment(ref calls) == 1)
                    return Task.Delay(Timeout.Infinite, token);
                provider.Handled.SetResult(order);
                return Task.CompletedTask;
            });
        });
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        while (!provider.Handled.Task.IsCompleted)
        {
            if (Volatile.Read(ref calls) > 0)
                _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(2);
        }

        await host.Log.WaitForAsync(12);
        Assert.Contains("was lost before it was settled; the message is delivered again.", Assert.Single(host.Log.Of(12)), StringComparison.Ordinal);
        Assert.Equal(2, calls);
    }

    /// <summary>Neither the receiver that waits nor the sender needs a restart.</summary>
    [Fact]
    public async Task FolderThatIsMovedAndBack_IsOpenedAgain()
    {
        string path = Directory.CreateTempSubdirectory("formatters-moved-").FullName;
        var handled = new ConcurrentQueue<int>();
        await using (TestHost host = await TestHost.StartAsync([$"orders:Address=file:{path}/orders", "orders:ReconnectDelay=00:00:00.05", "orders:MaxReconnectDelay=00:00:00.1"], queues =>
            queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                handled.Enqueue(order.Id);
                return Task.CompletedTask;
            })))
        {
            ISender<OrderPlaced> sender = host.Get<ISender<OrderPlaced>>();
            await sender.SendAsync(new OrderPlaced(1, "Ada"));
            while (handled.IsEmpty)
                await Task.Delay(1);
            Directory.Move(path, path + ".moved");
            await host.Log.WaitForAsync(2);
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => sender.SendAsync(new OrderPlaced(2, "nobody")));
            Assert.True(e.IsUnreachable);
            Assert.False(Directory.Exists(path));

            Directory.Move(path + ".moved", path);
            await host.Log.WaitForAsync(3);
            await sender.SendAsync(new OrderPlaced(3, "Bob"));
            while (!handled.Contains(3))
                await Task.Delay(1);
            // The first may come again, if its acknowledgement was not on the disk yet.
            Assert.Equal([1, 3], handled.Distinct());
        }

        Directory.Delete(path, recursive: true);
    }

    /// <summary>The wall clock is set while a handler runs. Its lease has neither ended nor become longer.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    public async Task ClockThatIsSet_NeitherEndsNorExtendsALease(int hours)
    {
        var time = new SetClock(_time);
        var message = new LeasedMessage(time);
        await using var renewal = new LeaseRenewal(message, message.Duration, time);
        time.Offset = TimeSpan.FromHours(hours);
        Assert.False(renewal.IsLost);
        for (int i = 1; i <= 4; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(10));
            // The end of the lease, and the wait for the next renewal.
            while (time.TimerCount < 1 + (2 * i))
                await Task.Yield();
        }

        Assert.Equal((4, false), (message.RenewalCount, renewal.IsLost));
        renewal.Pause();
        _time.Advance(TimeSpan.FromSeconds(29));
        Assert.False(renewal.IsLost);
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.True(renewal.IsLost);
    }

    /// <summary>The lease lasts 30 s and is renewed every 10 s: after one failure there is time for another attempt, after two there is not.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task RenewalThatFails_IsTriedAgain_AsLongAsTheLeaseLasts(int failureCount)
    {
        var time = new SetClock(_time);
        var message = new LeasedMessage(time) { FailureCount = failureCount };
        await using var renewal = new LeaseRenewal(message, message.Duration, time);
        for (int i = 1; i <= 2; i++)
        {
            _time.Advance(TimeSpan.FromSeconds(10));
            while (time.TimerCount < 1 + (2 * i) && !renewal.IsLost)
                await Task.Yield();
        }

        Assert.Equal((2, failureCount == 2), (message.RenewalCount, renewal.IsLost));
    }

    /// <summary>A queue that cannot move a message to its dead letters gets it back: otherwise the message would stay locked.</summary>
    [Fact]
    public async Task DeadLetterThatIsRefused_GoesBackToItsQueue()
    {
        int calls = 0;
        var provider = new FlakyProvider(_time) { CanRenew = false };
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders", "orders:Retry:MaxAttempts=1"], queues =>
        {
            queues.Services.AddSingleton<TimeProvider>(_time);
            queues.AddProvider(provider).AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (order, _, _) =>
            {
                if (Interlocked.Increment(ref calls) == 1)
                    throw new InvalidOperationException("no");
                provider.Handled.SetResult(order);
                return Task.CompletedTask;
            });
        });
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
        while (!provider.Handled.Task.IsCompleted)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(2);
        }

        Assert.Equal(2, calls);
        Assert.Contains("(handler-failed) cannot be moved to a dead-letter queue", Assert.Single(host.Log.Of(7)), StringComparison.Ordinal);
        Assert.Empty(host.Log.Of(6));
    }

    /// <summary>A queue that can never be opened fails the start, also while another one has not answered yet.</summary>
    [Fact]
    public async Task QueueThatCannotBeOpened_FailsTheStart_WhileAnotherDoesNotAnswer()
    {
        var provider = new FlakyProvider(_time) { Answers = new TaskCompletionSource().Task };
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(["slow:Address=flaky:slow", "orders:Address=amqp://localhost/orders"], queues => queues
            .AddProvider(provider)
            .AddConsumer<OrderPlaced>("slow", static (_, _, _) => Task.CompletedTask)
            .AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask)));
        Assert.Contains("Queue 'orders' cannot be opened", e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task RetryByAQueueThatHasNoDelays_FailsTheStart()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => TestHost.StartAsync(["orders:Address=flaky:orders", "orders:Retry:Mode=ByQueue"], queues =>
            queues.AddProvider(new FlakyProvider(_time) { HasDelays = false }).AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask)));
        Assert.Equal("Queue 'orders' cannot be opened: in-memory does not support the retry mode ByQueue, which needs QueueFeatures.Delays and DeliveryCounts.", e.Message);
    }

    [Fact]
    public async Task QueueThatIsRefusedForGoodAfterTheStart_StopsTheApplication()
    {
        var provider = new FlakyProvider(_time) { IsDown = true };
        await using TestHost host = await TestHost.StartAsync(["orders:Address=flaky:orders"], queues =>
        {
            queues.Services.AddSingleton<TimeProvider>(_time);
            queues.AddProvider(provider).AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask);
        });
        provider.Refusal = new NotSupportedException("the server is too old");
        var stopping = new TaskCompletionSource();
        host.Get<Microsoft.Extensions.Hosting.IHostApplicationLifetime>().ApplicationStopping.Register(stopping.SetResult);
        while (!stopping.Task.IsCompleted)
        {
            _time.Advance(TimeSpan.FromSeconds(1));
            await Task.Delay(1);
        }

        Assert.Single(host.Log.Of(4));
    }

    /// <summary>Queues in memory that a test makes unreachable.</summary>
    private sealed class FlakyProvider(TimeProvider time) : QueueProvider
    {
        private readonly MemoryQueueProvider _memory = new(time);
        private volatile TaskCompletionSource _breakage = new();

        public override IReadOnlyList<string> Schemes { get; } = ["flaky"];

        internal bool IsDown { get; set; }

        internal bool HasDelays { get; init; } = true;

        internal bool CanRenew { get; init; } = true;

        internal Exception? Refusal { get; set; }

        /// <summary>Completes when the server answers.</summary>
        internal Task Answers { get; init; } = Task.CompletedTask;

        internal int OpenCount { get; private set; }

        internal TaskCompletionSource<OrderPlaced> Handled { get; } = new();

        internal ConcurrentQueue<int> HandledIds { get; } = [];

        internal void Break()
        {
            TaskCompletionSource breakage = _breakage;
            _breakage = new TaskCompletionSource();
            breakage.SetResult();
        }

        public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
        {
            OpenCount++;
            await Answers.WaitAsync(cancellationToken);
            if (Refusal is not null)
                throw Refusal;
            if (IsDown)
                throw new QueueException("the server is down");
            return new FlakyQueue(await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.Uri.AbsolutePath), options, cancellationToken), _breakage.Task, HasDelays, CanRenew);
        }
    }

    /// <summary>A queue whose receives fail when the test breaks it.</summary>
    private sealed class FlakyQueue(QueueClient queue, Task broken, bool hasDelays, bool canRenew) : QueueClient
    {
        public override QueueAddress Address => queue.Address;

        public override QueueCapabilities Capabilities => queue.Capabilities with { Features = hasDelays ? queue.Capabilities.Features : queue.Capabilities.Features & ~QueueFeatures.Delays };

        public override QueueOptions Options => queue.Options;

        protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.SendAsync(message, transaction, cancellationToken);

        protected override async ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            Task<ReceivedMessage?> receive = queue.ReceiveAsync(timeout, transaction, either.Token).AsTask();
            if (await Task.WhenAny(receive, broken) == receive)
                return await receive is { } message && !canRenew ? new UnrenewableMessage(message) : await receive;
            await either.CancelAsync();
            throw new QueueException("the connection is lost");
        }

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }

    /// <summary>A clock whose wall time has been set.</summary>
    private sealed class SetClock(TimeProvider time) : TimeProvider
    {
        private volatile int _timerCount;

        internal int TimerCount => _timerCount;

        internal ConcurrentQueue<TimeSpan> DueTimes { get; } = [];

        internal TimeSpan Offset { get; set; }

        public override long TimestampFrequency => time.TimestampFrequency;

        public override DateTimeOffset GetUtcNow() => time.GetUtcNow() + Offset;

        public override long GetTimestamp() => time.GetTimestamp();

        public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
        {
            ITimer timer = time.CreateTimer(callback, state, dueTime, period);
            DueTimes.Enqueue(dueTime);
            Interlocked.Increment(ref _timerCount);
            return timer;
        }
    }

    private sealed class LeasedMessage(TimeProvider time) : ReceivedMessage(new MessageBody())
    {
        private DateTimeOffset _end = time.GetUtcNow() + TimeSpan.FromSeconds(30);

        internal TimeSpan Duration { get; } = TimeSpan.FromSeconds(30);

        internal int RenewalCount { get; private set; }

        /// <summary>How many renewals fail first.</summary>
        internal int FailureCount { get; init; }

        public override DateTimeOffset? LeaseEnd => _end;

        public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => default;

        public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => default;

        public override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default)
        {
            if (++RenewalCount <= FailureCount)
                throw new QueueException("the server does not answer");
            _end = time.GetUtcNow() + Duration;
            return default;
        }
    }

    /// <summary>A message whose queue does not answer while its lease is to be renewed.</summary>
    private sealed class UnrenewableMessage(ReceivedMessage message) : ReceivedMessage(message.Body)
    {
        public override DateTimeOffset? LeaseEnd => message.LeaseEnd;

        public override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => message.AcknowledgeAsync(cancellationToken);

        public override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => message.ReturnAsync(cancellationToken);

        public override ValueTask RenewLeaseAsync(CancellationToken cancellationToken = default) => throw new QueueException("the server does not answer");
    }
}
