using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Linq;

namespace Formatters.Queues;

/// <summary>
/// Traces and metrics of the queues that <see cref="QueueConnector"/> opens, by the semantic conventions of OpenTelemetry for messaging. Without a
/// listener, they cost one comparison for each operation, and allocate nothing.
/// </summary>
/// <remarks>
/// <para>Spans: <c>send</c> (producer), <c>receive</c> (client, when a message came), <c>ack</c>, <c>nack</c>, <c>defer</c> and <c>dead_letter</c>
/// (client), each with the destination's name; <c>format</c> and <c>parse</c> (internal) around the formatter; <c>process</c> (consumer) by <see
/// cref="StartProcessing"/>. On Azure Service Bus, <c>ack</c> is <c>complete</c>, and <c>nack</c> is <c>abandon</c>. The context of the sender
/// travels in the header <c>traceparent</c>.</para>
/// <para>Metrics: <c>messaging.client.sent.messages</c>, <c>messaging.client.consumed.messages</c>, <c>messaging.client.operation.duration</c> in
/// seconds, <c>messaging.process.duration</c> by <see cref="StartProcessing"/>. Gauges of the queues that a <see cref="QueueMonitor"/> looks at:
/// <c>messaging.queue.depth</c>, <c>messaging.queue.locked</c>, <c>messaging.queue.oldest_message.age</c> in seconds,
/// <c>messaging.queue.stopped</c>.</para>
/// </remarks>
public static class QueueTelemetry
{
    /// <summary>The name of the <see cref="ActivitySource"/>: <c>Formatters.Queues</c>.</summary>
    public const string ActivitySourceName = "Formatters.Queues";

    /// <summary>The name of the <see cref="Meter"/>: <c>Formatters.Queues</c>.</summary>
    public const string MeterName = "Formatters.Queues";

    private static readonly ActivitySource Source = new(ActivitySourceName);
    private static readonly Meter Meter = new(MeterName);

    private static readonly Counter<long> Sent =
        Meter.CreateCounter<long>("messaging.client.sent.messages", "{message}", "Number of messages a producer attempted to send to the queue.");
    private static readonly Counter<long> Consumed =
        Meter.CreateCounter<long>("messaging.client.consumed.messages", "{message}", "Number of messages that were delivered to the application.");
    private static readonly InstrumentAdvice<double> Seconds =
        new() { HistogramBucketBoundaries = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] };
    private static readonly Histogram<double> Duration =
        Meter.CreateHistogram("messaging.client.operation.duration", "s", "Duration of messaging operation initiated by a client.", null, Seconds);

    private static readonly Histogram<double> ProcessDuration =
        Meter.CreateHistogram("messaging.process.duration", "s", "Duration of processing operation.", null, Seconds);
    private static readonly ConcurrentDictionary<QueueMonitor, bool> Monitors = new();

    // Also referenced by the meter; a static constructor instead would cost every send a check.
    private static readonly Instrument[] Gauges =
    [
        Meter.CreateObservableGauge("messaging.queue.depth", static () => Of(static monitor => monitor.Depths()), "{message}",
            "Number of messages that wait in the queue."),
        Meter.CreateObservableGauge("messaging.queue.locked", static () => Of(static monitor => monitor.Locked()), "{message}",
            "Number of messages that receivers have locked."),
        Meter.CreateObservableGauge("messaging.queue.oldest_message.age", static () => Of(static monitor => monitor.Ages()), "s",
            "Age of the oldest message that waits in the queue."),
        Meter.CreateObservableGauge(
            "messaging.queue.stopped", static () => Of(static monitor => monitor.Stopped()), "1",
                "1 if the log of the queue has stopped, or the queue cannot be reached; else 0."),
    ];

    /// <summary>Gets whether there is a listener for sends and receives.</summary>
    internal static bool IsListening => IsListeningToSettling || Sent.Enabled || Consumed.Enabled;

    /// <summary>Gets whether there is a listener for the settling of a received message.</summary>
    internal static bool IsListeningToSettling => Source.HasListeners() || Duration.Enabled || ProcessDuration.Enabled;

    /// <summary>Starts the span of an application that processes a message: a child of the sender's span, across machines.</summary>
    /// <param name="message">The message.</param>
    /// <returns>The span; dispose it when the message is processed. Null if there is no listener.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    public static Activity? StartProcessActivity(this ReceivedMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        if (!Source.HasListeners())
            return null;
        QueueDestination? destination = (message as ObservedMessage)?.Destination;
        return Start("process", "process", ActivityKind.Consumer, destination, MessageTrace.ContextOf(message), null, default)?.SetMessage(message);
    }

    /// <summary>
    /// Starts the span of an application that processes a message, as <see cref="StartProcessActivity"/> does, and the clock of
    /// <c>messaging.process.duration</c>.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <returns>The processing; dispose it when the message is processed, and report a failure to it. Null if there is no listener.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    /// <example><code>
    /// using (MessageProcessing? processing = message.StartProcessing())
    ///     await ShipAsync(order);
    /// </code></example>
    public static MessageProcessing? StartProcessing(this ReceivedMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return Source.HasListeners() || ProcessDuration.Enabled
            ? new MessageProcessing((message as ObservedMessage)?.Destination, message.StartProcessActivity())
            : null;
    }

    /// <summary>Starts a span around a formatter; null if there is no listener.</summary>
    internal static Activity? StartFormatActivity(string operation, string? contentType)
    {
        if (!Source.HasListeners())
            return null;
        Activity? activity = Source.StartActivity(contentType is null ? operation : $"{operation} {contentType}");
        return activity?.SetTag("formatters.content_type", contentType);
    }

    internal static Activity? StartSend(QueueDestination destination, QueueMessage message) =>
        Start("send", "send", ActivityKind.Producer, destination, default, null, default)?.SetMessage(message);

    /// <summary>Starts the span of sending a batch.</summary>
    internal static Activity? StartSend(QueueDestination destination, int messageCount) =>
        Start("send", "send", ActivityKind.Producer, destination, default, null, default)?.SetTag("messaging.batch.message_count", messageCount);

    /// <summary>
    /// Starts the span of a receive that returned a message: it began when the application called, and is linked with the sender's span.
    /// </summary>
    internal static Activity? StartReceive(QueueDestination destination, string operation, ReceivedMessage message, DateTimeOffset startTime) =>
        Start(operation, "receive", ActivityKind.Client, destination, default, LinkTo(message), startTime)?.SetMessage(message);

    /// <summary>Starts the span of receiving a batch: linked with the senders' spans of all its messages.</summary>
    internal static Activity? StartReceive(QueueDestination destination, IReadOnlyList<ReceivedMessage> messages, DateTimeOffset startTime) =>
        Start("receive", "receive", ActivityKind.Client, destination, default, LinksTo(messages), startTime)?.SetTag(
            "messaging.batch.message_count", messages.Count);

    internal static Activity? StartSettle(QueueDestination destination, IReadOnlyList<ReceivedMessage> messages, string operation) =>
        Start(operation, "settle", ActivityKind.Client, destination, default, LinksTo(messages), default)?.SetTag(
            "messaging.batch.message_count", messages.Count);

    internal static Activity? StartSettle(QueueDestination destination, ReceivedMessage message, string operation) =>
        Start(operation, "settle", ActivityKind.Client, destination, default, LinkTo(message), default)?.SetMessage(message);

    /// <summary>Returns a message with the context of the current span in its headers; the message itself if there is none.</summary>
    internal static QueueMessage WithContext(QueueMessage message)
    {
        if (Activity.Current is not { } activity)
            return message;
        QueueMessage copy = message.Copy();
        MessageTrace.Inject(activity, copy);
        return copy;
    }

    internal static void RecordSent(QueueDestination destination, Exception? error, int count = 1)
    {
        if (Sent.Enabled && count > 0)
            Sent.Add(count, TagsOf(destination, "send", null, error));
    }

    internal static void RecordConsumed(QueueDestination destination, string operation, int count = 1)
    {
        if (Consumed.Enabled)
            Consumed.Add(count, TagsOf(destination, operation, null, null));
    }

    internal static void RecordDuration(QueueDestination destination, string operation, string type, long startTimestamp, Exception? error)
    {
        if (Duration.Enabled)
            Duration.Record(Stopwatch.GetElapsedTime(startTimestamp).TotalSeconds, TagsOf(destination, operation, type, error));
    }

    internal static void RecordProcess(QueueDestination? destination, long startTimestamp, Exception? error)
    {
        if (ProcessDuration.Enabled)
            ProcessDuration.Record(Stopwatch.GetElapsedTime(startTimestamp).TotalSeconds, TagsOf(destination, "process", null, error));
    }

    internal static void Add(QueueMonitor monitor)
    {
        _ = Gauges;
        Monitors.TryAdd(monitor, true);
    }

    internal static void Remove(QueueMonitor monitor) => Monitors.TryRemove(monitor, out _);

    internal static void End(Activity? activity, Exception? error)
    {
        if (activity is null)
            return;
        if (error is not null)
        {
            activity.SetStatus(ActivityStatusCode.Error, error.Message);
            activity.SetTag("error.type", error.GetType().FullName);
        }

        activity.Dispose();
    }

    private static Activity? Start(
        string operation, string type, ActivityKind kind, QueueDestination? destination, ActivityContext parent, IEnumerable<ActivityLink>? links,
            DateTimeOffset startTime)
    {
        // Samplers get the tags: they are given at the start.
        if (!Source.HasListeners())
            return null;
        operation = destination?.NameOf(operation) ?? operation;
        return Source.StartActivity(
            destination is null ? operation : $"{operation} {destination.Name}", kind, parent,
            destination?.TagsOf(operation, type) ?? new TagList { { "messaging.operation.name", operation }, { "messaging.operation.type", type } },
            links, startTime);
    }

    private static Activity SetMessage(this Activity activity, QueueMessage message)
    {
        if (!activity.IsAllDataRequested)
            return activity;
        activity.SetTag("messaging.message.id", message.MessageId);
        activity.SetTag("messaging.message.conversation_id", message.CorrelationId);
        return activity.SetTag("messaging.message.body.size", message.Body.ByteCount);
    }

    private static TagList TagsOf(QueueDestination? destination, string operation, string? type, Exception? error)
    {
        var tags = new TagList { { "messaging.operation.name", destination?.NameOf(operation) ?? operation } };
        if (type is not null)
            tags.Add("messaging.operation.type", type);
        foreach (KeyValuePair<string, object?> tag in destination?.Tags ?? [])
            tags.Add(tag);
        if (error is not null)
            tags.Add("error.type", error.GetType().FullName);
        return tags;
    }

    private static IEnumerable<Measurement<T>> Of<T>(Func<QueueMonitor, IEnumerable<Measurement<T>>> measure)
        where T : struct => Monitors.Keys.SelectMany(measure);

    private static ActivityLink[]? LinkTo(QueueMessage message) =>
        MessageTrace.ContextOf(message) is var context && context != default ? [new ActivityLink(context)] : null;

    private static List<ActivityLink>? LinksTo(IReadOnlyList<ReceivedMessage> messages)
    {
        // Without a listener for spans no links are needed.
        if (!Source.HasListeners())
            return null;
        var links = new List<ActivityLink>();
        foreach (ReceivedMessage message in messages)
        {
            if (MessageTrace.ContextOf(message) is var context && context != default)
                links.Add(new ActivityLink(context));
        }

        return links;
    }
}
