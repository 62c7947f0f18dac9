using System.Threading.Tasks;
using System.Transactions;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Runs operations of queues for System.Messaging: their exceptions become those that a program for .NET Framework expects.</summary>
internal static class Errors
{
    internal static void Run(Func<Task> operation) => RunAsync(operation).GetAwaiter().GetResult();

    internal static T Run<T>(Func<Task<T>> operation) => RunAsync(operation).GetAwaiter().GetResult();

    internal static async Task RunAsync(Func<Task> operation)
    {
        await RunAsync(async () =>
        {
            await operation().ConfigureAwait(false);
            return true;
        }).ConfigureAwait(false);
    }

    internal static async Task<T> RunAsync<T>(Func<Task<T>> operation)
    {
        try
        {
            if (Transaction.Current is null)
                return await operation().ConfigureAwait(false);
            // The operation belongs to the ambient transaction only if it has said so, and then by a transaction of its own.
            using var scope = new TransactionScope(TransactionScopeOption.Suppress, TransactionScopeAsyncFlowOption.Enabled);
            T result = await operation().ConfigureAwait(false);
            scope.Complete();
            return result;
        }
        catch (QueueException e)
        {
            throw Of(e);
        }
        catch (TimeoutException e)
        {
            throw new MessageQueueException(MessageQueueErrorCode.ServiceNotAvailable, e.Message, e);
        }
        catch (NotSupportedException e) when (e is not PlatformNotSupportedException)
        {
            throw new MessageQueueException(MessageQueueErrorCode.UnsupportedOperation, e.Message, e);
        }
    }

    internal static MessageQueueException Of(QueueException exception) => new(
        IsFull(exception) ? MessageQueueErrorCode.InsufficientResources
        : exception.Code == QueueErrorCode.InUse ? MessageQueueErrorCode.SharingViolation
        : MessageQueueErrorCode.ServiceNotAvailable,
        exception.Message,
        exception);

    /// <summary>Determines whether a queue has rejected a message because it is at a quota.</summary>
    internal static bool IsFull(QueueException exception) =>
        exception.Code is QueueErrorCode.Full or QueueErrorCode.TooLarge;

    internal static MessageQueueException Timeout() =>
        new(MessageQueueErrorCode.IOTimeout, "Timeout for the requested operation has expired: no message has arrived.");

    internal static MessageQueueException NotFound(QueueTarget target) => new(
        MessageQueueErrorCode.QueueNotFound,
        $"The queue '{target.Path.Text}' does not exist: create it with {nameof(MessageQueue)}.{nameof(MessageQueue.Create)}. Its address is "
        + $"'{target.Address}'.");

    internal static MessageQueueException Deleted(QueueTarget target) =>
        new(MessageQueueErrorCode.QueueDeleted, $"The queue '{target.Path.Text}' was deleted.");

    internal static MessageQueueException Closed() =>
        new(MessageQueueErrorCode.OperationCanceled, "The operation was canceled: the queue was closed.");

    internal static MessageQueueException TransactionUsage(QueueTarget target, bool isTransactional) => new(
        MessageQueueErrorCode.TransactionUsage,
        isTransactional
            ? $"'{target.Path.Text}' is transactional: send in a transaction ({nameof(MessageQueueTransaction)}, or "
                + $"{nameof(MessageQueueTransactionType)}.{nameof(MessageQueueTransactionType.Single)})."
            : $"'{target.Path.Text}' is not transactional: send and receive without a transaction, or create it with "
                + $"{nameof(MessageQueue)}.{nameof(MessageQueue.Create)}(path, true).");
}
