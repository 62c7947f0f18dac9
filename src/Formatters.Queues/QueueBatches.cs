using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Batches on queues that have none: one message after the other, without a wait for the first before the second.</summary>
internal static class QueueBatches
{
    internal static ValueTask SendEachAsync(IMessageQueue queue, IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction, CancellationToken cancellationToken) =>
        RunEachAsync(messages.Count, index => queue.SendAsync(messages[index], transaction, cancellationToken), queue, "sent", stopsAtFailure: true);

    internal static ValueTask AcknowledgeEachAsync(IMessageQueue queue, IReadOnlyList<ReceivedMessage> messages, CancellationToken cancellationToken) =>
        RunEachAsync(messages.Count, index => messages[index].AcknowledgeAsync(cancellationToken), queue, "acknowledged", stopsAtFailure: false);

    internal static async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveEachAsync(
        IMessageQueue queue, int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ReceivedMessage? first = await queue.ReceiveAsync(timeout, transaction, cancellationToken).ConfigureAwait(false);
        if (first is null)
            return [];
        var messages = new List<ReceivedMessage> { first };
        try
        {
            // Without the token: what is taken out of the queue is handed out.
            while (messages.Count < maxCount && await queue.ReceiveAsync(TimeSpan.Zero, transaction, CancellationToken.None).ConfigureAwait(false) is { } next)
                messages.Add(next);
        }
        catch (QueueException)
        {
            // The next receive meets it again; what was received until here must not be lost for it.
        }

        return messages;
    }

    internal static async ValueTask ReturnEachAsync(IReadOnlyList<ReceivedMessage> messages)
    {
        // From the last, so that a queue that puts each at its front has them in their order.
        for (int i = messages.Count - 1; i >= 0; i--)
        {
            try
            {
                await messages[i].ReturnAsync().ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // Its lock is gone: it is back already.
            }
        }
    }

    /// <summary>Throws for what went wrong with the messages of a batch, if anything did.</summary>
    /// <param name="failures">What did.</param>
    /// <param name="count">How many messages the batch has.</param>
    /// <param name="address">The queue's address.</param>
    /// <param name="done">What was to be done with them.</param>
    internal static void ThrowIfAny(List<QueueBatchFailure>? failures, int count, QueueAddress address, string done)
    {
        if (failures is null)
            return;
        Exception first = failures[0].Error;
        // Cancellation is as everywhere, and so is misuse, which is the same for all messages: as they are.
        if (failures.Find(failure => failure.Error is OperationCanceledException) is { } canceled)
            ExceptionDispatchInfo.Throw(canceled.Error);
        if (failures.Count == count && first is not QueueException)
            ExceptionDispatchInfo.Throw(first);
        throw new QueueBatchException($"'{address}': {failures.Count} of {count} messages were not {done}: {first.Message}", failures);
    }

    private static async ValueTask RunEachAsync(int count, Func<int, ValueTask> operation, IMessageQueue queue, string done, bool stopsAtFailure)
    {
        List<QueueBatchFailure>? failures = null;
        var tasks = new List<Task>(count);
        for (int i = 0; i < count; i++)
        {
            Task task = StartAsync(operation, i);
            tasks.Add(task);
            // Who fails at once fails before the next is begun: what comes after it in the batch does not overtake it.
            if (stopsAtFailure && task.IsCompleted && !task.IsCompletedSuccessfully)
                break;
        }

        await Task.WhenAll(tasks).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        for (int i = 0; i < tasks.Count; i++)
        {
            if (!tasks[i].IsCompletedSuccessfully)
                (failures ??= []).Add(new QueueBatchFailure(i, ErrorOf(tasks[i])));
        }

        for (int i = tasks.Count; i < count; i++)
        {
            Exception cause = failures![^1].Error;
            failures.Add(new QueueBatchFailure(i, cause is QueueException ? new QueueException($"Not {done}, because message {tasks.Count - 1} of the batch was not.", cause) : cause));
        }

        ThrowIfAny(failures, count, queue.Address, done);
    }

    private static async Task StartAsync(Func<int, ValueTask> operation, int index) => await operation(index).ConfigureAwait(false);

    private static Exception ErrorOf(Task task) => (Exception?)task.Exception?.InnerException ?? new TaskCanceledException(task);
}
