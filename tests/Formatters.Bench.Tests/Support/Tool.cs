using System;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>Runs command lines in this process, over queues of their own.</summary>
internal sealed class Tool
{
    internal static readonly DateTimeOffset Now = new(2026, 11, 20, 9, 30, 15, TimeSpan.Zero);

    internal Tool(params QueueProvider[] providers) =>
        Connector = new QueueConnector(providers.Any(static provider => provider is MemoryQueueProvider) ? providers : [new MemoryQueueProvider(), .. providers]);

    internal QueueConnector Connector { get; }

    /// <summary>By which the tool measures.</summary>
    internal TimeProvider Clock { get; init; } = new FixedClock();

    internal async Task<ToolResult> RunAsync(CancellationToken cancellationToken, params string[] args)
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        TextWriter results = TextWriter.Synchronized(output), errors = TextWriter.Synchronized(error);
        // A queue in memory need not wait, and then nothing in a run does: in a thread of its own the caller can cancel it.
        int exitCode = await Task.Run(() => ToolUnderTest.RunAsync(results, errors, Connector, Clock, args, cancellationToken), CancellationToken.None);
        return new ToolResult(exitCode, output.ToString(), error.ToString());
    }

    internal Task<ToolResult> RunAsync(params string[] args) => RunAsync(CancellationToken.None, args);

    internal async Task<long> CountAsync(string address)
    {
        await using QueueClient queue = await Connector.OpenAsync(address, QueueOptions.Fastest);
        return await queue.GetMessageCountAsync();
    }

    private sealed class FixedClock : TimeProvider
    {
        public override TimeZoneInfo LocalTimeZone => TimeZoneInfo.Utc;

        public override DateTimeOffset GetUtcNow() => Now;
    }
}

internal sealed record ToolResult(int ExitCode, string Output, string Error)
{
    internal string[] OutputLines => Output.Split(Environment.NewLine);

    internal string[] ErrorLines => Error.Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries);

    internal int LongestLine => OutputLines.Max(line => line.Length);
}
