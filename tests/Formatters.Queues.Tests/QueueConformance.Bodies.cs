#if !NETFRAMEWORK
using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The caller may change a body as soon as its send has ended: completed, failed or cancelled.</summary>
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task A_body_is_its_callers_again_when_its_send_has_ended()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
        await BodyOwnership.SendAsync(async (messages, token) => await queue.SendAsync(messages[0], cancellationToken: token));
        await queue.SendAsync(BodyOwnership.Last);
        await BodyOwnership.CheckAsync(queue, Soon);

        await BodyOwnership.SendAsync(async (messages, token) => await queue.SendBatchAsync(messages, cancellationToken: token), 3, 200);
        await queue.SendAsync(BodyOwnership.Last);
        await BodyOwnership.CheckAsync(queue, Soon);
    }
}

public abstract partial class TransactionConformance
{
    [QueueFact]
    public async Task A_body_is_its_callers_again_before_the_commit()
    {
        QueueClient queue = await OpenAsync(Transactional);
        await using (QueueTransaction transaction = await queue.BeginTransactionAsync())
        {
            byte[] buffer = new byte[100];
            for (int i = 0; i < 20; i++)
            {
                QueueMessage[] batch = [.. Enumerable.Range(0, 2).Select(_ => new QueueMessage(new MessageBody(buffer)))];
                buffer.AsSpan().Fill((byte)i);
                await (i % 2 == 0 ? queue.SendAsync(batch[0], transaction) : queue.SendBatchAsync(batch, transaction));
                buffer.AsSpan().Fill(0xEE);
            }

            await transaction.CommitAsync();
        }

        await using QueueTransaction receiving = await queue.BeginTransactionAsync();
        var firsts = new List<int>();
        for (int i = 0; i < 30; i++)
            firsts.Add((await queue.ReceiveAsync(Soon, receiving))!.Body.ToArray().Distinct().Single());
        await receiving.CommitAsync();
        Assert.Equal(Enumerable.Range(0, 20).SelectMany(i => Enumerable.Repeat(i, 1 + (i % 2))), firsts);
    }
}

public abstract partial class TopicConformance
{
    [QueueFact]
    public async Task A_body_is_its_callers_again_when_its_send_has_ended()
    {
        MessageTopic topic = await OpenTopicAsync();
        await using QueueClient subscription = await topic.SubscribeAsync();
        await BodyOwnership.SendAsync(async (messages, token) => await topic.SendAsync(messages[0], cancellationToken: token), sendCount: 1000);
        await topic.SendAsync(BodyOwnership.Last);
        await BodyOwnership.CheckAsync(subscription, Soon);
    }
}
#endif
