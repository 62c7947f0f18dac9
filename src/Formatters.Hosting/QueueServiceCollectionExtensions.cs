using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Hosting;
using Formatters.Queues;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Registers queues, consumers and senders with the services of a host.</summary>
public static class QueueServiceCollectionExtensions
{
    /// <summary>The section of the configuration with the queues: <c>Queues</c>.</summary>
    public const string DefaultSectionName = "Queues";

    /// <summary>Adds queues, with the settings of the configuration.</summary>
    /// <param name="services">The services.</param>
    /// <param name="configuration">The configuration.</param>
    /// <param name="sectionName">The section, in which the key of each queue is its name.</param>
    /// <returns>Registers consumers and senders.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <remarks>
    /// Besides <see cref="ISender{T}"/>, the application can inject <c>[FromKeyedServices("orders")] QueueClient</c> and
    /// <see cref="QueueConnector"/>. A
    /// queue that is injected is opened then, which blocks until the queue answers.
    /// </remarks>
    /// <example><code>
    /// builder.Services.AddQueues(builder.Configuration).AddConsumer&lt;OrderPlaced, OrderHandler&gt;("orders");
    /// </code></example>
    public static QueuesBuilder AddQueues(this IServiceCollection services, IConfiguration configuration, string sectionName = DefaultSectionName)
    {
        ArgumentNullException.ThrowIfNull(services);
        ArgumentNullException.ThrowIfNull(configuration);
        ArgumentException.ThrowIfNullOrEmpty(sectionName);
        services.Replace(ServiceDescriptor.Singleton(new QueuesConfiguration(configuration.GetSection(sectionName))));
        return services.AddQueues();
    }

    /// <summary>Adds queues whose settings are given in code, with <see cref="QueuesBuilder.AddQueue"/>.</summary>
    /// <param name="services">The services.</param>
    /// <returns>Registers queues, consumers and senders.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="services"/> is null.</exception>
    public static QueuesBuilder AddQueues(this IServiceCollection services)
    {
        ArgumentNullException.ThrowIfNull(services);
        services.AddOptions();
        services.TryAddSingleton(TimeProvider.System);
        services.TryAddSingleton(new QueuesConfiguration(null));
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IConfigureOptions<HostedQueueOptions>, HostedQueueOptionsSetup>());
        services.TryAddEnumerable(ServiceDescriptor.Singleton<IValidateOptions<HostedQueueOptions>, HostedQueueOptionsValidator>());
        services.TryAddSingleton<QueueConnections>();
        services.TryAddSingleton<QueueStates>();
        services.TryAddSingleton<PayloadFormatters>();
        services.TryAddSingleton<ReplySender>();
        services.TryAddSingleton(static provider => provider.GetRequiredService<QueueConnections>().Connector);
        services.TryAddKeyedSingleton(KeyedService.AnyKey, static (provider, key) => OpenQueue(provider, key as string));
        services.AddHostedService<ConsumerService>();
        return new QueuesBuilder(services);
    }

    private static QueueClient OpenQueue(IServiceProvider services, string? name)
    {
        if (string.IsNullOrEmpty(name))
            throw new InvalidOperationException("The key of a queue is its name.");
        Task<SendTarget> target = services.GetRequiredService<QueueConnections>().GetTargetAsync(name, CancellationToken.None);
        return target.ConfigureAwait(false).GetAwaiter().GetResult().Queue
            ?? throw new InvalidOperationException($"'{name}' is a topic. Inject ISender<T>, or open it with {nameof(QueueConnector)}.");
    }
}
