using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Every duration and count, at its extremes: it works, or is refused at once, and nothing has changed.</summary>
public abstract partial class QueueConformance
{
    internal static readonly TimeSpan[] Durations =
    [
        TimeSpan.MinValue, TimeSpan.FromTicks(-1), TimeSpan.Zero, TimeSpan.FromTicks(1), TimeSpan.FromMilliseconds(1), TimeSpan.FromDays(24.9), TimeSpan.FromDays(49), TimeSpan.FromDays(50),
        TimeSpan.FromMilliseconds(uint.MaxValue), TimeSpan.FromDays(60), TimeSpan.FromDays(366_000), TimeSpan.FromDays(9_000 * 365), TimeSpan.MaxValue,
    ];

    private static readonly long[] Counts = [long.MinValue, int.MinValue, -1, 0, 1, ushort.MaxValue, ushort.MaxValue + 1, int.MaxValue, uint.MaxValue, long.MaxValue];

    /// <summary>What has a duration or a count, and is used by opening a queue with it.</summary>
    internal static readonly (string Name, Func<QueueOptions, TimeSpan, QueueOptions> With)[] DurationOptions =
    [
        (nameof(QueueOptions.LeaseDuration), (options, value) => options with { LeaseDuration = value }),
        (nameof(QueueOptions.DuplicateWindow), (options, value) => options with { DuplicateWindow = value }),
        (nameof(QueueOptions.OperationTimeout), (options, value) => options with { OperationTimeout = value }),
    ];

    internal static readonly (string Name, Func<QueueOptions, long, QueueOptions> With)[] CountOptions =
    [
        (nameof(QueueOptions.PrefetchCount), (options, value) => options with { PrefetchCount = checked((int)value) }),
        (nameof(QueueOptions.SendWindow), (options, value) => options with { SendWindow = checked((int)value) }),
        (nameof(QueueOptions.MaxDeliveryCount), (options, value) => options with { MaxDeliveryCount = checked((int)value) }),
        (nameof(QueueOptions.MaxMessageCount), (options, value) => options with { MaxMessageCount = value }),
        (nameof(QueueOptions.MaxByteCount), (options, value) => options with { MaxByteCount = value }),
        (nameof(QueueOptions.HoldBackByteCount), (options, value) => options with { HoldBackByteCount = value }),
    ];

    [QueueFact]
    public async Task Extremes_of_the_options_work_or_are_refused_when_they_are_set()
    {
        var failures = new List<string>();
        int number = 0;
        foreach ((string name, Func<QueueOptions, TimeSpan, QueueOptions> with) in DurationOptions)
        {
            foreach (TimeSpan value in Durations)
                await TryAsync($"{name} = {value}", value > TimeSpan.Zero, () => with(PeekLock, value), isShort: value < TimeSpan.FromMilliseconds(2));
        }

        foreach ((string name, Func<QueueOptions, long, QueueOptions> with) in CountOptions)
        {
            foreach (long value in Counts)
                await TryAsync($"{name} = {value}", value >= (name == nameof(QueueOptions.MaxDeliveryCount) ? 0 : 1), () => with(PeekLock with { DeadLetterQueue = NameOf("dead") }, value), isShort: false);
        }

        Assert.Empty(failures);

        async Task TryAsync(string what, bool isValid, Func<QueueOptions> make, bool isShort)
        {
            QueueOptions options;
            try
            {
                options = make();
                if (!isValid)
                    failures.Add($"{what} is not refused");
            }
            catch (OverflowException)
            {
                return;
            }
            catch (ArgumentOutOfRangeException)
            {
                if (isValid)
                    failures.Add($"{what} is refused");
                return;
            }

            try
            {
                QueueClient queue = await OpenAsync(options, $"e{number++}");
                await queue.SendAsync(new QueueMessage(Message("x").Body) { MessageId = "x" });
                if (queue.Capabilities.Supports(QueueFeatures.Peek))
                    await queue.PeekAsync(new PeekOptions { MaxCount = int.MaxValue });
                ReceivedMessage? message = await queue.ReceiveAsync(Soon);
                // A receive whose operations end within a millisecond may come to nothing; the message stays.
                if (message is null && isShort)
                    return;
                Assert.Equal("x", Text(message));
                Assert.NotNull(message);
                await message.RenewLeaseAsync();
                await message.AcknowledgeAsync();
            }
            catch (NotSupportedException)
            {
                // The queue has nothing of the kind.
            }
            catch (QueueException) when (isShort)
            {
                // No queue answers within a tick, and a lease of a tick is over before its message is acknowledged.
            }
            catch (Exception e)
            {
                failures.Add($"{what}: {e.GetType().Name}: {e.Message}");
            }
        }
    }

    [QueueFact]
    public async Task Extremes_of_a_receive_lose_no_message()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await queue.SendAsync(Message("first"));
        Assert.Equal("first", Text(await queue.ReceiveAsync(Soon)));
        foreach (TimeSpan timeout in Durations)
        {
            List<Func<Task<string?>>> receives =
            [
                async () => Text(await queue.ReceiveAsync(timeout)),
                async () => (await queue.ReceiveBatchAsync(int.MaxValue, timeout)) is [{ } only] ? Text(only) : null,
            ];
            if (queue.Capabilities.Supports(QueueFeatures.ReceiveById))
            {
                receives.Add(async () => Text(await queue.ReceiveByIdAsync("id", timeout)));
                receives.Add(async () => Text(await queue.ReceiveByCorrelationIdAsync("correlation", timeout)));
            }

            foreach (Func<Task<string?>> receive in receives)
            {
                Task<string?> receiving = receive();
                if (timeout < TimeSpan.Zero && timeout != Timeout.InfiniteTimeSpan)
                    await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => receiving);
                else if (timeout < TimeSpan.FromSeconds(1))
                    Assert.Null(await receiving);
                await queue.SendAsync(new QueueMessage(Message("x").Body) { MessageId = "id", CorrelationId = "correlation" });
                Task<string?> received = timeout > TimeSpan.FromSeconds(1) ? receiving : ReceiveSoonAsync();
                await ((Task)received).WaitAsync(Soon);
                Assert.Equal("x", await received);
            }
        }

        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));

        async Task<string?> ReceiveSoonAsync() => Text(await queue.ReceiveAsync(Soon));
    }

    /// <summary>A message that lives as long as can be said is received, and so are its neighbors.</summary>
    [QueueFact]
    public async Task Extremes_of_a_time_to_live_work_or_are_refused()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        var failures = new List<string>();
        foreach (TimeSpan value in Durations)
        {
            if (value <= TimeSpan.Zero)
            {
                Assert.Throws<ArgumentOutOfRangeException>(() => new QueueMessage { TimeToLive = value });
                continue;
            }

            try
            {
                QueueMessage message = new(Message("x").Body) { TimeToLive = value };
                if (!queue.Capabilities.Supports(QueueFeatures.Expiry) && message.TimeToLive is not null)
                    continue;
                await queue.SendBatchAsync([Message("before"), message, Message("after")]);
                IReadOnlyList<PeekedMessage> peeked = queue.Capabilities.Supports(QueueFeatures.Peek) ? await queue.PeekAsync() : [];
                bool isExpired = value < TimeSpan.FromSeconds(1);
                if (queue.Capabilities.Supports(QueueFeatures.Peek) && peeked.Count < (isExpired ? 2 : 3))
                    failures.Add($"{value}: {peeked.Count} peeked");
                var texts = new List<string?>();
                while (texts.Count < (isExpired ? 2 : 3) && await queue.ReceiveAsync(Soon) is { } received)
                {
                    texts.Add(Text(received));
                    if (Text(received) == "x" && received.TimeToLive != message.TimeToLive)
                        failures.Add($"{value} is received as {received.TimeToLive}");
                    await received.AcknowledgeAsync();
                }

                if (texts.Count(text => text != "x") < 2 && !isExpired || !isExpired && !texts.Contains("x"))
                    failures.Add($"{value}: {string.Join(' ', texts)}");
                while (await queue.ReceiveAsync(TimeSpan.FromMilliseconds(20)) is { } more)
                    await more.AcknowledgeAsync();
            }
            catch (Exception e) when (e is QueueBatchException or ArgumentException && queue.Capabilities.Product.StartsWith("RabbitMQ", StringComparison.Ordinal) && value > TimeSpan.FromDays(49.7))
            {
                // AMQP's times to live are a number of milliseconds of 32 bits.
                await queue.PurgeAsync();
            }
            catch (Exception e)
            {
                failures.Add($"{value}: {e.GetType().Name}: {e.Message}");
                await queue.PurgeAsync();
            }
        }

        Assert.Empty(failures);
    }

    [QueueFact]
    public async Task Extremes_of_a_due_time_and_a_delay_work()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Needs(queue.Capabilities.Supports(QueueFeatures.Delays));
        DateTimeOffset[] never = [DateTimeOffset.MaxValue, DateTimeOffset.MaxValue.AddTicks(-1), DateTimeOffset.MaxValue.AddDays(-1), DateTimeOffset.UtcNow.AddYears(5_000)];
        foreach (DateTimeOffset due in never)
        {
            await queue.SendAsync(new QueueMessage(Message("never").Body) { DueTime = due });
            await queue.SendAsync(new QueueMessage(Message("never").Body) { DueTime = due, TimeToLive = TimeSpan.FromDays(364_000) });
        }

        await queue.SendAsync(new QueueMessage(Message("past").Body) { DueTime = DateTimeOffset.MinValue });
        await queue.SendAsync(Message("returned"));
        Assert.Equal("past", Text(await queue.ReceiveAsync(Soon)));
        foreach (TimeSpan delay in Durations)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal("returned", Text(message));
            if (delay < TimeSpan.Zero)
                await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => message.ReturnAsync(delay).AsTask());
            else
                await message.ReturnAsync(delay);
            if (delay < TimeSpan.Zero)
            {
                await message.ReturnAsync();
            }
            else if (delay > TimeSpan.FromSeconds(1))
            {
                Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
                await queue.SendAsync(Message("returned"));
            }
        }

        IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync(new PeekOptions { MaxCount = int.MaxValue });
        Assert.Equal(never.Length * 2, peeked.Count(peek => peek.Body.Bytes.Length == 5));
        Assert.All(peeked.Where(peek => peek.Body.Bytes.Length == 5), peek => Assert.True(peek.DueTime > DateTimeOffset.UtcNow.AddYears(4_999)));
        Assert.Throws<ArgumentOutOfRangeException>(() => new PeekOptions { MaxCount = 0 });
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => queue.ReceiveBatchAsync(0, TimeSpan.Zero).AsTask());
    }
}
