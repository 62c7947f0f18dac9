using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace System.Messaging;

// Begin and End.
public partial class MessageQueue
{
    /// <summary>Begins to receive the next message; <see cref="ReceiveCompleted"/> occurs when there is one.</summary>
    /// <returns>The operation, for <see cref="EndReceive"/>.</returns>
    /// <exception cref="ArgumentException">The timeout is negative or too long.</exception>
    /// <exception cref="InvalidOperationException">There is no path.</exception>
    /// <exception cref="MessageQueueException">The queue is not for receiving.</exception>
    public IAsyncResult BeginReceive() => BeginReceive(InfiniteTimeout);

    /// <summary>Begins to receive the next message; <see cref="ReceiveCompleted"/> occurs when there is one, or the timeout has passed.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="BeginReceive()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginReceive(TimeSpan timeout) => BeginReceive(timeout, null);

    /// <summary>Begins to receive the next message; <see cref="ReceiveCompleted"/> occurs when there is one, or the timeout has passed.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="stateObject">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <inheritdoc cref="BeginReceive()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginReceive(TimeSpan timeout, object? stateObject) => BeginReceive(timeout, stateObject, null);

    /// <summary>Begins to receive the next message.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="stateObject">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <param name="callback">Is called when there is one, or when the timeout has passed; null: <see cref="ReceiveCompleted"/> occurs.</param>
    /// <inheritdoc cref="BeginReceive()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginReceive(TimeSpan timeout, object? stateObject, AsyncCallback? callback)
    {
        Checks.Timeout(timeout);
        QueueTarget target = Receiving();
        return new QueueResult(
            this, isReceive: true, RunAsync(token => ReceiveAsync(target, ReceiveBy.Position, null, timeout, null, isSingle: false, token), default),
            stateObject, callback);
    }

    /// <summary>Begins to receive the message at a cursor.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <param name="state">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <param name="callback">Is called when there is one, or when the timeout has passed; null: <see cref="ReceiveCompleted"/> occurs.</param>
    /// <inheritdoc cref="BeginReceive()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginReceive(TimeSpan timeout, Cursor cursor, object? state, AsyncCallback? callback)
    {
        CheckCursor(timeout, cursor, PeekAction.Current);
        _ = Receiving();
        return new QueueResult(
            this, isReceive: true, Task.Run(() => ReceiveCore(cursor, timeout, null, MessageQueueTransactionType.None)), state, callback);
    }

    /// <summary>Ends an operation of <see cref="BeginReceive()"/>, waiting for it.</summary>
    /// <param name="asyncResult">The operation.</param>
    /// <returns>The message.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="asyncResult"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="asyncResult"/> is not an operation of this method's counterpart.</exception>
    /// <exception cref="MessageQueueException">No message has arrived in time, the operation failed, or the queue was closed.</exception>
    public Message EndReceive(IAsyncResult asyncResult) => End(asyncResult, isReceive: true);

    /// <summary>Begins to peek at the next message; <see cref="PeekCompleted"/> occurs when there is one.</summary>
    /// <returns>The operation, for <see cref="EndPeek"/>.</returns>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginPeek() => BeginPeek(InfiniteTimeout);

    /// <summary>Begins to peek at the next message; <see cref="PeekCompleted"/> occurs when there is one, or when the timeout has passed.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <inheritdoc cref="BeginPeek()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginPeek(TimeSpan timeout) => BeginPeek(timeout, null);

    /// <summary>Begins to peek at the next message; <see cref="PeekCompleted"/> occurs when there is one, or when the timeout has passed.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="stateObject">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <inheritdoc cref="BeginPeek()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginPeek(TimeSpan timeout, object? stateObject) => BeginPeek(timeout, stateObject, null);

    /// <summary>Begins to peek at the next message.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="stateObject">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <param name="callback">Is called when there is one, or when the timeout has passed; null: <see cref="PeekCompleted"/> occurs.</param>
    /// <inheritdoc cref="BeginPeek()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginPeek(TimeSpan timeout, object? stateObject, AsyncCallback? callback)
    {
        Checks.Timeout(timeout);
        QueueTarget target = Reading();
        return new QueueResult(
            this, isReceive: false, RunAsync(token => PeekAsync(target, ReceiveBy.Position, null, timeout, token), default), stateObject, callback);
    }

    /// <summary>Begins to peek at the message at a cursor, or at the next one.</summary>
    /// <param name="timeout">How long to wait; <see cref="InfiniteTimeout"/> waits without limit.</param>
    /// <param name="cursor">The cursor.</param>
    /// <param name="action">Which message.</param>
    /// <param name="state">An object of the caller: <see cref="IAsyncResult.AsyncState"/>.</param>
    /// <param name="callback">Is called when there is one, or when the timeout has passed; null: <see cref="PeekCompleted"/> occurs.</param>
    /// <inheritdoc cref="BeginPeek()" path="/returns"/>
    /// <inheritdoc cref="BeginReceive()" path="/exception"/>
    public IAsyncResult BeginPeek(TimeSpan timeout, Cursor cursor, PeekAction action, object? state, AsyncCallback? callback)
    {
        CheckCursor(timeout, cursor, action);
        _ = Reading();
        return new QueueResult(this, isReceive: false, RunAsync(token => PeekAsync(timeout, cursor, action, token), default), state, callback);
    }

    /// <summary>Ends an operation of <see cref="BeginPeek()"/>, waiting for it.</summary>
    /// <param name="asyncResult">The operation.</param>
    /// <returns>The message, which stays in the queue.</returns>
    /// <inheritdoc cref="EndReceive" path="/exception"/>
    public Message EndPeek(IAsyncResult asyncResult) => End(asyncResult, isReceive: false);

    private static Message End(IAsyncResult asyncResult, bool isReceive)
    {
        ArgumentNullException.ThrowIfNull(asyncResult);
        // As on .NET Framework, another object may end what one has begun.
        return asyncResult is QueueResult result && result.IsReceive == isReceive
            ? result.Wait()
            : throw new ArgumentException($"Not an operation of {(isReceive ? nameof(BeginReceive) : nameof(BeginPeek))}.", nameof(asyncResult));
    }

    private void OnCompleted(QueueResult result)
    {
        if (result.IsReceive && ReceiveCompleted is { } received)
            Raise(received, new ReceiveCompletedEventArgs(this, result));
        else if (!result.IsReceive && PeekCompleted is { } peeked)
            Raise(peeked, new PeekCompletedEventArgs(this, result));
    }

    private void Raise(Delegate handler, EventArgs e)
    {
        if (SynchronizingObject is { InvokeRequired: true } target)
            target.BeginInvoke(handler, [this, e]);
        else if (handler is ReceiveCompletedEventHandler received)
            received(this, (ReceiveCompletedEventArgs)e);
        else
            ((PeekCompletedEventHandler)handler)(this, (PeekCompletedEventArgs)e);
    }

    /// <summary>An operation between its Begin and its End method.</summary>
    private sealed class QueueResult : IAsyncResult
    {
        private readonly Task<Message> _task;

        internal QueueResult(MessageQueue queue, bool isReceive, Task<Message> task, object? state, AsyncCallback? callback)
        {
            IsReceive = isReceive;
            _task = task;
            AsyncState = state;
            task.ContinueWith(
                ended =>
                {
                    // EndReceive throws it.
                    _ = ended.Exception;
                    // On a thread of its own: an exception of the program's handler is unhandled, as on .NET Framework.
                    ThreadPool.QueueUserWorkItem(_ =>
                    {
                        if (callback is not null)
                            callback(this);
                        else
                            queue.OnCompleted(this);
                    });
                },
                CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        internal bool IsReceive { get; }

        public object? AsyncState { get; }

        public WaitHandle AsyncWaitHandle => ((IAsyncResult)_task).AsyncWaitHandle;

        public bool CompletedSynchronously => false;

        public bool IsCompleted => _task.IsCompleted;

        internal Message Wait() => _task.GetAwaiter().GetResult();
    }
}
