using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>A folder that another process owns, and that this one has open through it.</summary>
/// <remarks>
/// When the owner ends, one of the others takes the lock, opens the log and serves; each connects to it, opens again what it had open, names the
/// messages that it had received, and repeats the requests that were not answered. A process that has become the owner uses its own socket.
/// </remarks>
internal sealed class FolderClient : OpenFolder
{
    private const int TickMilliseconds = 100;

    /// <summary>The silence after which an owner counts as stopped; it is asked for a sign of life before that.</summary>
    private const int MaxSilentMilliseconds = 3000;

    /// <summary>The time for which the answer to a cancellation, or to the end of a receive, is awaited.</summary>
    private const int GraceMilliseconds = 250;

    private readonly FileQueueOptions _options;
    private readonly FolderMeetingPlace _place;
    private readonly SafeFileHandle _registration;
    private readonly Lock _gate = new();
    private readonly Guid _process = Guid.NewGuid();
    private readonly Dictionary<uint, FolderCall> _pending = [];
    private readonly Dictionary<uint, (FollowerQueue Queue, FollowerTransaction? Transaction)> _abandoned = [];
    private readonly Queue<FolderCall> _operations = new();
    private readonly Dictionary<int, Func<FrameConnection, Task>> _handles = [];
    private readonly Dictionary<long, FollowerTransaction> _transactions = [];
    private readonly Dictionary<long, Held> _held = [];
    private readonly HashSet<long> _lost = [];
    private readonly HashSet<Guid> _decisions = [];
    private readonly List<TransactionCoordinator> _coordinators = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly Timer _timer;
    private FrameConnection? _connection;
    private OwnedFolder? _owned;
    private Task _connecting = Task.CompletedTask;
    private QueueException? _failure;
    private string _delayNote = "";
    private string? _ownerName;
    private uint _lastId;
    private int _lastHandle;
    private long _lastTransaction;
    private long _lastOperation;
    private long _lastDelivery;
    private long _disconnected;
    private bool _isTicking;

    private FolderClient(string path, FileQueueOptions options)
        : base(path)
    {
        _options = options;
        try
        {
            _place = new FolderMeetingPlace(path, options.Sharing);
            _registration = _place.Register(_process, options.Sharing);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            _place?.Dispose();
            throw new QueueException($"The folder '{path}' is open in another process, and cannot be shared with it: {e.Message}", e)
            {
                Code = QueueErrorCode.InUse,
            };
        }

        _timer = new Timer(static client => ((FolderClient)client!).Tick(), this, Timeout.Infinite, Timeout.Infinite);
    }

    internal override string? StoppedReason => Volatile.Read(ref _failure)?.Message;

    internal override string DelayNote => _delayNote;

    /// <summary>Gets the id of the folder, with which the ids of its messages begin.</summary>
    internal Guid FolderId { get; private set; }

    internal static async ValueTask<OpenFolder> OpenAsync(string path, FileQueueOptions options, CancellationToken cancellationToken)
    {
        var client = new FolderClient(path, options);
        try
        {
            using var timeout = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
            timeout.CancelAfter(QueueOptions.Default.OperationTimeout);
            try
            {
                await client.ConnectAsync(isFirst: true, timeout.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
            {
                throw client.NotAnswering(outcomeUnknown: false);
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
        QueueOptions atOwner = FollowerQueue.OptionsAtOwner(options);
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderProtocol.EncodeArray(256, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.OpenQueue);
            writer.Write(handle);
            writer.Write(name);
            FolderProtocol.Write(ref writer, atOwner);
        });
        await OpenAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        return new FollowerQueue(this, handle, address, options, FileQueue.CapabilitiesOf(_delayNote, options.DeliveryMode!.Value));
    }

    internal override async ValueTask<MessageTopic> OpenTopicAsync(QueueAddress address, string name, QueueOptions options,
        CancellationToken cancellationToken)
    {
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderProtocol.EncodeArray(256, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.OpenTopic);
            writer.Write(handle);
            writer.Write(name);
            FolderProtocol.Write(ref writer, options);
        });
        await OpenAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        return new FollowerTopic(this, handle, address, name, options, FileQueue.CapabilitiesOf(_delayNote, options.DeliveryMode!.Value));
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
        QueueOptions atOwner = FollowerQueue.OptionsAtOwner(options);
        int handle = Interlocked.Increment(ref _lastHandle);
        byte[] request = FolderProtocol.EncodeArray(256, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)(name is null ? FolderRequest.Subscribe : FolderRequest.SubscribeDurable));
            writer.Write(handle);
            writer.Write(topic);
            FolderProtocol.Write(ref writer, topicOptions);
            if (name is not null)
                writer.Write(name);
            writer.WriteNullable(selector);
            FolderProtocol.Write(ref writer, atOwner);
        });
        byte[] answer = await OpenAsync(handle, request, options, cancellationToken).ConfigureAwait(false);
        var reader = new BinaryBodyReader(answer.AsSpan(1), FolderProtocol.Limits);
        return new FollowerQueue(this, handle, AddressOf(Path, reader.ReadString()), options,
            FileQueue.CapabilitiesOf(_delayNote, options.DeliveryMode!.Value));
    }

    internal async ValueTask<bool> UnsubscribeAsync(string topic, string name, TimeSpan timeout, CancellationToken cancellationToken) =>
        await CallForNumberAsync((ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Unsubscribe);
            writer.Write(topic);
            writer.Write(name);
        }, timeout, cancellationToken).ConfigureAwait(false) != 0;

    internal override async ValueTask<bool> DeleteQueueAsync(string name, CancellationToken cancellationToken) =>
        await CallForNumberAsync((ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Delete);
            writer.Write(name);
        }, QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false) != 0;

    internal override async ValueTask<IReadOnlyList<QueueStatus>> ListAsync(string? name, CancellationToken cancellationToken)
    {
        byte[] answer = await CallAsync(FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.List);
            writer.WriteNullable(name);
        }), QueueOptions.Default.OperationTimeout, cancellationToken).ConfigureAwait(false);
        return Read(answer, (ref BinaryBodyReader reader) => FolderProtocol.ReadStatus(ref reader, queue => AddressOf(Path, queue)));
    }

    internal override async ValueTask<IReadOnlyList<FolderProcess>> GetProcessesAsync(CancellationToken cancellationToken)
    {
        byte[] answer = await CallAsync([(byte)FolderRequest.Processes], QueueOptions.Default.OperationTimeout, cancellationToken)
            .ConfigureAwait(false);
        return Read(answer, static (ref BinaryBodyReader reader) =>
            new FolderProcess(reader.ReadInt32(), reader.ReadString(), reader.ReadBoolean(), reader.ReadInt32()));
    }

    internal override async ValueTask<TransactionCoordinator> OpenCoordinatorAsync(ResourceManager resourceManager,
        CancellationToken cancellationToken)
    {
        var coordinator = new TransactionCoordinator(new FollowerDecisions(this), resourceManager);
        lock (_gate)
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

    /// <summary>Ends the use of the folder. Messages that were received and not settled return.</summary>
    public override async ValueTask DisposeAsync()
    {
        TransactionCoordinator[] coordinators;
        lock (_gate)
            coordinators = [.. _coordinators];
        foreach (TransactionCoordinator coordinator in coordinators)
            await coordinator.DisposeAsync().ConfigureAwait(false);
        await _stop.CancelAsync().ConfigureAwait(false);
        await _timer.DisposeAsync().ConfigureAwait(false);
        FrameConnection? connection;
        lock (_gate)
        {
            connection = _connection;
            _connection = null;
        }

        await _connecting.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (connection is not null)
            await connection.CloseAsync().ConfigureAwait(false);
        Fail(new QueueException($"The queue folder '{Path}' is closed."));
        _place.Unregister(_process, _registration);
        if (_owned is not null)
            await _owned.DisposeAsync().ConfigureAwait(false);
        _place.Dispose();
    }

    /// <summary>Begins a transaction.</summary>
    internal FollowerTransaction Begin(TimeSpan timeout)
    {
        var transaction = new FollowerTransaction(this, Interlocked.Increment(ref _lastTransaction), timeout);
        lock (_gate)
            _transactions.Add(transaction.Number, transaction);
        // Not awaited: requests arrive in order.
        Start(EncodeNumber(FolderRequest.Begin, transaction.Number), timeout, default);
        return transaction;
    }

    /// <summary>Ends a transaction by a commit or a rollback.</summary>
    internal async ValueTask EndAsync(FollowerTransaction transaction, bool isCommit, Decision? decision)
    {
        byte[] request = isCommit
            ? FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Commit);
                writer.Write(0L);
                writer.Write(0L);
                writer.Write(transaction.Number);
                writer.Write(decision is not null);
                if (decision is { } decided)
                {
                    writer.Write(decided.TransactionId);
                    writer.Write(decided.ResourceManagerId);
                }
            })
            : EncodeNumber(FolderRequest.Rollback, transaction.Number);
        FolderCall call = Start(request, transaction.Timeout, default, isOperation: isCommit);
        try
        {
            await call.Answer.ConfigureAwait(false);
        }
        finally
        {
            lock (_gate)
            {
                _transactions.Remove(transaction.Number);
                foreach (long delivery in transaction.Deliveries)
                    _held.Remove(delivery);
            }
        }
    }

    /// <summary>Sends a request, and returns what it is answered.</summary>
    /// <exception cref="QueueException">The owner refused it, or does not answer.</exception>
    internal async ValueTask<byte[]> CallAsync(byte[] request, TimeSpan timeout, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return (await Start(request, timeout, cancellationToken).Answer.ConfigureAwait(false))!;
    }

    internal async ValueTask<long> CallForNumberAsync(byte[] request, TimeSpan timeout, CancellationToken cancellationToken) =>
        BinaryPrimitives.ReadInt64LittleEndian((await CallAsync(request, timeout, cancellationToken).ConfigureAwait(false)).AsSpan(1));

    internal ValueTask<long> CallForNumberAsync(FolderRequest request, int handle, TimeSpan timeout, CancellationToken cancellationToken) =>
        CallForNumberAsync((ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)request);
            writer.Write(handle);
        }, timeout, cancellationToken);

    internal static byte[] EncodeId(FolderRequest request, Guid id) => FolderProtocol.EncodeArray(32, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(id);
    });

    /// <summary>Sends messages to queues or to a topic.</summary>
    internal async ValueTask SendAsync(ReadOnlyMemory<int> handles, bool isTopic, IReadOnlyList<QueueMessage> messages,
        FollowerTransaction? transaction, TimeSpan timeout, CancellationToken cancellationToken)
    {
        byte[] request = EncodeSend(handles, isTopic, messages, transaction);
        FolderCall call = Start(request, timeout, cancellationToken, transaction, isOperation: transaction is null, order: handles.Span[0],
            isSend: true);
        await AwaitAsync(call, transaction).ConfigureAwait(false);
    }

    /// <summary>Awaits a request, which is a part of its transaction unless it fails.</summary>
    private async ValueTask<byte[]> AwaitAsync(FolderCall call, FollowerTransaction? transaction)
    {
        try
        {
            return (await call.Answer.ConfigureAwait(false))!;
        }
        catch when (transaction is not null)
        {
            lock (_gate)
                transaction.Requests.Remove(call.Request);
            throw;
        }
    }

    /// <summary>Receives messages.</summary>
    internal async ValueTask<IReadOnlyList<FollowerMessage>> ReceiveAsync(FollowerQueue queue, int maxCount, TimeSpan timeout, ReceiveBy by,
        string? id, FollowerTransaction? transaction, CancellationToken cancellationToken)
    {
        byte[] request = FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Receive);
            writer.Write(queue.Handle);
            writer.Write(transaction?.Number ?? 0);
            writer.Write(maxCount);
            writer.Write(timeout);
            writer.Write((byte)by);
            writer.WriteNullable(id);
        });
        IReadOnlyList<FollowerMessage> received = [];
        FolderCall call = Start(request, timeout, cancellationToken, transaction, queue: queue,
            onAnswer: answer => received = Take(answer, queue, transaction));
        await call.Answer.ConfigureAwait(false);
        return received;
    }

    /// <summary>Settles messages that a queue has received.</summary>
    internal async ValueTask<long> SettleAsync(FollowerQueue queue, Settlement settlement, IReadOnlyList<long> deliveries, TimeSpan delay,
        string? reason, string? description, FollowerTransaction? transaction, CancellationToken cancellationToken)
    {
        byte[] request = FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Settle);
            writer.Write((byte)settlement);
            writer.Write(queue.Handle);
            writer.Write(delay);
            writer.WriteNullable(reason);
            writer.WriteNullable(description);
            writer.WriteCount(deliveries.Count);
            foreach (long delivery in deliveries)
                writer.Write(delivery);
        });
        if (settlement != Settlement.ReturnUnseen && deliveries.Count == 1 && IsLost(deliveries[0]))
            throw LocalMessage.LockIsLost();
        FolderCall call = Start(request, queue.Options.OperationTimeout, cancellationToken, transaction, onAnswer: _ =>
        {
            if (settlement == Settlement.Renew || transaction is not null)
                return;
            foreach (long delivery in deliveries)
                _held.Remove(delivery);
        });
        return BinaryPrimitives.ReadInt64LittleEndian((await AwaitAsync(call, transaction).ConfigureAwait(false)).AsSpan(1));
    }

    /// <summary>Determines whether a message went to others while its owner changed.</summary>
    internal bool IsLost(long delivery)
    {
        lock (_gate)
            return _lost.Contains(delivery);
    }

    /// <summary>Closes a handle.</summary>
    internal async ValueTask CloseAsync(int handle)
    {
        FolderCall call;
        lock (_gate)
        {
            _handles.Remove(handle);
            foreach (long delivery in _held.Where(held => held.Value.Handle == handle && held.Value.Transaction is null)
                .Select(static held => held.Key).ToArray())
                _held.Remove(delivery);
            if (_failure is not null)
                return;
            call = Start(EncodeHandle(FolderRequest.Close, handle), QueueOptions.Default.OperationTimeout, default);
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
        lock (_gate)
            _coordinators.Remove(coordinator);
    }

    internal void EnterDecision(Guid transaction)
    {
        lock (_gate)
            _decisions.Add(transaction);
    }

    internal void LeaveDecision(Guid transaction)
    {
        lock (_gate)
            _decisions.Remove(transaction);
    }

    internal static byte[] EncodeHandle(FolderRequest request, int handle) => FolderProtocol.EncodeArray(8, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(handle);
    });

    internal delegate T Decoder<T>(ref BinaryBodyReader reader);

    /// <summary>Reads a list from an answer.</summary>
    internal static IReadOnlyList<T> Read<T>(byte[] answer, Decoder<T> decode)
    {
        var reader = new BinaryBodyReader(answer.AsSpan(1), FolderProtocol.Limits);
        var items = new T[reader.ReadCount(1)];
        for (int i = 0; i < items.Length; i++)
            items[i] = decode(ref reader);
        return items;
    }

    private ValueTask<long> CallForNumberAsync(FolderProtocol.Encoder encode, TimeSpan timeout, CancellationToken cancellationToken) =>
        CallForNumberAsync(FolderProtocol.EncodeArray(64, encode), timeout, cancellationToken);

    private static byte[] EncodeNumber(FolderRequest request, long number) => FolderProtocol.EncodeArray(16, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)request);
        writer.Write(number);
    });

    private static byte[] EncodeSend(ReadOnlyMemory<int> handles, bool isTopic, IReadOnlyList<QueueMessage> messages,
        FollowerTransaction? transaction)
    {
        long byteCount = 64 + (4L * handles.Length);
        for (int i = 0; i < messages.Count; i++)
            byteCount += messages[i].Body.ByteCount + 128;
        if (byteCount > Array.MaxLength)
            throw new QueueException("The messages are larger than a queue in a folder takes.") { Code = QueueErrorCode.TooLarge };
        return FolderProtocol.EncodeArray((int)byteCount, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Send);
            // The number of the operation and the lowest that may be repeated, when it is started.
            writer.Write(0L);
            writer.Write(0L);
            writer.Write(transaction?.Number ?? 0);
            writer.Write(isTopic);
            writer.WriteCount(handles.Length);
            foreach (int handle in handles.Span)
                writer.Write(handle);
            writer.WriteCount(messages.Count);
            for (int i = 0; i < messages.Count; i++)
                FolderProtocol.Write(ref writer, messages[i]);
        });
    }


    /// <summary>Opens a handle, which the next owner opens again from the moment at which it is open.</summary>
    private async Task<byte[]> OpenAsync(int handle, byte[] request, QueueOptions options, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return (await Start(request, options.OperationTimeout, cancellationToken,
            onAnswer: _ => _handles.Add(handle, connection => ReplayAsync(connection, request))).Answer.ConfigureAwait(false))!;
    }

    /// <summary>Adds a request to those that are pending, and sends it if there is an owner.</summary>
    private FolderCall Start(byte[] request, TimeSpan timeout, CancellationToken cancellationToken, FollowerTransaction? transaction = null,
        bool isOperation = false, int order = 0, bool isSend = false, FollowerQueue? queue = null, Action<byte[]>? onAnswer = null)
    {
        var call = new FolderCall(request, order, timeout, queue, transaction, onAnswer)
        {
            HasOutcome = isSend || isOperation,
            CancellationToken = cancellationToken,
        };
        lock (_gate)
        {
            if (_failure is not null)
                throw _failure.Code == QueueErrorCode.None ? _failure : new QueueException(_failure.Message, _failure)
                {
                    Code = _failure.Code,
                    IsUnreachable = _failure.IsUnreachable,
                };
            call.Id = ++_lastId;
            if (isOperation)
            {
                BinaryPrimitives.WriteInt64LittleEndian(request.AsSpan(1), ++_lastOperation);
                _operations.Enqueue(call);
                call.Operation = _lastOperation;
                while (_operations.Peek().IsCompleted)
                    _operations.Dequeue();
                BinaryPrimitives.WriteInt64LittleEndian(request.AsSpan(9), _operations.Peek().Operation);
            }

            // In this order also in the transaction's list, from which the next owner gets them.
            if (queue is null)
                transaction?.Requests.Add(request);
            _pending.Add(call.Id, call);
            if (!_isTicking && !_stop.IsCancellationRequested)
            {
                _isTicking = true;
                _timer.Change(TickMilliseconds, TickMilliseconds);
            }

            _connection?.Write(call.Id, request, order, isOneOfMany: _pending.Count > 8);
        }

        if (cancellationToken.CanBeCanceled)
            call.Register(cancellationToken.UnsafeRegister(static state =>
            {
                var (client, call) = ((FolderClient, FolderCall))state!;
                client.Cancel(call);
            }, (this, call)));
        return call;
    }

    /// <summary>Asks the owner to end a request; its answer tells whether it was done.</summary>
    private void Cancel(FolderCall call)
    {
        lock (_gate)
        {
            if (!_pending.ContainsKey(call.Id) || call.IsCanceled)
                return;
            call.IsCanceled = true;
            call.Deadline = Math.Min(call.Deadline, Environment.TickCount64 + (4 * GraceMilliseconds));
            SendCancel(call.Id);
        }
    }

    private void SendCancel(uint id) => _connection?.Write(0, FolderProtocol.EncodeArray(8, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)FolderRequest.Cancel);
        writer.Write(id);
    }));

    /// <summary>Reads the messages of an answer, and notes that this process has them. Called under the gate.</summary>
    private List<FollowerMessage> Take(byte[] answer, FollowerQueue queue, FollowerTransaction? transaction)
    {
        var reader = new BinaryBodyReader(answer, FolderProtocol.Limits);
        reader.ReadByte();
        int count = reader.ReadCount(16);
        var messages = new List<FollowerMessage>(count);
        for (int i = 0; i < count; i++)
        {
            FollowerMessage message = FollowerMessage.Read(ref reader, answer, queue, transaction);
            messages.Add(message);
            _lastDelivery = Math.Max(_lastDelivery, message.Delivery);
            if (message.LogNumber == 0 || (transaction is null && queue.IsFinalAtOwner))
                continue;
            _held.Add(message.Delivery, new Held(queue.Handle, message.LogNumber, transaction));
            transaction?.Deliveries.Add(message.Delivery);
        }

        return messages;
    }

    private FolderCall? OnFrame(FrameConnection connection, uint id, byte[] answer)
    {
        FolderCall? call = null;
        (FollowerQueue Queue, FollowerTransaction? Transaction) abandoned = default;
        Exception? error;
        {
            var reader = new BinaryBodyReader(answer, FolderProtocol.Limits);
            error = FolderProtocol.ReadError(ref reader);
        }

        // The next owner finds out what was done.
        if (error is QueueException { Code: QueueErrorCode.FolderStopped })
        {
            connection.Dispose();
            return null;
        }

        lock (_gate)
        {
            if (!_pending.Remove(id, out call))
                _abandoned.Remove(id, out abandoned);
            else if (error is null)
                call.OnAnswer?.Invoke(answer);
        }

        call?.Complete(answer, error);
        if (abandoned.Queue is not null && error is null)
            GiveBack(answer, abandoned.Queue, abandoned.Transaction);
        return call;
    }

    /// <summary>Returns messages whose receive has ended before they came.</summary>
    private void GiveBack(byte[] answer, FollowerQueue queue, FollowerTransaction? transaction)
    {
        List<FollowerMessage> messages;
        lock (_gate)
            messages = Take(answer, queue, transaction);
        if (messages.Count == 0)
            return;
        if (transaction is not null)
            transaction.IsBroken = true;
        else if (!queue.IsFinalAtOwner)
            _ = SettleAsync(queue, Settlement.ReturnUnseen, [.. messages.Select(static message => message.Delivery)], default, null, null, null,
                default).AsTask();
    }

    /// <summary>Connects to the owner, or becomes the owner.</summary>
    private async Task ConnectAsync(bool isFirst, CancellationToken cancellationToken)
    {
        int delay = 1;
        long start = Environment.TickCount64;
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (_place.TryConnect() is { } socket)
            {
                var connection = new FrameConnection(socket, long.MaxValue);
                if (await TryEnterAsync(connection, cancellationToken).ConfigureAwait(false))
                    return;
            }
            else if (!isFirst && !HasLog(Path))
            {
                throw new QueueException($"The queue folder '{Path}' was moved or deleted.")
                {
                    IsUnreachable = true,
                    Code = QueueErrorCode.FolderStopped,
                };
            }
            else if (await TryOwnAsync(cancellationToken).ConfigureAwait(false) is not { } inUse)
            {
                delay = 0;
            }
            else if (isFirst && (FolderLock.CannotBeShared(Path, out bool isElsewhere)
                || (isElsewhere && Environment.TickCount64 - start > MaxSilentMilliseconds)))
            {
                throw inUse;
            }

            await Task.Delay(delay, cancellationToken).ConfigureAwait(false);
            delay = Math.Clamp(2 * delay, 1, 50);
        }
    }

    /// <returns>Null if this process is the owner; otherwise the exception that says who is.</returns>
    private async Task<QueueException?> TryOwnAsync(CancellationToken cancellationToken)
    {
        try
        {
            if (_owned is not null)
                await _owned.DisposeAsync().ConfigureAwait(false);
            _owned = null;
            _owned = await Task.Run(() => OwnedFolder.Open(Path, _options), cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (QueueException e) when (e.Code == QueueErrorCode.InUse)
        {
            return e;
        }
    }

    /// <summary>Says hello to the owner, opens what was open, names what was received, and repeats what was not answered.</summary>
    /// <returns>False if the connection ended.</returns>
    private async Task<bool> TryEnterAsync(FrameConnection connection, CancellationToken cancellationToken)
    {
        var replay = new Replay();
        Task reading = FrameReader.ReadAsync(connection, (id, answer) =>
        {
            if (replay.IsDone)
                return OnFrame(connection, id, answer);
            replay.Answer(answer);
            return null;
        }, runsCallers: true);
        using CancellationTokenRegistration registration = cancellationToken.UnsafeRegister(static connection =>
            ((FrameConnection)connection!).Dispose(), connection);
        _ = EndAsync();
        try
        {
            await EnterAsync(connection, replay).ConfigureAwait(false);
            return true;
        }
        catch (ReplayEndedException)
        {
            cancellationToken.ThrowIfCancellationRequested();
            return false;
        }
        catch
        {
            connection.Dispose();
            throw;
        }

        async Task EndAsync()
        {
            await reading.ConfigureAwait(false);
            replay.End();
            OnDisconnected(connection);
        }
    }

    private async Task EnterAsync(FrameConnection connection, Replay replay)
    {
        long lastDelivery;
        Func<FrameConnection, Task>[] handles;
        FollowerTransaction[] transactions;
        KeyValuePair<long, Held>[] held;
        Guid[] decisions;
        lock (_gate)
        {
            lastDelivery = _lastDelivery;
            handles = [.. _handles.Values];
            transactions = [.. _transactions.Values];
            held = [.. _held.OrderBy(static one => one.Key)];
            decisions = [.. _decisions];
        }

        _replay = replay;
        byte[] welcome = await replay.CallAsync(connection, FolderProtocol.EncodeArray(128, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)FolderRequest.Hello);
            writer.Write(FolderProtocol.Version);
            writer.Write(_process);
            writer.Write(Environment.ProcessId);
            writer.Write(Environment.MachineName);
            writer.Write(lastDelivery);
        })).ConfigureAwait(false);
        ReadWelcome(welcome);
        foreach (Func<FrameConnection, Task> open in handles)
            await open(connection).ConfigureAwait(false);
        foreach (FollowerTransaction transaction in transactions)
            await replay.CallAsync(connection, EncodeNumber(FolderRequest.Begin, transaction.Number)).ConfigureAwait(false);
        foreach ((long delivery, Held one) in held)
            await ReclaimAsync(connection, replay, delivery, one).ConfigureAwait(false);
        foreach (Guid decision in decisions)
            await replay.CallAsync(connection, EncodeId(FolderRequest.EnterDecision, decision)).ConfigureAwait(false);
        foreach (FollowerTransaction transaction in transactions)
            await ReplayAsync(connection, replay, transaction).ConfigureAwait(false);
        await replay.CallAsync(connection, [(byte)FolderRequest.Returned]).ConfigureAwait(false);
        lock (_gate)
        {
            if (connection.IsClosed)
                throw new ReplayEndedException();
            replay.IsDone = true;
            foreach (FolderCall call in _pending.Values.OrderBy(static call => call.Id))
                connection.Write(call.Id, call.Request, call.Order);
            foreach (FolderCall call in _pending.Values.Where(static call => call.IsCanceled))
                SendCancel(call.Id);
            _connection = connection;
        }
    }

    private void ReadWelcome(byte[] welcome)
    {
        var reader = new BinaryBodyReader(welcome.AsSpan(1), FolderProtocol.Limits);
        FolderId = reader.ReadGuid();
        int processId = reader.ReadInt32();
        string machine = reader.ReadString();
        _ownerName = machine == Environment.MachineName ? $"process {processId}" : $"process {processId} on '{machine}'";
        _delayNote = reader.ReadString();
    }

    private async Task ReclaimAsync(FrameConnection connection, Replay replay, long delivery, Held held)
    {
        byte[] answer;
        try
        {
            answer = await replay.CallAsync(connection, FolderProtocol.EncodeArray(64, (ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)FolderRequest.Reclaim);
                writer.Write(held.Handle);
                writer.Write(held.Transaction?.Number ?? 0);
                writer.Write(delivery);
                writer.Write(held.Number);
            })).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or InvalidOperationException)
        {
            // Its queue is gone.
            answer = new byte[9];
        }

        if (answer[1] != 0)
            return;
        lock (_gate)
        {
            if (!_held.Remove(delivery))
                return;
            _lost.Add(delivery);
            if (held.Transaction is { } transaction)
                transaction.IsBroken = true;
        }
    }

    private async Task ReplayAsync(FrameConnection connection, byte[] request)
    {
        try
        {
            await _replay!.CallAsync(connection, request).ConfigureAwait(false);
        }
        catch (Exception e) when (e is QueueException or InvalidOperationException or ArgumentException or NotSupportedException)
        {
            // The use of the handle will say it.
        }
    }

    private async Task ReplayAsync(FrameConnection connection, Replay replay, FollowerTransaction transaction)
    {
        HashSet<byte[]> pending;
        byte[][] requests;
        lock (_gate)
        {
            pending = [.. _pending.Values.Select(static call => call.Request)];
            requests = [.. transaction.Requests];
        }

        foreach (byte[] request in requests.Where(request => !pending.Contains(request)))
        {
            try
            {
                await replay.CallAsync(connection, request).ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or InvalidOperationException)
            {
                transaction.IsBroken = true;
            }
        }
    }

    private Replay? _replay;

    private void OnDisconnected(FrameConnection connection)
    {
        lock (_gate)
        {
            if (_connection != connection)
                return;
            _connection = null;
            _disconnected = Environment.TickCount64;
            _abandoned.Clear();
            if (_stop.IsCancellationRequested)
                return;
            _connecting = Task.Run(ReconnectAsync);
        }
    }

    private async Task ReconnectAsync()
    {
        try
        {
            await ConnectAsync(isFirst: false, _stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The folder is closed.
        }
        catch (Exception e)
        {
            Fail(e as QueueException ?? new QueueException($"The queue folder '{Path}' cannot be opened: {e.Message}", e)
            {
                IsUnreachable = true,
                Code = QueueErrorCode.FolderStopped,
            });
        }
    }

    /// <summary>Fails all pending and later requests.</summary>
    private void Fail(QueueException failure)
    {
        FolderCall[] calls;
        lock (_gate)
        {
            if (_failure is not null)
                return;
            _failure = failure.Code == QueueErrorCode.FolderStopped || _stop.IsCancellationRequested
                ? failure
                : new QueueException(failure.Message, failure) { IsUnreachable = true, Code = QueueErrorCode.FolderStopped };
            calls = [.. _pending.Values];
            _pending.Clear();
        }

        foreach (FolderCall call in calls)
        {
            End(call, new QueueException(_failure.Message, _failure)
            {
                OutcomeUnknown = call.HasOutcome,
                IsUnreachable = _failure.IsUnreachable,
                Code = _failure.Code,
            });
        }
    }

    private QueueException NotAnswering(bool outcomeUnknown)
    {
        string owner = _ownerName ?? FolderLock.DescribeOwner(Path);
        return new QueueException(
            $"The folder '{Path}' is open in {owner}, which does not answer: it is stopped (by a signal, or in a debugger) or hangs. Continue it, "
            + "or end it: another process then takes over.")
        {
            OutcomeUnknown = outcomeUnknown,
            IsUnreachable = true,
        };
    }

    /// <summary>Ends what has taken too long.</summary>
    private void Tick()
    {
        List<(FolderCall Call, Exception? Error)>? ended = null;
        lock (_gate)
        {
            if (_pending.Count == 0)
            {
                _isTicking = false;
                if (!_stop.IsCancellationRequested)
                    _timer.Change(Timeout.Infinite, Timeout.Infinite);
                return;
            }

            long now = Environment.TickCount64;
            long silent = now - (_connection?.LastReceived ?? _disconnected);
            if (_connection is not null && silent > MaxSilentMilliseconds / 3)
                _connection.Write(0, new byte[] { (byte)FolderRequest.Ping });
            foreach (FolderCall call in _pending.Values)
            {
                if (now < call.Deadline && !(call.Deadline == long.MaxValue && silent > call.MaxSilentMilliseconds))
                    continue;
                Exception? error = call.IsCanceled
                    ? new OperationCanceledException(call.CancellationToken)
                    : call.Queue is not null && silent < MaxSilentMilliseconds && call.Deadline != long.MaxValue
                    ? null
                    : NotAnswering(call.HasOutcome);
                (ended ??= []).Add((call, error));
            }

            foreach ((FolderCall call, _) in ended ?? [])
            {
                _pending.Remove(call.Id);
                if (call.Queue is null || _connection is null)
                    continue;
                _abandoned.Add(call.Id, (call.Queue, call.Transaction));
                SendCancel(call.Id);
            }
        }

        foreach ((FolderCall call, Exception? error) in ended ?? [])
            End(call, error);
    }

    /// <summary>Ends a request without an answer.</summary>
    private static void End(FolderCall call, Exception? error)
    {
        call.Complete(null, error);
        ThreadPool.UnsafeQueueUserWorkItem(call, preferLocal: false);
    }

    /// <summary>A message that this process has received and not settled.</summary>
    private readonly record struct Held(int Handle, ulong Number, FollowerTransaction? Transaction);

    /// <summary>The conversation at the beginning of a connection: one request after the other.</summary>
    private sealed class Replay
    {
        private readonly Lock _gate = new();
        private TaskCompletionSource<byte[]>? _answer;
        private bool _hasEnded;
        private volatile bool _isDone;

        /// <summary>Gets or sets whether answers are those of the usual requests from now on.</summary>
        internal bool IsDone
        {
            get => _isDone;
            set => _isDone = value;
        }

        internal async Task<byte[]> CallAsync(FrameConnection connection, byte[] request)
        {
            var answer = new TaskCompletionSource<byte[]>(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_gate)
            {
                if (_hasEnded)
                    throw new ReplayEndedException();
                _answer = answer;
            }

            connection.Write(1, request);
            byte[] bytes = await answer.Task.ConfigureAwait(false);
            return ReadError(bytes) is { } error ? throw error : bytes;
        }

        internal void Answer(byte[] answer)
        {
            lock (_gate)
                _answer?.TrySetResult(answer);
        }

        internal void End()
        {
            lock (_gate)
            {
                _hasEnded = true;
                _answer?.TrySetException(new ReplayEndedException());
            }
        }

        private static Exception? ReadError(byte[] answer)
        {
            var reader = new BinaryBodyReader(answer, FolderProtocol.Limits);
            return FolderProtocol.ReadError(ref reader);
        }
    }

    /// <summary>The exception that is thrown when the owner has ended while a process came back.</summary>
    [SuppressMessage("Design", "CA1064", Justification = "It never leaves this class.")]
    private sealed class ReplayEndedException : Exception;
}
