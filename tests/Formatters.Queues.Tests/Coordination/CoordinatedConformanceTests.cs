using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Every transaction of the suite is one over a folder and a database, in both of which it does something; the suite's queues are in the folder.</summary>
[NeedsPostgres]
public sealed class CoordinatedFolderTests : CoordinatedConformance
{
    protected override string Place => Pair.FolderAddress + "/";
}

/// <summary>The same with the suite's queues in the database.</summary>
[NeedsPostgres]
public sealed class CoordinatedDatabaseTests : CoordinatedConformance
{
    protected override string Place => Postgres.Address + "/";
}

/// <summary>The same with the coordinator in a process that does not own the folder.</summary>
[NeedsPostgres]
public sealed class CoordinatedFollowerTests : CoordinatedConformance
{
    public CoordinatedFollowerTests() => Pair.Follow();

    protected override string Place => Pair.FolderAddress + "/";
}

/// <summary>The suite of transactions, over a folder and a database.</summary>
public abstract class CoordinatedConformance : TransactionConformance, IAsyncLifetime
{
    private protected CoordinatedPair Pair { get; } = new();

    protected override QueueProvider Provider => Pair;

    async Task IAsyncLifetime.DisposeAsync()
    {
        await base.DisposeAsync();
        await Pair.DisposeAsync();
    }
}

/// <summary>A folder and a database whose queues begin coordinated transactions.</summary>
internal sealed class CoordinatedPair : QueueProvider, IAsyncDisposable
{
    private readonly TestFolder _folder = new();
    private readonly FileQueueProvider _folders = new(FileTests.SmallSegments);
    private readonly PostgreSqlQueueProvider _databases = new();
    private readonly string _otherName = $"formatters-tests-{Guid.NewGuid():N}";
    private FileQueueProvider? _owner;
    private ResourceManager? _database;
    private TransactionCoordinator? _coordinator;
    private QueueClient[] _others = [];

    public override IReadOnlyList<string> Schemes { get; } = ["file", "postgres"];

    /// <summary>Lets another provider own the folder.</summary>
    internal void Follow()
    {
        _owner = new FileQueueProvider(FileTests.SmallSegments);
        Assert.NotEmpty(_owner.GetProcessesAsync(FolderAddress).AsTask().GetAwaiter().GetResult());
    }

    internal string FolderAddress => $"file://{_folder.Path}";

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken)
    {
        if (_coordinator is null)
        {
            var connector = new QueueConnector(_folders, _databases);
            _database = await _databases.OpenResourceManagerAsync(Postgres.Address, cancellationToken: cancellationToken);
            _coordinator = await _folders.OpenCoordinatorAsync(FolderAddress, _database, cancellationToken);
            _others = [await connector.OpenAsync($"{FolderAddress}/{_otherName}", options, cancellationToken), await connector.OpenAsync($"{Postgres.Address}/{_otherName}", options, cancellationToken)];
        }

        QueueClient queue = address.Scheme == "file" ? await _folders.OpenAsync(address, options, cancellationToken) : await _databases.OpenAsync(address, options, cancellationToken);
        return new Queue(this, queue);
    }

    public override ValueTask<bool> DeleteAsync(QueueAddress address, CancellationToken cancellationToken = default) =>
        address.Scheme == "file" ? _folders.DeleteAsync(address, cancellationToken) : _databases.DeleteAsync(address, cancellationToken);

    public async ValueTask DisposeAsync()
    {
        if (_coordinator is not null)
        {
            Assert.Equal(0, _coordinator.UndeliveredCount);
            foreach (QueueClient other in _others)
            {
                await other.DisposeAsync();
                await DeleteAsync(other.Address);
            }

            await _coordinator.DisposeAsync();
            await _database!.DisposeAsync();
        }

        await _folders.DisposeAsync();
        if (_owner is not null)
            await _owner.DisposeAsync();
        _folder.Delete();
    }

    private sealed class Queue(CoordinatedPair pair, QueueClient queue) : QueueClient
    {
        public override QueueAddress Address => queue.Address;

        public override QueueCapabilities Capabilities => queue.Capabilities;

        public override QueueOptions Options => queue.Options;

        protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.SendAsync(message, transaction, cancellationToken);

        protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();

        protected override ValueTask<IReadOnlyList<PeekedMessage>> PeekCoreAsync(PeekOptions options, CancellationToken cancellationToken) => queue.PeekAsync(options, cancellationToken);

        protected override ValueTask<ReceivedMessage?> ReceiveByIdCoreAsync(string messageId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveByIdAsync(messageId, timeout, transaction, cancellationToken);

        protected override ValueTask<ReceivedMessage?> ReceiveByCorrelationIdCoreAsync(
            string correlationId, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveByCorrelationIdAsync(correlationId, timeout, transaction, cancellationToken);

        public override async ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
        {
            Assert.True(queue.Capabilities.Supports(QueueFeatures.CoordinatedTransactions));
            CoordinatedTransaction transaction = await pair._coordinator!.BeginTransactionAsync(cancellationToken);
            foreach (QueueClient other in pair._others)
                await other.SendAsync(new QueueMessage(), transaction, cancellationToken);
            return transaction;
        }
    }
}
