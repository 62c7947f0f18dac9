using System;
using System.Data.Common;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>The transaction of a message's scope. The handler may get it before the transaction begins, and again after a middleware has called the
/// handler a second time.</summary>
internal sealed class OutboxScope(Outbox outbox, IServiceProvider services, QueueStates states, TimeProvider time, ILoggerFactory loggers)
    : IOutboxTransaction
{
    private readonly ILogger _logger = loggers.CreateLogger("Formatters.Hosting");
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
    /// <exception cref="OutboxException">The database is at fault, and not the message; or the transaction could not be committed.</exception>
    internal async Task RunAsync(MessageContext context, Func<MessageContext, Task> handle)
    {
        if (_current is not null)
            throw new InvalidOperationException("The handler is already running in this scope.");
        context.Timer.Stop();
        context.CancellationToken.ThrowIfCancellationRequested();
        if (await BeginAsync(context).ConfigureAwait(false) is not { } transaction)
        {
            context.IsRepeated = true;
            return;
        }

        await using (transaction.ConfigureAwait(false))
        {
            _current = transaction;
            context.Timer.Restart();
            try
            {
                await handle(context).ConfigureAwait(false);
                await transaction.CommitAsync(CancellationToken.None).ConfigureAwait(false);
            }
            catch (Exception e) when (e is not MessageRejectedException && OutboxException.FindOutage(e) is null && transaction.IsOutage(e))
            {
                throw OutboxTables.Outage(e, "A handler's transaction has failed");
            }
            finally
            {
                _current = null;
            }
        }
    }

    /// <summary>Begins the transaction, and inserts the id of the message into the inbox.</summary>
    /// <returns>The transaction; null if the message was handled before.</returns>
    private async Task<OutboxTransaction?> BeginAsync(MessageContext context)
    {
        CancellationToken interruption = context.Timer.Interruption;
        // Other handlers may be writing: the database is not late.
        IDisposable? turn = await outbox.WaitToWriteAsync(interruption).ConfigureAwait(false);
        OutboxTransaction? transaction = null;
        ITimer watch = OutboxDatabase.Watch(error => NoteOutage(context, error), time);
        await using (watch.ConfigureAwait(false))
        {
            try
            {
                transaction = await outbox.BeginAsync(services, turn, interruption).ConfigureAwait(false);
                // A message without an id cannot be recognized.
                if (context.MessageId is not { } id
                    || await transaction.TryInsertHandledAsync(context.QueueName, id, interruption).ConfigureAwait(false))
                {
                    return transaction;
                }

                _logger.Repeated(context.QueueName, context.ContractName, id);
                OutboxTelemetry.RecordRepeated(context.QueueName);
            }
            catch (Exception e)
            {
                if (transaction is not null)
                    await transaction.DisposeAsync().ConfigureAwait(false);
                if (interruption.IsCancellationRequested || (e is OutboxException failed && (failed.IsOutage || transaction is not null)))
                    throw;
                throw OutboxTables.Outage(e, "No transaction could be begun in the database of the outbox");
            }
        }

        await transaction.DisposeAsync().ConfigureAwait(false);
        return null;
    }

    private void NoteOutage(MessageContext context, Exception error)
    {
        if (states.Get(context.QueueName).Database.Begin(error, time))
            _logger.InboxFailed(error, context.QueueName, context.ContractName, context.MessageId);
    }
}
