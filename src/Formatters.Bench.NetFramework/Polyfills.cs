// What the tool's sources use and .NET Framework lacks, beside what the queues have of it.
global using static System.BenchPolyfills;
global using static System.TextPolyfills;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace System;

/// <summary>The memory of the machine.</summary>
internal readonly record struct MemoryInfo(long TotalAvailableMemoryBytes);

internal static class BenchPolyfills
{
    extension(Math)
    {
        public static int Clamp(int value, int min, int max) => Math.Min(Math.Max(value, min), max);

        public static double Clamp(double value, double min, double max) => Math.Min(Math.Max(value, min), max);
    }

    extension(TimeSpan)
    {
        public static TimeSpan operator *(TimeSpan time, double factor) => new((long)(time.Ticks * factor));

        public static TimeSpan operator /(TimeSpan time, double divisor) => new((long)(time.Ticks / divisor));

        public static double operator /(TimeSpan time, TimeSpan divisor) => time.Ticks / (double)divisor.Ticks;
    }

    extension(string)
    {
        /// <summary>A text that is made already; the program's culture is the invariant one.</summary>
        public static string Create(IFormatProvider provider, string text) => text;
    }

    extension(string text)
    {
        public string[] Split(char separator, StringSplitOptions options) => text.Split([separator], options);

        public string[] Split(char separator, int count) => text.Split([separator], count);
    }

    extension(ReadOnlySpan<char> span)
    {
        public bool ContainsAny(string characters) => span.IndexOfAny(characters.AsSpan()) >= 0;
    }

    extension(TimeProvider time)
    {
        public DateTimeOffset GetLocalNow() => time.GetUtcNow().ToLocalTime();

        public TimeSpan GetElapsedTime(long start) =>
            new((long)((time.GetTimestamp() - start) * (TimeSpan.TicksPerSecond / (double)time.TimestampFrequency)));
    }

    extension(CancellationTokenSource source)
    {
        public Task CancelAsync() => Task.Run(source.Cancel);
    }

    extension(Task task)
    {
        public async Task WaitAsync(TimeSpan timeout)
        {
            if (await Task.WhenAny(task, Task.Delay(timeout)) != task)
                throw new TimeoutException();
            await task;
        }
    }

    extension(RuntimeInformation)
    {
        public static string RuntimeIdentifier => RuntimeInformation.ProcessArchitecture.ToString();
    }

    extension(GC)
    {
        public static MemoryInfo GetGCMemoryInfo() => new(
            File.Exists("/proc/meminfo")
                ? long.Parse(File.ReadLines("/proc/meminfo").First().Split([' '], StringSplitOptions.RemoveEmptyEntries)[1], null) * 1024
            : NativeMethods.GetPhysicallyInstalledSystemMemory(out long kibibytes) ? kibibytes * 1024
            : 0);
    }

    private static class NativeMethods
    {
        [DllImport("kernel32.dll")]
        [return: MarshalAs(UnmanagedType.Bool)]
        internal static extern bool GetPhysicallyInstalledSystemMemory(out long kibibytes);
    }
}
