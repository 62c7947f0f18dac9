using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>A folder on disk, owned by one process at a time.</summary>
internal sealed class DiskFolder : LogFolder
{
    private readonly string _path;
    private readonly FolderSharing _sharing;
    private readonly FolderLock _lock;
    private string? _currentName;
    private string _currentPath = "";

    /// <summary>Creates the folder if it does not exist, and takes its lock.</summary>
    /// <exception cref="QueueException">Another process has the folder, or it cannot be made or written.</exception>
    /// <param name="path">The folder's path.</param>
    /// <param name="sharing">Which users' processes open its files.</param>
    internal DiskFolder(string path, FolderSharing sharing = FolderSharing.User)
    {
        _path = path;
        _sharing = sharing;
        try
        {
            Directory.CreateDirectory(path);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw CannotBeMade(path, e);
        }

        _lock = FolderLock.Take(path, sharing);
        try
        {
            // Not only when the folder was created here: an earlier process may have ended before this. If there is a log, it was done.
            if (!GetFileNames().Any(name => LogSegment.NumberOf(name) is not null))
                FlushParents(path);
        }
        catch (Exception e)
        {
            _lock.Dispose();
            if (e is IOException or UnauthorizedAccessException)
                throw CannotBeMade(path, e);
            throw;
        }
    }

    internal override string Name => _path;

    internal override IReadOnlyList<string> GetFileNames() =>
        Directory.EnumerateFiles(_path).Select(file => Path.GetFileName(file)).Where(name => name != FolderLock.FileName).ToArray();

    internal override LogFile Create(string name, long byteCount)
    {
        _lock.ThrowIfLost();
        SafeFileHandle handle = File.OpenHandle(Path.Combine(_path, name), FileMode.Create, FileAccess.ReadWrite,
            FileShare.ReadWrite | FileShare.Delete);
        try
        {
            Share(handle);
            byte[] zeros = new byte[(int)Math.Min(byteCount, 1 << 20)];
            for (long offset = 0; offset < byteCount; offset += zeros.Length)
                RandomAccess.Write(handle, zeros.AsSpan(0, (int)Math.Min(zeros.Length, byteCount - offset)), offset);
            // In advance, because otherwise the log's first flush of this file would write all of it.
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

    internal override LogFile Open(string name)
    {
        SafeFileHandle handle = File.OpenHandle(Path.Combine(_path, name), FileMode.Open, FileAccess.ReadWrite,
            FileShare.ReadWrite | FileShare.Delete);
        Share(handle);
        return new DiskFile(handle);
    }

    internal override void Rename(string from, string to)
    {
        _lock.ThrowIfLost();
        File.Move(Path.Combine(_path, from), Path.Combine(_path, to), overwrite: false);
    }

    internal override void Delete(string name)
    {
        _lock.ThrowIfLost();
        File.Delete(Path.Combine(_path, name));
    }

    internal override void Flush() => DiskFlush.FlushFolder(_path);

    internal override void ThrowIfLost(string name, LogFile file)
    {
        _lock.ThrowIfLost();
        if (OperatingSystem.IsWindows())
            return;
        if (!ReferenceEquals(name, _currentName))
        {
            _currentName = name;
            _currentPath = Path.Combine(_path, name);
        }

        if (UnixFile.IdentityOf(_currentPath) != ((DiskFile)file).Identity)
            throw new FolderLostException($"the segment '{_currentPath}' was deleted or replaced");
    }

    public override void Dispose() => _lock.Dispose();

    private void Share(SafeFileHandle file)
    {
        if (_sharing == FolderSharing.Group)
            UnixFile.ShareWithGroup(file);
    }

    private static QueueException CannotBeMade(string path, Exception cause) => new($"The folder '{path}' cannot be created: {cause.Message}", cause);

    // The name of a new folder is in its parent, which may be new as well.
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
                return; // A folder that this process cannot open was not created by it.
            }
        }
    }

    private sealed class DiskFile(SafeFileHandle handle) : LogFile
    {
        /// <summary>Gets the file's identity, regardless of its name; on Unix.</summary>
        internal FileIdentity Identity { get; } = OperatingSystem.IsWindows() ? default : UnixFile.IdentityOf(handle);

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
