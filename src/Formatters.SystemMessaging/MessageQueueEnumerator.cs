using System.Collections;

namespace System.Messaging;

/// <summary>Enumerates public queues.</summary>
public class MessageQueueEnumerator : MarshalByRefObject, IEnumerator, IDisposable
{
    private readonly MessageQueueCriteria? _criteria;
    private MessageQueue[]? _queues;
    private int _index = -1;

    internal MessageQueueEnumerator(MessageQueueCriteria? criteria) => _criteria = criteria;

    /// <summary>Gets the current queue.</summary>
    /// <exception cref="InvalidOperationException"><see cref="MoveNext"/> was not called, or has returned false.</exception>
    public MessageQueue Current => _queues is { } queues && _index >= 0 && _index < queues.Length
        ? queues[_index]
        : throw new InvalidOperationException($"There is no current queue: call {nameof(MoveNext)}, and stop when it returns false.");

    object IEnumerator.Current => Current;

    /// <summary>Gets a handle of MSMQ.</summary>
    /// <exception cref="PlatformNotSupportedException">Always.</exception>
    public IntPtr LocatorHandle => throw NotHere.Handle(nameof(LocatorHandle));

    /// <summary>Moves to the next queue.</summary>
    /// <returns>Whether there is one.</returns>
    public bool MoveNext()
    {
        _queues ??= MessageQueue.FindPublicQueues(_criteria);
        if (_index < _queues.Length)
            _index++;
        return _index < _queues.Length;
    }

    /// <summary>Moves before the first queue; the queues are listed again.</summary>
    public void Reset() => Close();

    /// <summary>Closes the enumerator.</summary>
    public void Close() => (_queues, _index) = (null, -1);

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
}
