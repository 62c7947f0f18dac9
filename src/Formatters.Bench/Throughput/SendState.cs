namespace Formatters.Bench.Throughput;

/// <summary>The shared state of a run's senders: the numbers of the messages, and their outcomes. Thread-safe.</summary>
internal sealed class SendState(ThroughputOptions options, TimeProvider clock)
{
    private readonly List<(long First, int Count)> _uncertain = [];
    private readonly long _start = clock.GetTimestamp();
    private long _next;
    private long _acknowledged;

    /// <summary>Gets how many messages have a number: were sent, or tried to.</summary>
    internal long TakenCount => Math.Min(Interlocked.Read(ref _next), options.MessageCount);

    /// <summary>Gets how many messages the queue has confirmed.</summary>
    internal long AcknowledgedCount => Interlocked.Read(ref _acknowledged);

    /// <summary>Takes the numbers of the next messages.</summary>
    /// <returns>The first number, and how many: 0 at the end.</returns>
    internal (long First, int Count) Take(int count)
    {
        if (options.Duration is { } duration && clock.GetElapsedTime(_start) >= duration)
            return (0, 0);
        long first = Interlocked.Add(ref _next, count) - count;
        return (first, (int)Math.Clamp(options.MessageCount - first, 0, count));
    }

    /// <summary>Returns when a message is due.</summary>
    internal long DueTimestamp(long number) => _start + (long)(number / options.Rate!.Value * clock.TimestampFrequency);

    internal void Acknowledge(int count) => Interlocked.Add(ref _acknowledged, count);

    /// <summary>Notes that it is not known whether messages are in the queue.</summary>
    internal void SetUncertain(long first, int count)
    {
        lock (_uncertain)
            _uncertain.Add((first, count));
    }

    /// <summary>Returns how many messages of those that the queue confirmed did not come out.</summary>
    internal long CountLost(MessageLedger ledger)
    {
        long lost = 0;
        var uncertain = new HashSet<long>();
        lock (_uncertain)
        {
            foreach ((long first, int count) in _uncertain)
            {
                for (int i = 0; i < count; i++)
                    uncertain.Add(first + i);
            }
        }

        for (long number = 0; number < TakenCount; number++)
        {
            if (!ledger.HasReceived(number) && !uncertain.Contains(number))
                lost++;
        }

        return lost;
    }

    /// <summary>Determines whether a queue refused for want of space, or its broker holds up its senders: to be tried again.</summary>
    internal static bool IsBusy(QueueException error)
    {
        for (Exception? e = error; e is not null; e = e.InnerException)
        {
            if (e is QueueException { Code: QueueErrorCode.Full or QueueErrorCode.Busy })
                return true;
        }

        return false;
    }
}
