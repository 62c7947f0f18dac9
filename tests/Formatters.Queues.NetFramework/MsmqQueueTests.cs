using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.Msmq;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What is MSMQ's own: names, ids, the message without this library's extension.</summary>
public sealed class MsmqQueueTests : QueueTestBase
{
    private static readonly QueueOptions PeekLock = new() { ReceiveMode = ReceiveMode.PeekLock };

    protected override QueueProvider Provider { get; } = new MsmqQueueProvider();

    protected override string Place => Program.MsmqPlace;

    [Fact]
    public async Task Names_OfOneQueue_OpenTheSame()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        await queue.SendAsync(Message("x"));
        string path = AddressOf("a").Replace("DIRECT=OS:", "");
        foreach (string name in new[] { "FormatName:DIRECT=OS:" + path, path, queue.Address.ToString() })
        {
            await using QueueClient same = await Connector.OpenAsync(name);
            Assert.Equal(queue.Address, same.Address);
            ReceivedMessage message = (await same.ReceiveAsync(Soon))!;
            Assert.Equal("x", Text(message));
            await same.SendAsync(new QueueMessage(message.Body));
        }
    }

    [Fact]
    public async Task A_message_of_another_program_is_received_by_its_own_properties()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        string correlationId = $@"{Guid.NewGuid()}\17";
        using (var sender = new System.Messaging.MessageQueue(AddressOf("a").Replace("DIRECT=OS:", "")))
        using (var foreign = new System.Messaging.Message { BodyStream = new System.IO.MemoryStream([1, 2]), BodyType = 768, Label = "label", CorrelationId = correlationId, Extension = [9, 9, 9, 9, 9] })
            sender.Send(foreign);

        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal((768, "label", correlationId, QueueMessage.DefaultPriority), (message.Body.BodyType, message.Label, message.CorrelationId, message.Priority));
        Assert.Equal([1, 2], message.Body.ToArray());
        Assert.False(message.HasHeaders);
        Assert.Null(message.Body.ContentType);
        Assert.Matches(@"^[0-9a-f-]{36}\\[0-9]+$", message.MessageId);
    }

    [Fact]
    public async Task A_message_of_ours_is_another_programs_by_its_own_properties()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        string correlationId = $@"{Guid.NewGuid()}\17";
        string label = new('x', 300);
        var own = new QueueMessage(new MessageBody(new byte[] { 1, 2 }, 768)) { Label = label, CorrelationId = correlationId, ResponseQueue = AddressOf("answers") };
        await queue.SendAsync(own);
        await queue.SendAsync(own);
        await queue.SendAsync(new QueueMessage(new MessageBody(new byte[] { 3 })) { Label = "plain" });

        using (var receiver = new System.Messaging.MessageQueue(AddressOf("a").Replace("DIRECT=OS:", "")))
        {
            receiver.MessageReadPropertyFilter.CorrelationId = true;
            using System.Messaging.Message message = receiver.Receive(Soon);
            Assert.Equal((768, label.Substring(0, 249), correlationId), (message.BodyType, message.Label, message.CorrelationId));
            Assert.EndsWith("answers", message.ResponseQueue.QueueName);
        }

        ReceivedMessage ours = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal((label, correlationId, AddressOf("answers")), (ours.Label, ours.CorrelationId, ours.ResponseQueue));
        using (var receiver = new System.Messaging.MessageQueue(AddressOf("a").Replace("DIRECT=OS:", "")))
        using (System.Messaging.Message plain = receiver.Receive(Soon))
            Assert.Equal(("plain", 0), (plain.Label, plain.Extension?.Length ?? 0));
    }

    [Fact]
    public async Task A_header_of_another_type_is_refused_and_nothing_sent()
    {
        QueueClient queue = await OpenAsync(QueueOptions.Fastest);
        ArgumentException e = await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(new QueueMessage { Headers = { ["when"] = DateTime.UtcNow } }).AsTask());
        Assert.Contains("when", e.Message);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.Zero));
    }

    [Fact]
    public async Task Dead_letter_in_a_transaction_comes_with_its_commit()
    {
        var options = new QueueOptions { DeliveryMode = DeliveryMode.Transactional, DeadLetterQueue = AddressOf("dead").Substring(Place.Length) };
        QueueClient queue = await OpenAsync(options);
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(Message("x"), sending);
            await sending.CommitAsync();
        }

        await using (QueueTransaction undone = await queue.BeginTransactionAsync())
            await (await queue.ReceiveAsync(Soon, undone))!.DeadLetterAsync("why");
        Assert.Null(await dead.ReceiveAsync(TimeSpan.Zero));
        await using (QueueTransaction done = await queue.BeginTransactionAsync())
        {
            await (await queue.ReceiveAsync(Soon, done))!.DeadLetterAsync("why", "because");
            await done.CommitAsync();
        }

        ReceivedMessage letter = (await dead.ReceiveAsync(Soon))!;
        Assert.Equal(("x", "why", "because"), (Text(letter), letter.DeadLetterReason, letter.DeadLetterDescription));
        await letter.AcknowledgeAsync();
        Assert.Equal(0, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Cancellation_of_a_lock_that_waits_leaves_the_queue_as_it_was()
    {
        QueueClient queue = await OpenAsync(PeekLock);
        using var stop = new CancellationTokenSource(TimeSpan.FromMilliseconds(50));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => queue.ReceiveAsync(Timeout.InfiniteTimeSpan, cancellationToken: stop.Token).AsTask());
        await queue.SendAsync(Message("x"));
        ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
        Assert.False(message.IsRedelivered);
        await message.AcknowledgeAsync();
    }

    [Fact]
    public async Task Other_addresses_are_refused()
    {
        foreach (string address in new[] { @"DIRECT=OS:machine\private$\a\b", "msmq://machine/a/b", "msmq://machine/private$/", "msmq://user@machine/private$/a" })
            await Assert.ThrowsAsync<FormatException>(async () => await Connector.OpenAsync(address));
    }

    [Fact]
    public async Task Queues_in_a_folder_are_not_of_this_build()
    {
        NotSupportedException e = await Assert.ThrowsAsync<NotSupportedException>(async () => await Connector.OpenAsync("file:queues/orders"));
        Assert.Contains("netstandard2.0", e.Message);
    }
}
