using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Sends and receives that take effect together, at commit.</summary>
/// <remarks>
/// A transaction is over the queues of one location: a folder, a database, a broker. A message for another location is kept in the folder of outgoing
/// queues, in the same transaction, if that folder is the location of the transaction; otherwise the send throws. On RabbitMQ a transaction is not
/// atomic across a crash.
/// </remarks>
public class MessageQueueTransaction : IDisposable
{
    private readonly SemaphoreSlim _gate = new(1);
    private readonly List<Func<QueueCapabilities, Task>> _afterCommit = [];
    private readonly Dictionary<string, ReceivingHandle> _handles = [];
    private PendingSend? _pending;
    private QueueTransaction? _inner;
    private QueuePlace? _place;
    private QueueCapabilities? _capabilities;
    private string? _id;
    private bool _hasSent;
    private bool _isDisposed;

    /// <summary>Creates a transaction that has not begun.</summary>
    public MessageQueueTransaction()
    {
    }

    /// <summary>Gets the state of the transaction.</summary>
    public MessageQueueTransactionStatus Status { get; private set; } = MessageQueueTransactionStatus.Initialized;

    /// <summary>Gets whether the transaction has a location.</summary>
    internal bool IsBound => _inner is not null;

    /// <summary>Begins the transaction.</summary>
    /// <exception cref="InvalidOperationException">It has begun already.</exception>
    public void Begin()
    {
        ObjectDisposedException.ThrowIf(_isDisposed, this);
        if (Status == MessageQueueTransactionStatus.Pending)
            throw new InvalidOperationException("The transaction has begun already.");
        Status = MessageQueueTransactionStatus.Pending;
        (_id, _hasSent) = (null, false);
    }

    /// <summary>Commits: the messages sent are in their queues, and those received are gone.</summary>
    /// <exception cref="InvalidOperationException">The transaction has not begun.</exception>
    /// <exception cref="MessageQueueException">It could not be committed, and is rolled back.</exception>
    public void Commit()
    {
        RequirePending();
        Errors.Run(CommitAsync);
    }

    /// <summary>Rolls back: the messages sent are discarded, and those received are in their queues again.</summary>
    /// <exception cref="InvalidOperationException">The transaction has not begun.</exception>
    public void Abort()
    {
        RequirePending();
        Errors.Run(AbortAsync);
    }

    /// <summary>Rolls back a transaction that was not committed.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Rolls back a transaction that was not committed.</summary>
    /// <param name="disposing">Whether it is called by <see cref="Dispose()"/>.</param>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing && Status == MessageQueueTransactionStatus.Pending)
            Abort();
        _isDisposed = true;
    }

    internal void RequirePending()
    {
        if (Status != MessageQueueTransactionStatus.Pending)
        {
            throw new InvalidOperationException(
                $"The transaction is {Status.ToString().ToLowerInvariant()}: call {nameof(Begin)} first.");
        }
    }

    /// <summary>Sends a message. It reaches the queue with the next send, or with the commit: only then it is known whether it is the last.</summary>
    internal async Task SendAsync(QueueSystem system, QueueTarget target, Message message, string id, CancellationToken cancellationToken)
    {
        RequirePending();
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            QueueProperties properties = QueueOperations.PropertiesOf(target);
            if (properties.Transactional == false)
                throw Errors.TransactionUsage(target, isTransactional: false);
            QueueOperations.NoteDeadLetters(target, message, properties);
            await FlushAsync(isLast: false, cancellationToken).ConfigureAwait(false);
            bool isKept = _place is not null && !ReferenceEquals(_place, target.Place);
            if (isKept && !ReferenceEquals(_place, system.LocalFolder))
                throw OtherPlace(target);
            QueueTarget through = isKept ? system.Outgoing.QueueOf(target) : target;
            QueueClient queue;
            try
            {
                queue = await BindAsync(through, isKept ? new QueueProperties() : properties, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException e) when (!isKept && !ReferenceEquals(target.Place, system.LocalFolder) && system.Configuration.UseOutgoingQueue
                && _place is null)
            {
                _ = e;
                isKept = true;
                through = system.Outgoing.QueueOf(target);
                queue = await BindAsync(through, new QueueProperties(), cancellationToken).ConfigureAwait(false);
            }

            _id ??= MessageConversion.NewId();
            // The message may change after the send.
            var position = new TransactionPosition(_id, IsFirst: !_hasSent, IsLast: false);
            QueueMessage copy = isKept
                ? system.Outgoing.ToKept(target, message, id, queue.Capabilities, position)
                : MessageConversion.ToQueueMessage(message, target, id, queue.Capabilities, position, system);
            if (!isKept)
                QueueOperations.Journal(copy, message, target, queue.Capabilities, system);
            _pending = new PendingSend(through, queue, copy);
            _hasSent = true;
            if (isKept)
                system.Outgoing.Mark();
            if (isKept)
                _afterCommit.Add(_ => { system.Outgoing.Start(); return Task.CompletedTask; });
            else
                _afterCommit.Add(_ => QueueOperations.AnswerArrivalAsync(system, target, copy));
        }
        finally
        {
            _gate.Release();
        }
    }

    /// <summary>Runs an operation in the transaction.</summary>
    internal async Task<T> RunAsync<T>(QueueTarget target, QueueProperties properties, Func<QueuePlace, QueueClient, QueueTransaction, Task<T>> run,
        CancellationToken cancellationToken)
    {
        RequirePending();
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (_place is not null && !ReferenceEquals(_place, target.Place))
                throw OtherPlace(target);
            QueueClient queue = await BindAsync(target, properties, cancellationToken).ConfigureAwait(false);
            return await run(target.Place, queue, _inner!).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    internal void OnCommit(Func<QueueCapabilities, Task> action) => _afterCommit.Add(action);

    /// <summary>Releases the location of a transaction in which nothing has happened.</summary>
    internal async Task UnbindAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            if (_inner is not null && _pending is null)
                await EndAsync(_inner.RollbackAsync()).ConfigureAwait(false);
        }
        finally
        {
            _gate.Release();
        }
    }

    internal async Task CommitAsync()
    {
        List<Func<QueueCapabilities, Task>> after;
        QueueCapabilities? capabilities;
        QueuePlace? place;
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            try
            {
                await FlushAsync(isLast: true, CancellationToken.None).ConfigureAwait(false);
                (place, capabilities) = (_place, _capabilities);
                if (_inner is { } inner)
                    await EndAsync(inner.CommitAsync()).ConfigureAwait(false);
                Status = MessageQueueTransactionStatus.Committed;
            }
            catch
            {
                Status = MessageQueueTransactionStatus.Aborted;
                if (_inner is { } inner)
                    await EndAsync(inner.DisposeAsync()).ConfigureAwait(false);
                _pending = null;
                _afterCommit.Clear();
                throw;
            }

            after = [.. _afterCommit];
            _afterCommit.Clear();
        }
        finally
        {
            _gate.Release();
        }

        place?.Signal();
        foreach (Func<QueueCapabilities, Task> action in after)
            await action(capabilities!).ConfigureAwait(false);
    }

    internal async Task AbortAsync()
    {
        await _gate.WaitAsync().ConfigureAwait(false);
        try
        {
            _pending = null;
            _afterCommit.Clear();
            QueuePlace? place = _place;
            if (_inner is { } inner)
                await EndAsync(inner.RollbackAsync()).ConfigureAwait(false);
            Status = MessageQueueTransactionStatus.Aborted;
            place?.Signal();
        }
        finally
        {
            _gate.Release();
        }
    }

    private async Task FlushAsync(bool isLast, CancellationToken cancellationToken)
    {
        if (_pending is not { } pending)
            return;
        _pending = null;
        if (isLast)
        {
            pending.Message.Headers[MessageHeaders.Flags] =
                (int)(QueueOperations.FlagsOf(pending.Message) | MessageHeaders.Flag.LastInTransaction);
        }

        await pending.Queue.SendAsync(pending.Message, _inner, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Opens a queue in the transaction; the first one determines the location.</summary>
    private async Task<QueueClient> BindAsync(QueueTarget target, QueueProperties properties, CancellationToken cancellationToken)
    {
        QueuePlace place = target.Place;
        try
        {
            if (!_handles.TryGetValue(target.Name, out ReceivingHandle handle))
            {
                handle = await place.OpenReceiverAsync(
                    target, QueueOperations.TransactionalOptionsOf(properties, target), waits: false, cancellationToken).ConfigureAwait(false);
                _handles.Add(target.Name, handle);
            }

            _inner ??= await handle.Queue.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
            _capabilities ??= handle.Queue.Capabilities;
            _place = place;
            return handle.Queue;
        }
        catch
        {
            if (_place is null)
            {
                await CloseHandlesAsync(place).ConfigureAwait(false);
                await place.CloseAsync(target.Name).ConfigureAwait(false);
            }

            throw;
        }
    }

    private async ValueTask CloseHandlesAsync(QueuePlace place)
    {
        // Other operations use the same handles, except on a broker.
        foreach (ReceivingHandle handle in place.IsBroker ? [.. _handles.Values] : Array.Empty<ReceivingHandle>())
            await OpenQueues.CloseAsync(handle.Queue).ConfigureAwait(false);
        _handles.Clear();
    }

    private async Task EndAsync(ValueTask end)
    {
        QueueTransaction? inner = _inner;
        _inner = null;
        bool isUsable = false;
        try
        {
            await end.ConfigureAwait(false);
            isUsable = true;
        }
        finally
        {
            try
            {
                if (inner is not null)
                    await inner.DisposeAsync().ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // The end itself has failed, and says so.
                isUsable = false;
            }

            if (isUsable)
            {
                foreach (ReceivingHandle handle in _handles.Values)
                    handle.Dispose();
                _handles.Clear();
            }
            else if (_place is not null)
            {
                await CloseHandlesAsync(_place).ConfigureAwait(false);
            }

            (_place, _capabilities) = (null, null);
        }
    }

    private InvalidOperationException OtherPlace(QueueTarget target) => new(
        $"'{target.Path.Text}' is at '{target.Place.Display}', and the transaction is over queues at '{_place!.Display}': a transaction covers "
        + "one location. Receive and send in two transactions, the receiving one last, or map both queues to one location.");

    private sealed record PendingSend(QueueTarget Target, QueueClient Queue, QueueMessage Message);
}
