using System;
using System.IO;

namespace Formatters.Tools.CommandLine;

/// <summary>Files that are written whole or not at all: into a file beside them, which takes their name at the end.</summary>
internal static class WholeFile
{
    /// <summary>Makes sure that a file can be written. Leaves it as it is.</summary>
    /// <exception cref="IOException">It cannot.</exception>
    /// <exception cref="UnauthorizedAccessException">It cannot.</exception>
    internal static void Check(FileInfo file)
    {
        if (IsStandardOutput(file))
            return;
        FileInfo target = Resolve(file);
        if (IsStream(target))
        {
            // Not opened: a pipe without a reader would be waited for.
            if (!target.Exists)
                throw new FileNotFoundException($"There is no '{target.FullName}'.");
            return;
        }

        bool isNew = !target.Exists;
        using (target.Open(FileMode.OpenOrCreate, FileAccess.Write, FileShare.ReadWrite))
        {
        }

        if (isNew)
            target.Delete();
        FileInfo beside = Beside(target);
        using (beside.Open(FileMode.CreateNew, FileAccess.Write))
        {
        }

        beside.Delete();
    }

    /// <summary>Writes a file.</summary>
    /// <param name="file">Which; a link stays one, and its file is written. A device is written directly, and "-" is the standard output.</param>
    /// <param name="write">Writes the content.</param>
    /// <param name="overwrite">Whether a file that exists is replaced; otherwise it is an <see cref="IOException"/>.</param>
    internal static void Write(FileInfo file, Action<Stream> write, bool overwrite = true)
    {
        if (IsStandardOutput(file))
        {
            using Stream standard = Console.OpenStandardOutput();
            write(standard);
            return;
        }

        FileInfo target = Resolve(file);
        if (IsStream(target))
        {
            using FileStream stream = target.Open(FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
            write(stream);
            return;
        }

        FileInfo beside = Beside(target);
        try
        {
            using (FileStream stream = beside.Open(FileMode.CreateNew, FileAccess.Write))
            {
                write(stream);
                stream.Flush(flushToDisk: true);
            }

#if NET
            beside.MoveTo(target.FullName, overwrite);
#else
            if (File.Exists(target.FullName) && overwrite)
                File.Replace(beside.FullName, target.FullName, null);
            else
                File.Move(beside.FullName, target.FullName);
#endif
        }
        catch
        {
            File.Delete(beside.FullName);
            throw;
        }
    }

    /// <summary>Gets whether a file is "-", as an argument of the command line.</summary>
    internal static bool IsStandardOutput(FileInfo file) => file.ToString() == "-";

    /// <summary>Gets whether a file is one that was being written when its program ended.</summary>
    internal static bool IsLeftOver(FileInfo file) => file.Name is ['.', ..] && file.Name.EndsWith(".tmp", StringComparison.Ordinal);

    private static FileInfo Beside(FileInfo target) => new(Path.Combine(target.DirectoryName!, $".{target.Name}.{Guid.NewGuid():N}.tmp"));

    private static FileInfo Resolve(FileInfo file)
    {
#if NET
        return IsStream(file) || file.LinkTarget is null ? file : file.ResolveLinkTarget(returnFinalTarget: true) as FileInfo ?? file;
#else
        return file;
#endif
    }

    /// <summary>Gets whether a file cannot be replaced: a terminal, a device, a pipe of the shell.</summary>
    internal static bool IsStream(FileInfo file) =>
        file.FullName.StartsWith("/dev/", StringComparison.Ordinal) || file.FullName.StartsWith("/proc/", StringComparison.Ordinal);
}
