using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text.Json.Serialization;
using Formatters.Inspection;
using Formatters.Queues;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Queues;

/// <summary>The report of <c>queue peek</c>.</summary>
/// <param name="Queue">The queue's address, without a password.</param>
/// <param name="At">When, by this machine's clock.</param>
/// <param name="Next">The position to go on from with <c>--after</c>; null if there was nothing more.</param>
/// <param name="Messages">The messages, in the order of receives.</param>
internal sealed record PeekList(string Queue, DateTimeOffset At, string? Next, IReadOnlyList<PeekListEntry> Messages)
{
    internal static PeekList Of(QueueAddress queue, DateTimeOffset at, IReadOnlyList<PeekedMessage> messages, int maxCount, bool withBodies) => new(
        queue.ToString(), at, messages.Count == maxCount ? messages[^1].Position : null, [.. messages.Select(message => PeekListEntry.Of(message, at, withBodies))]);

    internal void Print(TextWriter output)
    {
        var table = new TextTable(("position", -8), ("id", -12), ("age", 9), ("bytes", 9), ("got", 4), ("state", -6), ("label or reason", -16));
        foreach (PeekListEntry message in Messages)
        {
            string age = message.SentTime is { } sent && At > sent ? QueueList.AgeOf(At - sent) : Numbers.None;
            table.Add(
                message.Position, message.MessageId ?? Numbers.None, age, Numbers.Count(message.BodyByteCount), Numbers.Count(message.DeliveryCount),
                message.LockEnd is { } end && end > At ? $"{message.State} {QueueList.AgeOf(end - At)}" : message.State,
                message.DeadLetterReason is { } reason ? $"dead: {reason}" : message.Acknowledgment is { } told ? $"{told}" : message.Label ?? "");
        }

        table.Print(output);
        if (Messages.Any(static message => message.Explanation is not null))
            output.WriteLine();
        foreach (PeekListEntry message in Messages.Where(static message => message.Explanation is not null))
            TextWrap.Print(output, $"{message.Position}  ", message.Explanation!);
        foreach (PeekListEntry message in Messages.Where(static message => message.BodyText is not null))
        {
            output.WriteLine();
            output.WriteLine($"{message.Position}  {message.ContentType ?? string.Create(CultureInfo.InvariantCulture, $"body type {message.BodyType}")}");
            output.WriteLine(message.BodyText);
        }

        if (Next is not null)
            output.WriteLine($"There may be more: --after {Next}");
    }
}

/// <summary>A message that is still in its queue.</summary>
/// <param name="Position">Where it is, for <c>--after</c>.</param>
/// <param name="MessageId">Its id.</param>
/// <param name="State">ready, locked, later, or deferred.</param>
/// <param name="SentTime">When it was sent.</param>
/// <param name="DueTime">When it comes, if that is not now.</param>
/// <param name="LockEnd">When its lock ends, if that is known; without a renewal it is ready again then.</param>
/// <param name="DeliveryCount">How often it was handed out.</param>
/// <param name="Priority">Its priority.</param>
/// <param name="Label">Its label.</param>
/// <param name="CorrelationId">Its correlation id.</param>
/// <param name="SessionId">Its session.</param>
/// <param name="ContentType">Its body's content type.</param>
/// <param name="BodyType">Its body's type.</param>
/// <param name="BodyByteCount">How long its body is.</param>
/// <param name="DeadLetterReason">Why it is a dead letter, or null.</param>
/// <param name="DeadLetterDescription">What was said beside that.</param>
/// <param name="DeadLetterSource">The queue from which it came.</param>
/// <param name="AdministrationQueue">The queue that gets the acknowledgements for which it asks.</param>
/// <param name="AcknowledgeTypes">Which ones those are: a string as <c>PositiveArrival, PositiveReceive</c>; null for none.</param>
/// <param name="Acknowledgment">What it acknowledges, if it is an acknowledgement.</param>
/// <param name="Headers">Its headers, as texts; bytes in base 64.</param>
/// <param name="Body">Its body in base 64, if that was asked for.</param>
/// <param name="BodyText">Its body as the inspector shows it, if that was asked for.</param>
internal sealed record PeekListEntry(
    string Position,
    string? MessageId,
    string State,
    DateTimeOffset? SentTime,
    DateTimeOffset? DueTime,
    DateTimeOffset? LockEnd,
    int DeliveryCount,
    int Priority,
    string? Label,
    string? CorrelationId,
    string? SessionId,
    string? ContentType,
    int BodyType,
    long BodyByteCount,
    string? DeadLetterReason,
    string? DeadLetterDescription,
    string? DeadLetterSource,
    string? AdministrationQueue,
    string? AcknowledgeTypes,
    PeekListAcknowledgment? Acknowledgment,
    SortedDictionary<string, string> Headers,
    string? Body,
    string? BodyText)
{
    internal static PeekListEntry Of(PeekedMessage message, DateTimeOffset at, bool withBody)
    {
        var headers = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach ((string name, object value) in message.Headers)
            headers.Add(name, value is byte[] bytes ? Convert.ToBase64String(bytes) : Convert.ToString(value, CultureInfo.InvariantCulture) ?? "");
        return new PeekListEntry(
            message.Position,
            message.MessageId,
            message.IsDeferred ? "deferred" : message.IsLocked ? "locked" : message.DueTime > at ? "later" : "ready",
            message.SentTime,
            message.DueTime,
            message.LeaseEnd,
            message.DeliveryCount,
            message.Priority,
            message.Label,
            message.CorrelationId,
            message.SessionId,
            message.Body.ContentType,
            message.Body.BodyType,
            message.Body.ByteCount,
            message.DeadLetterReason,
            message.DeadLetterDescription,
            message.DeadLetterSource,
            message.AdministrationQueue,
            message.AcknowledgeTypes == Formatters.Queues.AcknowledgeTypes.None ? null : message.AcknowledgeTypes.ToString(),
            PeekListAcknowledgment.Of(message),
            headers,
            withBody ? Convert.ToBase64String(message.Body.ToArray()) : null,
            withBody ? TextOf(message.Body) : null);
    }

    /// <summary>Gets why the message was set aside, in a sentence; null if it was not, or if the reason is all there is.</summary>
    [JsonIgnore]
    internal string? Explanation =>
        Headers.TryGetValue(ErrorHeaders.Text, out string? error) ? $"{error}{(Headers.TryGetValue(ErrorHeaders.Source, out string? queue) ? $" (from {queue})" : "")}"
        : DeadLetterReason is not null && (DeadLetterDescription ?? DeadLetterSource) is not null
            ? $"{DeadLetterReason}{(DeadLetterDescription is null ? "" : $": {DeadLetterDescription}")}{(DeadLetterSource is null ? "" : $" (from {DeadLetterSource})")}"
        : null;

    /// <summary>The body without the type it is of; of a bad one what stands before the error, and the error.</summary>
    private static string TextOf(MessageBody body)
    {
        using var text = new StringWriter(CultureInfo.InvariantCulture);
        try
        {
            MessageInspector.Detect(body).Inspect(body.ToArray(), text, InspectionOptions.Default);
        }
        catch (MessageFormatException e)
        {
            text.WriteLine($" ... {e.Message}");
        }

        return text.ToString().TrimEnd();
    }
}

/// <summary>The content of an acknowledgement.</summary>
/// <param name="MessageId">Of which message: its id.</param>
/// <param name="Class">What became of it.</param>
/// <param name="Queue">In which queue.</param>
/// <param name="Reason">Why it is a dead letter, or null.</param>
/// <param name="Description">What was said beside that.</param>
internal sealed record PeekListAcknowledgment(string? MessageId, string Class, string Queue, string? Reason, string? Description)
{
    internal static PeekListAcknowledgment? Of(PeekedMessage message) => message.Acknowledgment is not { } told
        ? null : new PeekListAcknowledgment(message.CorrelationId, told.Class.ToString(), told.QueueName, told.Reason, told.Description);

    public override string ToString() => $"{Class}: {MessageId}{(Reason is null ? "" : $" ({Reason})")}";
}
