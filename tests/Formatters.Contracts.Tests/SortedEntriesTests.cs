using System;
using System.Collections.Generic;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Maps and sets of the formats that sort them: the entries of bodies with one entry each, in the order of their bytes.</summary>
public class SortedEntriesTests
{
    private static readonly int[] Counts = [.. Enumerable.Range(0, 71), 255, 256, 257, 3000];

    public static TheoryData<string> Formatters => ["cbor", "cbor, reflection", "canonical", "canonical, reflection"];

    [Theory]
    [MemberData(nameof(Formatters))]
    public void Entries_are_in_the_order_of_their_bytes(string formatter)
    {
        foreach (int count in Counts)
        {
            var random = new Random(count);
            foreach (string prefix in new[] { "", "c", "customer", "a prefix that is longer than eight bytes/" })
            {
                Check<string, int>(formatter, Enumerable.Range(0, count).Select(i => prefix + random.Next(1, 1000) + "." + i), static key => key.Length);
                Check<string, string>(formatter, Enumerable.Range(0, count).Select(i => prefix + i).Reverse(), static key => key + key + key);
            }

            Check(formatter, Enumerable.Range(0, count), static key => key * 1000);
            Check(formatter, Enumerable.Range(-count / 2, count).OrderBy(_ => random.Next()), static key => key.ToString());
            Check(formatter, Enumerable.Range(0, count).OrderBy(_ => random.Next()), static key => new Dictionary<int, int> { [key] = 1, [-key - 1] = 2 });
        }
    }

    [Theory]
    [MemberData(nameof(Formatters))]
    public void Elements_of_a_set_are_in_the_order_of_their_bytes(string formatter)
    {
        MessageFormatter<SortedSets> sets = Create<SortedSets>(formatter);
        foreach (int count in Counts)
        {
            var random = new Random(count);
            int[] items = [.. Enumerable.Range(-count / 2, count).OrderBy(_ => random.Next())];
            byte[] body = sets.Write(new SortedSets { Items = [.. items], Map = items.ToDictionary(static i => i, static i => new HashSet<int> { i, -1 }) });
            Assert.Equal(body, sets.Write(new SortedSets { Items = [.. items.Reverse()], Map = items.Reverse().ToDictionary(static i => i, static i => new HashSet<int> { -1, i }) }));
            Assert.Equal(items.OrderBy(static i => i), sets.Read(body).Items.OrderBy(static i => i));
        }
    }

    private static void Check<TKey, TValue>(string formatter, IEnumerable<TKey> keys, Func<TKey, TValue> valueOf)
        where TKey : notnull
    {
        var map = new Dictionary<TKey, TValue>();
        foreach (TKey key in keys)
            map.Add(key, valueOf(key));
        MessageFormatter<Dictionary<TKey, TValue>> maps = Create<Dictionary<TKey, TValue>>(formatter);
        byte[][] entries = [.. map.Select(entry => maps.Write(new() { [entry.Key] = entry.Value })[1..])];
        Array.Sort(entries, static (x, y) => x.AsSpan().SequenceCompareTo(y));
        byte[] body = maps.Write(map);

        byte[] expected = [.. entries.SelectMany(static entry => entry)];
        Assert.Equal(expected, body[(body.Length - expected.Length)..]);
        Assert.Equal(map, maps.Read(body));
    }

    private static MessageFormatter<T> Create<T>(string formatter) => formatter switch
    {
        "cbor" => new CborFormatter<T>(),
        "cbor, reflection" => new CborFormatter<T>(ByReflection.Cbor),
        "canonical" => new MessagePackFormatter<T>(new MessagePackOptions { IsCanonical = true }),
        _ => new MessagePackFormatter<T>(new MessagePackOptions { IsCanonical = true, UseGeneratedContract = false }),
    };
}

/// <summary>A set, and sets within a map.</summary>
[MessageContract(Formats = ContractFormats.Cbor | ContractFormats.MessagePack)]
public sealed partial class SortedSets
{
    [MessageMember(1)] public HashSet<int> Items { get; set; } = [];
    [MessageMember(2)] public Dictionary<int, HashSet<int>> Map { get; set; } = [];
}
