using System;
using System.Buffers.Binary;
using System.IO;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>The identity of a file regardless of its name: the device and the inode.</summary>
internal readonly record struct FileIdentity(ulong Device, ulong Inode);

/// <summary>The result of an attempt to lock.</summary>
internal enum LockAttempt
{
    Locked,
    HeldByAnother,

    /// <summary>The file system does not support these locks.</summary>
    Unsupported,
}

/// <summary>Locks and identifies files on Unix, through the C library.</summary>
/// <remarks>
/// .NET also locks (<see cref="FileShare.None"/>), but silently does not where <c>DOTNET_SYSTEM_IO_DISABLEFILELOCKING</c> is set or the file system
/// does not support locks, and it does not expose the inode. The locks are those of <c>flock</c>: they belong to the open file, not to the process,
/// so that two openings in one process also exclude each other.
/// </remarks>
internal static partial class UnixFile
{
    private const int ExclusiveNow = 2 | 4; // LOCK_EX | LOCK_NB of <sys/file.h>.
    private const int Release = 8; // LOCK_UN.

    // AT_FDCWD, AT_SYMLINK_NOFOLLOW and AT_EMPTY_PATH of <fcntl.h>; STATX_INO of <linux/stat.h>.
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const int EmptyPath = 0x1000;
    private const uint InodeMask = 0x100;

    private const int NotFoundErrno = 2;
    private const int NoFolderErrno = 20;

    private static int WouldBlockErrno => OperatingSystem.IsMacOS() ? 35 : 11;

    /// <summary>Opens an existing file or folder; the handle is not inherited by child processes.</summary>
    /// <exception cref="FileNotFoundException">It does not exist.</exception>
    /// <exception cref="IOException">It cannot be opened.</exception>
    internal static SafeFileHandle Open(string path, bool canWrite)
    {
        int closeOnExec = OperatingSystem.IsMacOS() ? 0x1000000 : 0x80000;
        SafeFileHandle file = OpenFile(path, closeOnExec | (canWrite ? 2 : 0));
        if (!file.IsInvalid)
            return file;
        int errno = Marshal.GetLastPInvokeError();
        file.Dispose();
        throw errno == NotFoundErrno ? new FileNotFoundException($"There is no '{path}'.") : Failed($"Opening '{path}'", errno);
    }

    /// <summary>Tries to take the exclusive lock of an open file or folder without waiting.</summary>
    internal static LockAttempt TryLock(SafeFileHandle file)
    {
        if (LockFile(file, ExclusiveNow) == 0)
            return LockAttempt.Locked;
        return Marshal.GetLastPInvokeError() == WouldBlockErrno ? LockAttempt.HeldByAnother : LockAttempt.Unsupported;
    }

    /// <summary>Releases the lock even if a child process that is being started still has a copy of the handle.</summary>
    internal static void Unlock(SafeFileHandle file) => _ = LockFile(file, Release);

    /// <summary>Lets the file's group read and write it, regardless of the umask.</summary>
    internal static void ShareWithGroup(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
            return;
        try
        {
            File.SetUnixFileMode(file, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Another user's, who has done it.
        }
    }

    /// <summary>Returns the identity of the file that a name refers to; a symbolic link is not followed.</summary>
    /// <returns>Null if it does not exist.</returns>
    /// <exception cref="IOException">The identity cannot be queried.</exception>
    internal static FileIdentity? IdentityOf(string path)
    {
        Span<byte> status = stackalloc byte[256];
        int result = OperatingSystem.IsMacOS()
            ? MacStatusOf(path, ref status[0])
            : LinuxStatus(CurrentFolder, path, NoFollow, InodeMask, ref status[0]);
        if (result == 0)
            return Read(status);
        int errno = Marshal.GetLastPInvokeError();
        return errno is NotFoundErrno or NoFolderErrno ? null : throw Failed($"Reading the status of '{path}'", errno);
    }

    /// <summary>Returns the identity of an open file.</summary>
    internal static FileIdentity IdentityOf(SafeFileHandle file)
    {
        Span<byte> status = stackalloc byte[256];
        bool isHeld = false;
        try
        {
            file.DangerousAddRef(ref isHeld);
            int number = (int)file.DangerousGetHandle();
            int result = OperatingSystem.IsMacOS()
                ? MacStatusOf(number, ref status[0])
                : LinuxStatus(number, "", EmptyPath, InodeMask, ref status[0]);
            return result == 0 ? Read(status) : throw Failed("Reading the status of an open file", Marshal.GetLastPInvokeError());
        }
        finally
        {
            if (isHeld)
                file.DangerousRelease();
        }
    }

    // struct statx of <linux/stat.h>, which is the same on all processors: inode at 32, device at 136. struct stat of macOS with 64-bit inodes:
    // device at 0, inode at 8.
    private static FileIdentity Read(ReadOnlySpan<byte> status) =>
        OperatingSystem.IsMacOS()
            ? new FileIdentity(BinaryPrimitives.ReadUInt32LittleEndian(status), BinaryPrimitives.ReadUInt64LittleEndian(status[8..]))
            : new FileIdentity(MemoryMarshal.Read<ulong>(status[136..]), MemoryMarshal.Read<ulong>(status[32..]));

    private static int MacStatusOf(string path, ref byte status) =>
        RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? MacStatus(path, ref status) : MacStatusX64(path, ref status);

    private static int MacStatusOf(int file, ref byte status) =>
        RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? MacFileStatus(file, ref status) : MacFileStatusX64(file, ref status);

    private static IOException Failed(string what, int errno) =>
        new($"{what} failed: {Marshal.GetPInvokeErrorMessage(errno)} (error {errno}).", errno);

    /// <summary>Returns the id of the user whose rights this process has.</summary>
    [LibraryImport("libc", EntryPoint = "geteuid")]
    internal static partial uint GetEffectiveUser();

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial SafeFileHandle OpenFile(string path, int flags);

    [LibraryImport("libc", EntryPoint = "flock", SetLastError = true)]
    private static partial int LockFile(SafeFileHandle file, int operation);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int LinuxStatus(int folder, string path, int flags, uint mask, ref byte status);

    [LibraryImport("libc", EntryPoint = "lstat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacStatus(string path, ref byte status);

    [LibraryImport("libc", EntryPoint = "fstat", SetLastError = true)]
    private static partial int MacFileStatus(int file, ref byte status);

    [LibraryImport("libc", EntryPoint = "lstat$INODE64", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MacStatusX64(string path, ref byte status);

    [LibraryImport("libc", EntryPoint = "fstat$INODE64", SetLastError = true)]
    private static partial int MacFileStatusX64(int file, ref byte status);
}
