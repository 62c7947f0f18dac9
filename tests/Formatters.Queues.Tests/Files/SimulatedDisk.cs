using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;

namespace Formatters.Queues.Tests;

/// <summary>A power cut: nothing after it happens.</summary>
public sealed class PowerCutException() : Exception("The power is cut.");

/// <summary>
/// A folder on a disk that loses power: of what was not flushed, each sector of 512 bytes is kept, lost or garbled, and each creation, rename and deletion is kept or lost.
/// </summary>
internal sealed class SimulatedDisk : LogFolder
{
    private const int SectorByteCount = 512;

    private readonly Dictionary<string, SimulatedFile> _names = new(StringComparer.Ordinal);
    private readonly List<Action<Dictionary<string, SimulatedFile>>> _unflushedChanges = [];
    private Dictionary<string, SimulatedFile> _flushedNames = new(StringComparer.Ordinal);
    private int _operations;

    internal override string Name => "simulated";

    /// <summary>The number of the operation at which the power is cut.</summary>
    internal int PowerCutAt { get; set; } = int.MaxValue;

    /// <summary>What an operation does instead of happening: throws, or nothing.</summary>
    internal Action<string>? Fault { get; set; }

    internal int Operations => _operations;

    internal long FreeByteCount { get; set; } = long.MaxValue;

    internal override IReadOnlyList<string> GetFileNames() => _names.Keys.ToArray();

    internal override LogFile Create(string name, long byteCount)
    {
        Count("create");
        if (byteCount > FreeByteCount)
            throw new IOException("No space left on device");
        FreeByteCount -= byteCount;
        var file = new SimulatedFile(this, byteCount);
        Change(names => names[name] = file);
        return file;
    }

    internal override LogFile Open(string name)
    {
        Count("open");
        return _names[name];
    }

    internal override void Rename(string from, string to)
    {
        Count("rename");
        SimulatedFile file = _names[from];
        Change(names =>
        {
            names.Remove(from);
            names[to] = file;
        });
    }

    internal override void Delete(string name)
    {
        Count("delete");
        if (_names.TryGetValue(name, out SimulatedFile? file))
            FreeByteCount += FreeByteCount < long.MaxValue / 2 ? file.ByteCount : 0;
        Change(names => names.Remove(name));
    }

    internal override void Flush()
    {
        Count("flush folder");
        _flushedNames = new(_names, StringComparer.Ordinal);
        _unflushedChanges.Clear();
    }

    public override void Dispose()
    {
    }

    /// <summary>What is there when the power is back.</summary>
    internal SimulatedDisk AfterPowerCut(Random random)
    {
        var disk = new SimulatedDisk();
        var names = new Dictionary<string, SimulatedFile>(_flushedNames, StringComparer.Ordinal);
        foreach (Action<Dictionary<string, SimulatedFile>> change in _unflushedChanges)
        {
            if (random.Next(2) == 0)
                change(names);
        }

        foreach ((string name, SimulatedFile file) in names)
            disk._names[name] = file.AfterPowerCut(disk, random);
        disk.Flush();
        return disk;
    }

    /// <summary>The bytes of a file, to be changed by a test that damages it.</summary>
    internal byte[] BytesOf(string name) => _names[name].Bytes;

    internal void Truncate(string name, int byteCount) => _names[name].Truncate(byteCount);

    internal SimulatedDisk Clone()
    {
        var disk = new SimulatedDisk();
        foreach ((string name, SimulatedFile file) in _names)
            disk._names[name] = file.Clone(disk);
        disk.Flush();
        return disk;
    }

    private void Change(Action<Dictionary<string, SimulatedFile>> change)
    {
        change(_names);
        _unflushedChanges.Add(change);
    }

    private void Count(string operation)
    {
        if (_operations >= PowerCutAt)
            throw new PowerCutException();
        _operations++;
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
            bool isCut = _disk._operations == _disk.PowerCutAt;
            if (!isCut)
                _disk.Count("write");
            if (offset + bytes.Length > Bytes.Length)
                Bytes = [.. Bytes, .. new byte[offset + bytes.Length - Bytes.Length]];
            bytes.CopyTo(Bytes.AsSpan((int)offset));
            for (long sector = offset / SectorByteCount; sector * SectorByteCount < offset + bytes.Length; sector++)
                _unflushed.Add((int)sector);
            if (isCut)
                _disk.Count("write");
        }

        internal override int Read(Span<byte> bytes, long offset)
        {
            int count = (int)Math.Clamp(Bytes.Length - offset, 0, bytes.Length);
            Bytes.AsSpan((int)Math.Min(offset, Bytes.Length), count).CopyTo(bytes);
            return count;
        }

        internal override void Flush()
        {
            _disk.Count("flush");
            if (_flushed.Length < Bytes.Length)
                Array.Resize(ref _flushed, Bytes.Length);
            foreach (int sector in _unflushed)
                Sector(Bytes, sector).CopyTo(Sector(_flushed, sector));
            _unflushed.Clear();
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

        internal void Truncate(int byteCount) => Bytes = Bytes[..byteCount];

        internal SimulatedFile Clone(SimulatedDisk disk) => new(disk, Bytes.ToArray());

        private static Span<byte> Sector(byte[] bytes, int sector)
        {
            int start = Math.Min(sector * SectorByteCount, bytes.Length);
            return bytes.AsSpan(start, Math.Min(SectorByteCount, bytes.Length - start));
        }
    }
}
