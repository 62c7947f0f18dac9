using System;

namespace Formatters.Hosting;

/// <summary>The state of something that works or fails, and the start of its outage. Thread-safe.</summary>
internal sealed class Outage
{
    private readonly object _lock = new();
    private volatile Exception? _error;
    private long _since;

    /// <summary>Gets the last error; null while it works.</summary>
    internal Exception? Error => _error;

    /// <summary>Notes that it failed.</summary>
    /// <returns>Whether it worked before.</returns>
    internal bool Begin(Exception error, TimeProvider time)
    {
        lock (_lock)
        {
            bool isChange = _error is null;
            if (isChange)
                _since = time.GetTimestamp();
            _error = error;
            return isChange;
        }
    }

    /// <summary>Notes that it works.</summary>
    /// <returns>How long it did not; null if it worked before.</returns>
    internal TimeSpan? End(TimeProvider time)
    {
        if (_error is null)
            return null;
        lock (_lock)
        {
            if (_error is null)
                return null;
            _error = null;
            return time.GetElapsedTime(_since);
        }
    }
}
