using System;
using System.Collections.Generic;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Contracts;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting;

/// <summary>Registers the queues of an application, with their consumers and senders, and its outbox.</summary>
public sealed class QueuesBuilder
{
    internal QueuesBuilder(IServiceCollection services) => Services = services;

    /// <summary>The services that are registered.</summary>
    public IServiceCollection Services { get; }

    /// <summary>Adds a queue, or changes its settings in code, after those of the configuration.</summary>
    /// <param name="name">The name of the queue in the application.</param>
    /// <param name="configure">Changes the settings; null for those of the configuration.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException"><paramref name="name"/> is null or empty.</exception>
    public QueuesBuilder AddQueue(string name, Action<HostedQueueOptions>? configure = null)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        Services.AddSingleton(new QueueRegistration(name));
        OptionsBuilder<HostedQueueOptions> options = Services.AddOptions<HostedQueueOptions>(name).ValidateOnStart();
        if (configure is not null)
            options.Configure(configure);
        return this;
    }

    /// <summary>Adds a provider of queues. Queues in memory and in folders need none.</summary>
    /// <param name="provider">The provider: <c>new PostgreSqlQueueProvider()</c>. The application disposes it, if it is disposable.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="provider"/> is null.</exception>
    public QueuesBuilder AddProvider(QueueProvider provider)
    {
        Services.AddSingleton(provider ?? throw new ArgumentNullException(nameof(provider)));
        return this;
    }

    /// <summary>Sets the formatter that writes and reads a type on all queues, in place of one for the
    /// <see cref="HostedQueueOptions.Format"/>.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="formatter">A formatter of the type, or a <see cref="FormatterRegistry"/> that reads several formats.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public QueuesBuilder AddFormatter<T>(IMessageFormatter formatter)
    {
        Services.AddSingleton(new RegisteredFormatter<T>(formatter ?? throw new ArgumentNullException(nameof(formatter))));
        return this;
    }

    /// <summary>Adds generated contracts, which write and read their types without reflection, on all queues with a format of the contract.</summary>
    /// <param name="contracts">The contracts of an assembly: the property <c>All</c> of a class with <see
    /// cref="MessageContractMapAttribute"/>.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="contracts"/> is null.</exception>
    /// <exception cref="ArgumentException">A type occurs twice.</exception>
    /// <remarks>A program that is trimmed or compiled ahead of time needs it. In other programs, the contract that was generated into a type is found
    /// by itself.</remarks>
    public QueuesBuilder AddContracts(IEnumerable<NamedContract> contracts)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        Services.AddSingleton(new GeneratedContracts(contracts));
        return this;
    }

    /// <summary>Adds a handler for the messages of one type on a queue. Several types on one queue are told apart by their contract names.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <typeparam name="THandler">The handler: a scoped service, which is registered if it is not yet.</typeparam>
    /// <param name="queue">The name of the queue.</param>
    /// <param name="configure">Changes how messages are identified and ordered; null for the defaults.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException"><paramref name="queue"/> is null or empty.</exception>
    public QueuesBuilder AddConsumer<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
        string queue, Action<ConsumerOptions<T>>? configure = null)
        where THandler : class, IMessageHandler<T>
    {
        Services.TryAddScoped<THandler>();
        return AddConsumer(queue, typeof(THandler), Consumer<T>.HandleAsync<THandler>, configure);
    }

    /// <summary>Adds a delegate that handles the messages of one type on a queue.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The name of the queue.</param>
    /// <param name="handler">The handler. It gets its services from <see cref="MessageContext.Services"/>.</param>
    /// <param name="configure">Changes how messages are identified and ordered; null for the defaults.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException"><paramref name="queue"/> is null or empty.</exception>
    /// <exception cref="ArgumentNullException"><paramref name="handler"/> is null.</exception>
    public QueuesBuilder AddConsumer<T>(
        string queue, Func<T, MessageContext, CancellationToken, Task> handler, Action<ConsumerOptions<T>>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(handler);
        return AddConsumer(queue, null, (message, context) => handler(message, context, context.CancellationToken), configure);
    }

    /// <summary>Adds an <see cref="ISender{T}"/> for a queue or topic, also as a service with the queue's name as its key.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The name of the queue. If a type has several, inject <c>[FromKeyedServices("orders")] ISender&lt;T&gt;</c>.</param>
    /// <param name="contractName">The contract name that is sent; null for that of the type: see <see cref="ContractNames"/>.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentException"><paramref name="queue"/> is null or empty.</exception>
    public QueuesBuilder AddSender<T>(string queue, string? contractName = null)
    {
        AddQueue(queue);
        Services.AddKeyedSingleton<ISender<T>>(queue, (services, _) => new Sender<T>(
            queue,
            contractName,
            services.GetRequiredService<QueueConnections>(),
            services.GetRequiredService<PayloadFormatters>(),
            services.GetRequiredService<QueueStates>(),
            services.GetRequiredService<TimeProvider>(),
            services.GetServices<QueueObserver>()));
        Services.AddSingleton(services => services.GetRequiredKeyedService<ISender<T>>(queue));
        Services.AddSingleton<ISenderRegistration>(new SenderRegistration<T>(queue, contractName));
        return this;
    }

    /// <summary>Adds a middleware around the handlers of all queues. The first that is added is the outermost.</summary>
    /// <typeparam name="T">The middleware: a scoped service, which is registered if it is not yet.</typeparam>
    /// <returns>This builder.</returns>
    public QueuesBuilder UseMiddleware<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] T>()
        where T : class, IMessageMiddleware
    {
        Services.TryAddScoped<T>();
        Services.AddSingleton(MiddlewareRegistration.Of<T>());
        return this;
    }

    /// <summary>Adds a middleware around the handlers of all queues, as a delegate.</summary>
    /// <param name="middleware">Gets the message and the rest of the pipeline.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="middleware"/> is null.</exception>
    public QueuesBuilder Use(Func<MessageContext, MessageDelegate, Task> middleware)
    {
        ArgumentNullException.ThrowIfNull(middleware);
        Services.AddSingleton(new MiddlewareRegistration(null, next => context => middleware(context, next)));
        return this;
    }

    /// <summary>Adds an outbox and an inbox in the application's database, PostgreSQL or SQLite: <see cref="IOutbox"/> sends messages in transactions
    /// of the application, and consumers with <see cref="ConsumerOptions{T}.IsTransactional"/> handle each message once.</summary>
    /// <param name="createConnection">Creates a connection of Npgsql or Microsoft.Data.Sqlite, which is opened and disposed.</param>
    /// <param name="configure">Changes the settings; null for the defaults.</param>
    /// <returns>This builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="createConnection"/> is null.</exception>
    /// <exception cref="InvalidOperationException">There is an outbox.</exception>
    /// <example><code>
    /// queues.AddOutbox(services => services.GetRequiredService&lt;NpgsqlDataSource&gt;().CreateConnection());
    /// </code></example>
    public QueuesBuilder AddOutbox(Func<IServiceProvider, DbConnection> createConnection, Action<OutboxOptions>? configure = null)
    {
        ArgumentNullException.ThrowIfNull(createConnection);
        return AddOutbox(services => new ConnectionDatabase(services, createConnection), configure);
    }

    /// <summary>Adds an outbox in a database.</summary>
    internal QueuesBuilder AddOutbox(Func<IServiceProvider, OutboxDatabase> createDatabase, Action<OutboxOptions>? configure)
    {
        if (Services.Any(static service => service.ServiceType == typeof(OutboxDatabase)))
            throw new InvalidOperationException("An outbox was added before. A host has one.");
        OptionsBuilder<OutboxOptions> options = Services.AddOptions<OutboxOptions>().ValidateOnStart();
        if (configure is not null)
            options.Configure(configure);
        Services.AddSingleton<IValidateOptions<OutboxOptions>, OutboxOptionsValidator>();
        Services.AddSingleton(createDatabase);
        Services.AddSingleton<Outbox>();
        Services.AddSingleton<IOutbox>(static services => services.GetRequiredService<Outbox>());
        Services.AddScoped<OutboxScope>();
        Services.AddScoped<IOutboxTransaction>(static services => services.GetRequiredService<OutboxScope>());
        Services.AddSingleton<OutboxTargets>();
        Services.AddHostedService<OutboxDispatcher>();
        return this;
    }

    private QueuesBuilder AddConsumer<T>(
        string queue, Type? handlerType, Func<T, MessageContext, Task> handle, Action<ConsumerOptions<T>>? configure)
    {
        AddQueue(queue);
        var options = new ConsumerOptions<T>();
        configure?.Invoke(options);
        Services.AddSingleton<Consumer>(
            services => new Consumer<T>(queue, handlerType, options, handle, services.GetRequiredService<PayloadFormatters>()));
        return this;
    }
}
