using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Text;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>
/// The folder <c>processes</c> of a folder of queues: the socket of the owner, and a file of each other process, locked as long as the process runs.
/// </summary>
internal sealed class FolderMeetingPlace : IDisposable
{
    private const string FolderName = "processes";
    private const string SocketName = "owner";

    /// <summary>The longest path of a socket that every system takes.</summary>
    private const int MaxPathByteCount = 100;

    private readonly string _folder;
    private readonly string _short;
    private readonly SafeFileHandle? _handle;

    /// <exception cref="IOException">The folder cannot be created.</exception>
    /// <exception cref="UnauthorizedAccessException">It belongs to another user.</exception>
    internal FolderMeetingPlace(string path, FolderSharing sharing)
    {
        _folder = _short = Path.Combine(path, FolderName);
        if (OperatingSystem.IsWindows())
        {
            Directory.CreateDirectory(_folder);
        }
        else if (!Directory.Exists(_folder))
        {
            // Other users cannot open the folder, and so cannot connect.
            UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;
            if (sharing == FolderSharing.Group)
                mode |= UnixFileMode.GroupRead | UnixFileMode.GroupWrite | UnixFileMode.GroupExecute | UnixFileMode.SetGroup;
            Directory.CreateDirectory(_folder, mode);
            // Regardless of the umask.
            File.SetUnixFileMode(_folder, mode);
        }

        if (Encoding.UTF8.GetByteCount(_folder) <= MaxPathByteCount - 40)
            return;
        if (OperatingSystem.IsLinux())
        {
            _handle = UnixFile.Open(_folder, canWrite: false);
            _short = $"/proc/self/fd/{_handle.DangerousGetHandle()}";
        }
        else
        {
            byte[] hash = SHA256.HashData(Encoding.UTF8.GetBytes(Path.GetFullPath(_folder)));
            _short = Path.Combine(Path.GetTempPath(), "fmt-" + Convert.ToHexString(hash.AsSpan(0, 8)));
            Directory.CreateDirectory(_short);
        }
    }

    /// <summary>Gets whether the socket has a name.</summary>
    internal bool HasSocket => File.Exists(Path.Combine(_short, SocketName));

    /// <summary>Creates the owner's socket, in place of one that a dead process has left.</summary>
    /// <exception cref="SocketException">The file system has no sockets.</exception>
    internal Socket Listen(FolderSharing sharing)
    {
        var listener = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            // Under another name first, which .NET deletes when the socket is closed: by then the name may belong to the next owner.
            string name = Path.Combine(_short, Guid.NewGuid().ToString("N")[..16]);
            listener.Bind(new UnixDomainSocketEndPoint(name));
            if (!OperatingSystem.IsWindows())
            {
                File.SetUnixFileMode(name, UnixFileMode.UserRead | UnixFileMode.UserWrite
                    | (sharing == FolderSharing.Group ? UnixFileMode.GroupRead | UnixFileMode.GroupWrite : UnixFileMode.None));
            }

            listener.Listen(1024);
            File.Move(name, Path.Combine(_short, SocketName), overwrite: true);
            return listener;
        }
        catch
        {
            listener.Dispose();
            throw;
        }
    }

    /// <summary>Deletes the name of the owner's socket.</summary>
    internal void DeleteSocket()
    {
        try
        {
            File.Delete(Path.Combine(_short, SocketName));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next owner replaces it.
        }
    }

    /// <summary>Connects to the owner.</summary>
    /// <returns>The connection; null if there is no owner.</returns>
    internal Socket? TryConnect()
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            socket.Connect(new UnixDomainSocketEndPoint(Path.Combine(_short, SocketName)));
            return socket;
        }
        catch (SocketException)
        {
            socket.Dispose();
            return null;
        }
    }

    /// <summary>Registers a process, so that the next owner waits for it: creates and locks its file.</summary>
    internal SafeFileHandle Register(Guid process, FolderSharing sharing)
    {
        string path = Path.Combine(_folder, process.ToString("N"));
        if (OperatingSystem.IsWindows())
            return File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, FileOptions.DeleteOnClose);
        File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete).Dispose();
        SafeFileHandle file = UnixFile.Open(path, canWrite: true);
        if (sharing == FolderSharing.Group)
            UnixFile.ShareWithGroup(file);
        UnixFile.TryLock(file);
        return file;
    }

    /// <summary>Removes the file of a process that ends.</summary>
    internal void Unregister(Guid process, SafeFileHandle file)
    {
        using (file)
        {
            Delete(process);
            if (!OperatingSystem.IsWindows())
                UnixFile.Unlock(file);
        }
    }

    /// <summary>Returns the processes that are registered and running, and removes the files of others.</summary>
    internal List<Guid> GetRunning() =>
        [.. Directory.EnumerateFiles(_folder)
            .Select(static file => Guid.TryParseExact(Path.GetFileName(file), "N", out Guid process) ? process : default)
            .Where(process => process != default && IsRunning(process))];

    /// <summary>Determines whether a process is running; if not, its file is removed.</summary>
    internal bool IsRunning(Guid process)
    {
        try
        {
            string path = Path.Combine(_folder, process.ToString("N"));
            if (OperatingSystem.IsWindows())
            {
                File.Delete(path);
                return false;
            }

            using SafeFileHandle file = UnixFile.Open(path, canWrite: true);
            if (UnixFile.TryLock(file) == LockAttempt.HeldByAnother)
                return true;
            Delete(process);
            return false;
        }
        catch (FileNotFoundException)
        {
            return false;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return OperatingSystem.IsWindows();
        }
    }

    public void Dispose() => _handle?.Dispose();

    private void Delete(Guid process)
    {
        try
        {
            File.Delete(Path.Combine(_folder, process.ToString("N")));
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // The next owner removes it.
        }
    }
}
