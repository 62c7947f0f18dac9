using System;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>A decorator that traces and counts the operations of a session if there is a listener.</summary>
internal sealed class ObservedSession(IMessageSession session) : ObservedQueue(session), IMessageSession
{
    public string SessionId => session.SessionId;

    public DateTimeOffset LockEnd => session.LockEnd;

    public ValueTask<ReadOnlyMemory<byte>?> GetStateAsync(CancellationToken cancellationToken = default) => session.GetStateAsync(cancellationToken);

    public ValueTask SetStateAsync(ReadOnlyMemory<byte>? state, CancellationToken cancellationToken = default) =>
        session.SetStateAsync(state, cancellationToken);
}
