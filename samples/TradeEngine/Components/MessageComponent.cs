using System.Buffers;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.StaticData;
using Formatters.TradeEngine.Store;

namespace Formatters.TradeEngine.Components;

/// <summary>NOE, ALC, NPR or SET: reads and validates the messages of a type, has the store match them, and sends what that leads to.</summary>
internal sealed class MessageComponent : Station
{
    private readonly MessageType _type;
    private readonly ITradeStore _store;
    private readonly IMessageReading _reading;
    private readonly MessageValidator _validator;
    private readonly List<Incoming> _incoming = [];
    private readonly List<Work> _work = [];
    private readonly List<StoreEntry> _entries = [];

    internal MessageComponent(EngineQueues queues, EngineOptions options, MessageType type, ReferenceData data, ITradeStore store, StationMeter meter)
        : base(queues, options, meter)
    {
        _type = type;
        _store = store;
        _reading = options.Formats.CreateReading(type);
        _validator = new MessageValidator(data);
    }

    private protected override QueueClient Input => Queues.ByType[_type];

    /// <summary>Bundles are half full in the mean.</summary>
    private protected override int ReceiveCount =>
        Options.BundleSize > 1 ? Math.Max(1, 2 * Options.BatchSize / Options.BundleSize) : Options.BatchSize;

    private protected override int Take(WorkBatch batch)
    {
        _incoming.Clear();
        foreach (ReceivedMessage message in batch.Messages)
        {
            if (!MessageBundles.IsBundle(message))
            {
                _incoming.Add(new Incoming(message, message.MessageId));
                continue;
            }

            try
            {
                _incoming.AddRange(MessageBundles.Unpack(message, Options.Formats));
            }
            catch (MessageFormatException e)
            {
                _incoming.Add(new Incoming(message, message.MessageId, e));
            }
        }

        return _incoming.Count;
    }

    private protected override async ValueTask ProcessAsync(WorkBatch batch, CancellationToken cancellationToken)
    {
        _work.Clear();
        _entries.Clear();
        foreach (Incoming incoming in _incoming)
        {
            Work work = Read(incoming);
            _work.Add(work);
            if (work.Entry is not null)
                _entries.Add(work.Entry);
        }

        Options.AtPoint?.Invoke("validated");
        if (_entries.Count > 0)
            await _store.ApplyAsync(_entries, cancellationToken);
        Options.AtPoint?.Invoke("applied");
        foreach (Work work in _work)
            await SendAsync(batch, work);
    }

    private protected override void Settle()
    {
        if (_entries.Count > 0)
            _store.Settle(_entries);
    }

    private Work Read(in Incoming incoming)
    {
        QueueMessage message = incoming.Message;
        if (incoming.Error is { } error)
            return new Work(message, null, ExceptionReason.Unreadable, error.Message, "", "");
        ReadOnlyMemory<byte> body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.Bytes.ToArray();
        TradeMessage read;
        try
        {
            read = _reading.Read(body.Span);
        }
        catch (MessageFormatException e)
        {
            return new Work(message, null, ExceptionReason.Unreadable, e.Message, "", "");
        }

        MessageHeader header = read.Header;
        ExceptionReason reason = _validator.Validate(read, _type, out string text);
        if (reason != ExceptionReason.None)
            return new Work(message, null, reason, text, header.MessageId, read.Terms.TradeReference);
        if (incoming.DeliveryId is not { } deliveryId)
            return new Work(message, null, ExceptionReason.MissingId, "It has no id of its queue, by which the store would know it again.",
                header.MessageId,
                read.Terms.TradeReference);
        bool isStated = header.Variant is not (MessageVariant.Cancel or MessageVariant.Reject);
        StatementStatus status = isStated ? StatementStatus.Stated : header.Variant == MessageVariant.Cancel ? StatementStatus.Cancelled
            : StatementStatus.Rejected;
        CriterionValues values = _validator.Values;
        var entry = new StoreEntry
        {
            DeliveryId = deliveryId,
            MessageId = header.MessageId,
            Key = TradeKey.Of(values),
            Slot = Slots.IndexOf(_type, header.Party),
            Statement = isStated
                ? new Statement(header.Version, status, values.Present, values.ToArray())
                : new Statement(header.Version, status, default, []),
            AuditBody = _type == MessageType.NoticeOfExecution && Options.KeepsAuditTrail ? body : default,
        };
        return new Work(message, entry, ExceptionReason.None, "", header.MessageId, message.ResponseQueue is null ? "" : read.Terms.TradeReference);
    }

    private async ValueTask SendAsync(WorkBatch batch, Work work)
    {
        ExceptionReason reason = work.Reason;
        string text = work.Text;
        if (work.Entry is { } entry)
        {
            (reason, text) = entry.Outcome switch
            {
                ApplyOutcome.Conflict => (ExceptionReason.ConflictingVersion, $"Another statement of version {entry.Statement.Version} holds."),
                ApplyOutcome.ConflictReplaced => (ExceptionReason.ConflictingVersion,
                    $"Another statement of version {entry.Statement.Version} held; this one does now."),
                ApplyOutcome.Expired => (ExceptionReason.TradeExpired, "The trade was given up before it was matched."),
                ApplyOutcome.Cleared => (ExceptionReason.TradeCleared, $"The trades of {entry.Key.TradeDate} have been cleared."),
                _ => (ExceptionReason.None, ""),
            };
            if (entry is { Emission: { } emission, IsTold: false })
                batch.Send(Queues.Clearings, ClearingMessages.Make(Options.Formats, emission));
        }

        if (reason != ExceptionReason.None)
            Refuse(batch, work.Message, work.Message.CorrelationId, reason, text);
        if (work.Message.ResponseQueue is { } address)
            await ReplyAsync(batch, address, work, reason);
    }

    private async ValueTask ReplyAsync(WorkBatch batch, string address, Work work, ExceptionReason reason)
    {
        QueueClient queue = await Queues.OpenResponseAsync(address);
        Send(
            reason == ExceptionReason.None ? MessageVariant.Acknowledge : MessageVariant.Reject,
            reason == ExceptionReason.None ? "" : reason.ToString());

        void Send(MessageVariant variant, string why)
        {
            var reply = new ReplyMessage
            {
                Header = new MessageHeader { MessageId = "R" + work.MessageId, Type = _type, Variant = variant, Sender = TradeBuilder.Utility,
                    CreatedAt = DateTime.UtcNow },
                AnsweredMessageId = work.MessageId,
                TradeReference = work.TradeReference,
                Reason = why,
            };
            MessageFormatter<ReplyMessage> formatter = Options.Formats.Replies;
            byte[] body = formatter.Write(reply);
            batch.Send(queue, new QueueMessage(new MessageBody(body, formatter.BodyType, formatter.ContentType)) { Label = variant.ToString(),
                CorrelationId = work.MessageId });
        }
    }

    /// <summary>A message on its way through the component.</summary>
    private readonly record struct Work(QueueMessage Message, StoreEntry? Entry, ExceptionReason Reason, string Text, string MessageId,
        string TradeReference);
}
