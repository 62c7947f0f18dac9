using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.ServiceBus;

/// <summary>The thread that reads from a connection. The client completes some operations on it: when a link opens, closes or fails.</summary>
/// <remarks>What the application does next would run there, and if it blocks, no answer is read any more.</remarks>
internal static class ConnectionThread
{
    /// <summary>Returns the result of an operation of the client on a thread of the pool.</summary>
    internal static Task<T> LeaveAsync<T>(Task<T> operation) => operation.IsCompleted
        ? operation
        : operation.ContinueWith(static done => done, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default).Unwrap();

    /// <inheritdoc cref="LeaveAsync{T}"/>
    internal static Task LeaveAsync(Task operation) => operation.IsCompleted
        ? operation
        : operation.ContinueWith(static done => done, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default).Unwrap();

    /// <inheritdoc cref="LeaveAsync{T}"/>
    internal static Task LeaveAsync(ValueTask operation) => LeaveAsync(operation.AsTask());
}
