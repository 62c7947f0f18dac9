using System;
using System.Globalization;
using System.IO;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>The exclusive lock of an open folder; it ends with the process.</summary>
/// <remarks>
/// On Unix both the folder itself and its file <c>lock</c> are locked (<c>flock</c>). The folder's lock cannot be deleted. Where the file system
/// cannot lock folders (NFS), the file's lock remains, and <see cref="ThrowIfLost()"/> checks that the name still refers to the same file. On Windows
/// neither the file nor its folder can be deleted or moved while it is open.
/// </remarks>
internal sealed class FolderLock : IDisposable
{
    internal const string FileName = "lock";

    private const int MaxAttempts = 100;

    /// <summary>The third word in the file of an owner that serves no other process.</summary>
    private const string ExclusiveMark = "exclusive";

    // Describes this process to others; in containers several may have the same process id.
    private static readonly string Owner = string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId} {Environment.MachineName}");

    private readonly string _path;
    private readonly SafeFileHandle? _folder;
    private readonly SafeFileHandle _file;
    private readonly FileIdentity _identity;

    private FolderLock(string path, SafeFileHandle? folder, SafeFileHandle file, FileIdentity identity, FolderSharing sharing)
    {
        _path = path;
        _folder = folder;
        _file = file;
        _identity = identity;
        if (sharing == FolderSharing.Group)
            UnixFile.ShareWithGroup(file);
        WriteOwner(sharing == FolderSharing.Exclusive);
    }

    /// <summary>Takes the lock of a folder.</summary>
    /// <param name="folder">The folder's path.</param>
    /// <param name="sharing">For whom the file is; <see cref="FolderSharing.Exclusive"/> tells others not to wait for a socket.</param>
    /// <exception cref="QueueException">Another opening has it, or the file cannot be made or locked.</exception>
    internal static FolderLock Take(string folder, FolderSharing sharing)
    {
        string path = Path.Combine(folder, FileName);
        try
        {
            if (OperatingSystem.IsWindows())
                return new FolderLock(path, null, File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None), default,
                    sharing);
            return TakeOnUnix(folder, path, sharing);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or EntryPointNotFoundException)
        {
            throw new QueueException(
                $"The folder '{folder}' cannot be opened: one process at a time owns a folder, and its file '{FileName}' is held by another or "
                + $"cannot be locked. {e.Message}", e)
            {
                Code = OperatingSystem.IsWindows() ? QueueErrorCode.InUse : QueueErrorCode.None,
            };
        }
    }

    /// <summary>Describes the process that has the lock of a folder, as its file says.</summary>
    internal static string DescribeOwner(string folder) => Describe(ReadOwner(Path.Combine(folder, FileName)));

    /// <summary>Determines whether the process that has the lock of a folder serves no others, or runs on another machine.</summary>
    internal static bool CannotBeShared(string folder, out bool isElsewhere)
    {
        string[] owner = ReadOwner(Path.Combine(folder, FileName)).Split(' ');
        isElsewhere = owner.Length > 1 && owner[1] != Environment.MachineName;
        return owner is [_, _, ExclusiveMark];
    }

    private static string Describe(string owner) =>
        owner == Owner || owner == $"{Owner} {ExclusiveMark}"
        ? "this process"
        : owner.Split(' ') is [{ Length: > 0 } process, { Length: > 0 } machine, ..]
        ? $"process {process} on '{machine}'"
        : "another process";

    /// <summary>Checks that the folder and its lock are still at their path.</summary>
    /// <exception cref="FolderLostException">They are not: another process may have the folder of that path.</exception>
    internal void ThrowIfLost()
    {
        if (!OperatingSystem.IsWindows() && UnixFile.IdentityOf(_path) != _identity)
            throw new FolderLostException($"its file '{_path}' was deleted or replaced, or the folder was moved");
    }

    public void Dispose()
    {
        if (!OperatingSystem.IsWindows())
        {
            UnixFile.Unlock(_file);
            if (_folder is not null)
                UnixFile.Unlock(_folder);
        }

        _file.Dispose();
        _folder?.Dispose();
    }

    private static FolderLock TakeOnUnix(string folder, string path, FolderSharing sharing)
    {
        SafeFileHandle? folderHandle = UnixFile.Open(folder, canWrite: false);
        try
        {
            switch (UnixFile.TryLock(folderHandle))
            {
                case LockAttempt.HeldByAnother:
                    throw Held(folder, path);
                case LockAttempt.Unsupported:
                    folderHandle.Dispose();
                    folderHandle = null;
                    break;
            }

            for (int attempt = 0; attempt < MaxAttempts; attempt++)
            {
                if (TryTakeFile(folder, path) is not { } file)
                    continue;
                FileIdentity identity = UnixFile.IdentityOf(file);
                // It may have been deleted or replaced between opening and locking.
                if (UnixFile.IdentityOf(path) == identity)
                    return new FolderLock(path, folderHandle, file, identity, sharing);
                file.Dispose();
            }

            throw new IOException($"The file '{FileName}' is being replaced repeatedly.");
        }
        catch
        {
            folderHandle?.Dispose();
            throw;
        }
    }

    private static SafeFileHandle? TryTakeFile(string folder, string path)
    {
        if (new FileInfo(path).LinkTarget is { } target)
            throw new IOException($"'{path}' is a symbolic link to '{target}'; it must be a file of the folder itself. Delete the link.");
        SafeFileHandle file;
        try
        {
            file = UnixFile.Open(path, canWrite: true);
        }
        catch (FileNotFoundException)
        {
            File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete).Dispose();
            return null;
        }

        LockAttempt attempt = UnixFile.TryLock(file);
        if (attempt == LockAttempt.Locked)
            return file;
        file.Dispose();
        throw attempt == LockAttempt.HeldByAnother ? Held(folder, path) : new IOException("The file system has no locks (flock).");
    }

    private static QueueException Held(string folder, string path)
    {
        string owner = ReadOwner(path);
        string who = Describe(owner) == "this process"
            ? "this process has it already, through another provider or by another path"
            : Describe(owner) + " has it";
        return new QueueException($"The folder '{folder}' cannot be opened: one process at a time owns a folder, and {who}.")
        {
            Code = QueueErrorCode.InUse,
        };
    }

    private static string ReadOwner(string path)
    {
        try
        {
            using SafeFileHandle file = UnixFile.Open(path, canWrite: false);
            byte[] bytes = new byte[1024];
            return Encoding.UTF8.GetString(bytes, 0, RandomAccess.Read(file, bytes, 0)).Trim();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return "";
        }
    }

    /// <summary>Writes the owner into the lock file, for error messages of other processes.</summary>
    private void WriteOwner(bool isExclusive)
    {
        try
        {
            byte[] owner = Encoding.UTF8.GetBytes(isExclusive ? $"{Owner} {ExclusiveMark}\n" : Owner + "\n");
            RandomAccess.Write(_file, owner, 0);
            RandomAccess.SetLength(_file, owner.Length);
        }
        catch (IOException)
        {
            // Best effort: messages must be receivable even if the disk is full.
        }
    }
}

/// <summary>
/// The exception that is thrown when the folder was moved, or no longer belongs to this process alone. Not an <see cref="IOException"/>, so that it
/// is not mistaken for a full disk.
/// </summary>
internal sealed class FolderLostException(string what) : Exception(what);
