using Formatters.Queues.PostgreSql;

namespace Formatters.Benchmarks.Brokers;

/// <summary>Transactions that send a message to a queue in a folder and one to a queue in PostgreSQL, beside transactions of each alone.</summary>
internal sealed class CoordinatedCases : IAsyncDisposable
{
    private const int WorkerCount = 20;

    private static readonly QueueOptions Transactional = new() { DeliveryMode = DeliveryMode.Transactional };

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-brokers-").FullName;
    private readonly FileQueueProvider _folders = new();
    private readonly PostgreSqlQueueProvider _databases = new();
    private readonly QueueConnector _connector;
    private readonly string _address;
    private readonly byte[] _body = BrokerCase.CreateBody();
    private QueueClient? _here;
    private QueueClient? _there;
    private ResourceManager? _resourceManager;
    private TransactionCoordinator? _coordinator;

    private CoordinatedCases(string server)
    {
        _connector = new QueueConnector(_folders, _databases);
        _address = $"{server}/formatters-benchmark-{Guid.NewGuid():N}";
    }

    internal IEnumerable<BrokerCase> All
    {
        get
        {
            foreach ((int count, string name) in new[] { (1, "one after the other"), (WorkerCount, $"{WorkerCount} at a time") })
            {
                yield return new($"commit in folder and database, {name}", "PostgreSQL alone",
                    time => RunAsync(count, time, () => SendAsync(_there!)), time => RunAsync(count, time, SendToBothAsync));
                yield return new($"commit in folder and database, {name}", "folder alone", time => RunAsync(count, time, () => SendAsync(_here!)),
                    time => RunAsync(count, time, SendToBothAsync));
            }
        }
    }

    internal static async Task<CoordinatedCases> CreateAsync(string server)
    {
        var cases = new CoordinatedCases(server);
        try
        {
            cases._here = await cases._connector.OpenAsync($"file:{cases._folder}/a", Transactional);
            cases._there = await cases._connector.OpenAsync(cases._address, Transactional);
            cases._resourceManager = await cases._databases.OpenResourceManagerAsync(server);
            cases._coordinator = await cases._folders.OpenCoordinatorAsync($"file:{cases._folder}", cases._resourceManager);
            return cases;
        }
        catch
        {
            await cases.DisposeAsync();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach (IAsyncDisposable? one in new IAsyncDisposable?[] { _coordinator, _resourceManager, _here, _there })
        {
            if (one is not null)
                await one.DisposeAsync();
        }

        if (_there is not null)
            await _connector.DeleteAsync(_address);
        await _folders.DisposeAsync();
        Directory.Delete(_folder, recursive: true);
    }

    private async Task<double> RunAsync(int workerCount, TimeSpan time, Func<Task> once)
    {
        double rate = await BrokerCase.MeasureAsync(workerCount, time, once);
        await _here!.PurgeAsync();
        await _there!.PurgeAsync();
        return rate;
    }

    private async Task SendAsync(QueueClient queue)
    {
        await using QueueTransaction transaction = await queue.BeginTransactionAsync();
        await queue.SendAsync(NewMessage(), transaction);
        await transaction.CommitAsync();
    }

    private async Task SendToBothAsync()
    {
        await using CoordinatedTransaction transaction = await _coordinator!.BeginTransactionAsync();
        await _here!.SendAsync(NewMessage(), transaction);
        await _there!.SendAsync(NewMessage(), transaction);
        await transaction.CommitAsync();
    }

    private QueueMessage NewMessage() => new(new MessageBody(_body));
}
