using System;
using System.Collections.Generic;

#pragma warning disable CA1002, CA1819, CA2227

namespace Formatters.Interop.Tests.Protobuf;

public enum Color
{
    Red = 1,
    None = 0,
    Green = 2,
    Infra = -5,
}

public sealed class Child
{
    [MessageMember(1)] public int Id { get; set; }

    [MessageMember(2)] public string Name { get; set; } = "";

    [MessageMember(3)] public Child? Next { get; set; }

    [MessageMember(4)] public List<Child> Children { get; set; } = [];

    [MessageMember(5)] public double? Weight { get; set; }

    public UnknownMembers? Unknown { get; set; }
}

[MessageUnion(1, typeof(Circle)), MessageUnion(20, typeof(Square))]
public abstract class Shape;

public sealed class Circle : Shape
{
    [MessageMember(1)] public double Radius { get; set; }

    [MessageMember(2)] public string? Label { get; set; }

    public UnknownMembers? Unknown { get; set; }
}

public sealed class Square : Shape
{
    [MessageMember(1, Encoding = MemberEncoding.ZigZag)] public int Side { get; set; }

    public UnknownMembers? Unknown { get; set; }
}

/// <summary>Every kind of field.</summary>
public sealed class Everything
{
    [MessageMember(1)] public bool Bool { get; set; }

    [MessageMember(2)] public int Int32 { get; set; }

    [MessageMember(3)] public long Int64 { get; set; }

    [MessageMember(4)] public uint UInt32 { get; set; }

    [MessageMember(5)] public ulong UInt64 { get; set; }

    [MessageMember(6, Encoding = MemberEncoding.ZigZag)] public int SInt32 { get; set; }

    [MessageMember(7, Encoding = MemberEncoding.ZigZag)] public long SInt64 { get; set; }

    [MessageMember(8, Encoding = MemberEncoding.Fixed)] public uint Fixed32 { get; set; }

    [MessageMember(9, Encoding = MemberEncoding.Fixed)] public ulong Fixed64 { get; set; }

    [MessageMember(10, Encoding = MemberEncoding.Fixed)] public int SFixed32 { get; set; }

    [MessageMember(11, Encoding = MemberEncoding.Fixed)] public long SFixed64 { get; set; }

    [MessageMember(12)] public float Float { get; set; }

    [MessageMember(13)] public double Double { get; set; }

    [MessageMember(14)] public string String { get; set; } = "";

    [MessageMember(15)] public byte[] Bytes { get; set; } = [];

    [MessageMember(16)] public Color Color { get; set; }

    [MessageMember(17)] public DateTime? Time { get; set; }

    [MessageMember(18)] public TimeSpan? Duration { get; set; }

    [MessageMember(19)] public Child? Child { get; set; }

    [MessageMember(20)] public Shape? Shape { get; set; }

    [MessageOneof(21, typeof(Circle)), MessageOneof(70, typeof(Square), Name = "OutlineSquare")] public Shape? Outline { get; set; }

    [MessageMember(31)] public int? OptionalInt32 { get; set; }

    [MessageMember(32)] public bool? OptionalBool { get; set; }

    [MessageMember(33)] public string? OptionalString { get; set; }

    [MessageMember(34)] public byte[]? OptionalBytes { get; set; }

    [MessageMember(35)] public double? OptionalDouble { get; set; }

    [MessageMember(36)] public Color? OptionalColor { get; set; }

    [MessageMember(41)] public List<int> Int32s { get; set; } = [];

    [MessageMember(42, Encoding = MemberEncoding.ZigZag)] public long[] SInt64s { get; set; } = [];

    [MessageMember(43, Encoding = MemberEncoding.Fixed)] public List<uint> Fixed32s { get; set; } = [];

    [MessageMember(44)] public double[] Doubles { get; set; } = [];

    [MessageMember(45)] public List<bool> Bools { get; set; } = [];

    [MessageMember(46)] public List<string> Strings { get; set; } = [];

    [MessageMember(47)] public List<byte[]> ByteArrays { get; set; } = [];

    [MessageMember(48)] public List<Color> Colors { get; set; } = [];

    [MessageMember(49)] public Child[] Children { get; set; } = [];

    [MessageMember(50)] public List<DateTime> Times { get; set; } = [];

    [MessageMember(51)] public Queue<ulong> UInt64s { get; set; } = [];

    [MessageMember(52, IsPacked = false)] public List<int> Unpacked { get; set; } = [];

    [MessageMember(53, IsPacked = false, Encoding = MemberEncoding.Fixed)] public ulong[] UnpackedFixed { get; set; } = [];

    [MessageMember(61)] public Dictionary<string, int> Counts { get; set; } = [];

    [MessageMember(62)] public Dictionary<int, string> Names { get; set; } = [];

    [MessageMember(63)] public Dictionary<bool, Child> Nodes { get; set; } = [];

    [MessageMember(64, Encoding = MemberEncoding.ZigZag)] public SortedDictionary<long, double> Numbers { get; set; } = [];

    [MessageMember(2000)] public string Far { get; set; } = "";

    public UnknownMembers? Unknown { get; set; }
}
