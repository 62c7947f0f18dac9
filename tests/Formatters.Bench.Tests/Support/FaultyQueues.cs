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

    public override async ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
        new FaultyQueue(await _memory.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken), fault);

    private sealed class FaultyQueue(QueueClient queue, Fault fault) : QueueClient
    {
        private int _sends;

        public override QueueAddress Address => queue.Address;

        public override QueueCapabilities Capabilities => fault == Fault.None ? queue.Capabilities with { IsInProcess = false } : queue.Capabilities;

        public override QueueOptions Options => queue.Options;

        protected override ValueTask SendCoreAsync(QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
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

        protected override ValueTask<ReceivedMessage?> ReceiveCoreAsync(TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            queue.ReceiveAsync(timeout, transaction, cancellationToken);

        public override ValueTask<long> PurgeAsync(CancellationToken cancellationToken = default) => queue.PurgeAsync(cancellationToken);

        public override ValueTask<long> GetMessageCountAsync(CancellationToken cancellationToken = default) => queue.GetMessageCountAsync(cancellationToken);

        public override ValueTask<long?> GetLockedCountAsync(CancellationToken cancellationToken = default) => queue.GetLockedCountAsync(cancellationToken);

        public override ValueTask<QueueTransaction> BeginTransactionAsync(CancellationToken cancellationToken = default) => queue.BeginTransactionAsync(cancellationToken);

        public override ValueTask DisposeAsync() => queue.DisposeAsync();
    }
}
