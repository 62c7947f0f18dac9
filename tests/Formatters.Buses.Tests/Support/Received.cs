using System;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Formatters.Buses.Tests;

/// <summary>Collects what handlers receive.</summary>
internal sealed class Received<T>
{
    private readonly Channel<T> _items = Channel.CreateUnbounded<T>();

    internal void Add(T item) => _items.Writer.TryWrite(item);

    /// <summary>Waits for the next item. The time limit only ends a test that hangs.</summary>
    internal async Task<T> NextAsync() => await _items.Reader.ReadAsync().AsTask().WaitAsync(TimeSpan.FromMinutes(2));

    internal bool IsEmpty => !_items.Reader.TryPeek(out _);
}
