using System;
using System.Collections.Generic;
using System.Net;
using System.Numerics;

namespace Formatters.Contracts.Tests.Judges;

// What the judges read and write: each scalar alone, and records of every structure.

public sealed class One<T>
{
    [MessageMember(1)] public T Value { get; set; } = default!;
}

/// <summary>A reference in a record, with a value in a new object.</summary>
public sealed class Boxed<T>
{
    [MessageMember(1)] public T Value { get; set; } = (T)Start();

    private static object Start() =>
        typeof(T) == typeof(string) ? "" : typeof(T) == typeof(byte[]) ? Array.Empty<byte>() : typeof(T) == typeof(Uri) ? new Uri("/a", UriKind.Relative)
        : typeof(T) == typeof(Version) ? new Version(1, 2) : typeof(T) == typeof(IPAddress) ? IPAddress.Any : Activator.CreateInstance(typeof(T))!;
}

public enum JudgedEnum : short
{
    None,
    One,
    Least = short.MinValue,
}

/// <summary>Numbers with gaps, out of order, and every structure.</summary>
public sealed class Judged
{
    [MessageMember(3)] public int Id { get; set; } = 7;
    [MessageMember(1)] public string? Note { get; set; }
    [MessageMember(5)] public List<double> Prices { get; set; } = [];
    [MessageMember(6)] public List<string?> Texts { get; set; } = [];
    [MessageMember(7)] public Dictionary<string, int> Counts { get; set; } = [];
    [MessageMember(8)] public Dictionary<int, JudgedPart> Parts { get; set; } = [];
    [MessageMember(9)] public JudgedPart Part { get; set; } = new();
    [MessageMember(10)] public JudgedPart? Maybe { get; set; }
    [MessageMember(11)] public JudgedShape Shape { get; set; } = new JudgedCircle();
    [MessageMember(12)] public List<JudgedShape> Shapes { get; set; } = [];
    [MessageMember(13)] public int[][] Jagged { get; set; } = [];
    [MessageMember(14)] public List<int?> Numbers { get; set; } = [];
    [MessageMember(15)] public List<DateTime> Times { get; set; } = [];
    [MessageMember(16)] public bool? Flag { get; set; }
    [MessageMember(18)] public Dictionary<string, JudgedPart?> Places { get; set; } = [];
}

public sealed class JudgedPart
{
    [MessageMember(1)] public long Number { get; set; }
    [MessageMember(2)] public string Name { get; set; } = "";
}

/// <summary>Structs that memory holds as a body does, with member tables of 2 to 9 bytes; one that is too short to be read at once, and one with a gap in memory.</summary>
public sealed class JudgedRows
{
    [MessageMember(1)] public List<JudgedPoint> Points { get; set; } = [];
    [MessageMember(2)] public JudgedFar[] Far { get; set; } = [];
    [MessageMember(3)] public JudgedFarther[] Farther { get; set; } = [];
    [MessageMember(4)] public List<JudgedShort> Short { get; set; } = [];
    [MessageMember(5)] public List<JudgedGap> Gaps { get; set; } = [];
    [MessageMember(6)] public JudgedNext[] Next { get; set; } = [];
    [MessageMember(7)] public List<JudgedTwo> Two { get; set; } = [];
    [MessageMember(8)] public JudgedFour[] Four { get; set; } = [];
    [MessageMember(9)] public List<JudgedSix> Six { get; set; } = [];
    [MessageMember(10)] public JudgedSeven[] Seven { get; set; } = [];
}

public struct JudgedTwo
{
    [MessageMember(2)] public short A { get; set; }
}

public struct JudgedFour
{
    [MessageMember(6)] public double A { get; set; }
}

public struct JudgedSix
{
    [MessageMember(9)] public byte A { get; set; }
    [MessageMember(10)] public byte B { get; set; }
}

public struct JudgedSeven
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(12)] public int B { get; set; }
}

public struct JudgedPoint
{
    [MessageMember(1)] public float X { get; set; }
    [MessageMember(2)] public int Y { get; set; }
    [MessageMember(4)] public long Z { get; set; }
}

public struct JudgedFar
{
    [MessageMember(3)] public short A { get; set; }
    [MessageMember(7)] public byte B { get; set; }
    [MessageMember(8)] public byte C { get; set; }
}

public struct JudgedFarther
{
    [MessageMember(14)] public short A { get; set; }
}

public struct JudgedNext
{
    [MessageMember(15)] public double A { get; set; }
}

public struct JudgedShort
{
    [MessageMember(2)] public byte A { get; set; }
}

public struct JudgedGap
{
    [MessageMember(1)] public byte A { get; set; }
    [MessageMember(2)] public int B { get; set; }
}

[MessageUnion(1, typeof(JudgedCircle)), MessageUnion(300, typeof(JudgedSquare)), MessageUnion(2, typeof(JudgedDot))]
public abstract class JudgedShape;

public sealed class JudgedCircle : JudgedShape
{
    [MessageMember(1)] public double Radius { get; set; }
}

public sealed class JudgedSquare : JudgedShape
{
    [MessageMember(2)] public byte Side { get; set; }
    [MessageMember(4)] public JudgedShape? Within { get; set; }
}

public sealed class JudgedDot : JudgedShape
{
    [MessageMember(1)] public string Colour { get; set; } = "";
}

/// <summary>A union alone.</summary>
public sealed class JudgedHolder
{
    [MessageMember(1)] public JudgedShape Value { get; set; } = new JudgedDot();
}

/// <summary>No numbers: a map of names, which are longer and longer.</summary>
public sealed class JudgedNames
{
    public int Zebra { get; set; }
    public string Ape { get; set; } = "";
    public bool? Beetle { get; set; }
    public List<JudgedNames> Of { get; set; } = [];
}

[MessageContractFor(typeof(One<bool>), Name = "Bool", Formats = Judged)]
[MessageContractFor(typeof(One<byte>), Name = "Byte", Formats = Judged)]
[MessageContractFor(typeof(One<sbyte>), Name = "SByte", Formats = Judged)]
[MessageContractFor(typeof(One<short>), Name = "Int16", Formats = Judged)]
[MessageContractFor(typeof(One<ushort>), Name = "UInt16", Formats = Judged)]
[MessageContractFor(typeof(One<int>), Name = "Int32", Formats = Judged)]
[MessageContractFor(typeof(One<uint>), Name = "UInt32", Formats = Judged)]
[MessageContractFor(typeof(One<long>), Name = "Int64", Formats = Judged)]
[MessageContractFor(typeof(One<ulong>), Name = "UInt64", Formats = Judged)]
[MessageContractFor(typeof(One<char>), Name = "Char", Formats = Judged)]
[MessageContractFor(typeof(One<float>), Name = "Single", Formats = Judged)]
[MessageContractFor(typeof(One<double>), Name = "Double", Formats = Judged)]
[MessageContractFor(typeof(One<decimal>), Name = "Decimal", Formats = Judged)]
[MessageContractFor(typeof(One<DateTime>), Name = "DateTime", Formats = Judged)]
[MessageContractFor(typeof(One<DateTimeOffset>), Name = "DateTimeOffset", Formats = Judged)]
[MessageContractFor(typeof(One<TimeSpan>), Name = "TimeSpan", Formats = Judged)]
[MessageContractFor(typeof(One<Guid>), Name = "Guid", Formats = Judged)]
[MessageContractFor(typeof(One<BigInteger>), Name = "BigInteger", Formats = Judged)]
[MessageContractFor(typeof(One<JudgedEnum>), Name = "Enum", Formats = Judged)]
[MessageContractFor(typeof(One<int?>), Name = "MaybeInt32", Formats = Judged)]
[MessageContractFor(typeof(One<double?>), Name = "MaybeDouble", Formats = Judged)]
[MessageContractFor(typeof(One<decimal?>), Name = "MaybeDecimal", Formats = Judged)]
[MessageContractFor(typeof(One<BigInteger?>), Name = "MaybeBigInteger", Formats = Judged)]
[MessageContractFor(typeof(One<DateTime?>), Name = "MaybeDateTime", Formats = Judged)]
[MessageContractFor(typeof(Boxed<string>), Name = "Text", Formats = Judged)]
[MessageContractFor(typeof(Boxed<byte[]>), Name = "Bytes", Formats = Judged)]
[MessageContractFor(typeof(Boxed<Uri>), Name = "Uri", Formats = Judged)]
[MessageContractFor(typeof(Boxed<Version>), Name = "Version", Formats = Judged)]
[MessageContractFor(typeof(Boxed<IPAddress>), Name = "IPAddress", Formats = Judged)]
[MessageContractFor(typeof(Boxed<List<int>>), Name = "Int32s", Formats = Judged)]
[MessageContractFor(typeof(Boxed<List<double>>), Name = "Doubles", Formats = Judged)]
[MessageContractFor(typeof(Boxed<List<long?>>), Name = "MaybeInt64s", Formats = Judged)]
[MessageContractFor(typeof(Boxed<Dictionary<long, string>>), Name = "Entries", Formats = Judged)]
[MessageContractFor(typeof(Judged), Name = "Record", Formats = Judged)]
[MessageContractFor(typeof(JudgedHolder), Name = "Holder", Formats = Judged)]
[MessageContractFor(typeof(JudgedRows), Name = "Rows", Formats = Judged)]
[MessageContractFor(typeof(JudgedNames), Name = "Names", Formats = ContractFormats.Binary | Formats.Traversed)]
#if !FORMATTERS_NETSTANDARD
[MessageContractFor(typeof(One<Half>), Name = "Half", Formats = Judged)]
[MessageContractFor(typeof(One<DateOnly>), Name = "DateOnly", Formats = Judged)]
[MessageContractFor(typeof(One<TimeOnly>), Name = "TimeOnly", Formats = Judged)]
[MessageContractFor(typeof(One<Int128>), Name = "Int128", Formats = Judged)]
[MessageContractFor(typeof(One<UInt128>), Name = "UInt128", Formats = Judged)]
#endif
internal static partial class JudgedContracts
{
    private const ContractFormats Judged = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf;
}
