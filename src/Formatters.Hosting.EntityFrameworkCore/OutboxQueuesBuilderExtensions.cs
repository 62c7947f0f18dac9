using System;
using Microsoft.EntityFrameworkCore;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>Adds an outbox and an inbox in the database of a context.</summary>
public static class OutboxQueuesBuilderExtensions
{
    /// <summary>Adds an outbox and an inbox in the database of a context, PostgreSQL or SQLite. Handlers of consumers with
    /// <see cref="ConsumerOptions{T}.IsTransactional"/> run in a transaction of the context of their scope, whose changes are saved when the handler
    /// has completed.</summary>
    /// <typeparam name="TContext">The context, added with <c>AddDbContext</c>. Its model has the tables
    /// (<see cref="OutboxModelBuilderExtensions.AddFormattersOutbox"/>); its provider must not retry by itself
    /// (<c>EnableRetryOnFailure</c>).</typeparam>
    /// <param name="queues">Registers queues, consumers and senders.</param>
    /// <param name="configure">Changes the settings; null for the defaults.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="queues"/> is null.</exception>
    /// <exception cref="InvalidOperationException">There is an outbox.</exception>
    public static QueuesBuilder AddOutbox<TContext>(this QueuesBuilder queues, Action<OutboxOptions>? configure = null)
        where TContext : DbContext
    {
        ArgumentNullException.ThrowIfNull(queues);
        return queues.AddOutbox(
            static services => new ContextDatabase<TContext>(services.GetRequiredService<IServiceScopeFactory>()), configure);
    }
}
