using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Queues;

namespace Formatters.Tools.Migrate;

/// <summary>The counts of a migration. Thread-safe.</summary>
internal sealed class MigrateReport
{
    /// <summary>The reader name of bodies that are moved without being read.</summary>
    internal const string NotRead = "";

    private readonly Dictionary<string, Sum> _read = [];
    private readonly Dictionary<string, Sum> _refused = [];
    private readonly Dictionary<ChangePlace, ChangeSum> _changes = [];
    private readonly Sum _moved = new();
    private long _setAsideCount;

    /// <summary>Gets or sets how many messages the source had at the start.</summary>
    internal long SourceCount { get; set; }

    internal long MovedCount => Locked(() => _moved.Count);

    /// <summary>Gets the number of refused messages, including those that cannot be read.</summary>
    internal long RefusedCount => Locked(() => _refused.Values.Sum(sum => sum.Count));

    /// <summary>Gets the number of messages that were read, and refused because of their new body.</summary>
    internal long NewBodyRefusedCount => Locked(() => _refused.Values.Where(sum => sum.IsOfNewBody).Sum(sum => sum.Count));

    /// <summary>Gets or sets whether the first that was refused is one of these: it would end a run without an error queue.</summary>
    internal bool IsFirstOfNewBody { get; private set; }

    /// <summary>Gets the number of refused messages that the error queue has confirmed.</summary>
    internal long SetAsideCount => Locked(() => _setAsideCount);

    internal long Count => MovedCount + RefusedCount;

    internal void AddMoved(ReceivedMessage message, string reader, long writtenByteCount, ChangeList changes) =>
        AddMoved(NameOf(message), message.Body.ByteCount, reader, writtenByteCount, changes);

    internal void AddMoved(string name, long byteCount, string reader, long writtenByteCount, ChangeList changes) => Locked(() =>
    {
        Get(_read, reader).Add(byteCount);
        _moved.Add(writtenByteCount);
        AddChanges(name, changes);
        return 0;
    });

    internal void AddRefused(ReceivedMessage message, RefusedException error, ChangeList changes) => AddRefused(NameOf(message), message.Body.ByteCount, error, changes);

    internal void AddRefused(string name, long byteCount, RefusedException error, ChangeList changes) => Locked(() =>
    {
        if (_refused.Count == 0)
            IsFirstOfNewBody = error.IsOfNewBody;
        Sum sum = Get(_refused, error.Reason);
        sum.IsOfNewBody = error.IsOfNewBody;
        sum.First ??= $"The first is {name}: {error.Message}";
        sum.Add(byteCount);
        AddChanges(name, changes);
        return 0;
    });

    internal void AddSetAside() => Locked(() => _setAsideCount++);

    internal void Print(TextWriter output, MigrateOptions options, bool hasErrorQueue, TimeSpan time)
    {
        PrintTables(output, options.Reencoding.WriterName, options.Reencoding.Allowed, options.IsDryRun, "messages");
        TextWrap.Print(output, "", options.IsDryRun
            ? $"A dry run: {Numbers.Count(Count)} of {Numbers.Count(SourceCount, "message")} {(SourceCount == 1 ? "was" : "were")} read, and every one is where it was."
            : $"{Numbers.Count(MovedCount)} moved{(hasErrorQueue ? $", {Numbers.Count(SetAsideCount)} to the error queue" : "")}, "
                + $"{Numbers.Rate((MovedCount + SetAsideCount) / Math.Max(time.TotalSeconds, 0.001))} messages/s. Each left the source when the other queue had confirmed it.");
    }

    /// <summary>Prints what was read, refused, written and changed.</summary>
    /// <param name="output">Receives the tables.</param>
    /// <param name="writerName">The name of the format that is written.</param>
    /// <param name="allowed">The changes that are allowed.</param>
    /// <param name="isDryRun">Whether nothing was written.</param>
    /// <param name="unit">What was counted: messages, files, rows.</param>
    internal void PrintTables(TextWriter output, string writerName, AllowedChanges allowed, bool isDryRun, string unit)
    {
        var table = new TextTable(("", -20), (unit, 12), ("bytes", 16));
        foreach ((string reader, Sum sum) in _read.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            table.Add(reader == NotRead ? "not read" : $"read as {reader}", Numbers.Count(sum.Count), Numbers.Count(sum.ByteCount));
        foreach ((string reason, Sum sum) in _refused.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            table.Add(reason, Numbers.Count(sum.Count), Numbers.Count(sum.ByteCount));
        table.Add($"{(isDryRun ? "would be written" : "written")} as {writerName}", Numbers.Count(_moved.Count), Numbers.Count(_moved.ByteCount));
        table.Print(output);
        output.WriteLine();
        foreach ((string reason, Sum sum) in _refused.OrderBy(pair => pair.Key, StringComparer.Ordinal))
            TextWrap.Print(output, reason[(reason.IndexOf(": ", StringComparison.Ordinal) + 2)..] + ": ", sum.First!);
        if (_refused.Count > 0)
            output.WriteLine();
        PrintChanges(output, allowed, unit);
    }

    private void PrintChanges(TextWriter output, AllowedChanges allowed, string unit)
    {
        if (_changes.Count == 0)
            return;
        var table = new TextTable(("changed in the new body", -20), ("", -7), (unit, 12), ("values", 16));
        KeyValuePair<ChangePlace, ChangeSum>[] changes = [.. _changes.OrderBy(static pair => pair.Key.ToString(), StringComparer.Ordinal)];
        foreach ((ChangePlace place, ChangeSum sum) in changes)
            table.Add(place.ToString(), allowed.Allows(place) ? "allowed" : "refused", Numbers.Count(sum.MessageCount), Numbers.Count(sum.ValueCount));
        table.Print(output);
        output.WriteLine();
        foreach ((ChangePlace place, ChangeSum sum) in changes)
            TextWrap.Print(output, place + ": ", $"{sum.Detail}; first in {sum.FirstMessage}, {sum.FirstPath}.");
        output.WriteLine();
    }

    private void AddChanges(string name, ChangeList changes)
    {
        foreach (Change change in changes.Items)
        {
            if (!_changes.TryGetValue(change.Place, out ChangeSum? sum))
                _changes.Add(change.Place, sum = new ChangeSum(change.Detail, name, change.Path));
            sum.MessageCount++;
            sum.ValueCount += change.Count;
        }
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

        internal bool IsOfNewBody { get; set; }

        internal void Add(long byteCount)
        {
            Count++;
            ByteCount += byteCount;
        }
    }

    /// <summary>A difference of the same kind in all messages, counted, with the first as the example.</summary>
    private sealed class ChangeSum(string detail, string firstMessage, string firstPath)
    {
        internal string Detail => detail;

        internal string FirstMessage => firstMessage;

        internal string FirstPath => firstPath;

        internal long MessageCount { get; set; }

        internal long ValueCount { get; set; }
    }
}
