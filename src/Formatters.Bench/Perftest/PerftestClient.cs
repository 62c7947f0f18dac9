namespace Formatters.Bench.Perftest;

/// <summary>CLIENT from beginning to end; over a queue of this process with its server beside it.</summary>
internal static class PerftestClient
{
    /// <summary>Measures the complete processing.</summary>
    /// <param name="isInProcess">Whether no other process can have the queue.</param>
    /// <param name="by">The address by which messages are sent: that of the server's queue, or by way of a proxy.</param>
    /// <param name="link">The proxy's link; null without one.</param>
    /// <exception cref="TimeoutException">The server does not answer.</exception>
    internal static async Task<PerftestReport> RunAsync(
        QueueConnector connector,
        PerftestOptions options,
        bool isInProcess,
        string commandLine,
        TimeProvider clock,
        TextWriter output,
        IRunProgress progress,
        Func<string, string> by,
        (string Speed, TimeSpan RoundTrip)? link,
        CancellationToken cancellationToken)
    {
        if (!isInProcess)
            return await RunClientAsync(connector, options, commandLine, clock, output, progress, by, link, cancellationToken);

        output.WriteLine("The queue lives in this process: CLIENT runs its SERVER beside it.");
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        var server = new PerftestServer(connector, options with { Once = true }, output);
        bool hasBegun = false;
        Task serving = Task.Run(() => server.RunAsync(both.Token), CancellationToken.None);
        // A client whose server has failed need not wait for answers.
        Task watch = serving.ContinueWith(_ => both.Cancel(), CancellationToken.None, TaskContinuationOptions.OnlyOnFaulted, TaskScheduler.Default);
        try
        {
            await server.Ready;
            hasBegun = true;
            return await RunClientAsync(connector, options, commandLine, clock, output, progress, by, link, both.Token);
        }
        catch (OperationCanceledException) when (serving.IsFaulted)
        {
            await serving;
            throw;
        }
        finally
        {
            await both.CancelAsync();
            await Task.WhenAll(serving, watch).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            // Cancelled, the server may have emptied its queue before the client had sent its last message.
            if (hasBegun)
                await ClientOperation.PurgeAsync(connector, options);
        }
    }

    private static async Task<PerftestReport> RunClientAsync(
        QueueConnector connector,
        PerftestOptions options,
        string commandLine,
        TimeProvider clock,
        TextWriter output,
        IRunProgress progress,
        Func<string, string> by,
        (string Speed, TimeSpan RoundTrip)? link,
        CancellationToken cancellationToken)
    {
        bool hasFailed = true;
        bool hasServer = false;
        try
        {
            PerftestReport report = await new PerftestRun(connector, options, clock, output, progress, link).RunAsync(
                commandLine,
                async (mode, token) =>
                {
                    BatchOperation operation =
                        await ClientOperation.OpenAsync(connector, options with { Queue = by(options.Queue) }, mode, clock, token);
                    hasServer = true;
                    return [new PerftestRoute(link is null ? PerftestRow.Local : PerftestRow.Remote, operation)];
                },
                [],
                cancellationToken);
            hasFailed = report.Run.IsInterrupted;
            return report;
        }
        finally
        {
            // Without a server nobody would take the end, and what is in the queue is not this client's.
            if (hasServer)
                await ClientOperation.EndAsync(connector, options, hasFailed);
        }
    }
}
