namespace Formatters.Bench.Measurement;

/// <summary>Waits until a queue's server has done what large messages leave it to do, so that they do not slow the next case down.</summary>
/// <param name="isInProcess">Whether they have no server.</param>
internal sealed class Settling(string addresses, bool isInProcess)
{
    /// <summary>After fewer bytes the server has less to do than a batch takes.</summary>
    private const long MinByteCount = 1 << 20;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(50);
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(1);

#if NET
    private readonly ServerProcess? _server = ServerProcess.Find(addresses);
#endif

    /// <summary>Waits until the server on this machine uses less than half a processor, or at most 10 ms for each MiB.</summary>
    /// <param name="byteCount">How many bytes of bodies went over the queues.</param>
    internal async Task WaitAsync(long byteCount, CancellationToken cancellationToken)
    {
        if (byteCount < MinByteCount)
            return;
        GC.Collect();
        if (isInProcess)
            return;
        TimeSpan left = TimeSpan.FromMilliseconds(10d * byteCount / MinByteCount);
        left = left > MaxWait ? MaxWait : left;
        while (left > TimeSpan.Zero)
        {
            TimeSpan? before = Used();
            TimeSpan look = left < Look ? left : Look;
            await Task.Delay(look, cancellationToken);
            if (look == Look && Used() - before is { } used && used < TimeSpan.FromTicks(Look.Ticks / 2))
                return;
            left -= look;
        }
    }

#if NET
    private TimeSpan? Used() => _server?.Use()?.Cpu;
#else
    private TimeSpan? Used() => addresses.Length == 0 ? TimeSpan.Zero : null;
#endif
}
