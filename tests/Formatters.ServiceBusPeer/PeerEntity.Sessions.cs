using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.Azure.Amqp;

namespace Formatters.ServiceBusPeer;

// Sessions: a receiver locks one, and gets its messages in their order. The lock ends with the receiver's link, or by itself.
internal sealed partial class PeerEntity
{
    /// <summary>The most bytes of a session's state, as in the standard tier.</summary>
    internal const int MaxStateByteCount = 256 << 10;

    private readonly Dictionary<string, PeerSession> _sessions = [];
    private readonly Dictionary<string, byte[]> _states = [];
    private readonly LinkedList<PeerAcceptance> _acceptances = new();

    /// <summary>Finds a session that a receiver has locked.</summary>
    internal PeerSession? FindSession(string? sessionId) =>
        sessionId is not null && _sessions.TryGetValue(sessionId, out PeerSession? session) && session.LockedUntil > DateTime.UtcNow ? session : null;

    internal byte[]? GetState(string sessionId) => _states.GetValueOrDefault(sessionId);

    internal void SetState(string sessionId, byte[]? state)
    {
        if (state is null)
            _states.Remove(sessionId);
        else
            _states[sessionId] = state;
    }

    /// <summary>Locks a session now, or the next one when it is free.</summary>
    internal void Accept(PeerAcceptance acceptance)
    {
        if (acceptance.SessionId is { } id && FindSession(id) is not null)
        {
            acceptance.Fail(new AmqpException("com.microsoft:session-cannot-be-locked", $"The requested session '{id}' cannot be accepted. It may be locked by another receiver."));
            return;
        }

        _acceptances.AddLast(acceptance);
        Deliver();
    }

    internal void Withdraw(PeerAcceptance acceptance) => _acceptances.Remove(acceptance);

    /// <summary>Ends the lock of a session: its messages are back in their places.</summary>
    /// <param name="session">The session.</param>
    /// <param name="counts">Whether this counts as a delivery of its locked messages: if the lock has ended, and not if its receiver has closed.</param>
    internal void Release(PeerSession session, bool counts)
    {
        if (!_sessions.TryGetValue(session.Id, out PeerSession? current) || current != session)
            return;
        _sessions.Remove(session.Id);
        foreach (PeerMessage message in _locks.Values.Where(message => message.SessionId == session.Id).ToArray())
            Unlock(message, counts);
        Deliver();
    }

    internal DateTime Renew(PeerSession session)
    {
        session.LockedUntil = DateTime.UtcNow + LockDuration;
        foreach (PeerMessage message in _locks.Values)
        {
            if (message.SessionId == session.Id)
                message.LockedUntil = session.LockedUntil;
        }

        return session.LockedUntil;
    }

    /// <summary>Ends the locks of all sessions, as if they had not been renewed.</summary>
    internal void LoseSessions()
    {
        foreach (PeerSession session in _sessions.Values)
            session.LockedUntil = DateTime.MinValue;
        TickSessions();
    }

    private void TickSessions()
    {
        DateTime now = DateTime.UtcNow;
        foreach (PeerSession session in _sessions.Values.Where(session => session.LockedUntil <= now).ToArray())
        {
            session.Consumer?.Link.SafeClose(new AmqpException("com.microsoft:session-lock-lost", $"The session lock has expired on the session '{session.Id}'. Accept a new session."));
            session.Consumer = null;
            Release(session, counts: true);
        }

        foreach (PeerAcceptance acceptance in _acceptances.Where(acceptance => acceptance.Deadline <= now).ToArray())
        {
            _acceptances.Remove(acceptance);
            acceptance.Fail(new AmqpException("com.microsoft:timeout", "The operation did not complete within the allotted timeout: no session is free."));
        }
    }

    private void DeliverSessions()
    {
        foreach (PeerAcceptance acceptance in _acceptances.ToArray())
        {
            string? id = acceptance.SessionId ?? _available.Select(number => _messages[number].SessionId).FirstOrDefault(id => id is not null && !_sessions.ContainsKey(id));
            if (id is null)
                continue;
            _acceptances.Remove(acceptance);
            var session = new PeerSession(id) { LockedUntil = DateTime.UtcNow + LockDuration };
            _sessions[id] = session;
            acceptance.Succeed(session);
        }

        foreach (PeerSession session in _sessions.Values.ToArray())
        {
            while (session.Consumer is { Credit: > 0 } consumer && TakeFirst(session.Id) is { } message)
                Send(consumer, message);
        }
    }
}

/// <summary>A locked session.</summary>
internal sealed class PeerSession(string id)
{
    internal string Id { get; } = id;

    internal DateTime LockedUntil { get; set; }

    /// <summary>Gets or sets the receiver that has locked it; null when its connection was lost.</summary>
    internal PeerConsumer? Consumer { get; set; }
}

/// <summary>A receiver that waits for a session.</summary>
/// <param name="SessionId">The session; null for the next one that is free.</param>
/// <param name="Deadline">When it fails.</param>
/// <param name="Succeed">Opens its link.</param>
/// <param name="Fail">Refuses its link.</param>
internal sealed record PeerAcceptance(string? SessionId, DateTime Deadline, Action<PeerSession> Succeed, Action<Exception> Fail);
