using System.Collections.Concurrent;
using Formatters.Bench.Compare;
using Formatters.Bench.CommandLine;

namespace Formatters.Bench.Factors;

/// <summary>
/// Measures what is delivered again after a failure, by acknowledge mode. Over a queue in a folder, whose process is its broker, a consumer that is a
/// separate process is killed; over a broker, the broker is, if the command line says how it is started again.
/// </summary>
/// <param name="kills">How often in each mode.</param>
/// <param name="restart">The command that starts the broker again; null for a queue in a folder.</param>
/// <param name="purge">Whether to delete what is in the queue beforehand.</param>
internal sealed class KillRun(QueueConnector connector, string address, int kills, string? restart, bool purge, TimeProvider clock, TextWriter error)
{
    /// <summary>The hidden verb of the consumer.</summary>
    internal const string ConsumerVerb = "factors-consumer";

    /// <summary>CLIENT_ACKNOWLEDGE is said once for as many.</summary>
    internal const int GroupCount = 10;

    /// <summary>The number of messages that are sent before each kill.</summary>
    internal const int MessageCount = 600;

    /// <summary>Fewer kills that hit a consumer at work decide nothing: what happens at every second kill is missed by five in 3 of 100
    /// runs.</summary>
    internal const int MinKills = 5;
    private const string Automatic = "AUTO";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    /// <summary>RabbitMQ 3.10 stores the definition of a queue up to two seconds after it has answered, and loses a younger queue with all that is in
    /// it.</summary>
    private static readonly TimeSpan QueueAge = TimeSpan.FromSeconds(3);

    /// <summary>The modes by the study's names; null is AUTO_ACKNOWLEDGE.</summary>
    private static readonly IReadOnlyList<AcknowledgeMode?> AllModes =
        [null, AcknowledgeMode.Individual, AcknowledgeMode.Cumulative, AcknowledgeMode.Lazy];

    /// <summary>The modes that are tried; others of the queue count as not tried.</summary>
    internal IReadOnlyList<AcknowledgeMode?> Modes { get; init; } = AllModes;

    /// <summary>Kills and counts.</summary>
    /// <exception cref="UsageException">The queue has no broker that could be killed.</exception>
    internal async Task<FactorsReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        QueueAddress queue = QueueAddress.Parse(address);
        (
            QueueCapabilities capabilities,
            bool isOffered) = await OpenAsync(opener => Tools.Queues.Modes.ProbeAsync(opener, address, DeliveryMode.Recoverable, cancellationToken));
        if (!isOffered || (capabilities.IsInProcess && !queue.Uri.IsFile))
            throw new UsageException($"--kill: messages of {capabilities.Product} end with their process; no message could come again.");
        bool isFolder = queue.Uri.IsFile;
        ServerProcess? server = null;
        if (!isFolder)
        {
            if (restart is null)
                throw new UsageException("--kill kills the queue's broker without a warning: give the command that starts it again with --restart "
                    + "COMMAND. Do not name a broker that others use.");
            server = ServerProcess.Find(address)
                ?? throw new UsageException($"--kill: the broker of '{queue}' does not run on this machine, or belongs to another user.");
        }

        await OpenAsync(async opener =>
        {
            await EmptyQueues.RequireAsync(opener, [address], Tools.Queues.Modes.OptionsOf(DeliveryMode.Recoverable), purge, error,
                cancellationToken);
            return true;
        });
        if (!isFolder)
            await Task.Delay(QueueAge, cancellationToken);
        IReadOnlyDictionary<string, string> settings = await Servers.ServerSettings.ReadAsync(address, cancellationToken);
        IProgress<double> stage = progress.Stage("first kill");
        var rows = new List<KillRow>();
        List<AcknowledgeMode?> modes = [.. Modes.Where(mode => mode is null or AcknowledgeMode.Individual
            || capabilities.Supports(QueueFeatures.AcknowledgeModes))];
        int done = 0;
        long start = clock.GetTimestamp();
        try
        {
            foreach (AcknowledgeMode? mode in modes)
            {
                var outcomes = new List<(int Processed, int Redelivered, int Lost, int Marked)>();
                for (int i = 0; i < kills; i++)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    outcomes.Add(
                        await KillAsync(mode, isFolder, server, killAfter: (MessageCount / 3) + (37 * i % (MessageCount / 3)), cancellationToken));
                    if (!isFolder)
                        server = ServerProcess.Find(address);
                    if (done == 0)
                    {
                        stage.Report(1);
                        RunText.PrintCorrectedEstimate(error, TimeSpan.Zero, clock.GetElapsedTime(start) * (kills * modes.Count));
                        stage = progress.Stage("kill");
                    }

                    stage.Report((double)++done / (kills * modes.Count));
                }

                rows.Add(
                    new KillRow(NameOf(mode), [.. outcomes.Select(static one => one.Redelivered)], [.. outcomes.Select(static one => one.Lost)],
                        [.. outcomes.Select(static one => one.Marked)])
                    {
                        Processed = [.. outcomes.Select(static one => one.Processed)],
                    });
            }
        }
        catch (OperationCanceledException) when (rows.Count > 0 && cancellationToken.IsCancellationRequested)
        {
            // The modes up to then are the outcome.
        }
        finally
        {
            await PurgeQuietlyAsync();
        }

        var info = new QueueInfo(queue.ToString(), capabilities.Product, "recoverable", capabilities.Durability) { Settings = settings };
        return new FactorsReport(recorder.Finish(cancellationToken.IsCancellationRequested), info, 0, [], Judge(rows)) { Kills = rows };
    }

    /// <summary>Consumes, and says of each message that it was processed before it acknowledges it.</summary>
    internal static async Task ConsumeAsync(QueueClient queue, AcknowledgeMode? mode, Func<long, Task> processed,
        CancellationToken cancellationToken)
    {
        for (int count = 0; !cancellationToken.IsCancellationRequested;)
        {
            ReceivedMessage? message = await queue.ReceiveAsync(TimeSpan.FromMilliseconds(200), cancellationToken: cancellationToken);
            if (message is null)
                continue;
            await processed(BitConverter.ToInt64(message.Body.ToArray()));
            count++;
            if (mode is AcknowledgeMode.Individual or AcknowledgeMode.Lazy || (mode == AcknowledgeMode.Cumulative && count % GroupCount == 0))
                await message.AcknowledgeAsync(cancellationToken);
        }
    }

    /// <summary>The body of the hidden verb: a consumer that says on its output what it has processed, until it is killed.</summary>
    internal static async Task RunConsumerAsync(QueueConnector connector, string address, string mode, TextWriter output,
        CancellationToken cancellationToken)
    {
        AcknowledgeMode? acknowledge = mode == Automatic ? null : Enum.Parse<AcknowledgeMode>(mode);
        await using QueueClient queue = await connector.OpenAsync(address, OptionsOf(acknowledge), cancellationToken);
        await ConsumeAsync(
            queue,
            acknowledge,
            number =>
            {
                output.WriteLine(number.ToString(CultureInfo.InvariantCulture));
                output.Flush();
                // It works, so that the kill hits it at work.
                return Task.Delay(1, cancellationToken);
            },
            cancellationToken);
    }

    private static QueueOptions OptionsOf(AcknowledgeMode? mode) => new()
    {
        DeliveryMode = DeliveryMode.Recoverable,
        ReceiveMode = mode is null ? ReceiveMode.ReceiveAndDelete : ReceiveMode.PeekLock,
        AcknowledgeMode = mode ?? AcknowledgeMode.Individual,
    };

    private static string NameOf(AcknowledgeMode? mode) => mode is { } known ? Scenario.NameOf(known) : Automatic;

    internal static IReadOnlyList<ClaimRow> Judge(IReadOnlyList<KillRow> rows)
    {
        int came = rows.Sum(static row => row.Redelivered.Sum());
        int marked = rows.Sum(static row => row.Marked.Sum());
        int kills = rows.Sum(static row => row.Redelivered.Count(static count => count > 0));
        return
        [
            // If the queue forgets a message when it is handed over, the claim says nothing.
            Of(Automatic, "AUTO_ACKNOWLEDGE: at most one message comes again",
                most => most > 1 ? Verdict.DoesNotHold : most == 1 ? Verdict.Holds : Verdict.NotApplicable),
            Of(Scenario.NameOf(AcknowledgeMode.Individual), "Messages acknowledged each: at most one comes again",
                most => most <= 1 ? Verdict.Holds : Verdict.DoesNotHold),
            Of(
                Scenario.NameOf(AcknowledgeMode.Cumulative),
                $"CLIENT_ACKNOWLEDGE: messages of one group (here {GroupCount}) may come again",
                most => most > GroupCount ? Verdict.DoesNotHold : most > 0 ? Verdict.Holds : Verdict.Undecided),
            Of(Scenario.NameOf(AcknowledgeMode.Lazy), "DUPS_OK_ACKNOWLEDGE: several may come again",
                most => most > 1 ? Verdict.Holds : Verdict.Undecided),
            new ClaimRow(
                "Messages that come again are marked as redelivered", "all modes", null, 0, null, null,
                marked < came ? Verdict.DoesNotHold : kills >= MinKills ? Verdict.Holds : Verdict.Undecided,
                $"{marked} of {came} were, after {Numbers.Count(kills, "kill")}"),
        ];

        ClaimRow Of(string mode, string text, Func<int, Verdict> judge)
        {
            if (rows.FirstOrDefault(row => row.Mode == mode) is not { } row)
                return new ClaimRow(text, "after a kill", null, 0, null, null, Verdict.NotApplicable, "the queue has no such mode");
            // A consumer that had processed everything was not hit.
            int hits = row.Processed.Count(static count => count < MessageCount);
            Verdict verdict = judge(row.Redelivered.Max());
            return new ClaimRow(
                text, "after a kill", null, 0, null, null, verdict == Verdict.Holds && hits < MinKills ? Verdict.Undecided : verdict,
                verdict == Verdict.NotApplicable
                    ? $"the queue deletes what it hands over: none of {Range(row.Processed)} came again; lost: {Range(row.Lost)}"
                    : $"after {Numbers.Count(row.Redelivered.Count, "kill")}, {hits} of them at work, {Range(row.Redelivered)} of "
                        + $"{Range(row.Processed)} came again; lost: {Range(row.Lost)}");
        }
    }

    /// <summary>As <c>0 to 3</c>.</summary>
    internal static string Range(IReadOnlyList<int> numbers) =>
        numbers.Min() == numbers.Max()
            ? numbers.Min().ToString(CultureInfo.InvariantCulture)
            : string.Create(CultureInfo.InvariantCulture, $"{numbers.Min()} to {numbers.Max()}");

    private async Task<(int Processed, int Redelivered, int Lost, int Marked)> KillAsync(AcknowledgeMode? mode, bool isFolder,
        ServerProcess? server, int killAfter, CancellationToken cancellationToken)
    {
        await OpenAsync(async opener =>
        {
            await using QueueClient sender = await opener.OpenAsync(address, OptionsOf(null), cancellationToken);
            await sender.PurgeAsync(cancellationToken);
            await Task.WhenAll(Enumerable.Range(0, MessageCount)
                .Select(i => sender.SendAsync(new QueueMessage(new MessageBody(BitConverter.GetBytes((long)i))),
                    cancellationToken: cancellationToken).AsTask()));
            return true;
        });
        HashSet<long> processed = isFolder
            ? await KillConsumerAsync(mode, killAfter, cancellationToken)
            : await KillBrokerAsync(mode, server!, killAfter, cancellationToken);
        return await OpenAsync(opener => CountAsync(opener, processed, cancellationToken));
    }

    /// <summary>Receives what is there after the kill.</summary>
    private async Task<(int Processed, int Redelivered, int Lost, int Marked)> CountAsync(QueueConnector opener, HashSet<long> processed,
        CancellationToken cancellationToken)
    {
        var came = new HashSet<long>();
        int redelivered = 0;
        int marked = 0;
        await using QueueClient rest = await opener.OpenAsync(address, OptionsOf(null), cancellationToken);
        while (await rest.ReceiveAsync(TimeSpan.FromMilliseconds(500), cancellationToken: cancellationToken) is { } message)
        {
            long number = BitConverter.ToInt64(message.Body.ToArray());
            if (!came.Add(number))
                throw new VerificationException($"{rest.Address}: message {number} was in the queue twice.");
            if (processed.Contains(number))
            {
                redelivered++;
                marked += message.DeliveryCount > 1 ? 1 : 0;
            }
        }

        int lost = Enumerable.Range(0, MessageCount).Count(i => !came.Contains(i) && !processed.Contains(i));
        return (processed.Count, redelivered, lost, marked);
    }

    /// <summary>Lets something open the queue. A folder is a process's as long as its provider is there: it has one of its own each time, so that the
    /// consumer can have it between.</summary>
    private async Task<T> OpenAsync<T>(Func<QueueConnector, Task<T>> work)
    {
        if (!QueueAddress.Parse(address).Uri.IsFile)
            return await work(connector);
        await using var files = new FileQueueProvider();
        return await work(new QueueConnector(files));
    }

    private async Task<HashSet<long>> KillConsumerAsync(AcknowledgeMode? mode, int killAfter, CancellationToken cancellationToken)
    {
        ProcessStartInfo start = ToolProcess.Start([ConsumerVerb, QueueAddress.Parse(address).Uri.AbsoluteUri, mode?.ToString() ?? Automatic]);
        start.RedirectStandardOutput = true;
        using Process consumer = Process.Start(start)!;
        var processed = new HashSet<long>();
        try
        {
            while (await consumer.StandardOutput.ReadLineAsync(cancellationToken).AsTask().WaitAsync(Patience, cancellationToken) is { } line)
            {
                processed.Add(long.Parse(line, CultureInfo.InvariantCulture));
                if (processed.Count == killAfter)
                    consumer.Kill();
            }
        }
        finally
        {
            if (!consumer.HasExited)
                consumer.Kill();
            await consumer.WaitForExitAsync(CancellationToken.None);
        }

        return processed.Count >= killAfter
            ? processed
            : throw new QueueException($"The consumer ended after {processed.Count} messages, before it was killed.");
    }

    private async Task<HashSet<long>> KillBrokerAsync(AcknowledgeMode? mode, ServerProcess server, int killAfter, CancellationToken cancellationToken)
    {
        var processed = new ConcurrentDictionary<long, bool>();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var enough = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var killed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        QueueClient queue = await connector.OpenAsync(address, OptionsOf(mode), cancellationToken);
        Task consuming = ConsumeAsync(
            queue,
            mode,
            number =>
            {
                processed[number] = true;
                if (processed.Count < killAfter)
                    return Task.CompletedTask;
                // The broker dies while this message is processed, and not when all are.
                enough.TrySetResult();
                return killed.Task.WaitAsync(end.Token);
            },
            end.Token);
        await Task.WhenAny(enough.Task, consuming, Task.Delay(Patience, cancellationToken));
        if (!enough.Task.IsCompleted)
            throw new QueueException($"{queue.Address}: the consumer had {processed.Count} messages, and the broker was not killed.");
        using (Process broker = Process.GetProcessById(server.Id))
        {
            broker.Kill(entireProcessTree: true);
            await broker.WaitForExitAsync(cancellationToken);
        }

        killed.SetResult();
        await Task.WhenAny(consuming, Task.Delay(TimeSpan.FromSeconds(2), cancellationToken));
        await end.CancelAsync();
        await Task.WhenAny(consuming.ContinueWith(static _ => { }, TaskScheduler.Default), Task.Delay(Patience, CancellationToken.None));
        await Task.WhenAny(queue.DisposeAsync().AsTask().ContinueWith(static _ => { }, TaskScheduler.Default),
            Task.Delay(TimeSpan.FromSeconds(2), CancellationToken.None));
        await RestartAsync(cancellationToken);
        return [.. processed.Keys];
    }

    /// <summary>Starts the broker again, and waits until the queue can be opened.</summary>
    private async Task RestartAsync(CancellationToken cancellationToken)
    {
        using (Process shell = Process.Start(new ProcessStartInfo("/bin/sh", ["-c", restart!]) { RedirectStandardOutput = true,
            UseShellExecute = false })!)
        {
            // What it leaves in the background may keep its output open: it is the command's end that counts.
            _ = shell.StandardOutput.ReadToEndAsync(CancellationToken.None);
            await shell.WaitForExitAsync(cancellationToken);
            if (shell.ExitCode != 0)
                throw new QueueException($"--restart ended with exit code {shell.ExitCode}: the broker is down.");
        }

        long start = Stopwatch.GetTimestamp();
        while (true)
        {
            try
            {
                await using QueueClient queue = await connector.OpenAsync(address, OptionsOf(null), cancellationToken);
                return;
            }
            catch (QueueException) when (Stopwatch.GetElapsedTime(start) < Patience)
            {
                await Task.Delay(200, cancellationToken);
            }
        }
    }

    private async Task PurgeQuietlyAsync()
    {
        try
        {
            await OpenAsync(async opener =>
            {
                await QueueCleanup.PurgeAndCloseAsync(await opener.OpenAsync(address, OptionsOf(null), CancellationToken.None));
                return true;
            });
        }
        catch (QueueException)
        {
            // The broker is down, and that is what the run reports.
        }
    }
}

/// <summary>The redeliveries of one acknowledge mode, kill by kill.</summary>
/// <param name="Mode">By the study's name.</param>
/// <param name="Redelivered">How many messages came again that had been processed.</param>
/// <param name="Lost">How many had not been processed and did not come.</param>
/// <param name="Marked">How many of those that came again had a delivery count of more than one.</param>
internal sealed record KillRow(string Mode, IReadOnlyList<int> Redelivered, IReadOnlyList<int> Lost, IReadOnlyList<int> Marked)
{
    /// <summary>Gets how many messages had been processed when it was killed.</summary>
    public IReadOnlyList<int> Processed { get; init; } = [];
}
