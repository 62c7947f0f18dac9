using System;
using System.Data.Common;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>Listens on a connection of PostgreSQL for messages that other processes, or transactions of the application, have committed. What it
/// misses while it is not connected is found by polling.</summary>
internal sealed class OutboxListener(Outbox outbox, TimeProvider time, ILogger logger)
{
    private static readonly TimeSpan MaxFirstDelay = TimeSpan.FromSeconds(1);

    /// <summary>Listens until the host stops, and connects again whenever the connection ends.</summary>
    internal async Task RunAsync(CancellationToken stopping)
    {
        int failureCount = 0;
        while (!stopping.IsCancellationRequested)
        {
            try
            {
                (DbConnection connection, IAsyncDisposable owner) = await outbox.Database.OpenAsync(stopping).ConfigureAwait(false);
                await using (owner.ConfigureAwait(false))
                {
                    if (FindWait(connection) is not { } wait)
                        return;
                    await outbox.ListenAsync(connection, stopping).ConfigureAwait(false);
                    logger.Listening();
                    failureCount = 0;
                    while (true)
                    {
                        // At first for messages of the time without a connection.
                        outbox.Look();
                        await wait(stopping).ConfigureAwait(false);
                    }
                }
            }
            catch (Exception) when (stopping.IsCancellationRequested)
            {
                return;
            }
            catch (Exception e)
            {
                if (failureCount++ == 0)
                    logger.NotListening(e);
            }

            TimeSpan first = outbox.Options.PollInterval < MaxFirstDelay ? outbox.Options.PollInterval : MaxFirstDelay;
            TimeSpan delay = BackOff.After(first, outbox.Options.MaxRetryDelay, failureCount);
            await Task.Delay(delay, time, stopping).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    /// <summary>Finds the method of Npgsql that waits for a notification. This package does not depend on Npgsql.</summary>
    /// <returns>Null for another connection, and if the method was trimmed.</returns>
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "Without the method, messages are found by polling.")]
    private static Func<CancellationToken, Task>? FindWait(DbConnection connection) =>
        OutboxTables.FindDialect(connection) != OutboxDialect.PostgreSql ? null
        : connection.GetType().GetMethod("WaitAsync", BindingFlags.Public | BindingFlags.Instance, [typeof(CancellationToken)])
            ?.CreateDelegate<Func<CancellationToken, Task>>(connection);
}
