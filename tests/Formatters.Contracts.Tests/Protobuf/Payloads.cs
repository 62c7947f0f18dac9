using System;
using System.Collections.Generic;
#if !NETFRAMEWORK
using System.Collections.Immutable;
#endif
using System.Collections.ObjectModel;
using System.Numerics;
using Formatters.Protobuf;

namespace Formatters.Contracts.Tests.Protobuf;

// Within the namespace: its types go before those of the namespace around this one.
using Formatters.Contracts.Tests.Versioned;

// Types with numbers beyond those of the versioned format: ProtobufDifferentialTests holds generator against reflection.

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Encodings
{
    [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public int ZigZag32;
    [MessageMember(2, Encoding = MemberEncoding.ZigZag)] public long? ZigZag64;
    [MessageMember(3, Encoding = MemberEncoding.Fixed)] public int SFixed32;
    [MessageMember(4, Encoding = MemberEncoding.Fixed)] public uint? Fixed32;
    [MessageMember(5, Encoding = MemberEncoding.Fixed)] public long SFixed64;
    [MessageMember(6, Encoding = MemberEncoding.Fixed)] public ulong Fixed64;
    [MessageMember(7, Encoding = MemberEncoding.Fixed)] public Guid Id;
    [MessageMember(8, Encoding = MemberEncoding.ZigZag)] public sbyte Small;
    [MessageMember(9, Encoding = MemberEncoding.Fixed)] public Colour Colour;
    [MessageMember(10, Encoding = MemberEncoding.ZigZag)] public Far Far;
    [MessageMember(16, Encoding = MemberEncoding.ZigZag)] public List<int> Ints { get; set; } = [];
    [MessageMember(17, Encoding = MemberEncoding.Fixed)] public Dictionary<ulong, List<short>> Map { get; set; } = [];
    [MessageMember(18, Encoding = MemberEncoding.Fixed)] public Guid?[] Ids { get; set; } = [];
    [MessageMember(2047, Encoding = MemberEncoding.ZigZag)] public Far? Farther;
    [MessageMember(2048)] public int FarNumber;
    [MessageMember(536870911)] public string Last = "";
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Collections
{
    [MessageMember(1)] public int[] Array = [];
    [MessageMember(2)] public int[][] Jagged = [];
    [MessageMember(3)] public List<string> List = [];
    [MessageMember(4)] public List<string?>? NullableElements { get; set; } = [];
    [MessageMember(5)] public Point[] Structs { get; set; } = [];
    [MessageMember(6)] public List<Place> Objects { get; set; } = [];
    [MessageMember(7)] public List<Place?> MaybeObjects { get; set; } = [];
    [MessageMember(8)] public IList<int> Interface { get; set; } = [];
    [MessageMember(9)] public IReadOnlyList<long> ReadOnly { get; set; } = [];
    [MessageMember(10)] public IEnumerable<DateTime> Times { get; set; } = [];
    [MessageMember(11)] public Dictionary<string, int> Counts { get; set; } = [];
    [MessageMember(12)] public Dictionary<Colour, string?> Map { get; set; } = [];
    [MessageMember(13)] public IDictionary<int, Place> MapInterface { get; set; } = new Dictionary<int, Place>();
    [MessageMember(14)] public List<int?> MaybeNumbers { get; set; } = [];
    [MessageMember(15)] public KeyValuePair<int, string>[] Pairs { get; set; } = [];
    [MessageMember(16)] public (int Id, string Name, Place? Place) Tuple { get; set; } = (0, "", null);
    [MessageMember(17)] public Tuple<int, string> Classic { get; set; } = new(0, "");
    [MessageMember(18)] public Far[] Enums { get; set; } = [];
    [MessageMember(19)] public List<Place>? MaybeList { get; set; }
    [MessageMember(20)] public List<Point> Points { get; set; } = [];
    [MessageMember(21)] public List<List<Node>> Nodes { get; set; } = [];
    [MessageMember(22)] public Place[]? Places { get; set; }
    [MessageMember(23)] public List<bool> Bools { get; set; } = [];
    [MessageMember(24)] public double[] Doubles { get; set; } = [];
    [MessageMember(25)] public Dictionary<int, Dictionary<string, Place>>? Deep { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Further
{
    [MessageMember(1)] public Uri Uri { get; set; } = new("a", UriKind.Relative);
    [MessageMember(2)] public Version? Version { get; set; }
    [MessageMember(3)] public BigInteger Big { get; set; }
    [MessageMember(4)] public ReadOnlyMemory<byte> Memory { get; set; }
    [MessageMember(5)] public HashSet<int> Set { get; set; } = [];
    [MessageMember(6)] public Queue<Place> Queue { get; set; } = [];
    [MessageMember(7)] public Stack<string> Stack { get; set; } = [];
#if !NETFRAMEWORK
    [MessageMember(8)] public ImmutableArray<int> Immutable { get; set; } = [];
    [MessageMember(9)] public ImmutableDictionary<string, Place>? Map { get; set; }
    [MessageMember(15)] public ImmutableHashSet<string> Texts { get; set; } = [];
#endif
    [MessageMember(10)] public SortedDictionary<string, int> Sorted { get; set; } = [];
    [MessageMember(11)] public int[,] Grid { get; set; } = new int[0, 0];
    [MessageMember(12)] public Place?[,,]? Cube { get; set; }
    [MessageMember(14)] public ReadOnlyCollection<int> ReadOnly { get; set; } = new([]);
}

/// <summary>Messages that a body may lack, and what a new object has there.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Absent
{
    [MessageMember(1)] public Place Made { get; set; } = new() { Name = "made" };
    [MessageMember(2)] public Place NotMade { get; set; } = null!;
    [MessageMember(3)] public DateTime Time { get; set; } = new(2000, 1, 1, 0, 0, 0, DateTimeKind.Utc);
    [MessageMember(4)] public Point Point = new() { X = 7 };
    [MessageMember(5)] public Uri Link { get; set; } = new("a", UriKind.Relative);
    [MessageMember(6)] public string Text { get; set; } = "initial";
    [MessageMember(7)] public int Number = 5;
    [MessageMember(8)] public List<Place> Places { get; set; } = [new()];
    [MessageMember(9)] public int[] Numbers { get; set; } = [1];
    [MessageMember(10)] public Node Node { get; set; } = new();
    [MessageMember(11)] public int ReadOnly => Number * 2;
}

[MessageUnion(1, typeof(Cat)), MessageUnion(127, typeof(Fish))]
public interface IPet;

public sealed class Cat : IPet
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public IPet? Prey { get; set; }
}

public struct Fish : IPet
{
    [MessageMember(1)] public int Length;
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class HasPet
{
    [MessageMember(1)] public int Id;
    [MessageMember(2)] public IPet Pet { get; set; } = new Cat();
    [MessageMember(3)] public IPet?[] Pets { get; set; } = [];
    [MessageMember(4)] public Dictionary<int, IPet>? ByNumber { get; set; }
}

/// <summary>Oneofs whose fields lie among those of other members.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class HasOneof
{
    [MessageMember(2)] public int Id;
    [MessageOneof(1, typeof(Cat)), MessageOneof(4, typeof(Fish))] public IPet? Pet { get; set; }
    [MessageMember(3)] public string Note { get; set; } = "";
    [MessageOneof(20, typeof(Fish)), MessageOneof(18, typeof(Cat), Name = "second_cat")] public IPet? Second;
    [MessageMember(19)] public List<Place> Places { get; set; } = [];
    public UnknownMembers? Unknown { get; set; }
}

/// <summary>Oneofs that are not null: with an object from the start, and without.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class NeedsOneof
{
    [MessageMember(1)] public int Id;
    [MessageOneof(2, typeof(Cat)), MessageOneof(3, typeof(Fish))] public IPet Made { get; set; } = new Cat { Name = "made" };
    [MessageOneof(5, typeof(Cat)), MessageOneof(6, typeof(Fish))] public IPet NotMade { get; set; } = null!;
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial record PositionalOneof(
    [MessageMember(2)] int Id, [MessageOneof(3, typeof(Cat)), MessageOneof(1, typeof(Fish))] IPet? Pet, [MessageOneof(4, typeof(Cat)), MessageOneof(5, typeof(Fish))] IPet Needed);

/// <summary>Oneofs whose cases are members: of every kind of value, and set by code.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class HasCases
{
    private Cat? _cat;

    [MessageMember(1)] public int Id;
    [MessageMember(2, Oneof = "value")] public int? Number { get; set; }
    [MessageMember(3, Oneof = "value")] public string? Text { get; set; }
    [MessageMember(4, Oneof = "value")] public byte[]? Bytes { get; set; }
    [MessageMember(5, Oneof = "value")] public Cat? Cat { get; set; }
    [MessageMember(6)] public List<int> Numbers { get; set; } = [];
    [MessageMember(7, Oneof = "value")] public IPet? Pet { get; set; }
    [MessageMember(8, Oneof = "value")] public Guid? Guid { get; set; }
    [MessageMember(9, Oneof = "value")] public Colour? Colour { get; set; }
    [MessageMember(10, Oneof = "value")] public Point? Point { get; set; }
    [MessageMember(11, Oneof = "value")] public DateTimeOffset? Time { get; set; }
    [MessageMember(19, Oneof = "Other", Encoding = MemberEncoding.ZigZag)] public long? Other { get; set; }
    [MessageMember(18, Oneof = "Other")] public Cat? SetByCode { get => _cat; set => _cat = value; }
    public UnknownMembers? Unknown { get; set; }
}

/// <summary>A oneof of scalars only, whose message has a size that is known before it is written.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class FlatCases
{
    [MessageMember(1, Oneof = "value")] public double? Number { get; set; }
    [MessageMember(2, Oneof = "value")] public string? Text { get; set; }
    [MessageMember(3, Oneof = "value")] public bool? Flag { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial record PositionalCases(
    [MessageMember(1, Oneof = "value")] int? Number, [MessageMember(2, Oneof = "value")] string? Text, [MessageMember(3, Oneof = "value")] Cat? Cat,
    [MessageMember(4)] FlatCases? Flat);

/// <summary>Lists with a tag for each element.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Unpacked
{
    [MessageMember(1, IsPacked = false)] public List<int> Ints { get; set; } = [];
    [MessageMember(2, IsPacked = false, Encoding = MemberEncoding.ZigZag)] public long[] Longs { get; set; } = [];
    [MessageMember(3, IsPacked = false, Encoding = MemberEncoding.Fixed)] public IReadOnlyList<uint> Fixed { get; set; } = [];
    [MessageMember(4, IsPacked = false)] public double[]? Doubles { get; set; }
    [MessageMember(5, IsPacked = false)] public HashSet<Colour> Colours { get; set; } = [];
    [MessageMember(6, IsPacked = false)] public Queue<bool> Bools { get; set; } = [];
    [MessageMember(7)] public List<int> Packed { get; set; } = [];
    [MessageMember(2047, IsPacked = false)] public List<float> Far { get; set; } = [];
}

/// <summary>More members than bits in a word.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class Wide
{
    [MessageMember(1)] public int A1; [MessageMember(2)] public int A2; [MessageMember(3)] public int A3; [MessageMember(4)] public int A4;
    [MessageMember(5)] public int A5; [MessageMember(6)] public int A6; [MessageMember(7)] public int A7; [MessageMember(8)] public int A8;
    [MessageMember(9)] public int A9; [MessageMember(10)] public int A10; [MessageMember(11)] public int A11; [MessageMember(12)] public int A12;
    [MessageMember(13)] public int A13; [MessageMember(14)] public int A14; [MessageMember(15)] public int A15; [MessageMember(16)] public int A16;
    [MessageMember(17)] public int A17; [MessageMember(18)] public int A18; [MessageMember(19)] public int A19; [MessageMember(20)] public int A20;
    [MessageMember(21)] public string B1 = ""; [MessageMember(22)] public string B2 = ""; [MessageMember(23)] public string B3 = ""; [MessageMember(24)] public string? B4;
    [MessageMember(25)] public string B5 = ""; [MessageMember(26)] public string B6 = ""; [MessageMember(27)] public string B7 = ""; [MessageMember(28)] public string? B8;
    [MessageMember(29)] public string B9 = ""; [MessageMember(30)] public string B10 = ""; [MessageMember(31)] public bool C1; [MessageMember(32)] public bool? C2;
    [MessageMember(33)] public double D1; [MessageMember(34)] public double D2; [MessageMember(35)] public double D3; [MessageMember(36)] public double? D4;
    [MessageMember(37)] public float D5; [MessageMember(38)] public float D6; [MessageMember(39)] public float D7; [MessageMember(40)] public float? D8;
    [MessageMember(41)] public long E1; [MessageMember(42)] public long E2; [MessageMember(43)] public long E3; [MessageMember(44)] public long? E4;
    [MessageMember(45)] public ulong E5; [MessageMember(46)] public ulong E6; [MessageMember(47)] public ulong E7; [MessageMember(48)] public ulong? E8;
    [MessageMember(49)] public uint F1; [MessageMember(50)] public uint F2; [MessageMember(51)] public uint F3; [MessageMember(52)] public uint? F4;
    [MessageMember(53)] public TimeSpan G1; [MessageMember(54)] public TimeSpan? G2; [MessageMember(55)] public DateTime H1; [MessageMember(56)] public DateTime? H2;
    [MessageMember(57)] public Colour I1; [MessageMember(58)] public Colour? I2; [MessageMember(59)] public Far I3; [MessageMember(60)] public Far? I4;
    [MessageMember(61)] public Place? J1; [MessageMember(62)] public Place J2 = new(); [MessageMember(63)] public Point J3; [MessageMember(64)] public Point? J4;
    [MessageMember(65)] public int K1; [MessageMember(66)] public int? K2; [MessageMember(67)] public string K3 = ""; [MessageMember(68)] public string? K4;
    public UnknownMembers? Unknown;
}

/// <summary>Texts and numbers alone, of all kinds: room for it is made at once.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public readonly partial record struct Flat(
    [property: MessageMember(1)] string Text,
    [property: MessageMember(2)] string? MaybeText,
    [property: MessageMember(20)] string Far,
    [property: MessageMember(21)] string? MaybeFar,
    [property: MessageMember(3)] int Number,
    [property: MessageMember(4)] double? Real,
    [property: MessageMember(5)] float Small,
    [property: MessageMember(6)] DateTime Time,
    [property: MessageMember(7)] TimeSpan? Span,
    [property: MessageMember(8)] ulong Large);

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class HasFlat
{
    [MessageMember(1)] public Flat One { get; set; }
    [MessageMember(2)] public List<Flat> Many { get; set; } = [];
    [MessageMember(3)] public Flat? Maybe { get; set; }
}

/// <summary>Written by a codec of its own wherever it occurs.</summary>
[MemberCodec(typeof(AmountCodec))]
public readonly record struct Amount(long Units);

public sealed class AmountCodec : ProtobufCodec<Amount>
{
    public override void Write(ref ProtobufBodyWriter writer, Amount value)
    {
        if (value.Units == 0)
            return;
        writer.WriteTag(2, ProtobufWireType.Varint);
        writer.WriteInt64(value.Units);
    }

    public override Amount Read(ref ProtobufBodyReader reader, Amount existing = default, bool merges = false)
    {
        long units = merges ? existing.Units : 0;
        while (reader.TryReadTag(out int number, out ProtobufWireType wireType))
        {
            if (number == 2 && wireType == ProtobufWireType.Varint)
                units = reader.ReadInt64();
            else
                reader.Skip(number, wireType);
        }

        return new Amount(units);
    }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial class HasAmount
{
    [MessageMember(1)] public Amount Amount { get; set; }
    [MessageMember(2)] public Amount? Maybe { get; set; }
    [MessageMember(3)] public List<Amount?> Amounts { get; set; } = [];
    [MessageMember(4)] public Dictionary<string, Amount> ByName { get; set; } = [];
}

[MessageContractFor(typeof(List<Place>), Name = "Places", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(Dictionary<string, Point?>), Name = "PointsByName", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(int[][]), Name = "Jagged", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(int[,]), Name = "Grid", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(Node), Name = "NodeAgain", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof((int, Point)), Name = "Pair", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(string), Name = "Text", Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(Guid), Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(IPet), Name = "Pet", Formats = ContractFormats.Protobuf)]
internal static partial class ProtobufContracts;
