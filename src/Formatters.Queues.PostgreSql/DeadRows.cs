using System;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>
/// Counts received messages, and vacuums the message table after a number of them: until a vacuum, every receive scans past their dead rows.
/// </summary>
/// <remarks>
/// The server's autovacuum does the same, but runs once a minute: at 20,000 messages per second, a million dead rows accumulate by then. If a vacuum
/// fails here, autovacuum takes over; no receive waits for a vacuum or fails because of it. A vacuum reads all indexes, including the entries of
/// waiting messages. It pauses for nine times its own duration, so that it takes at most a tenth of the time.
/// </remarks>
internal sealed class DeadRows : IAsyncDisposable
{
    private const int PauseFactor = 9;

    private static readonly TimeSpan PauseAfterFailure = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan PauseAfterRefusal = TimeSpan.FromMinutes(10);
    private static readonly TimeSpan EndTimeout = TimeSpan.FromSeconds(2);

    private readonly Func<CancellationToken, Task<NpgsqlConnection>> _connect;
    private readonly string _statement;
    private readonly int _threshold;
    private readonly Lock _gate = new();
    private readonly CancellationTokenSource _end = new();
    private long _count;
    private long _notBefore;
    private Task _vacuum = Task.CompletedTask;
    private bool _isOver;

    /// <param name="connect">Opens a dedicated connection.</param>
    /// <param name="statement">The statement.</param>
    /// <param name="threshold">After how many messages; 0 for never.</param>
    internal DeadRows(Func<CancellationToken, Task<NpgsqlConnection>> connect, string statement, int threshold)
    {
        _connect = connect;
        _statement = statement;
        _threshold = threshold;
        _isOver = threshold == 0;
    }

    /// <summary>Adds to the number of messages that were locked or deleted.</summary>
    /// <param name="count">How many.</param>
    internal void Note(long count)
    {
        if (Interlocked.Add(ref _count, count) < _threshold || _isOver)
            return;
        lock (_gate)
        {
            if (_isOver || !_vacuum.IsCompleted || Environment.TickCount64 < _notBefore)
                return;
            Interlocked.Exchange(ref _count, 0);
            _vacuum = Task.Run(VacuumAsync);
        }
    }

    /// <summary>Stops a running vacuum. If the server does not answer, its dedicated connection is abandoned.</summary>
    public async ValueTask DisposeAsync()
    {
        Task end;
        lock (_gate)
        {
            _isOver = true;
            end = Task.WhenAll(_end.CancelAsync(), _vacuum);
        }

        await end.WaitAsync(EndTimeout).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (end.IsCompleted)
            _end.Dispose();
    }

    private async Task VacuumAsync()
    {
        long start = Environment.TickCount64;
        TimeSpan pause = PauseAfterFailure;
        try
        {
            bool isRefused = false;
            await using NpgsqlConnection connection = await _connect(_end.Token).ConfigureAwait(false);
            // A user who does not own the tables gets a warning without a specific code.
            connection.Notice += (_, e) => isRefused |= e.Notice.SqlState == PostgresErrorCodes.Warning;
            await using var command = new NpgsqlCommand(_statement, connection);
            await command.ExecuteNonQueryAsync(_end.Token).ConfigureAwait(false);
            pause = isRefused ? PauseAfterRefusal : PauseFactor * TimeSpan.FromMilliseconds(Environment.TickCount64 - start);
        }
        catch (Exception)
        {
            // The server's own vacuum follows later. Receivers report a server that is unavailable.
        }

        // Read after this task is complete.
        _notBefore = Environment.TickCount64 + (long)pause.TotalMilliseconds;
    }
}
