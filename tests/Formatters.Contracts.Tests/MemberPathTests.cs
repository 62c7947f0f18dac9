using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Runtime.Serialization;
using System.Text;
using System.Text.Json.Serialization;
using System.Xml.Serialization;
using Formatters.Binary;
using Formatters.Protobuf;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>One rule for <see cref="MessageFormatException.MemberPath"/> in all wire formats, generated and by reflection.</summary>
public class MemberPathTests
{
    private static readonly (string Name, MessageFormatter<PathShelf> Formatter)[] Shelves = AllFormats.Of<PathShelf>(typeof(PathContracts));

    private static readonly (string Name, MessageFormatter<PathWall> Formatter)[] Walls = AllFormats.Of<PathWall>(typeof(PathContracts));

    private static readonly (string Name, MessageFormatter<List<PathBox>> Formatter)[] Lists =
        [.. AllFormats.Of<List<PathBox>>(typeof(PathContracts)), ("XML", new XmlFormatter<List<PathBox>>(PathContracts.Boxes))];

    public static TheoryData<string> Places => [.. PathShelf.Places.Keys];

    [Theory]
    [MemberData(nameof(Places))]
    public void Read_AValueThatASetterRefuses_HasOnePathInAllFormats(string path)
    {
        foreach ((string name, MessageFormatter<PathShelf> formatter) in Shelves)
        {
            var shelf = new PathShelf();
            PathShelf.Places[path](shelf, new PathBox { Value = PathBox.Refused });
            byte[] body = formatter.Write(shelf);
            MessageFormatException error = PathBox.Refusing(() => formatter.Read(body));
            Assert.Equal((name, MessageFormatErrorCode.BadValue, path + ".Value"), (name, error.Code, error.MemberPath));
        }
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void Write_ANullThatTheContractDoesNotDeclare_HasOnePathInAllFormats(string path)
    {
        foreach ((string name, MessageFormatter<PathShelf> formatter) in Shelves)
        {
            var shelf = new PathShelf();
            PathShelf.Places[path](shelf, new PathBox { Name = null! });
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Write(shelf));
            Assert.Equal((name, MessageFormatErrorCode.UnexpectedNull, path + ".Name"), (name, error.Code, error.MemberPath));
        }
    }

    [Fact]
    public void Read_AValueThatAFormatterRefuses_HasOnePathInAllFormats()
    {
        foreach ((string path, PathWall wall) in PathWall.Places)
        {
            foreach ((string name, MessageFormatter<PathWall> formatter) in Walls)
            {
                byte[] body = formatter.Write(wall);
                MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
                Assert.Equal((name, MessageFormatErrorCode.BadValue, path, typeof(InvalidOperationException)), (name, error.Code, error.MemberPath, error.InnerException?.GetType()));
            }
        }
    }

    [Fact]
    public void Read_AValueThatACodecRefuses_HasOnePathGeneratedAndByReflection()
    {
        foreach ((string path, PathHeap heap) in PathHeap.Places)
        {
            foreach (var formatter in new[] { new ProtobufFormatter<PathHeap>(PathContracts.PathHeap), new ProtobufFormatter<PathHeap>() })
            {
                byte[] body = formatter.Write(heap);
                MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
                Assert.Equal((MessageFormatErrorCode.BadValue, path, typeof(InvalidOperationException)), (error.Code, error.MemberPath, error.InnerException?.GetType()));
            }
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void Read_WhatIsTooDeep_HasOnePathAndPlaceGeneratedAndByReflection(int maxDepth)
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxDepth = maxDepth };
        foreach ((string name, MessageFormatter<PathShelf> unlimited, Func<MessageFormatter<PathShelf>> generated, Func<MessageFormatter<PathShelf>> reflection) in
            new (string, MessageFormatter<PathShelf>, Func<MessageFormatter<PathShelf>>, Func<MessageFormatter<PathShelf>>)[]
            {
                ("MessagePack", new MessagePackFormatter<PathShelf>(), () => new MessagePackFormatter<PathShelf>(PathContracts.PathShelf, new MessagePackOptions { Limits = limits }), () => new MessagePackFormatter<PathShelf>(new MessagePackOptions { Limits = limits })),
                ("CBOR", new CborFormatter<PathShelf>(), () => new CborFormatter<PathShelf>(PathContracts.PathShelf, new CborOptions { Limits = limits }), () => new CborFormatter<PathShelf>(new CborOptions { Limits = limits })),
                ("compact", new CompactFormatter<PathShelf>(), () => new CompactFormatter<PathShelf>(PathContracts.PathShelf, new CompactOptions { Limits = limits }), () => new CompactFormatter<PathShelf>(new CompactOptions { Limits = limits })),
                ("RESP3", new CustomFormatter<PathShelf, OwnFormat.Resp3>(), () => new CustomFormatter<PathShelf, OwnFormat.Resp3>(PathContracts.PathShelf, new CustomFormatOptions { Limits = limits }), () => new CustomFormatter<PathShelf, OwnFormat.Resp3>(new CustomFormatOptions { Limits = limits })),
            })
        {
            int refusedCount = 0;
            foreach (PathShelf inner in PathShelf.Places.Values.Select(place => Put(place, new PathShelf())))
            {
                byte[] body = unlimited.Write(new PathShelf { Shelves = [new(), inner] });
                (MessageFormatErrorCode, long, string?)[] errors = [.. new[] { generated(), reflection() }
                    .Select(formatter => (MessageFormatException?)Record.Exception(() => formatter.Read(body))).Select(e => e is null ? default : (e.Code, e.ByteOffset, e.MemberPath))];
                Assert.Equal((name, errors[0]), (name, errors[1]));
                refusedCount += errors[0].Item1 == MessageFormatErrorCode.DepthExceeded ? 1 : 0;
            }

            Assert.InRange(refusedCount, maxDepth < 4 ? PathShelf.Places.Count : 1, PathShelf.Places.Count);
        }

        static PathShelf Put(Action<PathShelf, PathBox> place, PathShelf shelf)
        {
            place(shelf, new PathBox());
            return shelf;
        }
    }

    [Theory]
    [MemberData(nameof(Places))]
    public void Write_AnObjectOfADerivedClass_IsAnErrorInAllFormats(string path)
    {
        foreach ((string name, MessageFormatter<PathShelf> formatter) in Shelves)
        {
            var shelf = new PathShelf();
            PathShelf.Places[path](shelf, new PathAny());
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Write(shelf));
            Assert.Equal((name, MessageFormatErrorCode.TypeNotAllowed, path, -1L, false), (name, error.Code, error.MemberPath, error.ByteOffset, error.IsPoison));
            Assert.StartsWith("The object is of the type PathAny; PathBox is declared,", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Write_AnElementOfADerivedClass_IsAnErrorInAllFormats()
    {
        foreach ((string name, MessageFormatter<List<PathBox>> formatter) in Lists)
        {
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => formatter.Write([new(), new PathAny()]));
            Assert.Equal((name, MessageFormatErrorCode.TypeNotAllowed, "List<PathBox>[1]"), (name, error.Code, error.MemberPath));
        }

#if !FORMATTERS_NETSTANDARD
        MessageFormatException json = Assert.Throws<MessageFormatException>(() => new JsonFormatter<PathPile>().Write(new() { Boxes = [new(), new PathAny()] }));
        Assert.Equal((MessageFormatErrorCode.TypeNotAllowed, "PathPile"), (json.Code, json.MemberPath));
#endif
    }

    [Fact]
    public void Root_IsNamedAsInCode()
    {
        foreach ((string name, MessageFormatter<List<PathBox>> formatter) in Lists)
        {
            byte[] body = formatter.Write([new(), new() { Value = PathBox.Refused }]);
            Assert.Equal((name, "List<PathBox>[1].Value"), (name, PathBox.Refusing(() => formatter.Read(body)).MemberPath));
        }

#if !FORMATTERS_NETSTANDARD
        Assert.Equal("List<PathBox>[1].Value", Assert.Throws<MessageFormatException>(() => new JsonFormatter<List<PathBox>>().Read("""[{},{"v":"x"}]"""u8)).MemberPath);
        Assert.Equal("List<PathBox>[].Name", Assert.Throws<MessageFormatException>(() => new JsonFormatter<List<PathBox>>().Write([new() { Name = null! }])).MemberPath);
#endif
    }

#if !FORMATTERS_NETSTANDARD
    [Theory]
    [InlineData("""{"boxes":[{},{"v":"x"}]}""", "PathPile.Boxes[1].Value")]
    [InlineData("""{"ByName":{"secret":{"v":"x"}}}""", "PathPile.ByName[key].Value")]
    [InlineData("""{"ByName":{"secret's.v":{"v":"x"}}}""", "PathPile.ByName[key].Value")]
    [InlineData("""{"Lists":{"secret":[[],[{},{"v":"x"}]]}}""", "PathPile.Lists[key][1][1].Value")]
    [InlineData("""{"Any":{"$type":"r","Inner":{"v":"x"}}}""", "PathPile.Any.Inner.Value")]
    [InlineData("""{"Maybe":{"Number":"x"}}""", "PathPile.Maybe.Number")]
    [InlineData("""{"unknown":{"secret":x}}""", "PathPile")]
    public void Json_NamesMembersAsInTheSource_AndNoContent(string body, string path)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(() => new JsonFormatter<PathPile>().Read(Encoding.UTF8.GetBytes(body)));
        Assert.Equal(path, error.MemberPath);
        Assert.DoesNotContain("secret", error.Message, StringComparison.Ordinal);
    }
#endif

    [Theory]
    [InlineData("<Boxes><PathBox/><PathBox><V>x</V></PathBox></Boxes>", "PathXml.Boxes[1].Value")]
    [InlineData("<Loose/><Loose><V>x</V></Loose>", "PathXml.Flat[1].Value")]
    [InlineData("<Other><V>x</V></Other>", "PathXml.Spare.Value")]
    [InlineData("<Price currency='x'>1</Price>", "PathXml.Price.Currency")]
    [InlineData("<Price currency='1'>x</Price>", "PathXml.Price.Amount")]
    [InlineData("<Several><int>1</int><int>x</int></Several>", "PathXml.Numbers[1]")]
    public void Xml_NamesMembersAsInTheSource(string content, string path)
    {
        byte[] body = Encoding.UTF8.GetBytes($"<shelf>{content}</shelf>");
        Assert.Equal(path, Assert.Throws<MessageFormatException>(() => new XmlFormatter<PathXml>(PathContracts.PathXml).Read(body)).MemberPath);
    }

    [Fact]
    public void Xml_WhatIsNotWritten_NamesMembersAsInTheSource()
    {
        const string BadText = "\uD800";
        AssertPath("PathXml.Boxes[1].Name", new PathXml { Boxes = [new(), new() { Name = BadText }] });
        AssertPath("PathXml.Flat[1].Name", new PathXml { Flat = [new(), new() { Name = BadText }] });
        AssertPath("PathXml.Spare.Name", new PathXml { Spare = new() { Name = BadText } });
        AssertPath("PathXml.Price.Unit", new PathXml { Price = new() { Unit = BadText } });
        AssertPath("PathXml.Objects[1]", new PathXml { Objects = [1, "x"] });
        AssertPath("PathXml.Any", new PathXml { Any = new PathAny() });
        AssertPath("PathXml.Last", new PathXml { Spare = new(), Last = BadText });
        AssertPath("PathXml.Last", new PathXml { Text = null!, Last = BadText });

        static void AssertPath(string path, PathXml value) =>
            Assert.Equal(path, Assert.Throws<MessageFormatException>(() => new XmlFormatter<PathXml>(PathContracts.PathXml).Write(value)).MemberPath);
    }

    [Fact]
    public void Legacy_BeginsWithTheRecord()
    {
        var formatter = new LegacyBinaryFormatter<PathLegacy<int>>();
        byte[] body = formatter.Write(new() { Name = "name", Items = ["one", "two"] });
        Assert.Equal("PathLegacy<int>.Name", Damage("name").MemberPath);
        Assert.Equal("string[]", Damage("two").MemberPath);
        Assert.Equal("PathLegacy<int>.Handler", Assert.Throws<MessageFormatException>(() => formatter.Write(new() { Handler = new PathBox() })).MemberPath);

        MessageFormatException Damage(string text)
        {
            byte[] damaged = [.. body];
            damaged[body.AsSpan().LastIndexOf(Encoding.UTF8.GetBytes(text))] = 0xFF;
            return Assert.Throws<MessageFormatException>(() => formatter.Read(damaged));
        }
    }
}

[MessageContractFor(typeof(PathShelf), Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
[MessageContractFor(typeof(List<PathBox>), Name = "Boxes", Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Xml)]
[MessageContractFor(typeof(PathWall), Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
[MessageContractFor(typeof(PathHeap), Formats = ContractFormats.Protobuf)]
[MessageContractFor(typeof(PathXml), Formats = ContractFormats.Xml)]
internal static partial class PathContracts;

#pragma warning disable FMT128 // Tests put an object of the derived class everywhere.
public class PathShelf
{
    internal static readonly Dictionary<string, Action<PathShelf, PathBox>> Places = new()
    {
        ["PathShelf.Spare"] = (s, b) => s.Spare = b,
        ["PathShelf.Boxes[1]"] = (s, b) => s.Boxes = [new(), b],
        ["PathShelf.More[2]"] = (s, b) => s.More = [new(), new(), b],
        ["PathShelf.ByName[1]"] = (s, b) => s.ByName = new() { ["a"] = new(), ["b"] = b },
        ["PathShelf.Shelves[0].Boxes[1]"] = (s, b) => s.Shelves = [new() { Boxes = [new(), b] }],
        ["PathShelf.Any.Inner"] = (s, b) => s.Any = new PathCase { Inner = b },
        ["PathShelf.Pair.Item2"] = (s, b) => s.Pair = (1, b),
        ["PathShelf.Sorted[1]"] = (s, b) => s.Sorted = new() { ["a"] = new(), ["b"] = b },
        ["PathShelf.Immutable[1]"] = (s, b) => s.Immutable = s.Immutable.Add("a", new()).Add("b", b),
    };

    [MessageMember(1)]
    [DataMember(Name = "spare")]
    public PathBox? Spare { get; set; }

    [MessageMember(2, Name = "boxes")]
    public List<PathBox> Boxes { get; set; } = [];

    [MessageMember(3)]
    public PathBox[] More { get; set; } = [];

    [MessageMember(4)]
    public Dictionary<string, PathBox> ByName { get; set; } = [];

    [MessageMember(5)]
    public List<PathShelf> Shelves { get; set; } = [];

    [MessageMember(6)]
    public PathBase? Any { get; set; }

    [MessageMember(7)]
    public (int Number, PathBox Box) Pair { get; set; } = (0, new());

    [MessageMember(8)]
    public SortedDictionary<string, PathBox> Sorted { get; set; } = [];

    [MessageMember(9)]
    public ImmutableSortedDictionary<string, PathBox> Immutable { get; set; } = ImmutableSortedDictionary<string, PathBox>.Empty;
}

public class PathBox
{
    internal const int Refused = 13;

    [ThreadStatic]
    private static bool s_isRefusing;

    private int _value;

    [MessageMember(1)]
    public string Name { get; set; } = "";

    [MessageMember(2)]
    [JsonPropertyName("v"), XmlElement("V")]
    public int Value
    {
        get => _value;
        set => _value = s_isRefusing && value == Refused ? throw new ArgumentOutOfRangeException(nameof(value)) : value;
    }

    internal static MessageFormatException Refusing(Action read)
    {
        s_isRefusing = true;
        try
        {
            return Assert.Throws<MessageFormatException>(read);
        }
        finally
        {
            s_isRefusing = false;
        }
    }
}

public class PathHeap
{
    internal static readonly (string Path, PathHeap Heap)[] Places =
    [
        ("PathHeap.Pebble", new() { Pebble = PathPebble.Refused }),
        ("PathHeap.Row[1]", new() { Row = [default, PathPebble.Refused] }),
        ("PathHeap.Rows[1][2]", new() { Rows = [[], [default, default, PathPebble.Refused]] }),
        ("PathHeap.Array[1]", new() { Array = [default, PathPebble.Refused] }),
        ("PathHeap.ByName[1]", new() { ByName = new() { ["a"] = default, ["b"] = PathPebble.Refused } }),
    ];

    [MessageMember(1)]
    public PathPebble Pebble { get; set; }

    [MessageMember(2)]
    public List<PathPebble> Row { get; set; } = [];

    [MessageMember(3)]
    public List<List<PathPebble>> Rows { get; set; } = [];

    [MessageMember(4)]
    public PathPebble[] Array { get; set; } = [];

    [MessageMember(5)]
    public Dictionary<string, PathPebble> ByName { get; set; } = [];
}

[MemberCodec(typeof(PathPebbleCodec))]
public readonly record struct PathPebble(int Weight)
{
    internal static PathPebble Refused { get; } = new(13);
}

public sealed class PathPebbleCodec : ProtobufCodec<PathPebble>
{
    public override void Write(ref ProtobufBodyWriter writer, PathPebble value)
    {
        writer.WriteTag(1, ProtobufWireType.Varint);
        writer.WriteInt32(value.Weight);
    }

    public override PathPebble Read(ref ProtobufBodyReader reader, PathPebble existing = default, bool merges = false)
    {
        var value = default(PathPebble);
        while (reader.TryReadTag(out _, out _))
            value = new PathPebble(reader.ReadInt32());
        return value != PathPebble.Refused ? value : throw new InvalidOperationException();
    }
}

public class PathWall
{
    internal static readonly (string Path, PathWall Wall)[] Places =
    [
        ("PathWall.Stone", new() { Stone = PathStone.Refused }),
        ("PathWall.Row[1]", new() { Row = [default, PathStone.Refused] }),
        ("PathWall.Rows[1][2]", new() { Rows = [[], [default, default, PathStone.Refused]] }),
        ("PathWall.Array[1]", new() { Array = [default, PathStone.Refused] }),
        ("PathWall.Grid[3]", new() { Grid = new[,] { { default, default }, { default, PathStone.Refused } } }),
        ("PathWall.ByName[1]", new() { ByName = new() { ["a"] = default, ["b"] = PathStone.Refused } }),
        ("PathWall.Stack[1]", new() { Stack = new([PathStone.Refused, default]) }),
        ("PathWall.Objects[1]", new() { Objects = [default(PathStone), PathStone.Refused] }),
        ("PathWall.Pair.Item2", new() { Pair = (1, PathStone.Refused) }),
    ];

    [MessageMember(1)]
    public PathStone Stone { get; set; }

    [MessageMember(2)]
    public List<PathStone> Row { get; set; } = [];

    [MessageMember(3)]
    public List<List<PathStone>> Rows { get; set; } = [];

    [MessageMember(4)]
    public PathStone[] Array { get; set; } = [];

    [MessageMember(5)]
    public PathStone[,] Grid { get; set; } = new PathStone[0, 0];

    [MessageMember(6)]
    public Dictionary<string, PathStone> ByName { get; set; } = [];

    [MessageMember(7)]
    public Stack<PathStone> Stack { get; set; } = [];

    [MessageMember(8), ElementType(typeof(PathStone))]
    public ArrayList Objects { get; set; } = [];

    [MessageMember(9)]
    public (int Number, PathStone Stone) Pair { get; set; }
}

[MemberCodec(typeof(PathStoneFormatter))]
public readonly record struct PathStone(int Weight)
{
    internal static PathStone Refused { get; } = new(13);
}

public sealed class PathStoneFormatter : BinaryCodec<PathStone>
{
    public override int MinByteCount => 4;

    public override void Write(ref BinaryBodyWriter writer, PathStone value) => writer.Write(value.Weight);

    public override PathStone Read(ref BinaryBodyReader reader, PathStone existing) =>
        reader.ReadInt32() is int weight && weight == PathStone.Refused.Weight ? throw new InvalidOperationException() : new PathStone(weight);
}

[MessageUnion(1, typeof(PathCase))]
[JsonDerivedType(typeof(PathCase), "r")]
[XmlInclude(typeof(PathCase))]
public abstract class PathBase;

public class PathCase : PathBase
{
    [MessageMember(1)]
    public PathBox Inner { get; set; } = new();
}

public class PathPile
{
    [JsonPropertyName("boxes")]
    public List<PathBox> Boxes { get; set; } = [];

    public Dictionary<string, PathBox> ByName { get; set; } = [];

    public Dictionary<string, List<List<PathBox>>> Lists { get; set; } = [];

    public PathBase? Any { get; set; }

    public PathPoint? Maybe { get; set; }
}

public struct PathPoint
{
    public int Number { get; set; }
}

[XmlRoot("shelf")]
public class PathXml
{
    public List<PathBox> Boxes { get; set; } = [];

    [XmlElement("Loose")]
    public List<PathBox> Flat { get; set; } = [];

    [XmlElement("Other")]
    public PathBox? Spare { get; set; }

    public PathPrice? Price { get; set; }

    [XmlArray("Several")]
    public int[] Numbers { get; set; } = [];

    [XmlArrayItem(typeof(int))]
    public ArrayList Objects { get; set; } = [];

    public PathBox? Any { get; set; }

    [XmlElement("text")]
    public string Text { get; set; } = "";

    public string Last { get; set; } = "";
}

public class PathAny : PathBox;

public class PathPrice
{
    [XmlAttribute("currency")]
    public int Currency { get; set; }

    [XmlAttribute("unit")]
    public string Unit { get; set; } = "";

    [XmlText]
    public decimal Amount { get; set; }
}

[Serializable]
public class PathLegacy<T>
{
    public string Name { get; set; } = "";

    public string[] Items { get; set; } = [];

    public T? Value { get; set; }

    public object? Handler { get; set; }
}
