using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace Formatters.Queues.Tests;

/// <summary>A power cut: nothing after it happens.</summary>
public sealed class PowerCutException() : Exception("The power is cut.");

/// <summary>
/// A folder on a disk that loses power: of what was not flushed, each sector of 512 bytes is kept, lost or garbled, and each creation, rename and deletion is kept or lost.
/// </summary>
/// <remarks>Several threads may use it at once, as they may a disk.</remarks>
internal sealed class SimulatedDisk : LogFolder
{
    private const int SectorByteCount = 512;

    private readonly Lock _gate = new();
    private readonly Dictionary<string, SimulatedFile> _names = new(StringComparer.Ordinal);
    private readonly List<Action<Dictionary<string, SimulatedFile>>> _unflushedChanges = [];
    private Dictionary<string, SimulatedFile> _flushedNames = new(StringComparer.Ordinal);
    private int _operations;
    private long _freeByteCount = long.MaxValue;

    internal override string Name => "simulated";

    /// <summary>The number of the operation at which the power is cut.</summary>
    internal int PowerCutAt { get; set; } = int.MaxValue;

    /// <summary>What an operation does before it happens, in its thread: throws instead, waits, or nothing.</summary>
    internal Action<string>? Fault { get; set; }

    /// <summary>Whether somebody has taken the folder away.</summary>
    internal volatile bool IsLost;

    internal int Operations => Volatile.Read(ref _operations);

    internal long FreeByteCount
    {
        get
        {
            lock (_gate)
                return _freeByteCount;
        }

        set
        {
            lock (_gate)
                _freeByteCount = value;
        }
    }

    internal override IReadOnlyList<string> GetFileNames()
    {
        lock (_gate)
            return _names.Keys.ToArray();
    }

    internal override LogFile Create(string name, long byteCount)
    {
        Count("create");
        lock (_gate)
        {
            // A file of this name becomes empty, also for those who have it open.
            SimulatedFile? before = _names.GetValueOrDefault(name);
            Free(before);
            try
            {
                Take(byteCount);
            }
            catch (IOException) when (before is not null)
            {
                Change(names => names.Remove(name));
                throw;
            }

            if (before is not null)
            {
                before.MakeZeros(byteCount);
                return before;
            }

            var file = new SimulatedFile(this, byteCount);
            Change(names => names[name] = file);
            return file;
        }
    }

    internal override LogFile Open(string name)
    {
        Count("open");
        return FileOf(name);
    }

    internal override void Rename(string from, string to)
    {
        Count("rename");
        lock (_gate)
        {
            SimulatedFile file = _names[from];
            Change(names =>
            {
                names.Remove(from);
                names[to] = file;
            });
        }
    }

    internal override void Delete(string name)
    {
        Count("delete");
        lock (_gate)
        {
            Free(_names.GetValueOrDefault(name));
            Change(names => names.Remove(name));
        }
    }

    internal override void Flush()
    {
        Count("flush folder");
        lock (_gate)
        {
            _flushedNames = new(_names, StringComparer.Ordinal);
            _unflushedChanges.Clear();
        }
    }

    internal override void ThrowIfLost(string name, LogFile file)
    {
        if (IsLost)
            throw new FolderLostException("its file 'lock' was deleted");
    }

    public override void Dispose()
    {
    }

    /// <summary>What is there when the power is back.</summary>
    internal SimulatedDisk AfterPowerCut(Random random)
    {
        var disk = new SimulatedDisk();
        lock (_gate)
        {
            var names = new Dictionary<string, SimulatedFile>(_flushedNames, StringComparer.Ordinal);
            foreach (Action<Dictionary<string, SimulatedFile>> change in _unflushedChanges)
            {
                if (random.Next(2) == 0)
                    change(names);
            }

            foreach ((string name, SimulatedFile file) in names)
                disk._names[name] = file.AfterPowerCut(disk, random);
        }

        disk.Flush();
        return disk;
    }

    /// <summary>The bytes of a file, to be changed by a test that damages it.</summary>
    internal byte[] BytesOf(string name) => FileOf(name).Bytes;

    internal void Truncate(string name, int byteCount) => FileOf(name).Truncate(byteCount);

    internal SimulatedDisk Clone()
    {
        var disk = new SimulatedDisk();
        lock (_gate)
        {
            foreach ((string name, SimulatedFile file) in _names)
                disk._names[name] = file.Clone(disk);
        }

        disk.Flush();
        return disk;
    }

    private SimulatedFile FileOf(string name)
    {
        lock (_gate)
            return _names[name];
    }

    // These three under the lock.
    private void Take(long byteCount)
    {
        if (byteCount > _freeByteCount)
            throw new IOException("No space left on device");
        _freeByteCount -= byteCount;
    }

    private void Change(Action<Dictionary<string, SimulatedFile>> change)
    {
        change(_names);
        _unflushedChanges.Add(change);
    }

    private void Free(SimulatedFile? file)
    {
        if (file is not null && _freeByteCount < long.MaxValue / 2)
            _freeByteCount += file.ByteCount;
    }

    private void Count(string operation)
    {
        lock (_gate)
        {
            if (_operations >= PowerCutAt)
                throw new PowerCutException();
            _operations++;
        }

        // Outside the lock: it may wait for what another thread does here.
        Fault?.Invoke(operation);
    }

    private sealed class SimulatedFile : LogFile
    {
        private readonly SimulatedDisk _disk;
        private byte[] _flushed;
        private readonly SortedSet<int> _unflushed = [];

        internal SimulatedFile(SimulatedDisk disk, long byteCount)
            : this(disk, new byte[byteCount])
        {
        }

        private SimulatedFile(SimulatedDisk disk, byte[] bytes)
        {
            _disk = disk;
            Bytes = bytes;
            _flushed = bytes.ToArray();
        }

        internal byte[] Bytes { get; private set; }

        internal override long ByteCount => Bytes.Length;

        internal override void Write(ReadOnlySpan<byte> bytes, long offset)
        {
            bool isCut = _disk.Operations == _disk.PowerCutAt;
            if (!isCut)
                _disk.Count("write");
            lock (_disk._gate)
            {
                if (offset + bytes.Length > Bytes.Length)
                    _disk.Take(offset + bytes.Length - Bytes.Length);
                if (offset + bytes.Length > Bytes.Length)
                    Bytes = [.. Bytes, .. new byte[offset + bytes.Length - Bytes.Length]];
                bytes.CopyTo(Bytes.AsSpan((int)offset));
                for (long sector = offset / SectorByteCount; sector * SectorByteCount < offset + bytes.Length; sector++)
                    _unflushed.Add((int)sector);
            }

            if (isCut)
                _disk.Count("write");
        }

        internal override int Read(Span<byte> bytes, long offset)
        {
            lock (_disk._gate)
            {
                int count = (int)Math.Clamp(Bytes.Length - offset, 0, bytes.Length);
                Bytes.AsSpan((int)Math.Min(offset, Bytes.Length), count).CopyTo(bytes);
                return count;
            }
        }

        internal override void Flush()
        {
            _disk.Count("flush");
            lock (_disk._gate)
            {
                if (_flushed.Length < Bytes.Length)
                    Array.Resize(ref _flushed, Bytes.Length);
                foreach (int sector in _unflushed)
                    Sector(Bytes, sector).CopyTo(Sector(_flushed, sector));
                _unflushed.Clear();
            }
        }

        public override void Dispose()
        {
        }

        internal SimulatedFile AfterPowerCut(SimulatedDisk disk, Random random)
        {
            byte[] bytes = new byte[Bytes.Length];
            _flushed.CopyTo(bytes, 0);
            foreach (int sector in _unflushed)
            {
                int fate = random.Next(5);
                if (fate < 2)
                    Sector(Bytes, sector).CopyTo(Sector(bytes, sector));
                else if (fate == 2)
                    random.NextBytes(Sector(bytes, sector));
            }

            return new SimulatedFile(disk, bytes);
        }

        /// <summary>Makes it a file of zeros, all of them flushed.</summary>
        internal void MakeZeros(long byteCount)
        {
            Bytes = new byte[byteCount];
            _flushed = new byte[byteCount];
            _unflushed.Clear();
        }

        internal void Truncate(int byteCount) => Bytes = Bytes[..byteCount];

        internal SimulatedFile Clone(SimulatedDisk disk) => new(disk, Bytes.ToArray());

        private static Span<byte> Sector(byte[] bytes, int sector)
        {
            int start = Math.Min(sector * SectorByteCount, bytes.Length);
            return bytes.AsSpan(start, Math.Min(SectorByteCount, bytes.Length - start));
        }
    }
}
