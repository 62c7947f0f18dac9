#pragma warning disable CS8714, CA2231 // Keys that are Nullable<T>: the compiler warns, BinaryFormatter wrote them.
using System;
using System.Collections.Generic;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Collections whose keys are <c>Nullable&lt;T&gt;</c>: their comparer has a class of its own.</summary>
public partial class NullableKeyTests
{
    public static TheoryData<string> Names => new(Values.Keys);

    private static Dictionary<string, object> Values { get; } = new()
    {
        ["int"] = new Dictionary<int?, string> { [1] = "a", [-7] = "b" },
        ["no items"] = new Dictionary<int?, string>(),
        ["Guid"] = new Dictionary<Guid?, int> { [new Guid(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)] = 1 },
        ["DateTime"] = new Dictionary<DateTime?, int> { [new DateTime(2004, 11, 20)] = 1 },
        ["own struct"] = new Dictionary<Key?, int> { [new Key { Number = 1 }] = 1 },
        ["set"] = new HashSet<int?> { 1, null, 2 },
        ["sorted set"] = new SortedSet<int?> { 2, null, 1 },
        ["nullable values"] = new Dictionary<int, int?> { [1] = null, [2] = 2 },
    };

    [Theory]
    [MemberData(nameof(Names))]
    public void Keys_AreExchangedWithThePeer(string name)
    {
        object value = Values[name];
        foreach (LegacyBinaryFormatter<object> formatter in new LegacyBinaryFormatter<object>[]
        {
            new(options: LegacyBinaryOptions.Default.WithType(value.GetType())), new(NullableKeyContracts.LegacyBinaryContract),
        })
        {
            byte[] ours = formatter.Write(value);
            byte[] theirs = Peer.Write(value);

            Bodies.AssertEqual(theirs, ours, name);
            Assert.Equal(value, formatter.Read(ours));
            Assert.Equal(value, Peer.Read(ours));
            Bodies.AssertEqual(theirs, formatter.Write(formatter.Read(theirs)), name + ", read");
        }
    }

    [Serializable]
    public struct Key : IEquatable<Key>
    {
        public int Number;

        public readonly bool Equals(Key other) => Number == other.Number;

        public override readonly bool Equals(object? obj) => obj is Key other && Equals(other);

        public override readonly int GetHashCode() => Number;
    }
}

/// <summary>The same by generated code.</summary>
[LegacyBinaryContract(
    typeof(Dictionary<int?, string>), typeof(Dictionary<Guid?, int>), typeof(Dictionary<DateTime?, int>), typeof(Dictionary<NullableKeyTests.Key?, int>),
    typeof(HashSet<int?>), typeof(SortedSet<int?>), typeof(Dictionary<int, int?>))]
internal static partial class NullableKeyContracts;
