using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Binary;

namespace Formatters.Queues;

/// <summary>
/// The owner's side of a connection with another process: decodes the requests of <see cref="FolderRequests"/>, and returns for each how to run it.
/// </summary>
internal sealed class FolderSession
{
    /// <summary>The answers that may be pending before no more requests are read: enough for the largest message.</summary>
    internal const long MaxPendingByteCount = 128 << 20;

    private static readonly byte[] Done = [0];

    private readonly FolderServer _server;
    private readonly QueueFolder _folder;
    private readonly FrameConnection _connection;
    private readonly SessionRequests _requests;
    private readonly SessionDeliveries _deliveries = new();
    private readonly SessionState _state;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private FolderProcess? _description;
    private int _isEnding;

    internal FolderSession(FolderServer server, FrameConnection connection)
    {
        _server = server;
        _folder = server.Folder;
        _connection = connection;
        _requests = new SessionRequests(server, connection);
        _state = new SessionState(server.Folder, _deliveries);
    }

    /// <summary>Gets the process; empty before it has said hello.</summary>
    internal Guid Process { get; private set; }

    internal void Start() => _ = RunAsync();

    internal FolderProcess? Describe() =>
        Volatile.Read(ref _description) is { } description ? description with { LockedCount = _deliveries.Count } : null;

    /// <summary>Ends the session: completes what was requested, returns what was received, and rolls back transactions.</summary>
    internal async Task EndAsync()
    {
        if (Interlocked.Exchange(ref _isEnding, 1) != 0)
        {
            await _ended.Task.ConfigureAwait(false);
            return;
        }

        await _requests.EndAsync().ConfigureAwait(false);
        await _connection.CloseAsync().ConfigureAwait(false);
        await _state.CloseAsync().ConfigureAwait(false);
        _server.Remove(this);
        _ended.SetResult();
    }

    private async Task RunAsync()
    {
        await FrameReader.ReadAsync(_connection, Handle, runsCallers: false).ConfigureAwait(false);
        await EndAsync().ConfigureAwait(false);
    }

    /// <summary>Decodes a request, and starts it.</summary>
    /// <exception cref="FormatException">It is not a request of this version.</exception>
    private FolderCall? Handle(uint id, byte[] payload)
    {
        var reader = new BinaryBodyReader(payload, FolderProtocol.Limits);
        var request = (FolderRequest)reader.ReadByte();
        if ((request == FolderRequest.Hello) != (Process == default))
            throw new FormatException("The first request, and no other, is the hello.");
        if (request == FolderRequest.Cancel)
        {
            _requests.Cancel(reader.ReadUInt32());
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
            // A request that has overtaken this one has closed the handle or ended the transaction.
            run = _ => throw e;
        }

        _requests.Start(id, waits, run);
        return null;
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
                    return async token => FolderAnswers.Number(await topic.UnsubscribeAsync(name, token).ConfigureAwait(false) ? 1 : 0);
                }

            case FolderRequest.Close:
                {
                    IAsyncDisposable? closed = _state.RemoveHandle(reader.ReadInt32());
                    return async _ =>
                    {
                        if (closed is not null)
                            await closed.DisposeAsync().ConfigureAwait(false);
                        _deliveries.RemoveOf(closed);
                        return Done;
                    };
                }

            case FolderRequest.Delete:
                {
                    string name = reader.ReadString();
                    return async token => FolderAnswers.Number(await _folder.DeleteQueueAsync(name, token).ConfigureAwait(false) ? 1 : 0);
                }

            case FolderRequest.List:
                {
                    string? name = reader.ReadNullableString();
                    return _ => new(FolderAnswers.List(_folder.List(name), static (ref BinaryBodyWriter writer, QueueStatus status) =>
                        FolderProtocol.Write(ref writer, status)));
                }

            case FolderRequest.Processes:
                return _ => new(FolderAnswers.List(_server.GetProcesses(), static (ref BinaryBodyWriter writer, FolderProcess process) =>
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
                _state.BeginTransaction(reader.ReadInt64());
                return static _ => new(Done);
            case FolderRequest.Commit:
                return DecodeCommit(ref reader);
            case FolderRequest.Rollback:
                {
                    SessionTransaction? transaction = _state.TakeTransaction(reader.ReadInt64());
                    return async _ =>
                    {
                        if (transaction is not null)
                            await transaction.Local.DisposeAsync().ConfigureAwait(false);
                        return Done;
                    };
                }

            case FolderRequest.Purge:
                return AnswerNumber(QueueOf(reader.ReadInt32()).PurgeAsync);
            case FolderRequest.Count:
                return AnswerNumber(QueueOf(reader.ReadInt32()).GetMessageCountAsync);
            case FolderRequest.CountLocked:
                {
                    LocalQueue queue = QueueOf(reader.ReadInt32());
                    return async token => FolderAnswers.Number((await queue.GetLockedCountAsync(token).ConfigureAwait(false))!.Value);
                }

            case FolderRequest.Peek:
                return DecodePeek(ref reader);
            case FolderRequest.FindDecisions:
                {
                    Guid manager = reader.ReadGuid();
                    return _ => new(FolderAnswers.List(_folder.Decisions.GetUndelivered(manager),
                        static (ref BinaryBodyWriter writer, Guid transaction) => writer.Write(transaction)));
                }

            case FolderRequest.FindFate:
                {
                    Guid transaction = reader.ReadGuid();
                    return _ => new(FolderAnswers.Number((long)_folder.Decisions.FateOf(transaction)));
                }

            case FolderRequest.EnterDecision:
                _state.EnterDecision(reader.ReadGuid());
                return static _ => new(Done);
            case FolderRequest.LeaveDecision:
                _state.LeaveDecision(reader.ReadGuid());
                return static _ => new(Done);
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
        _deliveries.StartAfter(lastDelivery);
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

        Volatile.Write(ref _description, new FolderProcess(processId, machine, IsOwner: false, LockedCount: 0));
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
        SessionTransaction? transaction = TransactionOf(reader.ReadInt64());
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

            bool haveLeft = transaction is null && queue.Options.ReceiveMode == ReceiveMode.ReceiveAndDelete;
            return FolderAnswers.Received(received, _deliveries.Add(received, transaction, haveLeft));
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeReclaim(ref BinaryBodyReader reader)
    {
        LocalQueue queue = QueueOf(reader.ReadInt32());
        SessionTransaction? transaction = TransactionOf(reader.ReadInt64());
        long delivery = reader.ReadInt64();
        ulong number = reader.ReadUInt64();
        return async token =>
        {
            if (await queue.ReceiveByNumberAsync(number, transaction?.Local, token).ConfigureAwait(false) is not LocalMessage message)
            {
                if (transaction is not null)
                    transaction.IsBroken = true;
                return FolderAnswers.Number(0);
            }

            _deliveries.AddReclaimed(delivery, message, transaction);
            return FolderAnswers.Number(1);
        };
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeSettle(ref BinaryBodyReader reader)
    {
        var settlement = (Settlement)reader.ReadByte();
        int handle = reader.ReadInt32();
        TimeSpan delay = reader.ReadTimeSpan();
        string? reason = reader.ReadNullableString();
        string? description = reader.ReadNullableString();
        long[] deliveries = new long[reader.ReadCount(sizeof(long))];
        for (int i = 0; i < deliveries.Length; i++)
            deliveries[i] = reader.ReadInt64();
        (List<ReceivedMessage> messages, List<int> indexes) = _deliveries.Find(deliveries);
        if (messages.Count == 0)
            return static _ => new(FolderAnswers.Number(0));
        switch (settlement)
        {
            case Settlement.Acknowledge when deliveries.Length > 1:
                {
                    LocalQueue queue = QueueOf(handle);
                    return async token =>
                    {
                        await _deliveries.AcknowledgeAsync(queue, deliveries, messages, indexes, token).ConfigureAwait(false);
                        return FolderAnswers.Number(0);
                    };
                }

            case Settlement.ReturnUnseen:
                {
                    LocalQueue queue = QueueOf(handle);
                    return async token =>
                    {
                        await queue.ReturnUnseenAsync(messages, token).ConfigureAwait(false);
                        _deliveries.Remove(deliveries);
                        return FolderAnswers.Number(0);
                    };
                }

            case Settlement.Acknowledge:
            case Settlement.Return:
            case Settlement.DeadLetter:
            case Settlement.Renew:
                return async token => FolderAnswers.Number(await _deliveries.SettleAsync(
                    (LocalMessage)messages[0], deliveries, settlement, delay, reason, description, token).ConfigureAwait(false));
            default:
                throw new FormatException($"Unknown settlement {(byte)settlement}.");
        }
    }

    private Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> DecodeCommit(ref BinaryBodyReader reader)
    {
        long number = reader.ReadInt64();
        long floor = reader.ReadInt64();
        long transactionNumber = reader.ReadInt64();
        Decision? decision = reader.ReadBoolean() ? new Decision(reader.ReadGuid(), reader.ReadGuid()) : null;
        SessionTransaction? transaction = _state.TakeTransaction(transactionNumber);
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
        return async token => FolderAnswers.List(await queue.PeekAsync(options, token).ConfigureAwait(false),
            static (ref BinaryBodyWriter writer, PeekedMessage message) => FolderProtocol.Write(ref writer, message));
    }

    private static Func<CancellationToken, ValueTask<ReadOnlyMemory<byte>>> AnswerNumber(Func<CancellationToken, ValueTask<long>> run) =>
        async token => FolderAnswers.Number(await run(token).ConfigureAwait(false));

    private FileTopic OpenTopic(string name, QueueOptions options) => new(_folder, _folder.OpenTopic(name), _folder.AddressOf(name), options);

    private ReadOnlyMemory<byte> Open(int number, IAsyncDisposable handle)
    {
        if (handle is FileQueue queue)
            queue.IsServed = true;
        _state.AddHandle(number, handle);
        return Done;
    }

    private LocalQueue QueueOf(int handle) => _state.HandleOf<LocalQueue>(handle);

    private T HandleOf<T>(int handle)
        where T : class => _state.HandleOf<T>(handle);

    private SessionTransaction? TransactionOf(long number) => _state.TransactionOf(number);
}
