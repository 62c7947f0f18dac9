using System;
using System.Collections;
using System.Collections.Generic;
using System.Xml.Serialization;
using Formatters;

namespace StandardLibrary;

/// <summary>A member of each kind for which code is generated.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact | ContractFormats.Protobuf)]
public partial class Shop
{
    [MessageMember(1)] public string Name { get; set; } = "";
    [MessageMember(2)] public List<Line> Lines { get; set; } = new();
    [MessageMember(3)] public List<int> Numbers { get; set; } = new();
    [MessageMember(4)] public IList<string> Tags { get; set; } = new List<string>();
    [MessageMember(5)] public Line[] Array { get; set; } = new Line[0];
    [MessageMember(6)] public Dictionary<string, int> Stock { get; set; } = new();
    [MessageMember(7)] public HashSet<Guid> Ids { get; set; } = new();
    [MessageMember(8)] public SortedDictionary<int, string> Sorted { get; set; } = new();
    [MessageMember(9)] public Queue<long> Queue { get; set; } = new();
    [MessageMember(10)] public Stack<double> Stack { get; set; } = new();
    [MessageMember(11)] public byte[] Bytes { get; set; } = new byte[0];
    [MessageMember(13)] public int? Count { get; set; }
    [MessageMember(14)] public decimal Price { get; set; }
    [MessageMember(15)] public DateTimeOffset Time { get; set; }
    [MessageMember(16)] public TimeSpan Duration { get; set; }
    [MessageMember(17)] public DayOfWeek Day { get; set; }
    [MessageMember(18)] public Uri Address { get; set; } = new("http://localhost/");
    [MessageMember(19)] public Version Version { get; set; } = new(1, 2);
    [MessageMember(20)] public KeyValuePair<string, int> Pair { get; set; } = new("", 0);
    [MessageMember(21)] public int[,] Grid { get; set; } = new int[0, 0];
    [MessageMember(22)] public Payment? Payment { get; set; }
    [MessageMember(24)] public List<List<string>> Nested { get; set; } = new();
    [MessageMember(25)] public char Letter { get; set; } = 'a';

    public static Shop Create() => new()
    {
        Name = "\u00e9", Lines = { new(7, "x"), new(8, "") }, Numbers = { 1, -2 }, Tags = { "a", "b" }, Array = new[] { new Line(9, "y") }, Stock = { ["a"] = 1 }, Ids = { new Guid(new byte[16]) },
        Sorted = { [2] = "b", [1] = "a" }, Queue = new(new[] { 1L, 2 }), Stack = new(new[] { 1.5, 2.5 }), Bytes = new byte[] { 1, 2 }, Count = 5, Price = 1.20m,
        Time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(1)), Duration = TimeSpan.FromSeconds(3), Day = DayOfWeek.Friday, Pair = new("k", 1), Grid = new[,] { { 1, 2 }, { 3, 4 } },
        Payment = new Card { Number = "1" }, Nested = { new() { "a" }, new() },
    };
}

/// <summary>What protobuf has no form for.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact)]
public partial class Rest
{
    [MessageMember(1), ElementType(typeof(int))] public ArrayList Objects { get; set; } = new();
    [MessageMember(2), ElementType(typeof(int), KeyType = typeof(string))] public Hashtable Table { get; set; } = new();
    [MessageMember(3)] public Memory<byte> Memory { get; set; }
}

public class Line
{
    public Line()
    {
    }

    public Line(int number, string text) => (Number, Text) = (number, text);

    [MessageMember(1)] public int Number { get; set; }
    [MessageMember(2)] public string Text { get; set; } = "";
}

[MessageUnion(1, typeof(Card))]
public abstract class Payment
{
}

public sealed class Card : Payment
{
    [MessageMember(1)] public string Number { get; set; } = "";
}

[MessageContract(Formats = ContractFormats.Xml)]
public partial class Note
{
    public List<string> Texts { get; set; } = new();
    public int[] Numbers { get; set; } = new int[0];
    [XmlAttribute] public DateTime Time { get; set; }
    [XmlElement("Line")] public List<Line> Lines { get; set; } = new();
}
