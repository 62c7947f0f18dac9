using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The management interface of a broker of the test's own.</summary>
public sealed class RabbitMqListingTests
{
    [BrokerFact]
    public async Task The_management_interface_knows_the_queues_of_a_virtual_host_and_what_is_locked()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_MANAGEMENT", "1"));
        var provider = new RabbitMqQueueProvider(new RabbitMqOptions { ManagementAddress = new Uri(broker.ManagementAddress!) });
        var connector = new QueueConnector(provider);
        Assert.Empty(await connector.ListAsync(broker.Address));
        await using QueueClient b = await connector.OpenAsync(broker.Address + "/b%2Fc");
        await using QueueClient a = await connector.OpenAsync(broker.Address + "/a", new QueueOptions { PrefetchCount = 1 });
        await b.SendAsync(new QueueMessage());
        await a.SendAsync(new QueueMessage());
        await a.SendAsync(new QueueMessage());
        Assert.NotNull(await a.ReceiveAsync(TimeSpan.FromSeconds(20)));

        // The broker's statistics come every five seconds.
        IReadOnlyList<QueueStatus> queues = [];
        for (int i = 0; i < 300 && queues.FirstOrDefault(queue => queue.Name == "a")?.LockedCount != 1; i++)
        {
            await Task.Delay(100);
            queues = await connector.ListAsync(broker.Address + "/");
        }

        Assert.Equal([("a", 1L, 1L), ("b/c", 1L, 0L)], queues.Select(queue => (queue.Name, queue.MessageCount!.Value, queue.LockedCount!.Value)));
        Assert.Equal([a.Address, b.Address], queues.Select(queue => queue.Address));
        Assert.Equal("b/c", Assert.Single(await connector.ListAsync(broker.Address + "/b%2Fc")).Name);

        QueueException e = await Assert.ThrowsAsync<QueueException>(() => connector.ListAsync(broker.Address.Replace("guest:guest", "guest:wrong", StringComparison.Ordinal)).AsTask());
        Assert.Contains("user 'guest' or its password was refused", e.Message, StringComparison.Ordinal);
        e = await Assert.ThrowsAsync<QueueException>(() => connector.ListAsync(broker.Address + "/nowhere/").AsTask());
        Assert.Contains("virtual host 'nowhere'", e.Message, StringComparison.Ordinal);
    }

    [BrokerFact]
    public async Task A_management_interface_that_is_not_there_is_named()
    {
        var connector = new QueueConnector(new RabbitMqQueueProvider(new RabbitMqOptions { ManagementAddress = new Uri("http://user:secret@127.0.0.1:1") }));
        QueueException e = await Assert.ThrowsAsync<QueueException>(() => connector.ListAsync(Broker.Address).AsTask());
        Assert.Contains("http://127.0.0.1:1", e.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", e.Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentException>(() => new RabbitMqOptions { ManagementAddress = new Uri("/api", UriKind.Relative) });
    }
}
