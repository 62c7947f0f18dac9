using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Queues in memory, in a database or on a broker, which stay open.</summary>
internal sealed class ConnectedPlace : QueuePlace
{
    private readonly OpenQueues _queues;

    internal ConnectedPlace(string baseAddress, PropertyStore store, QueueConnector connector)
        : base(baseAddress, store) => _queues = new OpenQueues(connector);

    internal override ValueTask<PlaceLease> EnterAsync(CancellationToken cancellationToken, bool isPinned = false) =>
        new(new PlaceLease(this, _queues, null, CancellationToken.None));

    public override ValueTask DisposeAsync() => _queues.DisposeAsync();
}
