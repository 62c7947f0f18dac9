using System.Buffers.Binary;
using System.Collections.Generic;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using Formatters;
using Formatters.Queues;
using Flag = System.Messaging.MessageHeaders.Flag;

namespace System.Messaging;

/// <summary>Converts messages of System.Messaging to those of <c>Formatters.Queues</c>, and back.</summary>
internal static class MessageConversion
{
    // Ids of this process: MSMQ's have the id of the machine and a number.
    private static readonly string IdPrefix = Guid.NewGuid().ToString() + @"\";
    private static readonly DateTime LookupEpoch = new(2020, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    private static readonly long LookupSuffix = Random.Shared.Next(256);
    private static int _lastNumber;
    private static long _lastLookupTicks;

    internal static string NewId() =>
        IdPrefix + Interlocked.Increment(ref _lastNumber).ToString(Globalization.CultureInfo.InvariantCulture);

    /// <summary>Creates the message that is sent.</summary>
    internal static QueueMessage ToQueueMessage(Message source, QueueTarget target, string id, QueueCapabilities capabilities,
        TransactionPosition transaction, QueueSystem system)
    {
        MessageProperties readable = source.Unlock();
        try
        {
            var message = new QueueMessage(Bodies.Of(source)) { MessageId = id };
            if (source.Label.Length > 0)
                message.Label = source.Label;
            if (source.CorrelationId is { Length: > 0 } correlationId && correlationId != Message.NoId)
                message.CorrelationId = correlationId;
            IDictionary<string, object> headers = message.Headers;
            DateTime now = DateTime.UtcNow;
            headers[MessageHeaders.SentTime] = now.Ticks;
            headers[MessageHeaders.LookupId] = NewLookupId(now);
            headers[MessageHeaders.SourceMachine] = QueuePath.LocalMachine;
            headers[MessageHeaders.Destination] = target.Path.FormatName;
            Flag flags = FlagsOf(source, transaction);
            if (flags != Flag.None)
                headers[MessageHeaders.Flags] = (int)flags;
            if (transaction.Id is { } transactionId)
                headers[MessageHeaders.TransactionId] = transactionId;
            // MSMQ gives all transactional messages one priority, so that they keep their order.
            SetPriority(message, transaction.Id is null ? source.Priority : MessagePriority.Lowest, capabilities);
            SetTimes(message, source, now, capabilities);
            SetQueues(message, source, target, capabilities, system);
            SetRest(headers, source);
            return message;
        }
        finally
        {
            source.Lock(readable);
        }
    }

    /// <summary>Creates the message that a program receives.</summary>
    internal static Message ToMessage(QueueMessage source, QueueTarget target, MessageProperties readable, IMessageFormatter? formatter)
    {
        var headers = new HeaderReader(source);
        (DateTimeOffset? sentByQueue, MessageAcknowledgment? acknowledgment) = (SentTimeOf(source), source.Acknowledgment);
        var flags = (Flag)headers.Int(MessageHeaders.Flags);
        DateTime sent = headers.Long(MessageHeaders.SentTime) is var ticks and > 0 && ticks <= DateTime.MaxValue.Ticks
            ? new DateTime(ticks, DateTimeKind.Utc).ToLocalTime()
            : sentByQueue?.LocalDateTime ?? default;
        long arrived = headers.Long(MessageHeaders.ArrivedTime);
        int @class = acknowledgment is not null ? (int)acknowledgment.Class : headers.Int(MessageHeaders.Class);
        // The class of a dead-lettered answer has no value in .NET Framework.
        if (@class == (int)AcknowledgmentClass.ReceiveRejected)
            @class = (int)Acknowledgment.Purged;
        var message = new Message
        {
            BodyStream = Bodies.Open(source.Body.Bytes),
            BodyType = source.Body.BodyType,
            ContentType = source.Body.ContentType,
            Label = source.Label is { } label ? label[..Math.Min(label.Length, Message.MaxLabelCharCount)] : "",
            CorrelationId = MessageIds.Accept(source.CorrelationId ?? Message.NoId),
            Id = MessageIds.Accept(source.MessageId ?? Message.NoId),
            LookupId = LookupIdOf(source),
            Priority = headers.Has(MessageHeaders.Priority)
                ? (MessagePriority)Math.Clamp(headers.Int(MessageHeaders.Priority), 0, 7)
                : (MessagePriority)Math.Clamp(source.Priority - 1, 0, 7),
            SentTime = sent,
            ArrivedTime = arrived > 0 && arrived <= DateTime.MaxValue.Ticks ? new DateTime(arrived, DateTimeKind.Utc).ToLocalTime() : sent,
            SourceMachine = headers.String(MessageHeaders.SourceMachine) ?? "",
            DestinationQueue = (readable & MessageProperties.DestinationQueue) == 0
                ? null
                : QueueOf(headers.String(MessageHeaders.Destination)) ?? new MessageQueue(target.Path),
            AppSpecific = headers.Int(MessageHeaders.AppSpecific),
            Extension = headers.Bytes(MessageHeaders.Extension),
            AcknowledgeType = (AcknowledgeTypes)(headers.Has(MessageHeaders.AcknowledgeType)
                ? headers.Int(MessageHeaders.AcknowledgeType)
                : (int)source.AcknowledgeTypes),
            AdministrationQueue = QueueOf(headers.String(MessageHeaders.AdministrationQueue)) ?? InPlace(target, source.AdministrationQueue),
            ResponseQueue = QueueOf(headers.String(MessageHeaders.ResponseQueue)) ?? QueueOf(source.ResponseQueue),
            TransactionStatusQueue = QueueOf(headers.String(MessageHeaders.TransactionStatusQueue)),
            TimeToBeReceived = headers.Time(MessageHeaders.TimeToBeReceived) ?? source.TimeToLive ?? Message.InfiniteTimeout,
            TimeToReachQueue = headers.Time(MessageHeaders.TimeToReachQueue) ?? Message.InfiniteTimeout,
            Recoverable = (flags & Flag.Recoverable) != 0,
            UseDeadLetterQueue = (flags & Flag.UseDeadLetterQueue) != 0,
            UseJournalQueue = (flags & Flag.UseJournalQueue) != 0,
            UseTracing = (flags & Flag.UseTracing) != 0,
            UseAuthentication = (flags & Flag.UseAuthentication) != 0,
            UseEncryption = (flags & Flag.UseEncryption) != 0,
            AttachSenderId = (flags & Flag.NoSenderId) == 0,
            IsFirstInTransaction = (flags & Flag.FirstInTransaction) != 0,
            IsLastInTransaction = (flags & Flag.LastInTransaction) != 0,
            TransactionId = headers.String(MessageHeaders.TransactionId) ?? "",
            MessageType = @class != 0 ? MessageType.Acknowledgment : MessageType.Normal,
            Acknowledgment = Enum.IsDefined((Acknowledgment)@class) ? (Acknowledgment)@class : Acknowledgment.None,
        };
        if (formatter is not null)
            message.Formatter = formatter;
        GetRest(headers, message);
        message.SetReceived(readable);
        return message;
    }

    /// <summary>Creates an acknowledgement of a message, for a queue that does not create them.</summary>
    internal static QueueMessage ToAcknowledgment(QueueMessage message, Acknowledgment acknowledgment)
    {
        var answer = new QueueMessage(new MessageBody()) { MessageId = NewId(), CorrelationId = message.MessageId, Label = message.Label };
        DateTime now = DateTime.UtcNow;
        answer.Headers[MessageHeaders.SentTime] = now.Ticks;
        answer.Headers[MessageHeaders.LookupId] = NewLookupId(now);
        answer.Headers[MessageHeaders.SourceMachine] = QueuePath.LocalMachine;
        answer.Headers[MessageHeaders.Class] = (int)acknowledgment;
        return answer;
    }

    /// <summary>Returns the lookup id; of a message that another program sent, one that follows from its id.</summary>
    internal static long LookupIdOf(QueueMessage message)
    {
        if (message.HasHeaders && message.Headers.TryGetValue(MessageHeaders.LookupId, out object? value) && value is long id && id != 0)
            return id;
        byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(message.MessageId ?? ""));
        return BinaryPrimitives.ReadInt64LittleEndian(hash) & long.MaxValue;
    }

    /// <summary>Determines whether the time of a message is over that goes to a dead-letter queue.</summary>
    internal static bool IsExpired(QueueMessage message) =>
        message.HasHeaders && message.Headers.TryGetValue(MessageHeaders.Expires, out object? value) && value is long ticks
        && DateTime.UtcNow.Ticks >= ticks;

    /// <summary>Returns the queue of a format name, path or address in a message; null if it is none.</summary>
    internal static MessageQueue? QueueOf(string? text)
    {
        if (string.IsNullOrEmpty(text))
            return null;
        if (QueuePath.TryParseFormatName(text) is { } path)
            return new MessageQueue(path with { Text = path.Kind == QueuePathKind.Address ? text : QueuePath.FormatNamePrefix + text });
        return QueuePath.TryParsePath(text) is { } other ? new MessageQueue(other) : null;
    }

    private static MessageQueue? InPlace(QueueTarget target, string? name) =>
        name is null ? null : QueueOf(target.Place.AddressTextOf(name));

    private static DateTimeOffset? SentTimeOf(QueueMessage message) => message switch
    {
        ReceivedMessage received => received.SentTime,
        PeekedMessage peeked => peeked.SentTime,
        _ => null,
    };

    /// <summary>Creates a lookup id that is greater than those before it in this process.</summary>
    internal static long NewLookupId(DateTime now)
    {
        long ticks = (now - LookupEpoch).Ticks;
        while (true)
        {
            long last = Volatile.Read(ref _lastLookupTicks);
            long next = Math.Max(ticks, last + 1);
            if (Interlocked.CompareExchange(ref _lastLookupTicks, next, last) == last)
                return (next << 8) | LookupSuffix;
        }
    }

    private static Flag FlagsOf(Message source, TransactionPosition transaction) =>
        (source.Recoverable || transaction.Id is not null ? Flag.Recoverable : 0)
        | (source.UseDeadLetterQueue ? Flag.UseDeadLetterQueue : 0)
        | (source.UseJournalQueue ? Flag.UseJournalQueue : 0)
        | (source.UseTracing ? Flag.UseTracing : 0)
        | (source.UseAuthentication ? Flag.UseAuthentication : 0)
        | (source.UseEncryption ? Flag.UseEncryption : 0)
        | (source.AttachSenderId ? 0 : Flag.NoSenderId)
        | (transaction.IsFirst ? Flag.FirstInTransaction : 0)
        | (transaction.IsLast ? Flag.LastInTransaction : 0);

    private static void SetPriority(QueueMessage message, MessagePriority priority, QueueCapabilities capabilities)
    {
        if (capabilities.Supports(QueueFeatures.Priorities))
            message.Priority = (int)priority + 1;
        else if (priority != MessagePriority.Normal)
            message.Headers[MessageHeaders.Priority] = (int)priority;
    }

    private static void SetTimes(QueueMessage message, Message source, DateTime now, QueueCapabilities capabilities)
    {
        if (source.TimeToReachQueue < Message.InfiniteTimeout)
            message.Headers[MessageHeaders.TimeToReachQueue] = source.TimeToReachQueue.Ticks;
        if (source.TimeToBeReceived >= Message.InfiniteTimeout)
            return;
        message.Headers[MessageHeaders.TimeToBeReceived] = source.TimeToBeReceived.Ticks;
        // A queue drops expired messages, or moves all to one queue; MSMQ decides by message.
        if (source.UseDeadLetterQueue || !capabilities.Supports(QueueFeatures.Expiry))
            message.Headers[MessageHeaders.Expires] = (now + source.TimeToBeReceived).Ticks;
        else
            message.TimeToLive = source.TimeToBeReceived > TimeSpan.Zero ? source.TimeToBeReceived : TimeSpan.FromTicks(1);
    }

    private static void SetQueues(QueueMessage message, Message source, QueueTarget target, QueueCapabilities capabilities, QueueSystem system)
    {
        if (source.ResponseQueue is { } response)
        {
            message.Headers[MessageHeaders.ResponseQueue] = response.QueuePath.FormatName;
            // For receivers that open queues by their address.
            message.ResponseQueue = system.FindAddress(response.QueuePath) ?? QueuePath.FormatNamePrefix + response.QueuePath.FormatName;
        }

        if (source.TransactionStatusQueue is { } status)
            message.Headers[MessageHeaders.TransactionStatusQueue] = status.QueuePath.FormatName;
        if (source.AcknowledgeType != AcknowledgeTypes.None)
            message.Headers[MessageHeaders.AcknowledgeType] = (int)source.AcknowledgeType;
        if (source.AdministrationQueue is not { } administration)
            return;
        message.Headers[MessageHeaders.AdministrationQueue] = administration.QueuePath.FormatName;
        if (source.AcknowledgeType == AcknowledgeTypes.None || !capabilities.Supports(QueueFeatures.Acknowledgments))
            return;
        QueueTarget answers = system.Resolve(administration.QueuePath);
        // A queue would create the administration queue.
        if (ReferenceEquals(answers.Place, target.Place) && answers.Name != target.Name
            && (!answers.MustExist || answers.Place.Store.Find(answers.PropertiesName) is not null))
        {
            message.AdministrationQueue = target.Place.NameInOptions(answers.Name);
            message.AcknowledgeTypes = (Formatters.Queues.AcknowledgeTypes)(int)source.AcknowledgeType;
        }
    }

    private static void SetRest(IDictionary<string, object> headers, Message source)
    {
        if (source.AppSpecific != 0)
            headers[MessageHeaders.AppSpecific] = source.AppSpecific;
        if (source.Extension.Length > 0)
            headers[MessageHeaders.Extension] = source.Extension;
        if (source.ConnectorType != Guid.Empty)
            headers[MessageHeaders.ConnectorType] = source.ConnectorType.ToString();
        MessageProperties set = source.SetProperties;
        if ((set & MessageProperties.AuthenticationProviderName) != 0)
            headers[MessageHeaders.ProviderName] = source.AuthenticationProviderName;
        if ((set & MessageProperties.AuthenticationProviderType) != 0)
            headers[MessageHeaders.ProviderType] = (int)source.AuthenticationProviderType;
        if ((set & MessageProperties.EncryptionAlgorithm) != 0)
            headers[MessageHeaders.EncryptionAlgorithm] = (int)source.EncryptionAlgorithm;
        if ((set & MessageProperties.HashAlgorithm) != 0)
            headers[MessageHeaders.HashAlgorithm] = (int)source.HashAlgorithm;
        if (source.SenderCertificate.Length > 0)
            headers[MessageHeaders.Certificate] = source.SenderCertificate;
        if (source.DestinationSymmetricKey.Length > 0)
            headers[MessageHeaders.SymmetricKey] = source.DestinationSymmetricKey;
        if (source.DigitalSignature.Length > 0)
            headers[MessageHeaders.Signature] = source.DigitalSignature;
    }

    private static void GetRest(HeaderReader headers, Message message)
    {
        if (Guid.TryParse(headers.String(MessageHeaders.ConnectorType), out Guid connector))
            message.ConnectorType = connector;
        if (headers.String(MessageHeaders.ProviderName) is { } provider)
            message.AuthenticationProviderName = provider;
        if (Defined<CryptographicProviderType>(headers, MessageHeaders.ProviderType) is { } providerType)
            message.AuthenticationProviderType = providerType;
        if (Defined<EncryptionAlgorithm>(headers, MessageHeaders.EncryptionAlgorithm) is { } encryption)
            message.EncryptionAlgorithm = encryption;
        if (Defined<HashAlgorithm>(headers, MessageHeaders.HashAlgorithm) is { } hash)
            message.HashAlgorithm = hash;
        message.SenderCertificate = headers.Bytes(MessageHeaders.Certificate);
        message.DestinationSymmetricKey = headers.Bytes(MessageHeaders.SymmetricKey);
        message.DigitalSignature = headers.Bytes(MessageHeaders.Signature);
    }

    private static T? Defined<T>(HeaderReader headers, string name)
        where T : struct, Enum =>
        headers.Has(name) && (T)(object)headers.Int(name) is var value && Enum.IsDefined(value) ? value : null;

    /// <summary>Reads headers, which other programs may have written with other types.</summary>
    private readonly struct HeaderReader(QueueMessage message)
    {
        private readonly IDictionary<string, object>? _headers = message.HasHeaders ? message.Headers : null;

        internal bool Has(string name) => _headers?.ContainsKey(name) == true;

        internal string? String(string name) => Find(name) as string;

        internal byte[] Bytes(string name) => Find(name) as byte[] ?? [];

        internal long Long(string name) => Find(name) switch { long value => value, int value => value, _ => 0 };

        internal int Int(string name) => Find(name) switch { int value => value, long value => unchecked((int)value), _ => 0 };

        internal TimeSpan? Time(string name) => Has(name) && Long(name) is var ticks and >= 0 ? new TimeSpan(ticks) : null;

        private object? Find(string name) => _headers?.TryGetValue(name, out object? value) == true ? value : null;
    }
}

/// <summary>The position of a message in the transaction that sends it.</summary>
internal readonly record struct TransactionPosition(string? Id, bool IsFirst, bool IsLast);
