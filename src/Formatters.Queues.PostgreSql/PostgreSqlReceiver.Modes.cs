using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.PostgreSql;

/// <content>Implements <see cref="AcknowledgeMode"/>: which messages an acknowledgement covers, and when it is sent to the server.</content>
internal sealed partial class PostgreSqlReceiver
{
    /// <summary>The delivered, unsettled messages in order, under <see cref="AcknowledgeMode.Cumulative"/>. Guarded by _waiting.Gate.</summary>
    private readonly LinkedList<PostgreSqlMessage> _received = new();

    /// <summary>The pending acknowledgements; null except under <see cref="AcknowledgeMode.Lazy"/>.</summary>
    private readonly LazyAcknowledger? _lazy;

    private AcknowledgeMode Mode => _locks && _options.ReceiveMode == ReceiveMode.PeekLock && _options.DeliveryMode != DeliveryMode.Transactional
        ? _options.AcknowledgeMode : AcknowledgeMode.Individual;

    /// <summary>Sends pending lazy acknowledgements now.</summary>
    internal Task FlushAsync() => _lazy?.FlushAsync() ?? Task.CompletedTask;

    /// <summary>Adds a message to the delivered ones; call with the gate held.</summary>
    private void NoteHandedOut(PostgreSqlMessage message)
    {
        if (Mode == AcknowledgeMode.Cumulative)
            message.Received = _received.AddLast(message);
    }

    /// <summary>Removes an individually settled message from the delivered ones, so that no cumulative acknowledgement includes it.</summary>
    private void ForgetHandedOut(PostgreSqlMessage message)
    {
        if (message.Received is not { } node)
            return;
        lock (_waiting.Gate)
        {
            if (node.List is not null)
                _received.Remove(node);
        }
    }

    private async ValueTask AcknowledgeCumulativelyAsync(PostgreSqlMessage message, CancellationToken cancellationToken)
    {
        List<PostgreSqlMessage> messages = TakeUpTo(message);
        messages.Add(message);
        HashSet<long> gone = await AcknowledgeNowAsync(messages).WaitAsync(cancellationToken).ConfigureAwait(false);
        if (!gone.Contains(message.Id))
            throw LockGone(message);
        if (messages.Find(other => !gone.Contains(other.Id)) is { } lost)
        {
            throw new QueueException(
                $"Message '{message.MessageId}' of '{_address}' is acknowledged, but not every message before it: the lock of '{lost.MessageId}' is "
                + "gone, because its lease has ended or the connection was lost. It will be delivered again.");
        }
    }

    /// <summary>Removes and returns the unsettled messages delivered up to and including a message, to be settled with it.</summary>
    private List<PostgreSqlMessage> TakeUpTo(PostgreSqlMessage message)
    {
        var messages = new List<PostgreSqlMessage>();
        lock (_waiting.Gate)
        {
            if (message.Received is not { List: not null } last)
                return messages;
            while (_received.First is { } first)
            {
                _received.RemoveFirst();
                if (first == last)
                    break;
                if (first.Value.TrySettle())
                    messages.Add(first.Value);
            }
        }

        return messages;
    }

    /// <summary>Deletes messages, with one statement per session that has locked some.</summary>
    /// <returns>The ids of those that were still locked.</returns>
    private async Task<HashSet<long>> AcknowledgeNowAsync(IReadOnlyList<PostgreSqlMessage> messages)
    {
        var gone = new HashSet<long>();
        foreach (IGrouping<int, PostgreSqlMessage> session in messages.GroupBy(static message => message.ServerSessionId!.Value))
            gone.UnionWith(await RunAsync("acknowledge the message", IsDurable, AcknowledgeCommand([.. session]), _target.JournalId,
                Acknowledgments.AdministrationQueuesOf(session)).ConfigureAwait(false));
        return gone;
    }
}
