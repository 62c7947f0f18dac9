using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A folder and a server's database with a table of the application's, and what is asked of them.</summary>
internal sealed class FolderAndDatabase : IAsyncDisposable
{
    internal static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    private readonly string _server;
    private readonly string _suffix = $"{Guid.NewGuid():N}";
    private readonly TestFolder _folder;
    private readonly List<QueueClient> _queues = [];
    private readonly List<string> _names = [];
    private PostgreSqlQueueProvider? _databases;
    private ResourceManager? _resourceManager;

    private FolderAndDatabase(string server, TestFolder folder)
    {
        _server = server;
        _folder = folder;
    }

    internal FileQueueProvider Folders { get; private set; } = null!;

    internal TransactionCoordinator Coordinator { get; private set; } = null!;

    internal string FolderPath => _folder.Path;

    /// <summary>The application's table: <c>id bigint PRIMARY KEY</c>.</summary>
    internal string Table => $"public.rows_{_suffix}";

    /// <summary>Makes both.</summary>
    /// <param name="server">The database's address.</param>
    /// <param name="decorate">Puts something before the resource manager, or null.</param>
    /// <param name="connections">The application's connections, or null.</param>
    /// <param name="operationTimeout">How long the database may take, or null.</param>
    internal static async Task<FolderAndDatabase> CreateAsync(
        string server, Func<ResourceManager, ResourceManager>? decorate = null, NpgsqlDataSource? connections = null, TimeSpan? operationTimeout = null)
    {
        var both = new FolderAndDatabase(server, new TestFolder());
        await both.RunAsync($"CREATE TABLE {both.Table} (id bigint PRIMARY KEY)");
        await both.OpenAsync(decorate, connections, operationTimeout);
        return both;
    }

    /// <summary>Opens the folder, and with it the database at hand.</summary>
    internal async Task OpenAsync(Func<ResourceManager, ResourceManager>? decorate = null, NpgsqlDataSource? connections = null, TimeSpan? operationTimeout = null)
    {
        Folders = new FileQueueProvider(FileTests.SmallSegments);
        _databases = new PostgreSqlQueueProvider();
        ResourceManager own = await _databases.OpenResourceManagerAsync(_server, connections, operationTimeout);
        _resourceManager = decorate?.Invoke(own) ?? own;
        Coordinator = await Folders.OpenCoordinatorAsync($"file://{_folder.Path}", _resourceManager);
    }

    internal async Task CloseAsync()
    {
        foreach (QueueClient queue in _queues)
            await queue.DisposeAsync();
        _queues.Clear();
        await Folders.DisposeAsync();
        if (_resourceManager is not null)
            await _resourceManager.DisposeAsync();
    }

    internal string FolderQueue(string name) => $"file://{_folder.Path}/{name}";

    internal string DatabaseQueue(string name) => $"{_server}/{name}-{_suffix}";

    internal Task<QueueClient> OpenInFolderAsync(string name, QueueOptions? options = null) => OpenAsync(FolderQueue(name), options);

    internal Task<QueueClient> OpenInDatabaseAsync(string name, QueueOptions? options = null)
    {
        _names.Add(name);
        return OpenAsync(DatabaseQueue(name), options);
    }

    internal async Task<QueueClient> OpenAsync(string address, QueueOptions? options)
    {
        QueueClient queue = await new QueueConnector(Folders, _databases!).OpenAsync(address, options ?? Transactional);
        _queues.Add(queue);
        return queue;
    }

    internal Task InsertAsync(CoordinatedTransaction transaction, long id) =>
        transaction.GetNpgsqlTransaction().Connection!.RunAsync($"INSERT INTO {Table} VALUES ({id})");

    internal async Task<bool> HasRowAsync(long id)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(_server);
        return await connection.ScalarAsync<bool>($"SELECT EXISTS (SELECT 1 FROM {Table} WHERE id = {id})");
    }

    internal async Task<List<long>> GetRowsAsync()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(_server);
        return [.. await connection.ScalarAsync<long[]>($"SELECT coalesce(array_agg(id ORDER BY id), '{{}}') FROM {Table}") ?? []];
    }

    /// <summary>How many transactions of this folder are prepared.</summary>
    internal async Task<long> GetPreparedCountAsync()
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(_server);
        return await connection.ScalarAsync<long>($"SELECT count(*) FROM pg_prepared_xacts WHERE starts_with(gid, '{Coordinator.Prefix}')");
    }

    /// <summary>Whether the process of a connection sleeps in a statement.</summary>
    internal async Task<bool> IsSleepingAsync(int processId)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(_server);
        return await connection.ScalarAsync<bool>($"SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = {processId} AND wait_event = 'PgSleep')");
    }

    internal async Task RunAsync(string statement)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(_server);
        await connection.RunAsync(statement);
    }

    /// <summary>The labels of what is in a queue, without taking it out.</summary>
    internal async Task<List<string?>> PeekAsync(string address)
    {
        await using QueueClient queue = await new QueueConnector(Folders, _databases!).OpenAsync(
            address, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.PeekLock });
        var labels = new List<string?>();
        long count = await queue.GetMessageCountAsync();
        for (int i = 0; i < count; i++)
            labels.Add((await queue.ReceiveAsync(Soon))!.Label);
        return labels;
    }

    /// <summary>Takes out what is in a queue of the database, also what was locked by a session that ended with a server that was killed.</summary>
    internal async Task<List<string?>> TakeAsync(string address)
    {
        await using QueueClient queue = await new QueueConnector(Folders, _databases!).OpenAsync(address, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete });
        var labels = new List<string?>();
        while (await queue.ReceiveAsync(TimeSpan.FromSeconds(3)) is { } message)
            labels.Add(message.Label);
        return labels;
    }

    internal static async Task SendAsync(QueueClient queue, params string[] labels)
    {
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        foreach (string label in labels)
            await queue.SendAsync(new QueueMessage { Label = label }, transaction);
        await transaction.CommitAsync();
    }

    internal static async Task<string?> ReceiveAsync(QueueClient queue, QueueTransaction transaction) => (await queue.ReceiveAsync(Soon, transaction))?.Label;

    internal static async Task WhenAsync(Func<Task<bool>> condition)
    {
        long start = Environment.TickCount64;
        while (!await condition())
        {
            Assert.True(Environment.TickCount64 - start < TimeSpan.FromMinutes(4).TotalMilliseconds, "It does not come about.");
            await Task.Delay(20);
        }
    }

    public async ValueTask DisposeAsync()
    {
        await CloseAsync();
        await RunAsync($"DROP TABLE {Table}");
        foreach (string name in _names.Distinct())
            await _databases!.DeleteAsync(QueueAddress.Parse(DatabaseQueue(name)));
        _folder.Delete();
    }
}
