namespace Formatters.TradeEngine.Components;

/// <summary>
/// Messages that a component takes out of its queue together, and what it sends for them: all of it or, if the component dies before the end, nothing
/// of it.
/// </summary>
internal sealed class WorkBatch : IAsyncDisposable
{
    private readonly QueueClient _queue;
    private readonly QueueTransaction? _transaction;
    private readonly Dictionary<QueueClient, List<QueueMessage>> _sends = [];
    private bool _isComplete;

    private WorkBatch(QueueClient queue, QueueTransaction? transaction)
    {
        _queue = queue;
        _transaction = transaction;
    }

    internal IReadOnlyList<ReceivedMessage> Messages { get; private set; } = [];

    /// <summary>Begins a batch with no messages: for what is only sent.</summary>
    internal static async ValueTask<WorkBatch> BeginAsync(QueueClient queue, bool isTransactional, CancellationToken cancellationToken = default) =>
        new(queue, isTransactional ? await queue.BeginTransactionAsync(cancellationToken) : null);

    /// <summary>Receives the messages that are there, up to a number; waits only for the first.</summary>
    internal static async ValueTask<WorkBatch> ReceiveAsync(
        QueueClient queue, bool isTransactional, int maxCount, TimeSpan timeout, CancellationToken cancellationToken = default)
    {
        WorkBatch batch = await BeginAsync(queue, isTransactional, cancellationToken);
        try
        {
            batch.Messages = await queue.ReceiveBatchAsync(maxCount, timeout, batch._transaction, cancellationToken);
            return batch;
        }
        catch
        {
            await batch.DisposeAsync();
            throw;
        }
    }

    /// <summary>Sends a message when the batch is completed.</summary>
    internal void Send(QueueClient queue, QueueMessage message)
    {
        if (!_sends.TryGetValue(queue, out List<QueueMessage>? messages))
            _sends.Add(queue, messages = []);
        messages.Add(message);
    }

    /// <summary>Has the messages for a queue sent in bundles.</summary>
    internal void Bundle(QueueClient queue, int size)
    {
        if (_sends.TryGetValue(queue, out List<QueueMessage>? messages))
            _sends[queue] = [.. MessageBundles.Pack(messages, size)];
    }

    /// <summary>Sends, and makes all of it final. It cannot be canceled: the messages of a canceled commit may arrive after the queue has been
    /// purged.</summary>
    internal async ValueTask CompleteAsync()
    {
        if (_transaction is not null)
        {
            foreach ((QueueClient queue, List<QueueMessage> messages) in _sends)
                await queue.SendBatchAsync(messages, _transaction);
            await _transaction.CommitAsync();
        }
        else
        {
            await Task.WhenAll(_sends.Select(send => send.Key.SendBatchAsync(send.Value).AsTask()));
            await _queue.AcknowledgeBatchAsync(Messages);
        }

        _isComplete = true;
    }

    /// <summary>Gives back what was received, unless it is final.</summary>
    public async ValueTask DisposeAsync()
    {
        if (_transaction is not null)
        {
            await _transaction.DisposeAsync();
            return;
        }

        if (_isComplete)
            return;
        foreach (ReceivedMessage message in Messages)
        {
            try
            {
                await message.ReturnAsync();
            }
            catch (QueueException)
            {
                // Its lock is gone: it comes again by itself.
            }
        }
    }
}
