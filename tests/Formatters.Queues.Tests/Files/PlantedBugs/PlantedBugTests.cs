using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>
/// Tests of the tests: each bug that is put into the log must be found by the simulated disk, the damaged logs or the failed flushes. FORMATTERS_PLANTED_BUGS tries only those in files
/// whose path contains it.
/// </summary>
[Collection(LongHistories.Name)]
public class PlantedBugTests(ITestOutputHelper output)
{
    private const int HistoryCount = 100;

    /// <summary>Every how-manyth is tried: FORMATTERS_PLANTED_BUG_STEP.</summary>
    private static int Step => TestScale.Count("FORMATTERS_PLANTED_BUG_STEP", full: 24, quick: 24, night: 1);

    private static readonly PlantedBug[] Bugs =
    [
        new("the checksum of a block is not looked at", "Log/LogBlock.cs", "=> Crc32C.Of(block[ChecksummedFrom..], salt) == checksum;", "=> true;"),
        new("the checksum leaves out the end of a block", "Log/LogBlock.cs", "=> Crc32C.Of(block[ChecksummedFrom..], salt) == checksum;", "=> block[^1] == 0 || Crc32C.Of(block[ChecksummedFrom..], salt) == checksum;"),
        new("two blocks share a sector", "Log/LogBlock.cs", "Alignment = 512", "Alignment = 8"),
        new("a block is acknowledged before it is flushed", "Log/MessageLog.cs", "_current.File.Write(block, position);\n        _current.File.Flush();", "_current.File.Flush();\n        _current.File.Write(block, position);"),
        new("a failed flush is ignored", "Log/MessageLog.cs", "_current.File.Flush();", "try { _current.File.Flush(); } catch (System.IO.IOException) { }"),
        new("a failed flush is tried again", "Log/MessageLog.cs", "_current.File.Flush();", "try { _current.File.Flush(); } catch (System.IO.IOException) { _current.File.Flush(); }"),
        new("the log goes on after a failed flush", "Log/MessageLog.cs", "_failure = failure;", ""),
        new("the folder is not flushed after a new segment", "Log/LogSegment.cs", "folder.Flush();", ""),
        new("a new segment is not flushed before it gets its name", "Log/LogSegment.cs", "file.Flush();", ""),
        new("a failed flush of the folder is taken for a full disk", "Log/MessageLog.cs", "catch (NoRoomException e)", "catch (System.IO.IOException e)"),
        new("a torn block ends the log, even if later ones are whole", "Log/LogRecovery.cs", "is { } later)", "is { } later && later < 0)"),
        new("a block of before counts as the next", "Log/LogRecovery.cs", "|| number != _state.NextBlock)", ")"),
        new("a missing segment is not noticed", "Log/LogRecovery.cs", "if (numbers[first] > _oldestNeeded)", "if (numbers[first] > ulong.MaxValue - 1)"),
        new("a gap between segments is not noticed", "Log/LogRecovery.cs", "|| segment.FirstBlock != _state.NextBlock)", ")"),
        new("messages are recovered in the wrong order", "QueueFolder.cs", "OrderBy(place => place.Number)", "OrderByDescending(place => place.Number)"),
        new("message numbers begin anew after an opening", "Log/LogRecovery.cs", "_state.NextMessage = Math.Max(_state.NextMessage, number + 1);", "_ = number;"),
        new("the tail that a crash left is not cut off", "Log/LogRecovery.cs", "CutTornTail(_state.Segments[^1]);", "return;"),
        new("one segment too many is deleted", "Log/MessageLog.Segments.cs", "while (log._segments[0].Number < oldest)", "while (log._segments[0].Number <= oldest)"),
        new("the next segment is prepared while the writer makes it", "Log/MessageLog.Segments.cs", "_isRolling = true;", ""),
        new("a segment is deleted while it has messages", "Log/MessageLog.Segments.cs", "_segments[empty].LiveCount == 0", "_segments[empty].LiveByteCount < 1000"),
        new("a commit forgets what it received", "QueueFolder.Writes.cs", "_ids?.Encode(block);\n            folder.EncodeRemovals(block, removals);", "_ids?.Encode(block);"),
        new("an acknowledgement is not written", "QueueFolder.cs", "_log.WriteAsync(new RemoveWrite(this, removals))", "default"),
        new("a dead letter or journal copy is not written", "QueueFolder.Writes.cs", "LogOperations.WriteMoved(block, place, _newPlace);", "LogOperations.WriteRemoved(block, place);"),
        new("a moved message stays where it was, too", "Log/LogRecovery.cs", "to, deliveryCount: 0);\n            Remove(place);", "to, deliveryCount: 0);"),
        new("a copy of a message forgets its dead letter", "Log/LogOperations.cs", "writer.Write((byte)place.Kind);\n        if (place.DeadLetter is not { } deadLetter)", "writer.Write((byte)0);\n        if (true || place.DeadLetter is not { } deadLetter)"),
        new("a message for several queues is written for one", "Log/LogOperations.cs", "place is not null; place = place.Next)\n        {\n            writer.Write7BitEncodedInt64((long)place.Number);", "place is not null; place = null)\n        {\n            writer.Write7BitEncodedInt64((long)place.Number);"),
        new("deliveries are not read", "Log/LogRecovery.cs", "delivered.DeliveryCount = deliveryCount;", ";"),
        new("priorities are not kept", "Log/LogOperations.cs", "Priority = reader.ReadByte(),", "Priority = reader.ReadByte() * 0,"),
        new("what has expired comes back after an opening", "FileMessage.cs", "Deadline = DeadlineOf(usefulFrom, DueStamp != 0 && usefulFrom > now, time);", "Deadline = Store.Clock.After(time);"),
        new("a clock that is set back gives messages a longer life", "FileMessage.cs", "if (age < TimeSpan.Zero && !isDelayed)", "if (age < TimeSpan.MinValue && !isDelayed)"),
        new("a receiver settles a message whose lease has ended", "../Memory/LocalQueueStore.Locks.cs", "message.LostLock = true;", ""),
        new("a message whose lease has ended stays away", "../Memory/LocalQueueStore.Locks.cs", "        AddBack(messages);\n", ""),
        new("all leases of a receiver end with the first", "../Memory/LocalQueueStore.Locks.cs", "message.LeaseDeadline <= now", "message.LeaseDeadline <= long.MaxValue"),
        new("a decision is not written", "QueueFolder.Writes.cs", "LogOperations.WriteDecided(block, decided);", ""),
        new("the database commits before the decision is flushed", "Coordination/TransactionCoordinator.cs", "await local.CommitAsync(new Decision(", "await branch.CommitPreparedAsync(cancellationToken).ConfigureAwait(false);\n            await local.CommitAsync(new Decision("),
        new("what is prepared before its decision is written stays in doubt", "Coordination/TransactionCoordinator.cs", "await _resourceManager.RollbackPreparedAsync(name, cancellationToken).ConfigureAwait(false);", ""),
        new("what is prepared is committed without a decision", "Coordination/DecisionTable.cs", ": TransactionFate.Aborted;", ": TransactionFate.Committed;"),
        new("what is under way is rolled back", "Coordination/DecisionTable.cs", "_active.Contains(transactionId) ? TransactionFate.Active", "_active.Contains(transactionId) ? TransactionFate.Aborted"),
        new("a decision of which the database has not heard is forgotten", "Coordination/TransactionCoordinator.cs", "// Told in the background.", "_folder.Decisions.Deliver(id);"),
        new("the decisions are not taken into the next segment", "Log/LogOperations.cs", "foreach (Decision decision in table.Decisions)", "foreach (Decision decision in System.Array.Empty<Decision>())"),
        new("what the log has in doubt is rolled back", "Coordination/TransactionCoordinator.cs", "catch (QueueException e) when (e.OutcomeUnknown)", "catch (QueueException e) when (e.OutcomeUnknown && e.Message.Length == 0)"),
        new(
            "a decision of after the list counts as delivered",
            "Coordination/TransactionCoordinator.cs",
            "foreach (Guid id in unknown)",
            "unknown.UnionWith(_folder.Decisions.GetUndelivered(_resourceManager.Id));\n            foreach (Guid id in unknown)"),
        new("decisions are not read", "Log/LogRecovery.cs", "_state.Decisions[transactionId] = reader.ReadGuid();", "reader.ReadGuid();"),
        new("the end of the log is noted before it is flushed", "Log/MessageLog.cs", "LogBlock.Seal(_writing.Block,", "_manifest?.Note(End with { NextBlock = _nextBlock + 1 });\n        LogBlock.Seal(_writing.Block,"),
        new("the end of the log is not noted", "Log/MessageLog.cs", "_manifest?.Note(End);", ""),
        new("the end of the log is not kept at its closing", "Log/MessageLog.cs", "log._manifest?.Keep(log.End)", "_ = log"),
        new("the end of the log is not kept at a new segment", "Log/MessageLog.Segments.cs", "_manifest.Keep(End);", ""),
        new("the end of the log is kept for a segment that is not there yet", "Log/MessageLog.Segments.cs", "var segment = LogSegment.Create(", "_manifest.Keep(End with { Segment = number, NextBlock = _nextBlock + 1 });\n            var segment = LogSegment.Create("),
        new("the manifest is not flushed", "Log/LogManifest.cs", "_file.Flush();", ""),
        new("the manifest is written over the only whole record", "Log/LogManifest.cs", "_next = KeptCount - 1 - _next;", ""),
        new("the manifest is written over the newer record", "Log/LogManifest.cs", "next = KeptCount - 1 - i;", "next = i;"),
        new("the manifest gets its name before it is whole", "Log/LogManifest.cs", "manifest.Keep(end);\n            folder.Rename(LogSegment.NewNameOf(FileName), FileName);\n            folder.Flush();", "folder.Rename(LogSegment.NewNameOf(FileName), FileName);\n            folder.Flush();\n            manifest.Keep(end);"),
        new("the manifest's name is not flushed before the first segment is there", "Log/LogManifest.cs", "folder.Flush();\n            return manifest;", "return manifest;"),
        new("the checksums of the manifest are not looked at", "Log/LogManifest.cs", "|| BinaryPrimitives.ReadUInt32LittleEndian(record[ChecksummedByteCount..]) != Crc32C.Of(record[..ChecksummedByteCount])", ""),
        new("a missing manifest is passed over", "Log/LogRecovery.cs", "if (_hasSizes)", "if (_hasSizes && _state.Segments.Count == 0)"),
        new("another log's manifest is taken", "Log/LogRecovery.cs", "else if (_state.FolderId != end.FolderId)", "else if (_state.FolderId == System.Guid.Empty)"),
        new("missing last segments are not noticed", "Log/LogRecovery.cs", "if (end.Segment > (last?.Number ?? 0))", "if (end.Segment > ulong.MaxValue - 1)"),
        new("a log without its end is opened", "Log/LogRecovery.cs", "_state.NextBlock < end.NextBlock)", "_state.NextBlock < end.NextBlock - 1)"),
        new("a segment that was cut is read", "Log/LogRecovery.cs", "if (byteCount != (ulong)segment.ByteCount)", "if (byteCount < (ulong)segment.ByteCount)"),
        new("a torn end is not cut off without room for its copy", "Log/LogRecovery.cs", "catch (Exception e) when (e is IOException or UnauthorizedAccessException)\n        {\n            // What is in", "catch (NotSupportedException)\n        {\n            // What is in"),
        new("a torn end is cut off before the log is known to be whole", "Log/LogRecovery.cs", "        CheckEnd();\n", "        if (numbers.Length > 0)\n            CutTornTail(_state.Segments[^1]);\n        CheckEnd();\n"),
        new("the loss of the folder is not looked for after the flush", "Log/MessageLog.cs", "whoever opens it now reads the block.\n        _folder.ThrowIfLost(_current.Name, _current.File);", "whoever opens it now reads the block."),
        new("the loss of the folder is not looked for before a block is written", "Log/MessageLog.cs", "may be another's.\n            _folder.ThrowIfLost(_current.Name, _current.File);", "may be another's."),
        new("a folder that is lost is taken for a full disk", "Log/MessageLog.cs", "catch (NoRoomException e)", "catch (Exception e) when (e is NoRoomException or FolderLostException)"),
        new("a message's own checksum is not looked at", "Log/LogEntry.cs", "|| Crc32C.Of(bytes) != Checksum", ""),
        new("the checksum of a parked message is not looked at", "FileParkedMessages.cs", "|| Crc32C.Of(bytes.AsSpan(offset, item.ContentByteCount)) != item.Checksum", ""),
        new("a snapshot stands for all of the log", "Log/LogRecovery.Snapshot.cs", "ReadBlocks(last);", ""),
        new("the snapshot of a log that went another way is taken", "Log/LogRecovery.Snapshot.cs", "if (!IsBlockThere(last, place))", "if (place.Position == 0)"),
        new("the checksums of a snapshot are not looked at", "Log/LogSnapshot.cs", "if (_checksum != BinaryPrimitives.ReadUInt32LittleEndian(header[4..]))", "if (_checksum == 1)"),
        new("a snapshot that was cut is taken", "Log/LogRecovery.Snapshot.cs", "            }\n        }\n\n        return false;", "            }\n        }\n\n        return true;"),
        new("a parked message forgets how often it was delivered", "FileMessage.cs", "DeliveryCount = (ushort)Place.DeliveryCount,", ""),
        new("what is parked does not keep its segment", "Log/MessageLog.Segments.cs", "_segments[empty].LiveCount == 0", "_segments[empty].FirstLive is null"),
    ];

    [ExhaustiveFact]
    public void Every_planted_bug_is_found_and_none_where_there_is_none()
    {
        string only = Environment.GetEnvironmentVariable("FORMATTERS_PLANTED_BUGS") ?? "";
        PlantedBug[] bugs = [.. Bugs.Where(bug => bug.File.Contains(only, StringComparison.Ordinal)).Where((_, i) => i % Step == 0)];
        Assert.Null(PlantedBug.Run(null, HistoryCount));
        var survivors = new List<string>();
        // Side by side: much of what finds them waits.
        Histories.ForEach(bugs.Length, i =>
        {
            string? failure;
            try
            {
                failure = PlantedBug.Run(bugs[i], HistoryCount);
            }
            catch (Exception e)
            {
                lock (survivors)
                    survivors.Add($"{bugs[i].Name}: {e.Message}");
                return true;
            }

            lock (survivors)
            {
                output.WriteLine($"{bugs[i]}: {failure ?? "NOT FOUND"}");
                if (failure is null)
                    survivors.Add(bugs[i].Name);
            }

            return true;
        });

        output.WriteLine($"{bugs.Length - survivors.Count} of {bugs.Length} planted bugs are found");
        Assert.True(survivors.Count == 0, $"not found: {string.Join("; ", survivors)}");
    }
}
