using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Threading.Tasks;
using Formatters.Envelopes;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Matching;
using Formatters.TradeEngine.Messages;
using Formatters.TradeEngine.Runs;
using Formatters.TradeEngine.Store;
using Formatters.TradeEngine.Store.Sqlite;
using Formatters.TradeEngine.Store.PostgreSql;
using Npgsql;
using RabbitMQ.Client;
using Xunit;
using Xunit.Sdk;

namespace Formatters.TradeEngine.Tests;

/// <summary>The store in PostgreSQL, by itself and under a network over RabbitMQ.</summary>
public sealed class PostgreSqlStoreTests
{
    private static readonly string? Postgres = Environment.GetEnvironmentVariable("FORMATTERS_POSTGRES");
    private static readonly string? RabbitMq = Environment.GetEnvironmentVariable("FORMATTERS_RABBITMQ");

    private static readonly string[] QueueNames = ["in-0", "noe", "alc", "npr", "set", "cls", "exceptions"];

    private readonly string _name = "test_" + Guid.NewGuid().ToString("N")[..12];

    internal static string ConnectionString
    {
        get
        {
            var uri = new Uri(Postgres!);
            string[] user = uri.UserInfo.Split(':');
            return new NpgsqlConnectionStringBuilder { Host = uri.Host, Port = uri.Port, Username = user[0], Password = user[1],
                Database = uri.AbsolutePath.Trim('/') }.ConnectionString;
        }
    }

    [ServerFact(ServerFactAttribute.Postgres)]
    public async Task Growth_ClearingAndExpiry_ChangeNoOtherTrade()
    {
        List<StoreEntry> entries = StoreTests.Entries(trades: 100);
        StoreEntry missing = entries.First(entry => entry.Slot == 6);
        int half = entries.Count / 2;
        await using PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(ConnectionString, 2, _name);
        await using PostgreSqlTradeStore other = await PostgreSqlTradeStore.OpenAsync(ConnectionString, 1, _name);
        try
        {
            await store.ApplyAsync([.. entries[..half].Where(entry => entry != missing)]);
            Assert.InRange(await store.GrowAsync(8), 1, 99);
            // A process that does not know of it yet.
            await other.ApplyAsync([.. entries[half..].Where(entry => entry != missing)]);
            Assert.Equal(8, other.DatabaseCount);
            Assert.Equal(new StoreCounts(100, 99, 0), await other.CountAsync());
            StoreEntry[] again = [.. entries[..half].Where(entry => entry.Emission is not null)
                .Select(entry => StoreTests.Copy(entry, entry.DeliveryId))];
            await other.ApplyAsync(again);
            Assert.All(again, entry => Assert.NotNull(entry.Emission));

            ExpiredTrade expired = Assert.Single(await store.ExpireAsync(DateTimeOffset.UtcNow.AddHours(1)));
            await other.ApplyAsync([missing]);
            Assert.Equal((missing.Key, "SET of the manager missing"), (expired.Key, expired.Why));
            Assert.Equal(ApplyOutcome.Expired, missing.Outcome);

            Assert.Equal(100, await store.ClearAsync(20261127));
            StoreEntry late = StoreTests.Copy(entries[0], "late");
            await other.ApplyAsync([late]);
            Assert.Equal(ApplyOutcome.Cleared, late.Outcome);
            Assert.Equal(0, (await store.CountAsync()).Trades);
        }
        finally
        {
            await store.DropAsync();
        }
    }

    /// <summary>The store knows a message that comes again by its id. A program that is not the router may have sent one without.</summary>
    [ServerFact(ServerFactAttribute.RabbitMq)]
    public async Task Message_WithoutAnId_IsInTheExceptionQueue()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-engine").FullName;
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 1 });
        NoticeOfExecution notice = set.GetMessages().Select(message => message.Message).OfType<NoticeOfExecution>().First();
        var connector = new QueueConnector(new RabbitMqQueueProvider());
        string prefix = $"{RabbitMq}/{_name}-";
        try
        {
            await using EngineQueues queues = await EngineQueues.OpenAsync(connector, prefix, 1);
            await using SqliteTradeStore store = await SqliteTradeStore.OpenAsync(folder);
            await using var host = new TradeEngineHost(
                queues, new EngineOptions { QueuePrefix = prefix }, set.Data, store, SigningKey.HmacSha256("driver", new byte[32]));
            await using (IConnection connection = await new ConnectionFactory { Uri = new Uri(RabbitMq!) }.CreateConnectionAsync())
            {
                await using IChannel channel = await connection.CreateChannelAsync();
                await channel.BasicPublishAsync("", _name + "-noe", mandatory: true, new BasicProperties(), MessageFormats.Xml.Notices.Write(notice));
            }

            host.Start();
            ReceivedMessage refused = (await queues.Exceptions.ReceiveAsync(TimeSpan.FromSeconds(30)))!;
            await refused.AcknowledgeAsync();

            Assert.Equal(nameof(ExceptionReason.MissingId), refused.Headers[ExceptionHeaders.Reason]);
            Assert.False(host.Failure.IsCompleted);
            Assert.Equal(0, (await store.CountAsync()).Trades);
        }
        finally
        {
            foreach (string name in QueueNames)
                await connector.DeleteAsync(prefix + name);
            Directory.Delete(folder, recursive: true);
        }
    }

    [ServerTheory(ServerFactAttribute.Both)]
    [InlineData(1)]
    [InlineData(64)]
    public async Task Trades_OverRabbitMqAndPostgreSql_WithKills_EndInOneClearingEach(int bundleSize)
    {
        string clearings = $"{Postgres}/{_name}";
        var connector = new QueueConnector(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider());
        var transactional = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        await using QueueClient queue = await connector.OpenAsync(clearings, transactional);
        await using PostgreSqlTradeStore store = await PostgreSqlTradeStore.OpenAsync(
            ConnectionString, 2, _name, queue, emission => ClearingMessages.Make(MessageFormats.Xml, emission));
        try
        {
            var options = new EngineRunOptions
            {
                QueuePrefix = $"{RabbitMq}/{_name}-",
                Clearings = clearings,
                Set = new MessageSetOptions { Seed = 6, TradeCount = 400, BadShare = 0.01, DuplicateShare = 0.02, ChangeShare = 0.05 },
                BatchSize = 32,
                BundleSize = bundleSize,
                Kills = 20,
            };

            EngineRunResult result = await new EngineRun(connector, store, options).RunAsync();

            Assert.Equal(20, result.Kills);
            Assert.True(result is { WrongClearings: 0, RepeatedClearings: 0 }, result.ToString());
            Assert.Equal(result.ExpectedClearings, result.Clearings);
            Assert.InRange(result.Exceptions.Values.Sum(), result.ExpectedExceptions, int.MaxValue);
        }
        finally
        {
            await store.DropAsync();
            await connector.DeleteAsync(clearings);
            foreach (string name in QueueNames)
                await connector.DeleteAsync($"{RabbitMq}/{_name}-{name}");
        }
    }
}

/// <summary>A test that needs servers: skipped, with the reason, where there are none; fails in CI.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ServerFactAttribute : FactAttribute
{
    internal const string Postgres = "FORMATTERS_POSTGRES";
    internal const string RabbitMq = "FORMATTERS_RABBITMQ";
    internal const string Both = "FORMATTERS_POSTGRES,FORMATTERS_RABBITMQ";

    public ServerFactAttribute(string variables)
    {
        Variables = variables;
        Skip = SkipReason(variables);
    }

    public string Variables { get; }

    internal static string? SkipReason(string variables)
    {
        string? missing = variables.Split(',').FirstOrDefault(variable => string.IsNullOrEmpty(Environment.GetEnvironmentVariable(variable)));
        return missing is not null && Environment.GetEnvironmentVariable("CI") != "true" ? $"{missing} is not set: there is no server." : null;
    }
}

/// <inheritdoc cref="ServerFactAttribute"/>
[AttributeUsage(AttributeTargets.Method)]
public sealed class ServerTheoryAttribute : TheoryAttribute
{
    public ServerTheoryAttribute(string variables)
    {
        Variables = variables;
        Skip = ServerFactAttribute.SkipReason(variables);
    }

    public string Variables { get; }
}

/// <summary>Data of a theory for which servers are needed; see <see cref="ServerFactAttribute"/>.</summary>
[AttributeUsage(AttributeTargets.Method, AllowMultiple = true)]
public sealed class ServerDataAttribute : DataAttribute
{
    private readonly object[] _data;

    public ServerDataAttribute(string variables, params object[] data)
    {
        _data = data;
        Skip = ServerFactAttribute.SkipReason(variables);
    }

    public override IEnumerable<object[]> GetData(MethodInfo testMethod) => [_data];
}
