using System;
using System.Threading;

namespace Formatters.Queues;

/// <summary>Options of a handle of a queue: its guarantees, limits, and how messages are received and settled.</summary>
/// <remarks>
/// Opening a queue with an option that its <see cref="QueueCapabilities"/> do not include throws a <see cref="NotSupportedException"/>. Options
/// belong to the handle: another handle of the same queue can have others, unless a broker stores them with the queue.
/// </remarks>
public sealed record QueueOptions
{
    /// <summary>The overhead of a message that is counted in addition to its body: about its size in memory.</summary>
    internal const int HoldBackMessageByteCount = 500;

    internal const long HoldBackByteCountOnDisk = 64L << 30;

    /// <summary>
    /// Gets the default options: the most reliable mode of the queue without transactions; a message leaves the queue when it is acknowledged.
    /// </summary>
    public static QueueOptions Default { get; } = new();

    /// <summary>Gets options for the fastest mode, which can lose messages: express, and messages leave the queue when they are received.</summary>
    /// <value>Messages that were sent are lost if the process or machine of the queue fails, and messages that were received if the receiver fails.
    /// Use it for data that is soon out of date, and for measurements.</value>
    public static QueueOptions Fastest { get; } = new() { DeliveryMode = Queues.DeliveryMode.Express, ReceiveMode = ReceiveMode.ReceiveAndDelete };

    internal static long HoldBackByteCountInMemory { get; } =
#if NET
        Math.Max(1, GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 2);
#else
        1L << 30;
#endif

    /// <summary>Gets the guarantee of a send.</summary>
    /// <value>Default null: <see cref="DeliveryMode.Recoverable"/> where queues of the address's kind can be that, else <see
    /// cref="DeliveryMode.Express"/> (queues in memory). The <see cref="QueueClient.Options"/> of an open queue say which it is; there it is never
    /// null. Less reliable modes, and transactions, must be requested.</value>
    public DeliveryMode? DeliveryMode
    {
        get;
        init => field = value is { } mode ? QueueChecks.Defined(mode, nameof(DeliveryMode)) : null;
    }

    /// <summary>Gets when a received message leaves the queue.</summary>
    /// <value>Default <see cref="ReceiveMode.PeekLock"/>: when it is acknowledged; it is redelivered if it never is. A queue without <see
    /// cref="QueueFeatures.PeekLock"/> (MSMQ's without transactions) rejects this: open that queue with <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>.</value>
    public ReceiveMode ReceiveMode
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(ReceiveMode));
    }
        = ReceiveMode.PeekLock;

    /// <summary>Gets which messages an acknowledgement covers under <see cref="ReceiveMode.PeekLock"/>.</summary>
    /// <value>Default <see cref="AcknowledgeMode.Individual"/>. The others are rejected by a queue without
    /// <see cref="QueueFeatures.AcknowledgeModes"/>.</value>
    public AcknowledgeMode AcknowledgeMode
    {
        get;
        init => field = QueueChecks.Defined(value, nameof(AcknowledgeMode));
    }

    /// <summary>Gets how many messages a receiver may prefetch, for queues that are accessed over a network.</summary>
    /// <value>Default 200. Prefetched messages that were not delivered go back to the queue when the handle, its process or its connection ends, in
    /// either <see cref="ReceiveMode"/>. On RabbitMQ this is also the number of messages that may be locked under <see cref="ReceiveMode.PeekLock"/>
    /// before further receives wait for the first to be settled. PostgreSQL does not prefetch with <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>.</value>
    public int PrefetchCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(PrefetchCount), value, "At least 1.");
    }
        = 200;

    /// <summary>Gets how many sends may be unconfirmed by the queue; further ones wait.</summary>
    /// <value>Default 1,000. A send completes only with its own confirmation: the window matters to callers that start several sends.</value>
    public int SendWindow
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(SendWindow), value, "At least 1.");
    }
        = 1000;

    /// <summary>
    /// Gets the queue, by its name in the same location, for dead letters: messages that expired, exceeded the delivery limit, or were rejected by
    /// their receiver.
    /// </summary>
    /// <value>Default null: expired messages are dropped, <see cref="ReceivedMessage.DeadLetterAsync"/> throws, and <see cref="MaxDeliveryCount"/>
    /// is rejected. The queue is created if it does not exist. A dead letter keeps its body and properties, and does not expire.</value>
    public string? DeadLetterQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(DeadLetterQueue));
    }

    /// <summary>
    /// Gets the maximum number of deliveries of a message; when it returns to the queue after that (returned, rolled back, its lease ended), it goes
    /// to the <see cref="DeadLetterQueue"/>.
    /// </summary>
    /// <value>Default 0: without limit. A limit needs a <see cref="DeadLetterQueue"/>.</value>
    public int MaxDeliveryCount
    {
        get;
        init => field = value >= 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxDeliveryCount), value, "Zero or more.");
    }

    /// <summary>
    /// Gets how long a message received under <see cref="ReceiveMode.PeekLock"/> stays locked for its receiver; see <see
    /// cref="ReceivedMessage.RenewLeaseAsync"/>.
    /// </summary>
    /// <value>Default <see cref="Timeout.InfiniteTimeSpan"/>: until it is settled, or the receiver's handle or process ends. A time of more than
    /// 365,000 days means the same.</value>
    public TimeSpan LeaseDuration
    {
        get;
        init => field = value > TimeSpan.Zero || value == Timeout.InfiniteTimeSpan
            ? value > QueueTimes.Longest ? Timeout.InfiniteTimeSpan : value
            : throw new ArgumentOutOfRangeException(nameof(LeaseDuration), value, "More than zero, or Timeout.InfiniteTimeSpan.");
    }
        = Timeout.InfiniteTimeSpan;

    /// <summary>Gets the maximum number of messages in the queue, including locked messages. A send beyond it fails.</summary>
    /// <value>Default null: without limit. A send beyond is rejected with a <see cref="QueueException"/>, and nothing else happens. Dead letters and
    /// journal copies are always accepted.</value>
    public long? MaxMessageCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxMessageCount), value, "At least 1.");
    }

    /// <summary>
    /// Gets the maximum total size of the bodies in the queue, in bytes, including the message that is sent. A send beyond it fails.
    /// </summary>
    /// <value>Default null: without limit. As for <see cref="MaxMessageCount"/>.</value>
    public long? MaxByteCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxByteCount), value, "At least 1.");
    }

    /// <summary>
    /// Gets how many bytes the queue may hold before its senders are held back: from then on, a send waits until receivers have freed space. A
    /// message counts as its body plus 500 bytes.
    /// </summary>
    /// <value>Default null: the default for queues of the address's kind, which the <see cref="QueueClient.Options"/> of an open queue show. In
    /// memory, and for express messages in a folder, it is half of the memory that the process may use (1 GiB on .NET Framework); for other messages
    /// in a folder it is 64 GiB. <see cref="long.MaxValue"/>: sends never wait. Limits that refuse a send instead are <see cref="MaxMessageCount"/>
    /// and <see cref="MaxByteCount"/>. A value is rejected by a queue without <see cref="QueueFeatures.BackPressure"/>.</value>
    /// <remarks>
    /// A send waits for the <see cref="OperationTimeout"/>, and is then refused with a <see cref="QueueException"/>: a program that sends more than
    /// this before it receives ends with that error. Cancelling ends the wait, and nothing is sent. Waiting sends keep their order, and each sends
    /// the message as it was when the send began. Sends of several threads may exceed the limit, each by one send. Dead letters, journal copies and
    /// acknowledgements may exceed it too, because they do not wait.
    /// </remarks>
    public long? HoldBackByteCount
    {
        get;
        init => field = value is null or > 0 ? value : throw new ArgumentOutOfRangeException(nameof(HoldBackByteCount), value, "At least 1.");
    }

    /// <summary>
    /// Gets the queue, by its name in the same location, that gets a copy of each consumed message: acknowledged, committed, or received under <see
    /// cref="ReceiveMode.ReceiveAndDelete"/>.
    /// </summary>
    /// <value>Default null: no journal. The queue is created if it does not exist. Copies do not expire. Dead letters are not copied.</value>
    public string? JournalQueue
    {
        get;
        init => field = value is not "" ? value : throw new ArgumentException("A name, or null.", nameof(JournalQueue));
    }

    /// <summary>Gets the <see cref="MessageSelector"/> for the messages to receive. The others stay in the queue for other handles.</summary>
    /// <value>Default null: all. A selector is rejected by a queue without <see cref="QueueFeatures.Selectors"/>. Counting and purging include
    /// all messages.</value>
    /// <exception cref="InvalidSelectorException">The string is not a selector.</exception>
    public string? Selector
    {
        get;
        init => field = value is null ? null : MessageSelector.Parse(value).ToString();
    }

    /// <summary>
    /// Gets how long a send of this handle is rejected if it has the <see cref="QueueMessage.MessageId"/> of an earlier send, even if that message
    /// has been received since.
    /// </summary>
    /// <value>
    /// Default null: nothing is rejected. The queue keeps the ids of messages sent by handles with a window; a message sent without an id is never a
    /// duplicate. A window is rejected by a queue without <see cref="QueueFeatures.DuplicateDetection"/>. A rejected send throws a
    /// <see cref="DuplicateMessageException"/>. A time of more than 365,000 days is taken as 365,000 days.
    ///</value>
    public TimeSpan? DuplicateWindow
    {
        get;
        init => field = value is null || value > TimeSpan.Zero
            ? value?.AtMost(QueueTimes.Longest)
            : throw new ArgumentOutOfRangeException(nameof(DuplicateWindow), value, "More than zero, or null.");
    }

    /// <summary>
    /// Gets whether the messages of the queue belong to sessions: each is sent with a <see cref="QueueMessage.SessionId"/>, and received from a
    /// session that <see cref="QueueClient.AcceptSessionAsync(TimeSpan, CancellationToken)"/> returns.
    /// </summary>
    /// <value>Default false. A setting of the queue that is created; a handle that asks for sessions fails if an existing queue does not have them.
    /// True is rejected by a queue without <see cref="QueueFeatures.Sessions"/>.</value>
    public bool RequiresSession { get; init; }

    /// <summary>
    /// Gets how long opening and every operation may wait for the queue itself (a broker that accepts connections but does not answer).
    /// </summary>
    /// <value>Default 30 seconds. A time of more than 24 days is taken as about 24 days (<see cref="int.MaxValue"/> milliseconds), the most that
    /// timers have.</value>
    public TimeSpan OperationTimeout
    {
        get;
        init => field = value > TimeSpan.Zero
            ? value.AtMost(QueueTimes.LongestWait)
            : throw new ArgumentOutOfRangeException(nameof(OperationTimeout), value, "More than zero.");
    }
        = TimeSpan.FromSeconds(30);
}
