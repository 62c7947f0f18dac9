using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Formatters.Queues.Tests;

/// <summary>A clock that stands still until a test moves it; timers run within <see cref="Advance"/>.</summary>
internal sealed class ManualTime : TimeProvider
{
    private readonly List<ManualTimer> _timers = [];
    private TimeSpan _elapsed = TimeSpan.FromDays(1);

    /// <summary>How far somebody has set the clock on the wall, which durations do not see.</summary>
    internal TimeSpan WallOffset { get; set; }

    /// <summary>What happens, once, when the next timer is made: while its maker waits, as one does who is preempted.</summary>
    internal Action? OnNextTimer { get; set; }

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public override DateTimeOffset GetUtcNow() => DateTimeOffset.UnixEpoch + _elapsed + WallOffset;

    public override long GetTimestamp() => _elapsed.Ticks;

    public override ITimer CreateTimer(TimerCallback callback, object? state, TimeSpan dueTime, TimeSpan period)
    {
        Action? onTimer = OnNextTimer;
        OnNextTimer = null;
        onTimer?.Invoke();
        var timer = new ManualTimer(this, () => callback(state));
        timer.Change(dueTime, period);
        lock (_timers)
            _timers.Add(timer);
        return timer;
    }

    internal void Advance(TimeSpan time)
    {
        _elapsed += time;
        ManualTimer[] due;
        lock (_timers)
            due = [.. _timers.Where(timer => timer.Due <= _elapsed)];
        foreach (ManualTimer timer in due)
            timer.Run();
    }

    private sealed class ManualTimer(ManualTime time, Action callback) : ITimer
    {
        internal TimeSpan Due { get; private set; } = TimeSpan.MaxValue;

        public bool Change(TimeSpan dueTime, TimeSpan period)
        {
            Due = dueTime == Timeout.InfiniteTimeSpan ? TimeSpan.MaxValue : time._elapsed + dueTime;
            return true;
        }

        internal void Run()
        {
            Due = TimeSpan.MaxValue;
            callback();
        }

        public void Dispose() => Due = TimeSpan.MaxValue;

        public System.Threading.Tasks.ValueTask DisposeAsync()
        {
            Dispose();
            return default;
        }
    }
}
