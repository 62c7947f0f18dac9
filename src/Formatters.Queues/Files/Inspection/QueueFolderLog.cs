using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The log of a folder of queues on disk, intact or damaged, read without opening the folder.</summary>
/// <remarks>
/// <para>No lock is taken and nothing in the folder is changed: it may be on a read-only disk, damaged, or in use by another process. In the last
/// case, the object shows the log as it was at one moment.</para>
/// <para>Express messages are not in a log.</para>
/// </remarks>
public sealed class QueueFolderLog : IDisposable
{
    private readonly IReadOnlyList<InspectedSegment> _segments;
    private readonly LogInspection _inspection;

    private readonly string? _unopened;

    private QueueFolderLog(string folder, IReadOnlyList<InspectedSegment> segments, LogInspection inspection, string? unopened)
    {
        _unopened = unopened;
        Folder = folder;
        _segments = segments;
        _inspection = inspection;
        Dictionary<uint, (long Count, long Uncertain)> counts = [];
        foreach (InspectedPlace place in inspection.Places.Values)
        {
            (long count, long uncertain) = counts.GetValueOrDefault(place.QueueId);
            counts[place.QueueId] = (count + 1, uncertain + (place.Block < inspection.LastLostBlock ? 1 : 0));
        }

        Queues =
        [
            .. inspection.QueueNames.OrderBy(queue => queue.Value, StringComparer.Ordinal)
                .Select(queue => new QueueLogCount(queue.Value, counts.GetValueOrDefault(queue.Key).Count,
                    counts.GetValueOrDefault(queue.Key).Uncertain)),
        ];
    }

    /// <summary>Gets the folder's path.</summary>
    public string Folder { get; }

    /// <summary>Gets whether the folder can be opened and nothing is lost.</summary>
    public bool IsWhole => !Findings.Any(finding => finding.IsDamage);

    /// <summary>Gets the problems of the log.</summary>
    public IReadOnlyList<QueueLogFinding> Findings => _inspection.Findings;

    /// <summary>Gets the queues, by name, with their message counts. A queue whose name is lost is called <c>lost-queue-</c> with its id.</summary>
    public IReadOnlyList<QueueLogCount> Queues { get; }

    /// <summary>
    /// Gets the numbers of messages that may be lost: the last part of the ids that the queue creates. Which of them were sent and not received is
    /// unknown.
    /// </summary>
    public IReadOnlyList<QueueLogRange> LostNumbers => _inspection.LostNumbers;

    /// <summary>Gets the number of waiting messages in all queues that can be read.</summary>
    public long MessageCount => Queues.Sum(queue => queue.MessageCount);

    /// <summary>Gets how many of them may have left their queues already, as a lost part of the log may have recorded.</summary>
    public long UncertainCount => Queues.Sum(queue => queue.UncertainCount);

    /// <summary>Reads the log of a folder.</summary>
    /// <param name="folder">The folder's path.</param>
    /// <param name="progress">Receives the completed fraction, from 0 to 1; null for no progress.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <returns>The content of the log. Dispose it to close its files.</returns>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is null or empty.</exception>
    /// <exception cref="QueueException">It is not a folder of queues, it cannot be listed, or it was written by a later version of the
    /// library.</exception>
    /// <exception cref="OperationCanceledException">The reading was ended.</exception>
    public static QueueFolderLog Open(string folder, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (!Directory.Exists(folder))
            throw new QueueException($"There is no folder '{folder}'.");
        try
        {
            return Open(new ReadOnlyFolder(folder), progress, cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new QueueException($"The folder '{folder}' cannot be read: {e.Message}", e);
        }
    }

    internal static QueueFolderLog Open(LogFolder folder, IProgress<double>? progress, CancellationToken cancellationToken)
    {
        var findings = new List<QueueLogFinding>();
        // The manifest first: what it promises is in the segments opened after it, even while another process writes.
        LogEnd? end = null;
        IReadOnlyList<string> names = folder.GetFileNames();
        bool hasManifest = names.Contains(LogManifest.FileName);
        if (hasManifest)
        {
            try
            {
                using LogManifest manifest = LogManifest.Open(folder);
                end = manifest.End;
            }
            catch (QueueException e) when (e.Code != QueueErrorCode.UnknownVersion)
            {
                findings.Add(new QueueLogFinding(LogManifest.FileName, 0, QueueLogFindingKind.Damaged,
                    "no record in the file is whole, or it is of two logs: the end of the log is unknown"));
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                findings.Add(new QueueLogFinding(LogManifest.FileName, 0, QueueLogFindingKind.Unreadable, e.Message));
            }
        }

        ulong[] numbers = [.. folder.GetFileNames().Select(LogSegment.NumberOf).OfType<ulong>().Order()];
        if (numbers.Length == 0 && !hasManifest)
            throw new QueueException($"'{folder.Name}' is not a folder of queues: it has no log.");
        var segments = new List<InspectedSegment>(numbers.Length);
        string? unopened = null;
        try
        {
            foreach (ulong number in numbers)
            {
                try
                {
                    segments.Add(new InspectedSegment(folder, number, folder.Open(LogSegment.FileName(number))));
                }
                catch (FileNotFoundException)
                {
                    // Another process has the folder open, and no longer needs the segment; if it does, the segment is reported as missing.
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException)
                {
                    findings.Add(new QueueLogFinding(LogSegment.FileName(number), 0, QueueLogFindingKind.Unreadable, e.Message));
                    unopened ??= LogSegment.FileName(number);
                }
            }

            return new QueueFolderLog(folder.Name, segments,
                LogInspection.Run(folder, InOrder(segments, findings), end, findings, progress, cancellationToken), unopened);
        }
        catch
        {
            segments.ForEach(segment => segment.Dispose());
            throw;
        }
    }

    /// <summary>Shows the messages of a queue, as the log has them.</summary>
    /// <param name="queueName">The queue's name, as in <see cref="Queues"/>.</param>
    /// <param name="options">The options; null means <see cref="PeekOptions.Default"/>.</param>
    /// <returns>
    /// The messages in the order of receives, including those that have expired; none if there is no such queue. A log does not contain locks: a
    /// message that a receiver has locked looks like one that waits. Messages whose bytes cannot be read are left out. The positions are valid for
    /// this method only.
    /// </returns>
    /// <exception cref="ArgumentException"><see cref="PeekOptions.After"/> is not a position.</exception>
    public IReadOnlyList<PeekedMessage> Peek(string queueName, PeekOptions? options = null)
    {
        options ??= PeekOptions.Default;
        MessagePosition after = MessagePosition.Parse(options.After);
        MessageSelector? selector = options.Selector is { } text ? MessageSelector.Parse(text) : null;
        var found = new List<(MessagePosition Position, InspectedPlace Place)>();
        foreach (InspectedPlace place in _inspection.Places.Values)
        {
            if (_inspection.QueueNames.TryGetValue(place.QueueId, out string? name) && name == queueName && ReadMessage(place) is { } message
                && PositionOf(place, message) is var position && position.CompareTo(after) > 0 && (options.IncludeDelayed || message.DueTime is null)
                && selector?.Matches(message) != false)
                found.Add((position, place));
        }

        return [.. found.OrderBy(static one => one.Position).Take(options.MaxCount).Select(one => ReadMessage(one.Place)).OfType<PeekedMessage>()];
    }

    /// <summary>
    /// Copies all readable content into a new folder: every message with its properties, id and order, and every queue, subscription and decision.
    /// </summary>
    /// <param name="folder">The path of the new folder, which must not exist or must be empty.</param>
    /// <param name="progress">Receives the completed fraction, from 0 to 1; null for no progress.</param>
    /// <param name="cancellationToken">Stops the copying and deletes the copy.</param>
    /// <returns>The number of copied messages: fewer than <see cref="MessageCount"/> if the disk can no longer read some.</returns>
    /// <remarks>The new folder has the id of the old one, and takes its place: do not use both.</remarks>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is null or empty.</exception>
    /// <exception cref="QueueException">The new folder is not empty, or cannot be written; or this process may not open a file of the log, whose
    /// content the copy would not have.</exception>
    /// <exception cref="OperationCanceledException">The copying was ended.</exception>
    public long Salvage(string folder, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (_unopened is not null)
            throw new QueueException(
                $"The file '{_unopened}' in '{Folder}' cannot be opened, so that its messages would be missing in the copy. "
                + "Nothing was copied. Make it readable, or move it away to go on without it.");
        bool isNew = !Directory.Exists(folder);
        long count;
        try
        {
            if (!isNew && Directory.EnumerateFileSystemEntries(folder).Any())
                throw new QueueException($"The folder '{folder}' is not empty: name a new one.");
            using var target = new DiskFolder(folder);
            count = Salvage(target, FileQueueOptions.Default.SegmentByteCount, progress, cancellationToken);
        }
        catch (Exception e)
        {
            if (isNew && Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder)
                .All(entry => Path.GetFileName(entry) == FolderLock.FileName))
                Directory.Delete(folder, recursive: true);
            if (e is IOException or UnauthorizedAccessException or FolderLostException)
                throw new QueueException($"The folder '{folder}' cannot be written: {e.Message}", e);
            throw;
        }

        return count;
    }

    internal long Salvage(LogFolder target, int segmentByteCount, IProgress<double>? progress, CancellationToken cancellationToken)
    {
        using var salvage = new LogSalvage(_inspection, target, segmentByteCount);
        try
        {
            salvage.Write(progress, cancellationToken);
            return salvage.MessageCount;
        }
        catch
        {
            foreach (string name in target.GetFileNames())
                target.Delete(name);
            throw;
        }
    }

    /// <summary>Orders segments by the numbers in their headers, which their names may not match.</summary>
    private static List<InspectedSegment> InOrder(List<InspectedSegment> segments, List<QueueLogFinding> findings)
    {
        var ordered = new List<InspectedSegment>(segments.Count);
        foreach (IGrouping<ulong, InspectedSegment> same in segments.GroupBy(static segment => segment.Number).OrderBy(static same => same.Key))
        {
            InspectedSegment first = same.OrderBy(segment => segment.Name == LogSegment.FileName(same.Key) ? 0 : 1).First();
            ordered.Add(first);
            foreach (InspectedSegment segment in same)
            {
                if (segment != first)
                    findings.Add(new QueueLogFinding(segment.Name, 16, QueueLogFindingKind.Foreign, $"a second file of the segment {same.Key}"));
                else if (segment.Name != LogSegment.FileName(same.Key))
                    findings.Add(new QueueLogFinding(segment.Name, 16, QueueLogFindingKind.Damaged,
                        $"the file is the segment {same.Key}: it was renamed from '{LogSegment.FileName(same.Key)}'"));
            }
        }

        return ordered;
    }

    private static MessagePosition PositionOf(InspectedPlace place, QueueMessage message) => new(message.Priority, (long)place.Number);

    /// <summary>Reads the message of a place; null if its bytes cannot be read.</summary>
    private PeekedMessage? ReadMessage(InspectedPlace place)
    {
        InspectedMessage entry = place.Message;
        if (entry.Segment.TryReadContent(entry.Offset, entry.ByteCount, entry.Checksum) is not { } content)
            return null;
        RecoveredMessage message = LogOperations.ReadContent(content);
        DateTimeOffset? due = place.DueTicks != 0 ? new DateTimeOffset(place.DueTicks, TimeSpan.Zero) : message.DueTime;
        return new PeekedMessage(message, message.Body)
        {
            MessageId = message.MessageId ?? string.Create(CultureInfo.InvariantCulture, $"{_inspection.FolderId}\\{entry.Number}"),
            DueTime = due > DateTimeOffset.UtcNow ? due : null,
            Position = PositionOf(place, message).ToString(),
            DeliveryCount = place.DeliveryCount,
            SentTime = message.SentTime,
            DeadLetterReason = place.DeadLetter?.Reason,
            DeadLetterDescription = place.DeadLetter?.Description,
            DeadLetterSource = place.DeadLetter?.Source,
        };
    }

    /// <summary>Closes the log's files, which this object has open for reading.</summary>
    public void Dispose()
    {
        foreach (InspectedSegment segment in _segments)
            segment.Dispose();
    }
}
