using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.TradeEngine.Store.Embedded;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class LocationIndexTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-index").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>Additions and removals in a random order, held against a dictionary of lists; hashes of one bit in 64 as well as good ones.</summary>
    [Theory]
    [InlineData(1, ulong.MaxValue)]
    [InlineData(2, ulong.MaxValue)]
    [InlineData(3, 0xFFUL)]
    [InlineData(4, 0x8000_0000_0000_0001UL)]
    public void Index_HasWhatADictionaryHas(int seed, ulong mask)
    {
        var random = new Random(seed);
        var expected = new Dictionary<ulong, List<LogLocation>>();
        var all = new List<(ulong Hash, LogLocation Location)>();
        var found = new List<LogLocation>();
        using var index = new LocationIndex(Path.Combine(_folder, "index"));
        for (int i = 0; i < 6_000; i++)
        {
            if (all.Count > 0 && random.Next(4) == 0)
            {
                int at = random.Next(all.Count);
                (ulong removed, LogLocation location) = all[at];
                all[at] = all[^1];
                all.RemoveAt(all.Count - 1);
                expected[removed].Remove(location);
                index.Remove(removed, location);
                continue;
            }

            ulong hash = (ulong)random.NextInt64(long.MinValue, long.MaxValue) & mask;
            var added = new LogLocation(random.Next(), random.NextInt64(uint.MaxValue));
            if (!expected.TryGetValue(hash, out List<LogLocation>? locations))
                expected.Add(hash, locations = []);
            locations.Add(added);
            all.Add((hash, added));
            index.Add(hash, added);
        }

        AssertSame();
        index.RemoveAll(location => location.Position % 3 == 0);
        foreach (List<LogLocation> locations in expected.Values)
            locations.RemoveAll(location => location.Position % 3 == 0);
        AssertSame();

        void AssertSame()
        {
            Assert.Equal(expected.Values.Sum(locations => locations.Count), index.Count);
            Assert.Equal(expected.Values.SelectMany(locations => locations).Order(Comparer), index.FindAll().Order(Comparer));
            foreach ((ulong hash, List<LogLocation> locations) in expected)
            {
                index.Find(hash, found);
                Assert.Equal(locations.Order(Comparer), found.Order(Comparer));
            }
        }
    }

    /// <summary>What is in memory does not grow with the index.</summary>
    [Fact]
    public void Index_OfGoodHashes_KeepsAlmostNothingInMemory()
    {
        var random = new Random(5);
        using var index = new LocationIndex(Path.Combine(_folder, "index"));
        int most = 0;
        for (int i = 0; i < 200_000; i++)
        {
            index.Add((ulong)random.NextInt64(long.MinValue, long.MaxValue), new LogLocation(i >> 10, i));
            most = Math.Max(most, index.OverflowCount);
        }

        Assert.Equal(200_000, index.Count);
        Assert.InRange(most, 0, 20);
    }

    [Fact]
    public void Index_RemovesItsFileAtTheEnd_AndReplacesOneThatIsThere()
    {
        string path = Path.Combine(_folder, "index");
        File.WriteAllBytes(path, new byte[100_000]);
        using (var index = new LocationIndex(path))
            Assert.Empty(index.FindAll());

        Assert.False(File.Exists(path));
    }

    private static Comparer<LogLocation> Comparer { get; } = Comparer<LogLocation>.Create((a, b) =>
        a.Segment != b.Segment ? a.Segment.CompareTo(b.Segment) : a.Position.CompareTo(b.Position));
}
