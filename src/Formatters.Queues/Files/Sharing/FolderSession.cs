using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>The owner's side of a connection with another process: its open queues, its transactions and the messages that it has received.</summary>
internal sealed class FolderSession
{
    /// <summary>The answers that may be pending before no more requests are read: enough for the largest message.</summary>
    internal const long MaxPendingByteCount = 128 << 20;

    private const int MaxFreeCount = 64;

    private static readonly byte[] Done = [0];

    private readonly FolderServer _server;
    private readonly QueueFolder _folder;
    private readonly FrameConnection _connection;
    private readonly Lock _gate = new();
    private readonly Dictionary<uint, CancellationTokenSource> _running = [];
    private readonly Stack<CancellationTokenSource> _free = new();
    private readonly Dictionary<int, IAsyncDisposable> _handles = [];
    private readonly Dictionary<long, Transaction> _transactions = [];
    private readonly Dictionary<long, LocalMessage> _deliveries = [];
    private readonly HashSet<Guid> _decisions = [];
    private readonly TaskCompletionSource _idle = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _lastDelivery;
    private int _nextPurge = 1024;
    private FolderProcess? _description;
    private bool _isEnding;

    internal FolderSession(FolderServer server, FrameConnection connection)
    {
        _server = server;
        _folder = server.Folder;
        _connection = connection;
    }

    /// <summary>Gets the process; empty before it has said hello.</summary>
    internal Guid Process { get; private set; }

    internal void Start() => _ = RunAsync();

    internal FolderProcess? Describe()
    {
        lock (_gate)
            return _description is { } description ? description with { LockedCount = _deliveries.Count } : null;
    }

    /// <summary>Ends the session: completes what was requested, returns what was received, and rolls back transactions.</summary>
    internal async Task EndAsync()
    {
        bool isFirst;
        lock (_gate)
        {
            isFirst = !_isEnding;
            _isEnding = true;
            if (isFirst && _running.Count == 0)
                _idle.SetResult();
        }

        if (!isFirst)
        {
            await _ended.Task.ConfigureAwait(false);
            return;
        }

        CancellationTokenSource[] running;
        lock (_gate)
            running = [.. _running.Values];
        foreach (CancellationTokenSource request in running)
            await request.CancelAsync().ConfigureAwait(false);
        await _idle.Task.ConfigureAwait(false);
        await _connection.CloseAsync().ConfigureAwait(false);
        foreach (Transaction transaction in _transactions.Values)
            await transaction.Local.DisposeAsync().ConfigureAwait(false);
        foreach (IAsyncDisposable handle in _handles.Values)
            await handle.DisposeAsync().ConfigureAwait(false);
        foreach (Guid decision in _decisions)
            _folder.Decisions.Leave(decision);
        _server.Remove(this);
        _ended.SetResult();
    }

    private async Task RunAsync()
    {
        await FrameReader.ReadAsync(_connection, Handle, runsCallers: false).ConfigureAwait(false);
        await EndAsync().ConfigureAwait(false);
    }

    /// <summary>Reads a request and begins it.</summary>
    /// <exception cref="FormatException">It is not a request of this version, or refers to what is not open.</exception>
    private FolderCall? Handle(uint id, byte[] payload)
    {
        var reader = new BinaryBodyReader(payload, FolderProtocol.Limits);
        var request = (FolderRequest)reader.ReadByte();
        if ((request == FolderRequest.Hello) != (Process == default))
            throw new FormatException("The first request, and no other, is the hello.");
        if (request == FolderRequest.Cancel)
        {
            Cancel(reader.ReadUInt32());
            return null;
        }

        bool waits = request is FolderRequest.Receive or FolderRequest.Purge or FolderRequest.Count or FolderRequest.CountLocked
            or FolderRequest.Peek or FolderRequest.List or FolderRequest.Delete or FolderRequest.FindDecisions or FolderRequest.FindFate;
        Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> run;
        try
        {
            run = Decode(request, ref reader, payload);
            reader.EnsureEnd();
        }
        catch (InvalidOperationException e)
        {
            // What was closed meanwhile, by a request that has overtaken this one.
            run = _ => throw e;
        }

        CancellationTokenSource? cancellation;
        lock (_gate)
        {
            if (_isEnding)
                return null;
            if (!_free.TryPop(out cancellation))
                cancellation = new CancellationTokenSource();
            _running.Add(id, cancellation);
        }

        _ = AnswerAsync(id, run, waits && !_server.AllHaveReturned.IsCompleted, cancellation);
        return null;
    }

    private async Task AnswerAsync(uint id, Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> run, bool waits,
        CancellationTokenSource cancellation)
    {
        ReadOnlyMemory<byte> answer;
        bool hasFailed = false;
        try
        {
            if (waits)
                await _server.AllHaveReturned.WaitAsync(cancellation.Token).ConfigureAwait(false);
            answer = await run(cancellation.Token).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            hasFailed = true;
            answer = FolderProtocol.Encode(256, (ref BinaryBodyWriter writer) => FolderProtocol.Write(ref writer, e));
        }

        // Of a folder that closes, errors are those of the closing: the process repeats the request to the next owner.
        bool isEnding, isOneOfMany;
        lock (_gate)
            (isEnding, isOneOfMany) = (_isEnding, _running.Count > 1);
        if (!hasFailed || (!isEnding && _folder.StoppedReason is null))
            _connection.Write(id, answer, order: 0, isOneOfMany);
        lock (_gate)
        {
            _running.Remove(id);
            if (_free.Count < MaxFreeCount && cancellation.TryReset())
                _free.Push(cancellation);
            if (_isEnding && _running.Count == 0)
                _idle.TrySetResult();
        }
    }

    private void Cancel(uint id)
    {
        lock (_gate)
        {
            if (!_running.TryGetValue(id, out CancellationTokenSource? request))
                return;
            // Not here: what it ends runs on this thread.
            _ = request.CancelAsync();
        }
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> Decode(FolderRequest request, ref BinaryBodyReader reader, byte[] payload)
    {
        switch (request)
        {
            case FolderRequest.Hello:
                return DecodeHello(ref reader);
            case FolderRequest.Returned:
                _server.NoteReturn(Process);
                return static _ => new(Done);
            case FolderRequest.Ping:
                return static _ => new(Done);
            case FolderRequest.OpenQueue:
                {
                    int handle = reader.ReadInt32();
                    string name = reader.ReadString();
                    QueueOptions options = FolderProtocol.ReadOptions(ref reader);
                    return async token => Open(handle, await OwnedFolder.OpenQueueAsync(_folder, _folder.AddressOf(name), name, options, token)
                        .ConfigureAwait(false));
                }

            case FolderRequest.OpenTopic:
                {
                    int handle = reader.ReadInt32();
                    string name = reader.ReadString();
                    QueueOptions options = FolderProtocol.ReadOptions(ref reader);
                    return _ => new(Open(handle, OpenTopic(name, options)));
                }

            case FolderRequest.Subscribe:
            case FolderRequest.SubscribeDurable:
                return DecodeSubscribe(ref reader, request == FolderRequest.SubscribeDurable);
            case FolderRequest.Unsubscribe:
                {
                    FileTopic topic = OpenTopic(reader.ReadString(), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable });
                    string name = reader.ReadString();
                    return async token => Result(await topic.UnsubscribeAsync(name, token).ConfigureAwait(false) ? 1 : 0);
                }

            case FolderRequest.Close:
                {
                    int handle = reader.ReadInt32();
                    IAsyncDisposable? closed;
                    lock (_gate)
                        _handles.Remove(handle, out closed);
                    return async _ =>
                    {
                        if (closed is not null)
                            await closed.DisposeAsync().ConfigureAwait(false);
                        Forget(static (message, closed) => ReferenceEquals(message.Receiver, closed) && message.Transaction is null, closed);
                        return Done;
                    };
                }

            case FolderRequest.Delete:
                {
                    string name = reader.ReadString();
                    return async token => Result(await _folder.DeleteQueueAsync(name, token).ConfigureAwait(false) ? 1 : 0);
                }

            case FolderRequest.List:
                {
                    string? name = reader.ReadNullableString();
                    return _ => new(EncodeAll(_folder.List(name), static (ref BinaryBodyWriter writer, QueueStatus status) =>
                        FolderProtocol.Write(ref writer, status)));
                }

            case FolderRequest.Processes:
                return _ => new(EncodeAll(_server.GetProcesses(), static (ref BinaryBodyWriter writer, FolderProcess process) =>
                {
                    writer.Write(process.ProcessId);
                    writer.Write(process.MachineName);
                    writer.Write(process.IsOwner);
                    writer.Write(process.LockedCount);
                }));
            case FolderRequest.Send:
                return DecodeSend(ref reader, payload);
            case FolderRequest.Receive:
                return DecodeReceive(ref reader);
            case FolderRequest.Reclaim:
                return DecodeReclaim(ref reader);
            case FolderRequest.Settle:
                return DecodeSettle(ref reader);
            case FolderRequest.Begin:
                {
                    long number = reader.ReadInt64();
                    lock (_gate)
                        _transactions.TryAdd(number, new Transaction(new FileTransaction(_folder)));
                    return static _ => new(Done);
                }

            case FolderRequest.Commit:
                return DecodeCommit(ref reader);
            case FolderRequest.Rollback:
                {
                    long number = reader.ReadInt64();
                    Transaction? transaction = TakeTransaction(number);
                    return async _ =>
                    {
                        if (transaction is not null)
                            await transaction.Local.DisposeAsync().ConfigureAwait(false);
                        return Done;
                    };
                }

            case FolderRequest.Purge:
                {
                    LocalQueue queue = QueueOf(reader.ReadInt32());
                    return async token => Result(await queue.PurgeAsync(token).ConfigureAwait(false));
                }

            case FolderRequest.Count:
                {
                    LocalQueue queue = QueueOf(reader.ReadInt32());
                    return async token => Result(await queue.GetMessageCountAsync(token).ConfigureAwait(false));
                }

            case FolderRequest.CountLocked:
                {
                    LocalQueue queue = QueueOf(reader.ReadInt32());
                    return async token => Result((await queue.GetLockedCountAsync(token).ConfigureAwait(false))!.Value);
                }

            case FolderRequest.Peek:
                return DecodePeek(ref reader);
            case FolderRequest.FindDecisions:
                {
                    Guid manager = reader.ReadGuid();
                    return _ => new(EncodeAll(_folder.Decisions.GetUndelivered(manager),
                        static (ref BinaryBodyWriter writer, Guid transaction) => writer.Write(transaction)));
                }

            case FolderRequest.FindFate:
                {
                    Guid transaction = reader.ReadGuid();
                    return _ => new(Result((long)_folder.Decisions.FateOf(transaction)));
                }

            case FolderRequest.EnterDecision:
                {
                    Guid transaction = reader.ReadGuid();
                    lock (_gate)
                        _decisions.Add(transaction);
                    _folder.Decisions.Enter(transaction);
                    return static _ => new(Done);
                }

            case FolderRequest.LeaveDecision:
                {
                    Guid transaction = reader.ReadGuid();
                    lock (_gate)
                        _decisions.Remove(transaction);
                    _folder.Decisions.Leave(transaction);
                    return static _ => new(Done);
                }

            case FolderRequest.DeliverDecision:
                _folder.Decisions.Deliver(reader.ReadGuid());
                return static _ => new(Done);
            default:
                throw new FormatException($"Unknown request {(byte)request}.");
        }
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeHello(ref BinaryBodyReader reader)
    {
        int version = reader.ReadInt32();
        Guid process = reader.ReadGuid();
        int processId = reader.ReadInt32();
        string machine = reader.ReadString();
        long lastDelivery = reader.ReadInt64();
        Process = process == default ? throw new FormatException("The process has no id.") : process;
        _lastDelivery = lastDelivery;
        if (version != FolderProtocol.Version)
        {
            return _ => throw new QueueException(
                $"The folder '{_server.Path}' is open in process {Environment.ProcessId} on '{Environment.MachineName}', whose version of the "
                + $"library is another: it has version {FolderProtocol.Version} of the protocol between processes, and process {processId} "
                + $"has {version}.")
            {
                Code = QueueErrorCode.UnknownVersion,
            };
        }

        lock (_gate)
            _description = new FolderProcess(processId, machine, IsOwner: false, LockedCount: 0);
        return async _ =>
        {
            await _server.EnterAsync(this, process).ConfigureAwait(false);
            return FolderProtocol.Encode(256, (ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)0);
                writer.Write(_folder.Id);
                writer.Write(Environment.ProcessId);
                writer.Write(Environment.MachineName);
                writer.Write(_folder.DelayNote);
            });
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeSubscribe(ref BinaryBodyReader reader, bool isDurable)
    {
        int handle = reader.ReadInt32();
        string topicName = reader.ReadString();
        QueueOptions topicOptions = FolderProtocol.ReadOptions(ref reader);
        string? name = isDurable ? reader.ReadString() : null;
        string? selector = reader.ReadNullableString();
        QueueOptions options = FolderProtocol.ReadOptions(ref reader);
        return async token =>
        {
            FileTopic topic = OpenTopic(topicName, topicOptions);
            QueueClient queue = name is null
                ? await topic.SubscribeAsync(selector, options, token).ConfigureAwait(false)
                : await topic.SubscribeDurableAsync(name, selector, options, token).ConfigureAwait(false);
            Open(handle, queue);
            return FolderProtocol.Encode(256, (ref BinaryBodyWriter writer) =>
            {
                writer.Write((byte)0);
                writer.Write(queue.Address.QueueName);
            });
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeSend(ref BinaryBodyReader reader, byte[] payload)
    {
        long number = reader.ReadInt64();
        long floor = reader.ReadInt64();
        FileTransaction? transaction = TransactionOf(reader.ReadInt64())?.Local;
        bool isTopic = reader.ReadBoolean();
        int[] handles = new int[reader.ReadCount(sizeof(int))];
        for (int i = 0; i < handles.Length; i++)
            handles[i] = reader.ReadInt32();
        var messages = new QueueMessage[reader.ReadCount(16)];
        for (int i = 0; i < messages.Length; i++)
            messages[i] = FolderProtocol.ReadMessage(ref reader, payload, static body => new RemoteSend(body));
        if (handles.Length == 0 || messages.Length == 0 || (messages.Length > 1 && handles.Length > 1))
            throw new FormatException("A send has a queue and a message, and several of one of them at most.");
        if (number != 0)
        {
            if (_folder.Applied.Contains(Process, number))
                return static _ => new(Done);
            ((RemoteSend)messages[0]).Operation = new RemoteOperation(Process, number, floor);
        }

        if (isTopic)
        {
            FileTopic topic = HandleOf<FileTopic>(handles[0]);
            return async token =>
            {
                await topic.SendAsync(messages[0], transaction, token).ConfigureAwait(false);
                return Done;
            };
        }

        if (handles.Length > 1)
        {
            FileQueue[] queues = [.. handles.Select(HandleOf<FileQueue>)];
            return async token =>
            {
                await FileSend.SendAsync(queues, messages, transaction, token).ConfigureAwait(false);
                return Done;
            };
        }

        LocalQueue queue = QueueOf(handles[0]);
        return messages.Length == 1
            ? async token =>
            {
                await queue.SendAsync(messages[0], transaction, token).ConfigureAwait(false);
                return Done;
            }
            : async token =>
            {
                await queue.SendBatchAsync(messages, transaction, token).ConfigureAwait(false);
                return Done;
            };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeReceive(ref BinaryBodyReader reader)
    {
        LocalQueue queue = QueueOf(reader.ReadInt32());
        Transaction? transaction = TransactionOf(reader.ReadInt64());
        int maxCount = reader.ReadInt32();
        TimeSpan timeout = reader.ReadTimeSpan();
        var by = (ReceiveBy)reader.ReadByte();
        string? id = reader.ReadNullableString();
        if (maxCount < 1 || by > ReceiveBy.CorrelationId || (id is null) != (by == ReceiveBy.Order))
            throw new FormatException("Not a receive.");
        return async token =>
        {
            FileTransaction? local = transaction?.Local;
            IReadOnlyList<ReceivedMessage> received;
            if (maxCount > 1)
            {
                received = await queue.ReceiveBatchAsync(maxCount, timeout, local, token).ConfigureAwait(false);
            }
            else
            {
                ReceivedMessage? message = by switch
                {
                    ReceiveBy.MessageId => await queue.ReceiveByIdAsync(id!, timeout, local, token).ConfigureAwait(false),
                    ReceiveBy.CorrelationId => await queue.ReceiveByCorrelationIdAsync(id!, timeout, local, token).ConfigureAwait(false),
                    _ => await queue.ReceiveAsync(timeout, local, token).ConfigureAwait(false),
                };
                received = message is null ? [] : [message];
            }

            return Deliver(queue, received, transaction);
        };
    }

    private ReadOnlyMemory<byte> Deliver(LocalQueue queue, IReadOnlyList<ReceivedMessage> received, Transaction? transaction)
    {
        bool isFinal = transaction is null && queue.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete;
        long first;
        lock (_gate)
        {
            first = _lastDelivery + 1;
            foreach (ReceivedMessage message in received)
            {
                _lastDelivery++;
                if (isFinal)
                    continue;
                _deliveries.Add(_lastDelivery, (LocalMessage)message);
                transaction?.Deliveries.Add(_lastDelivery);
            }

            // Of messages that were never settled, the leases may have ended.
            if (_deliveries.Count > _nextPurge)
            {
                Forget(static (message, _) => message.LostLock, null);
                _nextPurge = Math.Max(1024, 2 * _deliveries.Count);
            }
        }

        int byteCount = 32;
        foreach (ReceivedMessage message in received)
            byteCount += (int)Math.Min(message.Body.ByteCount, 1 << 20) + 256;
        return FolderProtocol.Encode(byteCount, (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)0);
            writer.WriteCount(received.Count);
            for (int i = 0; i < received.Count; i++)
                FolderProtocol.Write(ref writer, (LocalMessage)received[i], first + i);
        });
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeReclaim(ref BinaryBodyReader reader)
    {
        LocalQueue queue = QueueOf(reader.ReadInt32());
        Transaction? transaction = TransactionOf(reader.ReadInt64());
        long delivery = reader.ReadInt64();
        ulong number = reader.ReadUInt64();
        return async token =>
        {
            if (await queue.ReceiveByNumberAsync(number, transaction?.Local, token).ConfigureAwait(false) is not LocalMessage message)
            {
                if (transaction is not null)
                    transaction.IsBroken = true;
                return Result(0);
            }

            lock (_gate)
            {
                _deliveries[delivery] = message;
                transaction?.Deliveries.Add(delivery);
            }

            return Result(1);
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeSettle(ref BinaryBodyReader reader)
    {
        var settlement = (Settlement)reader.ReadByte();
        int handle = reader.ReadInt32();
        TimeSpan delay = reader.ReadTimeSpan();
        string? reason = reader.ReadNullableString();
        string? description = reader.ReadNullableString();
        var indexes = new List<int>();
        var messages = new List<ReceivedMessage>();
        long[] deliveries = new long[reader.ReadCount(sizeof(long))];
        lock (_gate)
        {
            for (int i = 0; i < deliveries.Length; i++)
            {
                deliveries[i] = reader.ReadInt64();
                // What is not there was settled by a request that is repeated.
                if (!_deliveries.TryGetValue(deliveries[i], out LocalMessage? message))
                    continue;
                messages.Add(message);
                indexes.Add(i);
            }
        }

        if (messages.Count == 0)
            return static _ => new(Result(0));
        switch (settlement)
        {
            case Settlement.Acknowledge when deliveries.Length > 1:
                {
                    LocalQueue queue = QueueOf(handle);
                    return async token =>
                    {
                        try
                        {
                            await queue.AcknowledgeBatchAsync(messages, token).ConfigureAwait(false);
                        }
                        catch (QueueBatchException e)
                        {
                            throw new QueueBatchException(e.Message,
                                [.. e.Failures.Select(failure => new QueueBatchFailure(indexes[failure.Index], failure.Error))]);
                        }
                        finally
                        {
                            Forget(deliveries);
                        }

                        return Result(0);
                    };
                }

            case Settlement.ReturnUnseen:
                {
                    LocalQueue queue = QueueOf(handle);
                    return async token =>
                    {
                        await queue.ReturnUnseenAsync(messages, token).ConfigureAwait(false);
                        Forget(deliveries);
                        return Result(0);
                    };
                }

            case Settlement.Acknowledge:
            case Settlement.Return:
            case Settlement.DeadLetter:
            case Settlement.Renew:
                return async token => Result(await SettleAsync((LocalMessage)messages[0], deliveries, settlement, delay, reason, description, token)
                    .ConfigureAwait(false));
            default:
                throw new FormatException($"Unknown settlement {(byte)settlement}.");
        }
    }

    private async ValueTask<long> SettleAsync(LocalMessage message, long[] deliveries, Settlement settlement, TimeSpan delay, string? reason,
        string? description, CancellationToken cancellationToken)
    {
        switch (settlement)
        {
            case Settlement.Acknowledge:
                await message.AcknowledgeAsync(cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.Return:
                await message.ReturnAsync(delay, cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.DeadLetter:
                await message.MoveToDeadLetterQueueAsync(reason, description, cancellationToken).ConfigureAwait(false);
                break;
            case Settlement.Renew:
                await message.RenewLeaseAsync(cancellationToken).ConfigureAwait(false);
                return message.LeaseEnd?.UtcTicks ?? 0;
        }

        if (message.Transaction is null)
            Forget(deliveries);
        return 0;
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeCommit(ref BinaryBodyReader reader)
    {
        long number = reader.ReadInt64();
        long floor = reader.ReadInt64();
        long transactionNumber = reader.ReadInt64();
        Decision? decision = reader.ReadBoolean() ? new Decision(reader.ReadGuid(), reader.ReadGuid()) : null;
        Transaction? transaction = TakeTransaction(transactionNumber);
        return async _ =>
        {
            if (_folder.Applied.Contains(Process, number))
            {
                if (transaction is not null)
                    await transaction.Local.DisposeAsync().ConfigureAwait(false);
                return Done;
            }

            if (transaction is null)
                throw LocalTransaction.Ended();
            if (transaction.IsBroken)
            {
                await transaction.Local.DisposeAsync().ConfigureAwait(false);
                throw new QueueException("The transaction is rolled back: a message that it had received went to another receiver, when the process "
                    + "that owned the folder had ended and this one came back too late.");
            }

            transaction.Local.Operation = new RemoteOperation(Process, number, floor);
            await transaction.Local.CommitAsync(decision).ConfigureAwait(false);
            return Done;
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodePeek(ref BinaryBodyReader reader)
    {
        LocalQueue queue = QueueOf(reader.ReadInt32());
        var options = new PeekOptions
        {
            MaxCount = reader.ReadInt32(),
            After = reader.ReadNullableString(),
            Selector = reader.ReadNullableString(),
            IncludeLocked = reader.ReadBoolean(),
            IncludeDelayed = reader.ReadBoolean(),
        };
        return async token => EncodeAll(await queue.PeekAsync(options, token).ConfigureAwait(false),
            static (ref BinaryBodyWriter writer, PeekedMessage message) => FolderProtocol.Write(ref writer, message));
    }

    private FileTopic OpenTopic(string name, QueueOptions options) => new(_folder, _folder.OpenTopic(name), _folder.AddressOf(name), options);

    private ReadOnlyMemory<byte> Open(int number, IAsyncDisposable handle)
    {
        if (handle is FileQueue queue)
            queue.IsServed = true;
        lock (_gate)
            _handles[number] = handle;
        return Done;
    }

    private LocalQueue QueueOf(int handle) => HandleOf<LocalQueue>(handle);

    private T HandleOf<T>(int handle)
        where T : class
    {
        lock (_gate)
            return _handles.GetValueOrDefault(handle) as T ?? throw new ObjectDisposedException(nameof(QueueClient));
    }

    private Transaction? TransactionOf(long number)
    {
        if (number == 0)
            return null;
        lock (_gate)
            return _transactions.GetValueOrDefault(number) ?? throw LocalTransaction.Ended();
    }

    private Transaction? TakeTransaction(long number)
    {
        lock (_gate)
        {
            if (_transactions.Remove(number, out Transaction? transaction))
            {
                foreach (long delivery in transaction.Deliveries)
                    _deliveries.Remove(delivery);
            }

            return transaction;
        }
    }

    private void Forget(long[] deliveries)
    {
        lock (_gate)
        {
            foreach (long delivery in deliveries)
                _deliveries.Remove(delivery);
        }
    }

    private void Forget(Func<LocalMessage, object?, bool> isForgotten, object? state)
    {
        lock (_gate)
        {
            foreach (long delivery in _deliveries.Where(delivery => isForgotten(delivery.Value, state)).Select(static one => one.Key).ToArray())
                _deliveries.Remove(delivery);
        }
    }

    private static ReadOnlyMemory<byte> Result(long value) => FolderProtocol.Encode(9, (ref BinaryBodyWriter writer) =>
    {
        writer.Write((byte)0);
        writer.Write(value);
    });

    private delegate void ItemEncoder<T>(ref BinaryBodyWriter writer, T item);

    private static ReadOnlyMemory<byte> EncodeAll<T>(IReadOnlyList<T> items, ItemEncoder<T> encode) =>
        FolderProtocol.Encode(256 * (items.Count + 1), (ref BinaryBodyWriter writer) =>
        {
            writer.Write((byte)0);
            writer.WriteCount(items.Count);
            foreach (T item in items)
                encode(ref writer, item);
        });

    /// <summary>A transaction of the other process.</summary>
    private sealed class Transaction(FileTransaction local)
    {
        internal FileTransaction Local => local;

        internal List<long> Deliveries { get; } = [];

        /// <summary>Gets or sets whether a message that it had received could not be found again.</summary>
        internal bool IsBroken { get; set; }
    }
}
