using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Rebus;
using Rebus.Messages;
using Rebus.Transport;

namespace Formatters.Buses.Tests.Rebus;

/// <summary>A transport of Rebus over queues of the broker.</summary>
internal sealed class QueueTransport(string inputQueue) : AbstractRebusTransport(inputQueue), IAsyncDisposable
{
    private readonly ConcurrentDictionary<string, Task<QueueClient>> _queues = new();

    public override void CreateQueue(string address) => _ = OpenAsync(address);

    public override async Task<TransportMessage> Receive(ITransactionContext context, CancellationToken cancellationToken)
    {
        QueueClient queue = await OpenAsync(Address);
        if (await queue.ReceiveAsync(TimeSpan.FromMilliseconds(200), null, cancellationToken) is not { } message)
            return null!;
        context.OnAck(async _ => await message.AcknowledgeAsync(CancellationToken.None));
        context.OnNack(async _ => await message.ReturnAsync(CancellationToken.None));
        return message.ToTransportMessage();
    }

    protected override async Task SendOutgoingMessages(IEnumerable<OutgoingTransportMessage> outgoingMessages, ITransactionContext context)
    {
        foreach (OutgoingTransportMessage message in outgoingMessages)
            await (await OpenAsync(message.DestinationAddress)).SendAsync(message.TransportMessage.ToQueueMessage());
    }

    public async ValueTask DisposeAsync()
    {
        foreach ((string name, Task<QueueClient> queue) in _queues)
        {
            await (await queue).DisposeAsync();
            await Broker.DeleteAsync(name);
        }
    }

    private Task<QueueClient> OpenAsync(string address) => _queues.GetOrAdd(address, static address => Broker.OpenAsync(address).AsTask());
}
