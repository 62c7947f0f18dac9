// What the shared sources use and .NET Framework lacks, beside what the queues themselves need.
using System.Threading;
using System.Threading.Tasks;

namespace System;

internal delegate void SpanAction<T, in TState>(Span<T> span, TState state);

internal static class TestPolyfills
{
    extension(TimeSpan)
    {
        public static TimeSpan FromMicroseconds(double value) => new((long)(value * 10));

        public static TimeSpan operator *(int factor, TimeSpan time) => new(factor * time.Ticks);
    }

    extension(string)
    {
        public static string Create<TState>(int length, TState state, SpanAction<char, TState> write)
        {
            var text = new char[length];
            write(text, state);
            return new string(text);
        }
    }

    extension(Task task)
    {
        /// <summary>A failure after the time is seen by nobody: in a test, which has failed by then.</summary>
        public async Task WaitAsync(TimeSpan timeout)
        {
            if (await Task.WhenAny(task, Task.Delay(timeout)) != task)
                throw new TimeoutException();
            await task;
        }
    }

    extension(CancellationTokenSource source)
    {
        public Task CancelAsync() => Task.Run(source.Cancel);
    }
}
