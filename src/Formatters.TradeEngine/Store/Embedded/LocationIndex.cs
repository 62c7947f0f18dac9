using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Formatters.TradeEngine.Store.Embedded;

/// <summary>
/// Where records are, by the hashes of their keys, in a file: what a process needs for it in memory does not grow with the number of records. Not for several
/// threads at once.
/// </summary>
/// <remarks>
/// The file is made from the log at each opening and deleted at the end; it is never flushed. Pages of 4 KiB are filled by linear hashing: one page at a time
/// is split, so that no addition takes long. What its page has no space for is kept in memory.
/// </remarks>
internal sealed class LocationIndex : IDisposable
{
    private const int PageByteCount = 4096;
    private const int SlotsOfPage = PageByteCount / 16;

    /// <summary>
    /// A page is split for each so many that are added. Those that are split last have 192 on average then, which is more than four standard deviations below
    /// what a page can have.
    /// </summary>
    private const int FillOfPage = SlotsOfPage * 3 / 8;

    private const int FirstLevel = 4;

    private readonly SafeFileHandle _file;
    private readonly Slot[] _page = new Slot[SlotsOfPage];
    private readonly Slot[] _upper = new Slot[SlotsOfPage];
    private readonly List<Slot> _overflow = [];
    private int _level = FirstLevel;
    private long _split;

    /// <summary>Begins an empty index.</summary>
    /// <param name="path">Its file, which is replaced.</param>
    internal LocationIndex(string path)
    {
        _file = File.OpenHandle(path, FileMode.Create, FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose);
        RandomAccess.SetLength(_file, PageCount * PageByteCount);
    }

    internal long Count { get; private set; }

    /// <summary>How many are in memory because their pages are full.</summary>
    internal int OverflowCount => _overflow.Count;

    private long PageCount => (1L << _level) + _split;

    internal void Add(ulong hash, LogLocation location)
    {
        var added = new Slot(hash, location);
        long number = PageOf(hash);
        ReadPage(number, _page);
        int free = Array.FindIndex(_page, slot => slot.IsFree);
        if (free >= 0)
            WriteSlot(number, free, added);
        else
            _overflow.Add(added);
        Count++;
        if (Count > PageCount * FillOfPage)
            Split();
    }

    /// <summary>Finds the locations of a hash: usually one; other keys may have the same.</summary>
    /// <param name="hash">The hash of the key.</param>
    /// <param name="found">Is emptied first.</param>
    internal void Find(ulong hash, List<LogLocation> found)
    {
        found.Clear();
        if (Count == 0)
            return;
        ReadPage(PageOf(hash), _page);
        foreach (ref readonly Slot slot in _page.AsSpan())
        {
            if (slot.Hash == hash && !slot.IsFree)
                found.Add(slot.Location);
        }

        foreach (Slot slot in _overflow)
        {
            if (slot.Hash == hash)
                found.Add(slot.Location);
        }
    }

    /// <summary>Removes one location of a hash.</summary>
    internal void Remove(ulong hash, LogLocation location)
    {
        var removed = new Slot(hash, location);
        long number = PageOf(hash);
        ReadPage(number, _page);
        int index = Array.IndexOf(_page, removed);
        if (index >= 0)
            WriteSlot(number, index, default);
        else if (!_overflow.Remove(removed))
            throw new InvalidOperationException("The location is not in the index.");
        Count--;
    }

    /// <summary>All locations, in no order. Nothing may be added or removed meanwhile.</summary>
    internal IEnumerable<LogLocation> FindAll()
    {
        var page = new Slot[SlotsOfPage];
        for (long number = 0; number < PageCount && Count > 0; number++)
        {
            ReadPage(number, page);
            foreach (Slot slot in page)
            {
                if (!slot.IsFree)
                    yield return slot.Location;
            }
        }

        foreach (Slot slot in _overflow)
            yield return slot.Location;
    }

    /// <summary>Removes some of all.</summary>
    internal void RemoveAll(Predicate<LogLocation> isRemoved)
    {
        for (long number = 0; number < PageCount && Count > 0; number++)
        {
            ReadPage(number, _page);
            bool isChanged = false;
            foreach (ref Slot slot in _page.AsSpan())
            {
                if (slot.IsFree || !isRemoved(slot.Location))
                    continue;
                slot = default;
                isChanged = true;
                Count--;
            }

            if (isChanged)
                WritePage(number, _page);
        }

        Count -= _overflow.RemoveAll(slot => isRemoved(slot.Location));
    }

    public void Dispose() => _file.Dispose();

    private long PageOf(ulong hash)
    {
        long number = (long)(hash & ((1UL << _level) - 1));
        return number < _split ? (long)(hash & ((1UL << (_level + 1)) - 1)) : number;
    }

    /// <summary>Distributes the next page over itself and a new one.</summary>
    private void Split()
    {
        long number = _split;
        ulong bit = 1UL << _level;
        ReadPage(number, _page);
        Array.Clear(_upper);
        int lower = 0;
        int upper = 0;
        for (int i = 0; i < SlotsOfPage; i++)
        {
            Slot slot = _page[i];
            _page[i] = default;
            if (slot.IsFree)
                continue;
            if ((slot.Hash & bit) == 0)
                _page[lower++] = slot;
            else
                _upper[upper++] = slot;
        }

        for (int i = _overflow.Count - 1; i >= 0; i--)
        {
            Slot slot = _overflow[i];
            if ((long)(slot.Hash & (bit - 1)) != number)
                continue;
            bool isLower = (slot.Hash & bit) == 0;
            if ((isLower ? lower : upper) == SlotsOfPage)
                continue;
            if (isLower)
                _page[lower++] = slot;
            else
                _upper[upper++] = slot;
            _overflow.RemoveAt(i);
        }

        // The new page first: what is in both is found in the old one until the split counts.
        WritePage(PageCount, _upper);
        _split++;
        if (_split == 1L << _level)
        {
            _level++;
            _split = 0;
        }

        WritePage(number, _page);
    }

    private void ReadPage(long number, Slot[] page)
    {
        Span<byte> bytes = MemoryMarshal.AsBytes(page.AsSpan());
        long position = number * PageByteCount;
        while (bytes.Length > 0)
        {
            int read = RandomAccess.Read(_file, bytes, position);
            if (read == 0)
                throw new InvalidDataException("The index of a trade store was truncated while it was open.");
            bytes = bytes[read..];
            position += read;
        }
    }

    private void WritePage(long number, Slot[] page) => RandomAccess.Write(_file, MemoryMarshal.AsBytes(page.AsSpan()), number * PageByteCount);

    private void WriteSlot(long number, int index, Slot slot) =>
        RandomAccess.Write(_file, MemoryMarshal.AsBytes(new ReadOnlySpan<Slot>(in slot)), (number * PageByteCount) + (index * 16L));

    /// <summary>A hash and a location; free where the location is zero.</summary>
    private readonly record struct Slot(ulong Hash, ulong Packed)
    {
        internal Slot(ulong hash, LogLocation location)
            : this(hash, ((ulong)(uint)(location.Segment + 1) << 32) | checked((uint)location.Position))
        {
        }

        internal bool IsFree => Packed == 0;

        internal LogLocation Location => new((int)(Packed >> 32) - 1, (uint)Packed);
    }
}
