using System.Text.Json;
using Formatters.Bench.Load;

namespace Formatters.Bench.Senders;

/// <summary>An order to a sending process: a line of JSON for each case.</summary>
/// <param name="MaxCount">How many messages at most.</param>
/// <param name="Sender">The sender's own number.</param>
internal sealed record SenderOrder(string Address, SendersCase Case, double Milliseconds, int MaxCount, int Sender);

/// <param name="Count">How many messages it has sent.</param>
/// <param name="CpuMilliseconds">The time of all processors that it needed.</param>
/// <param name="Error">What went wrong; null if nothing did.</param>
internal sealed record SenderAnswer(long Count, double CpuMilliseconds, string? Error);

/// <summary>A sender that is a process of its own: this tool, with the hidden verb <see cref="Verb"/>.</summary>
internal sealed class SenderProcess : IAsyncDisposable
{
    internal const string Verb = "sender-process";

    private const string Ready = "ready";
    private const string Go = "go";

    private readonly Process _process;

    private SenderProcess(Process process) => _process = process;

    internal static SenderProcess Start()
    {
        ProcessStartInfo start = CommandLine.ToolProcess.Start([Verb]);
        start.RedirectStandardInput = true;
        start.RedirectStandardOutput = true;
        return new SenderProcess(Process.Start(start)!);
    }

    /// <summary>Lets it open the queue.</summary>
    internal async Task PrepareAsync(SenderOrder order, CancellationToken cancellationToken)
    {
        await WriteAsync(JsonSerializer.Serialize(order, SenderJson.Default.SenderOrder), cancellationToken);
        string? line = await _process.StandardOutput.ReadLineAsync(cancellationToken);
        if (line != Ready)
            throw new QueueException(line is null ? "A process that sends has ended."
                : JsonSerializer.Deserialize(line, SenderJson.Default.SenderAnswer)!.Error!);
    }

    /// <summary>Lets it send.</summary>
    internal async Task<SenderAnswer> SendAsync(CancellationToken cancellationToken)
    {
        await WriteAsync(Go, cancellationToken);
        string line = await _process.StandardOutput.ReadLineAsync(cancellationToken) ?? throw new QueueException("A process that sends has ended.");
        SenderAnswer answer = JsonSerializer.Deserialize(line, SenderJson.Default.SenderAnswer)!;
        return answer.Error is null ? answer : throw new QueueException(answer.Error);
    }

    public async ValueTask DisposeAsync()
    {
        try
        {
            _process.StandardInput.Close();
            using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            await _process.WaitForExitAsync(patience.Token);
        }
        catch (Exception e) when (e is OperationCanceledException or IOException)
        {
            _process.Kill();
        }

        _process.Dispose();
    }

    /// <summary>Runs a sending process: executes the orders on its input until that ends.</summary>
    internal static async Task RunAsync(QueueConnector connector, TextReader input, TextWriter output, TimeProvider clock,
        CancellationToken cancellationToken)
    {
        while (await input.ReadLineAsync(cancellationToken) is { } line)
        {
            SenderAnswer answer;
            try
            {
                SenderOrder order = JsonSerializer.Deserialize(line, SenderJson.Default.SenderOrder)!;
                SendersCase item = order.Case with { Threads = 1 };
                QueueOptions options = Modes.OptionsOf(SendersModes.DeliveryOf(item.Mode));
                await using QueueClient queue = await connector.OpenAsync(order.Address, options, cancellationToken);
                LoadScenario scenario = SendersScenario.Of(
                    item,
                    queue,
                    queue,
                    token => connector.OpenAsync(order.Address, options, token),
                    item.Mode == SendersMode.Internal ? queue.BeginTransactionAsync : null) with
                {
                    Time = TimeSpan.FromMilliseconds(order.Milliseconds),
                    MaxCount = order.MaxCount,
                    FirstNumber = (long)order.Sender << LoadRun.SenderShift,
                };
                await output.WriteLineAsync(Ready);
                await output.FlushAsync(cancellationToken);
                if (await input.ReadLineAsync(cancellationToken) != Go)
                    return;
                ResourceMark mark = ResourceMark.Now();
                LoadResult result = await new LoadRun(scenario, clock).SendAsync(cancellationToken);
                answer = new SenderAnswer(result.Sent, (ResourceMark.Now().Cpu - mark.Cpu).TotalMilliseconds, null);
            }
            catch (Exception e) when (e is QueueException or NotSupportedException or IOException or FormatException)
            {
                answer = new SenderAnswer(0, 0, e.Message);
            }

            await output.WriteLineAsync(JsonSerializer.Serialize(answer, SenderJson.Default.SenderAnswer));
            await output.FlushAsync(cancellationToken);
        }
    }

    private async Task WriteAsync(string line, CancellationToken cancellationToken)
    {
        await _process.StandardInput.WriteLineAsync(line.AsMemory(), cancellationToken);
        await _process.StandardInput.FlushAsync(cancellationToken);
    }
}

/// <summary>The processes that send, started as they are needed.</summary>
internal sealed class SenderProcesses : IAsyncDisposable
{
    private readonly List<SenderProcess> _all = [];

    /// <summary>Lets as many send as the case has senders, all at once.</summary>
    /// <returns>How many messages each sent, how long it took, and the time of all processors that they needed.</returns>
    internal async Task<(IReadOnlyList<long> Sent, TimeSpan Elapsed, TimeSpan Cpu)> SendAsync(
        string address, SendersCase item, TimeSpan time, int maxCount, TimeProvider clock, CancellationToken cancellationToken)
    {
        while (_all.Count < item.Threads)
            _all.Add(SenderProcess.Start());
        await Task.WhenAll(_all.Take(item.Threads).Select((process, i) => process.PrepareAsync(
            new SenderOrder(address, item, time.TotalMilliseconds, Math.Max(1, maxCount / item.Threads), i), cancellationToken)));
        long start = clock.GetTimestamp();
        SenderAnswer[] answers = await Task.WhenAll(_all.Take(item.Threads).Select(process => process.SendAsync(cancellationToken)));
        return ([.. answers.Select(static answer => answer.Count)], clock.GetElapsedTime(start),
            TimeSpan.FromMilliseconds(answers.Sum(static answer => answer.CpuMilliseconds)));
    }

    public async ValueTask DisposeAsync()
    {
        foreach (SenderProcess process in _all)
            await process.DisposeAsync();
    }
}

/// <summary>The lines between the processes.</summary>
[System.Text.Json.Serialization.JsonSerializable(typeof(SenderOrder))]
[System.Text.Json.Serialization.JsonSerializable(typeof(SenderAnswer))]
internal sealed partial class SenderJson : System.Text.Json.Serialization.JsonSerializerContext;
