namespace Formatters.Bench.Perftest;

/// <summary>CLIENT: sends a batch and waits for the server's one answer; the time is that of the complete processing.</summary>
internal sealed class ClientOperation : BatchOperation
{
    private readonly PerftestOptions _options;
    private readonly QueueClient _queue;
    private readonly QueueClient _answers;
    private readonly TimeProvider _clock;
    private readonly Guid _run = Guid.NewGuid();
    private int _number;

    private ClientOperation(PerftestOptions options, QueueClient queue, QueueClient answers, TimeProvider clock)
    {
        _options = options;
        _queue = queue;
        _answers = answers;
        _clock = clock;
    }

    /// <summary>Opens the queues and makes sure that a server is there.</summary>
    /// <exception cref="TimeoutException">None answers.</exception>
    internal static async Task<BatchOperation> OpenAsync(
        QueueConnector connector, PerftestOptions options, DeliveryMode mode, TimeProvider clock, CancellationToken cancellationToken)
    {
        DeliveryMode answerMode = mode == DeliveryMode.Transactional ? mode : DeliveryMode.Express;
        QueueClient queue = await connector.OpenAsync(options.Queue, Modes.OptionsOf(mode), cancellationToken);
        QueueClient? answers = null;
        bool hasSent = false;
        try
        {
            answers = await connector.OpenAsync(options.ResponseQueue!, Modes.OptionsOf(answerMode), cancellationToken);
            var operation = new ClientOperation(options, queue, answers, clock);
            hasSent = true;
            if (await operation.ExchangeAsync(new EmptyPayload(), 0, wholeContent: false, cancellationToken))
                return operation;
            throw new TimeoutException(string.Create(
                CultureInfo.InvariantCulture,
                $"no answer from a SERVER on {queue.Address} within {options.Timeout.TotalSeconds} s; start it first: {ToolInfo.Name} perftest "
                + $"{options.TransactionMode.ToString().ToUpperInvariant()} SERVER {queue.Address} {answers.Address}"));
        }
        catch
        {
            // The queue was empty when the client asked for its server: a message that is still there is the question.
            if (hasSent)
                await QueueCleanup.PurgeAndCloseAsync(queue);
            else
                await queue.DisposeAsync();
            if (answers is not null)
                await answers.DisposeAsync();
            throw;
        }
    }

    /// <summary>Tells the server that this client has ended; what the client sent and the server did not take is removed.</summary>
    /// <param name="hasFailed">Whether a batch may be on its way still.</param>
    internal static Task EndAsync(QueueConnector connector, PerftestOptions options, bool hasFailed) =>
        CloseAsync(connector, options, purge: hasFailed, sendEnd: true);

    /// <summary>Removes what the client sent and no server took.</summary>
    internal static Task PurgeAsync(QueueConnector connector, PerftestOptions options) =>
        CloseAsync(connector, options, purge: true, sendEnd: false);

    private static async Task CloseAsync(QueueConnector connector, PerftestOptions options, bool purge, bool sendEnd)
    {
        try
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            QueueOptions queueOptions =
                Modes.OptionsOf(options.TransactionMode == TransactionMode.Tx ? DeliveryMode.Transactional : DeliveryMode.Express);
            await using QueueClient queue = await connector.OpenAsync(options.Queue, queueOptions, timeout.Token);
            if (purge)
                await queue.PurgeAsync(timeout.Token);
            if (sendEnd)
                await ControlMessages.SendEndAsync(queue, timeout.Token);
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException)
        {
            // The broker is gone, which is what the run reports; the server will see it for itself.
        }
    }

    internal override async Task<TimeSpan> RunAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        long start = _clock.GetTimestamp();
        return await ExchangeAsync(payload, count, wholeContent, cancellationToken)
            ? _clock.GetElapsedTime(start)
            : throw new TimeoutException(string.Create(
                CultureInfo.InvariantCulture,
                $"{payload.Name}: no answer from the SERVER on {_queue.Address} within {_options.Timeout.TotalSeconds} s after {count:N0} messages"));
    }

    public override async ValueTask DisposeAsync()
    {
        await _queue.DisposeAsync();
        await QueueCleanup.PurgeAndCloseAsync(_answers);
    }

    /// <summary>Sends a batch behind its start, and waits for the answer.</summary>
    /// <returns>Whether one came in time.</returns>
    private async Task<bool> ExchangeAsync(Payload payload, int count, bool wholeContent, CancellationToken cancellationToken)
    {
        int number = ++_number;
        await ControlMessages.SendAsync(
            _queue,
            ControlMessages.StartLabel,
            new BatchStart
            {
                Run = _run,
                Number = number,
                Payload = payload.Name,
                LineItems = _options.LineItems,
                Count = count,
                WholeContent = wholeContent,
            },
            cancellationToken);
        await MessageBatch.SendAsync(_queue, payload, count, cancellationToken);

        long start = _clock.GetTimestamp();
        while (true)
        {
            TimeSpan remaining = _options.Timeout - _clock.GetElapsedTime(start);
            ReceivedMessage? message = await MessageBatch.ReceiveOneAsync(
                _answers, static _ => { }, remaining > TimeSpan.Zero ? remaining : TimeSpan.Zero, cancellationToken);
            if (message is null)
                return false;
            if (message.Label != ControlMessages.AnswerLabel)
                continue;
            BatchAnswer answer = ControlMessages.Read<BatchAnswer>(message);
            // Answers to a client that broke off before may still be in the queue.
            if (answer.Run == _run && answer.Number == number)
                return answer.Error.Length == 0 ? true : throw new VerificationException($"{payload.Name}: the SERVER says: {answer.Error}");
        }
    }
}
