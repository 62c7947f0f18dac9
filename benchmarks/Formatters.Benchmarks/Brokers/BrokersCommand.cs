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

        int measuredCount = 0;
        foreach (string line in Machine.Describe())
            output.WriteLine(line);
        output.WriteLine(
            string.Create(CultureInfo.InvariantCulture,
                $"Messages of {BrokerCase.BodyByteCount:N0} bytes; {roundCount} rounds of {time.TotalSeconds:0.#} s for each side, in turn."));
        output.WriteLine();
        output.WriteLine($"{"messages a second (median)",-50} {"peer",-32} {"peer's",10} {"queue's",10} {"ratio",7} {"min",7} {"max",7}");
        try
        {
            await using (FolderCases folders = await FolderCases.CreateAsync())
                await RunAsync(Choose(folders.All), roundCount, time, output, cancellationToken);
            await using (var messaging = new MessagingCases(rabbitMq, postgres))
                await RunAsync(Choose(messaging.All), roundCount, time, output, cancellationToken);
            if (!string.IsNullOrEmpty(rabbitMq))
                await RunAsync(Choose(new RabbitMqCases(rabbitMq.TrimEnd('/')).All), roundCount, time, output, cancellationToken);
            if (!string.IsNullOrEmpty(postgres))
            {
                await using PostgreSqlCases cases = await PostgreSqlCases.CreateAsync(postgres.TrimEnd('/'));
                await RunAsync(Choose(cases.All), roundCount, time, output, cancellationToken);
                await using CoordinatedCases coordinated = await CoordinatedCases.CreateAsync(postgres.TrimEnd('/'));
                await RunAsync(Choose(coordinated.All), roundCount, time, output, cancellationToken);
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

        if (measuredCount == 0)
        {
            error.WriteLine($"No case has '{only}' in its name.");
            return 2;
        }

        output.WriteLine();
        output.WriteLine("ratio: median over the rounds of the queue's messages a second by its peer's in the same round; min and max likewise.");
        return 0;

        BrokerCase[] Choose(IEnumerable<BrokerCase> all)
        {
            BrokerCase[] chosen = [.. all.Where(one => one.Name.Contains(only, StringComparison.OrdinalIgnoreCase))];
            measuredCount += chosen.Length;
            return chosen;
        }
    }

    private static async Task RunAsync(IEnumerable<BrokerCase> cases, int roundCount, TimeSpan time, TextWriter output,
        CancellationToken cancellationToken)
    {
        foreach (BrokerCase one in cases)
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

            double[] ratios = [.. owns.Zip(peers, (own, peer) => own / peer)];
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{one.Name,-50} {one.Peer,-32} {Numbers.Rate(Median(peers)),10} {Numbers.Rate(Median(owns)),10} {Median(ratios),7:G3} "
                    + $"{ratios.Min(),7:G3} {ratios.Max(),7:G3}"));
        }
    }

    private static double Median(double[] values) => Statistics.Of(values).Median;
}

/// <summary>A broker's own tool is not there, or fails.</summary>
/// <param name="message">What happened.</param>
internal sealed class PeerException(string message, Exception? cause = null) : Exception(message, cause);
