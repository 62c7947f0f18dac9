namespace Formatters.Bench.Measurement;

/// <summary>The resources that this process used for each message.</summary>
/// <param name="CollectionsPerThousand">Garbage collections, of any generation, for 1,000 messages.</param>
/// <param name="CpuMicroseconds">The time of all processors, those of a broker not included, in microseconds.</param>
internal sealed record ResourceUse(double AllocatedBytes, double CollectionsPerThousand, double CpuMicroseconds);

/// <summary>The resources that this process has used up to a moment.</summary>
/// <param name="AllocatedBytes">Allocated, on all threads.</param>
/// <param name="Collections">Garbage collections.</param>
/// <param name="Cpu">The time of all processors.</param>
internal readonly record struct ResourceMark(long AllocatedBytes, int Collections, TimeSpan Cpu)
{
    /// <summary>Takes note of what was used up to now.</summary>
    internal static ResourceMark Now()
    {
#if NET
        return new(GC.GetTotalAllocatedBytes(), GC.CollectionCount(0), Environment.CpuUsage.TotalTime);
#else
        using Process process = Process.GetCurrentProcess();
        return new(0, GC.CollectionCount(0), process.TotalProcessorTime);
#endif
    }
}

/// <summary>Adds up what stretches of work used, the time between them left out.</summary>
internal sealed class ResourceTally
{
    private ResourceMark _sum;

    /// <summary>Gets or sets how many messages were worked on.</summary>
    internal long Messages { get; private set; }

    /// <summary>Adds what was used since a moment.</summary>
    /// <param name="start">The moment.</param>
    /// <param name="messages">How many messages were worked on.</param>
    internal void Add(ResourceMark start, long messages)
    {
        ResourceMark now = ResourceMark.Now();
        _sum = new ResourceMark(_sum.AllocatedBytes + now.AllocatedBytes - start.AllocatedBytes,
            _sum.Collections + now.Collections - start.Collections, _sum.Cpu + now.Cpu - start.Cpu);
        Messages += messages;
    }

    /// <summary>The use of one message; null without messages.</summary>
    internal ResourceUse? PerMessage => Messages == 0
        ? null
        : new ResourceUse((double)_sum.AllocatedBytes / Messages, 1000d * _sum.Collections / Messages, _sum.Cpu.TotalMilliseconds * 1000 / Messages);
}
