using System.Collections;

namespace System.Messaging;

/// <summary>Enumerates the messages of a queue without removing them. It also finds messages that arrive later.</summary>
/// <remarks>After <see cref="RemoveCurrent()"/>, <see cref="MoveNext()"/> moves to the message after the removed one.</remarks>
public class MessageEnumerator : MarshalByRefObject, IEnumerator, IDisposable
{
    private readonly MessageQueue _queue;
    private Cursor? _cursor;
    private Message? _current;
    private bool _hasCurrent;

    internal MessageEnumerator(MessageQueue queue) => _queue = queue;

    /// <summary>Gets the current message.</summary>
    /// <exception cref="InvalidOperationException"><see cref="MoveNext()"/> was not called, or has returned false.</exception>
    public Message Current => _hasCurrent
        ? _current ?? throw new InvalidOperationException($"The current message was removed: call {nameof(MoveNext)}.")
        : throw new InvalidOperationException($"There is no current message: call {nameof(MoveNext)}, and stop when it returns false.");

    object IEnumerator.Current => Current;

    /// <summary>Gets a handle of MSMQ.</summary>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    public IntPtr CursorHandle => throw NotHere.Handle(nameof(CursorHandle));

    /// <summary>Moves to the next message, without waiting.</summary>
    /// <returns>Whether there is one.</returns>
    /// <exception cref="MessageQueueException">The queue cannot be read.</exception>
    public bool MoveNext() => MoveNext(TimeSpan.Zero);

    /// <summary>Moves to the next message, waiting for one.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <returns>Whether there is one.</returns>
    /// <exception cref="ArgumentException"><paramref name="timeout"/> is negative or too long.</exception>
    /// <exception cref="MessageQueueException">The queue cannot be read.</exception>
    public bool MoveNext(TimeSpan timeout)
    {
        bool isFirst = _cursor is null;
        _cursor ??= _queue.CreateCursor();
        try
        {
            _current = _queue.Peek(timeout, _cursor, isFirst || _cursor.Current is null ? PeekAction.Current : PeekAction.Next);
            return _hasCurrent = true;
        }
        catch (MessageQueueException e) when (e.MessageQueueErrorCode == MessageQueueErrorCode.IOTimeout)
        {
            // Later messages are found from here on.
            (_current, _hasCurrent) = (null, false);
            return false;
        }
    }

    /// <summary>Receives the current message, without waiting.</summary>
    /// <returns>The message.</returns>
    /// <exception cref="InvalidOperationException">There is no current message.</exception>
    /// <exception cref="MessageQueueException">It was received by another program.</exception>
    public Message RemoveCurrent() => RemoveCurrent(TimeSpan.Zero);

    /// <summary>Receives the current message in a transaction.</summary>
    /// <param name="transaction">The transaction.</param>
    /// <inheritdoc cref="RemoveCurrent()"/>
    public Message RemoveCurrent(MessageQueueTransaction transaction) => RemoveCurrent(TimeSpan.Zero, transaction);

    /// <summary>Receives the current message.</summary>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="RemoveCurrent()"/>
    public Message RemoveCurrent(MessageQueueTransactionType transactionType) => RemoveCurrent(TimeSpan.Zero, transactionType);

    /// <summary>Receives the current message.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <inheritdoc cref="RemoveCurrent()"/>
    public Message RemoveCurrent(TimeSpan timeout)
    {
        RequireCurrent();
        return Remove(_queue.Receive(timeout, _cursor!));
    }

    /// <summary>Receives the current message in a transaction.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="transaction">The transaction.</param>
    /// <inheritdoc cref="RemoveCurrent()"/>
    public Message RemoveCurrent(TimeSpan timeout, MessageQueueTransaction transaction)
    {
        RequireCurrent();
        return Remove(_queue.Receive(timeout, _cursor!, transaction));
    }

    /// <summary>Receives the current message.</summary>
    /// <param name="timeout">How long to wait.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <inheritdoc cref="RemoveCurrent()"/>
    public Message RemoveCurrent(TimeSpan timeout, MessageQueueTransactionType transactionType)
    {
        RequireCurrent();
        return Remove(_queue.Receive(timeout, _cursor!, transactionType));
    }

    /// <summary>Moves to the front of the queue, before the first message.</summary>
    public void Reset() => Close();

    /// <summary>Closes the enumerator.</summary>
    public void Close()
    {
        _cursor?.Close();
        (_cursor, _current, _hasCurrent) = (null, null, false);
    }

    /// <summary>Closes the enumerator.</summary>
    public void Dispose()
    {
        Dispose(disposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Closes the enumerator.</summary>
    /// <param name="disposing">Whether it is called by <see cref="Dispose()"/>.</param>
    protected virtual void Dispose(bool disposing)
    {
        if (disposing)
            Close();
    }

    private Message Remove(Message message)
    {
        _current = null;
        return message;
    }

    private void RequireCurrent()
    {
        if (!_hasCurrent || _current is null)
            throw new InvalidOperationException($"There is no current message: call {nameof(MoveNext)} first.");
    }
}
