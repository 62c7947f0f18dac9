using System.CommandLine;
using Formatters.Benchmarks.Ratios;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Npgsql;

namespace Formatters.Benchmarks.Workers;

/// <summary>The verb <c>workers</c>: the same worker with Formatters.Hosting, MassTransit, Rebus and Wolverine, on the same server, in
/// turn.</summary>
internal static class WorkersCommand
{
    private static readonly string[] Brokers = ["RabbitMQ", "PostgreSQL"];

    /// <summary>Parses the arguments after the verb and runs.</summary>
    /// <param name="args">After <c>workers</c>.</param>
    /// <returns>0; 2 if the arguments are wrong or no server is named.</returns>
    internal static Task<int> RunAsync(string[] args, TextWriter output, TextWriter error) =>
        Verb.RunAsync(Create(output, error), args, output, error);

    /// <summary>Creates the workers for a server; none if its variable is not set.</summary>
    internal static WorkerCase[] CasesOf(string broker)
    {
        string? rabbitMq = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable)?.TrimEnd('/');
        string? postgres = Environment.GetEnvironmentVariable(QueueCase.PostgresVariable)?.TrimEnd('/');
        if (broker == "RabbitMQ")
        {
            return string.IsNullOrEmpty(rabbitMq) ? [] :
            [
                new FormattersWorker(rabbitMq, static () => new RabbitMqQueueProvider()),
                new MassTransitWorker(new Uri(rabbitMq)),
                new WolverineRabbitMqWorker(new Uri(rabbitMq)),
            ];
        }

        return string.IsNullOrEmpty(postgres) ? [] :
        [
            new FormattersWorker(postgres, static () => new PostgreSqlQueueProvider()),
            new RebusWorker(ConnectionString(new Uri(postgres))),
            new WolverinePostgreSqlWorker(ConnectionString(new Uri(postgres))),
        ];
    }

    /// <summary>Measures every product on the servers that are named.</summary>
    /// <returns>A report without results if no server is named.</returns>
    internal static async Task<WorkerReport> MeasureAsync(
        int roundCount, int orderCount, int latencyCount, TextWriter progress, CancellationToken cancellationToken)
    {
        var results = new List<WorkerResult>();
        foreach (string broker in Brokers)
        {
            WorkerCase[] cases = CasesOf(broker);
            if (cases.Length > 0)
                results.AddRange(await MeasureAsync(broker, cases, roundCount, orderCount, latencyCount, progress, cancellationToken));
        }

        return new WorkerReport(results, roundCount, orderCount);
    }

    private static Command Create(TextWriter output, TextWriter error)
    {
        var rounds = NumberOption.Create("--rounds", "How often each product runs, in turn; a round before them is not counted.", 7, 1, 1000);
        var orders = NumberOption.Create("--orders", "How many orders are sent and then handled in a round.", 4000, 10, 1_000_000);
        var latency = NumberOption.Create("--latency", "How many single orders are timed in a round.", 30, 1, 100_000);
        var workers = new Command(
            "workers", $"Measures the same worker with several products, on the servers that "
                + $"{QueueCase.BrokerVariable} and {QueueCase.PostgresVariable} name.")
        {
            rounds, orders, latency,
        };
        workers.SetAction(async (result, token) =>
        {
            foreach (string line in Machine.Describe())
                output.WriteLine(line);
            WorkerReport report =
                await MeasureAsync(result.GetValue(rounds), result.GetValue(orders), result.GetValue(latency), error, token);
            if (report.Results.Count > 0)
            {
                Print(report, output);
                return 0;
            }

            error.WriteLine($"Neither {QueueCase.BrokerVariable} nor {QueueCase.PostgresVariable} names a server: eval \"$(eng/rabbitmq "
                + $"start)\", eval \"$(eng/postgres start)\".");
            return 2;
        });
        return workers;
    }

    private static async Task<IEnumerable<WorkerResult>> MeasureAsync(
        string broker, WorkerCase[] cases, int roundCount, int orderCount, int latencyCount, TextWriter progress,
        CancellationToken cancellationToken)
    {
        var figures = cases.ToDictionary(static one => one, static _ => new List<WorkerFigures>());
        var started = new List<WorkerCase>();
        try
        {
            foreach (WorkerCase one in cases)
            {
                await one.StartSenderAsync();
                started.Add(one);
            }

            for (int round = -1; round < roundCount; round++)
            {
                // Another product begins each round.
                for (int i = 0; i < cases.Length; i++)
                {
                    WorkerCase one = cases[(i + round + cases.Length) % cases.Length];
                    WorkerFigures measured = await one.MeasureAsync(orderCount, latencyCount, cancellationToken);
                    progress.WriteLine(FormattableString.Invariant($"{broker}, round {round + 1} of {roundCount}, {one.Name}: {measured}"));
                    if (round >= 0)
                        figures[one].Add(measured);
                }
            }
        }
        finally
        {
            foreach (WorkerCase one in started)
                await one.DisposeAsync();
        }

        return cases.Select(one => new WorkerResult(broker, one.Name, figures[one]));
    }

    private static void Print(WorkerReport report, TextWriter output)
    {
        foreach (IGrouping<string, WorkerResult> broker in report.Results.GroupBy(static result => result.Broker))
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"\n{broker.Key}: {report.OrderCount} orders, {WorkerCase.Concurrency} at a time; median (lowest to highest) of "
                    + $"{report.RoundCount} rounds in turn."));
            output.WriteLine("\n| product | sent per second | handled per second | latency in ms, median | latency in ms, 90th "
                + "percentile |\n|---|---:|---:|---:|---:|");
            foreach (WorkerResult one in broker)
            {
                output.WriteLine($"| {one.Product} | {Text(static f => f.SentPerSecond, "N0")} | {Text(static f => f.HandledPerSecond, "N0")} | "
                    + $"{Text(static f => f.MedianLatency, "N1")} | {Text(static f => f.HighLatency, "N1")} |");

                string Text(Func<WorkerFigures, double> select, string format)
                {
                    double[] values = [.. one.Rounds.Select(select)];
                    string[] texts = [.. new[] { Statistics.Of(values).Median, values.Min(),
                        values.Max() }.Select(value => value.ToString(format, CultureInfo.InvariantCulture))];
                    return $"{texts[0]} ({texts[1]} to {texts[2]})";
                }
            }
        }

        output.WriteLine($"\n{WorkerResult.Baseline} divided by the other, in the same round:\n");
        output.WriteLine("| product, broker | sent a second | handled a second | latency |\n|---|---:|---:|---:|");
        foreach (WorkerResult one in report.Results.Where(static result => result.Product != WorkerResult.Baseline))
            output.WriteLine($"| {one.Name} | {string.Join(" | ", report.RatiosOf(one.Name))} |");
    }

    internal static string ConnectionString(Uri address)
    {
        string[] user = address.UserInfo.Split(':');
        return new NpgsqlConnectionStringBuilder
        {
            Host = address.Host, Port = address.IsDefaultPort
                ? 5432
                : address.Port, Username = user[0], Password = user[1], Database = address.AbsolutePath[1..],
        }.ConnectionString;
    }
}
