using System.Runtime.ExceptionServices;

namespace Formatters.Bench.Load;

/// <summary>Runs senders and receivers over open queues, once. Every message has a number, and each number must come once.</summary>
/// <remarks>Two verbs have loops of their own. <c>throughput</c> times each operation, tries again and changes during a run, which takes several
/// times as long as a send in memory. <c>perftest</c>, like those that compare formatters, sends batches of a number of messages, whose objects it
/// uses again.</remarks>
internal sealed class LoadRun(LoadScenario scenario, TimeProvider clock)
{
    /// <summary>The number of a sender that is a process of its own stands above these bits of a message's number.</summary>
    internal const int SenderShift = 40;

    private static readonly TimeSpan ReceiveWait = TimeSpan.FromMilliseconds(100);

    private readonly List<List<long>> _numbers = [];
    private long _sent;
    private long _received;
    private long _sendEnd;
    private long _receiveEnd;
    private int _activeSenders;

    /// <summary>Sends, each sender at least one transaction or message.</summary>
    internal async Task<LoadResult> SendAsync(CancellationToken cancellationToken)
    {
        long start = clock.GetTimestamp();
        await RunAsync(scenario.Senders, 0, token => SendUntilAsync(start, token), null, cancellationToken);
        return new LoadResult(Interlocked.Read(ref _sent), clock.GetElapsedTime(start), 0, default);
    }

    /// <summary>Receives what was sent before, for a time or until all has come.</summary>
    /// <param name="sent">The number of messages of each sender.</param>
    /// <exception cref="VerificationException">A message did not come, came twice, or was never sent.</exception>
    internal async Task<LoadResult> ReceiveAsync(IReadOnlyList<long> sent, CancellationToken cancellationToken)
    {
        long total = sent.Sum();
        long claimed = 0;
        long start = clock.GetTimestamp();
        await RunAsync(0, scenario.Receivers, null, ReceiveClaimedAsync, cancellationToken);
        TimeSpan elapsed = clock.GetElapsedTime(start);
        CheckNumbers(sent);
        return new LoadResult(total, default, _numbers.Sum(static list => (long)list.Count), elapsed);

        async Task ReceiveClaimedAsync(CancellationToken token)
        {
            List<long> numbers = AddNumbers();
            do
            {
                // A receiver waits only for messages that are there.
                int count = (int)Math.Min(
                    scenario.PerTransaction, Math.Max(0, total - Interlocked.Add(ref claimed, scenario.PerTransaction) + scenario.PerTransaction));
                if (count == 0)
                    return;
                await using QueueTransaction? transaction = await BeginAsync(scenario.BeginReceive, token).ConfigureAwait(false);
                for (int i = 0; i < count; i++)
                {
                    ReceivedMessage message = await scenario.Receive!(scenario.LostAfter, transaction, token).ConfigureAwait(false)
                        ?? throw new VerificationException(string.Create(
                            CultureInfo.InvariantCulture,
                            $"{scenario.Name}: {total:N0} messages were sent, and one of them did not come "
                                + $"within {scenario.LostAfter.TotalSeconds:0} s."));
                    numbers.Add(scenario.Read!(message)!.Value);
                }

                if (transaction is not null)
                    await transaction.CommitAsync(token).ConfigureAwait(false);
            }
            while (clock.GetElapsedTime(start) < scenario.Time);
        }
    }

    /// <summary>Sends, and receives at the same time until all has come.</summary>
    /// <exception cref="VerificationException">A message did not come, came twice or out of order, or was never sent.</exception>
    internal async Task<LoadResult> SendAndReceiveAsync(CancellationToken cancellationToken)
    {
        long start = clock.GetTimestamp();
        await RunAsync(scenario.Senders, scenario.Receivers, token => SendUntilAsync(start, token), ReceiveAllAsync, cancellationToken);
        if (!scenario.IsOrdered)
            CheckNumbers([_sent]);
        return new LoadResult(_sent, clock.GetElapsedTime(start, _sendEnd), _received, clock.GetElapsedTime(start, Math.Max(_sendEnd, _receiveEnd)));
    }

    private static async ValueTask<QueueTransaction?> BeginAsync(Func<CancellationToken, ValueTask<QueueTransaction>>? begin,
        CancellationToken token) =>
        begin is null ? null : await begin(token).ConfigureAwait(false);

    private bool IsSent => Volatile.Read(ref _activeSenders) == 0;

    private async Task SendUntilAsync(long start, CancellationToken token)
    {
        var pending = new Queue<Task>();
        try
        {
            long count;
            do
            {
                token.ThrowIfCancellationRequested();
                // A sleep, not a spin: processor time is measured.
                while (Interlocked.Read(ref _sent) - (Interlocked.Read(ref _received) * scenario.ShareOf) > scenario.MaxAhead)
                    await Task.Delay(1, token).ConfigureAwait(false);
                await using QueueTransaction? transaction = await BeginAsync(scenario.BeginSend, token).ConfigureAwait(false);
                count = 0;
                for (int i = 0; i < scenario.PerTransaction; i++)
                {
                    count = Interlocked.Increment(ref _sent);
                    long number = scenario.FirstNumber + count - 1;
                    ValueTask sending = scenario.Send(scenario.Create(number), number, transaction, token);
                    // A send that has failed by now ends the run: a receiver would miss its message.
                    if (scenario.InFlight == 1 || sending.IsCompleted)
                    {
                        await sending.ConfigureAwait(false);
                        continue;
                    }

                    pending.Enqueue(sending.AsTask());
                    if (pending.Count == scenario.InFlight)
                        await pending.Dequeue().ConfigureAwait(false);
                }

                // Not canceled: the message could arrive after the queue has been purged.
                if (transaction is not null)
                    await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
            }
            while (count < scenario.MaxCount && (count % scenario.ClockInterval != 0 || clock.GetElapsedTime(start) < scenario.Time));
        }
        finally
        {
            await Task.WhenAll(pending).ConfigureAwait(false);
        }
    }

    private async Task ReceiveAllAsync(CancellationToken token)
    {
        List<long>? numbers = scenario.IsOrdered ? null : AddNumbers();
        ReceivedMessage? unacknowledged = null;
        // By the machine's own time: the run's clock may stand still when nothing comes.
        long? silentSince = null;
        long count = 0;
        while (!IsSent || Interlocked.Read(ref _received) < Interlocked.Read(ref _sent) / scenario.ShareOf)
        {
            await using QueueTransaction? transaction = await BeginAsync(scenario.BeginReceive, token).ConfigureAwait(false);
            ReceivedMessage? message = await scenario.Receive!(ReceiveWait, transaction, token).ConfigureAwait(false);
            if (message is not null)
            {
                long? number = scenario.Read!(message);
                if (numbers is not null)
                    numbers.Add(number!.Value);
                else if (number is not null && number != count)
                    throw new VerificationException(string.Create(
                        CultureInfo.InvariantCulture, $"{scenario.Name}: message {number:N0} came in the place of {count:N0}."));
                count++;
            }

            if (transaction is not null)
                await transaction.CommitAsync(token).ConfigureAwait(false);
            if (message is null)
            {
                silentSince ??= TimeProvider.System.GetTimestamp();
                if (TimeProvider.System.GetElapsedTime(silentSince.Value) > scenario.LostAfter)
                    ThrowIfLost();
                continue;
            }

            unacknowledged = scenario.AcknowledgeEvery > 0 ? message : null;
            if (unacknowledged is not null && count % scenario.AcknowledgeEvery == 0)
            {
                await message.AcknowledgeAsync(token).ConfigureAwait(false);
                unacknowledged = null;
            }

            silentSince = null;
            Interlocked.Increment(ref _received);
            // The last message is received when all are sent, or before: then the end is that of sending.
            if (IsSent)
                Interlocked.Exchange(ref _receiveEnd, clock.GetTimestamp());
        }

        if (unacknowledged is null)
            return;
        await unacknowledged.AcknowledgeAsync(token).ConfigureAwait(false);
        Interlocked.Exchange(ref _receiveEnd, clock.GetTimestamp());
    }

    private void ThrowIfLost()
    {
        long sent = Interlocked.Read(ref _sent), received = Interlocked.Read(ref _received);
        if (IsSent || sent - (received * scenario.ShareOf) > scenario.MaxAhead)
        {
            throw new VerificationException(string.Create(
                CultureInfo.InvariantCulture,
                $"{scenario.Name}: {sent / scenario.ShareOf:N0} messages were sent, {received:N0} of them came; the next did not come within "
                + $"{scenario.LostAfter.TotalSeconds:0} s."));
        }
    }

    private List<long> AddNumbers()
    {
        var list = new List<long>();
        lock (_numbers)
            _numbers.Add(list);
        return list;
    }

    /// <summary>Checks that each number is one that was sent, and is there once.</summary>
    private void CheckNumbers(IReadOnlyList<long> sent)
    {
        var seen = new HashSet<long>();
        foreach (long number in _numbers.SelectMany(static list => list))
        {
            int sender = (int)(number >> SenderShift);
            if (number < 0 || sender >= sent.Count || (number & ((1L << SenderShift) - 1)) >= sent[sender])
                throw new VerificationException($"{scenario.Name}: message {number} came, and was never sent.");
            if (!seen.Add(number))
                throw new VerificationException($"{scenario.Name}: message {number} came twice.");
        }
    }

    /// <summary>Runs senders and receivers in threads of the pool. If one fails, the others end too, and its error is the outcome.</summary>
    private async Task RunAsync(
        int senders, int receivers, Func<CancellationToken, Task>? send, Func<CancellationToken, Task>? receive, CancellationToken cancellationToken)
    {
        using var all = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        Exception? first = null;
        _activeSenders = senders;
        await Task.WhenAll(Enumerable.Range(0, senders + receivers)
            .Select(i => Task.Run(() => WorkAsync(i < senders ? SendAllAsync : receive!), CancellationToken.None)));
        if (first is not null)
            ExceptionDispatchInfo.Throw(first);

        async Task SendAllAsync(CancellationToken token)
        {
            await send!(token).ConfigureAwait(false);
            Interlocked.Exchange(ref _sendEnd, clock.GetTimestamp());
            Interlocked.Decrement(ref _activeSenders);
        }

        async Task WorkAsync(Func<CancellationToken, Task> work)
        {
            try
            {
                await work(all.Token).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                Interlocked.CompareExchange(ref first, e, null);
                await all.CancelAsync().ConfigureAwait(false);
            }
        }
    }
}
