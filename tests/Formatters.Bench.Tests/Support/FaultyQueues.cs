using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Bench.Tests.Support;

/// <summary>What goes wrong in a faulty queue.</summary>
internal enum Fault
{
    /// <summary>Nothing, but the queue says that it is on a broker.</summary>
    None,

    /// <summary>A message disappears.</summary>
    Loses,

    /// <summary>A message is there twice.</summary>
    Doubles,

    /// <summary>A message comes with another body.</summary>
    Alters,

    /// <summary>The connection is lost.</summary>
    Breaks,
}

/// <summary>Queues <c>faulty:name</c> in memory, in which one send in every hundred goes wrong.</summary>
internal sealed class FaultyQueueProvider(Fault fault) : QueueProvider
{
    private readonly MemoryQueueProvider _memory = new();

    public override IReadOnlyList<string> Schemes { get; } = ["faulty"];

    public override async ValueTask<IMessageQueue> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        new FaultyQueue(await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken), fault);

    private sealed class FaultyQueue(IMessageQueue queue, Fault fault) : IMessageQueue
    {
        private int _sends;

        public QueueAddress Address => queue.Address;

        public QueueCapabilities Capabilities => fault == Fault.None ? queue.Capabilities with { IsInProcess = false } : queue.Capabilities;

        public QueueOptions Options => queue.Options;

        public ValueTask SendAsync(QueueMessage message, QueueTransaction? transaction = null, CancellationToken cancellationToken = default)
        {
            if (fault == Fault.None || ++_sends % 100 != 0)
                return queue.SendAsync(message, transaction, cancellationToken);
            switch (fault)
            {
                case Fault.Loses:
                    return default;
                case Fault.Doubles:
                    return SendTwiceAsync();
                case Fault.Breaks:
                    throw new QueueException("The connection to the broker was lost.");
                default:
                    byte[] bytes = message.Body.ToArray();
                    bytes[0] ^= 1;
                    message.Body.Bytes = new(bytes);
                    return queue.SendAsync(message, transaction, cancellationToken);
            }

            async ValueTask SendTwiceAsync()
            {
                await queue.SendAsync(message, transaction, cancellationToken);
                await queue.SendAsync(message, transaction, cancellationToken);
            }
        }

        public ValueTask<ReceivedMessage?> ReceiveAsync(TimeSpan timeout, QueueTransaction? transaction = null, CancellationToken cancellationToken = default) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
