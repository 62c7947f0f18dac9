using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Npgsql;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Rows with values that this library does not write: each concerns its own message alone.</summary>
public sealed class PostgreSqlUnreadableTests : QueueTestBase
{
    private const string Schema = "formatters_queues";

    protected override QueueProvider Provider { get; } = new PostgreSqlQueueProvider();

    protected override string Place => Postgres.Address + "/";

    /// <summary>A time that DateTime does not have, as builds before this one have written for a TimeToLive of TimeSpan.MaxValue.</summary>
    [PostgresTheory]
    [InlineData("expires_at = now() + interval '10675199 days'")]
    [InlineData("expires_at = 'infinity'")]
    [InlineData("sent_at = 'infinity', expires_at = 'infinity'")]
    [InlineData("sent_at = '-infinity'")]
    [InlineData("sent_at = '4000-01-01 BC'")]
    [InlineData("due_at = '290000-01-01'")]
    public async Task A_time_that_does_not_exist_here_is_the_nearest_that_does(string change)
    {
        foreach (QueueOptions options in Modes())
        {
            QueueClient queue = await OpenAsync(options);
            await SendAsync(queue, 5);
            await ChangeAsync("1", change);
            await using QueueTransaction? transaction = await BeginAsync(queue);

            Assert.Equal(["0", "1", "2", "3", "4"], (await queue.PeekAsync()).Select(message => message.MessageId));
            Assert.NotEmpty(await Connector.ListAsync(AddressOf("a")));
            Assert.Equal("0", (await queue.ReceiveAsync(Soon, transaction))!.MessageId);
            Assert.Equal(["1", "2", "3"], (await queue.ReceiveBatchAsync(3, Soon, transaction)).Select(message => message.MessageId));
            Assert.Equal("4", (await queue.ReceiveByIdAsync("4", Soon, transaction))!.MessageId);
            Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, transaction));
            await (transaction?.CommitAsync() ?? default);
            await queue.DisposeAsync();
            await Connector.DeleteAsync(AddressOf("a"));
        }
    }

    [PostgresTheory]
    [InlineData("headers = '[1]'", "Headers")]
    [InlineData("headers = '{\"a\": {\"bytes\": \"#\"}}'", "Headers")]
    [InlineData("headers = '{\"a\": 1}', header_types = '{\"a\": 1}'", "Headers")]
    [InlineData("priority = 12", "Priority")]
    [InlineData("acknowledgment = '{}'", "Acknowledgment")]
    [InlineData("acknowledge_types = 1, administration_queue = '..'", "AdministrationQueue")]
    public async Task A_row_that_cannot_be_read_is_set_aside_and_the_others_are_delivered(string change, string property)
    {
        foreach (QueueOptions mode in Modes())
        {
            foreach (bool hasDeadLetters in new[] { true, false })
            {
                QueueClient queue = await OpenAsync(hasDeadLetters ? mode with { DeadLetterQueue = NameOf("dead") } : mode);
                QueueClient sender = await OpenAsync(new QueueOptions());
                await SendAsync(sender, 5);
                await ChangeAsync("1", change);
                IReadOnlyList<PeekedMessage> peeked = await queue.PeekAsync();
                Assert.Equal(5, peeked.Count);
                Assert.Contains(property, Assert.Single(peeked, message => message.DeadLetterReason is not null).DeadLetterDescription, StringComparison.Ordinal);
                await using QueueTransaction? transaction = await BeginAsync(queue);

                var received = new List<string?> { (await queue.ReceiveAsync(Soon, transaction))!.MessageId };
                received.AddRange((await queue.ReceiveBatchAsync(2, Soon, transaction)).Select(message => message.MessageId));
                received.AddRange((await queue.ReceiveBatchAsync(2, Soon, transaction)).Select(message => message.MessageId));
                Assert.Equal(["0", "2", "3", "4"], received);
                if (!hasDeadLetters)
                {
                    QueueException e = await Assert.ThrowsAnyAsync<QueueException>(ReceiveAsync);
                    Assert.Contains(property, e.Message, StringComparison.Ordinal);
                }

                Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero, transaction));
                await (transaction?.CommitAsync() ?? default);
                if (mode.ReceiveMode == ReceiveMode.PeekLock && transaction is null)
                    Assert.Equal(hasDeadLetters ? 4 : 5, await queue.GetLockedCountAsync());
                await queue.DisposeAsync();

                if (hasDeadLetters)
                {
                    QueueClient dead = await OpenAsync(new QueueOptions(), "dead");
                    ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
                    Assert.Equal(("1", DeadLetterReasons.UnreadableProperties, NameOf("a")), (Text(letter), letter.DeadLetterReason, letter.DeadLetterSource));
                    Assert.Contains(property, letter.DeadLetterDescription, StringComparison.Ordinal);
                    await letter.AcknowledgeAsync();
                    await dead.DisposeAsync();
                }
                else
                {
                    // It is still there, as it was, and corrected it is received.
                    await ChangeAsync("1", "headers = NULL, header_types = NULL, priority = 4, acknowledgment = NULL, acknowledge_types = NULL, administration_queue = NULL");
                    QueueClient again = await OpenAsync(new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete });
                    Assert.Contains("1", await ReceiveAllAsync(again, mode.ReceiveMode == ReceiveMode.PeekLock && transaction is null ? 5 : 1));
                }

                await Connector.DeleteAsync(AddressOf("a"));

                async Task<ReceivedMessage?> ReceiveAsync() => await queue.ReceiveAsync(TimeSpan.Zero, transaction);
            }
        }
    }

    private static QueueOptions[] Modes() =>
    [
        new() { DeliveryMode = DeliveryMode.Recoverable },
        new() { DeliveryMode = DeliveryMode.Recoverable, LeaseDuration = TimeSpan.FromMinutes(1) },
        new() { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete },
        new() { DeliveryMode = DeliveryMode.Transactional },
    ];

    private static async Task<QueueTransaction?> BeginAsync(QueueClient queue) =>
        queue.Capabilities.Supports(QueueFeatures.Transactions) ? await queue.BeginTransactionAsync() : null;

    private static async Task SendAsync(QueueClient queue, int count)
    {
        await using QueueTransaction? transaction = await BeginAsync(queue);
        await queue.SendBatchAsync([.. Enumerable.Range(0, count).Select(i => new QueueMessage(Message(i).Body) { MessageId = $"{i}" })], transaction);
        await (transaction?.CommitAsync() ?? default);
    }

    private async Task ChangeAsync(string id, string change)
    {
        await using NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        Assert.Equal(1, await connection.ScalarAsync<long>(
            $"WITH changed AS (UPDATE {Schema}.message SET {change} WHERE message_id = '{id}' AND queue_id = (SELECT id FROM {Schema}.queue WHERE name = '{NameOf("a")}' AND deleted_at IS NULL) RETURNING 1) SELECT count(*) FROM changed"));
    }
}
