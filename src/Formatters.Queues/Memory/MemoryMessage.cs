using System;
using System.Globalization;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A message in a memory queue, and the same object in the receiver's hand: what is sent is copied once, what is received is not.</summary>
internal class MemoryMessage : ReceivedMessage
{
    private readonly long _number;
    private string? _messageId;

    internal MemoryMessage(MemoryQueueStore store, long number, QueueMessage message)
        : base(new MessageBody(Copy(message.Body), message.Body.BodyType, message.Body.ContentType))
    {
        Store = store;
        _number = number;
        _messageId = message.MessageId;
        CopyProperties(message);
    }

    /// <summary>The same message given out again: an object of its own, so that the earlier receiver's cannot settle it.</summary>
    private protected MemoryMessage(MemoryMessage message)
        : base(message.Body)
    {
        Store = message.Store;
        _number = message._number;
        _messageId = message._messageId;
        CopyProperties(message);
        IsRedelivered = true;
    }

    /// <summary>As MSMQ's: the sender's (here: the queue's) GUID and a number. Made when asked for: few receivers ask.</summary>
    public override string? MessageId
    {
        get => _messageId ??= MakeMessageId();
        set => _messageId = value;
    }

    /// <summary>The id that the sender gave, or the one that was made since.</summary>
    internal string? GivenMessageId => _messageId;

    internal MemoryQueueStore Store { get; }

    /// <summary>The queue handle that has the message under lock, and the neighbours in its list of locked messages; guarded by the store's lock.</summary>
    internal MemoryQueue? LockedBy { get; set; }

    internal MemoryMessage? PreviousLocked { get; set; }

    internal MemoryMessage? NextLocked { get; set; }

    /// <summary>Whether the message went back to the queue because its handle was closed, with the receiver still holding it.</summary>
    internal bool LostLock { get; set; }

    public sealed override ValueTask AcknowledgeAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: false, cancellationToken);

    public sealed override ValueTask ReturnAsync(CancellationToken cancellationToken = default) => SettleAsync(giveBack: true, cancellationToken);

    internal virtual MemoryMessage ForRedelivery() => new(this);

    private ValueTask SettleAsync(bool giveBack, CancellationToken cancellationToken)
    {
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        return Store.Settle(this, giveBack) switch
        {
            SettleResult.Settled when !giveBack => RemoveAsync(),
            SettleResult.LockLost => ValueTask.FromException(
                new QueueException("The lock is gone, because the queue was closed: the message is back in its queue and will come again.")),
            _ => default,
        };
    }

    /// <summary>Makes final that the message has left its queue; called once, for an acknowledged message.</summary>
    private protected virtual ValueTask RemoveAsync() => default;

    private protected virtual string MakeMessageId() => string.Create(CultureInfo.InvariantCulture, $"{Store.Id}\\{_number}");

    private static ReadOnlyMemory<byte> Copy(MessageBody body)
    {
        if (body.Bytes.IsSingleSegment)
            return body.Bytes.FirstSpan.ToArray();
        return body.ToArray();
    }
}
