using System.CommandLine;
using Formatters.Bench.CommandLine;
using Formatters.Bench.Reports;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Brokers;

/// <summary>The verb <c>brokers</c>: queues over RabbitMQ and PostgreSQL beside what a bare client, and pgbench, reach on the same server, in
/// turn.</summary>
internal static class BrokersCommand
{
    /// <summary>Parses the arguments behind the verb and runs.</summary>
    /// <param name="args">Behind <c>brokers</c>.</param>
    /// <returns>0; 1 if a server or tool fails; 2 if the arguments are wrong or no server is named.</returns>
    public static Task<int> RunAsync(string[] args, TextWriter output, TextWriter error) =>
        Verb.RunAsync(Create(output, error), args, output, error);

    /// <summary>Measures the cases of the servers that are named, and those that need none.</summary>
    /// <param name="isMeasured">Chooses among them.</param>
    /// <param name="roundCount">How often each side runs, without the first round.</param>
    /// <param name="time">For how long each side runs in a round.</param>
    /// <param name="done">Called after each case.</param>
    internal static async Task<BrokerReport> MeasureAsync(
        Func<BrokerCase, bool> isMeasured, int roundCount, TimeSpan time, Action<BrokerResult> done, CancellationToken cancellationToken)
    {
        string? rabbitMq = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable)?.TrimEnd('/');
        string? postgres = Environment.GetEnvironmentVariable(QueueCase.PostgresVariable)?.TrimEnd('/');
        var results = new List<BrokerResult>();
        await using (FolderCases folders = await FolderCases.CreateAsync())
            await RunAsync(folders.All);
        await using (var messaging = new MessagingCases(rabbitMq, postgres))
            await RunAsync(messaging.All);
        if (!string.IsNullOrEmpty(rabbitMq))
            await RunAsync(new RabbitMqCases(rabbitMq).All);
        if (!string.IsNullOrEmpty(postgres))
        {
            await using PostgreSqlCases cases = await PostgreSqlCases.CreateAsync(postgres);
            await RunAsync(cases.All);
            await using CoordinatedCases coordinated = await CoordinatedCases.CreateAsync(postgres);
            await RunAsync(coordinated.All);
        }

        return new BrokerReport(results, roundCount, time.TotalSeconds);

        async Task RunAsync(IEnumerable<BrokerCase> all)
        {
            foreach (BrokerCase one in all.Where(isMeasured))
            {
                results.Add(await MeasureAsync(one, roundCount, time, cancellationToken));
                done(results[^1]);
            }
        }
    }

    private static Command Create(TextWriter output, TextWriter error)
    {
        var rounds = NumberOption.Create("--rounds", "How often each side runs, in turn; the first round is not counted.", 7, 1, 1000);
        Option<double> seconds = NumberOption.Create(
            "--seconds", "For how long each side runs in a round; pgbench takes whole seconds.", 2d, static number => number is >= 0.1 and <= 600,
            "a number from 0.1 to 600");
        var only = new Option<string>("--only") { Description = "Only the cases whose names contain this, for example \"express\".",
            DefaultValueFactory = _ => "" };
        var brokers = new Command(
            "brokers", $"Measures queues beside the brokers' own tools, on the servers that "
                + $"{QueueCase.BrokerVariable} and {QueueCase.PostgresVariable} name.") { rounds, seconds, only };
        brokers.SetAction((result, token) =>
            RunAsync(result.GetValue(rounds), TimeSpan.FromSeconds(result.GetValue(seconds)), result.GetValue(only)!, output, error, token));
        return brokers;
    }

    private static async Task<int> RunAsync(int roundCount, TimeSpan time, string only, TextWriter output, TextWriter error,
        CancellationToken cancellationToken)
    {
        string? rabbitMq = Environment.GetEnvironmentVariable(QueueCase.BrokerVariable);
        string? postgres = Environment.GetEnvironmentVariable(QueueCase.PostgresVariable);
        if (string.IsNullOrEmpty(rabbitMq) && string.IsNullOrEmpty(postgres))
        {
            error.WriteLine($"Neither {QueueCase.BrokerVariable} nor {QueueCase.PostgresVariable} names a server: eval \"$(eng/rabbitmq "
                + $"start)\", eval \"$(eng/postgres start)\".");
            return 2;
        }

        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        output.WriteLine(
            string.Create(CultureInfo.InvariantCulture,
                $"Messages of {BrokerCase.BodyByteCount:N0} bytes; {roundCount} rounds of {time.TotalSeconds:0.#} s for each side, in turn."));
        output.WriteLine();
        output.WriteLine($"{"messages a second (median)",-60} {"peer",-32} {"peer's",10} {"queue's",10} {"ratio",7} {"min",7} {"max",7}");
        try
        {
            BrokerReport report = await MeasureAsync(
                one => one.Name.Contains(only, StringComparison.OrdinalIgnoreCase), roundCount, time,
                result => output.WriteLine(string.Create(
                    CultureInfo.InvariantCulture,
                    $"{result.Name,-60} {result.Peer,-32} {Numbers.Rate(result.PeerRate),10} {Numbers.Rate(result.OwnRate),10} "
                        + $"{result.Ratio.Median,7:G3} {result.Ratio.Min,7:G3} {result.Ratio.Max,7:G3}")), cancellationToken);
            if (report.Results.Count == 0)
            {
                error.WriteLine($"No case has '{only}' in its name.");
                return 2;
            }
        }
        catch (Exception e) when (e is QueueException or PeerException)
        {
            error.WriteLine(e.Message);
            return 1;
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            error.WriteLine("Stopped.");
            return ExitCodes.Interrupted;
        }

        output.WriteLine();
        output.WriteLine("ratio: median over the rounds of the queue's messages a second by its peer's in the same round; min and max likewise.");
        return 0;
    }

    private static async Task<BrokerResult> MeasureAsync(BrokerCase one, int roundCount, TimeSpan time, CancellationToken cancellationToken)
    {
        double[] peers = new double[roundCount];
        double[] owns = new double[roundCount];
        for (int round = -1; round < roundCount; round++)
        {
            cancellationToken.ThrowIfCancellationRequested();
            double peer = await one.PeerAsync(time);
            double own = await one.OwnAsync(time);
            if (round >= 0)
                (peers[round], owns[round]) = (peer, own);
        }

        return new BrokerResult(one.Name, one.Peer, Statistics.Of(peers).Median, Statistics.Of(owns).Median, RatioRange.Of(owns, peers));
    }
}

/// <summary>The result of the rounds of a case.</summary>
/// <param name="Name">The case.</param>
/// <param name="Peer">The peer of the case: several have the same name.</param>
/// <param name="PeerRate">The peer's messages a second, the median.</param>
/// <param name="OwnRate">The queue's messages a second, the median.</param>
/// <param name="Ratio">The queue's messages a second divided by the peer's.</param>
internal sealed record BrokerResult(string Name, string Peer, double PeerRate, double OwnRate, RatioRange Ratio);

/// <param name="RoundCount">How often each side ran.</param>
/// <param name="Seconds">For how long each side ran in a round.</param>
internal sealed record BrokerReport(IReadOnlyList<BrokerResult> Results, int RoundCount, double Seconds)
{
    internal RatioRange RatioOf(string name, string peer) => Results.First(result => result.Name == name && result.Peer == peer).Ratio;
}

/// <summary>A broker's own tool is not there, or fails.</summary>
/// <param name="message">What happened.</param>
internal sealed class PeerException(string message, Exception? cause = null) : Exception(message, cause);
