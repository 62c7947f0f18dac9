using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>Implements batches for queues that do not support them: one message after the other, without waiting in between.</summary>
internal static class QueueBatches
{
    internal static ValueTask SendEachAsync(QueueClient queue, IReadOnlyList<QueueMessage> messages, QueueTransaction? transaction,
        CancellationToken cancellationToken) =>
        RunEachAsync(messages.Count, index => queue.SendUnobservedAsync(messages[index], transaction, cancellationToken), queue, "sent",
            stopsAtFailure: true);

    internal static ValueTask AcknowledgeEachAsync(QueueClient queue, IReadOnlyList<ReceivedMessage> messages,
        CancellationToken cancellationToken) =>
        RunEachAsync(messages.Count, index => messages[index].AcknowledgeAsync(cancellationToken), queue, "acknowledged", stopsAtFailure: false);

    internal static async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveEachAsync(
        QueueClient queue, int maxCount, TimeSpan timeout, QueueTransaction? transaction, CancellationToken cancellationToken)
    {
        ReceivedMessage? first = await queue.ReceiveUnobservedAsync(timeout, transaction, cancellationToken).ConfigureAwait(false);
        if (first is null)
            return [];
        var messages = new List<ReceivedMessage> { first };
        try
        {
            // Not canceled, because received messages must be returned.
            while (messages.Count < maxCount && await queue.ReceiveUnobservedAsync(TimeSpan.Zero, transaction, CancellationToken.None)
                .ConfigureAwait(false) is { } next)
                messages.Add(next);
        }
        catch (QueueException)
        {
            // The next receive meets the error again; messages received so far must not be lost.
        }

        return messages;
    }

    internal static async ValueTask ReturnEachAsync(IReadOnlyList<ReceivedMessage> messages)
    {
        // From the last, so that a queue that inserts each at its front has them in order.
        for (int i = messages.Count - 1; i >= 0; i--)
        {
            try
            {
                await messages[i].ReturnAsync().ConfigureAwait(false);
            }
            catch (QueueException)
            {
                // Its lock is lost, so it is back already.
            }
        }
    }

    /// <summary>Throws an exception for the failed messages of a batch, if any.</summary>
    /// <param name="failures">The failures.</param>
    /// <param name="count">How many messages the batch has.</param>
    /// <param name="address">The queue's address.</param>
    /// <param name="done">The verb for the message.</param>
    internal static void ThrowIfAny(List<QueueBatchFailure>? failures, int count, QueueAddress address, string done)
    {
        if (failures is null)
            return;
        Exception first = failures[0].Error;
        // Cancellation and invalid use, which is the same for all messages, are rethrown unchanged.
        if (failures.Find(failure => failure.Error is OperationCanceledException) is { } canceled)
            ExceptionDispatchInfo.Throw(canceled.Error);
        if (failures.Count == count && first is not QueueException)
            ExceptionDispatchInfo.Throw(first);
        throw new QueueBatchException($"'{address}': {failures.Count} of {count} messages were not {done}: {first.Message}", failures);
    }

    private static async ValueTask RunEachAsync(int count, Func<int, ValueTask> operation, QueueClient queue, string done, bool stopsAtFailure)
    {
        List<QueueBatchFailure>? failures = null;
        var tasks = new List<Task>(count);
        for (int i = 0; i < count; i++)
        {
            Task task = StartAsync(operation, i);
            tasks.Add(task);
            // A send that fails synchronously does so before the next is started, so that later messages do not overtake it.
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
            failures.Add(new QueueBatchFailure(i, cause is QueueException
                ? new QueueException($"Not {done}, because message {tasks.Count - 1} of the batch was not.", cause) : cause));
        }

        ThrowIfAny(failures, count, queue.Address, done);
    }

    private static async Task StartAsync(Func<int, ValueTask> operation, int index) => await operation(index).ConfigureAwait(false);

    private static Exception ErrorOf(Task task) => (Exception?)task.Exception?.InnerException ?? new TaskCanceledException(task);
}
