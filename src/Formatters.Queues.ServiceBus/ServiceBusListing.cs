using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Azure.Messaging.ServiceBus.Administration;

namespace Formatters.Queues.ServiceBus;

/// <summary>Lists the queues and subscriptions of a namespace.</summary>
internal static class ServiceBusListing
{
    /// <summary>Lists one entity, or all of the namespace if the address has no entity.</summary>
    internal static async Task<IReadOnlyList<QueueStatus>> ListAsync(
        ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return address.EntityPath.Length > 0
                ? await ListOneAsync(space, address, cancellationToken).ConfigureAwait(false)
                : await ListAllAsync(space, address, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
        {
            throw ServiceBusErrors.Translate(e, "list the queues", address.Address);
        }
    }

    private static async Task<IReadOnlyList<QueueStatus>> ListOneAsync(
        ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        try
        {
            return [StatusOf(address, await ServiceBusEntities.GetCountsAsync(space, address, cancellationToken).ConfigureAwait(false))];
        }
        catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.MessagingEntityNotFound)
        {
            return [];
        }
    }

    private static async Task<IReadOnlyList<QueueStatus>> ListAllAsync(
        ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        var found = new List<QueueStatus>();
        ServiceBusAdministrationClient administration = space.Administration.Value;
        await foreach (QueueRuntimeProperties queue in administration.GetQueuesRuntimePropertiesAsync(cancellationToken).ConfigureAwait(false))
            Add(queue.Name, EntityCounts.Of(queue));
        await foreach (TopicProperties topic in administration.GetTopicsAsync(cancellationToken).ConfigureAwait(false))
        {
            await foreach (SubscriptionRuntimeProperties subscription in administration
                .GetSubscriptionsRuntimePropertiesAsync(topic.Name, cancellationToken).ConfigureAwait(false))
                Add($"{topic.Name}/Subscriptions/{subscription.SubscriptionName}", EntityCounts.Of(subscription));
        }

        found.Sort(static (first, second) => string.CompareOrdinal(first.Name, second.Name));
        return found;

        void Add(string path, EntityCounts counts)
        {
            found.Add(StatusOf(address.WithEntity(path), counts));
            if (counts.DeadLetterCount > 0)
                found.Add(StatusOf(address.WithEntity($"{path}/{ServiceBusAddress.DeadLetterName}"), counts));
        }
    }

    private static QueueStatus StatusOf(ServiceBusAddress address, EntityCounts counts) => new()
    {
        Address = address.Address,
        Name = address.EntityPath,
        MessageCount = address.IsDeadLetterQueue ? counts.DeadLetterCount : counts.Count,
    };
}

/// <summary>The numbers of messages of an entity.</summary>
/// <param name="Count">Those in the entity itself, including locked ones and those that are not due.</param>
/// <param name="DeadLetterCount">Those in its dead-letter queue.</param>
internal readonly record struct EntityCounts(long Count, long DeadLetterCount)
{
    internal static EntityCounts Of(QueueRuntimeProperties queue) =>
        new(queue.ActiveMessageCount + queue.ScheduledMessageCount, queue.DeadLetterMessageCount);

    internal static EntityCounts Of(SubscriptionRuntimeProperties subscription) =>
        new(subscription.ActiveMessageCount, subscription.DeadLetterMessageCount);
}
