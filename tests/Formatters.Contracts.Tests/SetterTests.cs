using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Setters that copy, add to, or compute from what they get: nothing is lost and nothing comes twice, also where the object existed before.</summary>
public class SetterTests
{
    public static TheoryData<string> Formats =>
    [
        "binary", "binary, reflection", "versioned", "versioned, reflection", "MessagePack", "MessagePack, reflection", "CBOR", "CBOR, reflection",
        "compact", "compact, reflection", "RESP3", "RESP3, reflection", "protobuf", "protobuf, reflection",
    ];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Setters_GetEveryValueOnce(string format)
    {
        MessageFormatter<Setters> formatter = Formatter(format);
        Setters existing = formatter.Read(formatter.Write(Setters.Create(3)));
        foreach (int count in new[] { 3, 3, 5, 2, 0, 1, 4 })
        {
            Setters value = Setters.Create(count);
            byte[] body = formatter.Write(value);
            Assert.Equal(value.ToString(), formatter.Read(body).ToString());
            formatter.Read(body, ref existing);
            Assert.Equal(value.ToString(), existing.ToString());
        }
    }

    [Theory]
    [InlineData("protobuf")]
    [InlineData("protobuf, reflection")]
    public void Setters_OfAMessageInParts_GetEveryValueOnce(string format)
    {
        MessageFormatter<SetterOwner> formatter = OwnerFormatter(format);
        var existing = new SetterOwner { Value = Setters.Create(2) };
        foreach ((int first, int second) in new[] { (2, 3), (0, 2), (2, 0), (3, 1) })
        {
            Setters[] parts = [Setters.Create(first), Setters.Create(second)];
            byte[] body = [.. parts.SelectMany(part => formatter.Write(new SetterOwner { Value = part }))];
            var expected = Setters.Create(second);
            expected.Copied = [.. parts.SelectMany(part => part.Copied)];
            expected.Computed = [.. parts.SelectMany(part => part.Computed)];
            expected.CopiedLines = [.. parts.SelectMany(part => part.CopiedLines)];
            expected.CopiedArray = [.. parts.SelectMany(part => part.CopiedArray)];
            Setters[] read = [formatter.Read(body).Value, Over()];
            foreach (Setters value in read)
            {
                Assert.Equal(expected.Copied, value.Copied);
                Assert.Equal(expected.Copied, value.Added);
                Assert.Equal(expected.Copied, value.GotCopy);
                Assert.Equal(expected.Computed, value.Computed);
                Assert.Equal(expected.Sum, value.Sum);
                Assert.Equal(expected.CopiedArray, value.CopiedArray);
                Assert.Equal(expected.CopiedLines.Select(line => line.Number), value.CopiedLines.Select(line => line.Number));
                Assert.Equal(Setters.Create(Math.Max(first, second)).CopiedMap, value.CopiedMap);
            }

            Setters Over()
            {
                formatter.Read(body, ref existing);
                return existing.Value;
            }
        }
    }

    [Theory]
    [InlineData("versioned")]
    [InlineData("versioned, reflection")]
    [InlineData("MessagePack")]
    [InlineData("MessagePack, reflection")]
    [InlineData("CBOR")]
    [InlineData("CBOR, reflection")]
    [InlineData("compact")]
    [InlineData("compact, reflection")]
    public void Setters_OfMembersThatTheBodyLacks_GetTheValueOfANewObject(string format)
    {
        byte[] body = EarlierFormatter(format).Write(new EarlierSetters { Copied = [7] });
        Setters existing = Setters.Create(3);
        Formatter(format).Read(body, ref existing);
        var expected = new Setters { Copied = [7] };
        Assert.Equal(expected.ToString(), existing.ToString());
    }

    /// <summary>A setter that adds gets an existing ArrayList empty; an array that a setter has copied stays as it is.</summary>
    [Theory]
    [FormatsOf<ListSetters>]
    public void Setters_OfAnArrayListAndOfAnArray_FindWhatWasThere(string name)
    {
        MessageFormatter<ListSetters> formatter = AllFormats.Of<ListSetters>(name);
        ListSetters existing = formatter.Read(formatter.Write(new ListSetters { Items = { 1, 2 }, Numbers = [1, 2] }));
        int[] before = existing.Numbers;
        formatter.Read(formatter.Write(new ListSetters { Items = { 3, 4, 5 }, Numbers = [3, 4, 5] }), ref existing);
        Assert.Equal((name, "3 4 5"), (name, string.Join(' ', existing.Items.Cast<int>())));
        Assert.Equal((name, "3 4 5"), (name, string.Join(' ', existing.Numbers)));
        Assert.Equal((name, "1 2"), (name, string.Join(' ', before)));
    }

    private static MessageFormatter<Setters> Formatter(string format) => AllFormats.Of<Setters>(format);

    private static MessageFormatter<EarlierSetters> EarlierFormatter(string format) => AllFormats.Of<EarlierSetters>(format.Split(',')[0]);

    private static MessageFormatter<SetterOwner> OwnerFormatter(string format) => format == "protobuf"
        ? new ProtobufFormatter<SetterOwner>(SetterOwner.MessageContract) : new ProtobufFormatter<SetterOwner>(ByReflection.Protobuf);
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class SetterOwner
{
    [MessageMember(1)] public Setters Value { get; set; } = new();
}

[MessageContract(Formats = ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class EarlierSetters
{
    [MessageMember(1)] public List<int> Copied { get; set; } = [];
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Setters
{
    private readonly List<int> _copied = [];
    private readonly List<int> _added = [];
    private readonly List<SetterLine> _copiedLines = [];
    private readonly Dictionary<string, int> _copiedMap = [];
    private readonly Dictionary<int, SetterLine> _addedMap = [];
    private readonly HashSet<int> _copiedSet = [];
    private readonly Queue<int> _copiedQueue = new();
    private readonly Stack<int> _addedStack = new();
    private readonly SetterLine _line = new();
    private readonly List<int> _interface = [];
    private readonly List<int> _addedNullable = [];
    private int[] _copiedArray = [];
    private byte[] _bytes = [];
    private List<int> _gotCopy = [];
    private List<int> _computed = [];
    private string _text = "";
    private SetterPoint _point = new() { Items = [] };

    [MessageMember(1)]
    public List<int> Copied
    {
        get => _copied;
        set
        {
            _copied.Clear();
            _copied.AddRange(value);
        }
    }

    [MessageMember(2)]
    public List<int> Added
    {
        get => _added;
        set => _added.AddRange(value);
    }

    [MessageMember(3)]
    public List<SetterLine> CopiedLines
    {
        get => _copiedLines;
        set
        {
            _copiedLines.Clear();
            _copiedLines.AddRange(value);
        }
    }

    [MessageMember(4)]
    public Dictionary<string, int> CopiedMap
    {
        get => _copiedMap;
        set
        {
            _copiedMap.Clear();
            foreach (KeyValuePair<string, int> entry in value)
                _copiedMap.Add(entry.Key, entry.Value);
        }
    }

    [MessageMember(5)]
    public Dictionary<int, SetterLine> AddedMap
    {
        get => _addedMap;
        set
        {
            foreach (KeyValuePair<int, SetterLine> entry in value)
                _addedMap.Add(entry.Key, entry.Value);
        }
    }

    [MessageMember(6)]
    public HashSet<int> CopiedSet
    {
        get => _copiedSet;
        set
        {
            _copiedSet.Clear();
            _copiedSet.UnionWith(value);
        }
    }

    [MessageMember(7)]
    public Queue<int> CopiedQueue
    {
        get => _copiedQueue;
        set
        {
            _copiedQueue.Clear();
            foreach (int item in value)
                _copiedQueue.Enqueue(item);
        }
    }

    [MessageMember(8)]
    public Stack<int> AddedStack
    {
        get => _addedStack;
        set
        {
            foreach (int item in value.Reverse())
                _addedStack.Push(item);
        }
    }

    [MessageMember(9)]
    public SetterLine Line
    {
        get => _line;
        set
        {
            _line.Number = 0;
            _line.Tags.Clear();
            _line.Number = value.Number;
            _line.Tags.AddRange(value.Tags);
        }
    }

    [MessageMember(10)]
    public IList<int> Interface
    {
        get => _interface;
        set
        {
            _interface.Clear();
            _interface.AddRange(value);
        }
    }

    [MessageMember(11)]
    public List<int>? AddedNullable
    {
        get => _addedNullable;
        set
        {
            if (value is not null)
                _addedNullable.AddRange(value);
        }
    }

    [MessageMember(12)]
    public int[] CopiedArray
    {
        get => _copiedArray;
        set
        {
            Array.Clear(_copiedArray, 0, _copiedArray.Length);
            _copiedArray = [.. value];
        }
    }

    [MessageMember(13)]
    public byte[] Bytes
    {
        get => _bytes;
        set
        {
            Array.Clear(_bytes, 0, _bytes.Length);
            _bytes = [.. value];
        }
    }

    [MessageMember(14)]
    public List<int> GotCopy
    {
        get => [.. _gotCopy];
        set => _gotCopy = [.. value];
    }

    [MessageMember(15)]
    public List<int> Computed
    {
        get => _computed;
        set
        {
            _computed = value;
            Sum = value.Sum();
        }
    }

    [MessageMember(16)]
    public string Text
    {
        get => _text;
        set => _text = value.Trim();
    }

    [MessageMember(17)]
    public SetterPoint Point
    {
        get => _point;
        set
        {
            _point.Items.Clear();
            _point.Items.AddRange(value.Items);
        }
    }

    /// <summary>What the setter of <see cref="Computed"/> computes.</summary>
    internal int Sum { get; private set; }

    public static Setters Create(int count)
    {
        int[] items = [.. Enumerable.Range(1, count).Select(i => (i * 10) + count)];
        return new Setters
        {
            Copied = [.. items],
            Added = [.. items],
            CopiedLines = [.. items.Select(i => new SetterLine { Number = i, Tags = { i } })],
            CopiedMap = items.ToDictionary(i => (i / 10).ToString(CultureInfo.InvariantCulture), i => i / 10),
            AddedMap = items.ToDictionary(i => i, i => new SetterLine { Number = i }),
            CopiedSet = [.. items],
            CopiedQueue = new Queue<int>(items),
            AddedStack = new Stack<int>(items),
            Line = new SetterLine { Number = count, Tags = [.. items] },
            Interface = [.. items],
            AddedNullable = [.. items],
            CopiedArray = [.. items],
            Bytes = [.. items.Select(i => (byte)i)],
            GotCopy = [.. items],
            Computed = [.. items],
            Text = "t" + count.ToString(CultureInfo.InvariantCulture),
            Point = new SetterPoint { X = 1, Items = [.. items] },
        };
    }

    public override string ToString() => string.Join("; ", new[]
    {
        Join(Copied), Join(Added), Join(CopiedLines), Join(CopiedMap), Join(AddedMap), Join(CopiedSet), Join(CopiedQueue), Join(AddedStack), Line.ToString(), Join(Interface),
        Join(AddedNullable!), Join(CopiedArray), Join(Bytes), Join(GotCopy), Join(Computed), Sum.ToString(CultureInfo.InvariantCulture), Text, Join(Point.Items),
    });

    private static string Join<T>(IEnumerable<T> items) => string.Join(",", items);
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed)]
public sealed partial class ListSetters
{
    private readonly ArrayList _items = [];
    private int[] _numbers = [];

    [MessageMember(1), ElementType(typeof(int))]
    public ArrayList Items
    {
        get => _items;
        set
        {
            foreach (object item in value)
                _items.Add(item);
        }
    }

    [MessageMember(2)]
    public int[] Numbers
    {
        get => _numbers;
        set => _numbers = [.. value];
    }
}

public sealed class SetterLine
{
    [MessageMember(1)] public int Number { get; set; }
    [MessageMember(2)] public List<int> Tags { get; set; } = [];

    public override string ToString() => $"{Number}({string.Join(",", Tags)})";
}

public struct SetterPoint
{
    [MessageMember(1)] public int X { get; set; }
    [MessageMember(2)] public List<int> Items { get; set; }
}
