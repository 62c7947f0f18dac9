using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>A handle of a queue in a folder that another process owns.</summary>
internal class FollowerQueue : QueueClient
{
    private readonly List<(long Delivery, TaskCompletionSource Done)> _acknowledging = [];
    private bool _isAcknowledging;
    private volatile bool _isDisposed;

    internal FollowerQueue(FolderClient client, int handle, QueueAddress address, QueueOptions options, QueueCapabilities capabilities)
    {
        Client = client;
        Handle = handle;
        Address = address;
        Options = options;
        Capabilities = capabilities;
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    internal FolderClient Client { get; }

    /// <summary>Gets the number that the owner knows it by.</summary>
    internal int Handle { get; }

    /// <summary>Gets or sets the first part of the ids of the messages that came last, one string for all of them.</summary>
    internal string? LastIdPrefix { get; set; }

    internal bool IsDisposed => _isDisposed;

    /// <summary>Gets whether messages leave the queue when the owner hands them out: express ones, which end with the owner anyway.</summary>
    internal bool IsFinalAtOwner => OptionsAtOwner(Options).ReceiveMode == ReceiveMode.ReceiveAndDelete;

    /// <summary>
    /// Returns the options of the owner's handle. Unless they are express, messages leave the queue only when this process has them: the owner may
    /// end in between.
    /// </summary>
    internal static QueueOptions OptionsAtOwner(QueueOptions options) =>
        options.ReceiveMode == ReceiveMode.ReceiveAndDelete && options.DeliveryMode != DeliveryMode.Express
            ? options with
            {
                ReceiveMode = ReceiveMode.PeekLock,
                AcknowledgeMode = AcknowledgeMode.Individual,
                LeaseDuration = Timeout.InfiniteTimeSpan,
            }
            : options;

    /// <summary>Validates and casts a transaction; null if there is none and none is required.</summary>
    internal static FollowerTransaction? Check(QueueTransaction? transaction, QueueOptions options, QueueAddress address, FolderClient client)
    {
        if (transaction is CoordinatedTransaction coordinated)
            transaction = coordinated.Local;
        FollowerTransaction? own = QueueChecks.Transaction(transaction,
            transaction is FollowerTransaction follower && follower.Client == client ? follower : null, "provider", options, address);
        own?.ThrowIfEnded();
        return own;
    }

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        FollowerTransaction? own = Check(transaction);
        Capabilities.ThrowIfNotSupported(message, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled(cancellationToken)
            : Client.SendAsync(new[] { Handle }, isTopic: false, [message], own, Options.OperationTimeout, cancellationToken);
    }

    protected override ValueTask SendBatchCoreAsync(IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        FollowerTransaction? own = Check(transaction);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled(cancellationToken)
            : Client.SendAsync(new[] { Handle }, isTopic: false, messages, own, Options.OperationTimeout, cancellationToken);
    }

    protected override async ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        await ReceiveAsync(1, timeout, ReceiveBy.Order, null, transaction, cancellationToken).ConfigureAwait(false) is [var message] ? message : null;

    protected override ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveBatchCoreAsync(int maxCount, TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        ReceiveAsync(maxCount, timeout, ReceiveBy.Order, null, transaction, cancellationToken);

    protected override async ValueTask<ReceivedMessage?> ReceiveByIdCoreAsync(string messageId, TimeSpan timeout, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        await ReceiveAsync(1, timeout, ReceiveBy.MessageId, messageId, transaction, cancellationToken).ConfigureAwait(false) is [var message]
            ? message : null;

    protected override async ValueTask<ReceivedMessage?> ReceiveByCorrelationIdCoreAsync(string correlationId, TimeSpan timeout,
        QueueTransaction? transaction, CancellationToken cancellationToken) =>
        await ReceiveAsync(1, timeout, ReceiveBy.CorrelationId, correlationId, transaction, cancellationToken).ConfigureAwait(false) is [var message]
            ? message : null;

    private async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(int maxCount, TimeSpan timeout, ReceiveBy by, string? id,
        QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        timeout = QueueChecks.Timeout(timeout);
        FollowerTransaction? own = Check(transaction);
        cancellationToken.ThrowIfCancellationRequested();
        ThrowIfDisposed();
        IReadOnlyList<FollowerMessage> received = await Client.ReceiveAsync(this, maxCount, timeout, by, id, own, cancellationToken)
            .ConfigureAwait(false);
        if (received.Count > 0 && own is null && Options.ReceiveMode == ReceiveMode.ReceiveAndDelete && !IsFinalAtOwner)
            await Client.SettleAsync(this, Settlement.Acknowledge, [.. received.Select(static message => message.Delivery)], default, null, null,
                null, default).ConfigureAwait(false);
        return received;
    }

    /// <summary>
    /// Acknowledges a message. While a request to acknowledge is under way, the next ones wait for it and then go together, as they would share a
    /// flush.
    /// </summary>
    internal Task AcknowledgeAsync(long delivery)
    {
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_acknowledging)
        {
            _acknowledging.Add((delivery, done));
            if (_isAcknowledging)
                return done.Task;
            _isAcknowledging = true;
        }

        _ = AcknowledgeAllAsync();
        return done.Task;
    }

    private async Task AcknowledgeAllAsync()
    {
        while (true)
        {
            (long Delivery, TaskCompletionSource Done)[] all;
            lock (_acknowledging)
            {
                if (_acknowledging.Count == 0)
                {
                    _isAcknowledging = false;
                    return;
                }

                all = [.. _acknowledging];
                _acknowledging.Clear();
            }

            Exception? failure = null;
            try
            {
                await Client.SettleAsync(this, Settlement.Acknowledge, Array.ConvertAll(all, static one => one.Delivery), default, null, null, null,
                    default).ConfigureAwait(false);
            }
            catch (Exception e)
            {
                failure = e;
            }

            if (failure is QueueBatchException batch)
            {
                foreach (QueueBatchFailure one in batch.Failures)
                    all[one.Index].Done.TrySetException(one.Error);
                failure = null;
            }

            foreach ((_, TaskCompletionSource done) in all)
            {
                if (failure is null)
                    done.TrySetResult();
                else
                    done.TrySetException(failure);
            }
        }
    }

    protected override async ValueTask AcknowledgeBatchCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        ThrowIfNotOwn(messages);
        QueueChecks.NotInScope(Address);
        cancellationToken.ThrowIfCancellationRequested();
        var indexes = new List<int>(messages.Count);
        List<QueueBatchFailure>? failures = null;
        for (int i = 0; i < messages.Count; i++)
        {
            var message = (FollowerMessage)messages[i];
            if (!message.IsSettleable)
                continue;
            if (message.HasLostLock)
                (failures ??= []).Add(new QueueBatchFailure(i, LocalMessage.LockIsLost()));
            else
                indexes.Add(i);
        }

        if (indexes.Count > 0)
        {
            HashSet<int> failed = [];
            try
            {
                await Client.SettleAsync(this, Settlement.Acknowledge, [.. indexes.Select(i => ((FollowerMessage)messages[i]).Delivery)], default,
                    null, null, null, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueBatchException e)
            {
                foreach (QueueBatchFailure failure in e.Failures)
                {
                    failed.Add(indexes[failure.Index]);
                    (failures ??= []).Add(new QueueBatchFailure(indexes[failure.Index], failure.Error));
                }
            }
            catch (QueueException e) when (indexes.Count == 1 && !e.IsUnreachable)
            {
                failed.Add(indexes[0]);
                (failures ??= []).Add(new QueueBatchFailure(indexes[0], e));
            }

            foreach (int i in indexes)
                ((FollowerMessage)messages[i]).NoteSettled(isLost: failed.Contains(i));
        }

        failures?.Sort(static (a, b) => a.Index.CompareTo(b.Index));
        QueueBatches.ThrowIfAny(failures, messages.Count, Address, "acknowledged");
    }

    protected override async ValueTask ReturnUnseenCoreAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        ThrowIfNotOwn(messages);
        FollowerMessage[] returned = [.. messages.Cast<FollowerMessage>().Where(static message => message.IsSettleable && !message.HasLostLock)];
        if (returned.Length == 0)
            return;
        await Client.SettleAsync(this, Settlement.ReturnUnseen, [.. returned.Select(static message => message.Delivery)], default, null, null, null,
            cancellationToken).ConfigureAwait(false);
        foreach (FollowerMessage message in returned)
            message.NoteSettled(isLost: false);
    }

    protected override async ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        byte[] answer = await Client.CallAsync(FolderRequests.Peek(Handle, options), Options.OperationTimeout, cancellationToken)
            .ConfigureAwait(false);
        return FolderRequests.ReadList(answer, (ref BinaryBodyReader reader) => FolderProtocol.ReadPeeked(ref reader, answer.AsMemory(1)));
    }

    public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.NotInScope(Address);
        return CallForNumberAsync(FolderRequest.Purge, cancellationToken);
    }

    public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return CallForNumberAsync(FolderRequest.Count, cancellationToken);
    }

    public override async ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        return await CallForNumberAsync(FolderRequest.CountLocked, cancellationToken).ConfigureAwait(false);
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(Client.Begin(Options.OperationTimeout));
    }

    public override ValueTask DisposeAsync()
    {
        if (_isDisposed)
            return default;
        _isDisposed = true;
        return Client.CloseAsync(Handle);
    }

    internal void ThrowIfDisposed()
    {
        if (_isDisposed)
            throw QueueChecks.Closed(Address);
    }

    private ValueTask<long> CallForNumberAsync(FolderRequest request, CancellationToken cancellationToken) =>
        Client.CallForNumberAsync(FolderRequests.Encode(request, Handle), Options.OperationTimeout, cancellationToken);

    private FollowerTransaction? Check(QueueTransaction? transaction) => Check(transaction, Options, Address, Client);

    private void ThrowIfNotOwn(IReadOnlyList<ReceivedMessage> messages)
    {
        for (int i = 0; i < messages.Count; i++)
        {
            if (messages[i] is not FollowerMessage message || message.Queue != this)
                throw new ArgumentException($"Message {i} was not received by this handle of '{Address}'.", nameof(messages));
        }
    }
}

/// <summary>Queues of a folder that another process owns, combined for sending: to all of them or to none.</summary>
internal sealed class FollowerMulticastQueue : MulticastQueue
{
    private readonly FollowerQueue[] _queues;

    internal FollowerMulticastQueue(QueueAddress address, QueueOptions options, IReadOnlyList<QueueClient> queues)
        : base(address, options, queues, hasOneProvider: true) => _queues = [.. queues.Cast<FollowerQueue>()];

    protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        FollowerTransaction? own = null;
        foreach (FollowerQueue queue in _queues)
        {
            queue.ThrowIfDisposed();
            queue.Capabilities.ThrowIfNotSupported(message, queue.Address);
            own = FollowerQueue.Check(transaction, queue.Options, queue.Address, queue.Client);
        }

        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled(cancellationToken)
            : _queues[0].Client.SendAsync(Array.ConvertAll(_queues, static queue => queue.Handle), isTopic: false, [message], own,
                _queues[0].Options.OperationTimeout, cancellationToken);
    }
}
