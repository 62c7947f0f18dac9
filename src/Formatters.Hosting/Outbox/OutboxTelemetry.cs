using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Traces and metrics of the outbox and inbox, in the source and meter of the queues.</summary>
/// <remarks>The trace of a message: the application's span, <c>create orders</c>, <c>dispatch orders</c>, then the queue's own
/// <c>send orders</c>.</remarks>
internal static class OutboxTelemetry
{
    private static readonly ActivitySource Source = new(QueueTelemetry.ActivitySourceName);
    private static readonly Meter Meter = new(QueueTelemetry.MeterName);

    private static readonly Counter<long> Dispatched =
        Meter.CreateCounter<long>(
            "formatters.outbox.dispatched.messages", "{message}", "Number of messages of the outbox that were sent to their queues.");
    private static readonly Counter<long> SetAside =
        Meter.CreateCounter<long>("formatters.outbox.set_aside.messages", "{message}", "Number of messages of the outbox that cannot be sent.");
    private static readonly Counter<long> Repeated =
        Meter.CreateCounter<long>(
            "formatters.inbox.repeated.messages", "{message}", "Number of deliveries that were acknowledged without being handled again.");
    private static readonly Histogram<double> Delay =
        Meter.CreateHistogram<double>("formatters.outbox.delay", "s", "Time from the writing of a message to the outbox until it was sent.");

    /// <summary>Gets whether messages are sent one by one, so that each has a span of its own.</summary>
    internal static bool IsTracing => Source.HasListeners();

    /// <summary>Starts the span of a message that is written to the outbox, and adds its context to the headers.</summary>
    internal static Activity? StartCreate(string queueName, string address, QueueMessage message)
    {
        Activity? activity = Start("create", ActivityKind.Producer, queueName, message, default);
        activity?.SetTag("messaging.system", MessagingSystems.Of(QueueAddress.ParseList(address)[0]));
        if ((activity ?? Activity.Current) is { } current)
            MessageTrace.Inject(current, message);
        return activity;
    }

    /// <summary>Starts the span around the sending of a message, in the trace of its creation.</summary>
    internal static Activity? StartDispatch(string queueName, QueueMessage message) =>
        Source.HasListeners() ? Start("dispatch", ActivityKind.Internal, queueName, message, MessageTrace.ContextOf(message)) : null;

    internal static void RecordDispatched(string queueName, TimeSpan delay)
    {
        Dispatched.Add(1, Tag(queueName));
        Delay.Record(Math.Max(0, delay.TotalSeconds), Tag(queueName));
    }

    internal static void RecordSetAside(string queueName) => SetAside.Add(1, Tag(queueName));

    internal static void RecordRepeated(string queueName) => Repeated.Add(1, Tag(queueName));

    private static Activity? Start(string operation, ActivityKind kind, string queueName, QueueMessage message, ActivityContext parent)
    {
        Activity? activity = Source.StartActivity($"{operation} {queueName}", kind, parent);
        activity?.SetTag("messaging.operation.name", operation);
        activity?.SetTag("messaging.destination.name", queueName);
        activity?.SetTag("messaging.message.id", message.MessageId);
        return activity;
    }

    private static KeyValuePair<string, object?> Tag(string queueName) => new("messaging.destination.name", queueName);
}
