using System;
using System.Collections;
using System.Collections.Generic;
using System.Linq;
using Formatters.Buffers;
using Formatters.Orders;
using Xunit;

namespace Formatters.Tests.Reflection;

public partial class ReflectionFormatterTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_IntoAnOrder_ReusesItsObjects(bool compiled)
    {
        BinaryBodyFormatter<Order> formatter = Engines.Make<Order>(compiled, options: BinaryBodyOptions.Default with { UseOwnBodies = false });
        Order order = SampleOrders.Create(1);
        Order other = SampleOrders.Create(2, 60);
        Order target = formatter.Read(formatter.Write(order));
        Address address = target.ShippingAddress;
        ArrayList items = target.LineItems;
        object item = items[7]!;
        string name = ((LineItem)item).Name;

        Order same = target;
        formatter.Read(formatter.Write(order), ref target);
        Assert.Same(same, target);
        Assert.Same(name, ((LineItem)item).Name);
        formatter.Read(formatter.Write(other), ref target);
        Assert.Same(same, target);
        Assert.Same(address, target.ShippingAddress);
        Assert.Same(items, target.LineItems);
        Assert.Same(item, target.LineItems[7]);
        Assert.True(other.ContentEquals(target));
        formatter.Read(formatter.Write(SampleOrders.Create(3, 4)), ref target);
        Assert.Equal(4, items.Count);

        target.LineItems[0] = "not a line item";
        target.LineItems[1] = null;
        formatter.Read(formatter.Write(order), ref target);
        Assert.True(order.ContentEquals(target));
        Order? none = null;
        formatter.Read(formatter.Write(order), ref none!);
        Assert.True(order.ContentEquals(none));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_IntoCollections_ReusesThoseOfTheDeclaredType(bool compiled)
    {
        BinaryBodyFormatter<Reusable> formatter = Engines.Make<Reusable>(compiled);
        byte[] body = formatter.Write(new Reusable { Array = [1, 2], Map = new() { [1] = "x" }, Names = new() { ["k"] = 1 }, Base = new() { BaseField = 3 }, Places = [new Place()] });
        Reusable target = formatter.Read(body);
        (int[] array, Dictionary<int, string> map, Dictionary<string, int> names, Place[] places) = (target.Array, target.Map, target.Names, target.Places);
        formatter.Read(body, ref target);
        Assert.Same(array, target.Array);
        Assert.Same(map, target.Map);
        Assert.Same(names, target.Names);
        Assert.Same(places, target.Places);
        Assert.Equal(body, formatter.Write(target));

        var derived = new Derived();
        target = new Reusable { Array = [1], Names = new(StringComparer.OrdinalIgnoreCase), Base = derived, Interface = new[] { 1 } };
        names = target.Names;
        formatter.Read(body, ref target);
        Assert.NotSame(names, target.Names);
        Assert.IsType<Base>(target.Base);
        Assert.IsType<List<int>>(target.Interface);
        Assert.Equal(body, formatter.Write(target));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_New_LeavesSharedDefaultsAlone(bool compiled)
    {
        BinaryBodyFormatter<HasSharedDefault> formatter = Engines.Make<HasSharedDefault>(compiled);
        HasSharedDefault read = formatter.Read(formatter.Write(new HasSharedDefault { Place = new Place { Name = "other" } }));
        Assert.Equal("other", read.Place.Name);
        Assert.Equal("shared", HasSharedDefault.Shared.Name);
    }

#if !FORMATTERS_NETSTANDARD
    [Fact]
    public void WriteAndOverwrite_EqualOrder_AllocateNothing()
    {
        BinaryBodyOptions members = BinaryBodyOptions.Default with { UseOwnBodies = false };
        AssertNoAllocation(new BinaryBodyFormatter<Order>(members), SampleOrders.Create());
        AssertNoAllocation(new BinaryBodyFormatter<OrderWithList>(members), OrderWithList.From(SampleOrders.Create()));

        static void AssertNoAllocation<T>(BinaryBodyFormatter<T> formatter, T value)
        {
            using var buffer = new PooledBufferWriter(1 << 16);
            byte[] body = formatter.Write(value);
            T target = formatter.Read(body);
            long allocated = 0;
            for (int i = 0; i < 100; i++)
            {
                long before = GC.GetAllocatedBytesForCurrentThread();
                buffer.Clear();
                formatter.Write(buffer, value);
                formatter.Read(body, ref target);
                allocated = GC.GetAllocatedBytesForCurrentThread() - before;
            }

            Assert.Equal(0, allocated);
            Assert.Equal(body, buffer.WrittenSpan.ToArray());
        }
    }
#endif

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Read_DictionaryOfCollidingKeys_IsNotQuadratic(bool compiled)
    {
        // Under the default hash of a long all of these are 0: 200,000 of them would take a minute.
        const int Count = 200_000;
        var entries = new List<KeyValuePair<long, byte>>(Count);
        for (long i = 0; i < Count; i++)
            entries.Add(new((i << 32) | i, 1));
        byte[] body = new BinaryBodyFormatter<List<KeyValuePair<long, byte>>>().Write(entries);
        Dictionary<long, byte> read = Engines.Make<Dictionary<long, byte>>(compiled).Read(body);
        Assert.Equal(Count, read.Count);
        Assert.True(read.ContainsKey((77L << 32) | 77));
        Assert.True(Spread(read.Keys, read.Comparer) > Count * 9 / 10);
    }

    [Fact]
    public void Read_DictionaryKeys_CompareAndHashAsTheyEqual()
    {
        AssertKeys(true, false);
        AssertKeys((sbyte)-1, (sbyte)1);
        AssertKeys('a', 'b');
        AssertKeys(Colour.Red, Colour.Blue);
        AssertKeys(Wide.Far, (Wide)1);
        AssertKeys(short.MaxValue, short.MinValue);
        AssertKeys(1u, 2u);
        AssertKeys(1ul << 40, 1ul << 41);
        AssertKeys(1.5f, -1.5f, float.NaN);
        AssertKeys(0.0, double.NaN, double.Epsilon);
        AssertKeys(1.20m, 1.21m, decimal.MaxValue, decimal.MinValue, -0.0000001m);
        AssertKeys(new Guid("00112233-4455-6677-8899-aabbccddeeff"), Guid.Empty);
        AssertKeys(new DateTime(1), new DateTime(2, DateTimeKind.Utc));
        AssertKeys(new DateTimeOffset(0, TimeSpan.Zero), new DateTimeOffset(1, TimeSpan.Zero));
        AssertKeys(TimeSpan.Zero, TimeSpan.MinValue);
        AssertKeys("a", "b");
#if !FORMATTERS_NETSTANDARD
        AssertKeys((Half)1, (Half)2);
        AssertKeys(new DateOnly(1, 1, 1), new DateOnly(1, 1, 2));
        AssertKeys(new TimeOnly(1), new TimeOnly(2));
        AssertKeys(Int128.MinValue, Int128.One);
        AssertKeys(UInt128.MaxValue, UInt128.One);
#endif
        IEqualityComparer<decimal> decimals = ComparerOf(1m);
        foreach ((decimal x, decimal y) in new[] { (1.2m, 1.20m), (0m, 0.00m), (-0m, 0m), (100m, 1.00e2m), (79228162514264337593543950335m, decimal.MaxValue) })
            Assert.Equal(decimals.GetHashCode(x), decimals.GetHashCode(y));
        IEqualityComparer<double> doubles = ComparerOf(1.0);
        Assert.Equal(doubles.GetHashCode(0.0), doubles.GetHashCode(-0.0));
        Assert.Equal(doubles.GetHashCode(double.NaN), doubles.GetHashCode(BitConverter.Int64BitsToDouble(0x7FF8_0000_0000_0001)));
        IEqualityComparer<DateTime> dates = ComparerOf(new DateTime(1));
        Assert.Equal(dates.GetHashCode(new DateTime(5, DateTimeKind.Utc)), dates.GetHashCode(new DateTime(5)));
        IEqualityComparer<DateTimeOffset> offsets = ComparerOf(new DateTimeOffset(1, TimeSpan.Zero));
        var noon = new DateTimeOffset(2026, 1, 1, 12, 0, 0, TimeSpan.Zero);
        Assert.Equal(offsets.GetHashCode(noon), offsets.GetHashCode(noon.ToOffset(TimeSpan.FromHours(2))));
    }

    private static IEqualityComparer<TKey> ComparerOf<TKey>(TKey key)
        where TKey : notnull
    {
        var formatter = new BinaryBodyFormatter<Dictionary<TKey, int>>();
        return formatter.Read(formatter.Write(new Dictionary<TKey, int> { [key] = 1 })).Comparer;
    }

    private static void AssertKeys<TKey>(params TKey[] keys)
        where TKey : notnull
    {
        var value = keys.ToDictionary(key => key, key => 1);
        foreach (bool compiled in new[] { true, false })
        {
            BinaryBodyFormatter<Dictionary<TKey, int>> formatter = Engines.Make<Dictionary<TKey, int>>(compiled);
            byte[] body = formatter.Write(value);
            Dictionary<TKey, int> read = formatter.Read(body);
            Assert.Equal(keys, read.Keys);
            Assert.All(keys, key => Assert.True(read.ContainsKey(key)));
            formatter.Read(body, ref read);
            Assert.Equal(body, formatter.Write(read));
        }
    }

    private static int Spread(IEnumerable<long> keys, IEqualityComparer<long> comparer) => keys.Select(comparer.GetHashCode).Distinct().Count();

    private sealed class Reusable
    {
        public int[] Array { get; set; } = [];
        public Place[] Places { get; set; } = [];
        public Dictionary<int, string> Map { get; set; } = [];
        public Dictionary<string, int> Names { get; set; } = [];
        public Base Base { get; set; } = new();
        public IList<int> Interface { get; set; } = [];
    }

    private sealed class HasSharedDefault
    {
        public static readonly Place Shared = new() { Name = "shared" };

        public Place Place { get; set; } = Shared;
    }
}
