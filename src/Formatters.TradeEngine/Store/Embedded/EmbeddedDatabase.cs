using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TradeEngine.Matching;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>One database of the embedded store: trades in memory, and a log from which they come back.</summary>
/// <remarks>
/// Many hand in, and one thread writes and flushes what they have handed in since the last flush. A trade that is matched is not in memory: an index in a file
/// has its location in the log, from which it is read if there is another message for it. So memory grows with the trades that are not matched, which end by
/// matching or by <see cref="Expire"/>, and not with those that are.
/// </remarks>
internal sealed class EmbeddedDatabase : IAsyncDisposable
{
    private const string GenerationFile = "generation";

    /// <summary>Where a database that was closed ended.</summary>
    private const string EndFile = "end";

    /// <summary>Beside the log: where the matched trades are in it.</summary>
    private const string IndexFile = "matched.index";

    private readonly string _folder;
    private readonly TimeProvider _clock;
    private readonly object _gate = new();
    private readonly Dictionary<TradeKey, TradeState> _open = [];
    private readonly List<LogLocation> _found = [];
    private readonly Func<TradeKey, bool> _isForeign;
    private readonly Dictionary<string, Emission> _unsettled = new(StringComparer.Ordinal);
    private readonly Thread _writer;
    private readonly byte[] _snapshot = new byte[1024];
    private readonly ulong _hashSeed = BitConverter.ToUInt64(RandomNumberGenerator.GetBytes(8));
    private List<(TradeState State, int Offset)> _fillingSnapshots = [];
    private List<(TradeState State, int Offset)> _writingSnapshots = [];
    private RecordBuffer _filling = NewBlock();
    private RecordBuffer _writing = NewBlock();
    private TaskCompletionSource _written = NewCompletion();
    private TaskCompletionSource _writingDone = NewCompletion();
    private StoreLog _log;
    private LocationIndex _matched;
    private int _generation;
    private int _firstTradeDate;
    private bool _isWanted;
    private Exception? _failure;
    private bool _isClosing;
    private bool _isWriting;

    /// <summary>Opens a database or makes an empty one.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="clock">When messages come.</param>
    /// <param name="isForeign">Tells trades that other databases have: they were moved by a growth that ended before this one could forget them.</param>
    internal EmbeddedDatabase(string folder, TimeProvider clock, Func<TradeKey, bool> isForeign)
    {
        _folder = folder;
        _clock = clock;
        _isForeign = isForeign;
        Directory.CreateDirectory(folder);
        string generation = Path.Combine(folder, GenerationFile);
        _generation = File.Exists(generation) ? int.Parse(File.ReadAllText(generation), CultureInfo.InvariantCulture) : 0;
        string[] generations = Directory.GetDirectories(folder);
        if (!Directory.Exists(GenerationFolder(_generation))
            && (File.Exists(generation) || generations.Length > 0 || File.Exists(Path.Combine(folder, EndFile))))
        {
            throw new InvalidDataException($"The trade store lacks '{GenerationFolder(_generation)}', or the file '{generation}', which says where its "
                + "log is. Restore it from a copy.");
        }

        // What a compaction left that did not come to its end, or that came to it.
        foreach (string other in generations.Where(other => other != GenerationFolder(_generation)))
            Directory.Delete(other, recursive: true);
        _log = StoreLog.Create(GenerationFolder(_generation));
        _matched = new LocationIndex(Path.Combine(GenerationFolder(_generation), IndexFile));
        try
        {
            _log.ReadAll(Replay);
            CheckEnd();
        }
        catch
        {
            _matched.Dispose();
            _log.Dispose();
            throw;
        }

        _writer = new Thread(WriteLoop) { IsBackground = true, Name = "trade store " + Path.GetFileName(folder) };
        _writer.Start();
    }

    /// <summary>The size of the log.</summary>
    internal long LogByteCount
    {
        get
        {
            lock (_gate)
                return _log.ByteCount;
        }
    }

    internal StoreCounts Count()
    {
        lock (_gate)
            return new StoreCounts(_open.Count + _matched.Count, _matched.Count + _open.Values.Count(state => state.IsMatched),
                _open.Values.Count(state => state.IsExpired));
    }

    /// <summary>Applies messages.</summary>
    /// <returns>Completes when they are durable.</returns>
    internal Task ApplyAsync(IEnumerable<StoreEntry> entries)
    {
        long now = _clock.GetUtcNow().UtcTicks;
        lock (_gate)
        {
            ThrowIfFailed();
            foreach (StoreEntry entry in entries)
                Apply(entry, now);
            // Also for what changes nothing: what it repeats may not be durable yet.
            return WrittenAsync();
        }
    }

    /// <summary>Forgets what is told.</summary>
    internal void Settle(IEnumerable<StoreEntry> entries)
    {
        lock (_gate)
        {
            foreach (StoreEntry entry in entries)
            {
                if (!_unsettled.Remove(entry.DeliveryId))
                    continue;
                _filling.WriteByte((byte)RecordKind.Settled);
                _filling.WriteText(entry.DeliveryId);
            }
        }
    }

    internal (Task Written, List<ExpiredTrade> Expired) Expire(long seenBefore)
    {
        lock (_gate)
        {
            ThrowIfFailed();
            var expired = new List<ExpiredTrade>();
            foreach (TradeState state in _open.Values.Where(state => !state.IsMatched && !state.IsExpired && state.FirstSeen < seenBefore)
                .OrderBy(state => state.FirstSeen))
            {
                expired.Add(new ExpiredTrade(state.Key, state.Explain()));
                state.IsExpired = true;
                _filling.WriteByte((byte)RecordKind.Expired);
                StoreRecords.Write(_filling, state.Key);
            }

            return (WrittenAsync(), expired);
        }
    }

    /// <summary>Removes the trades of earlier days, and writes those that stay into a new log.</summary>
    internal long Clear(int beforeTradeDate)
    {
        lock (_gate)
        {
            Drain();
            long before = _open.Count + _matched.Count;
            Forget(beforeTradeDate);
            long after = _open.Count + _matched.Count;
            if (before != after)
            {
                Compact();
            }
            else
            {
                _filling.WriteByte((byte)RecordKind.Cleared);
                _filling.WriteUnsigned((ulong)_firstTradeDate);
                Drain();
            }

            return before - after;
        }
    }

    /// <summary>Gives out the trades that belong to other databases now, and what about them is not settled.</summary>
    internal (List<TradeState> States, List<KeyValuePair<string, Emission>> Unsettled, int FirstTradeDate) FindMoving(Func<TradeKey, bool> isMoving)
    {
        lock (_gate)
        {
            Drain();
            List<TradeState> states = [.. _open.Values.Where(state => isMoving(state.Key))];
            states.AddRange(_matched.FindAll().Where(location => isMoving(LoadKey(location))).Select(Load));
            return (states, [.. _unsettled.Where(entry => isMoving(entry.Value.Terms.Key))], _firstTradeDate);
        }
    }

    /// <summary>Takes trades in that another database has given out.</summary>
    internal void TakeIn(IEnumerable<TradeState> states, IEnumerable<KeyValuePair<string, Emission>> unsettled, int firstTradeDate)
    {
        lock (_gate)
        {
            foreach (TradeState state in states)
            {
                _open[state.Key] = state;
                WriteSnapshot(state);
            }

            foreach ((string deliveryId, Emission emission) in unsettled)
            {
                _unsettled[deliveryId] = emission;
                WriteUnsettled(deliveryId, emission);
            }

            _firstTradeDate = Math.Max(_firstTradeDate, firstTradeDate);
            _filling.WriteByte((byte)RecordKind.Cleared);
            _filling.WriteUnsigned((ulong)_firstTradeDate);
            Drain();
        }
    }

    /// <summary>Forgets the trades that other databases have now. Without a record: who opens the database says which those are.</summary>
    internal void ForgetMoved(Func<TradeKey, bool> isMoved)
    {
        lock (_gate)
        {
            Remove(_open, isMoved);
            _matched.RemoveAll(location => isMoved(LoadKey(location)));
            foreach (string deliveryId in _unsettled.Where(entry => isMoved(entry.Value.Terms.Key)).Select(entry => entry.Key).ToArray())
                _unsettled.Remove(deliveryId);
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task written;
        lock (_gate)
        {
            if (_isClosing)
                return;
            written = _failure is null ? WrittenAsync() : Task.CompletedTask;
            _isClosing = true;
            Monitor.PulseAll(_gate);
        }

        try
        {
            await written;
        }
        finally
        {
            _writer.Join();
            _matched.Dispose();
            _log.Dispose();
            if (_failure is null)
                WriteDurably(Path.Combine(_folder, EndFile), DescribeEnd());
        }
    }

    private string DescribeEnd() => string.Create(CultureInfo.InvariantCulture, $"{_generation} {_log.NextBlock} {_log.ByteCount}");

    /// <summary>A database that was closed says where it ended: what was cut off since is missed. After a crash nothing says so.</summary>
    private void CheckEnd()
    {
        string path = Path.Combine(_folder, EndFile);
        if (!File.Exists(path))
            return;
        if (File.ReadAllText(path) is { Length: > 0 } closed && closed != DescribeEnd())
        {
            throw new InvalidDataException($"The trade store in '{_folder}' ends at '{DescribeEnd()}' (generation, blocks, bytes), and was closed "
                + $"at '{closed}': blocks are missing. Restore it from a copy, or delete '{path}' to take what is there.");
        }

        File.Delete(path);
        DiskFlush.FlushFolder(_folder);
    }

    private static RecordBuffer NewBlock()
    {
        var block = new RecordBuffer();
        block.Skip(StoreLog.HeaderByteCount);
        return block;
    }

    private static TaskCompletionSource NewCompletion() => new(TaskCreationOptions.RunContinuationsAsynchronously);

    private static void Remove<T>(Dictionary<TradeKey, T> trades, Func<TradeKey, bool> isRemoved)
    {
        foreach (TradeKey key in trades.Keys.Where(isRemoved).ToArray())
            trades.Remove(key);
    }

    private string GenerationFolder(int generation) => Path.Combine(_folder, string.Create(CultureInfo.InvariantCulture, $"{generation:D6}"));

    private void Apply(StoreEntry entry, long now)
    {
        if (_unsettled.TryGetValue(entry.DeliveryId, out Emission? emission))
        {
            // The queue delivers it again since what it led to was not sent.
            entry.Outcome = ApplyOutcome.Applied;
            entry.Emission = emission;
            return;
        }

        if (entry.Key.TradeDate < _firstTradeDate)
        {
            entry.Outcome = ApplyOutcome.Cleared;
            return;
        }

        LogLocation? location = null;
        if (!_open.TryGetValue(entry.Key, out TradeState? state) && (state = FindMatched(entry.Key, out location)) is null)
            _open.Add(entry.Key, state = new TradeState(entry.Key, now));
        entry.Outcome = state.Apply(entry.Slot, entry.Statement, out Transition transition);
        if (entry.Outcome is not (ApplyOutcome.Applied or ApplyOutcome.ConflictReplaced))
            return;
        if (location is { } matched)
        {
            _matched.Remove(HashOf(entry.Key), matched);
            _open.Add(entry.Key, state);
        }

        if (transition != Transition.None)
        {
            entry.Emission = new Emission(transition, state.MatchCount, TradeTermsCodes.Of(state));
            _unsettled.Add(entry.DeliveryId, entry.Emission);
        }

        WriteApplied(entry, now);
        if (state.IsMatched)
            WriteSnapshot(state);
    }

    private void WriteApplied(StoreEntry entry, long now)
    {
        _filling.WriteByte((byte)RecordKind.Applied);
        StoreRecords.Write(_filling, entry.Key);
        _filling.WriteByte((byte)entry.Slot);
        StoreRecords.Write(_filling, entry.Statement);
        _filling.WriteInt64(now);
        _filling.WriteText(entry.MessageId);
        _filling.WriteText(entry.Emission is null ? "" : entry.DeliveryId);
        _filling.WriteBytes(entry.AuditBody.Span);
    }

    private void WriteSnapshot(TradeState state)
    {
        _filling.WriteByte((byte)RecordKind.Snapshot);
        if (state.IsMatched)
        {
            state.PendingSnapshots++;
            _fillingSnapshots.Add((state, _filling.ByteCount));
        }

        StoreRecords.Write(_filling, state);
    }

    private void WriteUnsettled(string deliveryId, Emission emission)
    {
        _filling.WriteByte((byte)RecordKind.Unsettled);
        _filling.WriteText(deliveryId);
        StoreRecords.Write(_filling, emission);
    }

    /// <summary>Reads a trade back that is matched.</summary>
    private TradeState Load(LogLocation location)
    {
        // The record is shorter than this; behind it may be the end of the file.
        Span<byte> bytes = _snapshot;
        int byteCount = _log.ReadUpTo(location, bytes);
        var reader = new RecordReader(bytes[..byteCount]);
        return StoreRecords.ReadState(ref reader);
    }

    /// <summary>Reads which trade it is.</summary>
    private TradeKey LoadKey(LogLocation location)
    {
        Span<byte> bytes = _snapshot.AsSpan(0, StoreRecords.MaxKeyByteCount);
        var reader = new RecordReader(bytes[.._log.ReadUpTo(location, bytes)]);
        return StoreRecords.ReadKey(ref reader);
    }

    /// <summary>Reads a trade back if it is matched.</summary>
    private TradeState? FindMatched(in TradeKey key, out LogLocation? location)
    {
        _matched.Find(HashOf(key), _found);
        foreach (LogLocation candidate in _found)
        {
            TradeState state = Load(candidate);
            if (state.Key != key)
                continue;
            location = candidate;
            return state;
        }

        location = null;
        return null;
    }

    /// <summary>Of the same key always the same, within an opening.</summary>
    private ulong HashOf(in TradeKey key)
    {
        // The finalizer of SplitMix64, over what is different in most keys first.
        ulong hash = Mix((ulong)key.Reference + _hashSeed);
        return Mix(hash ^ Mix((ulong)key.Broker + (uint)key.TradeDate + hash));

        static ulong Mix(ulong value)
        {
            value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
            value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
            return value ^ (value >> 31);
        }
    }

    private void Forget(int beforeTradeDate)
    {
        _firstTradeDate = Math.Max(_firstTradeDate, beforeTradeDate);
        Remove(_open, key => key.TradeDate < _firstTradeDate);
        _matched.RemoveAll(location => LoadKey(location).TradeDate < _firstTradeDate);
        foreach (string deliveryId in _unsettled.Where(entry => entry.Value.Terms.Key.TradeDate < _firstTradeDate).Select(entry => entry.Key).ToArray())
            _unsettled.Remove(deliveryId);
    }

    /// <summary>Under the gate, with nothing under way: writes all trades into a new log, and removes the old one.</summary>
    private void Compact()
    {
        string folder = GenerationFolder(_generation + 1);
        if (Directory.Exists(folder))
            Directory.Delete(folder, recursive: true);
        StoreLog log = StoreLog.Create(folder);
        var locations = new LocationIndex(Path.Combine(folder, IndexFile));
        RecordBuffer block = NewBlock();
        var snapshots = new List<(TradeKey Key, int Offset)>();
        block.WriteByte((byte)RecordKind.Cleared);
        block.WriteUnsigned((ulong)_firstTradeDate);
        foreach (TradeState state in _open.Values.Concat(_matched.FindAll().Select(Load)))
        {
            block.WriteByte((byte)RecordKind.Snapshot);
            if (state.IsMatched)
                snapshots.Add((state.Key, block.ByteCount));
            StoreRecords.Write(block, state);
            if (block.ByteCount > 1 << 20)
                Flush();
        }

        foreach ((string deliveryId, Emission emission) in _unsettled)
        {
            block.WriteByte((byte)RecordKind.Unsettled);
            block.WriteText(deliveryId);
            StoreRecords.Write(block, emission);
        }

        Flush();
        string temporary = Path.Combine(_folder, GenerationFile + ".new");
        WriteDurably(temporary, (_generation + 1).ToString(CultureInfo.InvariantCulture));
        File.Move(temporary, Path.Combine(_folder, GenerationFile), overwrite: true);
        DiskFlush.FlushFolder(_folder);
        _matched.Dispose();
        _log.Dispose();
        Directory.Delete(GenerationFolder(_generation), recursive: true);
        _generation++;
        _log = log;
        _matched = locations;
        foreach (TradeState state in _open.Values.Where(state => state.IsMatched).ToArray())
            _open.Remove(state.Key);

        void Flush()
        {
            LogLocation start = log.Write(block);
            foreach ((TradeKey key, int offset) in snapshots)
                locations.Add(HashOf(key), start with { Position = start.Position + offset - StoreLog.HeaderByteCount });
            snapshots.Clear();
            block.Clear();
            block.Skip(StoreLog.HeaderByteCount);
        }
    }

    internal static void WriteDurably(string path, string text)
    {
        using (var file = new FileStream(path, FileMode.Create, FileAccess.Write))
        {
            file.Write(System.Text.Encoding.UTF8.GetBytes(text));
            file.Flush();
            DiskFlush.FlushFile(file.SafeFileHandle);
        }
    }

    /// <summary>Under the gate: completes when all that was handed in so far is durable.</summary>
    private Task WrittenAsync()
    {
        if (_filling.ByteCount == StoreLog.HeaderByteCount)
            return _isWriting ? _writingDone.Task : Task.CompletedTask;
        _isWanted = true;
        Monitor.PulseAll(_gate);
        return _written.Task;
    }

    /// <summary>Under the gate: waits until all is written. The gate is open meanwhile, and closed after it.</summary>
    private void Drain()
    {
        while (_failure is null && (_isWriting || _filling.ByteCount > StoreLog.HeaderByteCount))
        {
            _isWanted = true;
            Monitor.PulseAll(_gate);
            Monitor.Wait(_gate);
        }

        ThrowIfFailed();
    }

    private void ThrowIfFailed()
    {
        if (_failure is not null)
            throw new IOException($"The trade store in '{_folder}' accepts no more writes since a write failed: {_failure.Message} Open it again to see what the disk has.", _failure);
        ObjectDisposedException.ThrowIf(_isClosing, this);
    }

    private void WriteLoop()
    {
        while (true)
        {
            lock (_gate)
            {
                // What is only settled waits for what somebody waits for.
                while (!_isWanted && !_isClosing)
                    Monitor.Wait(_gate);
                _isWanted = false;
                if (_filling.ByteCount == StoreLog.HeaderByteCount)
                {
                    if (_isClosing)
                        return;
                    // Wanted while the last block was being written, and that was all.
                    continue;
                }

                (_filling, _writing) = (_writing, _filling);
                (_fillingSnapshots, _writingSnapshots) = (_writingSnapshots, _fillingSnapshots);
                (_written, _writingDone) = (NewCompletion(), _written);
                _isWriting = true;
            }

            try
            {
                LogLocation start = _log.Write(_writing);
                lock (_gate)
                {
                    KeepLocations(start);
                    _isWriting = false;
                    Monitor.PulseAll(_gate);
                }

                _writingDone.SetResult();
            }
            catch (Exception e)
            {
                lock (_gate)
                {
                    _failure = e;
                    _isWriting = false;
                    Monitor.PulseAll(_gate);
                    _written.TrySetException(e);
                }

                _writingDone.TrySetException(e);
                return;
            }

            _writing.Clear();
            _writing.Skip(StoreLog.HeaderByteCount);
        }
    }

    /// <summary>Matched trades whose snapshot is on the disk need not be in memory, unless they have changed meanwhile.</summary>
    private void KeepLocations(LogLocation start)
    {
        foreach ((TradeState state, int offset) in _writingSnapshots)
        {
            if (--state.PendingSnapshots == 0 && state.IsMatched && _open.TryGetValue(state.Key, out TradeState? open) && open == state)
            {
                _matched.Add(HashOf(state.Key), start with { Position = start.Position + offset - StoreLog.HeaderByteCount });
                _open.Remove(state.Key);
            }
        }

        _writingSnapshots.Clear();
    }

    private void Replay(ReadOnlySpan<byte> records, LogLocation location)
    {
        var reader = new RecordReader(records);
        while (!reader.IsAtEnd)
        {
            switch ((RecordKind)reader.ReadByte())
            {
                case RecordKind.Applied:
                    ReplayApplied(ref reader);
                    break;
                case RecordKind.Settled:
                    _unsettled.Remove(reader.ReadText());
                    break;
                case RecordKind.Snapshot:
                    int offset = reader.Position;
                    TradeState state = StoreRecords.ReadState(ref reader);
                    if (!_isForeign(state.Key))
                        ReplaySnapshot(state, location with { Position = location.Position + offset });
                    break;
                case RecordKind.Expired:
                    if (_open.TryGetValue(StoreRecords.ReadKey(ref reader), out TradeState? expired))
                        expired.IsExpired = true;
                    break;
                case RecordKind.Cleared:
                    Forget(reader.ReadCount());
                    break;
                case RecordKind.Unsettled:
                    string deliveryId = reader.ReadText();
                    Emission emission = StoreRecords.ReadEmission(ref reader);
                    if (!_isForeign(emission.Terms.Key))
                        _unsettled[deliveryId] = emission;
                    break;
                default:
                    throw RecordReader.Damaged();
            }
        }
    }

    private void ReplaySnapshot(TradeState state, LogLocation location)
    {
        if (!_open.Remove(state.Key))
            TakeMatched(state.Key);
        if (state.IsMatched)
            _matched.Add(HashOf(state.Key), location);
        else
            _open.Add(state.Key, state);
    }

    /// <summary>Takes a trade out of the index.</summary>
    private TradeState? TakeMatched(in TradeKey key)
    {
        TradeState? state = FindMatched(key, out LogLocation? location);
        if (location is { } known)
            _matched.Remove(HashOf(key), known);
        return state;
    }

    private void ReplayApplied(ref RecordReader reader)
    {
        TradeKey key = StoreRecords.ReadKey(ref reader);
        int slot = reader.ReadByte();
        Statement statement = StoreRecords.ReadStatement(ref reader);
        long now = reader.ReadInt64();
        _ = reader.ReadBytes();
        string deliveryId = reader.ReadText();
        _ = reader.ReadBytes();
        if (_isForeign(key))
            return;
        if (!_open.TryGetValue(key, out TradeState? state))
            _open.Add(key, state = TakeMatched(key) ?? new TradeState(key, now));
        state.Apply(slot, statement, out Transition transition);
        if (transition != Transition.None)
            _unsettled[deliveryId] = new Emission(transition, state.MatchCount, TradeTermsCodes.Of(state));
    }
}
