using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Azure.Amqp;
using Microsoft.Azure.Amqp.Encoding;

namespace Formatters.ServiceBusPeer;

// The requests to $management of an entity.
internal sealed partial class PeerBroker
{
    private const string LockLostCondition = "com.microsoft:message-lock-lost";
    private const string NotFoundCondition = "com.microsoft:message-not-found";
    private const int MaxPeekByteCount = 256 << 10;

    private (int Status, string? Condition) Manage(string path, string operation, AmqpMessage request, AmqpMap answer)
    {
        AmqpMap body = (request.ValueBody.Value as AmqpMap)!;
        if (operation == "com.microsoft:schedule-message")
            return Schedule(path, body, answer);
        if (Find(path) is not { } entity)
            return (404, "amqp:not-found");
        return operation switch
        {
            "com.microsoft:peek-message" => Peek(entity, body, answer),
            "com.microsoft:renew-lock" => Renew(entity, body, answer),
            "com.microsoft:renew-session-lock" => UseSession(entity, body, (session, _) => answer[Key("expiration")] = entity.Renew(session)),
            "com.microsoft:get-session-state" => UseSession(entity, body, (_, id) => answer[Key("session-state")] = entity.GetState(id) is { } state ? new ArraySegment<byte>(state) : null!),
            "com.microsoft:set-session-state" => SetState(entity, body),
            "com.microsoft:update-disposition" => UpdateDisposition(entity, body, request),
            "com.microsoft:receive-by-sequence-number" => ReceiveDeferred(entity, body, answer),
            "com.microsoft:cancel-scheduled-message" => CancelScheduled(entity, body),
            "com.microsoft:batch-delete-messages" => Delete(entity, body, answer),
            _ => (501, "amqp:not-implemented"),
        };
    }

    private (int Status, string? Condition) Schedule(string path, AmqpMap body, AmqpMap answer)
    {
        var numbers = new List<long>();
        foreach (AmqpMap entry in ((IEnumerable)body[Key("messages")]).Cast<AmqpMap>())
        {
            PeerMessage message = Decode((ArraySegment<byte>)entry[Key("message")], DateTime.UtcNow);
            Enqueue(path, [message]);
            numbers.Add(message.SequenceNumber);
        }

        answer[Key("sequence-numbers")] = numbers.ToArray();
        return (200, null);
    }

    private static (int Status, string? Condition) Peek(PeerEntity entity, AmqpMap body, AmqpMap answer)
    {
        long first = (long)body[Key("from-sequence-number")];
        int count = (int)body[Key("message-count")];
        body.TryGetValue(Key("session-id"), out string? sessionId);
        var found = new List<AmqpMap>();
        int byteCount = 0;
        foreach (PeerMessage message in entity.Messages)
        {
            if (message.SequenceNumber < first || (sessionId is not null && message.SessionId != sessionId))
                continue;
            if (found.Count == count || byteCount > MaxPeekByteCount)
                break;
            ArraySegment<byte> bytes = message.ToBytes(isPeek: true);
            byteCount += bytes.Count;
            found.Add(new AmqpMap { [Key("message")] = bytes });
        }

        if (found.Count == 0)
            return (204, null);
        answer[Key("messages")] = found;
        return (200, null);
    }

    private (int Status, string? Condition) Renew(PeerEntity entity, AmqpMap body, AmqpMap answer)
    {
        var ends = new List<DateTime>();
        foreach (Guid token in Tokens(body))
        {
            if (_faults.HasLostLocks(entity.Path) || entity.FindLocked(token) is not { } message)
                return (410, LockLostCondition);
            ends.Add(entity.Renew(message));
        }

        answer[Key("expirations")] = ends.ToArray();
        return (200, null);
    }

    private static (int Status, string? Condition) UseSession(PeerEntity entity, AmqpMap body, Action<PeerSession, string> use)
    {
        var id = (string)body[Key("session-id")];
        if (entity.FindSession(id) is not { } session)
            return (410, "com.microsoft:session-lock-lost");
        use(session, id);
        return (200, null);
    }

    private static (int Status, string? Condition) SetState(PeerEntity entity, AmqpMap body)
    {
        byte[]? state = body[Key("session-state")] is ArraySegment<byte> segment ? [.. segment] : null;
        return state?.Length > PeerEntity.MaxStateByteCount
            ? (403, "amqp:link:message-size-exceeded")
            : UseSession(entity, body, (_, id) => entity.SetState(id, state));
    }

    private (int Status, string? Condition) UpdateDisposition(PeerEntity entity, AmqpMap body, AmqpMessage request)
    {
        foreach (Guid token in Tokens(body))
        {
            if (_faults.HasLostLocks(entity.Path) || entity.FindLocked(token) is null)
                return (410, LockLostCondition);
            Action<PeerMessage> apply;
            switch ((string)body[Key("disposition-status")])
            {
                case "completed":
                    apply = entity.Remove;
                    break;
                case "abandoned":
                    apply = message => entity.Unlock(message);
                    break;
                case "defered":
                    apply = entity.Defer;
                    break;
                case "suspended":
                    body.TryGetValue(Key("deadletter-reason"), out string? reason);
                    body.TryGetValue(Key("deadletter-description"), out string? description);
                    apply = message => entity.DeadLetter(message, reason, description);
                    break;
                default:
                    return (400, "com.microsoft:argument-error");
            }

            if (request.TxnId.Array is null)
                apply(entity.FindLocked(token)!);
            else if (_transactions.TryGetValue(NumberOf(request.TxnId), out List<PeerOperation>? operations))
                operations.Add(new PeerOperation(() => entity.FindLocked(token) is not null, () => apply(entity.FindLocked(token)!)));
            else
                return (400, "amqp:transaction:unknown-id");
        }

        return (200, null);
    }

    private static (int Status, string? Condition) ReceiveDeferred(PeerEntity entity, AmqpMap body, AmqpMap answer)
    {
        var found = new List<AmqpMap>();
        body.TryGetValue(Key("session-id"), out string? sessionId);
        if (entity.RequiresSession && entity.FindSession(sessionId) is null)
            return sessionId is null ? (400, "amqp:not-allowed") : (410, "com.microsoft:session-lock-lost");
        long[] numbers = [.. (IEnumerable<long>)body[Key("sequence-numbers")]];
        // All of them, or none.
        if (!numbers.All(number => entity.Find(number) is { State: MessageState.Deferred, LockToken: null } message && (sessionId is null || message.SessionId == sessionId)))
            return (404, NotFoundCondition);
        foreach (long number in numbers)
        {
            PeerMessage message = entity.Find(number)!;
            var entry = new AmqpMap();
            if (Convert.ToUInt32(body[Key("receiver-settle-mode")], null) == 0)
            {
                entry[Key("message")] = message.ToBytes();
                entity.Remove(message);
            }
            else
            {
                entity.Lock(message);
                entry[Key("message")] = message.ToBytes();
                entry[Key("lock-token")] = message.LockToken!.Value;
            }

            found.Add(entry);
        }

        answer[Key("messages")] = found;
        return (200, null);
    }

    private static (int Status, string? Condition) CancelScheduled(PeerEntity entity, AmqpMap body)
    {
        foreach (long number in (IEnumerable<long>)body[Key("sequence-numbers")])
        {
            if (entity.Find(number) is not { State: MessageState.Scheduled } message)
                return (404, NotFoundCondition);
            entity.Remove(message);
        }

        return (200, null);
    }

    private static (int Status, string? Condition) Delete(PeerEntity entity, AmqpMap body, AmqpMap answer)
    {
        DateTime before = (DateTime)body[Key("enqueued-time-utc")];
        PeerMessage[] gone = [.. entity.Messages.Where(message => message.State == MessageState.Active && message.LockToken is null && message.EnqueuedTime <= before).Take((int)body[Key("message-count")])];
        foreach (PeerMessage message in gone)
            entity.Remove(message);
        answer[Key("message-count")] = gone.Length;
        return gone.Length == 0 ? (204, null) : (200, null);
    }

    private static MapKey Key(string name) => new(name);

    private static IEnumerable<Guid> Tokens(AmqpMap body) => (IEnumerable<Guid>)body[Key("lock-tokens")];
}
