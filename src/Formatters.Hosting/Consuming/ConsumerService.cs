using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Runs the receivers of all queues that have consumers for as long as the host runs.</summary>
internal sealed class ConsumerService(
    IServiceProvider services,
    IOptionsMonitor<HostedQueueOptions> options,
    QueuesConfiguration configuration,
    IHostApplicationLifetime lifetime,
    ILoggerFactory loggers)
    : IHostedService, IDisposable
{
    // How long the start of the host waits for queues that do not answer.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(5);

    private readonly CancellationTokenSource _stopping = new();
    private readonly CancellationTokenSource _aborting = new();
    private readonly ILogger _logger = loggers.CreateLogger("Formatters.Hosting");
    private Task _running = Task.CompletedTask;
    private volatile bool _isStarted;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        // Also the settings of queues that nothing uses: their keys may be misspelt.
        foreach (string name in configuration.Names)
            options.Get(name);
        foreach (ISenderRegistration sender in services.GetServices<ISenderRegistration>())
            sender.Validate(services);
        Consumer[] consumers = [.. services.GetServices<Consumer>()];
        MiddlewareRegistration[] middleware = [.. services.GetServices<MiddlewareRegistration>()];
        await ValidateAsync(consumers, middleware).ConfigureAwait(false);

        MessageDelegate pipeline = static context => context.Consumer.HandleAsync(context);
        for (int i = middleware.Length - 1; i >= 0; i--)
            pipeline = middleware[i].Around(pipeline);
        QueueReceiver[] receivers =
        [
            .. consumers.GroupBy(static consumer => consumer.QueueName, StringComparer.Ordinal)
                .Select(group => CreateReceiver(group.Key, [.. group], pipeline)),
        ];
        _running = Task.WhenAll(receivers.Select(RunAsync));
        Task opened = Task.WhenAll(receivers.Select(static receiver => receiver.FirstAttempt));
        await Task.WhenAny(opened, Task.Delay(StartTimeout, cancellationToken)).ConfigureAwait(false);
        _isStarted = true;
        cancellationToken.ThrowIfCancellationRequested();
        // Each by itself: another queue may not have answered yet.
        if (Array.Find(receivers, static receiver => receiver.FirstAttempt.IsFaulted) is { } failed)
        {
            await StopAsync(cancellationToken).ConfigureAwait(false);
            await failed.FirstAttempt.ConfigureAwait(false);
        }
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        using CancellationTokenRegistration timeout = cancellationToken.Register(_aborting.Cancel);
        await _running.ConfigureAwait(false);
    }

    public void Dispose()
    {
        _stopping.Cancel();
        _aborting.Cancel();
    }

    /// <summary>Creates each handler and middleware once, so that a service that is not registered is an error at startup.</summary>
    private async Task ValidateAsync(Consumer[] consumers, MiddlewareRegistration[] middleware)
    {
        AsyncServiceScope scope = services.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            foreach (Consumer consumer in consumers)
            {
                if (consumer.IsTransactional && scope.ServiceProvider.GetService<OutboxScope>() is null)
                {
                    throw new InvalidOperationException(
                        $"Queue '{consumer.QueueName}': the consumer of {consumer.MessageType} is transactional, and there is no outbox. "
                            + "Call AddOutbox.");
                }

                if (consumer.HandlerType is { } type)
                    Create(type, $"Queue '{consumer.QueueName}': the handler {type} for {consumer.MessageType} cannot be created");
            }

            foreach (MiddlewareRegistration registration in middleware)
            {
                if (registration.Type is not null)
                    Create(registration.Type, $"The middleware {registration.Type} cannot be created");
            }
        }

        void Create(Type type, string failure)
        {
            try
            {
                scope.ServiceProvider.GetRequiredService(type);
            }
            catch (Exception e)
            {
                throw new InvalidOperationException($"{failure}: {e.Message}", e);
            }
        }
    }

    private QueueReceiver CreateReceiver(string queueName, Consumer[] group, MessageDelegate pipeline)
    {
        HostedQueueOptions own = options.Get(queueName);
        var consumers = new QueueConsumers(queueName, group);
        if (FindContradiction(queueName, own, consumers) is { } contradiction)
            throw new InvalidOperationException(contradiction);

        var time = services.GetRequiredService<TimeProvider>();
        var breaker = new CircuitBreaker(own.CircuitBreaker, time);
        QueueState state = services.GetRequiredService<QueueStates>().Get(queueName);
        var processor = new MessageProcessor(
            queueName,
            own,
            consumers,
            pipeline,
            breaker,
            state,
            services.GetRequiredService<IServiceScopeFactory>(),
            services.GetRequiredService<ReplySender>(),
            [.. services.GetServices<QueueObserver>()],
            time,
            _logger);
        return new QueueReceiver(
            queueName, own, consumers, processor, breaker, services.GetRequiredService<QueueConnections>(), state, time, _logger);
    }

    /// <summary>Finds a setting that consumers cannot have.</summary>
    private string? FindContradiction(string queueName, HostedQueueOptions own, QueueConsumers consumers)
    {
        if (QueueAddress.ParseList(own.Address).Count > 1)
            return $"{configuration.PathOf(queueName, nameof(own.Address))} has several addresses, from which consumers cannot receive.";
        if (own.IsTopic && string.IsNullOrEmpty(own.Subscription))
        {
            return $"{configuration.PathOf(queueName, nameof(own.Subscription))} is missing: "
                + "consumers receive from a subscription of a topic.";
        }

        if (own.RequiresSession && (consumers.IsOrdered || own.Retry.Mode == RetryMode.ByQueue))
        {
            return $"{configuration.PathOf(queueName, nameof(own.RequiresSession))} cannot be combined with an ordering key or with the retry mode "
                + $"{RetryMode.ByQueue}: a session keeps the order of its messages.";
        }

        return consumers.IsOrdered && own.Retry.Mode == RetryMode.ByQueue
            ? $"{configuration.PathOf(queueName, "Retry:Mode")} cannot be {RetryMode.ByQueue} with an ordering key: "
                + "a message that waits in the queue loses its place."
            : null;
    }

    private async Task RunAsync(QueueReceiver receiver)
    {
        try
        {
            await DetachedTask.Run(() => receiver.RunAsync(_stopping.Token, _aborting.Token)).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            // The start fails with it. Later, a worker that cannot receive is of no use.
            if (!_isStarted)
                return;
            _logger.ReceiverFailed(e);
            lifetime.StopApplication();
        }
    }
}
