using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>One history of transactions over a folder and a database, with power cuts of the folder's machine and a database that is away at times. Everything follows from the seed.</summary>
/// <remarks>
/// A transaction sends a message with its number and adds a row with it, and may receive earlier messages: for each it adds the row of the negative number. So after each opening
/// the folder must have exactly the messages whose row is there and whose negative row is not.
/// </remarks>
internal sealed class CoordinatorHistory : IDisposable
{
    private static readonly QueueOptions PeekLock = new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock };
    private static readonly QueueAddress Address = QueueAddress.Parse("file:///simulated/a");

    private readonly Random _random;
    private readonly SimulatedDatabase _database;
    private readonly List<(Task Commit, List<int> Rows)> _pending = [];
    private readonly HashSet<int> _committed = [];
    private readonly HashSet<int> _rolledBack = [];
    private SimulatedDisk _disk = new();
    private QueueFolder _folder = null!;
    private TransactionCoordinator _coordinator = null!;
    private FileQueue _queue = null!;
    private int _lastId;

    internal CoordinatorHistory(int seed)
    {
        _random = new Random(seed);
        _database = new SimulatedDatabase(_random);
    }

    internal int PowerCuts { get; private set; }

    internal int CommitCount => _committed.Count(row => row > 0);

    /// <summary>How many transactions an opening found prepared, and ended.</summary>
    internal int InDoubtCount { get; private set; }

    public void Dispose() => _disk.Dispose();

    internal void Run()
    {
        for (int cycle = 0; cycle < 4; cycle++)
        {
            _disk.PowerCutAt = _disk.Operations + (_random.Next(4) == 0 ? _random.Next(10) : _random.Next(10, 200));
            try
            {
                Open();
                for (int step = 0; step < 50; step++)
                    Step();
                if (_random.Next(3) == 0)
                    _folder.DisposeAsync().AsTask().GetAwaiter().GetResult();
            }
            catch (PowerCutException)
            {
            }
            catch (QueueException) when (_disk.Operations >= _disk.PowerCutAt)
            {
                // The log says that it has failed, as it must.
            }

            if (_disk.Operations >= _disk.PowerCutAt)
                PowerCuts++;
            Collect();
            // What is still under way ended with the process.
            _pending.Clear();
            _disk = _disk.AfterPowerCut(_random);
        }

        Open();
    }

    /// <summary>Opens both, and checks that they agree: the database is at hand then.</summary>
    private void Open()
    {
        _database.IsAway = false;
        _database.IsCalm = true;
        InDoubtCount += _database.PreparedCount;
        _folder = new QueueFolder("/simulated", _disk, new FileQueueOptions { SegmentByteCount = 1 << 16, CachedByteCount = 4096 }, hasThread: false);
        _queue = new FileQueue(Pump(_folder.OpenQueueAsync("a", default)), Address, new QueueOptions { DeliveryMode = DeliveryMode.Transactional });
        _coordinator = Pump(_folder.OpenCoordinatorAsync(_database, default));
        _database.IsCalm = false;
        if (_database.PreparedCount > 0 || _coordinator.UndeliveredCount > 0)
            throw new InvalidOperationException($"{_database.PreparedCount} transactions are still in doubt after the opening, and {_coordinator.UndeliveredCount} undelivered");
        Check();
    }

    private void Check()
    {
        using SimulatedDisk copy = _disk.Clone();
        var folder = new QueueFolder("/simulated", copy, new FileQueueOptions { SegmentByteCount = 1 << 16 }, hasThread: false);
        ValueTask<FileQueueStore> open = folder.OpenQueueAsync("a", default);
        while (!open.IsCompleted)
            folder.WritePending();
        var reader = new FileQueue(open.GetAwaiter().GetResult(), Address, PeekLock);
        var found = new HashSet<int>();
        while (reader.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult() is { } message)
        {
            if (!found.Add(IdOf(message)))
                throw new InvalidOperationException($"message {IdOf(message)} is there twice");
        }

        foreach (int id in Enumerable.Range(1, _lastId))
        {
            bool isThere = _database.Rows.Contains(id) && !_database.Rows.Contains(-id);
            if (found.Contains(id) != isThere)
                throw new InvalidOperationException($"message {id} is {(isThere ? "not " : "")}in the folder, and the database says otherwise");
        }

        if (_committed.FirstOrDefault(row => !_database.Rows.Contains(row)) is var lost and not 0)
            throw new InvalidOperationException($"row {lost} was committed, and is lost");
        if (_rolledBack.FirstOrDefault(_database.Rows.Contains) is var back and not 0)
            throw new InvalidOperationException($"row {back} was rolled back, and is there");
    }

    private void Step()
    {
        switch (_random.Next(12))
        {
            case < 7:
                Transact();
                break;
            case 7:
                _database.IsAway = _random.Next(2) == 0;
                break;
            case 8:
                Resolve();
                break;
            case 9 when _random.Next(2) == 0:
                // The disk is full, or is so no longer.
                _disk.FreeByteCount = _disk.FreeByteCount == 0 ? long.MaxValue : 0;
                break;
            default:
                _folder.WritePending();
                Collect();
                break;
        }
    }

    private void Transact()
    {
        CoordinatedTransaction transaction = Pump(_coordinator.BeginTransactionAsync());
        List<int> rows = ((SimulatedDatabase.Transaction)transaction.Branch.Transaction).Rows;
        int id = ++_lastId;
        var message = new QueueMessage(new MessageBody(new byte[_random.Next(3) == 0 ? _random.Next(20_000) : 10])) { Label = $"{id}" };
        Pump(_queue.SendAsync(message, transaction));
        rows.Add(id);
        for (int i = _random.Next(4); i > 0; i--)
        {
            if (Pump(_queue.ReceiveAsync(TimeSpan.Zero, transaction)) is { } received)
                rows.Add(-IdOf(received));
        }

        if (_random.Next(6) == 0)
        {
            _rolledBack.UnionWith(rows.Where(row => row > 0));
            Pump(transaction.RollbackAsync());
            return;
        }

        _pending.Add((transaction.CommitAsync().AsTask(), rows));
        // Mostly several wait for one flush.
        if (_random.Next(3) == 0)
            _folder.WritePending();
        Collect();
    }

    private void Resolve()
    {
        try
        {
            Pump(_coordinator.ResolveAsync());
        }
        catch (QueueException)
        {
            // The database is away.
        }
    }

    /// <summary>Takes in what has become certain.</summary>
    private void Collect()
    {
        foreach ((Task commit, List<int> rows) in _pending.Where(pending => pending.Commit.IsCompleted).ToArray())
        {
            if (commit.IsCompletedSuccessfully)
                _committed.UnionWith(rows);
            else if (commit.Exception?.InnerException is QueueException { OutcomeUnknown: false })
                _rolledBack.UnionWith(rows.Where(row => row > 0));
        }

        _pending.RemoveAll(pending => pending.Commit.IsCompleted);
    }

    private static int IdOf(QueueMessage message) => int.Parse(message.Label!, System.Globalization.CultureInfo.InvariantCulture);

    private T Pump<T>(ValueTask<T> task)
    {
        Wait(() => task.IsCompleted);
        return task.GetAwaiter().GetResult();
    }

    private void Pump(ValueTask task)
    {
        Wait(() => task.IsCompleted);
        task.GetAwaiter().GetResult();
    }

    private void Wait(Func<bool> isCompleted)
    {
        while (!isCompleted())
        {
            if (!_folder.WritePending())
                throw new InvalidOperationException("It waits for nothing.");
        }
    }
}
