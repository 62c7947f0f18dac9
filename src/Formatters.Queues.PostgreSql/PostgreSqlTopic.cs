using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Npgsql;

namespace Formatters.Queues.PostgreSql;

/// <summary>A handle of a topic in a database. Its subscriptions are queues named <c>topic.subscription</c>, into which a send inserts.</summary>
internal sealed class PostgreSqlTopic : MessageTopic
{
    private readonly PostgreSqlQueueProvider _provider;
    private readonly Database _database;
    private readonly PostgreSqlAddress _place;
    private readonly TopicSubscriptions _subscriptions;
    private readonly Func<ValueTask> _closed;
    private readonly Work _work;
    private readonly BatchPump<Send> _pump;
    private readonly int _id;
    private int _isDisposed;

    internal PostgreSqlTopic(
        PostgreSqlQueueProvider provider, Database database, PostgreSqlAddress place, int id, QueueAddress address, QueueOptions options,
            Func<ValueTask> closed)
    {
        _provider = provider;
        _database = database;
        _place = place;
        _id = id;
        _closed = closed;
        _subscriptions = new TopicSubscriptions(database, id);
        _work = new Work("send the message", address.ToString(), options.OperationTimeout) { ChangesSomething = true };
        _pump = new BatchPump<Send>(options.SendWindow, 16 << 20, SendAsync, Database.IsRefusal);
        Address = address;
        Options = options;
        Capabilities = PostgreSqlQueue.CapabilitiesOf(options, database.Product, database.DurabilityWarning);
    }

    public override QueueAddress Address { get; }

    public override QueueCapabilities Capabilities { get; }

    public override QueueOptions Options { get; }

    public override ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(message);
        ThrowIfDisposed();
        PostgreSqlTransaction? own = PostgreSqlQueue.Check(transaction, Options, Address, _database);
        Capabilities.ThrowIfNotSupported(message, Address);
        if (cancellationToken.IsCancellationRequested)
            return ValueTask.FromCanceled(cancellationToken);
        if (own is not null)
            return SendInAsync(own, message, cancellationToken);
        var send = new Send(message, Outgoing.Of(message));
        _pump.Add(send);
        return new ValueTask(send.WaitAsync(cancellationToken));
    }

    public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        QueueChecks.CanBegin(Options, Address);
        return cancellationToken.IsCancellationRequested
            ? ValueTask.FromCanceled<QueueTransaction>(cancellationToken)
            : new ValueTask<QueueTransaction>(new OwnTransaction(_database));
    }

    public override async ValueTask<QueueClient> SubscribeAsync(string? selector = null, QueueOptions? options = null,
        CancellationToken cancellationToken = default)
    {
        ThrowIfDisposed();
        if (selector is not null)
            _ = MessageSelector.Parse(selector);
        var work = new Work("subscribe", _work.Address, _work.Timeout) { ChangesSomething = true };
        // Bound to this session: after a crash of this process, other handles see that the session has ended and delete the subscription.
        PostgreSqlSession session = await PostgreSqlSession.OpenAsync(_database, work, queueId: 0, isDurable: false).ConfigureAwait(false);
        try
        {
            return await SubscribeCoreAsync(Guid.NewGuid().ToString("N"), selector, options ?? Options, session, work, cancellationToken)
                .ConfigureAwait(false);
        }
        catch
        {
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    public override ValueTask<QueueClient> SubscribeDurableAsync(
        string name, string? selector = null, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        if (selector is not null)
            _ = MessageSelector.Parse(selector);
        var work = new Work("subscribe", _work.Address, _work.Timeout) { ChangesSomething = true };
        return SubscribeCoreAsync(name, selector, options ?? Options, null, work, cancellationToken);
    }

    public override async ValueTask<bool> UnsubscribeAsync(string name, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(name);
        ThrowIfDisposed();
        return await _database.RunAsync(
            new Work("unsubscribe", _work.Address, _work.Timeout) { ChangesSomething = true },
            isDurable: true,
            async (connection, token) =>
            {
                await using var find = new NpgsqlCommand(_database.Statements.FindQueue,
                    connection) { Parameters = { new() { Value = QueueNameOf(name) } } };
                return await find.ExecuteScalarAsync(token).ConfigureAwait(false) is int queueId
                    && await _subscriptions.RemoveAsync(connection, queueId, token).ConfigureAwait(false);
            },
            cancellationToken).ConfigureAwait(false);
    }

    public override async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            await _closed().ConfigureAwait(false);
    }

    private async ValueTask<QueueClient> SubscribeCoreAsync(
        string name, string? selector, QueueOptions options, PostgreSqlSession? session, Work work, CancellationToken cancellationToken)
    {
        string queueName = QueueNameOf(name);
        int queueId = await _database.RunAsync(
            work, isDurable: true, (connection, token) => _subscriptions.AddAsync(connection, queueName, selector, session?.Id, token),
                cancellationToken).ConfigureAwait(false);
        QueueAddress address = QueueAddress.Parse(new Uri(Address.Uri, Uri.EscapeDataString(queueName)).AbsoluteUri);
        return await _provider.OpenAsync(_place with { QueueName = queueName }, address, options, session is null ? null : EndAsync,
            cancellationToken).ConfigureAwait(false);

        async ValueTask EndAsync()
        {
            try
            {
                await _database.RunAsync(work with { What = "unsubscribe" }, isDurable: true,
                    (connection, token) => _subscriptions.RemoveAsync(connection, queueId, token), CancellationToken.None)
                    .ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // The server is unavailable; the next sender or subscriber finds that the session has ended.
            }

            await session.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async ValueTask SendInAsync(PostgreSqlTransaction transaction, QueueMessage message, CancellationToken cancellationToken)
    {
        transaction.ThrowIfEnded();
        IReadOnlyList<TopicSubscription> subscriptions = await _database.RunAsync(_work, isDurable: false, _subscriptions.GetAsync, cancellationToken)
            .ConfigureAwait(false);
        string messageId = message.MessageId ?? Guid.NewGuid().ToString();
        foreach (TopicSubscription subscription in subscriptions)
        {
            if (subscription.Selects(message, messageId))
                await SendAsync(subscription.QueueId, SentPart.WithoutJournal).ConfigureAwait(false);
        }

        if (message.SourceJournalQueue is not { } journal)
            return;
        int journalId = await _database.RunAsync(
            _work, isDurable: true, (connection, token) => _database.OpenQueueAsync(connection, journal, token), cancellationToken)
                .ConfigureAwait(false);
        await SendAsync(journalId, SentPart.Journal).ConfigureAwait(false);

        ValueTask SendAsync(int queueId, SentPart part) =>
            transaction.SendAsync(new SendTarget(queueId, _work.Address, Options, IsOptional: true, part), [message], messageId, cancellationToken);
    }

    private Task<bool> SendAsync(IReadOnlyList<Send> sends) => _database.RunAsync(
        _work,
        isDurable: Options.DeliveryMode != DeliveryMode.Express,
        async (connection, token) =>
        {
            Dictionary<string, int>? others = await _database.OpenQueuesOfAsync(connection, sends.Select(static send => send.Outgoing), token)
                .ConfigureAwait(false);
            await using var batch = new NpgsqlBatch(connection);
            var changed = new List<int>();
            foreach (TopicSubscription subscription in await _subscriptions.GetAsync(connection, token).ConfigureAwait(false))
            {
                Outgoing[] selected = [.. sends.Where(send => subscription.Selects(send.Message, send.Outgoing.MessageId))
                    .Select(send => send.Outgoing)];
                if (selected.Length == 0)
                    continue;
                batch.BatchCommands.Add(_database.Statements.InsertInto(
                    subscription.QueueId, Options.DeliveryMode != DeliveryMode.Express, selected));
                changed.Add(subscription.QueueId);
            }

            foreach ((NpgsqlBatchCommand command, _) in _database.Statements.CopyToJournals(
                others, Options.DeliveryMode != DeliveryMode.Express, sends.Select(static send => send.Outgoing)))
                batch.BatchCommands.Add(command);
            if (batch.BatchCommands.Count == 0)
                return false;
            changed.AddRange(others?.Values.AsEnumerable() ?? []);
            batch.BatchCommands.Add(_database.Statements.NotifyOf([.. changed]));
            await batch.ExecuteNonQueryAsync(token).ConfigureAwait(false);
            return true;
        },
        CancellationToken.None);

    private string QueueNameOf(string name) => $"{_place.QueueName}.{name}";

    private void ThrowIfDisposed()
    {
        if (_isDisposed != 0)
            throw new ObjectDisposedException(nameof(MessageTopic), $"'{Address}' is closed.");
    }

    /// <summary>A send that waits for the next statement, which inserts the messages of all callers.</summary>
    private sealed class Send(QueueMessage message, Outgoing outgoing) : PumpWork(outgoing.Body.Length)
    {
        internal QueueMessage Message { get; } = message;

        internal Outgoing Outgoing { get; } = outgoing;
    }
}
