using System;
using System.Collections.Generic;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>The properties of a message that <see cref="ISender{T}"/> sends.</summary>
public sealed record SendOptions
{
    /// <summary>Gets how long the message cannot be received after it was sent.</summary>
    /// <value>Default null: not at all. Rejected by a queue without <see cref="QueueFeatures.Delays"/>, and together with
    /// <see cref="DueTime"/>.</value>
    public TimeSpan? Delay { get; init; }

    /// <summary>Gets when the message can be received: <see cref="QueueMessage.DueTime"/>.</summary>
    /// <value>Default null: at once. Rejected by a queue without <see cref="QueueFeatures.Delays"/>.</value>
    public DateTimeOffset? DueTime { get; init; }

    /// <summary>Identifies the message: <see cref="QueueMessage.MessageId"/>.</summary>
    /// <value>Default null: the queue creates one.</value>
    public string? MessageId { get; init; }

    /// <summary>Relates the message to another: <see cref="QueueMessage.CorrelationId"/>.</summary>
    /// <value>Default null.</value>
    public string? CorrelationId { get; init; }

    /// <summary>The session that the message belongs to: <see cref="QueueMessage.SessionId"/>.</summary>
    /// <value>Default null. Required by a queue with <see cref="HostedQueueOptions.RequiresSession"/>, rejected by a queue without
    /// <see cref="QueueFeatures.Sessions"/>.</value>
    public string? SessionId { get; init; }

    /// <summary>A short text for people: <see cref="QueueMessage.Label"/>.</summary>
    /// <value>Default null.</value>
    public string? Label { get; init; }

    /// <summary>Gets how urgent the message is: <see cref="QueueMessage.Priority"/>.</summary>
    /// <value>From 0 to 9. Default 4.</value>
    public int Priority { get; init; } = QueueMessage.DefaultPriority;

    /// <summary>Gets how long the message is of use: <see cref="QueueMessage.TimeToLive"/>.</summary>
    /// <value>Default null: forever.</value>
    public TimeSpan? TimeToLive { get; init; }

    /// <summary>The application's own headers: <see cref="QueueMessage.Headers"/>.</summary>
    /// <value>Default null: none.</value>
    public IReadOnlyDictionary<string, object>? Headers { get; init; }

    /// <summary>Sets the properties of a message.</summary>
    /// <exception cref="ArgumentException">There are both a delay and a due time, or the delay is negative or too long.</exception>
    internal void ApplyTo(QueueMessage message, TimeProvider time)
    {
        if (Delay is not null && DueTime is not null)
            throw new ArgumentException($"A message has either a {nameof(Delay)} or a {nameof(DueTime)}.");
        if (Delay < TimeSpan.Zero)
            throw new ArgumentException($"The {nameof(Delay)} is negative.");
        DateTimeOffset now = time.GetUtcNow();
        if (Delay > DateTimeOffset.MaxValue - now)
            throw new ArgumentException($"The {nameof(Delay)} ends after the year 9999.");
        message.DueTime = Delay is { } delay && delay > TimeSpan.Zero ? now + delay : DueTime;
        message.MessageId = MessageId;
        message.CorrelationId = CorrelationId;
        message.SessionId = SessionId;
        message.Label = Label;
        message.Priority = Priority;
        message.TimeToLive = TimeToLive;
        foreach (KeyValuePair<string, object> header in Headers ?? new Dictionary<string, object>())
            message.Headers[header.Key] = header.Value;
    }
}
