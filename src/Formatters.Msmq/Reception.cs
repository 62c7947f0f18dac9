using System;
using System.Diagnostics;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Msmq;

/// <summary>A receive: waits for a message, reads it, and only then removes it from its queue.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
internal sealed class Reception<T>
{
    private readonly MessageQueue _queue;
    private readonly IMessageFormatter _formatter;
    private readonly Transaction _transaction;
    private readonly UnreadableMessageHandler? _onUnreadable;
    private readonly TimeSpan _timeout;
    private readonly long _start = Stopwatch.GetTimestamp();
    private string? _missing;

    internal Reception(MessageQueue queue, IMessageFormatter formatter, TimeSpan? timeout, Transaction transaction = default,
        UnreadableMessageHandler? onUnreadable = null)
    {
        _queue = queue ?? throw new ArgumentNullException(nameof(queue));
        _formatter = formatter ?? throw new ArgumentNullException(nameof(formatter));
        _timeout = AtMost(timeout ?? MessageQueue.InfiniteTimeout);
        _transaction = transaction;
        _onUnreadable = onUnreadable;
    }

    /// <summary>Limits a timeout to MSMQ's range; a longer one is infinite.</summary>
    private static TimeSpan AtMost(TimeSpan timeout) => timeout < MessageQueue.InfiniteTimeout ? timeout : MessageQueue.InfiniteTimeout;

    private TimeSpan Remaining
    {
        get
        {
            if (_timeout == MessageQueue.InfiniteTimeout || _timeout <= TimeSpan.Zero)
                return _timeout;
            TimeSpan remaining = _timeout - TimeSpan.FromSeconds((Stopwatch.GetTimestamp() - _start) / (double)Stopwatch.Frequency);
            return remaining > TimeSpan.Zero ? remaining : TimeSpan.Zero;
        }
    }

    /// <summary>Receives the next message, including the exception of a timeout.</summary>
    internal ReceivedMessage<T> Receive()
    {
        while (true)
        {
            ReceivedMessage<T>? received;
            if (_transaction.IsRolledBack
                ? TryRead(_transaction.Receive(_queue, Remaining), out received)
                : TryTake(_queue.Peek(Remaining), out received))
                return received!;
        }
    }

    /// <summary>Receives a message by its id; without a timeout it must exist.</summary>
    internal ReceivedMessage<T> ReceiveById(string id, TimeSpan? timeout)
    {
        // Also in a transaction: only a peek can wait, and then a message that cannot be read stays where it is.
        ReceivedMessage<T> received = Read(timeout is null ? _queue.PeekById(id) : _queue.PeekById(id, AtMost(timeout.Value)));
        _transaction.ReceiveById(_queue, id).Dispose();
        return received;
    }

    /// <summary>Receives the next message without blocking a thread.</summary>
    internal async Task<ReceivedMessage<T>> ReceiveAsync()
    {
        while (true)
        {
            Message peeked = await PeekMessageAsync().ConfigureAwait(false);
            if (!_transaction.IsRolledBack)
            {
                if (TryTake(peeked, out ReceivedMessage<T>? taken))
                    return taken!;
                continue;
            }

            try
            {
                if (TryRead(_transaction.Receive(_queue, TimeSpan.Zero), out ReceivedMessage<T>? received))
                    return received!;
            }
            catch (MessageQueueException e) when (Transaction.IsTimeout(e) && Remaining > TimeSpan.Zero)
            {
                // Another receiver took it.
            }
        }
    }

    internal ReceivedMessage<T> Peek() => Read(_queue.Peek(Remaining));

    internal async Task<ReceivedMessage<T>> PeekAsync() => Read(await PeekMessageAsync().ConfigureAwait(false));

    private Task<Message> PeekMessageAsync() =>
        Task.Factory.FromAsync((callback, state) => _queue.BeginPeek(Remaining, state, callback), _queue.EndPeek, state: null);

    private ReceivedMessage<T> Read(Message message)
    {
        MessageBody body = MessageBodies.Of(message);
        try
        {
            return new ReceivedMessage<T>(message, MessageBodies.Read<T>(body, _formatter));
        }
        catch (Exception e) when (e is not (MessageFormatException or OperationCanceledException or OutOfMemoryException or AccessViolationException
            or ThreadAbortException))
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.None,
                $"The formatter failed with {e.GetType()}, which is the inner exception. A formatter reports a bad body with "
                + $"{nameof(MessageFormatException)}.",
                innerException: e);
        }
    }

    /// <summary>Reads a message; passes one that cannot be read to the handler, if there is one.</summary>
    /// <returns><see langword="false"/> if the handler has it.</returns>
    private bool TryRead(Message message, out ReceivedMessage<T>? received)
    {
        received = null;
        try
        {
            received = Read(message);
            return true;
        }
        catch (MessageFormatException e) when (_onUnreadable is not null)
        {
            _onUnreadable(message, e, _transaction.Own);
            return false;
        }
    }

    /// <summary>Reads a message that is still on the queue, and removes it.</summary>
    /// <returns><see langword="false"/> if the handler has it, or another receiver.</returns>
    private bool TryTake(Message peeked, out ReceivedMessage<T>? received)
    {
        string id = peeked.Id;
        bool isRead = TryRead(peeked, out received);
        try
        {
            _transaction.ReceiveById(_queue, id).Dispose();
            return isRead;
        }
        catch (InvalidOperationException) when (id != _missing)
        {
            // Another receiver took it. If the queue shows the message a second time and still does not return it, there is another reason.
            _missing = id;
            return false;
        }
    }
}
