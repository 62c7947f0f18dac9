using System;
using System.Threading;

namespace Formatters.Queues;

/// <summary>How a queue is opened.</summary>
/// <remarks>
/// What a queue's <see cref="QueueCapabilities"/> lack is refused with a <see cref="NotSupportedException"/> when it is opened. The options are those of
/// the handle: another handle of the same queue may have others, except where a broker keeps them with the queue and refuses.
/// </remarks>
public sealed record QueueOptions
{
    /// <summary>What a message counts beside its body: about what it takes in memory.</summary>
    internal const int HoldBackMessageByteCount = 500;

    internal const long HoldBackByteCountOnDisk = 64L << 30;

    /// <summary>The most reliable that the queue has, short of transactions; a message leaves the queue when it is acknowledged.</summary>
    public static QueueOptions Default { get; } = new();

    /// <summary>Express, and messages leave on receipt: what is fastest, and loses messages.</summary>
    /// <value>
    /// What was sent is lost with the queue's process or machine, what was received with the receiver's. For figures that are out of date in a moment, and for measurements.
    /// </value>
    public static QueueOptions Fastest { get; } = new() { DeliveryMode = Queues.DeliveryMode.Express, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    internal static long HoldBackByteCountInMemory { get; } =
#if NET
        Math.Max(1, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2);
#else
        1L << 30;
#endif

    /// <summary>What a send promises.</summary>
    /// <value>
    /// Default null: <see cref="DeliveryMode.Recoverable"/> where queues of the address's kind can be that, else <see cref="DeliveryMode.Express"/> (queues in memory). The
    /// <see cref="IMessageQueue.Options"/> of an open queue say which it is; there it is never null. Anything less than the most reliable, and transactions, are asked for by name.
    /// </value>
    public DeliveryMode? DeliveryMode { get; init; }

    /// <summary>When a received message leaves the queue.</summary>
    /// <value>
    /// Default <see cref="ReceiveMode.PeekLock"/>: when it is acknowledged; it comes again if it never is. A queue without <see cref="QueueCapabilities.HasPeekLock"/> (MSMQ's without transactions)
    /// refuses that, and is opened with <see cref="ReceiveMode.ReceiveAndDelete"/>.
    /// </value>
    public ReceiveMode ReceiveMode { get; init; } = ReceiveMode.PeekLock;

    /// <summary>What an acknowledgement under <see cref="ReceiveMode.PeekLock"/> is of.</summary>
    /// <value>Default <see cref="AcknowledgeMode.Individual"/>. The others are refused by a queue without <see cref="QueueCapabilities.HasAcknowledgeModes"/>.</value>
    public AcknowledgeMode AcknowledgeMode { get; init; }

    /// <summary>How many messages a receiver may fetch ahead, where the queue fetches over a network.</summary>
    /// <value>
    /// Default 200. What is fetched ahead and was not handed out goes back to the queue when the handle, its process or its connection ends, in either <see cref="ReceiveMode"/>. On RabbitMQ
    /// also how many messages may be locked under <see cref="ReceiveMode.PeekLock"/> before further receives wait for the first to be settled. PostgreSQL fetches nothing ahead under
    /// <see cref="ReceiveMode.ReceiveAndDelete"/>.
    /// </value>
    public int PrefetchCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(PrefetchCount), value, "At least 1.");
    }
        = 200;

    /// <summary>How many sends may be under way without the queue's confirmation; further ones wait.</summary>
    /// <value>Default 1,000. A send completes only when its own confirmation is there: the window is used by callers that start several.</value>
    public int SendWindow
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(SendWindow), value, "At least 1.");
    }
        = 1000;

    /// <summary>The queue, by its name and in the same place, that takes dead letters: messages that expired, came back too often, or were given up by their receiver.</summary>
    /// <value>
    /// Default null: expired messages are dropped, <see cref="ReceivedMessage.DeadLetterAsync"/> throws, and <see cref="MaxDeliveryCount"/> is refused. The
    /// queue is made when it does not exist. A dead letter keeps its body and properties, and does not expire.
    /// </value>
    public string? DeadLetterQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(DeadLetterQueue));
    }

    /// <summary>How often a message is handed out at most; when it comes back after that (returned, rolled back, its lease ended) it goes to the <see cref="DeadLetterQueue"/>.</summary>
    /// <value>Default 0: without limit. A limit needs a <see cref="DeadLetterQueue"/>.</value>
    public int MaxDeliveryCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxDeliveryCount), value, "Zero or more.");
    }

    /// <summary>How long a message received under <see cref="ReceiveMode.PeekLock"/> stays locked for its receiver; see <see cref="ReceivedMessage.RenewLeaseAsync"/>.</summary>
    /// <value>Default <see cref="Timeout.InfiniteTimeSpan"/>: until it is settled, or the receiver's handle or process ends.</value>
    public TimeSpan LeaseDuration
    {
        get;
        init => field = value > TimeSpan.Zero || value == Timeout.InfiniteTimeSpan
            ? value
            : throw new ArgumentOutOfRangeException(nameof(LeaseDuration), value, "More than zero, or Timeout.InfiniteTimeSpan.");
    }
        = Timeout.InfiniteTimeSpan;

    /// <summary>How many messages the queue may hold for a send to be taken, those under lock included.</summary>
    /// <value>Default null: without limit. A send beyond is refused with a <see cref="QueueException"/>, and nothing else happens. Dead letters and journal copies are not refused.</value>
    public long? MaxMessageCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxMessageCount), value, "At least 1.");
    }

    /// <summary>How many bytes the bodies of the queue's messages may have together for a send to be taken, its own included.</summary>
    /// <value>Default null: without limit. As for <see cref="MaxMessageCount"/>.</value>
    public long? MaxByteCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxByteCount), value, "At least 1.");
    }

    /// <summary>
    /// How many bytes the queue may hold before its senders are held back: from then on a send waits until receivers have made room. A message counts its body and 500 bytes.
    /// </summary>
    /// <value>
    /// Default null: the default of queues of the address's kind, which the <see cref="IMessageQueue.Options"/> of an open queue say. In memory, and of express messages in a
    /// folder, it is half of the memory that the process may use (1 GiB on .NET Framework); of others in a folder 64 GiB. <see cref="long.MaxValue"/>: sends never wait. Limits
    /// that refuse a send instead are <see cref="MaxMessageCount"/> and <see cref="MaxByteCount"/>. A value is refused by a queue without
    /// <see cref="QueueCapabilities.HasBackPressure"/>.
    /// </value>
    /// <remarks>
    /// A send waits for the <see cref="OperationTimeout"/>, and is then refused with a <see cref="QueueException"/>: a program that sends more than this before it receives ends
    /// with that error. Cancelling ends the wait, and nothing is sent. Sends wait in their order, and what is sent is what the message was when the send began. Sends of several
    /// threads may go beyond the limit, each by one send, and so do dead letters, copies for a journal and acknowledgements, which do not wait.
    /// </remarks>
    public long? HoldBackByteCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(HoldBackByteCount), value, "At least 1.");
    }

    /// <summary>The queue, by its name and in the same place, that gets a copy of each message that was received for good: acknowledged, committed, or received under <see cref="ReceiveMode.ReceiveAndDelete"/>.</summary>
    /// <value>Default null: no journal. The queue is made when it does not exist. Copies do not expire. Dead letters are not copied.</value>
    public string? JournalQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(JournalQueue));
    }

    /// <summary>Which messages are received: those that a <see cref="MessageSelector"/> selects. The others stay in the queue for other handles.</summary>
    /// <value>Default null: all. A selector is refused by a queue without <see cref="QueueCapabilities.HasSelectors"/>. Counting and purging are of all messages.</value>
    /// <exception cref="InvalidSelectorException">The string is not a selector.</exception>
    public string? Selector
    {
        get;
        init => field = value is null ? null : MessageSelector.Parse(value).ToString();
    }

    /// <summary>For how long a send of this handle is refused that has the <see cref="QueueMessage.MessageId"/> of an earlier one, also if that was received since.</summary>
    /// <value>
    /// Default null: nothing is refused. The queue keeps the ids of what handles with a window send; what is sent without an id is never a duplicate. A window is refused by a queue without
    /// <see cref="QueueCapabilities.HasDuplicateDetection"/>. A refused send is a <see cref="DuplicateMessageException"/>.
    /// </value>
    public TimeSpan? DuplicateWindow
    {
        get;
        init => field = value is null || value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(DuplicateWindow), value, "More than zero, or null.");
    }

    /// <summary>How long opening and every operation may wait for the queue itself (a broker that accepts connections but does not answer).</summary>
    /// <value>Default 30 seconds.</value>
    public TimeSpan OperationTimeout
    {
        get;
        init => field = value > TimeSpan.Zero ? value : throw new ArgumentOutOfRangeException(nameof(OperationTimeout), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);
}
