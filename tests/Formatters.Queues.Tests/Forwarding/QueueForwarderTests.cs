using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

public sealed class QueueForwarderTests : IAsyncLifetime, IAsyncDisposable
{
    private const string Source = "memory:source";
    private const string Target = "flaky:target";

    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    private readonly FlakyQueueProvider _flaky = new();
    private readonly FileQueueProvider _folders = new();
    private readonly TestFolder _folder = new();
    private readonly QueueConnector _connector;
    private readonly List<string> _retries = [];

    public QueueForwarderTests() => _connector = new QueueConnector(new MemoryQueueProvider(), _flaky, _folders);

    private ForwarderOptions Quick => new() { MinBackOff = TimeSpan.FromMilliseconds(1), MaxBackOff = TimeSpan.FromMilliseconds(4), OnRetry = (e, wait) => _retries.Add($"{wait.TotalMilliseconds} {e.Message}") };

    [Theory]
    [InlineData("memory:source", "memory:target", ForwardingGuarantee.ExactlyOnce)]
    [InlineData("file:one/source", "file:one/target", ForwardingGuarantee.ExactlyOnce)]
    [InlineData("file:one/source", "file:two/target", ForwardingGuarantee.AtLeastOnce)]
    [InlineData("file:one/source", "memory:target", ForwardingGuarantee.AtLeastOnce)]
    [InlineData("memory:source", "flaky:target", ForwardingGuarantee.AtLeastOnce)]
    public async Task Messages_arrive_whole_and_in_order(string source, string target, ForwardingGuarantee guarantee)
    {
        source = source.Replace("file:", $"file://{_folder.Path}/", StringComparison.Ordinal);
        target = target.Replace("file:", $"file://{_folder.Path}/", StringComparison.Ordinal);
        await using QueueClient from = await _connector.OpenAsync(source), to = await _connector.OpenAsync(target);
        for (int i = 0; i < 250; i++)
        {
            await from.SendAsync(new QueueMessage(new MessageBody(new byte[] { 1, (byte)i }, 7, "x/y"))
            {
                Label = $"{i}", MessageId = $"id-{i}", CorrelationId = "c", ResponseQueue = "memory:answers", TimeToLive = TimeSpan.FromHours(1), Headers = { ["a"] = i, ["b"] = "text" },
            });
        }

        var forwarder = new QueueForwarder(_connector, source, target);
        Assert.Null(forwarder.Guarantee);
        await forwarder.RunUntilEmptyAsync();
        Assert.Equal((guarantee, 250L, 0L), (forwarder.Guarantee, forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.Equal(0, await from.GetMessageCountAsync());
        for (int i = 0; i < 250; i++)
        {
            ReceivedMessage message = (await to.ReceiveAsync(Soon))!;
            Assert.Equal(($"{i}", $"id-{i}", "c", "memory:answers"), (message.Label, message.MessageId, message.CorrelationId, message.ResponseQueue));
            Assert.Equal((7, "x/y", 2L, i, "text"), (message.Body.BodyType, message.Body.ContentType, message.Body.ByteCount, message.Headers["a"], message.Headers["b"]));
            Assert.InRange(message.TimeToLive!.Value, TimeSpan.FromMinutes(50), TimeSpan.FromHours(1));
            await message.AcknowledgeAsync();
        }

        Assert.Null(await to.ReceiveAsync(TimeSpan.Zero));
    }

    [Theory]
    [InlineData("memory:target")]
    [InlineData("flaky:target")]
    public async Task What_is_sent_while_it_runs_is_forwarded_and_cancelling_ends_it(string target)
    {
        await using QueueClient from = await _connector.OpenAsync(Source), to = await _connector.OpenAsync(target);
        using var stop = new CancellationTokenSource();
        var forwarder = new QueueForwarder(_connector, Source, target);
        Task running = forwarder.RunAsync(stop.Token);
        for (int i = 0; i < 20; i++)
        {
            await from.SendAsync(new QueueMessage { Label = $"{i}" });
            ReceivedMessage message = (await to.ReceiveAsync(Soon))!;
            Assert.Equal($"{i}", message.Label);
            await message.AcknowledgeAsync();
        }

        await Assert.ThrowsAsync<InvalidOperationException>(() => forwarder.RunAsync(default));
        await stop.CancelAsync();
        await running.WaitAsync(Soon);
        await from.SendAsync(new QueueMessage { Label = "later" });
        Assert.Null(await to.ReceiveAsync(TimeSpan.FromMilliseconds(50)));
        Assert.Equal(1, await from.GetMessageCountAsync());
    }

    [Fact]
    public async Task Target_that_is_away_is_waited_for_ever_longer()
    {
        await SendAsync("a", "b");
        int opened = 0;
        _flaky.OnOpen = () =>
        {
            if (++opened <= 5)
                throw new QueueException("away");
        };
        await new QueueForwarder(_connector, Source, Target, Quick).RunUntilEmptyAsync();
        Assert.Equal(["1 away", "2 away", "4 away", "4 away", "4 away"], _retries);
        Assert.Equal(["a", "b"], await TakeAsync(Target));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public async Task Failed_sends_are_tried_again_and_the_order_is_kept(int batchSize)
    {
        await SendAsync([.. Enumerable.Range(0, 30).Select(static i => $"{i}")]);
        int sends = 0;
        bool isDown = false;
        _flaky.OnOpen = () => isDown = false;
        _flaky.OnSend = _ =>
        {
            // A connection that is lost fails all that follows.
            isDown |= ++sends % 4 == 0;
            if (isDown)
                throw new QueueException("lost") { OutcomeUnknown = true };
        };
        var forwarder = new QueueForwarder(_connector, Source, Target, Quick with { BatchSize = batchSize });
        await forwarder.RunUntilEmptyAsync();
        Assert.NotEmpty(_retries);
        Assert.Equal(30, forwarder.ForwardedCount);
        Assert.Null(forwarder.LastError);
        Assert.Equal(Enumerable.Range(0, 30).Select(static i => $"{i}"), await TakeAsync(Target));
        Assert.Equal(0, await CountAsync("memory:source.dead"));
    }

    [Fact]
    public async Task Lost_answer_brings_the_message_again_with_its_id()
    {
        await SendAsync("a", "b");
        int sends = 0;
        _flaky.AfterSend = _ =>
        {
            if (++sends == 1)
                throw new QueueException("no answer") { OutcomeUnknown = true };
        };
        await new QueueForwarder(_connector, Source, Target, Quick).RunUntilEmptyAsync();
        await using QueueClient to = await _connector.OpenAsync(Target);
        ReceivedMessage[] messages = [(await to.ReceiveAsync(Soon))!, (await to.ReceiveAsync(Soon))!, (await to.ReceiveAsync(Soon))!];
        Assert.Equal(["a", "a", "b"], messages.Select(static message => message.Label));
        Assert.Equal(messages[0].MessageId, messages[1].MessageId);
    }

    [Fact]
    public async Task Lost_answer_is_found_out_by_a_target_that_knows_duplicates()
    {
        await SendAsync("a", "b");
        int sends = 0;
        _flaky.AfterSend = _ =>
        {
            if (++sends == 1)
                throw new QueueException("no answer") { OutcomeUnknown = true };
        };
        var known = new HashSet<string?>();
        _flaky.OnSend = message =>
        {
            if (!known.Add(message.MessageId))
                throw new DuplicateMessageException("It is there already.", [message.MessageId!]);
        };
        var forwarder = new QueueForwarder(_connector, Source, Target, Quick);
        await forwarder.RunUntilEmptyAsync();
        Assert.Equal(2, forwarder.ForwardedCount);
        Assert.Equal(["a", "b"], await TakeAsync(Target));
    }

    [Fact]
    public async Task What_the_target_cannot_carry_is_set_aside_at_once()
    {
        await SendAsync("good", "bad", "better");
        _flaky.OnSend = static message =>
        {
            if (message.Label == "bad")
                throw new NotSupportedException("The target has no such thing.");
        };
        var forwarder = new QueueForwarder(_connector, Source, Target, Quick);
        await forwarder.RunUntilEmptyAsync();
        Assert.Equal((2L, 1L), (forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.Empty(_retries);
        Assert.Equal(["good", "better"], await TakeAsync(Target));
        ReceivedMessage dead = (await (await _connector.OpenAsync("memory:source.dead")).ReceiveAsync(Soon))!;
        Assert.Equal(("bad", DeadLetterReasons.NotForwarded, "The target has no such thing.", "source"), (dead.Label, dead.DeadLetterReason, dead.DeadLetterDescription, dead.DeadLetterSource));
    }

    [Fact]
    public async Task What_the_target_refuses_again_and_again_is_set_aside_after_as_many_attempts()
    {
        await SendAsync("a", "bad", "b");
        int attempts = 0;
        _flaky.OnSend = message =>
        {
            if (message.Label != "bad")
                return;
            attempts++;
            throw new QueueException("too large");
        };
        await new QueueForwarder(_connector, Source, Target, Quick with { MaxAttempts = 3, DeadLetterQueue = "aside", BatchSize = 10 }).RunUntilEmptyAsync();
        Assert.Equal(3, attempts);
        List<string?> taken = await TakeAsync(Target);
        Assert.Equal(["a", "b"], taken.Distinct());
        ReceivedMessage dead = (await (await _connector.OpenAsync("memory:aside")).ReceiveAsync(Soon))!;
        Assert.Equal(DeadLetterReasons.NotForwarded, dead.DeadLetterReason);
        Assert.Contains("3 attempts: too large", dead.DeadLetterDescription!, StringComparison.Ordinal);
    }

    /// <summary>Queues of one place refuse a duplicate at the commit, with all that is sent in the transaction.</summary>
    [Theory]
    [InlineData("memory:target")]
    [InlineData("file:one/target")]
    public async Task Duplicate_that_the_commit_refuses_is_forwarded_already(string target)
    {
        target = target.Replace("file:", $"file://{_folder.Path}/", StringComparison.Ordinal);
        string source = target.Replace("target", "source", StringComparison.Ordinal);
        ForwarderOptions options = Quick with { DuplicateWindow = TimeSpan.FromHours(1), MaxAttempts = 1 };
        await using (QueueClient from = await _connector.OpenAsync(source))
        {
            foreach (string id in new[] { "a", "b", "a", "c", "b", "b", "d" })
                await from.SendAsync(new QueueMessage { Label = id, MessageId = id });
        }

        var forwarder = new QueueForwarder(_connector, source, target, options);
        await forwarder.RunUntilEmptyAsync();

        Assert.Equal((ForwardingGuarantee.ExactlyOnce, 7L, 0L), (forwarder.Guarantee, forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.Equal(["a", "b", "c", "d"], await TakeAsync(target));
    }

    /// <summary>Any of the messages of a transaction may be the reason for which its commit was refused.</summary>
    [Fact]
    public async Task Refused_commit_of_several_messages_blames_none_of_them()
    {
        const string InOnePlace = "memory:target";
        await using QueueClient from = await _connector.OpenAsync(Source, new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        foreach (string id in new[] { "a", "a", "b" })
            await from.SendAsync(new QueueMessage { Label = id, MessageId = id });
        ForwarderOptions options = Quick with
        {
            DuplicateWindow = TimeSpan.FromHours(1),
            MaxAttempts = 1,
            // Somebody else takes both: the last one is alone at the next attempt.
            OnRetry = (_, _) => Assert.Equal(("a", "a"), (TakeNow(from), TakeNow(from))),
        };

        var forwarder = new QueueForwarder(_connector, Source, InOnePlace, options);
        await forwarder.RunUntilEmptyAsync();

        Assert.Equal((1L, 0L), (forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.Equal(["b"], await TakeAsync(InOnePlace));
    }

    /// <summary>Neither is an attempt of the message: the target has not rejected it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Connection_that_is_lost_during_a_send_is_not_an_attempt(bool isOutcomeUnknown)
    {
        await SendAsync("a", "b");
        int sends = 0;
        _flaky.OnSend = _ =>
        {
            if (++sends <= 5)
                throw new QueueException("the connection was lost") { OutcomeUnknown = isOutcomeUnknown, IsUnreachable = !isOutcomeUnknown };
        };
        var forwarder = new QueueForwarder(_connector, Source, Target, Quick with { MaxAttempts = 2 });
        await forwarder.RunUntilEmptyAsync();
        Assert.Equal((2L, 0L), (forwarder.ForwardedCount, forwarder.SetAsideCount));
        Assert.Equal(["a", "b"], await TakeAsync(Target));
    }

    /// <summary>Sent an hour ago, and due in nine: none of its two hours is over.</summary>
    [Fact]
    public async Task Time_to_live_of_a_delayed_message_counts_from_when_it_is_due()
    {
        var time = new ManualTime();
        time.WallOffset = DateTimeOffset.UtcNow - TimeSpan.FromHours(1) - time.GetUtcNow();
        var connector = new QueueConnector(new MemoryQueueProvider(time), _flaky);
        await using (QueueClient from = await connector.OpenAsync(Source))
            await from.SendAsync(new QueueMessage { TimeToLive = TimeSpan.FromHours(2), DueTime = time.GetUtcNow() + TimeSpan.FromHours(10) });
        time.Advance(TimeSpan.FromHours(10));

        await new QueueForwarder(connector, Source, Target).RunUntilEmptyAsync();

        await using QueueClient to = await connector.OpenAsync(Target);
        Assert.Equal(TimeSpan.FromHours(2), (await to.ReceiveAsync(TimeSpan.Zero))!.TimeToLive);
    }

    [Fact]
    public async Task What_expires_while_the_target_is_away_is_not_forwarded()
    {
        await using (QueueClient from = await _connector.OpenAsync(Source))
        {
            await from.SendAsync(new QueueMessage { Label = "short", TimeToLive = TimeSpan.FromMilliseconds(20) });
            await from.SendAsync(new QueueMessage { Label = "long", TimeToLive = TimeSpan.FromHours(1) });
        }

        int opened = 0;
        _flaky.OnOpen = () =>
        {
            if (++opened < 10)
                throw new QueueException("away");
        };
        await new QueueForwarder(_connector, Source, Target, Quick with { MinBackOff = TimeSpan.FromMilliseconds(10), MaxBackOff = TimeSpan.FromMilliseconds(10) }).RunUntilEmptyAsync();
        Assert.Equal(["long"], await TakeAsync(Target));
        ReceivedMessage dead = (await (await _connector.OpenAsync("memory:source.dead")).ReceiveAsync(Soon))!;
        Assert.Equal(("short", DeadLetterReasons.Expired), (dead.Label, dead.DeadLetterReason));
    }

    [PostgresFact]
    public async Task Two_queues_of_one_database_exactly_once()
    {
        string place = $"{Postgres.Address}/forwarder-{Guid.NewGuid():N}";
        await MoveAsync(new PostgreSqlQueueProvider(), place + "-a", place + "-b", ForwardingGuarantee.ExactlyOnce);
    }

    /// <summary>The database refuses the message only when its transaction is prepared: its index has no keys of this size.</summary>
    [PostgresFact]
    public async Task Message_that_the_database_refuses_at_the_commit_is_set_aside_after_so_many_attempts()
    {
        var databases = new PostgreSqlQueueProvider();
        var connector = new QueueConnector(_folders, databases);
        string source = $"file://{_folder.Path}/outbox/orders", target = $"{Postgres.Address}/forwarder-{Guid.NewGuid():N}";
        try
        {
            await using QueueClient from = await connector.OpenAsync(source), to = await connector.OpenAsync(target);
            var random = new Random(1);
            string tooLarge = string.Concat(Enumerable.Range(0, 26_000).Select(_ => (char)random.Next('!', '~')));
            for (int i = 0; i < 5; i++)
                await from.SendAsync(new QueueMessage { Label = $"{i}", CorrelationId = i == 2 ? tooLarge : null });
            var coordination = new CoordinatedForwarding(_folders, token => databases.OpenResourceManagerAsync(Postgres.Address, cancellationToken: token));
            var forwarder = new QueueForwarder(connector, source, target, Quick with { Coordination = coordination, MaxAttempts = 2 });
            await forwarder.RunUntilEmptyAsync().WaitAsync(TimeSpan.FromMinutes(2));
            Assert.Equal((ForwardingGuarantee.ExactlyOnce, 4L, 1L), (forwarder.Guarantee, forwarder.ForwardedCount, forwarder.SetAsideCount));
            foreach (int i in new[] { 0, 1, 3, 4 })
                Assert.Equal($"{i}", (await to.ReceiveAsync(Soon))!.Label);
            await using QueueClient dead = await connector.OpenAsync(source + ".dead");
            ReceivedMessage message = (await dead.ReceiveAsync(Soon))!;
            Assert.Equal(("2", DeadLetterReasons.NotForwarded), (message.Label, message.DeadLetterReason));
        }
        finally
        {
            await connector.DeleteAsync(target);
        }
    }

    /// <summary>Another instance of a provider: each message would be refused, and the whole outbox become dead letters.</summary>
    [PostgresFact]
    public async Task Other_instance_of_a_provider_is_an_error_and_moves_nothing()
    {
        var databases = new PostgreSqlQueueProvider();
        string source = $"file://{_folder.Path}/outbox/orders", target = $"{Postgres.Address}/forwarder-{Guid.NewGuid():N}";
        var connector = new QueueConnector(_folders, new PostgreSqlQueueProvider());
        try
        {
            await using QueueClient from = await connector.OpenAsync(source);
            await from.SendAsync(new QueueMessage { Label = "x" });
            var coordination = new CoordinatedForwarding(_folders, token => databases.OpenResourceManagerAsync(Postgres.Address, cancellationToken: token));
            var forwarder = new QueueForwarder(connector, source, target, Quick with { Coordination = coordination });
            await Assert.ThrowsAsync<InvalidOperationException>(() => forwarder.RunUntilEmptyAsync());
            Assert.Equal((0L, 0L), (forwarder.ForwardedCount, forwarder.SetAsideCount));
            Assert.Equal(1, await from.GetMessageCountAsync());
            await using var otherFolders = new FileQueueProvider();
            Assert.Throws<ArgumentException>(() => new QueueForwarder(connector, source, target, Quick with { Coordination = coordination with { Folders = otherFolders } }));
        }
        finally
        {
            await connector.DeleteAsync(target);
        }
    }

    [BrokerFact]
    public async Task Two_queues_of_one_broker_at_least_once()
    {
        string place = $"{Broker.Address}/forwarder-{Guid.NewGuid():N}";
        await MoveAsync(new RabbitMqQueueProvider(), place + "-a", place + "-b", ForwardingGuarantee.AtLeastOnce);
    }

    [Fact]
    public void Wrong_addresses_are_refused()
    {
        Assert.Throws<ArgumentException>(() => new QueueForwarder(_connector, Source, Source));
        Assert.Throws<ArgumentException>(() => new QueueForwarder(_connector, Source, Source + ".dead"));
        Assert.Throws<FormatException>(() => new QueueForwarder(_connector, "file:///folder/", Target));
        Assert.Throws<ArgumentNullException>(() => new QueueForwarder(_connector, null!, Target));
        Assert.Throws<ArgumentOutOfRangeException>(() => new ForwarderOptions { BatchSize = 0 });
    }

    public Task InitializeAsync() => Task.CompletedTask;

    // Called by xunit, which knows no IAsyncDisposable.
    Task IAsyncLifetime.DisposeAsync() => DisposeAsync().AsTask();

    public async ValueTask DisposeAsync()
    {
        await _folders.DisposeAsync();
        _folder.Delete();
    }

    private static async Task MoveAsync(QueueProvider provider, string source, string target, ForwardingGuarantee guarantee)
    {
        var connector = new QueueConnector(provider);
        try
        {
            await using QueueClient from = await connector.OpenAsync(source), to = await connector.OpenAsync(target);
            using var stop = new CancellationTokenSource();
            var forwarder = new QueueForwarder(connector, source, target);
            Task running = forwarder.RunAsync(stop.Token);
            for (int i = 0; i < 30; i++)
                await from.SendAsync(new QueueMessage { Label = $"{i}", MessageId = $"id-{i}" });
            for (int i = 0; i < 30; i++)
            {
                ReceivedMessage message = (await to.ReceiveAsync(Soon))!;
                Assert.Equal(($"{i}", $"id-{i}"), (message.Label, message.MessageId));
                await message.AcknowledgeAsync();
            }

            await stop.CancelAsync();
            await running.WaitAsync(Soon);
            Assert.Equal((guarantee, 30L), (forwarder.Guarantee, forwarder.ForwardedCount));
        }
        finally
        {
            await connector.DeleteAsync($"{source},{target}");
        }
    }

    private async Task SendAsync(params string[] labels)
    {
        await using QueueClient from = await _connector.OpenAsync(Source);
        foreach (string label in labels)
            await from.SendAsync(new QueueMessage { Label = label });
    }

    private async Task<long> CountAsync(string address)
    {
        await using QueueClient queue = await _connector.OpenAsync(address);
        return await queue.GetMessageCountAsync();
    }

    private static string? TakeNow(QueueClient queue) => queue.ReceiveAsync(TimeSpan.Zero).AsTask().GetAwaiter().GetResult()?.Label;

    private async Task<List<string?>> TakeAsync(string address)
    {
        await using QueueClient queue = await _connector.OpenAsync(address, new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete });
        var labels = new List<string?>();
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            labels.Add(message.Label);
        return labels;
    }
}
