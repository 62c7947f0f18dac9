using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>A folder of the disk, owned by one process at a time.</summary>
internal sealed class DiskFolder : LogFolder
{
    private const string LockFileName = "lock";

    private readonly string _path;
    private readonly FileStream _lock;

    /// <summary>Creates the folder if it is not there, and takes its lock.</summary>
    /// <exception cref="QueueException">Another process has the folder, or it cannot be made or written.</exception>
    internal DiskFolder(string path)
    {
        _path = path;
        try
        {
            bool isNew = !Directory.Exists(path);
            Directory.CreateDirectory(path);
            if (isNew)
                FlushParents(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new QueueException($"The folder '{path}' cannot be made: {e.Message}", e);
        }

        _lock = TakeLock(Path.Combine(path, LockFileName));
    }

    internal override string Name => _path;

    internal override IReadOnlyList<string> GetFileNames() =>
        Directory.EnumerateFiles(_path).Select(file => Path.GetFileName(file)).Where(name => name != LockFileName).ToArray();

    internal override LogFile Create(string name, long byteCount)
    {
        SafeFileHandle handle = File.OpenHandle(Path.Combine(_path, name), FileMode.Create, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        try
        {
            byte[] zeros = new byte[(int)Math.Min(byteCount, 1 << 20)];
            for (long offset = 0; offset < byteCount; offset += zeros.Length)
                RandomAccess.Write(handle, zeros.AsSpan(0, (int)Math.Min(zeros.Length, byteCount - offset)), offset);
            // Ahead of time: else the first flush of the log in this file would write all of it.
            DiskFlush.FlushFile(handle);
            return new DiskFile(handle);
        }
        catch
        {
            handle.Dispose();
            File.Delete(Path.Combine(_path, name));
            throw;
        }
    }

    internal override LogFile Open(string name) =>
        new DiskFile(File.OpenHandle(Path.Combine(_path, name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete));

    internal override void Rename(string from, string to) => File.Move(Path.Combine(_path, from), Path.Combine(_path, to), overwrite: false);

    internal override void Delete(string name) => File.Delete(Path.Combine(_path, name));

    internal override void Flush() => DiskFlush.FlushFolder(_path);

    public override void Dispose() => _lock.Dispose();

    // The name of a new folder is in its parent, and that folder may be new as well.
    private static void FlushParents(string path)
    {
        for (string? parent = Path.GetDirectoryName(path); parent is not null; parent = Path.GetDirectoryName(parent))
        {
            try
            {
                DiskFlush.FlushFolder(parent);
            }
            catch (UnauthorizedAccessException)
            {
                return; // A folder that this process may not open is none that it has made.
            }
        }
    }

    private static FileStream TakeLock(string path)
    {
        try
        {
            // On Unix a lock by flock, which ends with the process; the file itself stays.
            var file = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
            file.SetLength(0);
            file.Write(Encoding.ASCII.GetBytes(Environment.ProcessId.ToString(CultureInfo.InvariantCulture)));
            file.Flush();
            return file;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new QueueException(
                $"The folder '{Path.GetDirectoryName(path)}' cannot be opened: one process at a time owns a folder, and '{LockFileName}' is held by another or cannot be written. {e.Message}",
                e);
        }
    }

    private sealed class DiskFile(SafeFileHandle handle) : LogFile
    {
        internal override long ByteCount => RandomAccess.GetLength(handle);

        internal override void Write(ReadOnlySpan<byte> bytes, long offset) => RandomAccess.Write(handle, bytes, offset);

        internal override int Read(Span<byte> bytes, long offset)
        {
            int total = 0;
            while (total < bytes.Length)
            {
                int read = RandomAccess.Read(handle, bytes[total..], offset + total);
                if (read == 0)
                    break;
                total += read;
            }

            return total;
        }

        internal override void Flush() => DiskFlush.FlushFile(handle);

        public override void Dispose() => handle.Dispose();
    }
}
