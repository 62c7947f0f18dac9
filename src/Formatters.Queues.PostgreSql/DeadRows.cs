using System;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>Vacuums the messages when many have been received: each receive passes over what those leave behind, until then.</summary>
/// <remarks>
/// The server's autovacuum does the same, but looks once a minute, and 20,000 messages a second leave a million rows by then. Whatever goes wrong here is left to it:
/// no receive waits for a vacuum or fails with it. A vacuum reads all of the indexes, also the part of what waits: so that it takes a tenth of the time at
/// most, it pauses nine times as long as it took.
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

    /// <param name="connect">Opens a connection that nobody else uses.</param>
    /// <param name="statement">The statement.</param>
    /// <param name="threshold">After how many messages; 0 for never.</param>
    internal DeadRows(Func<CancellationToken, Task<NpgsqlConnection>> connect, string statement, int threshold)
    {
        _connect = connect;
        _statement = statement;
        _threshold = threshold;
        _isOver = threshold == 0;
    }

    /// <summary>Notes that messages were locked or taken out.</summary>
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

    /// <summary>Ends a vacuum that is under way. With a server that does not answer it is left alone: it has a connection of its own.</summary>
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
            // Who does not own the tables is told so by a warning that has no code of its own.
            connection.Notice += (_, e) => isRefused |= e.Notice.SqlState == PostgresErrorCodes.Warning;
            await using var command = new NpgsqlCommand(_statement, connection);
            await command.ExecuteNonQueryAsync(_end.Token).ConfigureAwait(false);
            pause = isRefused ? PauseAfterRefusal : PauseFactor * TimeSpan.FromMilliseconds(Environment.TickCount64 - start);
        }
        catch (Exception)
        {
            // The server's own vacuum comes later. A server that is gone, the receivers report.
        }

        // Read when this task is complete.
        _notBefore = Environment.TickCount64 + (long)pause.TotalMilliseconds;
    }
}
