using System;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;

namespace Formatters.Queues.CrashProgram;

/// <summary>Commits transactions over a folder and a database until it is killed.</summary>
/// <remarks>
/// A message begins in the folder's queue <c>a</c>, goes to the database's <c>p</c> and from there to the folder's <c>b</c>. With each step the row of its number in <c>public.steps</c>
/// says how far it is: 1, 2, 3.
/// </remarks>
public sealed class CoordinatedWorker : IAsyncDisposable
{
    private const int WorkerCount = 4;

    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(20);

    private readonly FileQueueProvider _folders = new(Program.Options);
    private readonly PostgreSqlQueueProvider _databases = new();
    private ResourceManager _resourceManager = null!;
    private TransactionCoordinator _coordinator = null!;
    private QueueClient _a = null!;
    private QueueClient _p = null!;
    private QueueClient _b = null!;

    private CoordinatedWorker()
    {
    }

    /// <summary>Opens the folder and the database.</summary>
    /// <param name="folder">The folder's path.</param>
    /// <param name="database">The database's address; its queue is <c>p</c>.</param>
    /// <param name="onGap">What happens in the gaps of a commit.</param>
    public static async Task<CoordinatedWorker> OpenAsync(string folder, string database, Func<CommitGap, Task> onGap)
    {
        var worker = new CoordinatedWorker();
        worker._resourceManager = new GapResourceManager(await worker._databases.OpenResourceManagerAsync(database), onGap);
        worker._coordinator = await worker._folders.OpenCoordinatorAsync($"file://{folder}", worker._resourceManager);
        var connector = new QueueConnector(worker._folders, worker._databases);
        worker._a = await connector.OpenAsync($"file://{folder}/a", Transactional);
        worker._p = await connector.OpenAsync($"{database}/p", Transactional);
        worker._b = await connector.OpenAsync($"file://{folder}/b", Transactional);
        return worker;
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        foreach (QueueClient queue in new[] { _a, _p, _b })
            await queue.DisposeAsync();
        await _folders.DisposeAsync();
        await _resourceManager.DisposeAsync();
    }

    /// <summary>Sends message 1, and message 2, which goes one step.</summary>
    public async Task SeedAsync()
    {
        foreach (long id in new long[] { 2, 1 })
        {
            await using (CoordinatedTransaction transaction = await _coordinator.BeginTransactionAsync())
            {
                await SendAsync(transaction, id);
                await transaction.CommitAsync();
            }

            if (id == 1)
                continue;
            await using CoordinatedTransaction move = await _coordinator.BeginTransactionAsync();
            await MoveAsync(move, _a, _p, 2);
            await move.CommitAsync();
        }
    }

    /// <summary>Works without end.</summary>
    internal async Task RunAsync(Ledger ledger, long firstId, int seed)
    {
        await await Task.WhenAny(Enumerable.Range(0, WorkerCount).Select(number => Task.Run(() => WorkAsync(ledger, firstId + number, new Random((seed * WorkerCount) + number)))));
    }

    /// <summary>One step forward of a new message and of those that are there, in one transaction; then another transaction with nothing but a new message.</summary>
    internal async Task RunOnceAsync(Ledger ledger, long firstId)
    {
        await using (CoordinatedTransaction transaction = await _coordinator.BeginTransactionAsync())
        {
            await SendAsync(transaction, firstId);
            await MoveAsync(transaction, _a, _p, 2);
            await MoveAsync(transaction, _p, _b, 3);
            await transaction.CommitAsync();
        }

        ledger.Write("committed");
        await using CoordinatedTransaction next = await _coordinator.BeginTransactionAsync();
        await SendAsync(next, firstId + 1);
        await next.CommitAsync();
        ledger.Write("committed");
    }

    /// <summary>Ends this process as <c>kill -9</c> does.</summary>
    internal static async Task KillAsync()
    {
        using var self = Process.GetCurrentProcess();
        self.Kill();
        await Task.Delay(Timeout.Infinite);
    }

    private async Task WorkAsync(Ledger ledger, long id, Random random)
    {
        while (true)
        {
            await using CoordinatedTransaction transaction = await _coordinator.BeginTransactionAsync();
            string line = "";
            if (await _a.GetMessageCountAsync() < 20)
            {
                await SendAsync(transaction, id);
                line += $" {id}@1";
                id += WorkerCount;
            }

            if (random.Next(3) > 0)
                line += await MoveAsync(transaction, _a, _p, 2);
            if (random.Next(3) > 0)
                line += await MoveAsync(transaction, _p, _b, 3);
            if (random.Next(6) == 0)
            {
                await transaction.RollbackAsync();
                continue;
            }

            await transaction.CommitAsync();
            ledger.Write($"committed{line}");
        }
    }

    private async Task SendAsync(CoordinatedTransaction transaction, long id)
    {
        await _a.SendAsync(CrashMessage.Create(id), transaction);
        await StepAsync(transaction, $"INSERT INTO public.steps VALUES ({id}, 1)");
    }

    /// <returns>What was moved, for the ledger.</returns>
    private static async Task<string> MoveAsync(CoordinatedTransaction transaction, QueueClient from, QueueClient to, int step)
    {
        if (await from.ReceiveAsync(Moment, transaction) is not { } message)
            return "";
        long id = CrashMessage.Read(message);
        await to.SendAsync(CrashMessage.Create(id), transaction);
        // What comes from the folder may be here before the row that was committed with it: then this waits for it.
        await StepAsync(transaction, $"INSERT INTO public.steps VALUES ({id}, {step}) ON CONFLICT (id) DO UPDATE SET step = excluded.step");
        return $" {id}@{step}";
    }

    private static async Task StepAsync(CoordinatedTransaction transaction, string statement)
    {
        NpgsqlTransaction rows = await transaction.GetNpgsqlTransactionAsync();
        await using var command = new NpgsqlCommand(statement, rows.Connection, rows);
        if (await command.ExecuteNonQueryAsync() != 1)
            throw new InvalidOperationException($"{statement}: no row.");
    }
}
