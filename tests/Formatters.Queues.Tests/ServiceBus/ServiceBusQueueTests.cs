using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Azure.Messaging.ServiceBus.Administration;
using Formatters.Queues.ServiceBus;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What only Service Bus has, and what goes wrong there.</summary>
public sealed class ServiceBusQueueTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new();

    protected override QueueProvider Provider { get; } = ServiceBusPeer.Provider();

    protected override string Place => "servicebus:";

    [Theory]
    [InlineData("sb://ns.servicebus.windows.net/")]
    [InlineData("sb://ns.servicebus.windows.net/a")]
    [InlineData("sb://key-name@ns.servicebus.windows.net/a")]
    [InlineData("sb-emulator://127.0.0.1/a")]
    [InlineData("sb://ns.servicebus.windows.net/a?b=c")]
    [InlineData("servicebus:a")]
    [InlineData("servicebus:")]
    public async Task Address_that_is_none_or_has_no_key_is_refused(string address)
    {
        FormatException e = await Assert.ThrowsAsync<FormatException>(() => new QueueConnector(new ServiceBusQueueProvider()).OpenAsync(address).AsTask());
        Assert.Contains(address, e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connection_string_that_is_none_is_refused_without_its_key()
    {
        var connector = new QueueConnector(new ServiceBusQueueProvider(new ServiceBusOptions { ConnectionString = "Endpoint=ns;SharedAccessKey=secret" }));
        FormatException e = await Assert.ThrowsAsync<FormatException>(() => connector.OpenAsync("servicebus:a").AsTask());
        Assert.DoesNotContain("secret", e.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Selectors_become_filters_that_let_through_at_least_what_they_select()
    {
        Dictionary<string, string?> filters = new()
        {
            ["colour = 'it''s' AND n > 3"] = "(user.[colour] = 'it''s' AND user.[n] > 3)",
            ["NOT (n > 3)"] = "user.[n] IS NOT NULL",
            ["JMSType LIKE 'a%' OR JMSCorrelationID IN ('b', 'c')"] = "(sys.Label LIKE 'a%' ESCAPE '!' OR sys.CorrelationId IN ('b','c'))",
            ["\"a]b\" IS NULL"] = "user.[a]]b] IS NULL",
            ["n * 2 = 4"] = "user.[n] IS NOT NULL",
            ["JMSTimestamp > 3"] = null,
            ["yes"] = "user.[yes] = TRUE",
            ["share <= 1.5"] = "user.[share] <= 1.5000000000",
        };
        foreach ((string selector, string? filter) in filters)
            Assert.Equal(filter, ServiceBusSelector.ToSql(MessageSelector.Parse(selector)));

        // The service takes 1,024 characters.
        int rest = 1024 - "user.[colour] = ''".Length;
        Assert.Equal(1024, ServiceBusSelector.ToSql(MessageSelector.Parse($"colour = '{new string('x', rest)}'"))!.Length);
        Assert.Null(ServiceBusSelector.ToSql(MessageSelector.Parse($"colour = '{new string('x', rest + 1)}'")));
    }

    [Fact]
    public void Conjunctions_of_equalities_become_correlation_filters()
    {
        Dictionary<string, RuleFilter> filters = new()
        {
            ["JMSType = 'a' AND JMSCorrelationID = 'b' AND JMSMessageID = 'c'"] = new CorrelationRuleFilter { Subject = "a", CorrelationId = "b", MessageId = "c" },
            ["'it''s' = colour AND yes AND no = FALSE"] =
                new CorrelationRuleFilter { ApplicationProperties = { ["colour"] = "it's", ["yes"] = true, ["no"] = false } },
            ["colour = 'a' AND (colour = 'a')"] = new CorrelationRuleFilter { ApplicationProperties = { ["colour"] = "a" } },
            ["colour = 'a' AND colour = 'b'"] = new SqlRuleFilter("(user.[colour] = 'a' AND user.[colour] = 'b')"),
            ["JMSType = 'a' AND n = 1"] = new SqlRuleFilter("(sys.Label = 'a' AND user.[n] = 1)"),
            ["JMSType"] = new SqlRuleFilter("sys.Label = TRUE"),
            ["JMSType = 'a' OR colour = 'b'"] = new SqlRuleFilter("(sys.Label = 'a' OR user.[colour] = 'b')"),
            ["NOT (colour = 'a')"] = new SqlRuleFilter("user.[colour] IS NOT NULL"),
            ["JMSCorrelationID = ''"] = new SqlRuleFilter("sys.CorrelationId = ''"),
            ["colour <> 'a'"] = new SqlRuleFilter("user.[colour] <> 'a'"),
            ["JMSTimestamp > 3"] = new TrueRuleFilter(),
            ["JMSPriority = 4 AND colour = 'a'"] = new SqlRuleFilter("user.[colour] = 'a'"),
        };
        foreach ((string selector, RuleFilter filter) in filters)
            Assert.Equal(filter, ServiceBusSelector.ToFilter(MessageSelector.Parse(selector)));
    }

    /// <summary>The correlation filter and the SQL filter of a selector, in the peer, and the selector itself.</summary>
    [ServiceBusFact]
    public async Task Correlation_filter_selects_the_messages_of_the_sql_filter()
    {
        string[] selectors =
        [
            "JMSType = 'a'", "JMSCorrelationID = 'b' AND JMSMessageID = '3'", "colour = 'red'", "colour = 'it''s' AND yes", "yes = FALSE", "yes AND JMSType = 'a' AND colour = 'red'",
            "\"a]b\" = 'x'",
        ];
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"));
        var administration = new ServiceBusAdministrationClient(ServiceBusPeer.ConnectionString);
        OnDispose(() => administration.DeleteTopicAsync(NameOf("topic")));
        for (int i = 0; i < selectors.Length; i++)
        {
            var selector = MessageSelector.Parse(selectors[i]);
            CorrelationRuleFilter filter = Assert.IsType<CorrelationRuleFilter>(ServiceBusSelector.ToFilter(selector));
            await administration.CreateSubscriptionAsync(new CreateSubscriptionOptions(NameOf("topic"), $"correlation{i}"), new CreateRuleOptions("$Default", filter));
            await administration.CreateSubscriptionAsync(
                new CreateSubscriptionOptions(NameOf("topic"), $"sql{i}"), new CreateRuleOptions("$Default", new SqlRuleFilter(ServiceBusSelector.ToSql(selector)!)));
            Assert.Equal(filter, (await administration.GetRuleAsync(NameOf("topic"), $"correlation{i}", "$Default")).Value.Filter);
        }

        QueueMessage[] messages =
        [
            new() { Label = "a" }, new() { Label = "A" }, new() { Label = "a", Headers = { ["yes"] = true, ["colour"] = "red" } },
            new() { MessageId = "3", CorrelationId = "b" }, new() { MessageId = "4", CorrelationId = "b" }, new() { Headers = { ["colour"] = "it's", ["yes"] = true } },
            new() { Headers = { ["colour"] = "it's", ["yes"] = "TRUE" } }, new() { Headers = { ["yes"] = false, ["a]b"] = "x" } }, new() { Headers = { ["colour"] = 1 } }, new(),
        ];
        for (int i = 0; i < messages.Length; i++)
        {
            messages[i].MessageId ??= $"m{i}";
            await topic.SendAsync(messages[i]);
        }

        for (int i = 0; i < selectors.Length; i++)
        {
            var selector = MessageSelector.Parse(selectors[i]);
            string?[] expected = [.. messages.Where(message => selector.Matches(message)).Select(static message => message.MessageId)];
            Assert.NotEmpty(expected);
            foreach (string kind in new[] { "correlation", "sql" })
            {
                await using QueueClient subscription = await Connector.OpenAsync($"servicebus:{NameOf("topic")}/Subscriptions/{kind}{i}");
                Assert.Equal(expected, (await subscription.PeekAsync()).Select(static message => message.MessageId));
            }
        }

        // A subscription of the library has the filter, and replaces it by another.
        foreach (string selector in new[] { "colour = 'red'", "n > 1", "colour = 'blue'" })
        {
            await using (await topic.SubscribeDurableAsync("s", selector))
            {
            }

            Assert.Equal(
                ServiceBusSelector.ToFilter(MessageSelector.Parse(selector)),
                (await administration.GetRuleAsync(NameOf("topic"), "s", CreateRuleOptions.DefaultRuleName)).Value.Filter);
        }

        // A handle that is rejected does not.
        await Assert.ThrowsAsync<QueueException>(() => topic.SubscribeDurableAsync("s", "colour = 'green'", new QueueOptions { RequiresSession = true }).AsTask());
        Assert.Equal(
            ServiceBusSelector.ToFilter(MessageSelector.Parse("colour = 'blue'")),
            (await administration.GetRuleAsync(NameOf("topic"), "s", CreateRuleOptions.DefaultRuleName)).Value.Filter);
    }

    [ServiceBusFact]
    public async Task Address_with_the_key_and_one_of_a_connection_string_are_the_same_entity()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        var connector = new QueueConnector(new ServiceBusQueueProvider(), new MemoryQueueProvider());
        await using QueueClient same = await connector.OpenAsync($"{ServiceBusPeer.Address}/{queue.Address.QueueName}");
        await same.SendAsync(Message("x"));

        Assert.Equal("x", Text(await queue.ReceiveAsync(Soon)));
        Assert.DoesNotContain(ServiceBusPeer.ConnectionString.Split("SharedAccessKey=")[1].Split(';')[0], same.Address.ToString(), StringComparison.Ordinal);
    }

    [ServiceBusFact]
    public async Task Entity_path_of_the_connection_string_is_the_entity()
    {
        string name = (await OpenAsync(PeekLock)).Address.QueueName;
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { ConnectionString = $"{options.ConnectionString};EntityPath={name}" }));
        await using QueueClient queue = await connector.OpenAsync("servicebus:");
        Assert.Equal(name, queue.Address.QueueName);
        await queue.SendAsync(Message("x"));
        Assert.Equal("x", Text(await queue.ReceiveAsync(Soon)));

        foreach (string other in new[] { "other", name + "-2" })
            await Assert.ThrowsAsync<FormatException>(() => connector.OpenAsync("servicebus:" + other).AsTask());
    }

    /// <summary>A receive of a queue has no selector; a peek selects what it has read.</summary>
    [ServiceBusFact]
    public async Task Peek_selects()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(new QueueMessage(Message("x").Body) { Headers = { ["n"] = i } });

        Assert.Equal([1], (await queue.PeekAsync(new PeekOptions { Selector = "n = 1" })).Select(static message => message.Headers["n"]));
    }

    [ServiceBusFact]
    public async Task Dead_letter_queue_of_the_entity_itself_is_an_address()
    {
        string name = NameOf("a");
        QueueClient queue = await OpenAsync(PeekLock with { DeadLetterQueue = $"{name}/$DeadLetterQueue", MaxDeliveryCount = 1 });
        await queue.SendAsync(Message("poison"));
        await queue.SendAsync(Message("returned"));
        await (await queue.ReceiveAsync(Soon))!.DeadLetterAsync("bad", "very");
        await (await queue.ReceiveAsync(Soon))!.ReturnAsync();

        await using QueueClient dead = await Connector.OpenAsync($"servicebus:{name}/$DeadLetterQueue");
        await AssertCountAsync(2, dead);
        ReceivedMessage poison = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("poison", "bad", "very", name), (Text(poison), poison.DeadLetterReason, poison.DeadLetterDescription, poison.DeadLetterSource));
        await poison.AcknowledgeAsync();
        ReceivedMessage returned = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("returned", DeadLetterReasons.MaxDeliveryCountExceeded), (Text(returned), returned.DeadLetterReason));
        await returned.AcknowledgeAsync();
        await Assert.ThrowsAsync<NotSupportedException>(() => dead.SendAsync(Message("x")).AsTask());
    }

    [ServiceBusFact]
    public async Task Other_dead_letter_queue_or_limit_than_the_entitys_is_refused()
    {
        await OpenAsync(PeekLock with { DeadLetterQueue = NameOf("dead"), MaxDeliveryCount = 3 });
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = NameOf("other"), MaxDeliveryCount = 3 }));
        Assert.Contains(NameOf("dead"), e.Message, StringComparison.Ordinal);
        e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(PeekLock with { DeadLetterQueue = NameOf("dead"), MaxDeliveryCount = 4 }));
        Assert.Contains("maximum delivery count of 3", e.Message, StringComparison.Ordinal);
        await OpenAsync(PeekLock);
        foreach (string name in new[] { "dead", "other" })
            await Connector.DeleteAsync(AddressOf(name));
    }

    [ServiceBusFact]
    public async Task Duplicates_are_dropped_by_an_entity_with_a_window()
    {
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { DuplicateDetectionWindow = TimeSpan.FromMinutes(10) }));
        await using QueueClient queue = await connector.OpenAsync(AddressOf("a"));
        for (int i = 0; i < 3; i++)
            await queue.SendAsync(new QueueMessage(Message(i).Body) { MessageId = "same" });
        await queue.SendAsync(Message("other"));

        Assert.Equal(["0", "other"], await ReceiveAllAsync(queue, 2));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        await connector.DeleteAsync(AddressOf("a"));
    }

    /// <summary>A lock of five seconds is renewed for as long as the handle has the message.</summary>
    [ServiceBusFact]
    public async Task Lock_is_renewed_until_the_message_is_settled()
    {
        var connector = new QueueConnector(ServiceBusPeer.Provider(options => options with { LockDuration = TimeSpan.FromSeconds(5) }));
        await using QueueClient queue = await connector.OpenAsync(AddressOf("a"));
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        await using QueueClient other = await connector.OpenAsync(AddressOf("a"));
        Assert.Null(await other.ReceiveAsync(TimeSpan.FromSeconds(7)));

        await message.AcknowledgeAsync();
        Assert.Null(await other.ReceiveAsync(TimeSpan.Zero));
        await connector.DeleteAsync(AddressOf("a"));
    }

    [ServiceBusFact]
    public async Task Batch_that_is_too_large_for_one_is_several()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([.. Enumerable.Range(0, 40).Select(i => new QueueMessage(new MessageBody(new byte[100_000 + i])))]);
        await AssertCountAsync(40, queue);
        for (int i = 0; i < 40; i++)
            Assert.Equal(100_000 + i, (await queue.ReceiveAsync(Soon))!.Body.ByteCount);
    }

    [ServiceBusFact]
    public async Task Message_that_is_too_large_fails_alone()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        Task[] sends = [Send(Message("before")), Send(new QueueMessage(new MessageBody(new byte[17 << 20]))), Send(Message("after"))];
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => sends[1]);
        Assert.Contains("larger than the entity takes", e.Message, StringComparison.Ordinal);
        Assert.False(e.OutcomeUnknown);
        await Task.WhenAll(sends[0], sends[2]);
        Assert.Equal(["before", "after"], await ReceiveAllAsync(queue, 2));

        Task Send(QueueMessage message) => queue.SendAsync(message).AsTask();
    }

    [ServiceBusFact]
    public async Task Busy_service_is_said_and_nothing_is_sent()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await ServiceBusPeer.SetFaultAsync("busy", queue.Address.QueueName, 1);
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message("x")).AsTask());
        Assert.Equal((QueueErrorCode.Busy, false), (e.Code, e.OutcomeUnknown));
        Assert.Equal(ServiceBusFailureReason.ServiceBusy, Assert.IsType<ServiceBusException>(e.InnerException).Reason);
        await queue.SendAsync(Message("y"));

        Assert.Equal("y", Text(await queue.ReceiveAsync(Soon)));
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [Theory]
    [InlineData(ServiceBusFailureReason.MessageSizeExceeded, QueueErrorCode.TooLarge)]
    [InlineData(ServiceBusFailureReason.QuotaExceeded, QueueErrorCode.Full)]
    [InlineData(ServiceBusFailureReason.ServiceBusy, QueueErrorCode.Busy)]
    [InlineData(ServiceBusFailureReason.MessagingEntityNotFound, QueueErrorCode.QueueDeleted)]
    [InlineData(ServiceBusFailureReason.MessageLockLost, QueueErrorCode.None)]
    public void Failure_for_which_programs_have_an_answer_has_a_code(ServiceBusFailureReason reason, QueueErrorCode code) =>
        Assert.Equal(code, ServiceBusErrors.Translate(new ServiceBusException("", reason), "send", QueueAddress.Parse("servicebus:a")).Code);

    /// <summary>A queue is empty only if the service says so: here it says that it is busy.</summary>
    [ServiceBusFact]
    public async Task Nothing_received_is_no_empty_queue()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        QueueClient sessions = await OpenAsync(PeekLock with { RequiresSession = true }, "sessions");
        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(20)));
        Assert.Null(await sessions.AcceptSessionAsync(TimeSpan.FromMilliseconds(20)));
        await ServiceBusPeer.SetFaultAsync("busy", queue.Address.QueueName, 1);
        await ServiceBusPeer.SetFaultAsync("busy", sessions.Address.QueueName, 1);

        await Assert.ThrowsAsync<QueueException>(() => queue.ReceiveAsync(TimeSpan.FromMilliseconds(20)).AsTask());
        await Assert.ThrowsAsync<QueueException>(() => sessions.AcceptSessionAsync(TimeSpan.FromMilliseconds(20)).AsTask());
    }

    /// <summary>The connection ends before the service has taken the message, or after: the sender cannot know which.</summary>
    [ServiceBusFact]
    public async Task Connection_that_is_lost_leaves_the_outcome_unknown_and_the_handle_working()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        foreach ((string fault, int count) in new[] { ("lose", 0), ("silence", 1) })
        {
            await queue.SendAsync(Message("held"));
            ReceivedMessage held = (await queue.ReceiveAsync(Soon))!;
            Task<ReceivedMessage?> waiting = queue.ReceiveAsync(Soon).AsTask();
            await ServiceBusPeer.SetFaultAsync(fault, queue.Address.QueueName, 1);
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => queue.SendAsync(Message(fault)).AsTask());
            Assert.True(e.OutcomeUnknown);

            // What was received before is settled on another connection, and what waits goes on.
            await held.AcknowledgeAsync();
            if (count == 0)
                await queue.SendAsync(Message(fault));
            ReceivedMessage received = (await waiting)!;
            Assert.Equal(fault, Text(received));
            await received.AcknowledgeAsync();
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
        }
    }

    [ServiceBusFact]
    public async Task Lost_lock_is_said_once_for_each_message()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await queue.SendBatchAsync([Message("0"), Message("1")]);
        IReadOnlyList<ReceivedMessage> both = [(await queue.ReceiveAsync(Soon))!, (await queue.ReceiveAsync(Soon))!];
        // Each lost lock is confirmed over another link: of four settlements, the last one works.
        await ServiceBusPeer.SetFaultAsync("lock-lost", queue.Address.QueueName, 3);

        QueueBatchException e = await Assert.ThrowsAsync<QueueBatchException>(() => queue.AcknowledgeBatchAsync(both).AsTask());

        QueueBatchFailure failure = Assert.Single(e.Failures);
        Assert.Contains("the lock is gone", failure.Error.Message, StringComparison.Ordinal);
        await Assert.ThrowsAsync<QueueException>(() => both[failure.Index].AcknowledgeAsync().AsTask());
    }

    [ServiceBusFact]
    public async Task Wrong_key_missing_entity_and_silent_namespace_have_errors_of_their_own()
    {
        string name = NameOf("a");
        string wrong = ServiceBusPeer.ConnectionString.Split("SharedAccessKey=")[0] + "SharedAccessKey=wrong;UseDevelopmentEmulator=true";
        await AssertAsync(options => options with { ConnectionString = wrong }, "the key or token was refused");
        await AssertAsync(options => options with { CreatesEntities = false }, "there is no such entity");
        int port;
        using (var listener = new TcpListener(IPAddress.Loopback, 0))
        {
            listener.Start();
            port = ((IPEndPoint)listener.LocalEndpoint).Port;
        }

        string nobody = ServiceBusPeer.ConnectionString.Replace(ServiceBusPeer.Host, $"127.0.0.1:{port}", StringComparison.Ordinal);
        await AssertAsync(options => options with { ConnectionString = nobody, ReconnectTimeout = TimeSpan.Zero }, "the service cannot be reached");

        async Task AssertAsync(Func<ServiceBusOptions, ServiceBusOptions> with, string text)
        {
            foreach (bool createsEntities in new[] { true, false })
            {
                ServiceBusOptions options = default!;
                var connector = new QueueConnector(ServiceBusPeer.Provider(given => options = with(given) with { CreatesEntities = createsEntities && with(given).CreatesEntities }));
                QueueException e = await Assert.ThrowsAsync<QueueException>(async () =>
                {
                    await using QueueClient queue = await connector.OpenAsync("servicebus:" + name);
                    await queue.SendAsync(Message("x"));
                });
                Assert.Contains(text, e.Message, StringComparison.Ordinal);
                Assert.Equal(text == "the service cannot be reached", e.IsUnreachable);
                Assert.DoesNotContain("SharedAccessKey=", e.ToString(), StringComparison.Ordinal);
                Assert.False(e.OutcomeUnknown);
            }
        }
    }

    /// <summary>Messages of another program, by the client alone: without a body type, and with a value instead of bytes.</summary>
    [ServiceBusFact]
    public async Task Messages_of_other_programs_are_read()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        await using var client = new ServiceBusClient(ServiceBusPeer.ConnectionString);
        await using ServiceBusSender sender = client.CreateSender(queue.Address.QueueName);
        await sender.SendMessageAsync(new ServiceBusMessage("plain") { Subject = "label", SessionId = null });
        var value = new ServiceBusMessage();
        value.GetRawAmqpMessage().Body = Azure.Core.Amqp.AmqpMessageBody.FromValue("a value");
        await sender.SendMessageAsync(value);

        ReceivedMessage plain = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(("plain", "label", 0), (Text(plain), plain.Label, plain.Body.BodyType));
        Assert.Equal(0, (await queue.ReceiveAsync(Soon))!.Body.ByteCount);
    }

    [ServiceBusFact]
    public async Task Transaction_receives_from_one_entity()
    {
        var transactional = new QueueOptions { DeliveryMode = DeliveryMode.Transactional };
        QueueClient a = await OpenAsync(transactional);
        QueueClient b = await OpenAsync(transactional, "b");
        await using QueueTransaction transaction = await a.BeginTransactionAsync();
        Assert.Null(await a.ReceiveAsync(TimeSpan.Zero, transaction));
        await Assert.ThrowsAsync<NotSupportedException>(() => b.ReceiveAsync(TimeSpan.Zero, transaction).AsTask());
    }

    /// <summary>The rule of a subscription is what the administration client reads back.</summary>
    /// <summary>The clock is set by an hour before messages of a queue and of a session arrive, or while they are locked.</summary>
    [ServiceBusFact]
    public async Task Clock_that_is_set_ends_no_lease_and_no_lock()
    {
        var lockDuration = TimeSpan.FromSeconds(5);
        List<(QueueClient Queue, ReceivedMessage Message)> held = [];
        foreach (bool isLate in new[] { false, true })
        {
            foreach (int hours in new[] { -1, 1 })
            {
                var time = new SettableClock();
                ServiceBusQueueProvider provider = ServiceBusPeer.Provider(options => options with { LockDuration = lockDuration, TimeProvider = time });
                var connector = new QueueConnector(provider);
                var lease = new QueueOptions { LeaseDuration = TimeSpan.FromMinutes(10) };
                string suffix = held.Count.ToString(CultureInfo.InvariantCulture);
                QueueClient queue = await connector.OpenAsync(AddressOf(suffix), lease);
                QueueClient sessions = await connector.OpenAsync(AddressOf("s" + suffix), lease with { RequiresSession = true });
                await queue.SendAsync(Message("x"));
                await sessions.SendAsync(new QueueMessage { SessionId = "1" });
                if (!isLate)
                    time.Offset = TimeSpan.FromHours(hours);
                QueueClient session = (await sessions.AcceptSessionAsync("1", Soon))!;
                held.Add((queue, (await queue.ReceiveAsync(Soon))!));
                held.Add((session, (await session.ReceiveAsync(Soon))!));
                time.Offset = TimeSpan.FromHours(hours);
                Assert.Equal(time.GetUtcNow() + lease.LeaseDuration, held[^2].Message.LeaseEnd!.Value, TimeSpan.FromMinutes(1));
            }
        }

        await Task.Delay(lockDuration * 1.5);
        foreach ((QueueClient queue, ReceivedMessage message) in held)
        {
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
            await message.AcknowledgeAsync();
            Assert.Equal(0, await queue.GetMessageCountAsync());
            await queue.DisposeAsync();
        }
    }

    /// <summary>The machine's time, with a clock that can be set.</summary>
    private sealed class SettableClock : TimeProvider
    {
        internal TimeSpan Offset { get; set; }

        public override DateTimeOffset GetUtcNow() => base.GetUtcNow() + Offset;
    }

    /// <summary>
    /// A canceled receive leaves credit at the service, which may answer it just when the handle is closed: what it delivers then goes back, and is not
    /// locked until its lock ends.
    /// </summary>
    [ServiceBusFact]
    public async Task A_message_that_arrives_while_a_handle_is_closed_is_delivered_again()
    {
        QueueClient sender = await OpenAsync(PeekLock);
        for (int i = 0; i < 100; i++)
        {
            QueueClient closing = await Connector.OpenAsync(AddressOf("a"), PeekLock);
            using var cancellation = new CancellationTokenSource();
            Task<ReceivedMessage?> waiting = closing.ReceiveAsync(TimeSpan.FromMinutes(1), cancellationToken: cancellation.Token).AsTask();
            await Task.Delay(i % 2 == 0 ? 30 : i % 12);
            await cancellation.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waiting);
            Task sending = sender.SendAsync(Message("x")).AsTask();
            await Task.Delay(TimeSpan.FromTicks(i * 300));
            await closing.DisposeAsync();
            await sending;
            await using QueueClient next = await Connector.OpenAsync(AddressOf("a"), PeekLock);
            ReceivedMessage? received = await next.ReceiveAsync(Soon);
            Assert.True(received is { DeliveryCount: <= 2 }, $"Handle {i}: the message stays locked.");
            await received.AcknowledgeAsync();
        }
    }

    [ServiceBusFact]
    public async Task Subscription_has_the_filter_of_its_selector()
    {
        await using MessageTopic topic = await Connector.OpenTopicAsync(AddressOf("topic"));
        await using (await topic.SubscribeDurableAsync("s", "n > 1"))
        {
        }

        var administration = new ServiceBusAdministrationClient(ServiceBusPeer.ConnectionString);
        RuleProperties rule = await administration.GetRuleAsync(NameOf("topic"), "s", CreateRuleOptions.DefaultRuleName);
        Assert.Equal("user.[n] > 1", Assert.IsType<SqlRuleFilter>(rule.Filter).SqlExpression);
        await using QueueClient same = await Connector.OpenAsync($"servicebus:{NameOf("topic")}/Subscriptions/s");
        await topic.SendAsync(new QueueMessage(Message("2").Body) { Headers = { ["n"] = 2 } });
        Assert.Equal("2", Text(await same.ReceiveAsync(Soon)));
        await administration.DeleteTopicAsync(NameOf("topic"));
    }
}
