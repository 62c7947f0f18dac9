namespace Formatters.Bench.Load;

/// <summary>One measurement: its messages, senders and receivers, and its duration.</summary>
internal sealed record LoadScenario
{
    /// <summary>The name in errors.</summary>
    internal required string Name { get; init; }

    /// <summary>Creates the message of a number. Senders call it at the same time.</summary>
    internal required Func<long, QueueMessage> Create { get; init; }

    /// <summary>Reads the number of a message and checks the rest of it. A message without a number is only counted.</summary>
    internal Func<ReceivedMessage, long?>? Read { get; init; }

    /// <summary>Sends the message of a number, in a transaction if there are any.</summary>
    internal required Func<QueueMessage, long, QueueTransaction?, CancellationToken, ValueTask> Send { get; init; }

    /// <summary>Receives a message within a time, in a transaction if there are any; null if nothing is received.</summary>
    internal Func<TimeSpan, QueueTransaction?, CancellationToken, ValueTask<ReceivedMessage?>>? Receive { get; init; }

    /// <summary>Begins a transaction of a sender; null: there are no transactions.</summary>
    internal Func<CancellationToken, ValueTask<QueueTransaction>>? BeginSend { get; init; }

    /// <summary>Begins a transaction of a receiver; null: there are no transactions.</summary>
    internal Func<CancellationToken, ValueTask<QueueTransaction>>? BeginReceive { get; init; }

    /// <summary>The number of senders at the same time.</summary>
    internal int Senders { get; init; } = 1;

    /// <summary>The number of receivers at the same time.</summary>
    internal int Receivers { get; init; } = 1;

    /// <summary>The maximum number of sends in progress for each sender.</summary>
    internal int InFlight { get; init; } = 1;

    /// <summary>The messages of a transaction.</summary>
    internal int PerTransaction { get; init; } = 1;

    /// <summary>After how many messages a receiver acknowledges, and at the end; 0: it does not.</summary>
    internal int AcknowledgeEvery { get; init; }

    /// <summary>Gets how long the senders send, and receivers that begin after them receive. Each does so at least once.</summary>
    internal TimeSpan Time { get; init; } = TimeSpan.MaxValue;

    /// <summary>The maximum number of messages.</summary>
    internal long MaxCount { get; init; } = long.MaxValue;

    /// <summary>Gets how many messages the senders may be ahead of receivers that work at the same time.</summary>
    internal long MaxAhead { get; init; } = long.MaxValue;

    /// <summary>Senders read the clock after so many messages: where a send takes less than a microsecond, reading it costs.</summary>
    internal int ClockInterval { get; init; } = 1;

    /// <summary>One in so many messages is for the receivers.</summary>
    internal int ShareOf { get; init; } = 1;

    /// <summary>The number of the first message.</summary>
    internal long FirstNumber { get; init; }

    /// <summary>Gets whether messages must come in the order of their numbers; otherwise each must come once.</summary>
    internal bool IsOrdered { get; init; }

    /// <summary>Gets how long to wait for a message before it counts as lost.</summary>
    internal TimeSpan LostAfter { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Creates a scenario of one queue: bodies of a size that begin with the number, each sent after the one before.</summary>
    /// <param name="byteCount">The size of a body; at least 8 if they are received.</param>
    /// <param name="receiver">Where from; null: from the same handle.</param>
    internal static LoadScenario OfBytes(QueueClient queue, int byteCount, QueueClient? receiver = null) => new()
    {
        Name = queue.Address.ToString(),
        Create = number =>
        {
            byte[] body = new byte[byteCount];
            // A body of fewer bytes has no number.
            BitConverter.TryWriteBytes(body, number);
            return new QueueMessage(new MessageBody(body));
        },
        Read = message => message.Body.Bytes.Length == byteCount ? BitConverter.ToInt64(message.Body.Bytes.FirstSpan) : -1,
        Send = (message, _, transaction, token) => queue.SendAsync(message, transaction, token),
        Receive = (receiver ?? queue).ReceiveAsync,
    };
}

/// <summary>The outcome of a measurement.</summary>
/// <param name="Sent">The number of messages sent.</param>
/// <param name="Sending">How long sending took.</param>
/// <param name="Received">The number of messages received.</param>
/// <param name="Receiving">How long it took until the last message was received; beside senders, from their start.</param>
internal readonly record struct LoadResult(long Sent, TimeSpan Sending, long Received, TimeSpan Receiving);
