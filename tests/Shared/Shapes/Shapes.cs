using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Runtime.Serialization;
using M = System.Runtime.Serialization.DataMemberAttribute;

#pragma warning disable CA1002, CA1008, CA1028, CA1034, CA1043, CA1051, CA1069, CA1711, CA1716, CA1720, CA1724, CA1815, CA1819, CA2227, CA2235, CS0169, CS0414, CS0649

namespace Formatters.TestShapes;

/// <summary>The shapes whose random values are exchanged with the peers: every type below that has a contract.</summary>
/// <remarks>Their attributes are those of the base library, which the peers and our contracts obey: one declaration for all.</remarks>
public static class Shape
{
    public const ContractFormats Formats = ContractFormats.MessagePack | ContractFormats.Protobuf | ContractFormats.Cbor;

    public static IReadOnlyList<Type> All { get; } =
    [
        .. typeof(Shape).Assembly.GetTypes().Where(static type => type.Namespace == typeof(Shape).Namespace && !type.IsGenericType
            && type.IsDefined(typeof(DataContractAttribute), inherit: false)).OrderBy(static type => type.Name, StringComparer.Ordinal),
    ];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Empty;

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Booleans
{
    [M(Order = 1)] public bool A { get; set; }
    [M(Order = 2)] public bool? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class SignedIntegers
{
    [M(Order = 1)] public sbyte A { get; set; }
    [M(Order = 2)] public short B { get; set; }
    [M(Order = 3)] public int C { get; set; }
    [M(Order = 4)] public long D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class UnsignedIntegers
{
    [M(Order = 1)] public byte A { get; set; }
    [M(Order = 2)] public ushort B { get; set; }
    [M(Order = 3)] public uint C { get; set; }
    [M(Order = 4)] public ulong D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NullableIntegers
{
    [M(Order = 1)] public sbyte? A { get; set; }
    [M(Order = 2)] public short? B { get; set; }
    [M(Order = 3)] public int? C { get; set; }
    [M(Order = 4)] public long? D { get; set; }
    [M(Order = 5)] public byte? E { get; set; }
    [M(Order = 6)] public ushort? F { get; set; }
    [M(Order = 7)] public uint? G { get; set; }
    [M(Order = 8)] public ulong? H { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Floats
{
    [M(Order = 1)] public float A { get; set; }
    [M(Order = 2)] public double B { get; set; }
    [M(Order = 3)] public float? C { get; set; }
    [M(Order = 4)] public double? D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Halves
{
    [M(Order = 1)] public Half A { get; set; }
    [M(Order = 2)] public Half? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Characters
{
    [M(Order = 1)] public char A { get; set; }
    [M(Order = 2)] public char? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Decimals
{
    [M(Order = 1)] public decimal A { get; set; }
    [M(Order = 2)] public decimal? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class BigIntegers
{
    [M(Order = 1)] public BigInteger A { get; set; }
    [M(Order = 2)] public BigInteger? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class WideIntegers
{
    [M(Order = 1)] public Int128 A { get; set; }
    [M(Order = 2)] public UInt128 B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Strings
{
    [M(Order = 1)] public string A { get; set; } = "";
    [M(Order = 2)] public string? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ByteArrays
{
    [M(Order = 1)] public byte[] A { get; set; } = [];
    [M(Order = 2)] public byte[]? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Memories
{
    [M(Order = 1)] public Memory<byte> A { get; set; }
    [M(Order = 2)] public ReadOnlyMemory<byte> B { get; set; }
    [M(Order = 3)] public ArraySegment<byte> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Guids
{
    [M(Order = 1)] public Guid A { get; set; }
    [M(Order = 2)] public Guid? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class DateTimes
{
    [M(Order = 1)] public DateTime A { get; set; }
    [M(Order = 2)] public DateTime? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Offsets
{
    [M(Order = 1)] public DateTimeOffset A { get; set; }
    [M(Order = 2)] public DateTimeOffset? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Durations
{
    [M(Order = 1)] public TimeSpan A { get; set; }
    [M(Order = 2)] public TimeSpan? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class DatesOnly
{
    [M(Order = 1)] public DateOnly A { get; set; }
    [M(Order = 2)] public DateOnly? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class TimesOnly
{
    [M(Order = 1)] public TimeOnly A { get; set; }
    [M(Order = 2)] public TimeOnly? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Uris
{
    [M(Order = 1)] public Uri A { get; set; } = new("urn:x");
    [M(Order = 2)] public Uri? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Versions
{
    [M(Order = 1)] public Version A { get; set; } = new(1, 0);
    [M(Order = 2)] public Version? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Addresses
{
    [M(Order = 1)] public IPAddress A { get; set; } = IPAddress.Any;
    [M(Order = 2)] public IPAddress? B { get; set; }
}

public enum OfSByte : sbyte { Zero, Low = -128, High = 127 }

public enum OfInt16 : short { Zero, Low = short.MinValue, High = short.MaxValue }

public enum OfInt32 { Zero, Low = int.MinValue, High = int.MaxValue }

public enum OfInt64 : long { Zero, Low = long.MinValue, High = long.MaxValue }

public enum OfByte : byte { Zero, High = 255 }

public enum OfUInt16 : ushort { Zero, High = ushort.MaxValue }

public enum OfUInt32 : uint { Zero, High = uint.MaxValue }

public enum OfUInt64 : ulong { Zero, High = ulong.MaxValue }

[Flags]
public enum Days { None, Monday = 1, Tuesday = 2, Wednesday = 4, Weekend = 96 }

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class SignedEnums
{
    [M(Order = 1)] public OfSByte A { get; set; }
    [M(Order = 2)] public OfInt16 B { get; set; }
    [M(Order = 3)] public OfInt32 C { get; set; }
    [M(Order = 4)] public OfInt64 D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class UnsignedEnums
{
    [M(Order = 1)] public OfByte A { get; set; }
    [M(Order = 2)] public OfUInt16 B { get; set; }
    [M(Order = 3)] public OfUInt32 C { get; set; }
    [M(Order = 4)] public OfUInt64 D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NullableEnums
{
    [M(Order = 1)] public OfSByte? A { get; set; }
    [M(Order = 2)] public OfInt64? B { get; set; }
    [M(Order = 3)] public OfUInt64? C { get; set; }
    [M(Order = 4)] public Days? D { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class FlagEnums
{
    [M(Order = 1)] public Days A { get; set; }
    [M(Order = 2)] public List<Days> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial struct Point
{
    [M(Order = 1)] public int X { get; set; }
    [M(Order = 2)] public int Y { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public readonly partial record struct Amount([property: M(Order = 1)] long Cents, [property: M(Order = 2)] string? Currency);

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class StructMembers
{
    [M(Order = 1)] public Point A { get; set; }
    [M(Order = 2)] public Point? B { get; set; }
    [M(Order = 3)] public List<Point> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial record Person([property: M(Order = 1)] string Name, [property: M(Order = 2)] int Age, [property: M(Order = 3)] string? Email);

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial record NominalRecord
{
    [M(Order = 1)] public int Id { get; set; }
    [M(Order = 2)] public string Name { get; set; } = "";
    [M(Order = 3)] public Person? Owner { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class InitOnly
{
    [M(Order = 1)] public int Id { get; init; }
    [M(Order = 2)] public string Name { get; init; } = "";
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class RequiredMembers
{
    [M(Order = 1)] public required int Id { get; set; }
    [M(Order = 2)] public required string? Name { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class PublicFields
{
    [M(Order = 1)] public int Id;
    [M(Order = 2)] public string Name = "";
    [M(Order = 3)] public double[] Values = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class PrivateMembers
{
    [M(Order = 1)] private int _id;

    [M(Order = 2)] public string? Name { get; private set; }

    [M(Order = 3)] internal long Count { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class BaseClass
{
    [M(Order = 1)] public int Id { get; set; }
    [M(Order = 3)] public string? Name { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class DerivedClass : BaseClass
{
    [M(Order = 2)] public double Rate { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public sealed partial class DerivedTwice : DerivedClass
{
    [M(Order = 4)] public List<int> Codes { get; set; } = [];
}

#if SHAPES_MESSAGEPACK
[global::MessagePack.Union(1, typeof(Card)), global::MessagePack.Union(2, typeof(Transfer))]
#endif
#if SHAPES_POLYTYPE
[PolyType.DerivedTypeShape(typeof(Card), Tag = 1), PolyType.DerivedTypeShape(typeof(Transfer), Tag = 2)]
#endif
[MessageUnion(1, typeof(Card)), MessageUnion(2, typeof(Transfer))]
public partial interface IPayment;

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public sealed partial class Card : IPayment
{
    [M(Order = 1)] public string Number { get; set; } = "";
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public sealed partial class Transfer : IPayment
{
    [M(Order = 1)] public string Iban { get; set; } = "";
    [M(Order = 2)] public decimal Amount { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Unions
{
    [M(Order = 1)] public IPayment? A { get; set; }
    [M(Order = 2)] public List<IPayment> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Chain
{
    [M(Order = 1)] public int Value { get; set; }
    [M(Order = 2)] public Chain? Next { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Tree
{
    [M(Order = 1)] public string Name { get; set; } = "";
    [M(Order = 2)] public List<Tree> Children { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NamedTree
{
    [M(Order = 1)] public int Id { get; set; }
    [M(Order = 2)] public Dictionary<string, NamedTree> Children { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Nested
{
    [M(Order = 1)] public Strings A { get; set; } = new();
    [M(Order = 2)] public SignedIntegers? B { get; set; }
    [M(Order = 3)] public Empty C { get; set; } = new();
    [M(Order = 4)] public Chain[] D { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class SignedLists
{
    [M(Order = 1)] public List<sbyte> A { get; set; } = [];
    [M(Order = 2)] public List<short> B { get; set; } = [];
    [M(Order = 3)] public List<int> C { get; set; } = [];
    [M(Order = 4)] public List<long> D { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class UnsignedArrays
{
    [M(Order = 1)] public ushort[] A { get; set; } = [];
    [M(Order = 2)] public uint[] B { get; set; } = [];
    [M(Order = 3)] public ulong[] C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class FloatLists
{
    [M(Order = 1)] public float[] A { get; set; } = [];
    [M(Order = 2)] public List<double> B { get; set; } = [];
    [M(Order = 3)] public bool[] C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class TextLists
{
    [M(Order = 1)] public List<string> A { get; set; } = [];
    [M(Order = 2)] public string[] B { get; set; } = [];
    [M(Order = 3)] public List<byte[]> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class EnumLists
{
    [M(Order = 1)] public List<OfInt32> A { get; set; } = [];
    [M(Order = 2)] public OfUInt64[] B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class TimeLists
{
    [M(Order = 1)] public List<DateTime> A { get; set; } = [];
    [M(Order = 2)] public TimeSpan[] B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ValueLists
{
    [M(Order = 1)] public List<Guid> A { get; set; } = [];
    [M(Order = 2)] public List<decimal> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ObjectLists
{
    [M(Order = 1)] public List<Strings> A { get; set; } = [];
    [M(Order = 2)] public Person[] B { get; set; } = [];
    [M(Order = 3)] public List<Empty> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NullableElements
{
    [M(Order = 1)] public List<int?> A { get; set; } = [];
    [M(Order = 2)] public List<string?> B { get; set; } = [];
    [M(Order = 3)] public Strings?[] C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NullableLists
{
    [M(Order = 1)] public List<int>? A { get; set; }
    [M(Order = 2)] public string[]? B { get; set; }
    [M(Order = 3)] public Dictionary<string, int>? C { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NestedLists
{
    [M(Order = 1)] public List<List<int>> A { get; set; } = [];
    [M(Order = 2)] public string[][] B { get; set; } = [];
    [M(Order = 3)] public List<Dictionary<string, int>> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Matrices
{
    [M(Order = 1)] public int[,] A { get; set; } = new int[0, 0];
    [M(Order = 2)] public string[,,] B { get; set; } = new string[0, 0, 0];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ListInterfaces
{
    [M(Order = 1)] public IList<int> A { get; set; } = [];
    [M(Order = 2)] public ICollection<string> B { get; set; } = [];
    [M(Order = 3)] public IEnumerable<long> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ReadOnlyInterfaces
{
    [M(Order = 1)] public IReadOnlyList<int> A { get; set; } = [];
    [M(Order = 2)] public IReadOnlyCollection<string> B { get; set; } = [];
    [M(Order = 3)] public IReadOnlyDictionary<string, int> C { get; set; } = new Dictionary<string, int>();
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Sets
{
    [M(Order = 1)] public HashSet<int> A { get; set; } = [];
    [M(Order = 2)] public HashSet<string> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class SetInterfaces
{
    [M(Order = 1)] public ISet<int> A { get; set; } = new HashSet<int>();
    [M(Order = 2)] public SortedSet<long> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Queues
{
    [M(Order = 1)] public Queue<int> A { get; set; } = [];
    [M(Order = 2)] public Stack<string> B { get; set; } = [];
    [M(Order = 3)] public LinkedList<int> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Collections
{
    [M(Order = 1)] public Collection<int> A { get; set; } = [];
    [M(Order = 2)] public ObservableCollection<string> B { get; set; } = [];
    [M(Order = 3)] public ReadOnlyCollection<int> C { get; set; } = new([]);
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Immutables
{
    [M(Order = 1)] public ImmutableArray<int> A { get; set; } = [];
    [M(Order = 2)] public ImmutableList<string> B { get; set; } = [];
    [M(Order = 3)] public ImmutableQueue<int> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class TextMaps
{
    [M(Order = 1)] public Dictionary<string, int> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<string, string> B { get; set; } = [];
    [M(Order = 3)] public IDictionary<string, double> C { get; set; } = new Dictionary<string, double>();
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NumberMaps
{
    [M(Order = 1)] public Dictionary<int, string> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<long, bool> B { get; set; } = [];
    [M(Order = 3)] public Dictionary<uint, int> C { get; set; } = [];
    [M(Order = 4)] public Dictionary<ulong, byte[]> D { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class EnumMaps
{
    [M(Order = 1)] public Dictionary<OfInt32, int> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<string, OfInt32> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ValueMaps
{
    [M(Order = 1)] public Dictionary<Guid, int> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<string, decimal> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class TimeMaps
{
    [M(Order = 1)] public Dictionary<DateTime, int> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<string, TimeSpan> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ObjectMaps
{
    [M(Order = 1)] public Dictionary<string, Strings> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<int, Person> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NullableMaps
{
    [M(Order = 1)] public Dictionary<string, int?> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<string, string?> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class NestedMaps
{
    [M(Order = 1)] public Dictionary<string, List<int>> A { get; set; } = [];
    [M(Order = 2)] public Dictionary<int, Dictionary<string, string>> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class SortedMaps
{
    [M(Order = 1)] public SortedDictionary<int, string> A { get; set; } = [];
    [M(Order = 2)] public SortedList<long, int> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Tuples
{
    [M(Order = 1)] public Tuple<int, string> A { get; set; } = new(0, "");
    [M(Order = 2)] public (int, string?, double) B { get; set; }
    [M(Order = 3)] public List<(long, bool)> C { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class LongTuples
{
    [M(Order = 1)] public (int, int, int, int, int, int, int, string, long) A { get; set; } = (0, 0, 0, 0, 0, 0, 0, "", 0);
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Pairs
{
    [M(Order = 1)] public KeyValuePair<int, string?> A { get; set; }
    [M(Order = 2)] public List<KeyValuePair<string, int>> B { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Crate<T>
{
    [M(Order = 1)] public T Value { get; set; } = default!;
    [M(Order = 2)] public List<T> Values { get; set; } = [];
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Crates
{
    [M(Order = 1)] public Crate<int> A { get; set; } = new();
    [M(Order = 2)] public Crate<Guid>? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Gaps
{
    [M(Order = 2)] public int A { get; set; }
    [M(Order = 5)] public string? B { get; set; }
    [M(Order = 15)] public int? C { get; set; }
    [M(Order = 16)] public List<int> D { get; set; } = [];
    [M(Order = 40)] public long E { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class OtherOrder
{
    [M(Order = 3)] public string C { get; set; } = "";
    [M(Order = 1)] public int A { get; set; }
    [M(Order = 2)] public bool? B { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ForeignNames
{
    [M(Order = 1)] public int Größe { get; set; }
    [M(Order = 2)] public string 名前 { get; set; } = "";
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class Excluded
{
    [M(Order = 1)] public int Id { get; set; }
    [IgnoreDataMember] public string Left { get; set; } = "";
    public int NotMember { get; set; }
}

[DataContract, Serializable, MessageContract(Formats = Shape.Formats)]
public partial class ManyMembers
{
    [M(Order = 1)] public int A { get; set; }
    [M(Order = 2)] public long B { get; set; }
    [M(Order = 3)] public string C { get; set; } = "";
    [M(Order = 4)] public bool D { get; set; }
    [M(Order = 5)] public double E { get; set; }
    [M(Order = 6)] public int? F { get; set; }
    [M(Order = 7)] public string? G { get; set; }
    [M(Order = 8)] public byte[] H { get; set; } = [];
    [M(Order = 9)] public List<int> I { get; set; } = [];
    [M(Order = 10)] public Dictionary<string, long> J { get; set; } = [];
    [M(Order = 11)] public Point K { get; set; }
    [M(Order = 12)] public OfInt32 L { get; set; }
    [M(Order = 13)] public ushort M { get; set; }
    [M(Order = 14)] public sbyte N { get; set; }
    [M(Order = 15)] public float O { get; set; }
    [M(Order = 16)] public ulong P { get; set; }
    [M(Order = 17)] public Chain? Q { get; set; }
    [M(Order = 18)] public char R { get; set; }
}
