using Formatters.Bench.Compare;

namespace Formatters.Bench.Measurement;

/// <param name="BatchCount">The number of messages that are sent before they are received.</param>
/// <param name="WarmUp">How long all payloads take turns before anything counts; at most twice that, until the JIT has nothing left to do.</param>
/// <param name="Budget">How long the rounds may take together. A round that has begun is finished.</param>
/// <param name="MinRounds">How many rounds there are whatever they take.</param>
/// <param name="MaxRounds">How many rounds are enough.</param>
/// <param name="MinTurn">How long one payload sends and receives in a round, at least; batches are repeated until then.</param>
internal sealed record MeterPlan(int BatchCount, TimeSpan WarmUp, TimeSpan Budget, int MinRounds, int MaxRounds, TimeSpan MinTurn)
{
    /// <summary>Gets how long it takes.</summary>
    internal TimeSpan Time => WarmUp + Budget;

    /// <summary>Creates the plan of a comparison of formatters over a queue.</summary>
    /// <param name="capabilities">Those of the queue.</param>
    /// <param name="mode">What a send promises.</param>
    /// <param name="isQuick">Whether a coarser result will do.</param>
    /// <param name="warmUp">Seconds.</param>
    /// <param name="budget">Seconds.</param>
    internal static MeterPlan Of(QueueCapabilities capabilities, DeliveryMode mode, bool isQuick, double warmUp, double budget) => new(
        // The queue's own costs per batch (a count, a last look) must be small beside those of the messages; over a network they are larger.
        mode == DeliveryMode.Transactional ? 100 : Modes.HasNoServer(capabilities) || isQuick ? 250 : 1_000,
        TimeSpan.FromSeconds(warmUp),
        TimeSpan.FromSeconds(budget),
        MinRounds: Findings.MinRounds,
        MaxRounds: isQuick ? 50 : 200,
        MinTurn: TimeSpan.FromMilliseconds(isQuick ? 20 : 40));
}

/// <summary>Messages per second of one payload, over the rounds.</summary>
/// <param name="SendRates">Messages sent per second, one number a round.</param>
/// <param name="ReceiveRates">Messages received and read per second, one number a round.</param>
/// <param name="SendUse">What this process needed for each message that was sent, over all rounds.</param>
/// <param name="ReceiveUse">The same for each that was received.</param>
/// <param name="Messages">How many messages were received and checked in the rounds.</param>
internal sealed record RoundTripRates(
    Payload Payload, IReadOnlyList<double> SendRates, IReadOnlyList<double> ReceiveRates, ResourceUse? SendUse = null, ResourceUse? ReceiveUse = null,
    long Messages = 0);

/// <summary>
/// Measures sending and receiving of several payloads over one queue in interleaved rounds (A B C, C A B, …), so that whatever disturbs the machine
/// for a while disturbs all of them.
/// </summary>
/// <param name="timeout">How long to wait for one message before it counts as lost.</param>
internal sealed class RoundTripMeter(QueueConnector connector, string address, QueueOptions options, TimeSpan timeout, TimeProvider clock)
{
    /// <summary>Verifies, warms up and measures.</summary>
    /// <param name="afterRound">Receives the rates of the rounds up to then, between two rounds.</param>
    /// <returns>One result per payload, in their order.</returns>
    /// <exception cref="OperationCanceledException">It was ended before the first round was done.</exception>
    /// <exception cref="VerificationException">What was received is not what was sent.</exception>
    internal async Task<IReadOnlyList<RoundTripRates>> MeasureAsync(
        IReadOnlyList<Payload> payloads, MeterPlan plan, IProgress<double> progress, CancellationToken cancellationToken,
        Action<IReadOnlyList<RoundTripRates>>? afterRound = null)
    {
        QueueClient queue = await connector.OpenAsync(address, options, cancellationToken);
        try
        {
            // Looking at the empty queue connects the receiver, and ends its consumer after a batch: one that is there while the next batch is sent
            // would take part of the work of sending.
            await using QueueClient receiver = await connector.OpenAsync(address, options, cancellationToken);
            await MessageBatch.RequireNoneAsync(receiver, cancellationToken);
            return await MeasureAsync(queue, receiver, payloads, plan, progress, afterRound, cancellationToken);
        }
        finally
        {
            await QueueCleanup.PurgeAndCloseAsync(queue);
        }
    }

    private async Task<IReadOnlyList<RoundTripRates>> MeasureAsync(
        QueueClient queue, QueueClient receiver, IReadOnlyList<Payload> payloads, MeterPlan plan, IProgress<double> progress,
        Action<IReadOnlyList<RoundTripRates>>? afterRound, CancellationToken cancellationToken)
    {
        foreach (Payload payload in payloads)
            await TurnAsync(queue, receiver, payload, plan with { MinTurn = TimeSpan.Zero }, wholeContent: true, cancellationToken);

        double total = Math.Max(1e-9, (plan.WarmUp + plan.Budget).TotalSeconds);
        progress.Report(0);
        long start = clock.GetTimestamp();
        var jit = new JitWatch();
        bool isJitDone = false;
        while (clock.GetElapsedTime(start) < plan.WarmUp || (!isJitDone && clock.GetElapsedTime(start) < 2 * plan.WarmUp))
        {
            foreach (Payload payload in payloads)
                await TurnAsync(queue, receiver, payload, plan, wholeContent: false, cancellationToken);
            isJitDone = jit.EndCycle();
            progress.Report(Math.Min(clock.GetElapsedTime(start).TotalSeconds, plan.WarmUp.TotalSeconds) / total);
        }

        // Again, since the warm-up may have taken longer.
        progress.Report(plan.WarmUp.TotalSeconds / total);
        Row[] rows = [.. payloads.Select(static payload => new Row(payload))];
        start = clock.GetTimestamp();
        int rounds = await Rounds.RunAsync(
            rows,
            done =>
            {
                if (done > 0)
                {
                    double part = clock.GetElapsedTime(start).TotalSeconds / Math.Max(1e-9, plan.Budget.TotalSeconds);
                    part = Math.Min(part, (double)done / plan.MinRounds);
                    part = Math.Min(1, Math.Max(part, (double)done / plan.MaxRounds));
                    progress.Report((plan.WarmUp + (plan.Budget * part)).TotalSeconds / total);
                    afterRound?.Invoke(RatesOf(done));
                }

                return done < plan.MinRounds || (done < plan.MaxRounds && clock.GetElapsedTime(start) < plan.Budget);
            },
            async row =>
            {
                (double sendRate, double receiveRate) = await TurnAsync(
                    queue, receiver, row.Payload, plan, wholeContent: false, cancellationToken, row);
                row.SendRates.Add(sendRate);
                row.ReceiveRates.Add(receiveRate);
            },
            cancellationToken);
        if (!cancellationToken.IsCancellationRequested)
            progress.Report(1);
        return RatesOf(rounds);

        RoundTripRates[] RatesOf(int rounds) =>
        [
            .. rows.Select(row => new RoundTripRates(
                row.Payload,
                [.. row.SendRates.Take(rounds)],
                [.. row.ReceiveRates.Take(rounds)],
                row.Sending.PerMessage,
                row.Receiving.PerMessage,
                row.Receiving.Messages)),
        ];
    }

    private async Task<(double SendRate, double ReceiveRate)> TurnAsync(
        QueueClient queue, QueueClient receiver, Payload payload, MeterPlan plan, bool wholeContent, CancellationToken cancellationToken,
        Row? row = null)
    {
        long sendTicks = 0;
        long receiveTicks = 0;
        long count = 0;
        long minTicks = (long)(plan.MinTurn.TotalSeconds * clock.TimestampFrequency);
        do
        {
            ResourceMark mark = ResourceMark.Now();
            long start = clock.GetTimestamp();
            await MessageBatch.SendAsync(queue, payload, plan.BatchCount, cancellationToken);
            await MessageBatch.WaitUntilQueuedAsync(queue, payload, plan.BatchCount, timeout, cancellationToken);
            sendTicks += clock.GetTimestamp() - start;
            row?.Sending.Add(mark, plan.BatchCount);

            mark = ResourceMark.Now();
            start = clock.GetTimestamp();
            await MessageBatch.ReceiveAsync(receiver, payload, plan.BatchCount, wholeContent, timeout, cancellationToken);
            receiveTicks += clock.GetTimestamp() - start;
            row?.Receiving.Add(mark, plan.BatchCount);
            await MessageBatch.RequireNoneAsync(receiver, cancellationToken);
            count += plan.BatchCount;
        }
        while (sendTicks + receiveTicks < minTicks);
        return ((double)count * clock.TimestampFrequency / sendTicks, (double)count * clock.TimestampFrequency / receiveTicks);
    }

    private sealed record Row(Payload Payload)
    {
        internal List<double> SendRates { get; } = [];
        internal List<double> ReceiveRates { get; } = [];
        internal ResourceTally Sending { get; } = new();
        internal ResourceTally Receiving { get; } = new();
    }
}
