namespace Formatters.Bench.Throughput;

/// <summary>The options of <c>throughput</c>: those of the sample, and others.</summary>
internal sealed record ThroughputOptions
{
    internal required ConnectionString Connection { get; init; }

    /// <summary>The queue or topic that is sent to.</summary>
    internal required string SendPath { get; init; }

    internal required IReadOnlyList<ReceivePath> ReceivePaths { get; init; }
    internal long MessageCount { get; init; } = 1_000_000;
    internal int ByteCount { get; init; } = 1024;

    /// <summary>Gets how often rows are printed.</summary>
    internal TimeSpan Frequency { get; init; } = TimeSpan.FromSeconds(10);

    internal ReceiveMode ReceiveMode { get; init; } = ReceiveMode.PeekLock;
    internal int ReceiverCount { get; init; } = 1;
    internal int PrefetchCount { get; init; }

    /// <summary>Messages of a send; 0 and 1 are no batches.</summary>
    internal int SendBatchCount { get; init; }

    internal int SenderCount { get; init; } = 1;
    internal TimeSpan SendDelay { get; init; }
    internal int InflightSends { get; init; } = 1;
    internal int InflightReceives { get; init; } = 1;

    /// <summary>Messages of a receive at most; 0 and 1 are no batches.</summary>
    internal int ReceiveBatchCount { get; init; }

    internal TimeSpan WorkDuration { get; init; }

    /// <summary>The delivery mode; null means the most reliable that the queue has.</summary>
    internal DeliveryMode? Mode { get; init; }

    /// <summary>For how long there is sending; null means until all messages are sent.</summary>
    internal TimeSpan? Duration { get; init; }

    /// <summary>Messages per second that are due, of all senders together; null means as fast as they can.</summary>
    internal double? Rate { get; init; }

    /// <summary>The formatter that writes and reads the bodies; null means bytes.</summary>
    internal string? Formatter { get; init; }

    /// <summary>Rows of formatters of other libraries, beside the catalogue.</summary>
    internal IReadOnlyList<OrderFormatterRow> Libraries { get; init; } = [];

    /// <summary>The user's samples by a formatter; null means orders by <see cref="Formatter"/>, or bytes.</summary>
    internal Payload? Own { get; init; }

    /// <summary>The line items of the orders that the formatter writes.</summary>
    internal int LineItems { get; init; } = 50;

    /// <summary>Gets how many messages the queue may hold for a send to be taken.</summary>
    internal long? MaxMessageCount { get; init; }

    /// <summary>So long nothing may come when all is sent, before what is missing counts as lost.</summary>
    internal TimeSpan LostAfter { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>The changes of options during the run.</summary>
    internal IReadOnlyList<ThroughputChange> Changes { get; init; } = [];

    internal bool Purge { get; init; }
    internal int MessagesPerSend => Math.Max(1, SendBatchCount);
    internal int MessagesPerReceive => Math.Max(1, ReceiveBatchCount);
}
