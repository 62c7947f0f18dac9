using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Conversion;

/// <summary>Converts a file with a body, or a folder of such files, into new files.</summary>
/// <param name="source">The file or folder. It is only read.</param>
/// <param name="destination">The new file, or the folder for the new files.</param>
/// <param name="isDryRun">Whether to read and convert only.</param>
internal sealed class FileConversion(string source, string destination, bool isDryRun)
{
    private long _skippedCount;

    /// <summary>Gets how many files were left out, since the new file existed already.</summary>
    internal long SkippedCount => _skippedCount;

    /// <summary>Converts the files, several at a time.</summary>
    /// <exception cref="UsageException">The source does not exist, or the destination cannot be used.</exception>
    /// <exception cref="OperationCanceledException">The run was interrupted. Every new file is whole.</exception>
    internal async Task RunAsync(BodyConversion conversion, IProgress<double> progress, CancellationToken cancellationToken)
    {
        List<(FileInfo Source, FileInfo Destination)> pairs = FindFiles(conversion.Extension);
        long done = 0;
        await Parallel.ForEachAsync(pairs, cancellationToken, (pair, _) =>
        {
            if (!isDryRun && pair.Destination.Exists)
            {
                Interlocked.Increment(ref _skippedCount);
            }
            else if (conversion.Convert($"'{pair.Source.FullName}'", File.ReadAllBytes(pair.Source.FullName)) is { } converted)
            {
                if (!isDryRun)
                {
                    pair.Destination.Directory!.Create();
                    WholeFile.Write(pair.Destination, stream => stream.Write(converted.Body));
                }

                conversion.AddWritten(converted);
            }

            long count = Interlocked.Increment(ref done);
            if (count % 256 == 0)
                progress.Report((double)count / pairs.Count);
            return ValueTask.CompletedTask;
        });
        progress.Report(1);
    }

    private List<(FileInfo Source, FileInfo Destination)> FindFiles(string extension)
    {
        var folder = new DirectoryInfo(source);
        if (!folder.Exists)
        {
            var file = new FileInfo(source);
            if (!file.Exists)
                throw CommonOptions.Missing(file);
            var target = new FileInfo(destination);
            if (WholeFile.IsStandardOutput(target))
                throw new UsageException("The new body goes to a file, not to the standard output: name a new file.");
            if (target.Exists || Directory.Exists(target.FullName))
                throw new UsageException($"'{target.FullName}' exists already: name a new file.");
            return [(file, target)];
        }

        string root = Path.TrimEndingDirectorySeparator(folder.FullName), to = Path.TrimEndingDirectorySeparator(Path.GetFullPath(destination));
        if (to == root || to.StartsWith(root + Path.DirectorySeparatorChar, StringComparison.Ordinal))
            throw new UsageException("The new folder must be outside the old one.");
        if (File.Exists(to))
            throw new UsageException($"'{to}' is a file: name a folder for the new files.");
        var options = new EnumerationOptions { RecurseSubdirectories = true, AttributesToSkip = FileAttributes.ReparsePoint };
        return
        [
            .. folder.EnumerateFiles("*", options)
                .Where(MessageFile.IsBody)
                .OrderBy(static file => file.FullName, StringComparer.Ordinal)
                .Select(file => (file, new FileInfo(Path.Combine(to, Path.GetRelativePath(root, file.FullName)) + extension))),
        ];
    }
}
