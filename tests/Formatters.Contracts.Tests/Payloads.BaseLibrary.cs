using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Numerics;

namespace Formatters.Contracts.Tests;

// Types of the base library, and forms of declarations, beyond those of Payloads.cs.

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Concurrents
{
    [MessageMember(1)] public ConcurrentQueue<int> Queue { get; set; } = new();
    [MessageMember(2)] public ConcurrentStack<string> Stack { get; set; } = new();
    [MessageMember(3)] public ConcurrentBag<Plane?> Bag { get; set; } = [];
    [MessageMember(4)] public ConcurrentQueue<string?>? Maybe { get; set; }
    [MessageMember(5)] public ConcurrentQueue<int[,]> Grids { get; set; } = new();
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public partial class Vectors
{
    [MessageMember(1)] public Complex Complex;
    [MessageMember(2)] public Vector2 Vector2;
    [MessageMember(3)] public Vector3[] Vectors3 { get; set; } = [];
    [MessageMember(4)] public Vector4? Vector4;
    [MessageMember(5)] public Quaternion Quaternion;
    [MessageMember(6)] public Plane Plane;
    [MessageMember(7)] public Matrix3x2 Matrix3x2;
    [MessageMember(8)] public Matrix4x4 Matrix4x4;
    [MessageMember(9)] public Complex? MaybeComplex;
}

public class Around<TKey>
    where TKey : notnull
{
    public sealed class Entry<TValue>
    {
        [MessageMember(1)] public TKey Key { get; set; } = default!;
        [MessageMember(2)] public TValue Value { get; set; } = default!;
    }
}

/// <summary>A positional record with members of every way of setting them.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial record Declared([property: MessageMember(1)] int Id)
{
    [MessageMember(2)] public required string Name { get; init; }
    [MessageMember(3)] public Around<int>.Entry<string>? Entry { get; set; }
    [MessageMember(4)] public (int, int?, string, Plane, long, byte, bool, string? Eighth, (int, string) Ninth, double) Ten { get; init; }

    [MessageMember(5)]
    public int Picked
    {
        get;
        set => field = value >= 0 ? value : ~value;
    }
}

/// <summary>A base class of which there are no objects: its private members are written by the contracts of derived ones.</summary>
[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public abstract partial class Entity
{
    [MessageMember(1)] private int _id;

    [MessageMember(2)] protected string Key { get; private set; } = "";

    public abstract string Text { get; }

    public void Set(int id, string key) => (_id, Key) = (id, key);

    public string Describe() => _id.ToString(CultureInfo.InvariantCulture) + Key + Text;
}

[MessageContract(Formats = ContractFormats.Binary | ContractFormats.Versioned | Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Invoice : Entity
{
    [MessageMember(3)] public decimal Total { get; set; }

    public override string Text => Total.ToString(CultureInfo.InvariantCulture);
}

/// <summary>Bytes by types other than an array: .NET Framework has fewer conversions between them.</summary>
[MessageContract(Formats = Formats.Traversed | ContractFormats.Protobuf)]
public sealed partial class Segments
{
    [MessageMember(1)] public ArraySegment<byte> Segment { get; set; }

    [MessageMember(2)] public Memory<byte> Memory { get; set; }

    [MessageMember(3)] public ReadOnlyMemory<byte> ReadOnly { get; set; }

    [MessageMember(4)] public ArraySegment<byte>? NoSegment { get; set; }

    [MessageMember(5)] public Memory<byte>? NoMemory { get; set; }

    [MessageMember(6)] public ReadOnlyMemory<byte>? NoReadOnly { get; set; }

    [MessageMember(7)] public List<ArraySegment<byte>> All { get; set; } = [];
}
