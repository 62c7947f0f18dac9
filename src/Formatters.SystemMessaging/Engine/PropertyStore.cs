using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;

namespace System.Messaging;

/// <summary>Keeps the properties of the queues of a location.</summary>
internal abstract class PropertyStore
{
    /// <summary>Returns the properties of a queue; null if it was not created here.</summary>
    internal abstract QueueProperties? Find(string name);

    /// <summary>Returns the properties of a queue as they are, or were a moment ago.</summary>
    internal virtual QueueProperties? FindRecent(string name) => Find(name);

    internal abstract void Save(string name, QueueProperties properties);

    internal abstract bool Remove(string name);

    internal abstract IReadOnlyList<(string Name, QueueProperties Properties)> List();
}

/// <summary>Keeps the properties of queues in memory.</summary>
internal sealed class MemoryPropertyStore : PropertyStore
{
    private readonly ConcurrentDictionary<string, QueueProperties> _properties = new(StringComparer.Ordinal);

    internal override QueueProperties? Find(string name) => _properties.GetValueOrDefault(name);

    internal override void Save(string name, QueueProperties properties) => _properties[name] = properties;

    internal override bool Remove(string name) => _properties.TryRemove(name, out _);

    internal override IReadOnlyList<(string Name, QueueProperties Properties)> List() =>
        [.. _properties.OrderBy(static pair => pair.Key, StringComparer.Ordinal).Select(static pair => (pair.Key, pair.Value))];
}

/// <summary>Keeps the properties of queues in a folder, in a JSON file for each.</summary>
internal sealed class FilePropertyStore : PropertyStore
{
    private const string Extension = ".json";

    // Every send and receive asks, and looking at the file takes a tenth of the time of a receive from a broker.
    private const int RecentMilliseconds = 10;

    private readonly string _folder;
    private readonly ConcurrentDictionary<string, Seen> _cache = new(StringComparer.Ordinal);

    private int _changeCount;

    internal FilePropertyStore(string folder) => _folder = folder;

    internal override QueueProperties? Find(string name)
    {
        long now = Environment.TickCount64;
        int change = Volatile.Read(ref _changeCount);
        _cache.TryGetValue(name, out Seen? cached);
        var file = new FileInfo(PathOf(name));
        if (!file.Exists)
        {
            _cache.TryRemove(name, out _);
            return null;
        }

        if (cached is not null && cached.Time == file.LastWriteTimeUtc && cached.Length == file.Length)
        {
            _cache.TryUpdate(name, cached with { At = now }, cached);
            return cached.Properties;
        }

        try
        {
            QueueProperties properties = JsonSerializer.Deserialize<QueueProperties>(File.ReadAllBytes(file.FullName))
                ?? throw new JsonException("The file contains null.");
            // Not what was read before a change of this process.
            if (change == Volatile.Read(ref _changeCount))
                _cache[name] = new Seen(now, file.LastWriteTimeUtc, file.Length, properties);
            return properties;
        }
        catch (FileNotFoundException)
        {
            return null;
        }
        catch (JsonException e)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.IllegalQueueProperties, $"The properties of the queue in '{file.FullName}' cannot be read: {e.Message}", e);
        }
    }

    internal override QueueProperties? FindRecent(string name) =>
        _cache.TryGetValue(name, out Seen? cached) && Environment.TickCount64 - cached.At < RecentMilliseconds ? cached.Properties : Find(name);

    internal override void Save(string name, QueueProperties properties)
    {
        Directory.CreateDirectory(_folder);
        // Readers see the old file or the new one.
        string path = PathOf(name), temporary = $"{path}.{Guid.NewGuid():N}.new";
        File.WriteAllBytes(temporary, JsonSerializer.SerializeToUtf8Bytes(properties, Format.Options));
        File.Move(temporary, path, overwrite: true);
        Interlocked.Increment(ref _changeCount);
        _cache.TryRemove(name, out _);
    }

    internal override bool Remove(string name)
    {
        string path = PathOf(name);
        bool existed = File.Exists(path);
        if (existed)
            File.Delete(path);
        Interlocked.Increment(ref _changeCount);
        _cache.TryRemove(name, out _);
        return existed;
    }

    internal override IReadOnlyList<(string Name, QueueProperties Properties)> List()
    {
        if (!Directory.Exists(_folder))
            return [];
        var all = new List<(string, QueueProperties)>();
        foreach (string path in Directory.EnumerateFiles(_folder, "*" + Extension).Order(StringComparer.Ordinal))
        {
            string name = Uri.UnescapeDataString(Path.GetFileNameWithoutExtension(path));
            if (Find(name) is { } properties)
                all.Add((name, properties));
        }

        return all;
    }

    private string PathOf(string name) => Path.Combine(_folder, Uri.EscapeDataString(name) + Extension);

    /// <summary>What was in a file, and when it was looked at.</summary>
    private sealed record Seen(long At, DateTime Time, long Length, QueueProperties Properties);

    private static class Format
    {
        internal static JsonSerializerOptions Options { get; } = new() { WriteIndented = true };
    }
}
