namespace Formatters.Adapters.Tests;

/// <summary>A declaration that is rejected.</summary>
/// <param name="Row">The row of the table, as attribute and argument; the start of the message for a rule about several attributes.</param>
/// <param name="Source">The types; the first is the payload <c>Sample</c>.</param>
/// <param name="Format">The wire format.</param>
public sealed record RejectedAttribute(string Row, string Source, string Format)
{
    public override string ToString() => Row + " " + Format;
}

/// <summary>A declaration for every row of the table that is rejected, and for the rules about several attributes.</summary>
internal static class RejectedAttributes
{
    private const string Contract = "[MessageContract(Formats = ContractFormats.{0}), ProtoContract] public partial class Sample ";
    private const string Keyed = "[MessageContract(Formats = ContractFormats.{0}), MessagePackObject] public partial class Sample ";

    internal static readonly RejectedAttribute[] All =
    [
        // MessagePack-CSharp
        Keys("MessagePack.MessagePackFormatterAttribute.", Keyed + "{ [Key(0), MessagePackFormatter(typeof(object))] public int Id; }"),
        Keys("[MessagePackFormatter]", Keyed + "{ [Key(0)] public Mode Mode; } [MessagePackFormatter(typeof(object))] public enum Mode { A, B }"),
        Keys("[MessagePackFormatter]", "[MessagePackFormatter(typeof(object))]" + Keyed + "{ [Key(0)] public int Id; }"),
        Keys("MessagePack.IMessagePackSerializationCallbackReceiver.", Keyed
            + ": IMessagePackSerializationCallbackReceiver { [Key(0)] public int Id; public void OnBeforeSerialize() { } public void OnAfterDeserialize() { } }"),
        Keys("MessagePack.IMessagePackSerializationCallbackReceiver.", Keyed
            + ": IMessagePackSerializationCallbackReceiver { [Key(0)] public int Id; [OnSerializing] public void OnBeforeSerialize() { } "
            + "public void OnAfterDeserialize() { } }"),
        Keys("IMessagePackSerializationCallbackReceiver", Keyed
            + ": IMessagePackSerializationCallbackReceiver { [Key(0)] public int Id; void IMessagePackSerializationCallbackReceiver.OnBeforeSerialize() { } "
            + "void IMessagePackSerializationCallbackReceiver.OnAfterDeserialize() { } }"),
        Keys("[Key] is on a member that is not public", Keyed + "{ [Key(0)] public int Id; [Key(1)] private int _no; public int No => _no; }"),
        Keys("[Key] is on a member that another", Keyed + "{ [Key(0)] public int Id; [Key(1), System.Xml.Serialization.XmlIgnore] public int No; }"),
        Keys("[Key] is on a member that another", "[DataContract]" + Keyed + "{ [Key(0), DataMember] public int Id; [Key(1)] public int No; }"),
        Keys("[Key] is ignored", "[MessageContract(Formats = ContractFormats.{0}), MessagePackObject(true)] public partial class Sample { [Key(\"x\")] public int Id; }"),
        Keys("MessagePack-CSharp writes the member",
            "[MessageContract(Formats = ContractFormats.{0}), MessagePackObject(true)] public partial class Sample { public int Id; [System.Xml.Serialization.XmlIgnore] public int No; }"),
        Keys("[Key] is on an override", Keyed + ": Base { [Key(1)] public override int Id { get; set; } } [MessagePackObject] public class Base { [Key(0)] public virtual int Id { get; set; } }"),
        Keys("hides a member", Keyed + ": Base { [Key(1)] public new int Id { get; set; } } [MessagePackObject] public class Base { [Key(0)] public int Id { get; set; } }"),
        Keys("[MyKey] derives from [Key]", Keyed + "{ [MyKey] public int Id; } public class MyKeyAttribute : KeyAttribute { public MyKeyAttribute() : base(0) { } }"),
        Keys("[Union] names the type", Keyed + "{ [Key(0)] public IShape? Shape; } [Union(0, \"Circle\"), Union(1, typeof(Square))] public interface IShape; [MessagePackObject] public class Square : IShape;"),
        Keys("MessagePack-CSharp passes", Keyed + "{ [Key(1)] public int X { get; } [Key(0)] public int Y { get; } public Sample(int x, int y) { X = x; Y = y; } }"),
        Keys("[SerializationConstructor] is on", Keyed + "{ [Key(0)] public int X { get; set; } public Sample() { } [SerializationConstructor] public Sample(int x) { X = x; } }"),

        // protobuf-net
        Proto("ProtoBuf.ProtoContractAttribute.ImplicitFields", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(ImplicitFields = ImplicitFields.AllPublic)] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.InferTagFromName", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(InferTagFromName = true)] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.DataMemberOffset", "[DataContract, MessageContract(Formats = ContractFormats.{0}), ProtoContract(DataMemberOffset = 1)] public partial class Sample { [DataMember(Order = 1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.IsGroup", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(IsGroup = true)] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.IgnoreUnknownSubTypes", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(IgnoreUnknownSubTypes = true)] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.Surrogate", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(Surrogate = typeof(string))] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.Serializer", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(Serializer = typeof(string))] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoContractAttribute.IsScalar", "[MessageContract(Formats = ContractFormats.{0}), ProtoContract(IsScalar = true)] public partial class Sample { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoIncludeAttribute.", "[ProtoInclude(5, typeof(Derived))]" + Contract + "{ [ProtoMember(1)] public int Id; } public class Derived : Sample;"),
        Proto("[ProtoInclude]", Contract + ": Base { [ProtoMember(1)] public int Id; } [ProtoContract, ProtoInclude(5, typeof(Sample))] public class Base;"),
        Proto("ProtoBuf.ProtoMapAttribute.KeyFormat", Contract + "{ [ProtoMember(1), ProtoMap(KeyFormat = DataFormat.ZigZag)] public Dictionary<int, int> Map = []; }"),
        Proto("ProtoBuf.ProtoMapAttribute.ValueFormat", Contract + "{ [ProtoMember(1), ProtoMap(ValueFormat = DataFormat.FixedSize)] public Dictionary<int, int> Map = []; }"),
        Proto("[ProtoMember(DataFormat)] of a dictionary", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.ZigZag)] public Dictionary<int, int> Map = []; }"),
        Proto("[ProtoMember(DataFormat)] of a dictionary", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.WellKnown)] public Dictionary<int, DateTime> Map = []; }"),
        Proto("[ProtoMember(DataFormat)] of an enum", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.ZigZag)] public DayOfWeek Day; }"),
        Proto("[ProtoMember(DataFormat)] of an enum", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.FixedSize)] public DayOfWeek? Day; }"),
        Proto("[ProtoMember(DataFormat)] of an enum", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.ZigZag)] public List<DayOfWeek> Days = []; }"),
        Proto("the values of the dictionary are collections", Contract + "{ [ProtoMember(1)] public Dictionary<string, List<int>> Map = []; }"),
        Proto("the values of the dictionary are collections", Contract + "{ [ProtoMember(1)] public Dictionary<string, string[]> Map = []; }"),
        Proto("the values of the dictionary are collections", Contract + "{ [ProtoMember(1)] public Dictionary<int, Dictionary<int, int>> Map = []; }"),
        Proto("protobuf-net does not read a packed list of DateOnly", Contract + "{ [ProtoMember(1)] public List<DateOnly> Days = []; }"),
        Proto("protobuf-net does not read a packed list of DateOnly", Contract + "{ [ProtoMember(1, IsPacked = true)] public TimeOnly[] Times = []; }"),
        Proto("protobuf-net writes a null value of a dictionary", Contract + "{ [ProtoMember(1), NullWrappedValue] public Dictionary<string, int?> Map = []; }"),
        Proto("protobuf-net writes a null value of a dictionary", Contract + "{ [ProtoMember(1)] public Dictionary<string, string?> Map = []; }"),
        Proto("[ProtoMember(DataFormat)] asks for a group", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.Group)] public Part Part = new(); } [ProtoContract] public class Part { [ProtoMember(1)] public int Id; }"),
        Proto("ProtoBuf.ProtoPartialMemberAttribute.", "[ProtoPartialMember(2, \"No\")]" + Contract + "{ [ProtoMember(1)] public int Id; public int No; }"),
        Proto("ProtoBuf.ProtoPartialIgnoreAttribute.", "[ProtoPartialIgnore(\"No\")]" + Contract + "{ [ProtoMember(1)] public int Id; [ProtoMember(2)] public int No; }"),
        Proto("[NullWrappedValue] is on a member", Contract + "{ [ProtoMember(1), NullWrappedValue] public List<int> Items = []; }"),
        Proto("[NullWrappedValue] is on a member", Contract + "{ [ProtoMember(1), NullWrappedValue] public int? Item; }"),
        Proto("protobuf-net does not write null elements", Contract + "{ [ProtoMember(1)] public List<int?> Items = []; }"),
        Proto("protobuf-net does not write null elements", Contract + "{ [ProtoMember(1)] public string?[] Items = []; }"),
        Proto("ProtoBuf.NullWrappedValueAttribute.AsGroup", Contract + "{ [ProtoMember(1), NullWrappedValue(AsGroup = true)] public List<int?> Items = []; }"),
        Proto("ProtoBuf.NullWrappedCollectionAttribute.", Contract + "{ [ProtoMember(1), NullWrappedCollection] public List<int> Items = []; }"),
        Proto("ProtoBuf.ProtoBeforeSerializationAttribute.", Contract + "{ [ProtoMember(1)] public int Id; [ProtoBeforeSerialization] public void M() { } }"),
        Proto("ProtoBuf.ProtoAfterSerializationAttribute.", Contract + "{ [ProtoMember(1)] public int Id; [ProtoAfterSerialization] public void M() { } }"),
        Proto("ProtoBuf.ProtoBeforeDeserializationAttribute.", Contract + "{ [ProtoMember(1)] public int Id; [ProtoBeforeDeserialization] public void M() { } }"),
        Proto("ProtoBuf.ProtoAfterDeserializationAttribute.", Contract + "{ [ProtoMember(1)] public int Id; [ProtoAfterDeserialization] public void M() { } }"),
        Proto("ProtoBuf.ProtoSubTypeAttribute.", "[assembly: ProtoSubType(typeof(NAMESPACE.Sample), typeof(NAMESPACE.Derived), 5)] " + Contract + "{ [ProtoMember(1)] public int Id; } public class Derived : Sample;"),
        Proto("ProtoBuf.ProtoSurrogateAttribute.", "[assembly: ProtoSurrogate(typeof(NAMESPACE.Sample), typeof(NAMESPACE.Stand))] " + Contract + "{ [ProtoMember(1)] public int Id; } public class Stand;"),
        Proto("[ProtoMember] is on a member that is not public", Contract + "{ [ProtoMember(1)] public int Id; [ProtoMember(2)] private int _no; public int No => _no; }"),
        Proto("[ProtoMember] is on a member that another", Contract + "{ [ProtoMember(1)] public int Id; [ProtoMember(2), IgnoreDataMember] public int No; }"),
        Proto("[ProtoMember] is on a member that another", Contract + "{ [ProtoMember(1)] public int Id; [ProtoMember(2), System.Xml.Serialization.XmlIgnore] public int No; }"),
        Proto("[ProtoMember] is in a base class", Contract + ": Base { [ProtoMember(2)] public int No; } [ProtoContract] public class Base { [ProtoMember(1)] public int Id; }"),
        Proto("[ProtoMember] is on an override", Contract + ": Base { [ProtoMember(2)] public override int Id { get; set; } } public class Base { public virtual int Id { get; set; } }"),
        Proto("[MyField] derives from [ProtoMember]", Contract + "{ [ProtoMember(1)] public int Id; [MessageMember(2), MyField(2)] public int No; } public class MyFieldAttribute(int n) : ProtoMemberAttribute(n);"),
        Proto("[ProtoMember(IsRequired)]", Contract + "{ [ProtoMember(1, IsRequired = true)] public int Id; }"),
        Proto("[ProtoMember(IsRequired)]", Contract + "{ [ProtoMember(1, Options = MemberSerializationOptions.Required)] public int Id; }"),
        Proto("[ProtoMember(Options)]", Contract + "{ [ProtoMember(1, Options = MemberSerializationOptions.AsReference)] public int Id; }"),
        Proto("[DefaultValue]", Contract + "{ [ProtoMember(1), System.ComponentModel.DefaultValue(5)] public int Id = 5; }"),
        Proto("[DefaultValue]", Contract + "{ [ProtoMember(1), System.ComponentModel.DefaultValue(\"\")] public string? Id; }"),
        Proto("[DefaultValue]", Contract + "{ [ProtoMember(1), System.ComponentModel.DefaultValue(true)] public bool Id = true; }"),
        Proto("[DefaultValue]", Contract + "{ [ProtoMember(1), System.ComponentModel.DefaultValue('m')] public char Id = 'm'; }"),
        Proto("[DataMember] has a number", Contract + "{ [ProtoMember(1)] public int Id; [DataMember(Order = 2)] public int No; }"),
        Proto("[DataMember] has a number", "[DataContract, MessageContract(Formats = ContractFormats.{0}), ProtoContract(UseProtoMembersOnly = true)] public partial class Sample { [ProtoMember(1), DataMember] public int Id; [DataMember(Order = 2)] public int No; }"),
        Proto("protobuf-net takes the Order of [XmlElement]", "[System.Xml.Serialization.XmlType]" + Contract + "{ [ProtoMember(1)] public int Id; [System.Xml.Serialization.XmlElement(Order = 2)] public int No; }"),
        Proto("protobuf-net writes 'Id' only if", Contract + "{ [ProtoMember(1)] public int Id { get; set; } [ProtoIgnore] public bool IdSpecified { get; set; } }"),
        Proto("protobuf-net calls 'ShouldSerializeId'", Contract + "{ [ProtoMember(1)] public int Id { get; set; } public bool ShouldSerializeId() => Id > 5; }"),
        Proto("protobuf-net writes a DateTime", Contract + "{ [ProtoMember(1)] public DateTime At; }"),
        Proto("protobuf-net writes a TimeSpan", Contract + "{ [ProtoMember(1)] public List<TimeSpan> At = []; }"),
        Proto("protobuf-net writes a Decimal", Contract + "{ [ProtoMember(1)] public Dictionary<string, decimal> At = []; }"),
        Proto("protobuf-net writes a Guid", Contract + "{ [ProtoMember(1)] public Guid? At; }"),
        Proto("protobuf-net writes a DateTime",
            "[CompatibilityLevel(CompatibilityLevel.Level300)]" + Contract + "{ [ProtoMember(1), CompatibilityLevel(CompatibilityLevel.Level200)] public DateTime At; }"),
        Proto("protobuf-net writes a Guid", "[CompatibilityLevel(CompatibilityLevel.Level240)]" + Contract + "{ [ProtoMember(1)] public DateTime At; [ProtoMember(2)] public Guid Id; }"),
        Proto("protobuf-net writes a Decimal", Contract + "{ [ProtoMember(1, DataFormat = DataFormat.WellKnown)] public DateTime At; [ProtoMember(2, DataFormat = DataFormat.WellKnown)] public decimal Id; }"),

        // MemoryPack
        Memory("MemoryPack.MemoryPackableAttribute.generateType", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable(GenerateType.CircularReference)] public partial class Sample { public int Id; }"),
        Memory("MemoryPack.MemoryPackIgnoreAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackIgnore] public int No; }"),
        Memory("MemoryPack.MemoryPackIncludeAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackInclude] private int _no; public int No => _no; }"),
        Memory("MemoryPack.MemoryPackOnSerializingAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackOnSerializing] public void M() { } }"),
        Memory("MemoryPack.MemoryPackOnSerializedAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackOnSerialized] public void M() { } }"),
        Memory("MemoryPack.MemoryPackOnDeserializingAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackOnDeserializing] public void M() { } }"),
        Memory("MemoryPack.MemoryPackOnDeserializedAttribute.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id; [MemoryPackOnDeserialized] public void M() { } }"),
        Memory("MemoryPack.OrdinalIgnoreCaseStringDictionaryFormatter`1.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { [OrdinalIgnoreCaseStringDictionaryFormatter<int>] public Dictionary<string, int> Map = []; }"),
        Memory("MemoryPack.MemoryPackCustomFormatterAttribute`1.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { [Own] public int Id; } public class OwnAttribute : MemoryPackCustomFormatterAttribute<int> { public override IMemoryPackFormatter<int> GetFormatter() => null!; }"),
        Memory("MemoryPack.MemoryPackCustomFormatterAttribute`2.", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { [Own] public int Id; } public class OwnAttribute : MemoryPackCustomFormatterAttribute<IMemoryPackFormatter<int>, int> { public override IMemoryPackFormatter<int> GetFormatter() => null!; }"),
        Memory("MemoryPack sets the property by its setter", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int Id { get; private set; } public int No { get; set; } }"),
        Memory("[MemoryPackConstructor] is on", "[MessageContract(Formats = ContractFormats.{0}), MemoryPackable] public partial class Sample { public int X { get; set; } public Sample() { } [MemoryPackConstructor] public Sample(int x) { X = x; } }"),

        // The base library
        new("System.Runtime.Serialization.DataContractAttribute.IsReference", "[MessageContract(Formats = ContractFormats.Binary), DataContract(IsReference = true)] public partial class Sample { [DataMember] public int Id; }", "Binary"),
        new("[DataMember(IsRequired)]", "[MessageContract(Formats = ContractFormats.{0}), DataContract] public partial class Sample { [DataMember(Order = 1, IsRequired = true)] public int Id; }", "Versioned"),
        new("[DataMember(IsRequired)]", "[MessageContract(Formats = ContractFormats.{0}), DataContract] public partial class Sample { [DataMember(Order = 1, IsRequired = true)] public int Id; }", "Cbor"),
        new("[DataMember] is on an override", "[MessageContract(Formats = ContractFormats.Binary), DataContract] public partial class Sample : Base { [DataMember] public override int Id { get; set; } [DataMember] public int No; } [DataContract] public class Base { public virtual int Id { get; set; } }", "Binary"),
        new("[DataMember] is on an override",
            "[MessageContract(Formats = ContractFormats.Binary), DataContract] public partial class Sample : Base { [DataMember(Order = 2)] public override int Id { get; set; } } "
                + "[DataContract] public class Base { [DataMember(Order = 1)] public virtual int Id { get; set; } }", "Binary"),
        new("[IgnoreDataMember] is on an override", "[MessageContract(Formats = ContractFormats.{0}), MessagePackObject(true)] public partial class Sample : Base { [IgnoreDataMember] public override int Id { get; set; } public int No; } [MessagePackObject(true)] public class Base { public virtual int Id { get; set; } }", "MessagePack"),
        new("[field: NonSerialized]", "[MessageContract(Formats = ContractFormats.Binary), Serializable] public partial class Sample { public int Id; [field: NonSerialized] public int No { get; set; } }", "Binary"),
    ];

    private static RejectedAttribute Keys(string row, string source) => new(row, source, "MessagePack");

    private static RejectedAttribute Proto(string row, string source) => new(row, source, "Protobuf");

    private static RejectedAttribute Memory(string row, string source) => new(row, source, "Binary");
}
