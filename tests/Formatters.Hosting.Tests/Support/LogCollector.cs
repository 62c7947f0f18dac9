using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting.Tests;

/// <summary>Collects log lines, and waits for them.</summary>
internal sealed class LogCollector : ILoggerProvider, ILogger
{
    private readonly List<(LogLevel Level, int Id, string Text, Exception? Error)> _lines = [];
    private TaskCompletionSource _added = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal IReadOnlyList<string> Of(int eventId)
    {
        lock (_lines)
            return [.. _lines.Where(line => line.Id == eventId).Select(static line => line.Text)];
    }

    internal async Task WaitForAsync(int eventId, int count = 1)
    {
        while (true)
        {
            Task added;
            lock (_lines)
                added = _added.Task;
            if (Of(eventId).Count >= count)
                return;
            await added;
        }
    }

    public ILogger CreateLogger(string categoryName) => categoryName == "Formatters.Hosting" ? this : Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
    {
        TaskCompletionSource added;
        lock (_lines)
        {
            _lines.Add((logLevel, eventId.Id, formatter(state, exception), exception));
            added = _added;
            _added = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        added.SetResult();
    }

    public void Dispose()
    {
    }
}
