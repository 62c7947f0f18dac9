using MemoryPack;
using MessagePack;
using Orleans;
using PolyType;
using ProtoBuf;
using Number = Formatters.MessageMemberAttribute;
using NerdbankKey = Nerdbank.MessagePack.KeyAttribute;

namespace Formatters.Benchmarks.Models;

// The types have the attributes of every library. protobuf-net writes dates as Timestamp (level 300), and numbers packed.

/// <summary>The formats that the types have contracts in.</summary>
internal static class ModelFormats
{
    internal const ContractFormats All = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor
        | ContractFormats.Compact | ContractFormats.Protobuf;
}

/// <summary>Two numbers and two strings: MemoryPack's <c>MyClass</c>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Person
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int X { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public int Y { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public string FirstName { get; set; } = null!;
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public string LastName { get; set; } = null!;

    internal static Person Create() => new() { X = 99, Y = 123_456_789, FirstName = "Alexandra", LastName = "Montgomery" };
}

/// <summary>Three numbers: MemoryPack's <c>Vector3</c>. It is part of the contract of <see cref="Path3"/>, and needs none of its own.</summary>
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public partial struct Vector
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public float X { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public float Y { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public float Z { get; set; }
}

/// <summary>1,000 structs: MemoryPack's <c>Vector3[1000]</c>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Path3
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public Vector[] Points { get; set; } = [];

    internal static Path3 Create() => new()
    {
        Points = [.. Enumerable.Range(1, 1000).Select(static i => new Vector { X = i * 0.5f, Y = i / 3f, Z = -i })],
    };
}

/// <summary>A page of answers of a web service: MemoryPack's <c>JsonResponseModel</c>, from BinaryPack.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class ResponsePage
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Id { get; set; } = null!;
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Type { get; set; } = null!;
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public int Count { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public DateTime Created { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public DateTime Updated { get; set; }
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public DateTime Expires { get; set; }
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public string Previous { get; set; } = null!;
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public string Following { get; set; } = null!;
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public List<ResponseItem> Items { get; set; } = [];

    internal static ResponsePage Create() => new()
    {
        Id = "a1b2c3", Type = "ResponsePage", Count = 812_345_678, Created = Sample.Date(1), Updated = Sample.Date(2), Expires = Sample.Date(3),
        Previous = "zyxwvu", Following = "lmnopq", Items = [.. Enumerable.Range(0, 50).Select(ResponseItem.Create)],
    };
}

/// <summary>An item of <see cref="ResponsePage"/>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class ResponseItem
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Id { get; set; } = null!;
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Type { get; set; } = null!;
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public string Category { get; set; } = null!;
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public string Description { get; set; } = null!;
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public int Value { get; set; }
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public float Upvotes { get; set; }
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public DateTime Created { get; set; }
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public bool IsActive { get; set; }

    internal static ResponseItem Create(int i) => new()
    {
        Id = Sample.Text(6, i), Type = "ResponsePage", Category = Sample.Text(12, i), Description = Sample.Text(80, i), Value = i * 7919,
            Upvotes = i / 7f,
        Created = Sample.Date(i), IsActive = i % 2 == 0,
    };
}

/// <summary>Two blocks of numbers: MemoryPack's <c>NeuralNetworkLayerModel</c>, from BinaryPack.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class NetworkLayer
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Id { get; set; } = null!;
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public int Index { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3, IsPacked = true), Id(2)] public float[] Weights { get; set; } = [];
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4, IsPacked = true), Id(3)] public float[] Biases { get; set; } = [];
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public DateTime Updated { get; set; }

    internal static NetworkLayer Create() => new()
    {
        Id = "layer-0000000001", Index = 3, Weights = [.. Enumerable.Range(1, 65_536).Select(static i => i / 65_537f)],
        Biases = [.. Enumerable.Range(1, 256).Select(static i => -i / 257f)], Updated = Sample.Date(9),
    };
}

/// <summary>Twenty members that may be null, half of them are: MemoryPack's <c>Answer</c>, from Jil.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Answer
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int? QuestionId { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public int? AnswerId { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public DateTime? Locked { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public DateTime? Created { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public DateTime? LastEdit { get; set; }
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public DateTime? LastActivity { get; set; }
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public int? Score { get; set; }
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public DateTime? CommunityOwned { get; set; }
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public bool? IsAccepted { get; set; }
    [Number(10), Key(9), NerdbankKey(9), ProtoMember(10), Id(9)] public string? Body { get; set; }
    [Number(11), Key(10), NerdbankKey(10), ProtoMember(11), Id(10)] public string? Title { get; set; }
    [Number(12), Key(11), NerdbankKey(11), ProtoMember(12), Id(11)] public int? UpVotes { get; set; }
    [Number(13), Key(12), NerdbankKey(12), ProtoMember(13), Id(12)] public int? DownVotes { get; set; }
    [Number(14), Key(13), NerdbankKey(13), ProtoMember(14), Id(13)] public string? Link { get; set; }
    [Number(15), Key(14), NerdbankKey(14), ProtoMember(15), Id(14)] public bool? Upvoted { get; set; }
    [Number(16), Key(15), NerdbankKey(15), ProtoMember(16), Id(15)] public bool? Downvoted { get; set; }
    [Number(17), Key(16), NerdbankKey(16), ProtoMember(17), Id(16)] public bool? Accepted { get; set; }
    [Number(18), Key(17), NerdbankKey(17), ProtoMember(18), Id(17)] public int? CommentCount { get; set; }
    [Number(19), Key(18), NerdbankKey(18), ProtoMember(19), Id(18)] public double? Rank { get; set; }
    [Number(20), Key(19), NerdbankKey(19), ProtoMember(20), Id(19)] public long? ViewCount { get; set; }

    internal static Answer Create() => new()
    {
        QuestionId =
            4711, AnswerId = 815, Created = Sample.Date(4), LastActivity = Sample.Date(5), Score = 12, IsAccepted = true, Body = Sample.Text(120, 0),
        Title = Sample.Text(30, 1), UpVotes = 13, Rank = 0.75,
    };
}

/// <summary>Two strings and a flag: <c>LoginViewModel</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Login
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Email { get; set; } = null!;
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Password { get; set; } = null!;
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public bool RememberMe { get; set; }

    internal static Login Create() => new() { Email = "name.familyname@not.com", Password = "not a password", RememberMe = true };
}

/// <summary>Eight strings: <c>Location</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Location
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int Id { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Address1 { get; set; } = null!;
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public string Address2 { get; set; } = null!;
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public string City { get; set; } = null!;
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public string State { get; set; } = null!;
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public string PostalCode { get; set; } = null!;
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public string Name { get; set; } = null!;
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public string PhoneNumber { get; set; } = null!;
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public string Country { get; set; } = null!;

    internal static Location Create() => new()
    {
        Id = 1234, Address1 = "The Street Name", Address2 = "20/11", City = "The City", State = "The State", PostalCode = "abc-12",
            Name = "Nonexisting",
        PhoneNumber = "+0 11 222 333 44", Country = "The Greatest",
    };
}

/// <summary>72 items with four tasks each: <c>MyEventsListerViewModel</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class EventList
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public List<EventItem> Current { get; set; } = [];
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public List<EventItem> Future { get; set; } = [];
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public List<EventItem> Past { get; set; } = [];

    internal static EventList Create() => new()
    {
        Current = [.. Enumerable.Range(0, 3).Select(EventItem.Create)],
        Future = [.. Enumerable.Range(3, 9).Select(EventItem.Create)],
        Past = [.. Enumerable.Range(12, 60).Select(EventItem.Create)],
    };
}

/// <summary>An item of <see cref="EventList"/>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class EventItem
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int Id { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public string Name { get; set; } = null!;
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public DateTime Start { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public DateTime End { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public string TimeZone { get; set; } = null!;
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public string Campaign { get; set; } = null!;
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public string Organization { get; set; } = null!;
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public int VolunteerCount { get; set; }
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public List<EventTask> Tasks { get; set; } = [];

    internal static EventItem Create(int i) => new()
    {
        Id = 321 + i, Name = "wonderful name", Start = Sample.Date(i), End = Sample.Date(i + 14), TimeZone = "(UTC) Coordinated Universal Time",
        Campaign = "A very nice campaign", Organization = "Local Animal Shelter", VolunteerCount = 15,
        Tasks = [.. Enumerable.Range(i, 4)
            .Select(static k => new EventTask { Name = "A very nice task to have", Start = Sample.Date(k), End = Sample.Date(k + 1) })],
    };
}

/// <summary>A task of an <see cref="EventItem"/>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class EventTask
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public string Name { get; set; } = null!;
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public DateTime Start { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public DateTime End { get; set; }
}

/// <summary>1,024 bytes, numbers, dates and entries: <c>CollectionsOfPrimitives</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Collections
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public byte[] Bytes { get; set; } = [];
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public Dictionary<int, string> Names { get; set; } = [];
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public DateTime[] Dates { get; set; } = [];
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4, IsPacked = true), Id(3)] public List<int> Numbers { get; set; } = [];

    internal static Collections Create() => new()
    {
        Bytes = [.. Enumerable.Range(0, 1024).Select(static i => (byte)i)],
        Names = Enumerable.Range(0, 1024).ToDictionary(static i => i, static i => i.ToString(CultureInfo.InvariantCulture)),
        Dates = [.. Enumerable.Range(0, 1024).Select(static i => Sample.Date(i))],
        Numbers = [.. Enumerable.Range(0, 1024)],
    };
}

/// <summary>100 strings by strings: <c>Dictionary&lt;string, string&gt;</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Settings
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public Dictionary<string, string> Values { get; set; } = [];

    internal static Settings Create() =>
        new() { Values = Enumerable.Range(0, 100).ToDictionary(static i => Sample.Text(20, i), static i => Sample.Text(20, i + 1)) };
}

/// <summary>A tree of 63 nodes: <c>TreeRecord</c> of dotnet/performance.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Tree
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int Value { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public Tree? Left { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public Tree? Right { get; set; }

    internal static Tree Create() => Create(5)!;

    private static Tree? Create(int depth) => depth < 0 ? null : new Tree { Value = depth + 1, Left = Create(depth - 1), Right = Create(depth - 1) };
}

/// <summary>Strings, numbers, dates and two dictionaries: Nino's <c>SimpleClass</c>.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Mixed
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public int Id { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public bool Tag { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public Guid Guid { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public DateTime Created { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public string Name { get; set; } = null!;
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public string Description { get; set; } = null!;
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7, IsPacked = true), Id(6)] public int[] Numbers { get; set; } = [];
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public List<DateTime> Dates { get; set; } = [];
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public Dictionary<int, string> Names { get; set; } = [];
    [Number(10), Key(9), NerdbankKey(9), ProtoMember(10), Id(9)] public Dictionary<int, int> Counts { get; set; } = [];

    internal static Mixed Create() => new()
    {
        Id = 1_234_567_890, Tag = true, Guid = Sample.Guid(1), Created = Sample.Date(6), Name = Sample.Text(36, 2), Description = Sample.Text(360, 3),
        Numbers =
            [.. Enumerable.Range(1, 100).Select(static i => i * 21_474_836)], Dates = [.. Enumerable.Range(0, 10).Select(static i => Sample.Date(i))],
        Names = Enumerable.Range(0, 10).ToDictionary(static i => i, static i => i.ToString(CultureInfo.InvariantCulture)),
        Counts = Enumerable.Range(0, 10).ToDictionary(static i => i, static i => i * 2),
    };
}

/// <summary>Numbers of every width.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class NumberBag
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public byte A { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public short B { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public int C { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public long D { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public float E { get; set; }
    [Number(6), Key(5), NerdbankKey(5), ProtoMember(6), Id(5)] public double F { get; set; }
    [Number(7), Key(6), NerdbankKey(6), ProtoMember(7), Id(6)] public ushort G { get; set; }
    [Number(8), Key(7), NerdbankKey(7), ProtoMember(8), Id(7)] public uint H { get; set; }
    [Number(9), Key(8), NerdbankKey(8), ProtoMember(9), Id(8)] public ulong I { get; set; }
    [Number(10), Key(9), NerdbankKey(9), ProtoMember(10), Id(9)] public bool J { get; set; }

    internal static NumberBag Create() => new()
    {
        A = 200, B = -12_345, C = 1_234_567, D = -9_876_543_210, E = 3.5f, F = Math.PI, G = 54_321, H = 3_000_000_000, I = 12_345_678_901_234,
            J = true,
    };
}

/// <summary>1,000 doubles.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Doubles
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1, IsPacked = true), Id(0)] public double[] Values { get; set; } = [];

    internal static Doubles Create() => new() { Values = [.. Enumerable.Range(1, 1000).Select(static i => Math.Sqrt(i))] };
}

/// <summary>A list of 1,000 integers, of one to four bytes.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Integers
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1, IsPacked = true), Id(0)] public List<int> Values { get; set; } = [];

    internal static Integers Create() =>
        new() { Values = [.. Enumerable.Range(0, 1000).Select(static i => i % 4 == 0 ? i * 1_000_003 : i % 4 == 1 ? i : i % 100)] };
}

/// <summary>1,000 counts by words.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class WordCounts
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public Dictionary<string, int> Counts { get; set; } = [];

    internal static WordCounts Create() =>
        new() { Counts = Enumerable.Range(0, 1000).ToDictionary(static i => Sample.Text(4 + (i % 9), i) + i.ToString(CultureInfo.InvariantCulture),
            static i => i * 3) };
}

/// <summary>An invoice of 50 positions with decimals, dates and Guids.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Invoice
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public Guid Id { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public DateTime Date { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public decimal Total { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public List<InvoicePosition> Positions { get; set; } = [];

    internal static Invoice Create() => new()
    {
        Id = Sample.Guid(7), Date = Sample.Date(8), Total = 12_345.67m, Positions = [.. Enumerable.Range(1, 50).Select(InvoicePosition.Create)],
    };
}

[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class InvoicePosition
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public Guid Article { get; set; }
    [Number(2), Key(1), NerdbankKey(1), ProtoMember(2), Id(1)] public decimal Price { get; set; }
    [Number(3), Key(2), NerdbankKey(2), ProtoMember(3), Id(2)] public decimal Quantity { get; set; }
    [Number(4), Key(3), NerdbankKey(3), ProtoMember(4), Id(3)] public decimal Discount { get; set; }
    [Number(5), Key(4), NerdbankKey(4), ProtoMember(5), Id(4)] public DateTime Delivery { get; set; }

    internal static InvoicePosition Create(int i) => new()
    {
        Article = Sample.Guid(i), Price = i * 19.99m, Quantity = i, Discount = i * 0.125m, Delivery = Sample.Date(i),
    };
}

/// <summary>Titles in Japanese, with accents, and in ASCII.</summary>
[MessageContract(Formats = ModelFormats.All)]
[MessagePackObject, MemoryPackable, ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), GenerateShape, GenerateSerializer]
public sealed partial class Titles
{
    [Number(1), Key(0), NerdbankKey(0), ProtoMember(1), Id(0)] public List<string> Values { get; set; } = [];

    internal static Titles Japanese() => Of("吾輩は猫である。名前はまだ無い。");

    internal static Titles Accented() => Of("Où déjeune-t-on à Genève, près du château ?");

    internal static Titles Ascii() => Of("The quick brown fox jumps over the dog.");

    private static Titles Of(string text) => new() { Values = [.. Enumerable.Range(0, 50).Select(i => text[(i % 8)..])] };
}

/// <summary>Values that are the same in every run.</summary>
internal static class Sample
{
    internal static DateTime Date(int i) => new DateTime(2026, 1, 1, 8, 30, 0, DateTimeKind.Utc).AddHours(i).AddTicks(i * 10_000L);

    internal static Guid Guid(int i) => new(i * 7919, (short)i, (short)(i * 3), 1, 2, 3, 4, 5, 6, 7, (byte)i);

    internal static string Text(int length, int i) => string.Create(length, i, static (text, seed) =>
    {
        var random = new Random(seed);
        for (int k = 0; k < text.Length; k++)
            text[k] = (char)('a' + random.Next(26));
    });
}
