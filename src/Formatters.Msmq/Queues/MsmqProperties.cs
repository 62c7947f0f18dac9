using System;
using System.Text.RegularExpressions;
using Formatters.Msmq;

namespace Formatters.Queues.Msmq;

/// <summary>Maps the properties of a message to System.Messaging's, and the rest to its extension.</summary>
internal static class MsmqProperties
{
    private const int MaxLabelCharCount = 249;
    private const string NoId = @"00000000-0000-0000-0000-000000000000\0";

    // 0 to 9 to MSMQ's eight, its default for ours.
    private static readonly MessagePriority[] Priorities =
    [
        MessagePriority.Lowest, MessagePriority.VeryLow, MessagePriority.VeryLow, MessagePriority.Low, MessagePriority.Normal,
        MessagePriority.AboveNormal, MessagePriority.High, MessagePriority.VeryHigh, MessagePriority.VeryHigh, MessagePriority.Highest,
    ];

    private static readonly Regex OwnId = new(@"^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\\[0-9]{1,9}$", RegexOptions.CultureInvariant);

    internal static void SetFilter(MessageQueue queue)
    {
        MessagePropertyFilter filter = queue.MessageReadPropertyFilter;
        filter.Extension = true;
        filter.Priority = true;
        filter.SentTime = true;
        filter.CorrelationId = true;
    }

    internal static Message ToMessage(QueueMessage message, bool isRecoverable, QueueCapabilities capabilities, MsmqQueueOptions options,
        MsmqDeadLetter? deadLetter = null)
    {
        var extension = new MsmqExtension
        {
            ContentType = message.Body.ContentType,
            MessageId = message.MessageId,
            Priority = message.Priority,
            TimeToLive = deadLetter is null ? message.TimeToLive : null,
            DeadLetter = deadLetter,
            Headers = message.HasHeaders ? message.Headers : null,
        };
        var own = new Message { Recoverable = isRecoverable, UseDeadLetterQueue = options.UseDeadLetterQueue,
            UseJournalQueue = options.UseJournalQueue };
        MessageBodies.Put(own, message.Body.Bytes, message.Body.BodyType);
        if (capabilities.Supports(QueueFeatures.Priorities))
            own.Priority = Priorities[message.Priority];
        // Also in the extension. MSMQ counts in seconds, and times beyond its 136 years never expire there.
        if (extension.TimeToLive is { } time && time < Message.InfiniteTimeout)
            own.TimeToBeReceived = time;
        if (message.Label is { } label)
        {
            own.Label = label.Length <= MaxLabelCharCount ? label : label.Substring(0, MaxLabelCharCount);
            extension.Label = label.Length <= MaxLabelCharCount ? null : label;
        }

        if (message.CorrelationId is { } id)
        {
            if (OwnId.IsMatch(id))
                own.CorrelationId = id;
            else
                extension.CorrelationId = id;
        }

        if (message.ResponseQueue is { } responseQueue)
        {
            extension.ResponseQueue = responseQueue;
            if (FindQueue(responseQueue) is { } address)
                own.ResponseQueue = new MessageQueue(address.OpenName);
        }

        if (extension.ToBytes() is { Length: > 0 } bytes)
            own.Extension = bytes;
        return own;
    }

    internal static MessageBody BodyOf(Message message, MsmqExtension? extension)
    {
        MessageBody body = MessageBodies.Of(message);
        return new MessageBody(body.Bytes, body.BodyType, extension?.ContentType);
    }

    internal static string? LabelOf(Message message, MsmqExtension? extension) =>
        extension?.Label ?? (string.IsNullOrEmpty(message.Label) ? null : message.Label);

    internal static string? CorrelationIdOf(Message message, MsmqExtension? extension) =>
        extension?.CorrelationId ?? (string.IsNullOrEmpty(message.CorrelationId) || message.CorrelationId == NoId ? null : message.CorrelationId);

    internal static string? ResponseQueueOf(Message message, MsmqExtension? extension) =>
        extension?.ResponseQueue ?? (message.ResponseQueue is not { } queue ? null : MsmqPlatform.IsMono
            ? queue.Path
            : "FormatName:" + queue.FormatName);

    /// <summary>Returns the priority as it was sent; for a message without an extension the lowest that maps to MSMQ's.</summary>
    internal static int PriorityOf(Message message, MsmqExtension? extension) =>
        extension?.Priority ?? (MsmqPlatform.IsMono ? QueueMessage.DefaultPriority : Math.Max(0, Array.IndexOf(Priorities, message.Priority)));

    internal static DateTimeOffset SentTimeOf(Message message) => new(message.SentTime.ToUniversalTime());

    private static MsmqAddress? FindQueue(string text)
    {
        try
        {
            QueueAddress address = QueueAddress.Parse(text);
            return address.Scheme == MsmqAddress.Scheme ? MsmqAddress.Parse(address) : null;
        }
        catch (FormatException)
        {
            return null;
        }
    }
}
