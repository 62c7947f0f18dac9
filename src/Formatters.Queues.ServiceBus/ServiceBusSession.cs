using System;
using System.Threading;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>A locked session of a queue or subscription.</summary>
internal sealed class ServiceBusSession : ServiceBusQueue
{
    private readonly ServiceBusSessionReceiver _receiver;

    internal ServiceBusSession(ServiceBusQueue queue, ServiceBusSessionReceiver receiver)
        : base(queue, receiver)
    {
        _receiver = receiver;
        _ = KeepLockedAsync();
    }

    public override string SessionId => _receiver.SessionId;

    public override DateTimeOffset? SessionLockEnd => _receiver.SessionLockedUntil;

    public override async ValueTask<ReadOnlyMemory<byte>?> GetSessionStateAsync(CancellationToken cancellationToken = default)
    {
        BinaryData? state = await RunAsync(
            () => _receiver.GetSessionStateAsync(cancellationToken), "read the state of the session", cancellationToken).ConfigureAwait(false);
        return state?.ToMemory();
    }

    public override async ValueTask SetSessionStateAsync(ReadOnlyMemory<byte>? state, CancellationToken cancellationToken = default)
    {
        QueueChecks.NotInScope(Address);
        await RunAsync(
            async () =>
            {
                BinaryData? data = state is { } bytes ? BinaryData.FromBytes(bytes) : null;
                await _receiver.SetSessionStateAsync(data, cancellationToken).ConfigureAwait(false);
                return true;
            },
            "store the state of the session",
            cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Renews the lock of the session when half of it is over. If it is lost, the next operation says so.</summary>
    private async Task KeepLockedAsync()
    {
        try
        {
            while (!_receiver.IsClosed)
            {
                await Task.Delay(ServiceBusLocks.HalfOf(_receiver.SessionLockedUntil, Space.Options), Closing).ConfigureAwait(false);
                try
                {
                    await _receiver.RenewSessionLockAsync(Closing).ConfigureAwait(false);
                }
                catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !Closing.IsCancellationRequested)
                {
                    if (ServiceBusErrors.IsLockLost(e))
                        return;
                    await Task.Delay(ServiceBusLocks.RenewalPause, Closing).ConfigureAwait(false);
                }
            }
        }
        catch (OperationCanceledException)
        {
            // The session is closed.
        }
    }

    private async Task<T> RunAsync<T>(Func<Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        ThrowIfDisposed();
        cancellationToken.ThrowIfCancellationRequested();
        try
        {
            return await ConnectionThread.LeaveAsync(operation()).ConfigureAwait(false);
        }
        catch (Exception e) when (ServiceBusErrors.IsOfService(e) && !cancellationToken.IsCancellationRequested)
        {
            ThrowIfDisposed();
            throw ServiceBusErrors.Translate(e, what, Address, mayHaveHappened: true, _receiver);
        }
    }
}
