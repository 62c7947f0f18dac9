using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>A request of another process that changes the log, by which the log recognizes its repetition.</summary>
/// <param name="Process">The process.</param>
/// <param name="Number">The number that the process has given the request; each has a higher one.</param>
/// <param name="Floor">The lowest number that the process may still repeat.</param>
internal sealed record RemoteOperation(Guid Process, long Number, long Floor);

/// <summary>A message that another process sends.</summary>
internal sealed class RemoteSend(MessageBody body) : QueueMessage(body)
{
    /// <summary>Gets or sets the request; null in a transaction, whose commit is the request.</summary>
    internal RemoteOperation? Operation { get; set; }

    internal override QueueMessage Copy()
    {
        var copy = new RemoteSend(Body) { MessageId = MessageId, Operation = Operation };
        copy.CopyProperties(this);
        return copy;
    }
}

/// <summary>
/// The requests of other processes that are in the log. When the owner of a folder dies, they repeat what was not answered, and the next owner
/// finds here what was done.
/// </summary>
internal sealed class AppliedOperations
{
    /// <summary>The count from which on the numbers below the floor are removed.</summary>
    private const int PruneCount = 256;

    private readonly Lock _gate = new();
    private readonly Dictionary<Guid, Numbers> _processes = [];

    internal void Add(RemoteOperation operation)
    {
        lock (_gate)
        {
            if (!_processes.TryGetValue(operation.Process, out Numbers? numbers))
                _processes.Add(operation.Process, numbers = new Numbers());
            numbers.Done.Add(operation.Number);
            numbers.Floor = Math.Max(numbers.Floor, operation.Floor);
            if (numbers.Done.Count >= numbers.NextPrune)
            {
                numbers.Done.RemoveWhere(number => number < numbers.Floor);
                numbers.NextPrune = Math.Max(PruneCount, 2 * numbers.Done.Count);
            }
        }
    }

    internal bool Contains(Guid process, long number)
    {
        lock (_gate)
            return _processes.TryGetValue(process, out Numbers? numbers) && numbers.Done.Contains(number);
    }

    /// <summary>Forgets the operations of a process that has ended.</summary>
    internal void Remove(Guid process)
    {
        lock (_gate)
            _processes.Remove(process);
    }

    /// <summary>Forgets the operations of all processes except some.</summary>
    internal void Keep(ICollection<Guid> processes)
    {
        lock (_gate)
        {
            foreach (Guid process in _processes.Keys.Where(process => !processes.Contains(process)).ToArray())
                _processes.Remove(process);
        }
    }

    /// <summary>Returns the operations that may be repeated.</summary>
    internal RemoteOperation[] GetAll()
    {
        lock (_gate)
        {
            return [.. _processes.SelectMany(process => process.Value.Done.Where(number => number >= process.Value.Floor)
                .Select(number => new RemoteOperation(process.Key, number, process.Value.Floor)))];
        }
    }

    private sealed class Numbers
    {
        internal HashSet<long> Done { get; } = [];

        internal long Floor { get; set; }

        internal int NextPrune { get; set; } = PruneCount;
    }
}
