using Formatters.Benchmarks.Brokers;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Workers;
using static Formatters.Benchmarks.Tables.TableSource;

namespace Formatters.Benchmarks.Tables;

/// <summary>The tables of queues and workers.</summary>
internal static class QueueTables
{
    private const string Queues = "docs/queue-performance.md";

    private static readonly Library RabbitMqClient = new("RabbitMQ.Client", "RabbitMQ.Client");
    private static readonly Library NpgsqlLibrary = new("Npgsql", "Npgsql");

    /// <summary>Gets the cases of <c>brokers</c> that are rows: the queue, the case, and the peer.</summary>
    internal static IReadOnlyList<(string Queue, string Case, string Peer)> BrokerRows { get; } =
    [
        ("RabbitMQ", "send express", "RabbitMQ.Client"),
        ("RabbitMQ", "send recoverable, 1,000 in flight", "RabbitMQ.Client"),
        ("RabbitMQ", "receive, prefetch 200, each acknowledged", "RabbitMQ.Client"),
        ("PostgreSQL", "send recoverable, one after the other", "pgbench"),
        ("PostgreSQL", "send recoverable, 20 senders", "pgbench"),
        ("PostgreSQL", "send express, one after the other", "pgbench"),
        ("PostgreSQL", "send express, 20 senders", "pgbench"),
        ("PostgreSQL", "receive and delete, one after the other", "pgbench"),
        ("PostgreSQL", "send recoverable, batches of 100", "Npgsql, binary COPY"),
        ("PostgreSQL", "send recoverable, batches of 100", "Npgsql, multi-row INSERT"),
        ("both", "commit in folder and database, one after the other", "PostgreSQL alone"),
        ("both", "commit in folder and database, one after the other", "folder alone"),
        ("both", "commit in folder and database, 20 at a time", "PostgreSQL alone"),
        ("both", "commit in folder and database, 20 at a time", "folder alone"),
        ("folder", "folder, send batches of 100, one sender", "single sends"),
        ("folder", "folder, receive and acknowledge 100 at once", "single receives"),
    ];

    /// <summary>Gets the queues that System.Messaging is measured over.</summary>
    internal static IReadOnlyList<string> MessagingQueues { get; } = ["memory", "folder", "RabbitMQ", "PostgreSQL"];

    private static IReadOnlyList<string> MessagingWorks { get; } = ["send, 40", "receive, 40", "send, 512", "receive, 512"];

    internal static IReadOnlyList<TableSource> All { get; } = [WorkerRatios(), BrokerRatios(), MessagingRatios()];

    private static TableSource WorkerRatios()
    {
        string[] labels = ["MassTransit, RabbitMQ", "Wolverine, RabbitMQ", "Rebus, PostgreSQL", "Wolverine, PostgreSQL"];
        return new(
            "workers",
            "docs/comparison-of-buses.md",
            "workers",
            [new(["product, broker", "sent a second", "handled a second", "latency"], labels)],
            [new("MassTransit", "MassTransit"), new("Rebus", "Rebus"), new("Wolverine", "Wolverine")],
            static async (measurements, cancellationToken) =>
            {
                WorkerReport report = await measurements.WorkersAsync(cancellationToken);
                return new Measured(
                    await FactsOfAsync($"{report.RoundCount} rounds of {Count(report.OrderCount)} orders", measurements, cancellationToken),
                    label => [.. report.RatiosOf(label).Select(static ratio => ratio.ToString())]);
            }) { NeedsServers = true };
    }

    private static TableSource BrokerRatios()
    {
        // The column before it says "folder" already.
        string[] labels = [.. BrokerRows.Select(static row =>
            $"{row.Queue} | {row.Case.Replace("folder, ", "", StringComparison.Ordinal)} | {row.Peer}")];
        return new("brokers", Queues, "brokers", [new(["queue", "work", "peer", "ratio"], labels)], [RabbitMqClient, NpgsqlLibrary],
            async (measurements, cancellationToken) =>
            {
                BrokerReport report = await measurements.BrokersAsync(
                    static one => BrokerRows.Any(row => row.Case == one.Name && row.Peer == one.Peer), cancellationToken);
                return new Measured(await FactsOfAsync(report, measurements, cancellationToken), label =>
                {
                    (_, string name, string peer) = BrokerRows[Array.IndexOf(labels, label)];
                    return [report.RatioOf(name, peer).ToString()];
                });
            }) { NeedsServers = true };
    }

    private static TableSource MessagingRatios() => new(
        "messaging", Queues, "brokers --only System.Messaging", [new(["queue", .. MessagingWorks], MessagingQueues)], [RabbitMqClient, NpgsqlLibrary],
        static async (measurements, cancellationToken) =>
        {
            BrokerReport report = await measurements.BrokersAsync(
                static one => MessagingQueues.Any(queue => MessagingNames(queue).Contains(one.Name)), cancellationToken);
            return new Measured(
                await FactsOfAsync(report, measurements, cancellationToken),
                queue => [.. MessagingNames(queue).Select(name => report.RatioOf(name, MessagingCases.Peer).ToString())]);
        }) { NeedsServers = true };

    /// <summary>Gets the names of the cases of a queue: sends and receives of each size, one message at a time.</summary>
    internal static IReadOnlyList<string> MessagingNames(string queue) =>
    [
        MessagingCases.NameOf(queue, "send", 40), MessagingCases.NameOf(queue, "receive", 40),
        MessagingCases.NameOf(queue, "send", 512), MessagingCases.NameOf(queue, "receive", 512),
    ];

    private static Task<string> FactsOfAsync(BrokerReport report, IMeasurements measurements, CancellationToken cancellationToken) =>
        FactsOfAsync($"{report.RoundCount} rounds of {Decimals(report.Seconds, "0.#")} s", measurements, cancellationToken);

    private static async Task<string> FactsOfAsync(string rounds, IMeasurements measurements, CancellationToken cancellationToken) =>
        $"{Machine.Short}; {rounds}; {string.Join(", ", await measurements.ServerVersionsAsync(cancellationToken))}";
}
