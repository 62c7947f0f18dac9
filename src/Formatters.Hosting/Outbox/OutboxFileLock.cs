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
    /// <exception cref="UnauthorizedAccessException">The file cannot be created.</exception>
    internal bool TryTake(string databasePath, string table)
    {
        if (_file is not null || !File.Exists(databasePath))
            return true;
        try
        {
            _file = new FileStream($"{databasePath}-{table}.lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _file?.Dispose();
        _file = null;
    }
}
