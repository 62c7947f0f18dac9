using System;
using System.IO;

namespace Formatters.Hosting;

/// <summary>The lock of an outbox in SQLite: a file beside the database, open in one process at a time. The system releases it when the process
/// ends.</summary>
internal sealed class OutboxFileLock : IDisposable
{
    private FileStream? _file;

    /// <summary>Locks the outbox, unless it is locked here already.</summary>
    /// <returns>False if another process has it.</returns>
    /// <exception cref="IOException">The file cannot be created: the disk is full.</exception>
    /// <exception cref="UnauthorizedAccessException">The file cannot be created: the folder is read-only.</exception>
    internal bool TryTake(string databasePath, string table)
    {
        if (_file is not null || !File.Exists(databasePath))
            return true;
        try
        {
            _file = new FileStream($"{databasePath}-{table}.lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException e) when (IsLocked(e))
        {
            return false;
        }
    }

    /// <summary>Determines whether another process has the file: ERROR_SHARING_VIOLATION, or EWOULDBLOCK on Linux and on macOS.</summary>
    private static bool IsLocked(IOException error) => error.HResult is unchecked((int)0x80070020) or 11 or 35;

    public void Dispose()
    {
        _file?.Dispose();
        _file = null;
    }
}
