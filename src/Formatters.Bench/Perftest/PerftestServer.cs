namespace Formatters.Bench.Perftest;

/// <summary>SERVER: makes sure that its queues are empty, then processes messages as they arrive and answers once after each batch.</summary>
internal sealed class PerftestServer(QueueConnector connector, PerftestOptions options, TextWriter output)
{
    private readonly TaskCompletionSource<bool> _ready = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Completes when the queues are open and empty and a client may begin; fails with the server.</summary>
    internal Task Ready => _ready.Task;

    private DeliveryMode Mode => options.TransactionMode == TransactionMode.Tx ? DeliveryMode.Transactional : DeliveryMode.Express;

    /// <summary>Serves until cancelled, or with <see cref="PerftestOptions.Once"/> until a client says that it has ended.</summary>
    /// <exception cref="UsageException">A queue is not empty.</exception>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        var queues = new List<ServerQueue>();
        QueueClient? answers = null;
        try
        {
            QueueOptions queueOptions = Modes.OptionsOf(Mode);
            await EmptyQueues.RequireAsync(connector, [options.Queue, options.ResponseQueue!], queueOptions, options.Purge, output,
                cancellationToken);
            foreach (QueueAddress address in QueueAddress.ParseList(options.Queue))
                queues.Add(new ServerQueue(await connector.OpenAsync(address.Uri.AbsoluteUri, queueOptions, cancellationToken)));
            answers = await connector.OpenAsync(options.ResponseQueue!, queueOptions, cancellationToken);
            TextWrap.Print(output, "SERVER ready: ",
                $"receives from {string.Join(", ", QueueAddress.ParseList(options.Queue))}, answers to {answers.Address}. Ctrl-C ends it.");
            _ready.TrySetResult(true);
            await ServeAsync(queues, answers, cancellationToken);
        }
        catch (Exception e)
        {
            _ready.TrySetException(e);
            throw;
        }
        finally
        {
            foreach (ServerQueue queue in queues)
            {
                await QueueCleanup.PurgeAndCloseAsync(queue.Queue);
            }

            if (answers is not null)
                await answers.DisposeAsync();
        }
    }

    private async Task ServeAsync(List<ServerQueue> queues, QueueClient answers, CancellationToken cancellationToken)
    {
        long batches = 0;
        long messages = 0;
        while (true)
        {
            BatchStart? start = await queues[0].NextStartAsync(Timeout.InfiniteTimeSpan, cancellationToken);
            if (start is null)
            {
                foreach (ServerQueue queue in queues.Skip(1))
                    await queue.NextStartAsync(options.Timeout, cancellationToken);
                output.WriteLine(
                    $"A client has ended: {Numbers.Count(batches)} {(batches == 1 ? "batch" : "batches")}, {Numbers.Count(messages, "message")}.");
                if (options.Once)
                    return;
                (batches, messages) = (0, 0);
                continue;
            }

            string error = await ProcessAsync(queues, start, cancellationToken);
            if (error.Length > 0)
                output.WriteLine($"{start.Payload}: {error}");
            await ControlMessages.SendAsync(
                answers, ControlMessages.AnswerLabel, new BatchAnswer { Run = start.Run, Number = start.Number, Error = error }, cancellationToken);
            batches += start.Count == 0 ? 0 : 1;
            messages += (long)start.Count * queues.Count;
        }
    }

    /// <summary>Processes one batch on every queue at once.</summary>
    /// <returns>What went wrong, or nothing.</returns>
    private async Task<string> ProcessAsync(List<ServerQueue> queues, BatchStart start, CancellationToken cancellationToken)
    {
        try
        {
            if (start.Count < 0 || start.LineItems is < 0 or > PerftestLimits.MaxLineItems)
                return "the client asks for a batch that does not exist";
            Payload? payload = Payloads.Classic(start.LineItems, options.Libraries).FirstOrDefault(payload => payload.Name == start.Payload)
                .Create?.Invoke();
            if (payload is null)
                return "this server does not know the payload; are client and server of one version, with the same --assembly?";
            await Task.WhenAll(queues.Select((queue, i) => ReceiveAsync(queue, isFirst: i == 0)));
            return "";

            async Task ReceiveAsync(ServerQueue queue, bool isFirst)
            {
                // The first queue's start has been read: it is what brought us here.
                if (!isFirst && (await queue.NextStartAsync(options.Timeout, cancellationToken))?.Number != start.Number)
                    throw new VerificationException($"{queue.Queue.Address} did not get the batch that {queues[0].Queue.Address} got.");
                await queue.ReceiveAsync(payload, start, options.Timeout, cancellationToken);
            }
        }
        catch (Exception e) when (e is VerificationException or MessageFormatException)
        {
            return e.Message;
        }
    }

    /// <summary>One queue of the server, and a control message that came where a message under test was awaited.</summary>
    private sealed class ServerQueue(QueueClient queue)
    {
        private ReceivedMessage? _pending;

        internal QueueClient Queue { get; } = queue;

        /// <summary>Waits for the start of a batch; what else there is, is left over from a client that broke off, and is dropped.</summary>
        /// <returns>The start, or null for the end of the conversation, or after the timeout.</returns>
        internal async Task<BatchStart?> NextStartAsync(TimeSpan timeout, CancellationToken cancellationToken)
        {
            while (true)
            {
                ReceivedMessage? message = _pending ?? await MessageBatch.ReceiveOneAsync(Queue, static _ => { }, timeout, cancellationToken);
                _pending = null;
                if (message is null || message.Label == ControlMessages.EndLabel)
                    return null;
                if (message.Label == ControlMessages.StartLabel)
                    return ControlMessages.Read<BatchStart>(message);
            }
        }

        /// <summary>Receives a batch. A control message in it means that the client broke off: it is kept for <see cref="NextStartAsync"/>.</summary>
        internal async Task ReceiveAsync(Payload payload, BatchStart start, TimeSpan timeout, CancellationToken cancellationToken)
        {
            try
            {
                await MessageBatch.ReceiveAsync(Queue, payload, start.Count, start.WholeContent, timeout, cancellationToken);
            }
            catch (ForeignMessageException e)
            {
                _pending = e.Foreign;
                throw;
            }
        }
    }
}
