using System.Collections.Generic;

namespace Formatters.ProtobufConformance;

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class BoolValue
{
    [MessageMember(1)] public bool Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Int32Value
{
    [MessageMember(1)] public int Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Int64Value
{
    [MessageMember(1)] public long Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class UInt32Value
{
    [MessageMember(1)] public uint Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class UInt64Value
{
    [MessageMember(1)] public ulong Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class FloatValue
{
    [MessageMember(1)] public float Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class DoubleValue
{
    [MessageMember(1)] public double Value { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class StringValue
{
    [MessageMember(1)] public string Value { get; set; } = "";

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class BytesValue
{
    [MessageMember(1)] public byte[] Value { get; set; } = [];

    public UnknownMembers? UnknownMembers { get; set; }
}

/// <summary><c>google.protobuf.Timestamp</c>, with every number that a body may hold.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Timestamp
{
    [MessageMember(1)] public long Seconds { get; set; }
    [MessageMember(2)] public int Nanos { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

/// <summary><c>google.protobuf.Duration</c>, with every number that a body may hold.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Duration
{
    [MessageMember(1)] public long Seconds { get; set; }
    [MessageMember(2)] public int Nanos { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class FieldMask
{
    [MessageMember(1)] public List<string> Paths { get; set; } = [];

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Any
{
    [MessageMember(1)] public string TypeUrl { get; set; } = "";
    [MessageMember(2)] public byte[] Value { get; set; } = [];

    public UnknownMembers? UnknownMembers { get; set; }
}

/// <summary><c>google.protobuf.Struct</c>.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class JsonStruct
{
    [MessageMember(1)] public Dictionary<string, JsonValue> Fields { get; set; } = [];

    public UnknownMembers? UnknownMembers { get; set; }
}

/// <summary><c>google.protobuf.ListValue</c>.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class JsonList
{
    [MessageMember(1)] public List<JsonValue> Values { get; set; } = [];

    public UnknownMembers? UnknownMembers { get; set; }
}

/// <summary><c>google.protobuf.Value</c>.</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class JsonValue
{
    [MessageMember(1, Oneof = "kind")] public NullValue? NullValue { get; set; }
    [MessageMember(2, Oneof = "kind")] public double? NumberValue { get; set; }
    [MessageMember(3, Oneof = "kind")] public string? StringValue { get; set; }
    [MessageMember(4, Oneof = "kind")] public bool? BoolValue { get; set; }
    [MessageMember(5, Oneof = "kind")] public JsonStruct? StructValue { get; set; }
    [MessageMember(6, Oneof = "kind")] public JsonList? ListValue { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

public enum NullValue
{
    Null = 0,
}
