using System.Numerics;
using System.Runtime.InteropServices;

namespace Formatters.TradeEngine.Measurement;

/// <summary>Restricts this process to its first processors, until disposed.</summary>
internal sealed class ProcessorLimit : IDisposable
{
    private readonly nint _before;

    private ProcessorLimit(nint before) => _before = before;

    /// <param name="count">How many processors it may use.</param>
    /// <returns>Null where the system does not support it.</returns>
    internal static ProcessorLimit? Create(int count)
    {
        if (!OperatingSystem.IsLinux() && !OperatingSystem.IsWindows())
            return null;
        using var process = Process.GetCurrentProcess();
        nint before = process.ProcessorAffinity;
        nint mask = before;
        // The first of those that it may use, which need not be the first of the machine.
        while (BitOperations.PopCount((nuint)mask) > count)
            mask &= ~((nint)1 << BitOperations.Log2((nuint)mask));
        Set(mask);
        return new ProcessorLimit(before);
    }

    public void Dispose() => Set(_before);

    private static void Set(nint mask)
    {
        if (OperatingSystem.IsWindows())
        {
            using var process = Process.GetCurrentProcess();
            process.ProcessorAffinity = mask;
            return;
        }

        // Linux has an affinity for each thread, and Process.ProcessorAffinity sets that of one. A new thread has that of the thread that has created
        // it:
        // until no thread is new.
        int[] done = [];
        while (Directory.GetDirectories("/proc/self/task")
            .Select(path => int.Parse(Path.GetFileName(path), CultureInfo.InvariantCulture)).Except(done).ToArray() is
            { Length: > 0 } threads)
        {
            foreach (int thread in threads)
            {
                // It may have ended.
                _ = SetAffinity(thread, Marshal.SizeOf<nint>(), mask);
            }

            done = [.. done, .. threads];
        }
    }

    [DllImport("libc", EntryPoint = "sched_setaffinity")]
    [DefaultDllImportSearchPaths(DllImportSearchPath.SafeDirectories)]
    private static extern int SetAffinity(int thread, nint byteCount, in nint mask);
}
