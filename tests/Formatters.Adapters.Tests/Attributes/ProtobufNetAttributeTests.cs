using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.IO;
using System.Linq;
using System.Runtime.Serialization;
using ProtoBuf;
using Xunit;

namespace Formatters.Adapters.Tests;

/// <summary>The attributes of protobuf-net that are obeyed, and those that are harmless, against protobuf-net itself.</summary>
public partial class ProtobufNetAttributeTests
{
    /// <summary>The rows of the table that a test here shows to be harmless.</summary>
    private static readonly List<string> Shown = [];

    [Fact]
    public void WhatIsHarmless_ChangesNoByte()
    {
        var none = new Plain { Id = -5, Name = "x", Rates = { [1] = 2 } };
        Harmless<Named, Plain>(new() { Id = -5, Name = "x", Rates = { [1] = 2 } }, none, "ProtoContract.Name", "ProtoContract.Origin", "ProtoContract.ImplicitFirstTag",
            "ProtoContract.IgnoreListHandling", "ProtoContract.SkipConstructor", "ProtoMap.", "ProtoMap.DisableMap", "ProtoConverter.");
        Harmless<Reserved, Plain>(new() { Id = -5, Name = "x", Rates = { [1] = 2 } }, none, "ProtoReserved.", "ProtoReserved.field", "ProtoReserved.from",
            "ProtoReserved.to", "ProtoReserved.comment", "ProtoModel.", "ProtoModel.AllowParseableTypes", "ProtoSerializable.", "ProtoSerializable.type");
        Harmless<WithNamedMode, WithMode>(new() { Mode = NamedMode.Second }, new() { Mode = Mode.Second }, "ProtoEnum.", "ProtoEnum.Name");
        Harmless<OfData, OfDataPlain>(new() { Id = 4, Count = 0 }, new() { Id = 4, Count = 0 });
        Assert.Empty(ForeignAttributes.All.Where(r => r.Status == ForeignStatus.Harmless && r.Attribute.StartsWith("ProtoBuf.", StringComparison.Ordinal))
            .Select(r => r.Attribute["ProtoBuf.".Length..].Replace("Attribute", "", StringComparison.Ordinal) + "." + r.Argument).Except(Shown));
    }

    [Fact]
    public void AnEmptyKeyOrValue_OfADictionary_IsReadByBoth()
    {
        Same(new Named { Rates = { [0] = 5, [1] = 0, [2] = -1 } });
        var texts = new Texts { Map = { [""] = "", ["a"] = "", ["b"] = "c" } };
        Assert.Equal(texts.Map, TheirRead<Texts>(OurWrite(texts)).Map);
        Assert.Equal(texts.Map, OurRead<Texts>(TheirWrite(texts)).Map);
    }

    [Fact]
    public void WhatIsObeyed_HasTheSameBytes()
    {
        Same(new Encoded { ZigZag = -3, Fixed = 7, FixedLong = -9, Twos = -1, Skipped = 8 });
        Same(new Encoded());
        Same(new Lists { Unpacked = [1, 2, 300], Packed = [1, 2, 300], Zig = [-1, 1, 70], Doubles = [1.5, 2.5], Names = ["a", "", "c"] });
        Same(new Wrapped { Numbers = [1, null, 0], Texts = ["a", null, ""], Parts = [new() { Id = 3 }, null] });
        Same(new Required { Number = 0, Missing = null, Part = new() { Id = 4 } });
        Same(new Defaults { Number = 0, IsOn = false, Name = "x" });
        Same(new Defaults { Number = 5, IsOn = true, Name = "y" });
        Same(new Private(5, "x"));
        Same(new OfDataPlain { Id = 4, Count = 9 });
        Same(new Both { Id = 1, No = 2 });
        Same(new OnlyProto { Id = 3, Other = 5 });
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(-7_777)]
    public void Level300_HasTheSameBytes(int seed)
    {
        var at = new DateTime(2020, 1, 1, 12, 30, 15, DateTimeKind.Utc).AddTicks(seed * 12_345_678L);
        Same(new Level300
        {
            At = at,
            For = TimeSpan.FromTicks((seed * 98_765_432L) + 1),
            Sum = seed / 100m,
            Id = new Guid(seed, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11),
            Day = DateOnly.FromDateTime(at),
            Time = TimeOnly.FromDateTime(at),
            Dates = [at, at.AddDays(1)],
            Sums = { ["a"] = 1.50m, ["b"] = -2 },
        });
        Same(new Level240 { At = at, For = TimeSpan.FromSeconds(seed + 0.5) });
        Same(new WellKnown { At = at, Sent = { [1] = 2 } });
        Same(new LevelOfMember { At = at, Id = Guid.Empty });
    }

    [Fact]
    public void Level200_IsReadAndWritten_WithUseBclTypes()
    {
        var options = new ProtobufOptions { UseBclTypes = true };
        var formatter = new ProtobufFormatter<Level200>(options);
        var value = new Level200 { At = new DateTime(2020, 1, 1), For = TimeSpan.FromHours(1), Sum = 1.5m, Id = Guid.Parse("00112233-4455-6677-8899-aabbccddeeff") };
        byte[] theirs = TheirWrite(value);
        Assert.Equal(theirs, formatter.Write(value));
        Level200 read = formatter.Read(theirs);
        Assert.Equal((value.At, value.For, value.Sum, value.Id), (read.At, read.For, read.Sum, read.Id));
        Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Level200>());
        Assert.Contains("UseBclTypes", Assert.Throws<ArgumentException>(() => new ProtobufFormatter<Level300>(options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Callbacks_AreThoseOfTheBaseLibrary()
    {
        Same(new Calling { Id = 5 });
        Assert.Equal(OurRead<Calling>(TheirWrite(new Calling { Id = 5 })).Calls, TheirRead<Calling>(TheirWrite(new Calling { Id = 5 })).Calls);
    }

    [Fact]
    public void AnEmptyPackedList_HasTheSameValue()
    {
        var value = new Lists { Packed = [], Unpacked = [7], Zig = [-2] };
        Assert.Equal(value.Zig, OurRead<Lists>(TheirWrite(value)).Zig);
        Assert.Empty(OurRead<Lists>(TheirWrite(value)).Packed);
        Assert.Empty(TheirRead<Lists>(OurWrite(value)).Packed);
        Assert.Equal(value.Zig, TheirRead<Lists>(OurWrite(value)).Zig);
    }

    private static void Harmless<T, TPlain>(T with, TPlain without, params string[] rows)
    {
        Assert.Equal(TheirWrite(without), TheirWrite(with));
        Same(with);
        Shown.AddRange(rows);
    }

    /// <summary>Compares the bytes of both libraries, generated and by reflection, and the values that each reads from the other.</summary>
    private static void Same<T>(T value)
    {
        byte[] theirs = TheirWrite(value);
        Assert.Equal(Convert.ToHexString(theirs), Convert.ToHexString(OurWrite(value)));
        Assert.Equal(theirs, new ProtobufFormatter<T>(new ProtobufOptions { UseGeneratedContract = false }).Write(value));
        Assert.Equal(theirs, ProtobufFormatter.Create<T>().Write(value));
        Assert.Equal(theirs, TheirWrite(OurRead<T>(theirs)));
        Assert.Equal(theirs, TheirWrite(new ProtobufFormatter<T>(new ProtobufOptions { UseGeneratedContract = false }).Read(theirs)));
        Assert.Equal(theirs, OurWrite(TheirRead<T>(theirs)));
    }

    private static byte[] OurWrite<T>(T value) => new ProtobufFormatter<T>().Write(value);

    private static T OurRead<T>(byte[] body) => new ProtobufFormatter<T>().Read(body);

    private static byte[] TheirWrite<T>(T value)
    {
        using var stream = new MemoryStream();
        Serializer.Serialize(stream, value);
        return stream.ToArray();
    }

    private static T TheirRead<T>(byte[] body) => Serializer.Deserialize<T>(new MemoryStream(body));

    public enum Mode { First, Second }

    [ProtoContract(Name = "modes")]
    public enum NamedMode
    {
        [ProtoEnum] First,
        [ProtoEnum(Name = "two")] Second,
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Plain
    {
        [ProtoMember(1)] public int Id { get; set; }
        [ProtoMember(2)] public string? Name { get; set; }
        [ProtoMember(3)] public Dictionary<int, int> Rates { get; set; } = [];
    }

    [ProtoContract(Name = "other", Origin = "a.proto", ImplicitFirstTag = 7, IgnoreListHandling = true, SkipConstructor = true)]
    [MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Named
    {
        [ProtoMember(1, Name = "number")] public int Id { get; set; }
        [ProtoMember(2)] public string? Name { get; set; }
        [ProtoMember(3), ProtoMap(DisableMap = true)] public Dictionary<int, int> Rates { get; set; } = [];

        [ProtoConverter] public static Plain To(Named value) => new() { Id = value.Id };
    }

    [ProtoContract, ProtoReserved(7), ProtoReserved(10, 12, "old"), ProtoReserved("gone"), ProtoModel(AllowParseableTypes = true), ProtoSerializable(typeof(Plain))]
    [MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Reserved
    {
        [ProtoMember(1)] public int Id { get; set; }
        [ProtoMember(2)] public string? Name { get; set; }
        [ProtoMember(3), ProtoMap] public Dictionary<int, int> Rates { get; set; } = [];
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class WithMode { [ProtoMember(1)] public Mode Mode { get; set; } }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class WithNamedMode { [ProtoMember(1)] public NamedMode Mode { get; set; } }

    [DataContract(Name = "data", Namespace = "urn:x"), KnownType(typeof(Plain)), MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class OfData
    {
        [DataMember(Order = 1, Name = "n", EmitDefaultValue = false)] public int Id { get; set; }
        [DataMember(Order = 2, EmitDefaultValue = false)] public int Count { get; set; }
    }

    [DataContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class OfDataPlain
    {
        [DataMember(Order = 1)] public int Id { get; set; }
        [DataMember(Order = 2)] public int Count { get; set; }
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Texts { [ProtoMember(1)] public Dictionary<string, string> Map { get; set; } = []; }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Encoded
    {
        [ProtoMember(1, DataFormat = DataFormat.ZigZag)] public int ZigZag { get; set; }
        [ProtoMember(2, DataFormat = DataFormat.FixedSize)] public uint Fixed { get; set; }
        [ProtoMember(3, DataFormat = DataFormat.FixedSize)] public long FixedLong { get; set; }
        [ProtoMember(4, DataFormat = DataFormat.TwosComplement)] public int Twos { get; set; }
        [ProtoIgnore] public int Skipped { get; set; }
        public int Unnumbered { get; set; }
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Lists
    {
        [ProtoMember(1, IsPacked = false)] public List<int> Unpacked { get; set; } = [];
        [ProtoMember(2, IsPacked = true, OverwriteList = true)] public List<int> Packed { get; set; } = [];
        [ProtoMember(3, IsPacked = true, DataFormat = DataFormat.ZigZag)] public int[] Zig { get; set; } = [];
        [ProtoMember(4, Options = MemberSerializationOptions.Packed | MemberSerializationOptions.OverwriteList)] public List<double> Doubles { get; set; } = [];
        [ProtoMember(5)] public List<string> Names { get; set; } = [];
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Part { [ProtoMember(1)] public int Id { get; set; } }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Wrapped
    {
        [ProtoMember(1), NullWrappedValue] public List<int?> Numbers { get; set; } = [];
        [ProtoMember(2), NullWrappedValue] public List<string?> Texts { get; set; } = [];
        [ProtoMember(3), NullWrappedValue] public List<Part?> Parts { get; set; } = [];
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Required
    {
        [ProtoMember(1, IsRequired = true)] public int? Number { get; set; }
        [ProtoMember(2, IsRequired = true)] public string? Missing { get; set; }
        [ProtoMember(3, IsRequired = true)] public Part Part { get; set; } = new();
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Defaults
    {
        [ProtoMember(1), DefaultValue(0)] public int Number { get; set; }
        [ProtoMember(2), DefaultValue(false)] public bool IsOn { get; set; }
        [ProtoMember(3), DefaultValue("")] public string Name { get; set; } = "";
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Private
    {
        [ProtoMember(1), MessageMember(1)] private int _id;

        public Private() { }

        public Private(int id, string name) => (_id, Name) = (id, name);

        [ProtoMember(2), MessageMember(2)] public string? Name { get; private set; }

        public int Id() => _id;
    }

    [ProtoContract, DataContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Both
    {
        [ProtoMember(1), DataMember(Order = 9)] public int Id { get; set; }
        [DataMember(Order = 2)] public int No { get; set; }
    }

    [ProtoContract(UseProtoMembersOnly = true), MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class OnlyProto
    {
        [ProtoMember(1)] public int Id { get; set; }
        public int Other { get; set; }
    }

    [ProtoContract, CompatibilityLevel(CompatibilityLevel.Level300), MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Level300
    {
        [ProtoMember(1)] public DateTime At { get; set; }
        [ProtoMember(2)] public TimeSpan For { get; set; }
        [ProtoMember(3)] public decimal Sum { get; set; }
        [ProtoMember(4)] public Guid Id { get; set; }
        [ProtoMember(5)] public DateOnly Day { get; set; }
        [ProtoMember(6)] public TimeOnly Time { get; set; }
        [ProtoMember(7)] public List<DateTime> Dates { get; set; } = [];
        [ProtoMember(8)] public Dictionary<string, decimal> Sums { get; set; } = [];
    }

    [ProtoContract, CompatibilityLevel(CompatibilityLevel.Level240), MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Level240
    {
        [ProtoMember(1)] public DateTime At { get; set; }
        [ProtoMember(2)] public TimeSpan For { get; set; }
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class WellKnown
    {
        [ProtoMember(1, DataFormat = DataFormat.WellKnown)] public DateTime At { get; set; }
        [ProtoMember(2)] public Dictionary<int, int> Sent { get; set; } = [];
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class LevelOfMember
    {
        [ProtoMember(1), CompatibilityLevel(CompatibilityLevel.Level240)] public DateTime At { get; set; }
        [ProtoMember(2), CompatibilityLevel(CompatibilityLevel.Level300)] public Guid Id { get; set; }
    }

    [ProtoContract]
    public partial class Level200
    {
        [ProtoMember(1)] public DateTime At { get; set; }
        [ProtoMember(2)] public TimeSpan For { get; set; }
        [ProtoMember(3)] public decimal Sum { get; set; }
        [ProtoMember(4)] public Guid Id { get; set; }
    }

    [ProtoContract, MessageContract(Formats = ContractFormats.Protobuf)]
    public partial class Calling
    {
        [ProtoMember(1)] public int Id { get; set; }

        public string Calls { get; private set; } = "";

        [OnSerializing, ProtoBeforeSerialization] private void Before() => Id = 7;

        [OnDeserialized] private void After() => Calls += Id;
    }
}
