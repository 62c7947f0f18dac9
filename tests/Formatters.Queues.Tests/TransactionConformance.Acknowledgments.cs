using System;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

// Acknowledgement messages and copies for a journal come with the commit, or not at all.
public abstract partial class TransactionConformance
{
    [QueueFact]
    public async Task Acknowledgments_ComeWithTheCommit()
    {
        QueueClient queue = await OpenAsync(Transactional);
        if (!queue.Capabilities.Supports(QueueFeatures.Acknowledgments))
        {
            await using QueueTransaction refused = await queue.BeginTransactionAsync();
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendAsync(Asking("x", "x"), refused).AsTask());
            await Assert.ThrowsAsync<NotSupportedException>(() => queue.SendAsync(new QueueMessage { SourceJournalQueue = "j" }, refused).AsTask());
        }

        Needs(queue.Capabilities.Supports(QueueFeatures.Acknowledgments));
        QueueClient administration = await OpenAsync(Transactional, "administration");
        QueueClient journal = await OpenAsync(Transactional, "sent");
        QueueMessage asking = Asking("x", "id");
        asking.SourceJournalQueue = NameOf("sent");
        await using (QueueTransaction undone = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(asking, undone);
            await undone.RollbackAsync();
        }

        await AssertCountsAsync(0, 0, 0);
        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(asking, sending);
            await queue.SendBatchAsync([Message("y"), Asking("z", null, AcknowledgeTypes.PositiveReceive)], sending);
            await AssertCountsAsync(0, 0, 0);
            await sending.CommitAsync();
        }

        await AssertCountsAsync(3, 1, 1);
        await using (QueueTransaction undone = await queue.BeginTransactionAsync())
        {
            Assert.Equal(["x", "y"], await ReceiveAllAsync(queue, 2, undone));
            await undone.RollbackAsync();
        }

        await AssertCountsAsync(3, 1, 1);
        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            Assert.Equal(["x", "y", "z"], await ReceiveAllAsync(queue, 3, receiving));
            await receiving.CommitAsync();
        }

        await AssertCountsAsync(0, 3, 1);
        await using (QueueTransaction last = await queue.BeginTransactionAsync())
        {
            Assert.Equal(["ReachQueue id", "Receive id"], await AcknowledgmentsAsync(administration, 2, last));
            Assert.Equal(AcknowledgmentClass.Receive, (await administration.ReceiveAsync(Soon, last))!.Acknowledgment!.Class);
            Assert.Equal("x", Text(await journal.ReceiveAsync(Soon, last)));
            await last.CommitAsync();
        }

        await AssertCountsAsync(0, 0, 0);

        async Task AssertCountsAsync(long inQueue, long acknowledgments, long copies)
        {
            await AssertCountAsync(inQueue, queue);
            await AssertCountAsync(acknowledgments, administration);
            await AssertCountAsync(copies, journal);
        }
    }

    [QueueFact]
    public async Task Acknowledgment_OfADeadLetterInATransaction_IsNegativeOnly()
    {
        QueueClient queue = await OpenAsync(Transactional with { DeadLetterQueue = NameOf("dead") });
        Needs(queue.Capabilities.Supports(QueueFeatures.Acknowledgments));
        QueueClient administration = await OpenAsync(Transactional, "administration");
        QueueClient dead = await OpenAsync(Transactional, "dead");
        await using (QueueTransaction sending = await queue.BeginTransactionAsync())
        {
            await queue.SendAsync(Asking("x", "id", AcknowledgeTypes.FullReceive), sending);
            await sending.CommitAsync();
        }

        await using (QueueTransaction undone = await queue.BeginTransactionAsync())
        {
            await (await queue.ReceiveAsync(Soon, undone))!.DeadLetterAsync("bad");
        }

        await AssertCountAsync(0, administration);
        await using (QueueTransaction receiving = await queue.BeginTransactionAsync())
        {
            await (await queue.ReceiveAsync(Soon, receiving))!.DeadLetterAsync("bad", "words");
            await receiving.CommitAsync();
        }

        await AssertCountAsync(1, dead);
        await using QueueTransaction last = await queue.BeginTransactionAsync();
        ReceivedMessage told = (await administration.ReceiveAsync(Soon, last))!;
        Assert.Equal((AcknowledgmentClass.ReceiveRejected, "bad", "words"), (told.Acknowledgment!.Class, told.Acknowledgment.Reason, told.Acknowledgment.Description));
        Assert.Null(await administration.ReceiveAsync(TimeSpan.Zero, last));
    }
}
