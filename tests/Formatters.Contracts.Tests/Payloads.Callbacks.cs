using System;
using System.Collections.Generic;
using System.Runtime.Serialization;

namespace Formatters.Contracts.Tests;

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class CalledBase
{
    private readonly List<string> _calls = [];

    public int Id { get; set; }

    [IgnoreDataMember]
    public List<string> Calls => _calls;

    [OnSerializing]
    private void BaseSerializing() => _calls.Add("base serializing");

    [OnSerialized]
    private void BaseSerialized(StreamingContext context) => _calls.Add("base serialized");

    [OnDeserializing]
    private void BaseDeserializing(StreamingContext context) => _calls.Add("base deserializing");

    [OnDeserialized]
    private void BaseDeserialized() => _calls.Add($"base deserialized {Id}");
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Called : CalledBase
{
    public string Text { get; set; } = "";

    public CalledStruct Struct { get; set; }

    [OnSerializing]
    internal void Serializing(StreamingContext context) => Calls.Add($"serializing {Id}");

    [OnSerialized]
    internal void Serialized() => Calls.Add("serialized");

    [OnDeserializing]
    private void Deserializing() => Calls.Add("deserializing");

    [OnDeserialized]
    private void Deserialized(StreamingContext context) => Calls.Add($"deserialized {Text}");
}

/// <summary>Is written as the double of what it holds.</summary>
[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial struct CalledStruct
{
    public int Twice { get; set; }

    [OnSerializing]
    public void Double() => Twice = unchecked(Twice * 2);

    [OnDeserialized]
    public void Halve(StreamingContext context) => Twice /= 2;
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial record CalledRecord(int Id)
{
    private string _log = "";

    public int Set { get; set; }

    public string Log() => _log;

    [OnDeserializing]
    private void Deserializing() => _log = FormattableString.Invariant($"deserializing {Id} {Set}");

    [OnDeserialized]
    private void Deserialized() => _log += FormattableString.Invariant($", deserialized {Id} {Set}");
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class Refusing
{
    public int Number { get; set; }

    [OnDeserialized]
    public void Check()
    {
        if (Number < 0)
            throw new ArgumentException("Negative.");
    }
}

[MessageContract(Formats = ContractFormats.Binary | Formats.Traversed)]
public partial class HasRefusing
{
    public List<Refusing> List { get; set; } = [];
    public int Last { get; set; }
}
