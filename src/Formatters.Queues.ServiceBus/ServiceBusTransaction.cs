using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using System.Transactions;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>A transaction of the service: sends to any entities of a namespace, and receives from one.</summary>
/// <remarks>
/// It has a separate connection, because all its operations go through its first entity. Sends are kept here until the commit, and received
/// messages are locked until then.
/// </remarks>
internal sealed class ServiceBusTransaction(ServiceBusNamespace space, QueueAddress address) : QueueTransaction
{
    private readonly Lock _gate = new();
    private readonly List<(string EntityPath, ServiceBusMessage Message)> _sends = [];
    private readonly Dictionary<ServiceBusQueueMessage, Settlement> _settlements = [];
    private ServiceBusClient? _client;
    private ServiceBusInbox? _inbox;
    private string? _receivedFrom;
    private bool _isEnded;

    /// <summary>Determines whether the transaction is of a namespace.</summary>
    internal bool IsOf(ServiceBusNamespace other) =>
        (space.Address.ConnectionString, space.Address.NamespaceName) == (other.Address.ConnectionString, other.Address.NamespaceName);

    /// <summary>Keeps a message until the commit.</summary>
    internal void Send(ServiceBusAddress target, QueueMessage message)
    {
        ServiceBusMessage sent = ServiceBusQueueMessage.ToServiceBus(message);
        // The caller may change the bytes after the send.
        sent.Body = BinaryData.FromBytes(sent.Body.ToArray());
        lock (_gate)
        {
            ThrowIfEnded();
            _sends.Add((target.EntityPath, sent));
        }
    }

    /// <summary>Returns the receiving side for an entity.</summary>
    /// <exception cref="NotSupportedException">The transaction has received from another entity.</exception>
    internal ServiceBusInbox InboxOf(ServiceBusAddress source, QueueOptions options, MessageSelector? selector)
    {
        lock (_gate)
        {
            ThrowIfEnded();
            if (_receivedFrom is not null && _receivedFrom != source.EntityPath)
                throw new NotSupportedException(
                    $"'{source.Address}': a transaction of Service Bus receives from one entity, and this one has received from '{_receivedFrom}'.");
            if (_inbox is not null)
                return _inbox;
            _client ??= space.CreateClient(crossesEntities: true);
            _receivedFrom = source.EntityPath;
            return _inbox = new ServiceBusInbox(space, source, _client, options, selector, this);
        }
    }

    /// <summary>Stores the settlement of a message for the commit.</summary>
    internal void Settle(ServiceBusQueueMessage message, Settlement settlement)
    {
        lock (_gate)
        {
            ThrowIfEnded();
            _settlements[message] = settlement;
        }
    }

    public override async ValueTask CommitAsync(CancellationToken cancellationToken = default)
    {
        End();
        bool mayHaveHappened = false;
        ServiceBusQueueMessage[] received = _inbox?.TakeLocked() ?? [];
        try
        {
            if (received.Length > 0 || _sends.Count > 0)
            {
                _client ??= space.CreateClient(crossesEntities: true);
                using var transaction = new CommittableTransaction(new TransactionOptions
                {
                    IsolationLevel = IsolationLevel.Serializable,
                    Timeout = space.Timeout,
                });
                using (var scope = new TransactionScope(transaction, TransactionScopeAsyncFlowOption.Enabled))
                {
                    foreach (ServiceBusQueueMessage message in received)
                        await ServiceBusLocks.ApplyAsync(message.Receiver, message, _settlements.GetValueOrDefault(message, Settlement.Complete))
                            .ConfigureAwait(false);
                    await ConnectionThread.LeaveAsync(SendAllAsync()).ConfigureAwait(false);
                    scope.Complete();
                }

                mayHaveHappened = true;
                await ConnectionThread.LeaveAsync(Task.Factory.FromAsync(transaction.BeginCommit, transaction.EndCommit, null))
                    .ConfigureAwait(false);
            }
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) || e is InvalidOperationException)
        {
            // The received messages go back when the connection is closed.
            foreach (ServiceBusQueueMessage message in received)
                _inbox!.Locks.Unclaim(message);
            throw ServiceBusErrors.Translate(e, "commit the transaction", address, mayHaveHappened);
        }
        finally
        {
            await CloseAsync().ConfigureAwait(false);
        }
    }

    public override ValueTask RollbackAsync(CancellationToken cancellationToken = default)
    {
        End();
        return CloseAsync();
    }

    public override ValueTask DisposeAsync()
    {
        lock (_gate)
        {
            if (_isEnded)
                return default;
            _isEnded = true;
        }

        return CloseAsync();
    }

    private async Task SendAllAsync()
    {
        // Messages for one entity keep their order.
        foreach (IGrouping<string, (string EntityPath, ServiceBusMessage Message)> target in _sends.GroupBy(static send => send.EntityPath))
        {
            ServiceBusSender sender = _client!.CreateSender(target.Key);
            await using (sender.ConfigureAwait(false))
            {
                foreach ((_, ServiceBusMessage message) in target)
                    await sender.SendMessageAsync(message).ConfigureAwait(false);
            }
        }
    }

    private void End()
    {
        lock (_gate)
        {
            ThrowIfEnded();
            _isEnded = true;
        }
    }

    private void ThrowIfEnded()
    {
        if (_isEnded)
            throw new InvalidOperationException($"The transaction of '{address}' has been committed or rolled back.");
    }

    private async ValueTask CloseAsync()
    {
        if (_inbox is not null)
            await _inbox.CloseAsync().ConfigureAwait(false);
        if (_client is not null)
            await ConnectionThread.LeaveAsync(_client.DisposeAsync()).ConfigureAwait(false);
    }
}
