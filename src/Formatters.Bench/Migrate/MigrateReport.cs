using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Bench.Reports;
using Formatters.Queues;

namespace Formatters.Bench.Migrate;

/// <summary>What a migration has done. Counted by several messages at once.</summary>
internal sealed class MigrateReport
{
    /// <summary>Stands for a reader where bodies are moved without being read.</summary>
    internal const string NotRead = "";

    private readonly Dictionary<string, Sum> _read = [];
    private readonly Dictionary<string, Sum> _unreadable = [];
    private readonly Sum _moved = new();

    /// <summary>How many messages the source had at the start.</summary>
    internal long SourceCount { get; set; }

    internal long MovedCount => Locked(() => _moved.Count);

    internal long UnreadableCount => Locked(() => _unreadable.Values.Sum(sum => sum.Count));

    internal long Count => MovedCount + UnreadableCount;

    internal void AddMoved(string reader, long readByteCount, long writtenByteCount) => Locked(() =>
    {
        Get(_read, reader).Add(readByteCount);
        _moved.Add(writtenByteCount);
        return 0;
    });

    internal void AddUnreadable(ReceivedMessage message, MessageFormatException error) => Locked(() =>
    {
        Sum sum = Get(_unreadable, error.Code.ToString());
        sum.First ??= $"The first is {NameOf(message)}: {error.Message}";
        sum.Add(message.Body.ByteCount);
        return 0;
    });

    internal void Print(TextWriter output, MigrateOptions options, bool hasErrorQueue, TimeSpan time)
    {
        var table = new TextTable(("", -20), ("messages", 12), ("bytes", 16));
        foreach ((string reader, Sum sum) in _read.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            table.Add(reader == NotRead ? "not read" : $"read as {reader}", Numbers.Count(sum.Count), Numbers.Count(sum.ByteCount));
        foreach ((string code, Sum sum) in _unreadable.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            table.Add($"cannot be read: {code}", Numbers.Count(sum.Count), Numbers.Count(sum.ByteCount));
        table.Add($"{(options.IsDryRun ? "would be written" : "written")} as {options.Reencoding.WriterName}", Numbers.Count(_moved.Count), Numbers.Count(_moved.ByteCount));
        table.Print(output);
        output.WriteLine();
        foreach ((string code, Sum sum) in _unreadable.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            TextWrap.Print(output, code + ": ", sum.First!);
        if (_unreadable.Count > 0)
            output.WriteLine();
        TextWrap.Print(output, "", options.IsDryRun
            ? $"A dry run: {Numbers.Count(Count)} of {Numbers.Count(SourceCount)} messages were read, and every one is where it was."
            : $"{Numbers.Count(MovedCount)} moved{(hasErrorQueue ? $", {Numbers.Count(UnreadableCount)} to the error queue" : "")}, "
                + $"{Numbers.Rate(Count / Math.Max(time.TotalSeconds, 0.001))} messages/s. Each left the source when the other queue had confirmed it.");
    }

    /// <summary>The id of a message for people: it comes from the sender, so that what could command a terminal is replaced.</summary>
    internal static string NameOf(ReceivedMessage message)
    {
        string id = message.MessageId ?? "without an id";
        return "message " + string.Concat(id.Take(100).Select(character => char.IsControl(character) ? '?' : character));
    }

    private static Sum Get(Dictionary<string, Sum> sums, string key)
    {
        if (!sums.TryGetValue(key, out Sum? sum))
            sums.Add(key, sum = new Sum());
        return sum;
    }

    private T Locked<T>(Func<T> read)
    {
        lock (_moved)
            return read();
    }

    private sealed class Sum
    {
        internal long Count { get; private set; }

        internal long ByteCount { get; private set; }

        internal string? First { get; set; }

        internal void Add(long byteCount)
        {
            Count++;
            ByteCount += byteCount;
        }
    }
}
