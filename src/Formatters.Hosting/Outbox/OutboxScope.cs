using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>The transaction of a message's scope. The handler may get it before the transaction begins, and again after a middleware has called the
/// handler a second time.</summary>
internal sealed class OutboxScope(Outbox outbox, IServiceProvider services, ILoggerFactory loggers) : IOutboxTransaction
{
    private OutboxTransaction? _current;

    public DbConnection Connection => Current.Connection;

    public DbTransaction Transaction => Current.Transaction;

    private OutboxTransaction Current => _current ?? throw new InvalidOperationException(
        $"No transaction is active in this scope. Set {nameof(ConsumerOptions<object>.IsTransactional)} of the consumer; outside consumers, "
            + $"call {nameof(IOutbox)}.{nameof(IOutbox.BeginAsync)}.");

    public DbCommand CreateCommand(string commandText, params (string Name, object? Value)[] parameters) =>
        Current.CreateCommand(commandText, parameters);

    public Task<string> SendAsync<T>(T message, string? queue = null, SendOptions? options = null, CancellationToken cancellationToken = default) =>
        Current.SendAsync(message, queue, options, cancellationToken);

    /// <summary>Runs a handler in a transaction, unless the message was handled before.</summary>
    internal async Task RunAsync(MessageContext context, Func<MessageContext, Task> handle)
    {
        if (_current is not null)
            throw new InvalidOperationException("The handler is already running in this scope.");
        OutboxTransaction transaction = await outbox.BeginAsync(services, context.CancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            _current = transaction;
            try
            {
                // A message without an id cannot be recognized.
                if (context.MessageId is { } id
                    && !await transaction.TryInsertHandledAsync(context.QueueName, id, context.CancellationToken).ConfigureAwait(false))
                {
                    loggers.CreateLogger("Formatters.Hosting").Repeated(context.QueueName, context.ContractName, id);
                    OutboxTelemetry.RecordRepeated(context.QueueName);
                    context.IsRepeated = true;
                    return;
                }

                await handle(context).ConfigureAwait(false);
                await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
            }
            finally
            {
                _current = null;
            }
        }
    }
}
