using System;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Azure.Messaging.ServiceBus.Administration;

namespace Formatters.Queues.ServiceBus;

/// <summary>Creates, checks, counts and deletes entities by the administration client.</summary>
internal static class ServiceBusEntities
{
    /// <summary>The most deliveries that the service allows, for handles that want no limit.</summary>
    private const int UnlimitedDeliveryCount = 2000;

    private static readonly TimeSpan TemporaryLifetime = TimeSpan.FromHours(1);

    /// <summary>Creates a queue, and its dead-letter queue, if they do not exist, and checks the settings that the handle asks for.</summary>
    internal static Task EnsureQueueAsync(ServiceBusNamespace space, ServiceBusAddress address, QueueOptions options,
        CancellationToken cancellationToken) =>
        RunAsync(
            space,
            async administration =>
            {
                if (ForwardedTo(address, options) is { } dead)
                    await CreateQueueAsync(administration, space, dead, null, 0, cancellationToken).ConfigureAwait(false);
                string? deadLetters = ForwardedTo(address, options);
                if (await CreateQueueAsync(administration, space, address.MainPath, deadLetters, options.MaxDeliveryCount, cancellationToken,
                    options.DeadLetterQueue is not null, options.RequiresSession).ConfigureAwait(false))
                    return;
                if (options.DeadLetterQueue is null && !options.RequiresSession)
                    return;
                QueueProperties existing = await administration.GetQueueAsync(address.MainPath, cancellationToken).ConfigureAwait(false);
                CheckSessions(address, options, existing.RequiresSession);
                if (options.DeadLetterQueue is not null && Adjust(address, options, deadLetters, existing.ForwardDeadLetteredMessagesTo,
                    existing.MaxDeliveryCount, existing.DeadLetteringOnMessageExpiration))
                {
                    existing.ForwardDeadLetteredMessagesTo = deadLetters;
                    existing.MaxDeliveryCount = options.MaxDeliveryCount > 0 ? options.MaxDeliveryCount : existing.MaxDeliveryCount;
                    existing.DeadLetteringOnMessageExpiration = true;
                    await administration.UpdateQueueAsync(existing, cancellationToken).ConfigureAwait(false);
                }
            },
            "open the queue",
            address.Address);

    /// <summary>Creates a topic if it does not exist.</summary>
    internal static Task EnsureTopicAsync(ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken) => RunAsync(
        space,
        async administration =>
        {
            if ((await administration.TopicExistsAsync(address.EntityPath, cancellationToken).ConfigureAwait(false)).Value)
                return;
            var create = new CreateTopicOptions(address.EntityPath);
            if (space.Options.DuplicateDetectionWindow is { } window)
                (create.RequiresDuplicateDetection, create.DuplicateDetectionHistoryTimeWindow) = (true, window);
            await IgnoreExistingAsync(() => administration.CreateTopicAsync(create, cancellationToken)).ConfigureAwait(false);
        },
        "open the topic",
        address.Address);

    /// <summary>Creates a subscription if it does not exist, and sets its filter.</summary>
    /// <param name="space">The namespace.</param>
    /// <param name="address">The address of the subscription.</param>
    /// <param name="options">The options of the handle.</param>
    /// <param name="filter">The filter.</param>
    /// <param name="isTemporary">Whether it ends with its handle: if that cannot delete it, the service does, an hour later.</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal static Task EnsureSubscriptionAsync(
        ServiceBusNamespace space, ServiceBusAddress address, QueueOptions options, RuleFilter filter, bool isTemporary,
            CancellationToken cancellationToken) => RunAsync(
        space,
        async administration =>
        {
            (string topic, string name) = address.Subscription!.Value;
            string? deadLetters = ForwardedTo(address, options);
            if (deadLetters is not null)
                await CreateQueueAsync(administration, space, deadLetters, null, 0, cancellationToken).ConfigureAwait(false);
            var create = new CreateSubscriptionOptions(topic, name)
            {
                LockDuration = space.Options.LockDuration,
                MaxDeliveryCount = options.MaxDeliveryCount > 0 ? options.MaxDeliveryCount : UnlimitedDeliveryCount,
                ForwardDeadLetteredMessagesTo = deadLetters,
                DeadLetteringOnMessageExpiration = options.DeadLetterQueue is not null,
                RequiresSession = options.RequiresSession,
            };
            if (isTemporary)
                create.AutoDeleteOnIdle = TemporaryLifetime;
            try
            {
                await administration.CreateSubscriptionAsync(create, new CreateRuleOptions(CreateRuleOptions.DefaultRuleName, filter),
                    cancellationToken).ConfigureAwait(false);
                return;
            }
            catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.MessagingEntityAlreadyExists)
            {
                // Another handle's, or of an earlier run: its filter is replaced if it is another.
            }

            // The settings first: a handle that is rejected does not change the filter.
            if (options.DeadLetterQueue is not null || options.RequiresSession)
            {
                SubscriptionProperties settings = await administration.GetSubscriptionAsync(topic, name, cancellationToken).ConfigureAwait(false);
                CheckSessions(address, options, settings.RequiresSession);
                if (options.DeadLetterQueue is not null && Adjust(address, options, deadLetters, settings.ForwardDeadLetteredMessagesTo,
                    settings.MaxDeliveryCount, settings.DeadLetteringOnMessageExpiration))
                {
                    settings.ForwardDeadLetteredMessagesTo = deadLetters;
                    settings.MaxDeliveryCount = options.MaxDeliveryCount > 0 ? options.MaxDeliveryCount : settings.MaxDeliveryCount;
                    settings.DeadLetteringOnMessageExpiration = true;
                    await administration.UpdateSubscriptionAsync(settings, cancellationToken).ConfigureAwait(false);
                }
            }

            RuleProperties existing = await administration.GetRuleAsync(topic, name, CreateRuleOptions.DefaultRuleName, cancellationToken)
                .ConfigureAwait(false);
            if (!existing.Filter.Equals(filter))
            {
                existing.Filter = filter;
                await administration.UpdateRuleAsync(topic, name, existing, cancellationToken).ConfigureAwait(false);
            }
        },
        "subscribe",
        address.Address);

    /// <summary>Deletes a queue or a subscription.</summary>
    /// <returns>Whether it existed.</returns>
    internal static async Task<bool> DeleteAsync(ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        try
        {
            if (address.Subscription is var (topic, name))
                await space.Administration.Value.DeleteSubscriptionAsync(topic, name, cancellationToken).ConfigureAwait(false);
            else
                await space.Administration.Value.DeleteQueueAsync(address.MainPath, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.MessagingEntityNotFound)
        {
            return false;
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
        {
            throw ServiceBusErrors.Translate(e, "delete the entity", address.Address);
        }
    }

    /// <summary>Counts the messages, including locked ones and those that are not due.</summary>
    internal static async Task<long> CountAsync(ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        try
        {
            EntityCounts counts = await GetCountsAsync(space, address, cancellationToken).ConfigureAwait(false);
            return address.IsDeadLetterQueue ? counts.DeadLetterCount : counts.Count;
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
        {
            throw ServiceBusErrors.Translate(e, "count the messages", address.Address);
        }
    }

    /// <summary>Gets the numbers of messages of a queue or subscription.</summary>
    internal static async Task<EntityCounts> GetCountsAsync(
        ServiceBusNamespace space, ServiceBusAddress address, CancellationToken cancellationToken)
    {
        ServiceBusAdministrationClient administration = space.Administration.Value;
        if (address.Subscription is not var (topic, name))
        {
            QueueRuntimeProperties queue =
                await administration.GetQueueRuntimePropertiesAsync(address.MainPath, cancellationToken).ConfigureAwait(false);
            return EntityCounts.Of(queue);
        }

        SubscriptionRuntimeProperties subscription =
            await administration.GetSubscriptionRuntimePropertiesAsync(topic, name, cancellationToken).ConfigureAwait(false);
        return EntityCounts.Of(subscription);
    }

    /// <summary>Returns the queue to which dead letters are forwarded; null if there is none, or it is the entity's own.</summary>
    private static string? ForwardedTo(ServiceBusAddress address, QueueOptions options) =>
        options.DeadLetterQueue is not { } name || IsOwn(address, name) ? null : name;

    private static bool IsOwn(ServiceBusAddress address, string name) =>
        name.Equals($"{address.MainPath}/{ServiceBusAddress.DeadLetterName}", StringComparison.OrdinalIgnoreCase)
        || name.Equals(ServiceBusAddress.DeadLetterName, StringComparison.OrdinalIgnoreCase);

    /// <summary>Checks that an existing entity has the sessions that a handle asks for. The service cannot change this.</summary>
    private static void CheckSessions(ServiceBusAddress address, QueueOptions options, bool hasSessions)
    {
        if (options.RequiresSession && !hasSessions)
            throw new QueueException(
                $"'{address.Address}': the entity has no sessions. Open it without {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}, or "
                + "delete the entity, and it is created with them.");
    }

    /// <summary>Determines whether an existing entity must be changed for a handle's dead letters.</summary>
    /// <exception cref="QueueException">The entity has other settings.</exception>
    private static bool Adjust(ServiceBusAddress address, QueueOptions options, string? deadLetters, string? existing, int existingDeliveryCount,
        bool deadLettersExpired)
    {
        string? path = Uri.TryCreate(existing, UriKind.Absolute, out Uri? uri) ? Uri.UnescapeDataString(uri.AbsolutePath.Trim('/')) : existing;
        if (!string.IsNullOrEmpty(path) && !path.Equals(deadLetters, StringComparison.OrdinalIgnoreCase))
        {
            throw new QueueException(
                $"'{address.Address}': the entity forwards its dead letters to '{path}', and this handle asks for '{options.DeadLetterQueue}'. Open "
                + $"it with that {nameof(QueueOptions.DeadLetterQueue)}, or change the entity.");
        }

        if (options.MaxDeliveryCount > 0 && existingDeliveryCount != options.MaxDeliveryCount && existingDeliveryCount != UnlimitedDeliveryCount)
        {
            throw new QueueException(
                $"'{address.Address}': the entity has a maximum delivery count of {existingDeliveryCount}, and this handle asks for "
                + $"{options.MaxDeliveryCount}. Open it with that {nameof(QueueOptions.MaxDeliveryCount)}, or change the entity.");
        }

        return (deadLetters is not null && string.IsNullOrEmpty(path)) || !deadLettersExpired
            || (options.MaxDeliveryCount > 0 && existingDeliveryCount != options.MaxDeliveryCount);
    }

    private static async Task<bool> CreateQueueAsync(
        ServiceBusAdministrationClient administration, ServiceBusNamespace space, string path, string? deadLetters, int maxDeliveryCount,
            CancellationToken cancellationToken, bool deadLettersExpired = false, bool requiresSession = false)
    {
        if ((await administration.QueueExistsAsync(path, cancellationToken).ConfigureAwait(false)).Value)
            return false;
        var create = new CreateQueueOptions(path)
        {
            LockDuration = space.Options.LockDuration,
            MaxDeliveryCount = maxDeliveryCount > 0 ? maxDeliveryCount : UnlimitedDeliveryCount,
            ForwardDeadLetteredMessagesTo = deadLetters,
            DeadLetteringOnMessageExpiration = deadLettersExpired,
            RequiresSession = requiresSession,
        };
        if (space.Options.DuplicateDetectionWindow is { } window)
            (create.RequiresDuplicateDetection, create.DuplicateDetectionHistoryTimeWindow) = (true, window);
        return await IgnoreExistingAsync(() => administration.CreateQueueAsync(create, cancellationToken)).ConfigureAwait(false);
    }

    private static async Task<bool> IgnoreExistingAsync(Func<Task> create)
    {
        try
        {
            await create().ConfigureAwait(false);
            return true;
        }
        catch (ServiceBusException e) when (e.Reason == ServiceBusFailureReason.MessagingEntityAlreadyExists)
        {
            return false;
        }
    }

    private static async Task RunAsync(ServiceBusNamespace space, Func<ServiceBusAdministrationClient, Task> operation, string what,
        QueueAddress address)
    {
        if (!space.Options.CreatesEntities)
            return;
        try
        {
            await operation(space.Administration.Value).ConfigureAwait(false);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e)
            && e is not TaskCanceledException { CancellationToken.IsCancellationRequested: true })
        {
            throw ServiceBusErrors.Translate(e, what, address);
        }
    }
}
