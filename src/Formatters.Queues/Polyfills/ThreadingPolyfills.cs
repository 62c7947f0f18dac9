// The newer types of threads and time, as far as the queues use them. Internal: not part of the public API.
#if !NET
using System.Diagnostics;

namespace System.Threading
{
    internal static class ThreadingPolyfills
    {
        extension(CancellationToken token)
        {
            public CancellationTokenRegistration UnsafeRegister(Action<object?> callback, object? state) =>
            token.Register(callback, state, useSynchronizationContext: false);
        }

        extension(ref SpinWait spin)
        {
            /// <summary>Spins; its only caller does not spin so long that a sleep would be due.</summary>
            public void SpinOnce(int sleep1Threshold) => spin.SpinOnce();
        }
    }

    internal interface ITimer : IDisposable
    {
        bool Change(TimeSpan dueTime, TimeSpan period);
    }
}

namespace System.Threading.Tasks
{
    internal enum ConfigureAwaitOptions
    {
        SuppressThrowing = 2,
    }

    internal static class TaskPolyfills
    {
        extension(Task task)
        {
            public bool IsCompletedSuccessfully => task.Status == TaskStatus.RanToCompletion;

            public Runtime.CompilerServices.ConfiguredTaskAwaitable ConfigureAwait(ConfigureAwaitOptions options) =>
                options == ConfigureAwaitOptions.SuppressThrowing
                    ? task.ContinueWith(
                        static ended => { _ = ended.Exception; },
                        CancellationToken.None,
                        TaskContinuationOptions.ExecuteSynchronously,
                        TaskScheduler.Default).ConfigureAwait(false)
                    : throw new NotSupportedException();
        }

        extension(ValueTask)
        {
            public static ValueTask FromCanceled(CancellationToken cancellationToken) => new(Task.FromCanceled(cancellationToken));

            public static ValueTask<T> FromCanceled<T>(CancellationToken cancellationToken) => new(Task.FromCanceled<T>(cancellationToken));

            public static ValueTask FromException(Exception exception) => new(Task.FromException(exception));

            public static ValueTask<T> FromException<T>(Exception exception) => new(Task.FromException<T>(exception));
        }
    }
}

namespace System
{
    internal abstract class TimeProvider
    {
        public static TimeProvider System { get; } = new SystemTime();

        public abstract long TimestampFrequency { get; }

        public abstract DateTimeOffset GetUtcNow();

        public abstract long GetTimestamp();

        public abstract Threading.ITimer CreateTimer(Threading.TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period);

        private sealed class SystemTime : TimeProvider
        {
            public override long TimestampFrequency => Stopwatch.Frequency;

            public override DateTimeOffset GetUtcNow() => DateTimeOffset.UtcNow;

            public override long GetTimestamp() => Stopwatch.GetTimestamp();

            public override Threading.ITimer CreateTimer(Threading.TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period) =>
                new SystemTimer(new Threading.Timer(callback, state, dueTime, period));
        }

        private sealed class SystemTimer(Threading.Timer timer) : Threading.ITimer
        {
            public bool Change(TimeSpan dueTime, TimeSpan period) => timer.Change(dueTime, period);

            public void Dispose() => timer.Dispose();
        }
    }
}

#endif
