using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>Sends dead letters back to the queues from which they came, so that none is lost whatever fails and whenever the process ends.</summary>
/// <remarks>
/// Where the queue has atomic transactions each message is moved in one; else it leaves the dead-letter queue when the other has confirmed it. What
/// is passed over stays locked up to the end of the run, so that it is met once.
/// </remarks>
internal sealed class RequeueRun(QueueConnector connector, RequeueOptions options)
{
    /// <summary>More is not taken in one run: RabbitMQ locks no more for one receiver.</summary>
    internal const int MaxCount = 65_535;

    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(1);

    private readonly Dictionary<QueueAddress, QueueClient?> _destinations = [];
    private readonly List<Func<ValueTask>> _returns = [];

    /// <summary>Gets the counts, also after a failed run.</summary>
    internal RequeueReport Report { get; } = new();

    /// <summary>Moves the messages that are there now.</summary>
    /// <returns><see langword="false"/> if the run was ended before its end.</returns>
    /// <exception cref="QueueException">A queue failed, or does not exist.</exception>
    /// <exception cref="UsageException">The queues cannot be what they are asked to be.</exception>
    internal async Task<bool> RunAsync(CancellationToken cancellationToken)
    {
        QueueAddress address = options.Queue;
        if (options.To is { } to && to.Equals(address))
            throw new UsageException("--to names the dead-letter queue itself.");
        QueueStatus status = await QueueCheck.FindAsync(connector, address, cancellationToken);
        long count = status.MessageCount ?? throw new QueueException($"'{address}' does not report how many messages it has.");
        Report.Count = count;
        long limit = Math.Min(Math.Min(options.Limit ?? long.MaxValue, count), MaxCount);
        DeliveryMode mode = await ModeAsync(cancellationToken);
        QueueClient source = await connector.OpenOneAsync(
            options.Queue, new QueueOptions { DeliveryMode = mode, PrefetchCount = (int)Math.Clamp(count, 1, MaxCount) }, cancellationToken);
        try
        {
            for (long seen = 0; seen < count && seen < MaxCount && Report.RequeuedCount < limit; seen++)
            {
                if (cancellationToken.IsCancellationRequested)
                    return false;
                if (!await MoveNextAsync(source, mode))
                    break;
            }

            return true;
        }
        finally
        {
            foreach (Func<ValueTask> giveBack in _returns)
                await giveBack();
            await source.DisposeAsync();
            foreach (QueueClient? destination in _destinations.Values)
            {
                if (destination is not null)
                    await destination.DisposeAsync();
            }
        }
    }

    /// <summary>Takes the next message and sends it back, or keeps it for later.</summary>
    /// <returns>Whether there was one.</returns>
    private async Task<bool> MoveNextAsync(QueueClient source, DeliveryMode mode)
    {
        // Without a token: what was begun is ended.
        QueueTransaction? transaction = mode == DeliveryMode.Transactional ? await source.BeginTransactionAsync() : null;
        bool isKept = false;
        try
        {
            if (await source.ReceiveAsync(Wait, transaction) is not { } message)
                return false;
            if (await FindDestinationAsync(source, message, mode) is not { } destination)
            {
                isKept = true;
                _returns.Add(transaction is not null ? transaction.DisposeAsync : () => message.ReturnAsync());
                return true;
            }

            await destination.SendAsync(MessageCopy.Of(message, message.Body, destination.Capabilities), destination.Options.DeliveryMode == DeliveryMode.Transactional ? transaction : null);
            if (transaction is not null)
                await transaction.CommitAsync();
            else
                await message.AcknowledgeAsync();
            Report.AddRequeued(destination.Address.ToString());
            return true;
        }
        finally
        {
            if (transaction is not null && !isKept)
                await transaction.DisposeAsync();
        }
    }

    /// <summary>The queue to which a message goes back; null if it stays.</summary>
    private async Task<QueueClient?> FindDestinationAsync(QueueClient source, ReceivedMessage message, DeliveryMode mode)
    {
        if (options.Reason is { } reason && message.DeadLetterReason != reason)
        {
            Report.AddKept(message.DeadLetterReason is null ? "not a dead letter" : $"reason {message.DeadLetterReason}", isAsked: true);
            return null;
        }

        if (options.To is null && message.DeadLetterSource is null)
        {
            Report.AddKept(message.DeadLetterReason is null ? "not a dead letter: name a queue with --to" : "its queue is not known: name a queue with --to", isAsked: false);
            return null;
        }

        QueueAddress address = options.To ?? source.Address.WithQueueName(message.DeadLetterSource!);
        if (!_destinations.TryGetValue(address, out QueueClient? destination))
        {
            destination = address.Equals(source.Address) || (await connector.ListOneAsync(address, CancellationToken.None)).Count == 0
                ? null
                : await connector.OpenOneAsync(address, new QueueOptions { DeliveryMode = IsSamePlace(address) ? mode : await ModeOfAsync(address, DeliveryMode.Recoverable) }, CancellationToken.None);
            _destinations.Add(address, destination);
        }

        if (destination is null)
            Report.AddKept($"there is no queue '{address}'" + (options.To is null ? ": name a queue with --to" : ""), isAsked: false);
        return destination;
    }

    /// <summary>Determines whether a queue can be in a transaction with the dead-letter queue: one that was named by itself may be
    /// anywhere.</summary>
    private bool IsSamePlace(QueueAddress address) => address.Equals(options.Queue.WithQueueName(address.QueueName));

    private async Task<DeliveryMode> ModeAsync(CancellationToken cancellationToken)
    {
        if (options.To is null || IsSamePlace(options.To))
        {
            // Not atomic is RabbitMQ's transaction: what is confirmed is worth more.
            DeliveryMode mode = await ModeOfAsync(options.Queue, DeliveryMode.Transactional);
            if (mode == DeliveryMode.Transactional)
                return mode;
        }

        cancellationToken.ThrowIfCancellationRequested();
        return await ModeOfAsync(options.Queue, DeliveryMode.Recoverable);
    }

    /// <summary>The mode, if queues of the address's kind keep its promise; else recoverable or express.</summary>
    private async Task<DeliveryMode> ModeOfAsync(QueueAddress address, DeliveryMode wanted)
    {
        foreach (DeliveryMode mode in wanted == DeliveryMode.Transactional ? [DeliveryMode.Transactional, DeliveryMode.Recoverable] : new[] { DeliveryMode.Recoverable })
        {
            try
            {
                await using QueueClient queue = await connector.OpenOneAsync(address, new QueueOptions { DeliveryMode = mode }, CancellationToken.None);
                if (mode == DeliveryMode.Transactional ? queue.Capabilities.IsAtomic : queue.Capabilities.IsRecoverable)
                    return mode;
            }
            catch (QueueException) when (address.Scheme == "memory")
            {
                // Not recoverable.
            }
        }

        return DeliveryMode.Express;
    }
}

/// <summary>The options of <c>queue requeue</c>.</summary>
/// <param name="Queue">The dead-letter queue.</param>
/// <param name="To">The queue to which all go, or null for each its own.</param>
/// <param name="Reason">Only dead letters of this reason, or null for all.</param>
/// <param name="Limit">How many at most, or null.</param>
internal sealed record RequeueOptions(QueueAddress Queue, QueueAddress? To, string? Reason, long? Limit);

/// <summary>The report of <c>queue requeue</c>.</summary>
internal sealed record RequeueReport
{
    /// <summary>Gets or sets how many messages were in the dead-letter queue at the start.</summary>
    public long Count { get; internal set; }

    /// <summary>Gets or sets how many were sent back.</summary>
    public long RequeuedCount { get; private set; }

    /// <summary>Gets how many were sent to which queue.</summary>
    public SortedDictionary<string, long> Requeued { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets how many were left, and why.</summary>
    public SortedDictionary<string, long> Kept { get; } = new(StringComparer.Ordinal);

    /// <summary>Gets or sets whether messages were left that the command line did not ask to leave.</summary>
    internal bool HasFailures { get; private set; }

    internal void AddRequeued(string address)
    {
        RequeuedCount++;
        Requeued[address] = Requeued.GetValueOrDefault(address) + 1;
    }

    internal void AddKept(string why, bool isAsked)
    {
        Kept[why] = Kept.GetValueOrDefault(why) + 1;
        HasFailures |= !isAsked;
    }

    internal void Print(System.IO.TextWriter output)
    {
        output.WriteLine($"{Numbers.Count(RequeuedCount)} of {Numbers.Count(Count, "message")} sent back");
        foreach ((string queue, long count) in Requeued)
            TextWrap.Print(output, $"  {Numbers.Count(count),9}  ", $"to {queue}");
        foreach ((string why, long count) in Kept)
            TextWrap.Print(output, $"  {Numbers.Count(count),9}  ", $"left: {why}");
    }
}

/// <summary>Checks that queues which a command names are there, so that none is created by a typing error.</summary>
internal static class QueueCheck
{
    /// <summary>The one queue of an address; no other is made.</summary>
    /// <exception cref="QueueException">There is none.</exception>
    /// <exception cref="UsageException">It is the address of a location.</exception>
    internal static async Task<QueueStatus> FindAsync(QueueConnector connector, QueueAddress address, CancellationToken cancellationToken)
    {
        if (address.QueueName.Length == 0)
            throw new UsageException($"'{address}' is the address of a location: name one queue.");
        if (IsInNoFolderOfQueues(address))
            throw new QueueException($"There is no queue '{address}'.");
        IReadOnlyList<QueueStatus> found = await connector.ListOneAsync(address, cancellationToken);
        return found.Count == 1 && Uri.UnescapeDataString(found[0].Address.Uri.AbsolutePath) == Uri.UnescapeDataString(address.Uri.AbsolutePath) ? found[0]
            : found.Count == 0 ? throw new QueueException($"There is no queue '{address}'.")
            : throw new UsageException($"'{address}' is the address of a location: name one queue.");
    }

    /// <summary>Determines whether it is known that there is no such queue; not of one that cannot be reached.</summary>
    internal static async Task<bool> IsMissingAsync(QueueConnector connector, QueueAddress address, CancellationToken cancellationToken)
    {
        if (IsInNoFolderOfQueues(address))
            return true;
        try
        {
            return (await connector.ListOneAsync(address, cancellationToken)).Count == 0;
        }
        catch (QueueException)
        {
            return false;
        }
    }

    /// <summary>Determines whether a queue would be in a folder that holds none: it has no log, and opening a queue in it would make it a folder of
    /// queues.</summary>
    private static bool IsInNoFolderOfQueues(QueueAddress address) =>
        address.Uri.IsFile && Path.GetDirectoryName(address.Uri.LocalPath) is { } folder && !IsFolderOfQueues(folder) && !IsFolderOfQueues(address.Uri.LocalPath);

    /// <summary>Determines whether a folder has a log.</summary>
    internal static bool IsFolderOfQueues(string path) =>
        Directory.Exists(path) && (File.Exists(Path.Combine(path, "manifest")) || Directory.EnumerateFiles(path, "*.log").Any());
}
