using System;
using System.Collections.Generic;
using System.Linq;
using System.Xml;
using System.Xml.Linq;
using Microsoft.Azure.Amqp;

namespace Formatters.ServiceBusPeer;

/// <summary>A queue, a subscription, or a dead-letter queue: messages in order, locks, and the receivers that have credit.</summary>
/// <remarks>All of it runs on the broker's one thread.</remarks>
internal sealed partial class PeerEntity
{
    internal const string DeadLetterSuffix = "/$DeadLetterQueue";

    private static readonly TimeSpan LongestLock = TimeSpan.FromMinutes(5);

    private readonly PeerBroker _broker;
    private readonly SortedDictionary<long, PeerMessage> _messages = [];
    private readonly SortedSet<long> _available = [];
    private readonly Dictionary<Guid, PeerMessage> _locks = [];
    private readonly LinkedList<PeerConsumer> _consumers = new();
    private readonly Dictionary<string, DateTime> _sentIds = [];
    private readonly HashSet<long> _timed = [];
    private long _lastSequenceNumber;

    internal PeerEntity(PeerBroker broker, string path, XElement description, PeerEntity? deadLettersOf = null)
    {
        _broker = broker;
        Path = path;
        DeadLettersOf = deadLettersOf;
        Description = description;
        Update(description);
        if (deadLettersOf is null)
            DeadLetters = new PeerEntity(broker, path + DeadLetterSuffix, description, this);
    }

    internal string Path { get; }

    /// <summary>Gets the description with which it was created, as the administration client wrote it.</summary>
    internal XElement Description { get; private set; }

    /// <summary>Gets the dead-letter queue; null for one.</summary>
    internal PeerEntity? DeadLetters { get; }

    /// <summary>Gets the entity whose dead letters these are; null otherwise.</summary>
    internal PeerEntity? DeadLettersOf { get; }

    internal TimeSpan LockDuration { get; private set; }

    /// <summary>Gets whether its messages belong to sessions; those of a dead-letter queue do not.</summary>
    internal bool RequiresSession { get; private set; }

    private uint MaxDeliveryCount { get; set; }

    private bool DeadLettersExpired { get; set; }

    private TimeSpan DefaultTimeToLive { get; set; }

    private TimeSpan? DuplicateWindow { get; set; }

    private string? ForwardTo { get; set; }

    private string? ForwardDeadLettersTo { get; set; }

    internal long ActiveCount => _messages.Values.Count(message => message.State == MessageState.Active);

    internal long ScheduledCount => _messages.Values.Count(message => message.State == MessageState.Scheduled);

    internal IEnumerable<PeerMessage> Messages => _messages.Values;

    /// <summary>Takes over the settings of a description.</summary>
    internal void Update(XElement description)
    {
        Description = description;
        LockDuration = Time("LockDuration") ?? TimeSpan.FromMinutes(1);
        if (LockDuration > LongestLock)
            LockDuration = LongestLock;
        RequiresSession = DeadLettersOf is null && Text("RequiresSession") == "true";
        MaxDeliveryCount = uint.Parse(Text("MaxDeliveryCount") ?? "10", null);
        DeadLettersExpired = Text("DeadLetteringOnMessageExpiration") == "true";
        DefaultTimeToLive = Time("DefaultMessageTimeToLive") ?? TimeSpan.MaxValue;
        DuplicateWindow = Text("RequiresDuplicateDetection") == "true" ? Time("DuplicateDetectionHistoryTimeWindow") ?? TimeSpan.FromMinutes(1) : null;
        ForwardTo = EntityOf(Text("ForwardTo"));
        ForwardDeadLettersTo = EntityOf(Text("ForwardDeadLetteredMessagesTo"));

        string? Text(string name) => description.Elements().FirstOrDefault(element => element.Name.LocalName == name)?.Value;

        TimeSpan? Time(string name) => Text(name) is { Length: > 0 } text ? XmlConvert.ToTimeSpan(text) : null;

        static string? EntityOf(string? address) => string.IsNullOrEmpty(address) ? null : Uri.TryCreate(address, UriKind.Absolute, out Uri? uri) ? Uri.UnescapeDataString(uri.AbsolutePath.Trim('/')) : address;
    }

    /// <summary>Determines whether the message was sent before, within the window.</summary>
    internal bool IsDuplicate(PeerMessage message)
    {
        if (DuplicateWindow is not { } window || message.MessageId is not { } id)
            return false;
        DateTime now = DateTime.UtcNow;
        bool isThere = _sentIds.TryGetValue(id, out DateTime sent) && now - sent < window;
        if (!isThere)
            _sentIds[id] = now;
        return isThere;
    }

    /// <summary>Adds a message, or forwards it.</summary>
    internal void Add(PeerMessage message)
    {
        if (ForwardTo is not null && _broker.FindQueue(ForwardTo) is { } target && message.State != MessageState.Scheduled)
        {
            target.Add(message.Copy(DateTime.UtcNow));
            return;
        }

        if (DeadLettersOf is null && DefaultTimeToLive < (message.TimeToLive ?? TimeSpan.MaxValue))
            message.TimeToLive = DefaultTimeToLive;
        message.SequenceNumber = ++_lastSequenceNumber;
        _messages.Add(message.SequenceNumber, message);
        if (message.State == MessageState.Active)
            _available.Add(message.SequenceNumber);
        Watch(message);
        Deliver();
    }

    internal void AddConsumer(PeerConsumer consumer) => _consumers.AddLast(consumer);

    internal void RemoveConsumer(PeerConsumer consumer) => _consumers.Remove(consumer);

    /// <summary>Hands messages to the receivers that have credit, in turn.</summary>
    internal void Deliver()
    {
        if (RequiresSession)
        {
            DeliverSessions();
            return;
        }

        while (_available.Count > 0)
        {
            PeerConsumer? consumer = _consumers.FirstOrDefault(one => one.Credit > 0);
            if (consumer is null || TakeFirst() is not { } message)
                return;
            _consumers.Remove(consumer);
            _consumers.AddLast(consumer);
            Send(consumer, message);
        }
    }

    private void Send(PeerConsumer consumer, PeerMessage message)
    {
        consumer.Credit--;
        if (consumer.SettlesOnSend)
        {
            consumer.Send(message, Guid.NewGuid());
            Remove(message);
        }
        else
        {
            Lock(message);
            consumer.Send(message, message.LockToken!.Value);
        }
    }

    /// <summary>Looks a lock up.</summary>
    internal PeerMessage? FindLocked(Guid token) => _locks.TryGetValue(token, out PeerMessage? message) && message.LockedUntil > DateTime.UtcNow ? message : null;

    internal PeerMessage? Find(long sequenceNumber) => _messages.GetValueOrDefault(sequenceNumber);

    internal void Lock(PeerMessage message)
    {
        message.LockToken = Guid.NewGuid();
        _locks.Add(message.LockToken.Value, message);
        _available.Remove(message.SequenceNumber);
        Renew(message);
    }

    internal DateTime Renew(PeerMessage message)
    {
        // A session's messages have its lock.
        message.LockedUntil = RequiresSession && FindSession(message.SessionId) is { } session ? session.LockedUntil : DateTime.UtcNow + LockDuration;
        Watch(message);
        return message.LockedUntil;
    }

    internal void Remove(PeerMessage message)
    {
        ForgetLock(message);
        _messages.Remove(message.SequenceNumber);
        _available.Remove(message.SequenceNumber);
        _timed.Remove(message.SequenceNumber);
    }

    /// <summary>Unlocks a message: it is back in its place, or a dead letter if it was delivered too often.</summary>
    internal void Unlock(PeerMessage message, bool counts = true)
    {
        ForgetLock(message);
        if (counts)
            message.DeliveryCount++;
        if (counts && message.DeliveryCount >= MaxDeliveryCount && DeadLettersOf is null && message.State == MessageState.Active)
        {
            DeadLetter(message, "MaxDeliveryCountExceeded", $"Message could not be consumed after {message.DeliveryCount} delivery attempts.");
            return;
        }

        if (message.State == MessageState.Active)
            _available.Add(message.SequenceNumber);
        Deliver();
    }

    internal void Defer(PeerMessage message)
    {
        ForgetLock(message);
        message.DeliveryCount++;
        message.State = MessageState.Deferred;
    }

    internal void DeadLetter(PeerMessage message, string? reason, string? description)
    {
        Remove(message);
        if (DeadLettersOf is not null)
        {
            // A dead letter stays where it is.
            _messages.Add(message.SequenceNumber, message);
            _available.Add(message.SequenceNumber);
            return;
        }

        PeerMessage letter = message.Copy(DateTime.UtcNow);
        if (reason is not null)
            letter.ApplicationProperties["DeadLetterReason"] = reason;
        if (description is not null)
            letter.ApplicationProperties["DeadLetterErrorDescription"] = description;
        if (ForwardDeadLettersTo is not null && _broker.FindQueue(ForwardDeadLettersTo) is { } target)
        {
            letter.DeadLetterSource = Path;
            letter.DeliveryCount = 0;
            // Whether the service keeps the time to live here is not documented; a dead letter has none.
            letter.TimeToLive = null;
            target.Add(letter);
        }
        else
        {
            DeadLetters!.Add(letter);
        }
    }

    /// <summary>Ends locks, times to live and delays that are over.</summary>
    internal void Tick()
    {
        TickSessions();
        if (_timed.Count > 0)
            TickCore();
        DeadLetters?.Tick();
    }

    private void TickCore()
    {
        DateTime now = DateTime.UtcNow;
        foreach (long sequenceNumber in _timed.Order().ToArray())
        {
            if (!_messages.TryGetValue(sequenceNumber, out PeerMessage? message))
            {
                _timed.Remove(sequenceNumber);
            }
            else if (message.State == MessageState.Scheduled)
            {
                if (message.EnqueuedTime > now)
                    continue;
                // A message that becomes active is appended, with a new number.
                Remove(message);
                message.State = MessageState.Active;
                Add(message);
            }
            else if (message.LockToken is not null)
            {
                if (message.LockedUntil <= now)
                    Unlock(message);
            }
            else if (message.ExpiryTime <= now && DeadLettersOf is null)
            {
                Expire(message);
            }
            else if (message.TimeToLive is null)
            {
                _timed.Remove(sequenceNumber);
            }
        }
    }

    private void Expire(PeerMessage message)
    {
        if (DeadLettersExpired)
            DeadLetter(message, "TTLExpiredException", "The message expired and was dead lettered.");
        else
            Remove(message);
    }

    private PeerMessage? TakeFirst(string? sessionId = null)
    {
        while (FirstAvailable(sessionId) is { } message)
        {
            _available.Remove(message.SequenceNumber);
            if (message.ExpiryTime > DateTime.UtcNow || DeadLettersOf is not null)
                return message;
            Expire(message);
        }

        return null;
    }

    private PeerMessage? FirstAvailable(string? sessionId) => sessionId is null
        ? _available.Count > 0 ? _messages[_available.Min] : null
        : _available.Select(number => _messages[number]).FirstOrDefault(message => message.SessionId == sessionId);

    private void Watch(PeerMessage message)
    {
        if (message.TimeToLive is not null || message.State == MessageState.Scheduled || message.LockToken is not null)
            _timed.Add(message.SequenceNumber);
    }

    private void ForgetLock(PeerMessage message)
    {
        if (message.LockToken is { } token)
            _locks.Remove(token);
        message.LockToken = null;
    }
}

/// <summary>A receiver: a link with credit.</summary>
internal sealed class PeerConsumer(PeerEntity entity, SendingAmqpLink link)
{
    internal PeerEntity Entity { get; } = entity;

    internal SendingAmqpLink Link { get; } = link;

    internal long Credit { get; set; }

    /// <summary>Gets the session from which it receives; null for an entity without sessions.</summary>
    internal PeerSession? Session { get; init; }

    internal bool SettlesOnSend { get; } = link.Settings.SettleType == SettleMode.SettleOnSend;

    internal void Send(PeerMessage message, Guid lockToken) => Link.SendMessageNoWait(message.ToAmqp(), new ArraySegment<byte>(lockToken.ToByteArray()), AmqpConstants.NullBinary);
}
