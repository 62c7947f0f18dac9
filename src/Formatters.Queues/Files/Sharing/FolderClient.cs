using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>A folder that another process owns, and that this one has open through it: each operation is a request to the owner.</summary>
/// <remarks>
/// <see cref="FolderConnector"/> connects to the owner, <see cref="FolderCalls"/> has the requests that wait for an answer, and
/// <see cref="FollowerState"/> has what the next owner must know if this one ends.
/// </remarks>
internal sealed class FolderClient : OpenFolder
{
    private readonly FolderCalls _calls;
    private readonly FollowerState _state;
    private readonly FolderConnector _connector;
    private readonly List<TransactionCoordinator> _coordinators = [];
    private int _lastHandle;
    private long _lastTransaction;

    private FolderClient(string path, FileQueueOptions options)
        : base(path)
    {
        _calls = new FolderCalls(path, ReturnLate);
        _state = new FollowerState(_calls.Gate);
        _connector = new FolderConnector(path, options, _calls, _state);
    }

    internal override string? StoppedReason => _calls.Failure?.Message;

    internal override string DelayNote => _connector.DelayNote;

    /// <inheritdoc cref="FolderConnector.FolderId"/>
    internal Guid FolderId => _connector.FolderId;

    internal static async ValueTask<OpenFolder> OpenAsync(string path, FileQueueOptions options, CancellationToken cancellationToken)
    {
        var client = new FolderClient(path, options);
        try
        {
            using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            timeout.CancelAfter(QueueOptions.Default.OperationTimeout);
            try
            {
                await client._connector.ConnectAsync(isFirst: true, timeout.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                throw client._calls.NotAnswering(outcomeUnknown: false);
            }

            return client;
        }
        catch
        {
            await client.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    internal override async ValueTask<QueueClient> OpenQueueAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken)
    {
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderRequests.Open(FolderRequest.OpenQueue, handle, name, FollowerQueue.OptionsAtOwner(options));
        await OpenHandleAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        return new FollowerQueue(this, handle, address, options, CapabilitiesOf(options));
    }

    internal override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken)
    {
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderRequests.Open(FolderRequest.OpenTopic, handle, name, options);
        await OpenHandleAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        return new FollowerTopic(this, handle, address, name, options, CapabilitiesOf(options));
    }

    /// <summary>Subscribes to a topic.</summary>
    /// <param name="topic">The topic's name.</param>
    /// <param name="topicOptions">The options of its handle.</param>
    /// <param name="name">The name of a durable subscription; null for one that ends with its handle.</param>
    /// <param name="selector">Which messages; null for all.</param>
    /// <param name="options">The options of the subscription.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async ValueTask<QueueClient> SubscribeAsync(string topic, QueueOptions topicOptions, string? name, string? selector,
        QueueOptions options, CancellationToken cancellationToken)
    {
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderRequests.Subscribe(handle, topic, topicOptions, name, selector, FollowerQueue.OptionsAtOwner(options));
        byte[] answer = await OpenHandleAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        var reader = new BinaryBodyReader(answer.AsSpan(1), FolderProtocol.Limits);
        return new FollowerQueue(this, handle, AddressOf(Path, reader.ReadString()), options, CapabilitiesOf(options));
    }

    internal async ValueTask<bool> UnsubscribeAsync(string topic, string name, TimeSpan timeout, CancellationToken cancellationToken) =>
        await CallForNumberAsync(FolderRequests.Unsubscribe(topic, name), timeout, cancellationToken).ConfigureAwait(false) != 0;

    internal override async ValueTask<bool> DeleteQueueAsync(string name, CancellationToken cancellationToken) =>
        await CallForNumberAsync(FolderRequests.Delete(name), QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false) != 0;

    internal override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(string? name, CancellationToken cancellationToken)
    {
        byte[] answer = await CallAsync(FolderRequests.List(name), QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
        return FolderRequests.ReadList(answer, (ref BinaryBodyReader reader) =>
            FolderProtocol.ReadStatus(ref reader, queue => AddressOf(Path, queue)));
    }

    internal override async ValueTask<IReadOnlyList<FolderProcess>> GetProcessesAsync(CancellationToken cancellationToken)
    {
        byte[] answer = await CallAsync([(byte)FolderRequest.Processes], QueueOptions.Default.OperationTimeout, cancellationToken)
            .ConfigureAwait(false);
        return FolderRequests.ReadList(answer, static (ref BinaryBodyReader reader) =>
            new FolderProcess(reader.ReadInt32(), reader.ReadString(), reader.ReadBoolean(), reader.ReadInt32()));
    }

    internal override async ValueTask<TransactionCoordinator> OpenCoordinatorAsync(ResourceManager resourceManager,
        CancellationToken cancellationToken)
    {
        var coordinator = new TransactionCoordinator(new FollowerDecisions(this), resourceManager);
        lock (_coordinators)
            _coordinators.Add(coordinator);
        try
        {
            await coordinator.OpenAsync(hasBackground: true, cancellationToken).ConfigureAwait(false);
            return coordinator;
        }
        catch
        {
            await coordinator.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Closes the folder. Messages that were received and not settled return to their queues.</summary>
    public override async ValueTask DisposeAsync()
    {
        TransactionCoordinator[] coordinators;
        lock (_coordinators)
            coordinators = [.. _coordinators];
        foreach (TransactionCoordinator coordinator in coordinators)
            await coordinator.DisposeAsync().ConfigureAwait(false);
        await _connector.DisposeAsync().ConfigureAwait(false);
    }

    internal FollowerTransaction Begin(TimeSpan timeout)
    {
        var transaction = new FollowerTransaction(this, Interlocked.Increment(ref _lastTransaction), timeout);
        _state.AddTransaction(transaction);
        // Not awaited: requests arrive in order.
        _calls.Start(new FolderCall(FolderRequests.Encode(FolderRequest.Begin, transaction.Number), timeout, default));
        return transaction;
    }

    /// <summary>Commits a transaction and, with it, a coordinator's decision.</summary>
    internal ValueTask CommitAsync(FollowerTransaction transaction, Decision? decision) =>
        EndAsync(transaction, new FolderCall(FolderRequests.Commit(transaction.Number, decision), transaction.Timeout, default)
        {
            IsOperation = true,
            HasOutcome = true,
        });

    internal ValueTask RollbackAsync(FollowerTransaction transaction) =>
        EndAsync(transaction, new FolderCall(FolderRequests.Encode(FolderRequest.Rollback, transaction.Number), transaction.Timeout, default));

    /// <summary>Sends a request, and returns the answer.</summary>
    /// <exception cref="QueueException">The owner has rejected the request, or does not answer.</exception>
    internal async ValueTask<byte[]> CallAsync(byte[] request, TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return (await _calls.RunAsync(new FolderCall(request, timeout, cancellationToken)).ConfigureAwait(false))!;
    }

    /// <inheritdoc cref="CallAsync(byte[], TimeSpan, CancellationToken)"/>
    internal async ValueTask<long> CallForNumberAsync(byte[] request, TimeSpan timeout, CancellationToken cancellationToken) =>
        FolderRequests.ReadNumber(await CallAsync(request, timeout, cancellationToken).ConfigureAwait(false));

    /// <summary>Sends messages to queues or to a topic.</summary>
    internal async ValueTask SendAsync(ReadOnlyMemory<int> handles, bool isTopic, IReadOnlyList<QueueMessage> messages,
        FollowerTransaction? transaction, TimeSpan timeout, CancellationToken cancellationToken)
    {
        byte[] request = FolderRequests.Send(handles, isTopic, messages, transaction);
        await RunInAsync(transaction, new FolderCall(request, timeout, cancellationToken)
        {
            Transaction = transaction,
            IsOperation = transaction is null,
            HasOutcome = true,
            Order = handles.Span[0],
        }).ConfigureAwait(false);
    }

    /// <summary>Receives messages.</summary>
    internal async ValueTask<IReadOnlyList<FollowerMessage>> ReceiveAsync(FollowerQueue queue, int maxCount, TimeSpan timeout, ReceiveBy by,
        string? id, FollowerTransaction? transaction, CancellationToken cancellationToken)
    {
        byte[] request = FolderRequests.Receive(queue.Handle, transaction, maxCount, timeout, by, id);
        IReadOnlyList<FollowerMessage> received = [];
        await _calls.RunAsync(new FolderCall(request, timeout, cancellationToken, queue)
        {
            Transaction = transaction,
            OnAnswer = answer => received = _state.AddReceived(answer, queue, transaction),
        }).ConfigureAwait(false);
        return received;
    }

    /// <summary>Settles messages that a queue has received.</summary>
    internal async ValueTask<long> SettleAsync(FollowerQueue queue, Settlement settlement, IReadOnlyList<long> deliveries, TimeSpan delay,
        string? reason, string? description, FollowerTransaction? transaction, CancellationToken cancellationToken)
    {
        byte[] request = FolderRequests.Settle(queue.Handle, settlement, deliveries, delay, reason, description);
        if (settlement != Settlement.ReturnUnseen && deliveries.Count == 1 && IsLost(deliveries[0]))
            throw LocalMessage.LockIsLost();
        byte[] answer = await RunInAsync(transaction, new FolderCall(request, queue.Options.OperationTimeout, cancellationToken)
        {
            Transaction = transaction,
            OnAnswer = settlement == Settlement.Renew || transaction is not null ? null : _ => _state.RemoveHeld(deliveries),
        }).ConfigureAwait(false);
        return FolderRequests.ReadNumber(answer);
    }

    /// <inheritdoc cref="FollowerState.IsLost"/>
    internal bool IsLost(long delivery) => _state.IsLost(delivery);

    /// <summary>Closes a handle.</summary>
    internal async ValueTask CloseAsync(int handle)
    {
        var call = new FolderCall(FolderRequests.Encode(FolderRequest.Close, handle), QueueOptions.Default.OperationTimeout, default);
        lock (_calls.Gate)
        {
            _state.RemoveHandle(handle);
            if (_calls.Failure is not null)
                return;
            _calls.Start(call);
        }

        try
        {
            await call.Answer.ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The connection ends, and with it everything that the handle had.
        }
    }

    internal void Remove(TransactionCoordinator coordinator)
    {
        lock (_coordinators)
            _coordinators.Remove(coordinator);
    }

    internal void EnterDecision(Guid transaction) => _state.AddDecision(transaction);

    internal void LeaveDecision(Guid transaction) => _state.RemoveDecision(transaction);

    /// <summary>Opens a handle. From the answer on, the next owner opens it too.</summary>
    private async Task<byte[]> OpenHandleAsync(int handle, byte[] request, QueueOptions options, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return (await _calls.RunAsync(new FolderCall(request, options.OperationTimeout, cancellationToken)
        {
            OnAnswer = _ => _state.AddHandle(handle, request),
        }).ConfigureAwait(false))!;
    }

    private async ValueTask EndAsync(FollowerTransaction transaction, FolderCall call)
    {
        _calls.Start(call);
        try
        {
            await call.Answer.ConfigureAwait(false);
        }
        finally
        {
            _state.RemoveTransaction(transaction);
        }
    }

    /// <summary>Runs a request, which is a part of its transaction unless it fails.</summary>
    private async ValueTask<byte[]> RunInAsync(FollowerTransaction? transaction, FolderCall call)
    {
        _calls.Start(call);
        try
        {
            return (await call.Answer.ConfigureAwait(false))!;
        }
        catch when (transaction is not null)
        {
            lock (_calls.Gate)
                transaction.Requests.Remove(call.Request);
            throw;
        }
    }

    /// <summary>Returns messages whose receive has ended before they came.</summary>
    private void ReturnLate(FolderCall receive, byte[] answer)
    {
        FollowerQueue queue = receive.Queue!;
        List<FollowerMessage> messages = _state.AddReceived(answer, queue, receive.Transaction);
        if (messages.Count == 0)
            return;
        if (receive.Transaction is { } transaction)
            transaction.IsBroken = true;
        else if (!queue.IsFinalAtOwner)
            _ = SettleAsync(queue, Settlement.ReturnUnseen, [.. messages.Select(static message => message.Delivery)], default, null, null, null,
                default).AsTask();
    }

    private QueueCapabilities CapabilitiesOf(QueueOptions options) => FileQueue.CapabilitiesOf(DelayNote, options.DeliveryMode!.Value);
}
