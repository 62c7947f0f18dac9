using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Limits;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>A clock that goes only when somebody lets it.</summary>
internal sealed class ManualClock : TimeProvider
{
    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);

    public override DateTimeOffset GetUtcNow() => Tool.Now + TimeSpan.FromTicks(GetTimestamp());

    internal void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);
}

/// <summary>Queues that take a known time for each message, by a clock that nothing else moves: what is measured over them has one right result.</summary>
/// <param name="scheme">Of their addresses.</param>
/// <param name="clock">The clock.</param>
/// <param name="sendTime">How long a send takes, by the number of the send.</param>
/// <param name="receiveTime">How long a receive takes, by the name of the queue.</param>
internal sealed class KnownSpeedProvider(string scheme, ManualClock clock, Func<long, TimeSpan> sendTime, Func<string, TimeSpan> receiveTime) : WrappingQueueProvider(scheme)
{
    private long _sends;

    protected override ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        clock.Advance(sendTime(Interlocked.Increment(ref _sends) - 1));
        return base.SendAsync(queue, message, transaction, cancellationToken);
    }

    protected override async ValueTask<ReceivedMessage?> ReceiveAsync(QueueClient queue, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ReceivedMessage? message = await base.ReceiveAsync(queue, timeout, transaction, cancellationToken);
        if (message is not null)
            clock.Advance(receiveTime(queue.Address.QueueName));
        return message;
    }
}

/// <summary>A disk that is slower before each case than after it.</summary>
internal sealed class KnownDisk(double before, double after) : IDiskMeter
{
    private int _measured;

    internal List<TimeSpan> Times { get; } = [];

    public double Measure(TimeSpan time)
    {
        Times.Add(time);
        return _measured++ % 2 == 0 ? before : after;
    }

    public void Dispose()
    {
    }
}
