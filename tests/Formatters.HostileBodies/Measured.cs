using System;
using System.Diagnostics;
using System.Threading;
using Formatters.Queues;

namespace Formatters.HostileBodies;

/// <summary>A promise that was not kept.</summary>
public sealed class BrokenPromiseException : Exception
{
    public BrokenPromiseException()
    {
    }

    public BrokenPromiseException(string message)
        : base(message)
    {
    }

    public BrokenPromiseException(string message, Exception? innerException)
        : base(message, innerException)
    {
    }
}

/// <summary>Runs what reads a hostile body, and checks what docs/threat-model.md promises of it.</summary>
internal static class Measured
{
    /// <summary>The stack on which everything runs.</summary>
    internal const int StackByteCount = 256 * 1024;

    /// <summary>Bytes that may be allocated for any body.</summary>
    internal const int Allowance = 64 * 1024;

    /// <summary>The same of legacy binary bodies: their arrays have 2 MiB for runs of nulls beside.</summary>
    internal const int LegacyAllowance = Allowance + (2 * 1024 * 1024);

    /// <summary>Bytes that may be allocated for a byte of the body, beside that.</summary>
    internal const int Factor = 64;

    /// <summary>The same where the limit on depth is off: a level takes some hundred bytes in XmlReader, and each level that an error passes takes some for its stack trace.</summary>
    internal const int DeepFactor = 512;

    private const int AttemptCount = 6;

    /// <summary>Whether to print what each run took.</summary>
    internal static bool IsVerbose { get; set; }

    /// <summary>Runs on a thread of its own, and throws what was thrown there.</summary>
    internal static void OnStack(int byteCount, Action action)
    {
        Exception? error = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    error = e;
                }
            },
            byteCount);
        thread.Start();
        thread.Join();
        if (error is not null)
            throw new BrokenPromiseException(error.Message, error);
    }

    /// <summary>Makes a value on a stack that is large enough for anything.</summary>
    internal static T OnLargeStack<T>(Func<T> make)
    {
        T value = default!;
        OnStack(512 * 1024 * 1024, () => value = make());
        return value;
    }

    /// <summary>Runs until it is within the limits of time and memory; at most a few times, since the first run compiles and others share the processor.</summary>
    /// <param name="byteCount">The size of the body, or the number of characters of what else is hostile.</param>
    /// <param name="action">Reads it.</param>
    /// <param name="factor">How many bytes may be allocated for a byte.</param>
    /// <param name="allowance">How many bytes may be allocated in any case.</param>
    /// <returns>The typed error; null if there was none.</returns>
    internal static Exception? Within(long byteCount, Action action, int factor = Factor, int allowance = Allowance)
    {
        long maxAllocated = allowance + (factor * byteCount);
        double maxMilliseconds = 20 + (byteCount * 0.01);
        double milliseconds = double.MaxValue;
        long allocated = long.MaxValue;
        Exception? error = null;
        for (int i = 0; i < AttemptCount && (allocated > maxAllocated || milliseconds > maxMilliseconds); i++)
        {
            long allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
            // Nothing else runs in this process, but other processes do on this machine: the time of the processor counts, where it is less.
            TimeSpan usedBefore = Environment.CpuUsage.TotalTime;
            long before = Stopwatch.GetTimestamp();
            error = Run(action);
            double elapsed = Stopwatch.GetElapsedTime(before).TotalMilliseconds;
            if (elapsed > maxMilliseconds)
                elapsed = Math.Min(elapsed, (Environment.CpuUsage.TotalTime - usedBefore).TotalMilliseconds);
            milliseconds = Math.Min(milliseconds, elapsed);
            allocated = Math.Min(allocated, GC.GetAllocatedBytesForCurrentThread() - allocatedBefore);
            Check(error);
            if (milliseconds > 20 * maxMilliseconds)
                break;
        }

        if (IsVerbose)
            Console.WriteLine($"  {byteCount} bytes: {milliseconds:0.0} ms, {allocated} bytes allocated, {(error as MessageFormatException)?.Code.ToString() ?? error?.GetType().Name}");
        if (allocated > maxAllocated)
            throw new BrokenPromiseException($"{allocated} bytes were allocated for {byteCount}: more than {allowance / 1024} KiB + {factor} x its size.", error);
        if (milliseconds > maxMilliseconds)
            throw new BrokenPromiseException($"{milliseconds:0} ms for {byteCount} bytes: more than 20 ms + 10 us a byte.", error);
        return error;
    }

    /// <summary>As <see cref="Within"/>, and not more than ten times slower than what is usual.</summary>
    internal static void NotSlower(long byteCount, Action usual, Action hostile)
    {
        double usualTime = double.MaxValue, hostileTime = double.MaxValue;
        for (int i = 0; i < AttemptCount && hostileTime > 20 + (10 * usualTime); i++)
        {
            usualTime = Math.Min(usualTime, Time(usual));
            hostileTime = Math.Min(hostileTime, Time(hostile));
        }

        if (hostileTime > 20 + (10 * usualTime))
            throw new BrokenPromiseException($"{hostileTime:0} ms for {byteCount} bytes, where {usualTime:0} ms are usual.");
        Within(byteCount, hostile);

        static double Time(Action action)
        {
            long before = Stopwatch.GetTimestamp();
            Typed(action);
            return Stopwatch.GetElapsedTime(before).TotalMilliseconds;
        }
    }

    /// <summary>Runs, and checks that only a typed error comes out, and that nothing of the body stands in it.</summary>
    /// <returns>The error; null if there was none.</returns>
    internal static Exception? Typed(Action action)
    {
        Exception? error = Run(action);
        Check(error);
        return error;
    }

    private static Exception? Run(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception e)
        {
            return e;
        }
    }

    /// <summary>As <see cref="Typed"/>, of what must be refused.</summary>
    internal static void Refused(Action action)
    {
        if (Typed(action) is null)
            throw new BrokenPromiseException("It was not refused.");
    }

    private static void Check(Exception? e)
    {
        if (e is null)
            return;
        if (e is not (MessageFormatException { Code: not MessageFormatErrorCode.None } or InvalidSelectorException))
            throw new BrokenPromiseException($"{e.GetType()}: {e.Message}", e);
        string text = e.ToString();
        // Also the rest of the word where its beginning was damaged.
        if (text.Contains(Secret.Word[..4], StringComparison.OrdinalIgnoreCase) || text.Contains(Secret.Word[2..], StringComparison.OrdinalIgnoreCase))
            throw new BrokenPromiseException("The error has content of the body: " + text);
        for (Exception? inner = e; inner is not null; inner = inner.InnerException)
        {
            if (inner.Data.Count > 0)
                throw new BrokenPromiseException("The error has data: " + text);
        }
    }
}
