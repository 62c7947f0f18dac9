using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// The writes of the folder to its log, and their effects in memory.
internal sealed partial class QueueFolder
{
    private sealed class QueueAddedWrite(QueueFolder folder, string name) : LogWrite
    {
        internal FileQueueStore? Queue { get; private set; }

        internal override void Encode(LogBuffer block)
        {
            Queue = new FileQueueStore(folder, folder._nextQueueId, name);
            LogOperations.WriteQueueAdded(block, Queue.QueueId, name);
            folder._nextQueueId++;
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            lock (folder._log.Gate)
                folder._queues = folder._queues.SetItem(name, Queue!);
        }
    }

    private sealed class QueueDeletedWrite(QueueFolder folder, FileQueueStore queue) : LogWrite
    {
        private readonly List<FileMessage> _acknowledgments = [];
        private readonly HashSet<LogEntry> _acknowledged = [];

        /// <summary>Gets the messages that request an acknowledgement but were added too late for the block.</summary>
        internal List<FileMessage> Unacknowledged { get; } = [];

        internal override void Encode(LogBuffer block)
        {
            // First, because the queue itself receives no more acknowledgements.
            queue.IsDeletedInLog = true;
            foreach (FileMessage message in queue.FindAll(static message => message.Requests(AcknowledgmentClass.QueueDeleted)).OfType<FileMessage>())
            {
                // Messages removed by a transaction that is being written are already gone.
                if (message.Entry.Has(message.Place)
                    && folder.EncodeAcknowledgment(block, message, AcknowledgmentClass.QueueDeleted, null) is { } made)
                {
                    _acknowledgments.Add(made);
                    _acknowledged.Add(message.Entry);
                }
            }

            LogOperations.WriteQueueDeleted(block, queue.QueueId);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            // Parked messages can no longer become objects after this; none of them requests an acknowledgement.
            foreach (FileMessage message in queue.Delete().OfType<FileMessage>())
            {
                message.LeaveCache();
                if (message.HasExtras && !_acknowledged.Contains(message.Entry))
                    Unacknowledged.Add(message);
            }

            lock (folder._log.Gate)
            {
                folder._queues = folder._queues.Remove(queue.Name);
                folder._log.ReleaseAll(queue);
            }

            foreach (FileMessage acknowledgment in _acknowledgments)
                ApplyAcknowledgment(acknowledgment, segment, blockPosition);
        }

        internal override void Undo() => queue.IsDeletedInLog = false;
    }

    private sealed class SubscriptionWrite(FileQueueStore queue, string topic, string? selector) : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
            if (queue.IsDeletedInLog)
                throw queue.DeletedException();
            LogOperations.WriteSubscription(block, queue, topic, selector);
        }

        internal override void Apply(LogSegment segment, long blockPosition) => queue.SetTopic(topic, selector);
    }

    private sealed class RemoveWrite(QueueFolder folder, Removal[] removals) : LogWrite
    {
        internal override bool IsServed { get; } = removals is [{ Message.Receiver: FileQueue { IsServed: true } }, ..];

        internal override void Encode(LogBuffer block) => folder.EncodeRemovals(block, removals);

        internal override void Apply(LogSegment segment, long blockPosition) => ApplyRemovals(removals, segment, blockPosition);

        internal override void Undo()
        {
            UndoRemovals(removals);
            foreach (IGrouping<FileQueueStore, FileMessage> group in removals.Select(removal => removal.Message).GroupBy(message => message.Queue))
                group.Key.AddBack([.. group]);
        }
    }

    /// <summary>Removes dead messages found by the queue; if this cannot be written, they are found again.</summary>
    private sealed class RemoveDeadWrite(QueueFolder folder, Removal removal) : LogWrite
    {
        private readonly Removal[] _removals = [removal];

        internal override void Encode(LogBuffer block) => folder.EncodeRemovals(block, _removals);

        internal override void Apply(LogSegment segment, long blockPosition) => ApplyRemovals(_removals, segment, blockPosition);

        internal override void Undo()
        {
            UndoRemovals(_removals);
            removal.Message.Queue.PutBack(removal.Message);
        }
    }

    /// <summary>Records the delivery count of a message. Not awaited.</summary>
    private sealed class DeliveredWrite(FileMessage message, int deliveryCount) : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
            message.Place.DeliveryCount = deliveryCount;
            LogOperations.WriteDelivered(block, message.Place);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
        }
    }

    /// <summary>The sends, removals and decision of a transaction, or one send, in one block.</summary>
    private sealed class CommitWrite(QueueFolder folder, FileTransaction? transaction, FileMessage[] sent, Removal[] removals, Decision? decision)
        : LogWrite
    {
        private readonly SentIdsWrite? _ids = Array.Exists(sent, message => message.Receiver is not null) ? new SentIdsWrite(sent) : null;
        private List<FileMessage>? _arrivals;

        internal override bool IsServed { get; } =
            transaction is not null ? transaction.Operation is not null : sent is [{ Operation: not null }, ..];

        internal override bool AddsMessages => sent.Length > 0;

        internal override void Encode(LogBuffer block)
        {
            // Messages with the same content are adjacent; the content is written with the first.
            for (int i = 0; i < sent.Length; i++)
            {
                if (IsFirst(i))
                    folder.EncodeMessage(block, sent[i]);
            }

            foreach (FileMessage message in sent)
            {
                if (message.HasExtras && folder.EncodeAcknowledgment(block, message, AcknowledgmentClass.ReachQueue, null) is { } made)
                    (_arrivals ??= []).Add(made);
            }

            // Before the removals, which are not reverted if an id is rejected.
            _ids?.Encode(block);
            folder.EncodeRemovals(block, removals);
            if (transaction?.Operation is { } operation)
                LogOperations.WriteApplied(block, operation);
            if (decision is not { } decided)
                return;
            LogOperations.WriteDecided(block, decided);
            LogOperations.WriteForgotten(block, folder.Decisions.TakeDelivered());
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            for (int i = 0; i < sent.Length; i++)
            {
                if (IsFirst(i))
                    folder.ApplyMessage(sent[i], segment, blockPosition);
                else
                    sent[i].CacheBodyIfPossible();
            }

            if (decision is { } decided)
                folder.Decisions.Add(decided);
            if (transaction?.Operation is { } operation)
                folder.Applied.Add(operation);
            ApplyRemovals(removals, segment, blockPosition);
            _ids?.Apply(segment);
            if (sent.Length == 1)
                sent[0].Queue.TryAdd(sent[0], isCounted: true);
            else
                LocalQueueStore.AddAll(sent, mayBeDeleted: true);
            foreach (FileMessage arrival in _arrivals ?? [])
                ApplyAcknowledgment(arrival, segment, blockPosition);
            transaction?.FinishExpress();
        }

        internal override void Undo()
        {
            UndoRemovals(removals);
            _ids?.Undo();
            if (transaction is not null)
            {
                transaction.Undo();
                return;
            }

            foreach (FileMessage message in sent)
                message.Queue.Release(message.BodyByteCount);
        }

        private bool IsFirst(int index) => index == 0 || sent[index].Entry != sent[index - 1].Entry;
    }

    /// <summary>Returns a message with a delay.</summary>
    private sealed class DelayWrite(QueueFolder folder, FileMessage message, TimeSpan delay) : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
            LogPlace place = message.Place;
            place.DueTicks = folder.Clock.UtcOf(folder.Clock.After(delay)).UtcTicks;
            if (!place.Queue.IsDeletedInLog)
                LogOperations.WriteDelayed(block, place);
        }

        internal override void Apply(LogSegment segment, long blockPosition) => message.Queue.AddBack([message], delay: delay);

        internal override void Undo()
        {
            message.Place.DueTicks = 0;
            message.Queue.AddBack([message]);
        }
    }

    /// <summary>An empty write, to wait until all earlier ones are on the disk.</summary>
    private sealed class EmptyWrite : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
        }
    }

    /// <summary>The part of a write with the ids of messages whose sender has a duplicate detection window.</summary>
    private sealed class SentIdsWrite(FileMessage[] messages)
    {
        private readonly List<LoggedId> _ids = [];

        /// <exception cref="DuplicateMessageException">Some were sent before; no id is kept.</exception>
        internal void Encode(LogBuffer block)
        {
            LocalQueueStore.KeepIdsOfStored(messages);
            foreach (FileMessage message in messages)
            {
                if (message.Receiver?.Options.DuplicateWindow is not { } window)
                    continue;
                var id = new LoggedId(message.Queue, message.GivenMessageId!, message.Queue.Clock.After(window));
                _ids.Add(id);
                LogOperations.WriteSentId(block, id.Queue, id.EndTicks, id.Id);
            }
        }

        internal void Apply(LogSegment segment)
        {
            foreach (LoggedId id in _ids)
                id.NoteWritten(segment);
        }

        internal void Undo()
        {
            foreach (LoggedId id in _ids)
                id.Queue.ForgetId(id.Id);
        }
    }

    /// <summary>Records that decisions are no longer needed. Not awaited.</summary>
    private sealed class ForgetWrite(List<Guid> delivered) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteForgotten(block, delivered);

        internal override void Apply(LogSegment segment, long blockPosition)
        {
        }
    }

    /// <summary>A message that leaves its queue, and the queue to which it moves, if any.</summary>
    internal sealed class Removal(FileMessage message, FileQueueStore? target, DeadLetter? deadLetter)
    {
        private LogPlace? _newPlace;
        private FileMessage? _acknowledgment;
        private bool _isDone;
        private bool _isPurged;

        internal FileMessage Message => message;

        private AcknowledgmentClass Acknowledgment =>
            _isPurged ? AcknowledgmentClass.QueuePurged : deadLetter is null
            ? AcknowledgmentClass.Receive
            : MessageAcknowledgment.ClassOf(deadLetter.Reason);

        /// <summary>Creates the removal of a message that is neither received nor a dead letter.</summary>
        internal static Removal OfPurged(FileMessage message) => new(message, null, null) { _isPurged = true };

        /// <summary>Writes the removal; called under the log's gate.</summary>
        internal void Encode(LogBuffer block, QueueFolder folder)
        {
            LogPlace place = message.Place;
            // The queue's deletion has removed the message from the log.
            if (place.Queue.IsDeletedInLog)
                return;
            _isDone = true;
            if (target is null || target.IsDeletedInLog)
            {
                LogOperations.WriteRemoved(block, place);
            }
            else
            {
                _newPlace = new LogPlace(place.Entry, target, deadLetter is null ? LogPlaceKind.Journal : LogPlaceKind.DeadLetter,
                    deadLetter) { Number = folder._log.TakeMessageNumber() };
                LogOperations.WriteMoved(block, place, _newPlace);
                place.Entry.Add(_newPlace);
            }

            place.Entry.Remove(place);
            if (message.HasExtras)
                _acknowledgment = folder.EncodeAcknowledgment(block, message, Acknowledgment, deadLetter);
        }

        internal void Apply(LogSegment segment, long blockPosition)
        {
            if (!_isDone)
                return;
            if (_acknowledgment is not null)
                ApplyAcknowledgment(_acknowledgment, segment, blockPosition);
            message.Queue.Release(message.BodyByteCount);
            if (_newPlace is null)
            {
                message.LeaveCache();
                message.Entry.CountPlaces(-1);
                return;
            }

            FileMessage moved = message.CopyTo(_newPlace);
            message.LeaveCache();
            moved.CacheBodyIfPossible();
            target!.TryAdd(moved, isCounted: false);
        }

        internal void Undo()
        {
            if (!_isDone)
                return;
            if (_newPlace is not null)
                message.Entry.Remove(_newPlace);
            message.Entry.Add(message.Place);
        }
    }

    private void EncodeMessage(LogBuffer block, FileMessage message)
    {
        LogEntry entry = message.Entry;
        for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
        {
            if (place.Queue.IsDeletedInLog)
                throw place.Queue.DeletedException();
            place.Number = _log.TakeMessageNumber();
        }

        entry.Number = entry.FirstPlace!.Number;
        entry.BlockOffset = LogOperations.WriteMessage(block, entry, message);
        if (message.Operation is { } operation)
            LogOperations.WriteApplied(block, operation);
    }

    private void ApplyMessage(FileMessage message, LogSegment segment, long blockPosition)
    {
        if (message.Operation is { } operation)
        {
            Applied.Add(operation);
            message.Operation = null;
        }

        message.Entry.MoveTo(segment, blockPosition + message.Entry.BlockOffset);
        message.Entry.CountPlaces(message.Entry.PlaceCount);
        message.CacheBodyIfPossible();
    }

    private void EncodeRemovals(LogBuffer block, Removal[] removals)
    {
        foreach (Removal removal in removals)
            removal.Encode(block, this);
    }

    private static void ApplyRemovals(Removal[] removals, LogSegment segment, long blockPosition)
    {
        foreach (Removal removal in removals)
            removal.Apply(segment, blockPosition);
    }

    /// <summary>Restores the messages, which are still in the log.</summary>
    private static void UndoRemovals(Removal[] removals)
    {
        foreach (Removal removal in removals)
            removal.Undo();
    }
}
