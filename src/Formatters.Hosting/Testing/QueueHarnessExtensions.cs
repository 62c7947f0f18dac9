using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting.Testing;

/// <summary>Replaces the queues of an application by queues in memory, for tests.</summary>
public static class QueueHarnessExtensions
{
    /// <summary>Replaces all queues and topics by queues in memory of the same names, and registers a <see cref="QueueHarness"/>. Call it after
    /// <c>AddQueues</c>.</summary>
    /// <param name="services">The services of the application under test.</param>
    /// <param name="timeProvider">The clock of delays, leases, retries and pauses; null for that of the system.</param>
    /// <returns>The services.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    /// <remarks>The settings of the queues stay as they are, except for their addresses and delivery modes. A queue that was added, or for which a
    /// consumer or sender was added, needs no address.</remarks>
    public static IServiceCollection AddQueueHarness(this IServiceCollection services, TimeProvider? timeProvider = null)
    {
        ArgumentNullException.ThrowIfNull(services);
        timeProvider ??= TimeProvider.System;
        services.RemoveAll<QueueProvider>();
        services.AddSingleton<QueueProvider>(new MemoryQueueProvider(timeProvider));
        services.Replace(ServiceDescriptor.Singleton(timeProvider));
        services.AddSingleton<IPostConfigureOptions<HostedQueueOptions>, MemoryAddresses>();
        services.AddSingleton(static provider => new QueueHarness(
            provider.GetRequiredService<QueueConnections>(),
            provider.GetRequiredService<PayloadFormatters>(),
            provider.GetRequiredService<IOptionsMonitor<HostedQueueOptions>>(),
            provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton(static provider => provider.GetRequiredService<QueueHarness>().Observer);
        return services;
    }

    /// <summary>Sets the address of each queue to its name in memory, and that of a topic to the topic's, which its subscriptions share.</summary>
    private sealed class MemoryAddresses(IEnumerable<QueueRegistration> registrations) : IPostConfigureOptions<HostedQueueOptions>
    {
        public void PostConfigure(string? name, HostedQueueOptions options)
        {
            // Without one, the name is unknown: the validator reports it, as in the application.
            if (options.Address.Length == 0 && !registrations.Any(registration => registration.Name == name))
                return;
            string memoryName = options.IsTopic && options.Address.Length > 0 ? QueueAddress.Parse(options.Address).QueueName : name ?? "";
            options.Address = "memory:" + Uri.EscapeDataString(memoryName);
            options.DeliveryMode = null;
        }
    }
}
