using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.Threading;

namespace Formatters.Queues;

/// <summary>One file of the log, named by its number. It is allocated entirely, with zeros after the last block.</summary>
/// <remarks>
/// The first 4,096 bytes are the header, little-endian: magic <c>FMTQLOG</c> and a zero byte, format version 1 (UInt32), salt (UInt32), segment
/// number (UInt64), number of the first block (UInt64), the folder's id (16 bytes), CRC-32C of these 48 bytes (UInt32), zeros.
/// </remarks>
internal sealed class LogSegment : IDisposable
{
    internal const int HeaderByteCount = 4096;
    internal const uint FormatVersion = 1;

    private const int ChecksummedByteCount = 48;
    private const string Extension = ".log";
    private const string NewExtension = ".new";

    // Guards the list and the live counts: messages are parked by senders and receivers.
    private readonly object _gate = new();
    private int _liveCount;
    private int _parkedCount;

    private LogSegment(LogFile file, ulong number, ulong firstBlock, uint salt, Guid folderId)
    {
        File = file;
        Number = number;
        Name = FileName(number);
        FirstBlock = firstBlock;
        Salt = salt;
        FolderId = folderId;
        ByteCount = file.ByteCount;
    }

    internal LogFile File { get; }

    internal ulong Number { get; }

    internal string Name { get; }

    internal ulong FirstBlock { get; }

    internal uint Salt { get; }

    internal Guid FolderId { get; }

    internal long ByteCount { get; }

    /// <summary>Gets or sets the position of the next block.</summary>
    internal long Position { get; set; } = HeaderByteCount;

    /// <summary>Gets the first of this segment's messages that are still in a queue.</summary>
    internal LogEntry? FirstLive { get; private set; }

    internal long LiveByteCount { get; private set; }

    /// <summary>
    /// Gets the number of this segment's messages that are still in a queue: those from <see cref="FirstLive"/> on, and the parked ones.
    /// </summary>
    internal int LiveCount => Volatile.Read(ref _liveCount);

    /// <summary>Gets whether messages in this segment are parked.</summary>
    internal bool HasParked
    {
        get
        {
            lock (_gate)
                return _parkedCount > 0;
        }
    }

    /// <summary>Gets the time stamp after which none of this segment's ids is needed.</summary>
    internal long IdsEnd { get; private set; }

    /// <summary>Gets the total size of this segment's ids.</summary>
    internal long IdByteCount { get; private set; }

    /// <summary>Notes on the writer's thread that an id was written here.</summary>
    internal void AddId(string id, long end)
    {
        IdsEnd = Math.Max(IdsEnd, end);
        IdByteCount += id.Length + 16;
    }

    /// <summary>Notes that the ids of this segment were copied to a later one.</summary>
    internal void LoseIds()
    {
        IdsEnd = 0;
        IdByteCount = 0;
    }

    /// <summary>Returns the temporary name under which a segment is created.</summary>
    internal static string NewFileName(ulong number) => NewNameOf(FileName(number));

    /// <summary>Returns the temporary name for a file that must never exist incompletely.</summary>
    internal static string NewNameOf(string fileName) => fileName + NewExtension;

    internal static bool IsNewFileName(string fileName) => fileName.EndsWith(NewExtension, StringComparison.Ordinal);

    internal static string FileName(ulong number) => number.ToString("D16", CultureInfo.InvariantCulture) + Extension;

    /// <summary>Returns the number in a segment's file name; null for another file.</summary>
    internal static ulong? NumberOf(string fileName) =>
        fileName.EndsWith(Extension, StringComparison.Ordinal)
        && ulong.TryParse(fileName.AsSpan(0, fileName.Length - Extension.Length), NumberStyles.None, CultureInfo.InvariantCulture, out ulong number)
        && FileName(number) == fileName
            ? number
            : null;

    /// <summary>
    /// Creates a segment with its first block durably under a temporary name and then renames it, so that a segment never exists incompletely.
    /// </summary>
    /// <param name="folder">The folder.</param>
    /// <param name="file">The file, made under the temporary name; disposed if this fails.</param>
    /// <param name="number">The segment's number.</param>
    /// <param name="folderId">The folder's id.</param>
    /// <param name="salt">Included in the checksums of the segment's blocks, so that a block of another log cannot be mistaken for one of
    /// this.</param>
    /// <param name="firstBlock">The number of the first block.</param>
    /// <param name="block">The first block.</param>
    internal static LogSegment Create(LogFolder folder, LogFile file, ulong number, Guid folderId, uint salt, ulong firstBlock, LogBuffer block)
    {
        string name = FileName(number);
        try
        {
            Span<byte> header = stackalloc byte[ChecksummedByteCount + sizeof(uint)];
            "FMTQLOG\0"u8.CopyTo(header);
            BinaryPrimitives.WriteUInt32LittleEndian(header[8..], FormatVersion);
            BinaryPrimitives.WriteUInt32LittleEndian(header[12..], salt);
            BinaryPrimitives.WriteUInt64LittleEndian(header[16..], number);
            BinaryPrimitives.WriteUInt64LittleEndian(header[24..], firstBlock);
            folderId.TryWriteBytes(header[32..]);
            BinaryPrimitives.WriteUInt32LittleEndian(header[48..], Crc32C.Of(header[..ChecksummedByteCount]));
            file.Write(header, 0);
            LogBlock.Seal(block.Block, firstBlock, salt);
            ReadOnlySpan<byte> bytes = block.PaddedBlock;
            file.Write(bytes, HeaderByteCount);
            file.Flush();
            folder.Rename(NewNameOf(name), name);
            folder.Flush();
            return new LogSegment(file, number, firstBlock, salt, folderId) { Position = HeaderByteCount + bytes.Length };
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <exception cref="QueueException">The header is damaged or of a later version.</exception>
    internal static LogSegment Open(LogFolder folder, ulong number)
    {
        string name = FileName(number);
        LogFile file = folder.Open(name);
        try
        {
            Span<byte> header = stackalloc byte[ChecksummedByteCount + sizeof(uint)];
            if (file.Read(header, 0) < header.Length || !header.StartsWith("FMTQLOG\0"u8))
                throw LogDamage.At(folder, name, 0, "this is not a segment of a queue log");
            uint version = BinaryPrimitives.ReadUInt32LittleEndian(header[8..]);
            if (BinaryPrimitives.ReadUInt32LittleEndian(header[48..]) != Crc32C.Of(header[..ChecksummedByteCount]))
                throw LogDamage.At(folder, name, 0, "the header's checksum is wrong");
            if (version != FormatVersion)
                throw new QueueException(
                    $"The segment '{name}' in '{folder.Name}' has format version {version}; this version of the library reads version "
                    + $"{FormatVersion}.") { Code = QueueErrorCode.UnknownVersion };
            if (BinaryPrimitives.ReadUInt64LittleEndian(header[16..]) != number)
                throw LogDamage.At(folder, name, 16, "the header is another segment's");
            return new LogSegment(
                file,
                number,
                BinaryPrimitives.ReadUInt64LittleEndian(header[24..]),
                BinaryPrimitives.ReadUInt32LittleEndian(header[12..]),
                new Guid(header.Slice(32, 16)));
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    internal void Add(LogEntry entry)
    {
        lock (_gate)
        {
            Link(entry);
            _liveCount++;
            LiveByteCount += entry.ContentByteCount;
        }
    }

    internal void Remove(LogEntry entry)
    {
        lock (_gate)
        {
            Unlink(entry);
            _liveCount--;
            LiveByteCount -= entry.ContentByteCount;
        }
    }

    /// <summary>Removes the entry of a message that is parked: from now on only its queue knows it.</summary>
    internal void Park(LogEntry entry)
    {
        lock (_gate)
        {
            Unlink(entry);
            _parkedCount++;
        }
    }

    /// <summary>Adds the entry of a message that is no longer parked.</summary>
    internal void Unpark(LogEntry entry)
    {
        lock (_gate)
        {
            Link(entry);
            _parkedCount--;
        }
    }

    /// <summary>Adds a message that is parked from the beginning.</summary>
    internal void AddParked(int contentByteCount)
    {
        lock (_gate)
        {
            _parkedCount++;
            _liveCount++;
            LiveByteCount += contentByteCount;
        }
    }

    /// <summary>Removes a parked message that was deleted with its queue.</summary>
    internal void RemoveParked(int contentByteCount)
    {
        lock (_gate)
        {
            _parkedCount--;
            _liveCount--;
            LiveByteCount -= contentByteCount;
        }
    }

    /// <summary>Returns the messages of this segment that are objects.</summary>
    internal LogEntry[] GetLive(int maxByteCount = int.MaxValue)
    {
        var entries = new List<LogEntry>();
        lock (_gate)
        {
            long byteCount = 0;
            for (LogEntry? entry = FirstLive; entry is not null && byteCount < maxByteCount; entry = entry.Next)
            {
                entries.Add(entry);
                byteCount += entry.ContentByteCount;
            }
        }

        return [.. entries];
    }

    private void Link(LogEntry entry)
    {
        entry.Next = FirstLive;
        entry.Previous = null;
        if (FirstLive is not null)
            FirstLive.Previous = entry;
        FirstLive = entry;
    }

    private void Unlink(LogEntry entry)
    {
        if (entry.Previous is null)
            FirstLive = entry.Next;
        else
            entry.Previous.Next = entry.Next;
        if (entry.Next is not null)
            entry.Next.Previous = entry.Previous;
        entry.Previous = null;
        entry.Next = null;
    }

    public void Dispose() => File.Dispose();
}

/// <summary>Creates the exception for a damaged log.</summary>
internal static class LogDamage
{
    internal static QueueException At(LogFolder folder, string segment, long offset, string what, Exception? cause = null) =>
        Of(folder, $"segment '{segment}', offset {offset}: {what}", cause);

    internal static QueueException Of(LogFolder folder, string what, Exception? cause = null) =>
        new(
            $"The queue log in '{folder.Name}' is damaged: {what}. Nothing was changed. Restore the folder from a copy, or copy what can be read "
            + "into a new one: 'formatters queue verify' says what is lost, 'formatters queue salvage' copies the rest (QueueFolderLog).", cause);
}
