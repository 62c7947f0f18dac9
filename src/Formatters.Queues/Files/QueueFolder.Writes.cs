using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Queues;

// What the folder writes into its log, and what becomes of it in memory.
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
        private readonly List<AcknowledgmentWrite> _acknowledgments = [];
        private readonly HashSet<LogEntry> _acknowledged = [];

        /// <summary>What asked for an acknowledgement and came in too late for the block.</summary>
        internal List<FileMessage> Unacknowledged { get; } = [];

        internal override void Encode(LogBuffer block)
        {
            // First: the queue itself gets no acknowledgements any more.
            queue.IsDeletedInLog = true;
            foreach (FileMessage message in queue.FindAll(static message => message.AsksFor(AcknowledgmentClass.QueueDeleted)).OfType<FileMessage>())
            {
                // What a transaction has taken out that is on its way to the disk is there no more.
                if (message.Entry.Has(message.Place) && AcknowledgmentWrite.Encode(block, folder, message, AcknowledgmentClass.QueueDeleted, null) is { } made)
                {
                    _acknowledgments.Add(made);
                    _acknowledged.Add(message.Entry);
                }
            }

            LogOperations.WriteQueueDeleted(block, queue.QueueId);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            // What is parked becomes no object any more after this; none of it asks for an acknowledgement.
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

            foreach (AcknowledgmentWrite acknowledgment in _acknowledgments)
                acknowledgment.Apply(segment, blockPosition);
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

    private sealed class SendWrite(QueueFolder folder, FileMessage message) : LogWrite
    {
        private readonly SentIdsWrite? _ids = message.Receiver is null ? null : new SentIdsWrite([message]);
        private int _contentOffset;

        internal override bool AddsMessages => true;

        internal override void Encode(LogBuffer block)
        {
            _contentOffset = folder.EncodeMessage(block, message);
            _ids?.Encode(block);
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            ApplyMessage(message, segment, blockPosition + _contentOffset);
            _ids?.Apply(segment);
            message.Queue.TryAdd(message, isCounted: true);
        }

        internal override void Undo()
        {
            _ids?.Undo();
            message.Queue.Release(message.BodyByteCount);
        }
    }

    private sealed class RemoveWrite(QueueFolder folder, Removal[] removals) : LogWrite
    {
        internal override void Encode(LogBuffer block) => folder.EncodeRemovals(block, removals);

        internal override void Apply(LogSegment segment, long blockPosition) => ApplyRemovals(removals, segment, blockPosition);

        internal override void Undo()
        {
            UndoRemovals(removals);
            foreach (IGrouping<FileQueueStore, FileMessage> group in removals.Select(removal => removal.Message).GroupBy(message => message.Queue))
                group.Key.AddBack([.. group]);
        }
    }

    /// <summary>Removes messages that the queue itself has found dead: if that cannot be written they are found again.</summary>
    private sealed class BuryWrite(QueueFolder folder, Removal removal) : LogWrite
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

    /// <summary>Says how often a message was handed out. Nobody waits for it.</summary>
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

    /// <summary>Sends, removals and a decision that are one block: of a transaction, or a message for several queues.</summary>
    private sealed class CommitWrite(QueueFolder folder, FileTransaction? transaction, FileMessage[] sent, Removal[] removals, Decision? decision) : LogWrite
    {
        private readonly SentIdsWrite? _ids = Array.Exists(sent, message => message.Receiver is not null) ? new SentIdsWrite(sent) : null;
        private readonly int[] _contentOffsets = new int[sent.Length];
        private List<AcknowledgmentWrite>? _arrivals;

        internal override bool AddsMessages => sent.Length > 0;

        internal override void Encode(LogBuffer block)
        {
            // The messages of one content follow each other; it is written with the first.
            for (int i = 0; i < sent.Length; i++)
                _contentOffsets[i] = i > 0 && sent[i].Entry == sent[i - 1].Entry ? _contentOffsets[i - 1] : folder.EncodeMessage(block, sent[i]);
            foreach (FileMessage message in sent)
            {
                if (message.HasExtras && AcknowledgmentWrite.Encode(block, folder, message, AcknowledgmentClass.ReachQueue, null) is { } made)
                    (_arrivals ??= []).Add(made);
            }

            // Before the removals: these are not taken back when an id is refused.
            _ids?.Encode(block);
            folder.EncodeRemovals(block, removals);
            if (decision is not { } decided)
                return;
            LogOperations.WriteDecided(block, decided);
            LogOperations.WriteForgotten(block, folder.Decisions.TakeDelivered());
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
            for (int i = 0; i < sent.Length; i++)
            {
                bool isFirst = i == 0 || sent[i].Entry != sent[i - 1].Entry;
                if (isFirst)
                    ApplyMessage(sent[i], segment, blockPosition + _contentOffsets[i]);
                else
                    sent[i].KeepBodyOrLetGo();
            }

            if (decision is { } decided)
                folder.Decisions.Add(decided);
            ApplyRemovals(removals, segment, blockPosition);
            _ids?.Apply(segment);
            MemoryQueueStore.AddAll(sent, mayBeDeleted: true);
            foreach (AcknowledgmentWrite arrival in _arrivals ?? [])
                arrival.Apply(segment, blockPosition);
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
    }

    /// <summary>Gives a message back for later.</summary>
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

    /// <summary>Nothing, to wait until what was handed in before is on the disk.</summary>
    private sealed class EmptyWrite : LogWrite
    {
        internal override void Encode(LogBuffer block)
        {
        }

        internal override void Apply(LogSegment segment, long blockPosition)
        {
        }
    }

    /// <summary>The part of a write that has the ids of messages whose sender has a window for duplicates.</summary>
    private sealed class SentIdsWrite(FileMessage[] messages)
    {
        private readonly List<LoggedId> _ids = [];

        /// <exception cref="DuplicateMessageException">Some were sent before; none is kept then.</exception>
        internal void Encode(LogBuffer block)
        {
            MemoryQueueStore.KeepIdsOfStored(messages);
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

    /// <summary>Decisions that need not be kept any more. Nobody waits for it.</summary>
    private sealed class ForgetWrite(List<Guid> delivered) : LogWrite
    {
        internal override void Encode(LogBuffer block) => LogOperations.WriteForgotten(block, delivered);

        internal override void Apply(LogSegment segment, long blockPosition)
        {
        }
    }

    /// <summary>A message that leaves its queue, and the queue into which it goes instead, if any.</summary>
    internal sealed class Removal(FileMessage message, FileQueueStore? target, DeadLetter? deadLetter)
    {
        private LogPlace? _newPlace;
        private AcknowledgmentWrite? _acknowledgment;
        private bool _isDone;
        private bool _isPurged;

        internal FileMessage Message => message;

        private AcknowledgmentClass Acknowledgment =>
            _isPurged ? AcknowledgmentClass.QueuePurged : deadLetter is null ? AcknowledgmentClass.Receive : MessageAcknowledgment.ClassOf(deadLetter.Reason);

        /// <summary>A message that leaves its queue and was neither received nor is a dead letter.</summary>
        internal static Removal OfPurged(FileMessage message) => new(message, null, null) { _isPurged = true };

        /// <summary>Under the log's gate.</summary>
        internal void Encode(LogBuffer block, QueueFolder folder)
        {
            LogPlace place = message.Place;
            // With its queue the message is gone from the log.
            if (place.Queue.IsDeletedInLog)
                return;
            _isDone = true;
            if (target is null || target.IsDeletedInLog)
            {
                LogOperations.WriteRemoved(block, place);
            }
            else
            {
                _newPlace = new LogPlace(place.Entry, target, deadLetter is null ? LogPlaceKind.Journal : LogPlaceKind.DeadLetter, deadLetter) { Number = folder._log.TakeMessageNumber() };
                LogOperations.WriteMoved(block, place, _newPlace);
                place.Entry.Add(_newPlace);
            }

            place.Entry.Remove(place);
            if (message.HasExtras)
                _acknowledgment = AcknowledgmentWrite.Encode(block, folder, message, Acknowledgment, deadLetter);
        }

        internal void Apply(LogSegment segment, long blockPosition)
        {
            if (!_isDone)
                return;
            _acknowledgment?.Apply(segment, blockPosition);
            message.Queue.Release(message.BodyByteCount);
            if (_newPlace is null)
            {
                message.LeaveCache();
                message.Entry.CountPlaces(-1);
                return;
            }

            FileMessage moved = message.In(_newPlace);
            message.LeaveCache();
            moved.KeepBodyOrLetGo();
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

    private int EncodeMessage(LogBuffer block, FileMessage message)
    {
        LogEntry entry = message.Entry;
        for (LogPlace? place = entry.FirstPlace; place is not null; place = place.Next)
        {
            if (place.Queue.IsDeletedInLog)
                throw place.Queue.DeletedException();
            place.Number = _log.TakeMessageNumber();
        }

        entry.Number = entry.FirstPlace!.Number;
        return LogOperations.WriteMessage(block, entry, message);
    }

    private static void ApplyMessage(FileMessage message, LogSegment segment, long contentOffset)
    {
        message.Entry.MoveTo(segment, contentOffset);
        message.Entry.CountPlaces(message.Entry.PlaceCount);
        message.KeepBodyOrLetGo();
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

    /// <summary>The messages are still there, in the log.</summary>
    private static void UndoRemovals(Removal[] removals)
    {
        foreach (Removal removal in removals)
            removal.Undo();
    }
}
