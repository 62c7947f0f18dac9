using System;
using System.Diagnostics;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using Microsoft.Win32.SafeHandles;

namespace Formatters.Queues;

/// <summary>Flushes files and folders to the disk, and reports failures.</summary>
/// <remarks>
/// .NET on Unix reports success when <c>fsync</c> fails (<see cref="FileStream.Flush(bool)"/> and <see cref="RandomAccess.FlushToDisk"/> swallow EIO
/// and ENOSPC; the test with an injected error fails if these calls come back), and it cannot flush a folder at all, so the C library is called. A
/// failed flush is never repeated: the kernel may have dropped the pages, and the next flush would succeed without them.
/// </remarks>
internal static partial class DiskFlush
{
    private const int InterruptedErrno = 4;
    private const int FullFlushCommand = 51; // F_FULLFSYNC of <fcntl.h> on macOS, whose fsync leaves the bytes in the drive's cache.

    internal static void FlushFile(SafeFileHandle file)
    {
        if (OperatingSystem.IsWindows())
        {
            RandomAccess.FlushToDisk(file);
            return;
        }

        int result;
        do
            result = OperatingSystem.IsMacOS() ? Fcntl(file, FullFlushCommand) : FlushData(file);
        while (result == -1 && Marshal.GetLastPInvokeError() == InterruptedErrno);
        if (result == -1)
            throw Failed("The flush of the log");
    }

    /// <summary>Makes the file names in a folder durable. On Windows the file system does this itself.</summary>
    internal static void FlushFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            return;
        int folder = Open(path, 0);
        if (folder < 0)
            throw Marshal.GetLastPInvokeError() == 13
                ? new UnauthorizedAccessException($"The folder '{path}' cannot be opened.")
                : Failed($"Opening the folder '{path}'");
        try
        {
            int result;
            do
                result = FlushAll(folder);
            while (result == -1 && Marshal.GetLastPInvokeError() == InterruptedErrno);
            if (result == -1)
                throw Failed($"The flush of the folder '{path}'");
        }
        finally
        {
            _ = Close(folder);
        }
    }

    /// <summary>Waits with microsecond precision, to emulate a slower disk; returns immediately for zero.</summary>
    internal static void Delay(TimeSpan delay)
    {
        if (delay <= TimeSpan.Zero)
            return;
        long until = Stopwatch.GetTimestamp() + (long)(delay.TotalSeconds * Stopwatch.Frequency);
        int coarse = (int)delay.TotalMilliseconds - 1;
        if (coarse > 0)
            Thread.Sleep(coarse);
        while (Stopwatch.GetTimestamp() < until)
            Thread.SpinWait(20);
    }

    private static IOException Failed(string what)
    {
        int errno = Marshal.GetLastPInvokeError();
        return new IOException($"{what} failed: {Marshal.GetPInvokeErrorMessage(errno)} (error {errno}).", errno);
    }

    [LibraryImport("libc", EntryPoint = "fdatasync", SetLastError = true)]
    private static partial int FlushData(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    private static partial int Fcntl(SafeFileHandle file, int command);

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Open(string path, int flags);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static partial int FlushAll(int file);

    [LibraryImport("libc", EntryPoint = "close", SetLastError = true)]
    private static partial int Close(int file);
}
