namespace Formatters.TradeEngine.Components;

/// <summary>
/// A component of the network: takes messages out of a queue, works, and sends. It keeps nothing from one batch to the next, so that any number of
/// instances can serve a queue.
/// </summary>
internal abstract class Station(EngineQueues queues, EngineOptions options, StationMeter meter)
{
    internal StationMeter Meter => meter;

    /// <summary>Whether a batch has become final.</summary>
    internal bool HasSucceeded { get; private set; }

    private protected EngineQueues Queues => queues;
    private protected EngineOptions Options => options;

    /// <summary>The queue of the next batch.</summary>
    private protected abstract QueueClient Input { get; }

    /// <summary>Works until cancelled. What is under way then is given back.</summary>
    internal async Task RunAsync(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
            HasSucceeded |= await RunOnceAsync(options.ReceiveTimeout, cancellationToken) > 0;
    }

    /// <summary>Processes one batch, if there is a message in time.</summary>
    internal async ValueTask<int> RunOnceAsync(TimeSpan timeout, CancellationToken cancellationToken)
    {
        await using WorkBatch batch = await WorkBatch.ReceiveAsync(Input, queues.IsTransactional, ReceiveCount, timeout, cancellationToken);
        if (batch.Messages.Count == 0)
            return 0;
        long start = Stopwatch.GetTimestamp();
        int count = Take(batch);
        meter.AddInHand(count);
        try
        {
            options.AtPoint?.Invoke("received");
            await ProcessAsync(batch, cancellationToken);
            options.AtPoint?.Invoke("processed");
            // Queues count what a transaction sends as soon as it is sent.
            CountSent();
            await batch.CompleteAsync();
            meter.AddCompletions(count, start);
            options.AtPoint?.Invoke("completed");
        }
        finally
        {
            meter.AddInHand(-count);
        }

        Settle();
        return count;
    }

    /// <summary>How many messages of the queue are taken at once.</summary>
    private protected virtual int ReceiveCount => options.BatchSize;

    /// <summary>Called first: takes over what was received.</summary>
    private protected virtual int Take(WorkBatch batch) => batch.Messages.Count;

    private protected abstract ValueTask ProcessAsync(WorkBatch batch, CancellationToken cancellationToken);

    /// <summary>Called before a batch is made final: counts what arrives elsewhere.</summary>
    private protected virtual void CountSent()
    {
    }

    /// <summary>Called when a batch is final: lets go of what was kept for the case that the batch does not become final.</summary>
    private protected virtual void Settle()
    {
    }

    /// <summary>Puts a message into the exception queue.</summary>
    private protected void Refuse(WorkBatch batch, QueueMessage message, string? messageId, ExceptionReason reason, string text)
    {
        var refused = new QueueMessage(new MessageBody(message.Body.Bytes, message.Body.BodyType, message.Body.ContentType)) { Label = message.Label,
            CorrelationId = messageId };
        refused.Headers[ExceptionHeaders.Reason] = reason.ToString();
        refused.Headers[ExceptionHeaders.Text] = text;
        refused.Headers[ExceptionHeaders.Component] = meter.Name;
        batch.Send(queues.Exceptions, refused);
    }
}

/// <summary>The headers of a message in the exception queue. Its correlation id is the sender's message id.</summary>
internal static class ExceptionHeaders
{
    internal const string Reason = "exception-reason";
    internal const string Text = "exception-text";
    internal const string Component = "exception-component";
}
