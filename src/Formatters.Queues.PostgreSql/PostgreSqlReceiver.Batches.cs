using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <content>Settles several messages together.</content>
internal sealed partial class PostgreSqlReceiver
{
    /// <summary>Acknowledges messages in one statement.</summary>
    /// <exception cref="QueueBatchException">Some messages are no longer locked; the others are acknowledged.</exception>
    internal async ValueTask AcknowledgeAsync(IReadOnlyList<ReceivedMessage> messages, QueueAddress address, CancellationToken cancellationToken)
    {
        PostgreSqlMessage[] own = OwnOf(messages);
        QueueChecks.NotInScope(address);
        cancellationToken.ThrowIfCancellationRequested();
        if (!IsPeekLock)
            return;
        List<QueueBatchFailure>? failures = null;
        var indexes = new Dictionary<PostgreSqlMessage, int>(own.Length);
        for (int i = 0; i < own.Length; i++)
        {
            if (own[i].IsInTransaction)
                continue;
            if (!own[i].TrySettle())
            {
                if (own[i].LostLock && !indexes.ContainsKey(own[i]))
                    (failures ??= []).Add(new QueueBatchFailure(i, LockGone(own[i])));
                continue;
            }

            if (IsGone(own[i]))
                (failures ??= []).Add(new QueueBatchFailure(i, LockGone(own[i])));
            else
                indexes.Add(own[i], i);
        }

        if (_lazy is not null)
        {
            foreach (PostgreSqlMessage message in indexes.Keys)
                await _lazy.AddAsync(message).ConfigureAwait(false);
        }
        else if (indexes.Count > 0)
        {
            if (Mode == AcknowledgeMode.Cumulative)
            {
                foreach ((PostgreSqlMessage message, int index) in indexes.ToArray())
                {
                    foreach (PostgreSqlMessage earlier in TakeUpTo(message))
                        indexes.TryAdd(earlier, index);
                }
            }

            HashSet<long> gone = await AcknowledgeNowAsync([.. indexes.Keys]).WaitAsync(cancellationToken).ConfigureAwait(false);
            foreach ((PostgreSqlMessage message, int index) in indexes)
            {
                if (!gone.Contains(message.Id))
                    (failures ??= []).Add(new QueueBatchFailure(index, LockGone(message)));
            }
        }

        if (failures is null)
            return;
        failures.Sort(static (a, b) => a.Index.CompareTo(b.Index));
        throw new QueueBatchException(
            $"'{address}': {failures.Count} of {messages.Count} messages were not acknowledged: {failures[0].Error.Message}", failures);
    }

    /// <summary>Returns undelivered messages to the queue.</summary>
    internal async ValueTask ReturnUnseenAsync(IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken)
    {
        PostgreSqlMessage[] unseen = [.. OwnOf(messages).Where(message => IsPeekLock && !message.IsInTransaction && message.TrySettle())];
        foreach (PostgreSqlMessage message in unseen)
            ForgetHandedOut(message);
        if (unseen.Length > 0)
            await ReturnUnseenAsync(unseen).WaitAsync(cancellationToken).ConfigureAwait(false);
    }

    private PostgreSqlMessage[] OwnOf(IReadOnlyList<ReceivedMessage> messages)
    {
        var own = new PostgreSqlMessage[messages.Count];
        for (int i = 0; i < own.Length; i++)
        {
            own[i] = messages[i] is PostgreSqlMessage message && message.Receiver == this
                ? message
                : throw new ArgumentException($"Message {i} was not received by this handle of '{_address}'.", nameof(messages));
        }

        return own;
    }
}
