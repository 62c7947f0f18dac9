namespace Formatters.Bench.Throughput;

/// <summary>Checks that every message sent arrives once at a receive path. Thread-safe.</summary>
/// <param name="count">How many messages there are at most; they are numbered from 0.</param>
internal sealed class MessageLedger(long count)
{
    private readonly long[] _received = new long[(count + 63) / 64];
    private long _receivedCount;
    private long _doubledCount;
    private long _redeliveredCount;

    /// <summary>Gets how many different messages came out.</summary>
    internal long ReceivedCount => Interlocked.Read(ref _receivedCount);

    /// <summary>Gets how many came out a second time that the queue had not said to hand out again.</summary>
    internal long DoubledCount => Interlocked.Read(ref _doubledCount);

    /// <summary>Gets how many came out again after they had come back: an error of the receiver, not of the queue.</summary>
    internal long RedeliveredCount => Interlocked.Read(ref _redeliveredCount);

    /// <summary>Notes that a message came out.</summary>
    internal void Receive(long number, bool isRedelivered)
    {
        long bit = 1L << (int)(number & 63);
        if ((Interlocked.Or(ref _received[number >> 6], bit) & bit) == 0)
            Interlocked.Increment(ref _receivedCount);
        else if (isRedelivered)
            Interlocked.Increment(ref _redeliveredCount);
        else
            Interlocked.Increment(ref _doubledCount);
    }

    /// <summary>Notes that a message without a number came out.</summary>
    internal void Count() => Interlocked.Increment(ref _receivedCount);

    /// <summary>Determines whether a message came out.</summary>
    internal bool HasReceived(long number) => (Volatile.Read(ref _received[number >> 6]) & (1L << (int)(number & 63))) != 0;
}
