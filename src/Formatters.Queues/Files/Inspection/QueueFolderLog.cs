using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;

namespace Formatters.Queues;

/// <summary>The log of a folder of queues as it is on the disk, whole or damaged, read without opening the folder.</summary>
/// <remarks>
/// <para>No lock is taken and nothing in the folder is changed: it may be on a read-only disk, damaged, or in use by another process. In the last case, the
/// object shows the log as it was at one moment.</para>
/// <para>Express messages are not in a log.</para>
/// </remarks>
public sealed class QueueFolderLog : IDisposable
{
    private readonly IReadOnlyList<InspectedSegment> _segments;
    private readonly LogInspection _inspection;

    private QueueFolderLog(string folder, IReadOnlyList<InspectedSegment> segments, LogInspection inspection)
    {
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
                .Select(queue => new QueueLogCount(queue.Value, counts.GetValueOrDefault(queue.Key).Count, counts.GetValueOrDefault(queue.Key).Uncertain)),
        ];
    }

    /// <summary>The folder's path.</summary>
    public string Folder { get; }

    /// <summary>Whether the folder can be opened, and nothing is lost.</summary>
    public bool IsWhole => !Findings.Any(finding => finding.IsDamage);

    /// <summary>What is wrong with the log.</summary>
    public IReadOnlyList<QueueLogFinding> Findings => _inspection.Findings;

    /// <summary>The queues, by name, and what is in them. One whose name is lost is called <c>lost-queue-</c> with its number.</summary>
    public IReadOnlyList<QueueLogCount> Queues { get; }

    /// <summary>The numbers of messages that may be lost: the last part of the ids that the queue creates. It is not known which of them were sent and not
    /// received.</summary>
    public IReadOnlyList<QueueLogRange> LostNumbers => _inspection.LostNumbers;

    /// <summary>How many messages wait in all queues and can be read.</summary>
    public long MessageCount => Queues.Sum(queue => queue.MessageCount);

    /// <summary>How many of them may have left their queues already: a lost part of the log may have recorded it.</summary>
    public long UncertainCount => Queues.Sum(queue => queue.UncertainCount);

    /// <summary>Reads the log of a folder.</summary>
    /// <param name="folder">The folder's path.</param>
    /// <param name="progress">Receives the part that is done, from 0 to 1; null for none.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    /// <returns>What is in the log. Dispose it: its files are open.</returns>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is null or empty.</exception>
    /// <exception cref="QueueException">It is not a folder of queues, it cannot be listed, or it is of a later version of the library.</exception>
    /// <exception cref="OperationCanceledException">The reading was ended.</exception>
    public static QueueFolderLog Read(string folder, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
        if (!Directory.Exists(folder))
            throw new QueueException($"There is no folder '{folder}'.");
        try
        {
            return Read(new ReadOnlyFolder(folder), progress, cancellationToken);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new QueueException($"The folder '{folder}' cannot be read: {e.Message}", e);
        }
    }

    internal static QueueFolderLog Read(LogFolder folder, IProgress<double>? progress, CancellationToken cancellationToken)
    {
        var findings = new List<QueueLogFinding>();
        // The manifest first: what it says is in the segments that are opened after it, also while another process writes.
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
            catch (QueueException e) when (!e.Message.Contains("format version", StringComparison.Ordinal))
            {
                findings.Add(new QueueLogFinding(LogManifest.FileName, 0, QueueLogFindingKind.Damaged, "no record in the file is whole, or it is of two logs: the end of the log is unknown"));
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
                    // Another process has the folder, and needs the segment no more; if it does, it is missing.
                }
                catch (Exception e) when (e is IOException or UnauthorizedAccessException)
                {
                    findings.Add(new QueueLogFinding(LogSegment.FileName(number), 0, QueueLogFindingKind.Unreadable, e.Message));
                }
            }

            return new QueueFolderLog(folder.Name, segments, LogInspection.Run(folder, segments, end, findings, progress, cancellationToken));
        }
        catch
        {
            segments.ForEach(segment => segment.Dispose());
            throw;
        }
    }

    /// <summary>Copies what can be read into a new folder: every message with all its properties, its id and its place in the order, and every queue,
    /// subscription and decision.</summary>
    /// <param name="folder">The new folder's path: one that does not exist, or is empty.</param>
    /// <param name="progress">Receives the part that is done, from 0 to 1; null for none.</param>
    /// <param name="cancellationToken">Ends the copying; what was copied is deleted.</param>
    /// <returns>How many messages were copied. Fewer than <see cref="MessageCount"/> if the disk can no longer read their bytes.</returns>
    /// <remarks>The new folder has the id of the old one, and takes its place: do not use both.</remarks>
    /// <exception cref="ArgumentException"><paramref name="folder"/> is null or empty.</exception>
    /// <exception cref="QueueException">The new folder is not empty, or cannot be written.</exception>
    /// <exception cref="OperationCanceledException">The copying was ended.</exception>
    public long Salvage(string folder, IProgress<double>? progress = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrEmpty(folder);
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
            if (isNew && Directory.Exists(folder) && Directory.EnumerateFileSystemEntries(folder).All(entry => Path.GetFileName(entry) == FolderLock.FileName))
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

    /// <summary>Closes the log's files.</summary>
    public void Dispose()
    {
        foreach (InspectedSegment segment in _segments)
            segment.Dispose();
    }
}
