using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Data.Common;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Time.Testing;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Messages of committed transactions are sent, and only these.</summary>
public class OutboxTests
{
    [Theory]
    [OutboxData]
    public async Task CommittedMessages_AreSentInOrder_AndOthersAreNot(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, static options => options.BatchSize = 3));
        var outbox = host.Get<IOutbox>();
        await using (OutboxTransaction transaction = await outbox.BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(100, "rolled back"));
        }

        for (int i = 0; i < 3; i++)
        {
            await using OutboxTransaction transaction = await outbox.BeginAsync();
            for (int j = 0; j < 4; j++)
                await transaction.SendAsync(new OrderPlaced((4 * i) + j, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal(Enumerable.Range(0, 12), (await ReceiveAsync(host, 12)).Select(static order => order.Id));
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
    }

    /// <summary>Batches that are full do not wait for the next poll, nor for another commit.</summary>
    [Theory]
    [OutboxData]
    public async Task MessagesOfSeveralBatches_AreSentAfterOneCommit(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, static options =>
        {
            options.BatchSize = 3;
            options.PollInterval = TimeSpan.FromHours(1);
        }));
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            for (int i = 0; i < 10; i++)
                await transaction.SendAsync(new OrderPlaced(i, "Ada"));
            await transaction.CommitAsync();
        }

        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        for (int i = 0; i < 10; i++)
            Assert.NotNull(await queue.ReceiveAsync(TimeSpan.FromSeconds(20)));
    }

    [Theory]
    [OutboxData]
    public async Task Send_InATransactionOfTheApplication_IsFoundByPolling(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        await using DbConnection connection = place.Connect();
        await connection.OpenAsync();
        await using (DbTransaction transaction = await connection.BeginTransactionAsync())
        {
            await host.Get<IOutbox>().SendAsync(transaction, new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal([new OrderPlaced(1, "Ada")], await ReceiveAsync(host, 1));
    }

    [Theory]
    [OutboxData]
    public async Task Message_KeepsItsProperties(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        var headers = new Dictionary<string, object>
        {
            ["text"] = "ü \"quoted\"", ["flag"] = true, ["int"] = -5, ["long"] = 5L, ["double"] = double.NegativeInfinity, ["zero"] = -0.0, ["bytes"] = new byte[] { 0, 255 },
        };
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            var options = new SendOptions { Label = "label", CorrelationId = "c 1", Priority = 7, TimeToLive = TimeSpan.FromHours(2), Headers = headers, MessageId = "id 1" };
            Assert.Equal("id 1", await transaction.SendAsync(new OrderPlaced(1, "Ada"), options: options));
            await transaction.CommitAsync();
        }

        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        ReceivedMessage message = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
        Assert.Equal(("label", "c 1", 7, "id 1"), (message.Label, message.CorrelationId, message.Priority, message.MessageId));
        Assert.InRange(message.TimeToLive!.Value, TimeSpan.FromHours(1), TimeSpan.FromHours(2));
        Assert.Equal("order-placed", message.Headers[ContractNames.HeaderName]);
        foreach ((string name, object value) in headers)
            Assert.Equal(value, message.Headers[name]);
        Assert.True(double.IsNegative((double)message.Headers["zero"]));
        await message.AcknowledgeAsync();
    }

    [Theory]
    [OutboxData]
    public async Task WhatWasCommittedWhileTheHostWasStopped_IsSentAfterTheNextStart(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using (TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues)))
        {
            await host.Host.StopAsync();
            await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal(["1"], await place.QueryAsync("select count(*) from formatters_outbox"));
        await using TestHost next = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        Assert.Equal([new OrderPlaced(1, "Ada")], await ReceiveAsync(next, 1));
    }

    [Theory]
    [OutboxData]
    public async Task RowsThatCannotBeSent_AreSetAside_AndDoNotHoldUpOthers(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        string body = kind == "SQLite" ? "x'00'" : "'\\x00'::bytea";
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            const string Columns = "insert into formatters_outbox (queue, message_id, contract, properties, body, body_type, content_type, created_at)";
            await using DbCommand insert = transaction.CreateCommand(
                $"{Columns} values ('orders', 'a', 'order-placed', '{{\"colour\": 1}}', {body}, 0, null, 0), ('orders', 'b', 'order-placed', 'no JSON', {body}, 0, null, 0), "
                    + $"('elsewhere', 'c', 'order-placed', '{{}}', {body}, 0, null, 0), ('orders', 'd', 'order-placed', '{{\"timeToLiveTicks\": 10}}', {body}, 0, null, 0), "
                    + $"('orders', 'e', 'order-placed', '{{}}', {body}, 0, null, {long.MaxValue})");
            await insert.ExecuteNonQueryAsync();
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal([new OrderPlaced(1, "Ada")], await ReceiveAsync(host, 1));
        await host.Log.WaitForAsync(25, 5);
        await place.WaitForAsync("select message_id from formatters_outbox where error is not null order by id", "a,b,c,d,e");
        List<string> errors = await place.QueryAsync("select error from formatters_outbox order by id");
        Assert.Contains("'colour' is not a property of a message", errors[0], StringComparison.Ordinal);
        Assert.Contains("The column 'properties' cannot be read", errors[1], StringComparison.Ordinal);
        Assert.Contains("where is queue 'elsewhere'?", errors[2], StringComparison.Ordinal);
        Assert.Contains("time to live", errors[3], StringComparison.Ordinal);
        Assert.Contains("The column 'created_at' is 9223372036854775807", errors[4], StringComparison.Ordinal);

        // After the repair, the row is sent.
        IReadOnlyList<SetAsideMessage> rows = await host.Get<IOutbox>().GetSetAsideAsync();
        Assert.Equal(errors, rows.Select(static row => row.Reason));
        Assert.Equal(("orders", "a", "order-placed"), (rows[0].Queue, rows[0].MessageId, rows[0].Contract));
        Assert.Equal(2, (await host.Get<IOutbox>().GetSetAsideAsync(2)).Count);
        Assert.False(await host.Get<IOutbox>().RetryAsync(rows[^1].Id + 100));
        await place.ExecuteAsync("update formatters_outbox set properties = '{\"label\": \"repaired\"}' where message_id = 'a'");
        Assert.True(await host.Get<IOutbox>().RetryAsync(rows[0].Id));
        Assert.False(await host.Get<IOutbox>().RetryAsync(rows[0].Id));
        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        ReceivedMessage repaired = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
        Assert.Equal("repaired", repaired.Label);
        await repaired.AcknowledgeAsync();
    }

    /// <summary>A message that its queue can never take is set aside, whatever the queue, and the later ones of the queue are sent.</summary>
    [Theory]
    [QueueKindData(Except = "RabbitMQ")] // It takes 128 MiB; RabbitMqSendTests shows what it says.
    public async Task MessageThatIsTooLarge_IsSetAside(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using QueuePlace queues = QueuePlace.Of(kind);
        string address = queues.Address("orders");
        await using TestHost host = await TestHost.StartAsync([$"orders:Address={address}", "invoices:Address=memory:invoices"], builder => queues.AddTo(place.AddTo(
            builder.AddQueue("orders", options => options.ConfigureQueue = queue => kind == "Service Bus" ? queue : queue with { MaxByteCount = 1_000_000 }))));
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            for (int i = 0; i < 5; i++)
                await transaction.SendAsync(new OrderPlaced(i, new string('x', i == 1 ? 16_777_200 : 10)));
            await transaction.CommitAsync();
        }

        await using QueueClient queue = await host.Get<QueueConnections>().Connector.OpenAsync(address, new QueueOptions());
        var received = new List<int>();
        while (received.Count < 4)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
            received.Add(message.Read(new BinaryBodyFormatter<OrderPlaced>()).Id);
            await message.AcknowledgeAsync();
        }

        Assert.Equal([0, 2, 3, 4], received);
        await host.Log.WaitForAsync(25);
        Assert.Contains("order-placed", Assert.Single(await host.Get<IOutbox>().GetSetAsideAsync()).Contract, StringComparison.Ordinal);
    }

    /// <summary>The time to live begins when the row is written or when the message is due, whichever is later.</summary>
    [Theory]
    [OutboxData]
    public async Task TimeToLive_IncludesTheTimeInTheOutbox(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        DateTimeOffset longAgo = DateTimeOffset.UtcNow.AddHours(-5);
        DateTimeOffset start = DateTimeOffset.UtcNow.AddMinutes(-10);
        await place.ExecuteAsync(
            "insert into formatters_outbox (queue, message_id, contract, properties, body, body_type, created_at) values "
                + $"{Row("due later", createdAt: longAgo, due: start)}, {Row("due before", createdAt: start, due: longAgo)}");

        await place.WaitForAsync("select count(*) from formatters_outbox where error is null", "0");

        Assert.Empty(await place.QueryAsync("select error from formatters_outbox"));
        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        for (int i = 0; i < 2; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
            Assert.InRange(message.TimeToLive!.Value, TimeSpan.Zero, TimeSpan.FromMinutes(50));
            await message.AcknowledgeAsync();
        }

        string Row(string id, DateTimeOffset createdAt, DateTimeOffset due) =>
            $"('orders', '{id}', 'order-placed', '{{\"timeToLiveTicks\": {TimeSpan.TicksPerHour}, \"dueTicks\": {due.UtcTicks}}}', "
                + $"{(kind == "SQLite" ? "x'00'" : "'\\x00'::bytea")}, 0, {createdAt.ToUnixTimeMilliseconds()})";
    }

    [Theory]
    [OutboxData]
    public async Task AQueueThatIsUnreachable_DoesNotHoldUpOthers_AndGetsItsMessagesLater(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        string[] configuration = [$"orders:Address=file:{place.Folder}/locked/orders", $"invoices:Address=file:{place.Folder}/queues/invoices"];
        // It keeps the folder for itself.
        var owner = new FileQueueProvider(new FileQueueOptions { Sharing = FolderSharing.Exclusive });
        await using (await owner.OpenAsync(QueueAddress.Parse($"file:{place.Folder}/locked/orders"), QueueOptions.Default, CancellationToken.None))
        {
        }

        await using TestHost host = await TestHost.StartAsync(
            configuration, queues => place.AddTo(queues, static options =>
            {
                // The waits after failures do not depend on it.
                options.PollInterval = TimeSpan.FromHours(1);
                options.MaxRetryDelay = TimeSpan.FromMilliseconds(50);
            }));
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.SendAsync(new OrderPlaced(2, "Ada"));
            await transaction.SendAsync(new OrderStatus(1, "placed"));
            await transaction.CommitAsync();
        }

        await host.Log.WaitForAsync(23);
        QueueClient invoices = host.Host.Services.GetRequiredKeyedService<QueueClient>("invoices");
        await (await invoices.ReceiveAsync(Timeout.InfiniteTimeSpan))!.AcknowledgeAsync();
        await owner.DisposeAsync();
        Assert.Equal([1, 2], (await ReceiveAsync(host, 2)).Select(static order => order.Id));
        await host.Log.WaitForAsync(24);
        Assert.Single(host.Log.Of(23));
    }

    [Theory]
    [OutboxData]
    public async Task TwoHosts_DispatchInTurn(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        string[] others = [$"orders:Address=file:{place.Folder}/others/orders", $"invoices:Address=file:{place.Folder}/others/invoices"];
        TestHost first = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        await using TestHost second = await TestHost.StartAsync(others, queues => place.AddTo(queues));
        await SendAsync(40);
        // No message is sent by both.
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        Assert.Equal(40, await CountAsync(first) + await CountAsync(second));
        await first.DisposeAsync();
        long before = await CountAsync(second);
        await SendAsync(3);
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        Assert.Equal(before + 3, await CountAsync(second));

        async Task SendAsync(int count)
        {
            for (int i = 0; i < count; i++)
            {
                await using OutboxTransaction transaction = await second.Get<IOutbox>().BeginAsync();
                await transaction.SendAsync(new OrderPlaced(i, "Ada"));
                await transaction.CommitAsync();
            }
        }

        static async Task<long> CountAsync(TestHost host) => await host.Host.Services.GetRequiredKeyedService<QueueClient>("orders").GetMessageCountAsync();
    }

    [Theory]
    [OutboxData]
    public async Task RowsThatCannotBeDeleted_AreSentOnce(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, static options =>
        {
            options.DuplicateWindow = null;
            options.MaxRetryDelay = TimeSpan.FromMilliseconds(50);
        }));
        if (kind == "SQLite")
        {
            await place.ExecuteAsync("create trigger keep before delete on formatters_outbox begin select raise(abort, 'not now'); end");
        }
        else
        {
            await place.ExecuteAsync(
                "create function keep() returns trigger language plpgsql as $$ begin raise 'not now'; end $$; "
                    + "create trigger keep before delete on formatters_outbox execute function keep()");
        }

        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        await host.Log.WaitForAsync(21);
        // Some more attempts, in which the message is not sent again.
        for (int i = 0; i < 5; i++)
            await Task.Delay(50);
        await place.ExecuteAsync(kind == "SQLite" ? "drop trigger keep" : "drop trigger keep on formatters_outbox");
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        await host.Log.WaitForAsync(22);
        Assert.Equal([new OrderPlaced(1, "Ada")], await ReceiveAsync(host, 1));
        Assert.Equal(0, await host.Host.Services.GetRequiredKeyedService<QueueClient>("orders").GetMessageCountAsync());
    }

    /// <summary>An earlier process ended after it had sent the message, before the row was deleted.</summary>
    [Theory]
    [OutboxData]
    public async Task AMessageThatTheQueueHas_IsDeletedFromTheOutbox(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"), options: new SendOptions { MessageId = "a" });
            await transaction.CommitAsync();
        }

        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        string body = kind == "SQLite" ? "x'00'" : "'\\x00'::bytea";
        await place.ExecuteAsync(
            "insert into formatters_outbox (queue, message_id, contract, properties, body, body_type, created_at) values "
                + $"('orders', 'a', 'order-placed', '{{}}', {body}, 0, 0), ('invoices', 'b', 'order-status', '{{}}', {body}, 0, 0)");

        // Both rows are of one batch.
        await place.WaitForAsync("select count(*) from formatters_outbox where queue = 'invoices'", "0");
        Assert.Equal(["0"], await place.QueryAsync("select count(*) from formatters_outbox"));
        Assert.Empty(host.Log.Of(23));
        Assert.Equal(1, await host.Host.Services.GetRequiredKeyedService<QueueClient>("orders").GetMessageCountAsync());
    }

    [Fact]
    public async Task Metrics_CountWhatIsSent_SetAside_AndRepeated()
    {
        string queue = "orders-" + Guid.NewGuid().ToString("N");
        var measured = new ConcurrentQueue<string>();
        using var listener = new System.Diagnostics.Metrics.MeterListener
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name.StartsWith("formatters.", StringComparison.Ordinal))
                    listener.EnableMeasurementEvents(instrument);
            },
        };
        listener.SetMeasurementEventCallback<long>((instrument, _, tags, _) => Record(instrument, tags));
        listener.SetMeasurementEventCallback<double>((instrument, _, tags, _) => Record(instrument, tags));
        listener.Start();
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await TestHost.StartAsync([$"{queue}:Address=file:{place.Folder}/queues/orders"], queues => queues
            .AddSender<OrderPlaced>(queue)
            .AddConsumer<OrderPlaced>(queue, static (_, _, _) => Task.CompletedTask, static consumer => consumer.IsTransactional = true)
            .AddOutbox(_ => place.Connect(), static options =>
            {
                options.CreateTables = true;
                options.PollInterval = TimeSpan.FromMilliseconds(20);
            }));
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"), options: new SendOptions { MessageId = "a" });
            await using DbCommand insert = transaction.CreateCommand(
                "insert into formatters_outbox (queue, message_id, contract, properties, body, body_type, created_at) values (@queue, 'b', '', '', x'00', 0, 0)", ("@queue", queue));
            await insert.ExecuteNonQueryAsync();
            await transaction.CommitAsync();
        }

        await place.WaitForAsync("select message_id from formatters_inbox", "a");
        await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"), new SendOptions { MessageId = "a" });
        await host.Log.WaitForAsync(26);
        await host.Log.WaitForAsync(25);
        string[] expected = ["formatters.inbox.repeated.messages", "formatters.outbox.delay", "formatters.outbox.dispatched.messages", "formatters.outbox.set_aside.messages"];
        while (measured.Count < expected.Length)
            await Task.Delay(10);
        Assert.Equal(expected, measured.Order(StringComparer.Ordinal));

        void Record(System.Diagnostics.Metrics.Instrument instrument, ReadOnlySpan<KeyValuePair<string, object?>> tags)
        {
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                if (tag.Value as string == queue)
                    measured.Enqueue(instrument.Name);
            }
        }
    }

    [Fact]
    public async Task Traces_LeadFromTheApplicationToTheQueue()
    {
        var ended = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is QueueTelemetry.ActivitySourceName or "test",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = ended.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        using var source = new ActivitySource("test");
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues));
        ActivityTraceId trace;
        using (Activity application = source.StartActivity("request")!)
        {
            trace = application.TraceId;
            await using OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync();
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        await ReceiveAsync(host, 1);
        await place.WaitForAsync("select count(*) from formatters_outbox", "0");
        Activity[] spans = [.. ended.Where(activity => activity.TraceId == trace)];
        Activity create = Assert.Single(spans, static span => span.DisplayName == "create orders");
        Activity dispatch = Assert.Single(spans, static span => span.DisplayName == "dispatch orders");
        Activity send = Assert.Single(spans, static span => span.DisplayName == "send orders");
        Assert.Equal((create.SpanId, dispatch.SpanId), (dispatch.ParentSpanId, send.ParentSpanId));
        Assert.NotNull(create.GetTagItem("messaging.system"));
        Assert.Equal(send.GetTagItem("messaging.system"), create.GetTagItem("messaging.system"));
    }

    [Fact]
    public async Task Harness_RecordsWhatIsSent()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await TestHost.StartWithHarnessAsync(queues => place.AddTo(queues), null, place.Configuration);
        await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
        {
            await transaction.SendAsync(new OrderPlaced(1, "Ada"));
            await transaction.CommitAsync();
        }

        Assert.Equal([new OrderPlaced(1, "Ada")], await host.Harness.WaitForSentAsync<OrderPlaced>());
    }

    [Fact]
    public async Task Harness_RecordsHandledMessagesOnce()
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        await using TestHost host = await TestHost.StartWithHarnessAsync(
            queues => place.AddTo(queues).AddConsumer<OrderPlaced>("orders", static (_, _, _) => Task.CompletedTask, static consumer => consumer.IsTransactional = true),
            null,
            place.Configuration);
        foreach (string id in new[] { "a", "a", "b" })
            await host.Harness.SendAsync("orders", new OrderPlaced(1, id), new SendOptions { MessageId = id });
        await host.Log.WaitForAsync(26);
        Assert.Equal([new OrderPlaced(1, "a"), new OrderPlaced(1, "b")], await host.Harness.WaitForHandledAsync<OrderPlaced>(2));
    }

    [Theory]
    [InlineData("PollInterval is 00:00:00.0090000: from 10 milliseconds to 1 day", 0)]
    [InlineData("BatchSize is 0: from 1 to 10000", 1)]
    [InlineData("OutboxTable is 'a\"b'", 2)]
    [InlineData("InboxTable must differ from OutboxTable", 3)]
    [InlineData("InboxRetention is 00:00:59: at least 1 minute", 4)]
    [InlineData("MaxRetryDelay is 00:00:00: at least 10 milliseconds", 5)]
    [InlineData("DuplicateWindow is 00:00:00: more than zero, or null", 6)]
    [InlineData("Dialect is 9, which is not a OutboxDialect", 7)]
    [InlineData("OutboxTable is 'Q_handled_at', which is the name of the index of InboxTable", 8)]
    public async Task InvalidOptions_FailTheStart(string expected, int setting)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        var error = await Assert.ThrowsAsync<OptionsValidationException>(() => TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, options =>
        {
            switch (setting)
            {
                case 0:
                    options.PollInterval = TimeSpan.FromMilliseconds(9);
                    break;
                case 1:
                    options.BatchSize = 0;
                    break;
                case 2:
                    options.OutboxTable = "a\"b";
                    break;
                case 3:
                    options.InboxTable = options.OutboxTable.ToUpperInvariant();
                    break;
                case 4:
                    options.InboxRetention = TimeSpan.FromSeconds(59);
                    break;
                case 5:
                    options.MaxRetryDelay = TimeSpan.Zero;
                    break;
                case 8:
                    options.OutboxTable = "Q_handled_at";
                    options.InboxTable = "q";
                    break;
                case 6:
                    options.DuplicateWindow = TimeSpan.Zero;
                    break;
                default:
                    options.Dialect = (OutboxDialect)9;
                    break;
            }
        })));
        Assert.Contains(expected, error.Message, StringComparison.Ordinal);
    }

    /// <summary>PostgreSQL cuts names off after 63 characters, which would make the index's name that of its table.</summary>
    [Theory]
    [OutboxData]
    public async Task ALongName_HasAnIndexOfItsOwn(string kind)
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        string inbox = new('q', 63), index = new string('q', 52) + "_handled_at";
        await using TestHost host = await TestHost.StartAsync(place.Configuration, queues => place.AddTo(queues, options => options.InboxTable = inbox));
        Assert.Equal(["1"], await place.QueryAsync(kind == "SQLite"
            ? $"select count(*) from sqlite_master where type = 'index' and tbl_name = '{inbox}' and name = '{index}'"
            : $"select count(*) from pg_indexes where tablename = '{inbox}' and indexname = '{index}'"));
    }

    [Fact]
    public void TwoOutboxes_AreRejected() => Assert.Throws<InvalidOperationException>(
        () => new ServiceCollection().AddQueues().AddOutbox(static _ => null!).AddOutbox(static _ => null!));

    internal static async Task<List<OrderPlaced>> ReceiveAsync(TestHost host, int count)
    {
        var formatter = new BinaryBodyFormatter<OrderPlaced>();
        QueueClient queue = host.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        var orders = new List<OrderPlaced>();
        while (orders.Count < count)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
            orders.Add(message.Read(formatter));
            await message.AcknowledgeAsync();
        }

        return orders;
    }
}
