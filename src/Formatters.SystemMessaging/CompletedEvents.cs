namespace System.Messaging;

/// <summary>Handles <see cref="MessageQueue.PeekCompleted"/>.</summary>
/// <param name="sender">The queue.</param>
/// <param name="e">The result.</param>
public delegate void PeekCompletedEventHandler(object sender, PeekCompletedEventArgs e);

/// <summary>Handles <see cref="MessageQueue.ReceiveCompleted"/>.</summary>
/// <param name="sender">The queue.</param>
/// <param name="e">The result.</param>
public delegate void ReceiveCompletedEventHandler(object sender, ReceiveCompletedEventArgs e);

/// <summary>The result of <see cref="MessageQueue.BeginPeek()"/>.</summary>
public class PeekCompletedEventArgs : EventArgs
{
    private readonly MessageQueue _queue;
    private Message? _message;

    internal PeekCompletedEventArgs(MessageQueue queue, IAsyncResult result)
    {
        _queue = queue;
        AsyncResult = result;
    }

    /// <summary>Gets or sets the operation.</summary>
    public IAsyncResult AsyncResult { get; set; }

    /// <summary>Gets the message, as <see cref="MessageQueue.EndPeek"/> does.</summary>
    /// <exception cref="MessageQueueException">There was none in time, or the operation failed.</exception>
    public Message Message => _message ??= _queue.EndPeek(AsyncResult);
}

/// <summary>The result of <see cref="MessageQueue.BeginReceive()"/>.</summary>
public class ReceiveCompletedEventArgs : EventArgs
{
    private readonly MessageQueue _queue;
    private Message? _message;

    internal ReceiveCompletedEventArgs(MessageQueue queue, IAsyncResult result)
    {
        _queue = queue;
        AsyncResult = result;
    }

    /// <summary>Gets or sets the operation.</summary>
    public IAsyncResult AsyncResult { get; set; }

    /// <summary>Gets the message, as <see cref="MessageQueue.EndReceive"/> does.</summary>
    /// <exception cref="MessageQueueException">There was none in time, or the operation failed.</exception>
    public Message Message => _message ??= _queue.EndReceive(AsyncResult);
}
