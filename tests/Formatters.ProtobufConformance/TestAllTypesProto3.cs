using System.Collections.Generic;

namespace Formatters.ProtobufConformance;

/// <summary>The message of the suite's proto3 cases (<c>test_messages_proto3.proto</c>).</summary>
[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class TestAllTypesProto3
{
    [MessageMember(1)] public int OptionalInt32 { get; set; }
    [MessageMember(2)] public long OptionalInt64 { get; set; }
    [MessageMember(3)] public uint OptionalUint32 { get; set; }
    [MessageMember(4)] public ulong OptionalUint64 { get; set; }
    [MessageMember(5, Encoding = MemberEncoding.ZigZag)] public int OptionalSint32 { get; set; }
    [MessageMember(6, Encoding = MemberEncoding.ZigZag)] public long OptionalSint64 { get; set; }
    [MessageMember(7, Encoding = MemberEncoding.Fixed)] public uint OptionalFixed32 { get; set; }
    [MessageMember(8, Encoding = MemberEncoding.Fixed)] public ulong OptionalFixed64 { get; set; }
    [MessageMember(9, Encoding = MemberEncoding.Fixed)] public int OptionalSfixed32 { get; set; }
    [MessageMember(10, Encoding = MemberEncoding.Fixed)] public long OptionalSfixed64 { get; set; }
    [MessageMember(11)] public float OptionalFloat { get; set; }
    [MessageMember(12)] public double OptionalDouble { get; set; }
    [MessageMember(13)] public bool OptionalBool { get; set; }
    [MessageMember(14)] public string OptionalString { get; set; } = "";
    [MessageMember(15)] public byte[] OptionalBytes { get; set; } = [];
    [MessageMember(18)] public NestedMessage? OptionalNestedMessage { get; set; }
    [MessageMember(19)] public ForeignMessage? OptionalForeignMessage { get; set; }
    [MessageMember(21)] public NestedEnum OptionalNestedEnum { get; set; }
    [MessageMember(22)] public ForeignEnum OptionalForeignEnum { get; set; }
    [MessageMember(23)] public AliasedEnum OptionalAliasedEnum { get; set; }
    [MessageMember(24)] public string OptionalStringPiece { get; set; } = "";
    [MessageMember(25)] public string OptionalCord { get; set; } = "";
    [MessageMember(27)] public TestAllTypesProto3? RecursiveMessage { get; set; }
    [MessageMember(31)] public List<int> RepeatedInt32 { get; set; } = [];
    [MessageMember(32)] public List<long> RepeatedInt64 { get; set; } = [];
    [MessageMember(33)] public List<uint> RepeatedUint32 { get; set; } = [];
    [MessageMember(34)] public List<ulong> RepeatedUint64 { get; set; } = [];
    [MessageMember(35, Encoding = MemberEncoding.ZigZag)] public List<int> RepeatedSint32 { get; set; } = [];
    [MessageMember(36, Encoding = MemberEncoding.ZigZag)] public List<long> RepeatedSint64 { get; set; } = [];
    [MessageMember(37, Encoding = MemberEncoding.Fixed)] public List<uint> RepeatedFixed32 { get; set; } = [];
    [MessageMember(38, Encoding = MemberEncoding.Fixed)] public List<ulong> RepeatedFixed64 { get; set; } = [];
    [MessageMember(39, Encoding = MemberEncoding.Fixed)] public List<int> RepeatedSfixed32 { get; set; } = [];
    [MessageMember(40, Encoding = MemberEncoding.Fixed)] public List<long> RepeatedSfixed64 { get; set; } = [];
    [MessageMember(41)] public List<float> RepeatedFloat { get; set; } = [];
    [MessageMember(42)] public List<double> RepeatedDouble { get; set; } = [];
    [MessageMember(43)] public List<bool> RepeatedBool { get; set; } = [];
    [MessageMember(44)] public List<string> RepeatedString { get; set; } = [];
    [MessageMember(45)] public List<byte[]> RepeatedBytes { get; set; } = [];
    [MessageMember(48)] public List<NestedMessage> RepeatedNestedMessage { get; set; } = [];
    [MessageMember(49)] public List<ForeignMessage> RepeatedForeignMessage { get; set; } = [];
    [MessageMember(51)] public List<NestedEnum> RepeatedNestedEnum { get; set; } = [];
    [MessageMember(52)] public List<ForeignEnum> RepeatedForeignEnum { get; set; } = [];
    [MessageMember(54)] public List<string> RepeatedStringPiece { get; set; } = [];
    [MessageMember(55)] public List<string> RepeatedCord { get; set; } = [];
    [MessageMember(75)] public List<int> PackedInt32 { get; set; } = [];
    [MessageMember(76)] public List<long> PackedInt64 { get; set; } = [];
    [MessageMember(77)] public List<uint> PackedUint32 { get; set; } = [];
    [MessageMember(78)] public List<ulong> PackedUint64 { get; set; } = [];
    [MessageMember(79, Encoding = MemberEncoding.ZigZag)] public List<int> PackedSint32 { get; set; } = [];
    [MessageMember(80, Encoding = MemberEncoding.ZigZag)] public List<long> PackedSint64 { get; set; } = [];
    [MessageMember(81, Encoding = MemberEncoding.Fixed)] public List<uint> PackedFixed32 { get; set; } = [];
    [MessageMember(82, Encoding = MemberEncoding.Fixed)] public List<ulong> PackedFixed64 { get; set; } = [];
    [MessageMember(83, Encoding = MemberEncoding.Fixed)] public List<int> PackedSfixed32 { get; set; } = [];
    [MessageMember(84, Encoding = MemberEncoding.Fixed)] public List<long> PackedSfixed64 { get; set; } = [];
    [MessageMember(85)] public List<float> PackedFloat { get; set; } = [];
    [MessageMember(86)] public List<double> PackedDouble { get; set; } = [];
    [MessageMember(87)] public List<bool> PackedBool { get; set; } = [];
    [MessageMember(88)] public List<NestedEnum> PackedNestedEnum { get; set; } = [];
    [MessageMember(89, IsPacked = false)] public List<int> UnpackedInt32 { get; set; } = [];
    [MessageMember(90, IsPacked = false)] public List<long> UnpackedInt64 { get; set; } = [];
    [MessageMember(91, IsPacked = false)] public List<uint> UnpackedUint32 { get; set; } = [];
    [MessageMember(92, IsPacked = false)] public List<ulong> UnpackedUint64 { get; set; } = [];
    [MessageMember(93, Encoding = MemberEncoding.ZigZag, IsPacked = false)] public List<int> UnpackedSint32 { get; set; } = [];
    [MessageMember(94, Encoding = MemberEncoding.ZigZag, IsPacked = false)] public List<long> UnpackedSint64 { get; set; } = [];
    [MessageMember(95, Encoding = MemberEncoding.Fixed, IsPacked = false)] public List<uint> UnpackedFixed32 { get; set; } = [];
    [MessageMember(96, Encoding = MemberEncoding.Fixed, IsPacked = false)] public List<ulong> UnpackedFixed64 { get; set; } = [];
    [MessageMember(97, Encoding = MemberEncoding.Fixed, IsPacked = false)] public List<int> UnpackedSfixed32 { get; set; } = [];
    [MessageMember(98, Encoding = MemberEncoding.Fixed, IsPacked = false)] public List<long> UnpackedSfixed64 { get; set; } = [];
    [MessageMember(99, IsPacked = false)] public List<float> UnpackedFloat { get; set; } = [];
    [MessageMember(100, IsPacked = false)] public List<double> UnpackedDouble { get; set; } = [];
    [MessageMember(101, IsPacked = false)] public List<bool> UnpackedBool { get; set; } = [];
    [MessageMember(102, IsPacked = false)] public List<NestedEnum> UnpackedNestedEnum { get; set; } = [];
    [MessageMember(56)] public Dictionary<int, int> MapInt32Int32 { get; set; } = [];
    [MessageMember(57)] public Dictionary<long, long> MapInt64Int64 { get; set; } = [];
    [MessageMember(58)] public Dictionary<uint, uint> MapUint32Uint32 { get; set; } = [];
    [MessageMember(59)] public Dictionary<ulong, ulong> MapUint64Uint64 { get; set; } = [];
    [MessageMember(60, Encoding = MemberEncoding.ZigZag)] public Dictionary<int, int> MapSint32Sint32 { get; set; } = [];
    [MessageMember(61, Encoding = MemberEncoding.ZigZag)] public Dictionary<long, long> MapSint64Sint64 { get; set; } = [];
    [MessageMember(62, Encoding = MemberEncoding.Fixed)] public Dictionary<uint, uint> MapFixed32Fixed32 { get; set; } = [];
    [MessageMember(63, Encoding = MemberEncoding.Fixed)] public Dictionary<ulong, ulong> MapFixed64Fixed64 { get; set; } = [];
    [MessageMember(64, Encoding = MemberEncoding.Fixed)] public Dictionary<int, int> MapSfixed32Sfixed32 { get; set; } = [];
    [MessageMember(65, Encoding = MemberEncoding.Fixed)] public Dictionary<long, long> MapSfixed64Sfixed64 { get; set; } = [];
    [MessageMember(66)] public Dictionary<int, float> MapInt32Float { get; set; } = [];
    [MessageMember(67)] public Dictionary<int, double> MapInt32Double { get; set; } = [];
    [MessageMember(68)] public Dictionary<bool, bool> MapBoolBool { get; set; } = [];
    [MessageMember(69)] public Dictionary<string, string> MapStringString { get; set; } = [];
    [MessageMember(70)] public Dictionary<string, byte[]> MapStringBytes { get; set; } = [];
    [MessageMember(71)] public Dictionary<string, NestedMessage> MapStringNestedMessage { get; set; } = [];
    [MessageMember(72)] public Dictionary<string, ForeignMessage> MapStringForeignMessage { get; set; } = [];
    [MessageMember(73)] public Dictionary<string, NestedEnum> MapStringNestedEnum { get; set; } = [];
    [MessageMember(74)] public Dictionary<string, ForeignEnum> MapStringForeignEnum { get; set; } = [];
    [MessageMember(111, Oneof = "oneof_field")] public uint? OneofUint32 { get; set; }
    [MessageMember(112, Oneof = "oneof_field")] public NestedMessage? OneofNestedMessage { get; set; }
    [MessageMember(113, Oneof = "oneof_field")] public string? OneofString { get; set; }
    [MessageMember(114, Oneof = "oneof_field")] public byte[]? OneofBytes { get; set; }
    [MessageMember(115, Oneof = "oneof_field")] public bool? OneofBool { get; set; }
    [MessageMember(116, Oneof = "oneof_field")] public ulong? OneofUint64 { get; set; }
    [MessageMember(117, Oneof = "oneof_field")] public float? OneofFloat { get; set; }
    [MessageMember(118, Oneof = "oneof_field")] public double? OneofDouble { get; set; }
    [MessageMember(119, Oneof = "oneof_field")] public NestedEnum? OneofEnum { get; set; }
    [MessageMember(120, Oneof = "oneof_field")] public NullValue? OneofNullValue { get; set; }
    [MessageMember(201)] public BoolValue? OptionalBoolWrapper { get; set; }
    [MessageMember(202)] public Int32Value? OptionalInt32Wrapper { get; set; }
    [MessageMember(203)] public Int64Value? OptionalInt64Wrapper { get; set; }
    [MessageMember(204)] public UInt32Value? OptionalUint32Wrapper { get; set; }
    [MessageMember(205)] public UInt64Value? OptionalUint64Wrapper { get; set; }
    [MessageMember(206)] public FloatValue? OptionalFloatWrapper { get; set; }
    [MessageMember(207)] public DoubleValue? OptionalDoubleWrapper { get; set; }
    [MessageMember(208)] public StringValue? OptionalStringWrapper { get; set; }
    [MessageMember(209)] public BytesValue? OptionalBytesWrapper { get; set; }
    [MessageMember(211)] public List<BoolValue> RepeatedBoolWrapper { get; set; } = [];
    [MessageMember(212)] public List<Int32Value> RepeatedInt32Wrapper { get; set; } = [];
    [MessageMember(213)] public List<Int64Value> RepeatedInt64Wrapper { get; set; } = [];
    [MessageMember(214)] public List<UInt32Value> RepeatedUint32Wrapper { get; set; } = [];
    [MessageMember(215)] public List<UInt64Value> RepeatedUint64Wrapper { get; set; } = [];
    [MessageMember(216)] public List<FloatValue> RepeatedFloatWrapper { get; set; } = [];
    [MessageMember(217)] public List<DoubleValue> RepeatedDoubleWrapper { get; set; } = [];
    [MessageMember(218)] public List<StringValue> RepeatedStringWrapper { get; set; } = [];
    [MessageMember(219)] public List<BytesValue> RepeatedBytesWrapper { get; set; } = [];
    [MessageMember(301)] public Duration? OptionalDuration { get; set; }
    [MessageMember(302)] public Timestamp? OptionalTimestamp { get; set; }
    [MessageMember(303)] public FieldMask? OptionalFieldMask { get; set; }
    [MessageMember(304)] public JsonStruct? OptionalStruct { get; set; }
    [MessageMember(305)] public Any? OptionalAny { get; set; }
    [MessageMember(306)] public JsonValue? OptionalValue { get; set; }
    [MessageMember(307)] public NullValue OptionalNullValue { get; set; }
    [MessageMember(311)] public List<Duration> RepeatedDuration { get; set; } = [];
    [MessageMember(312)] public List<Timestamp> RepeatedTimestamp { get; set; } = [];
    [MessageMember(313)] public List<FieldMask> RepeatedFieldmask { get; set; } = [];
    [MessageMember(324)] public List<JsonStruct> RepeatedStruct { get; set; } = [];
    [MessageMember(315)] public List<Any> RepeatedAny { get; set; } = [];
    [MessageMember(316)] public List<JsonValue> RepeatedValue { get; set; } = [];
    [MessageMember(317)] public List<JsonList> RepeatedListValue { get; set; } = [];
    [MessageMember(401)] public int Fieldname1 { get; set; }
    [MessageMember(402)] public int FieldName2 { get; set; }
    [MessageMember(403)] public int FieldName3 { get; set; }
    [MessageMember(404)] public int FieldName4 { get; set; }
    [MessageMember(405)] public int Field0name5 { get; set; }
    [MessageMember(406)] public int Field0Name6 { get; set; }
    [MessageMember(407)] public int FieldName7 { get; set; }
    [MessageMember(408)] public int FieldName8 { get; set; }
    [MessageMember(409)] public int FieldName9 { get; set; }
    [MessageMember(410)] public int FieldName10 { get; set; }
    [MessageMember(411)] public int FIELDNAME11 { get; set; }
    [MessageMember(412)] public int FIELDName12 { get; set; }
    [MessageMember(413)] public int FieldName13 { get; set; }
    [MessageMember(414)] public int FieldName14 { get; set; }
    [MessageMember(415)] public int FieldName15 { get; set; }
    [MessageMember(416)] public int FieldName16 { get; set; }
    [MessageMember(417)] public int FieldName17 { get; set; }
    [MessageMember(418)] public int FieldName18 { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class NestedMessage
{
    [MessageMember(1)] public int A { get; set; }
    [MessageMember(2)] public TestAllTypesProto3? Corecursive { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class ForeignMessage
{
    [MessageMember(1)] public int C { get; set; }

    public UnknownMembers? UnknownMembers { get; set; }
}

public enum NestedEnum
{
    Foo = 0,
    Bar = 1,
    Baz = 2,
    Neg = -1,
}

public enum AliasedEnum
{
    Foo = 0,
    Bar = 1,
    Baz = 2,
}

public enum ForeignEnum
{
    Foo = 0,
    Bar = 1,
    Baz = 2,
}
