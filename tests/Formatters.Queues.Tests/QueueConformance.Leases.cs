using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>What a handle can do with a message whose lease has ended, when the next delivery is its own.</summary>
public abstract partial class QueueConformance
{
    [QueueFact]
    public async Task A_handle_whose_lease_has_ended_does_not_settle_the_next_delivery()
    {
        QueueClient plain = await OpenAsync(PeekLock);
        Needs(plain.Capabilities.Supports(QueueFeatures.Leases));
        (string Name, Func<QueueClient, ReceivedMessage, Task> Settle)[] verbs =
        [
            ("acknowledge", (_, message) => message.AcknowledgeAsync().AsTask()),
            ("acknowledge as a batch", (queue, message) => queue.AcknowledgeBatchAsync([message]).AsTask()),
            ("return", (_, message) => message.ReturnAsync().AsTask()),
            ("return later", (_, message) => message.ReturnAsync(TimeSpan.FromHours(1)).AsTask()),
            ("dead-letter", (_, message) => message.DeadLetterAsync("reason").AsTask()),
            ("renew", (_, message) => message.RenewLeaseAsync().AsTask()),
        ];
        QueueClient queue = await OpenAsync(PeekLock with { LeaseDuration = TimeSpan.FromSeconds(1), DeadLetterQueue = NameOf("dead") });
        foreach ((string name, Func<QueueClient, ReceivedMessage, Task> settle) in verbs)
        {
            await queue.SendAsync(Message(name));
            ReceivedMessage first = (await queue.ReceiveAsync(Soon))!;
            ReceivedMessage second = (await queue.ReceiveAsync(Soon))!;
            Assert.Equal((name, name), (Text(first), Text(second)));

            await Assert.ThrowsAnyAsync<QueueException>(() => settle(queue, first));

            // The second delivery is still its receiver's; on a machine that stood still for its lease, too, there is a third.
            try
            {
                await second.AcknowledgeAsync();
            }
            catch (QueueException) when (second.LeaseEnd <= DateTimeOffset.UtcNow)
            {
                await (await plain.ReceiveAsync(Soon))!.AcknowledgeAsync();
            }

            Assert.Equal(0, await plain.GetMessageCountAsync());
            Assert.Null(await plain.ReceiveAsync(TimeSpan.Zero));
        }
    }
}
