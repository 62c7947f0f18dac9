using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>
/// The attributes of other serializers, with their arguments, and what becomes of each: docs/attributes.md. A test compares the table with the
/// assemblies of the libraries.
/// </summary>
internal static class ForeignAttributes
{
    internal const string MessagePack = "MessagePack.";
    internal const string ProtobufNet = "ProtoBuf.";
    internal const string MemoryPack = "MemoryPack.";
    internal const string Serialization = "System.Runtime.Serialization.";

    private const string OwnBytes = "concerns only the bytes of MemoryPack";

    /// <summary>Gets the rows by library, attribute and argument.</summary>
    internal static IReadOnlyList<ForeignAttribute> All { get; } = [.. OfMessagePack(), .. OfProtobufNet(), .. OfMemoryPack(), .. OfSystem()];

    // After All, of which it is made.
    private static Dictionary<string, List<ForeignAttribute>> ByName { get; } = Index();

    /// <summary>Returns the rows of an attribute; empty if it is not in the table.</summary>
    internal static IReadOnlyList<ForeignAttribute> Of(string attribute) =>
        ByName.TryGetValue(attribute, out List<ForeignAttribute>? rows) ? rows : [];

    private static Dictionary<string, List<ForeignAttribute>> Index()
    {
        var index = new Dictionary<string, List<ForeignAttribute>>();
        foreach (ForeignAttribute row in All)
        {
            if (!index.TryGetValue(row.Attribute, out List<ForeignAttribute>? rows))
                index.Add(row.Attribute, rows = []);
            rows.Add(row);
        }

        return index;
    }

    private static ForeignAttribute[] OfMessagePack()
    {
        return
        [
            Obeyed("MessagePackObjectAttribute", "", "the members need keys, and make an array or a map"),
            Obeyed("MessagePackObjectAttribute", "keyAsPropertyName", "makes a map; [Key] beside it is an error"),
            Harmless("MessagePackObjectAttribute", "SuppressSourceGeneration", "chooses how MessagePack-CSharp makes its code"),
            Obeyed("MessagePackObjectAttribute", "AllowPrivate",
                "private members with [Key] also need [MessageMember]; together with keyAsPropertyName it is an error"),
            Obeyed("KeyAttribute", "", "on a member that is not public, [MessageMember] must make it a member; on an override it is an error"),
            Obeyed("KeyAttribute", "x", "the index in an array, or the name in a map"),
            Obeyed("IgnoreMemberAttribute", "", "the member is left out of MessagePack, CBOR and the compact format"),
            Obeyed("UnionAttribute", "", "the type is a union"),
            Obeyed("UnionAttribute", "key", "the tag of the case"),
            Obeyed("UnionAttribute", "subType", "the type of the case; its name as a string is an error, use typeof"),
            Obeyed("SerializationConstructorAttribute", "", "the constructor must be the one that the rules of contracts choose"),
            Rejected("MessagePackFormatterAttribute", "",
                "is not obeyed; add [MemberCodec] with a MessagePackCodec<T> that writes the same bytes, or remove it"),
            Rejected("MessagePackFormatterAttribute", "formatterType", "is rejected with its attribute"),
            Rejected("MessagePackFormatterAttribute", "arguments", "is rejected with its attribute"),
            Harmless("ExcludeFormatterFromSourceGeneratedResolverAttribute", "", "is for formatters, not for the types of members"),
            Harmless("MessagePackAssumedFormattableAttribute", "", "silences an analyzer of MessagePack-CSharp"),
            Harmless("MessagePackAssumedFormattableAttribute", "formattableType", "silences an analyzer of MessagePack-CSharp"),
            Rejected("MessagePackKnownFormatterAttribute", "",
                "gives the type a formatter of its own, which is not used; add [MemberCodec] to the type"),
            Rejected("MessagePackKnownFormatterAttribute", "formatterType", "is rejected with its attribute, on the types that it formats"),
            Rejected("IMessagePackSerializationCallbackReceiver", "",
                "is not called; add [OnSerializing] to the public method OnBeforeSerialize and [OnDeserialized] to OnAfterDeserialize"),
        ];

        static ForeignAttribute Obeyed(string name, string argument, string text) => Row(name, argument, ForeignStatus.Obeyed, text);
        static ForeignAttribute Harmless(string name, string argument, string text) => Row(name, argument, ForeignStatus.Harmless, text);
        static ForeignAttribute Rejected(string name, string argument, string text) => Row(name, argument, ForeignStatus.Rejected, text);
        static ForeignAttribute Row(string name, string argument, ForeignStatus status, string text) =>
            new(MessagePack + name, argument, status, ForeignFormats.Packed, text);
    }

    private static ForeignAttribute[] OfProtobufNet()
    {
        const string NotWritten = "is not supported by protobuf-net 3 either, which makes it an error of the compiler";
        const string Group = "asks for a group, which is read and passed over, but not written; remove it";
        const string Model = "belongs to a model of protobuf-net's own code generator, not to the type";
        return
        [
            Obeyed("ProtoContractAttribute", "", "only members with a number are members"),
            Harmless("ProtoContractAttribute", "Name", "is a name in the schema that protobuf-net prints"),
            Harmless("ProtoContractAttribute", "Origin", "is an import of the schema that protobuf-net prints"),
            Harmless("ProtoContractAttribute", "ImplicitFirstTag", "has no effect without ImplicitFields"),
            Rejected("ProtoContractAttribute", "ImplicitFields", "is not obeyed; give every member a number with [ProtoMember]"),
            Obeyed("ProtoContractAttribute", "UseProtoMembersOnly", "a number by [DataMember] beside it is an error"),
            Harmless("ProtoContractAttribute", "IgnoreListHandling", "concerns collections, which have no contract of members here"),
            Rejected("ProtoContractAttribute", "InferTagFromName", "is not obeyed; give every member a number with [ProtoMember]"),
            Rejected("ProtoContractAttribute", "DataMemberOffset", "is not obeyed; add it to the Order of each [DataMember]"),
            Harmless("ProtoContractAttribute", "SkipConstructor",
                "does not change the bytes; objects are made by a constructor here, so members that a body lacks are 0, empty or null"),
            Rejected("ProtoContractAttribute", "AsReferenceDefault", NotWritten),
            Rejected("ProtoContractAttribute", "IsGroup", Group),
            Rejected("ProtoContractAttribute", "IgnoreUnknownSubTypes", "is not obeyed; add [AllowDerived] to the type"),
            Rejected("ProtoContractAttribute", "EnumPassthru", NotWritten),
            Rejected("ProtoContractAttribute", "Surrogate", "is not obeyed; add [MemberCodec] with a ProtobufCodec<T>"),
            Rejected("ProtoContractAttribute", "Serializer", "is not obeyed; add [MemberCodec] with a ProtobufCodec<T>"),
            Rejected("ProtoContractAttribute", "IsScalar", "is not obeyed; add [MemberCodec] with a ProtobufCodec<T>"),
            Obeyed("ProtoMemberAttribute", "",
                "on a member that is not public or has another attribute that excludes it, [MessageMember] must make it a member; "
                + "of a base class, it is an error"),
            Obeyed("ProtoMemberAttribute", "tag", "the number of the field"),
            Obeyed("ProtoMemberAttribute", "Name", "the name in the schema"),
            Obeyed("ProtoMemberAttribute", "DataFormat",
                "ZigZag, FixedSize, TwosComplement, and WellKnown where [CompatibilityLevel] gives the same bytes; Group, ZigZag or FixedSize of "
                + "an enum, and any of them on a dictionary are errors"),
            Obeyed("ProtoMemberAttribute", "IsRequired",
                "of a member that may be null, or is a string, an object or a collection; of a number it is an error"),
            Obeyed("ProtoMemberAttribute", "IsPacked", "false: a field for each element; without it, lists of numbers are packed here"),
            Obeyed("ProtoMemberAttribute", "OverwriteList",
                "true is what is always done; without it, protobuf-net adds to the elements of a new object"),
            Rejected("ProtoMemberAttribute", "AsReference", NotWritten),
            Rejected("ProtoMemberAttribute", "DynamicType", NotWritten),
            Obeyed("ProtoMemberAttribute", "Options", "Packed and OverwriteList; Required as IsRequired; the others are errors"),
            Obeyed("ProtoIgnoreAttribute", "", "the member is left out of protobuf"),
            Rejected("ProtoIncludeAttribute", "",
                "is protobuf-net's form of inheritance, which is not supported; [MessageUnion] makes a oneof"),
            Rejected("ProtoIncludeAttribute", "tag", "is rejected with its attribute"),
            Rejected("ProtoIncludeAttribute", "knownType", "is rejected with its attribute"),
            Rejected("ProtoIncludeAttribute", "knownTypeName", "is rejected with its attribute"),
            Rejected("ProtoIncludeAttribute", "DataFormat", "is rejected with its attribute"),
            Harmless("ProtoMapAttribute", "", "is what a dictionary is without it"),
            Rejected("ProtoMapAttribute", "KeyFormat", "is not obeyed; remove it, or use a list of entries"),
            Rejected("ProtoMapAttribute", "ValueFormat", "is not obeyed; remove it, or use a list of entries"),
            Harmless("ProtoMapAttribute", "DisableMap",
                "does not change the bytes; protobuf-net then fails if a key is repeated, where the last entry counts here"),
            Rejected("ProtoPartialMemberAttribute", "", "is not obeyed; put [ProtoMember] on the member"),
            .. Each("ProtoPartialMemberAttribute", "is rejected with its attribute", "tag", "memberName", "Name", "DataFormat", "IsRequired",
                "IsPacked", "OverwriteList", "AsReference", "DynamicType", "Options"),
            Rejected("ProtoPartialIgnoreAttribute", "", "is not obeyed; put [ProtoIgnore] on the member"),
            Rejected("ProtoPartialIgnoreAttribute", "memberName", "is rejected with its attribute"),
            Obeyed("NullWrappedValueAttribute", "",
                "on a collection whose elements are declared nullable; elsewhere, and on a dictionary, it is an error"),
            Rejected("NullWrappedValueAttribute", "AsGroup", Group),
            Rejected("NullWrappedCollectionAttribute", "",
                "is not obeyed: a null collection and an empty one have the same bytes; wrap the collection in a type of its own"),
            Rejected("NullWrappedCollectionAttribute", "AsGroup", "is rejected with its attribute"),
            Obeyed("CompatibilityLevelAttribute", "",
                "the level must give the bytes of the contract: 300, or 240 without decimal and Guid; 200 by ProtobufOptions.UseBclTypes"),
            Obeyed("CompatibilityLevelAttribute", "level", "of the member, the type, or the assembly; without it, the level is 200"),
            Rejected("ProtoBeforeSerializationAttribute", "", "is not called; add [OnSerializing], which protobuf-net calls as well"),
            Rejected("ProtoAfterSerializationAttribute", "", "is not called; add [OnSerialized], which protobuf-net calls as well"),
            Rejected("ProtoBeforeDeserializationAttribute", "", "is not called; add [OnDeserializing], which protobuf-net calls as well"),
            Rejected("ProtoAfterDeserializationAttribute", "", "is not called; add [OnDeserialized], which protobuf-net calls as well"),
            Harmless("ProtoConverterAttribute", "", "marks the conversions of a surrogate, which is an error"),
            Harmless("ProtoEnumAttribute", "", "an enum is its number"),
            Harmless("ProtoEnumAttribute", "Name", "is a name in the schema that protobuf-net prints"),
            Rejected("ProtoEnumAttribute", "Value", NotWritten),
            Harmless("ProtoReservedAttribute", "", "is checked by protobuf-net; [RetiredMembers] is checked here"),
            Harmless("ProtoReservedAttribute", "field", "is checked by protobuf-net"),
            Harmless("ProtoReservedAttribute", "from", "is checked by protobuf-net"),
            Harmless("ProtoReservedAttribute", "to", "is checked by protobuf-net"),
            Harmless("ProtoReservedAttribute", "comment", "is for readers of the source"),
            Harmless("ProtoModelAttribute", "", Model),
            Harmless("ProtoModelAttribute", "AllowParseableTypes", Model),
            Harmless("ProtoSerializableAttribute", "", Model),
            Harmless("ProtoSerializableAttribute", "type", Model),
            Rejected("ProtoSubTypeAttribute", "",
                "on the assembly is protobuf-net's form of inheritance, which is not supported; [MessageUnion] makes a oneof"),
            .. Each("ProtoSubTypeAttribute", "is rejected with its attribute, on the types that it names", "baseType", "subType", "fieldNumber",
                "group"),
            Rejected("ProtoSurrogateAttribute", "", "on the assembly is not obeyed; add [MemberCodec] with a ProtobufCodec<T> to the type"),
            .. Each("ProtoSurrogateAttribute", "is rejected with its attribute, on the type that it names", "type", "surrogate", "Converter",
                "ToSurrogate", "ToType"),
        ];

        static ForeignAttribute Obeyed(string name, string argument, string text) => Row(name, argument, ForeignStatus.Obeyed, text);
        static ForeignAttribute Harmless(string name, string argument, string text) => Row(name, argument, ForeignStatus.Harmless, text);
        static ForeignAttribute Rejected(string name, string argument, string text) => Row(name, argument, ForeignStatus.Rejected, text);
        static ForeignAttribute[] Each(string name, string text, params string[] arguments) =>
            Array.ConvertAll(arguments, argument => Rejected(name, argument, text));
        static ForeignAttribute Row(string name, string argument, ForeignStatus status, string text) =>
            new(ProtobufNet + name, argument, status, ForeignFormats.Protobuf, text);
    }

    private static ForeignAttribute[] OfMemoryPack()
    {
        const string Formatter = "is not obeyed; add [MemberCodec], or remove it";
        return
        [
            Harmless("MemoryPackableAttribute", "", OwnBytes),
            Rejected("MemoryPackableAttribute", "generateType",
                "CircularReference keeps references, and Collection makes a collection: neither is done here; the other values are harmless"),
            Harmless("MemoryPackableAttribute", "serializeLayout", OwnBytes),
            Harmless("MemoryPackAllowSerializeAttribute", "", "silences an analyzer of MemoryPack"),
            Obeyed("MemoryPackConstructorAttribute", "", "the constructor must be the one that the rules of contracts choose"),
            Rejected("MemoryPackIgnoreAttribute", "", "does not leave the member out here; add [IgnoreDataMember], or [MessageMember] to keep it"),
            Rejected("MemoryPackIncludeAttribute", "", "does not make the member one of this contract; add [MessageMember]"),
            Rejected("MemoryPackOnSerializingAttribute", "", "is not called; add [OnSerializing] of System.Runtime.Serialization"),
            Rejected("MemoryPackOnSerializedAttribute", "", "is not called; add [OnSerialized] of System.Runtime.Serialization"),
            Rejected("MemoryPackOnDeserializingAttribute", "", "is not called; add [OnDeserializing] of System.Runtime.Serialization"),
            Rejected("MemoryPackOnDeserializedAttribute", "", "is not called; add [OnDeserialized] of System.Runtime.Serialization"),
            Harmless("MemoryPackOrderAttribute", "", OwnBytes),
            Harmless("MemoryPackOrderAttribute", "order", OwnBytes),
            Harmless("MemoryPackUnionAttribute", "", "a type without [MessageUnion] is not a union here, which is an error"),
            Harmless("MemoryPackUnionAttribute", "tag", OwnBytes),
            Harmless("MemoryPackUnionAttribute", "type", OwnBytes),
            Harmless("MemoryPackUnionFormatterAttribute", "", "is on a formatter, not on a type of members"),
            Harmless("MemoryPackUnionFormatterAttribute", "type", "is on a formatter, not on a type of members"),
            Harmless("SuppressDefaultInitializationAttribute", "", "a member that a body lacks keeps the value of a new object in any case"),
            Harmless("GenerateTypeScriptAttribute", "", "makes TypeScript for the bytes of MemoryPack"),
            Harmless("Internal.PreserveAttribute", "", "is for the trimming of Unity"),
            Harmless("Utf8StringFormatterAttribute", "", OwnBytes),
            Harmless("Utf16StringFormatterAttribute", "", OwnBytes),
            Harmless("InternStringFormatterAttribute", "", "does not change the value"),
            Harmless("BitPackFormatterAttribute", "", OwnBytes),
            .. Compression("BrotliFormatterAttribute"),
            Harmless("BrotliFormatterAttribute", "decompressionSizeLimit", "FormatterLimits has the limits"),
            .. Compression("BrotliFormatterAttribute`1"),
            .. Compression("BrotliStringFormatterAttribute"),
            Harmless("BrotliStringFormatterAttribute", "decompressionSizeLimit", "FormatterLimits has the limits"),
            Harmless("MemoryPoolFormatterAttribute`1", "", "does not change the value; the memory is not from a pool"),
            Harmless("ReadOnlyMemoryPoolFormatterAttribute`1", "", "does not change the value; the memory is not from a pool"),
            Rejected("OrdinalIgnoreCaseStringDictionaryFormatter`1", "",
                "is not obeyed; give the member a dictionary with StringComparer.OrdinalIgnoreCase in its declaration, and remove it"),
            Rejected("MemoryPackCustomFormatterAttribute`1", "", Formatter),
            Rejected("MemoryPackCustomFormatterAttribute`2", "", Formatter),
        ];

        static ForeignAttribute[] Compression(string name) =>
            [Harmless(name, "", OwnBytes), Harmless(name, "compressionLevel", OwnBytes), Harmless(name, "window", OwnBytes)];
        static ForeignAttribute Obeyed(string name, string argument, string text) => Row(name, argument, ForeignStatus.Obeyed, text);
        static ForeignAttribute Harmless(string name, string argument, string text) => Row(name, argument, ForeignStatus.Harmless, text);
        static ForeignAttribute Rejected(string name, string argument, string text) => Row(name, argument, ForeignStatus.Rejected, text);
        static ForeignAttribute Row(string name, string argument, ForeignStatus status, string text) =>
            new(MemoryPack + name, argument, status, ForeignFormats.All, text);
    }

    private static ForeignAttribute[] OfSystem()
    {
        const string InXml = "is a name in the XML and JSON of DataContractSerializer";
        return
        [
            Harmless("System.SerializableAttribute", "", "the fields are the contract of legacy binary bodies alone"),
            Obeyed("System.NonSerializedAttribute", "", "the field is left out; on the field of an automatic property, [IgnoreDataMember] is needed"),
            Harmless(Serialization + "OptionalFieldAttribute", "", "is for legacy binary bodies"),
            Harmless(Serialization + "OptionalFieldAttribute", "VersionAdded", "is for legacy binary bodies"),
            Obeyed(Serialization + "OnSerializingAttribute", "", "the method is called"),
            Obeyed(Serialization + "OnSerializedAttribute", "", "the method is called"),
            Obeyed(Serialization + "OnDeserializingAttribute", "", "the method is called"),
            Obeyed(Serialization + "OnDeserializedAttribute", "", "the method is called"),
            Obeyed(Serialization + "DataContractAttribute", "", "only members with an attribute are members"),
            Harmless(Serialization + "DataContractAttribute", "Name", InXml),
            Harmless(Serialization + "DataContractAttribute", "Namespace", InXml),
            Rejected(Serialization + "DataContractAttribute", "IsReference", "is not obeyed: objects are written by value; remove it"),
            Obeyed(Serialization + "DataMemberAttribute", "", "the field or property is a member, whatever its accessibility"),
            Obeyed(Serialization + "DataMemberAttribute", "Name", "the name in maps and schemas"),
            Obeyed(Serialization + "DataMemberAttribute", "Order", "the order of the members, and their numbers"),
            Obeyed(Serialization + "DataMemberAttribute", "IsRequired",
                "in the binary format, which always has all members; in the others, the member must be 'required', and in protobuf it must not "
                + "be a number"),
            Harmless(Serialization + "DataMemberAttribute", "EmitDefaultValue", "a value that is left out is read as the same value"),
            Obeyed(Serialization + "IgnoreDataMemberAttribute", "", "the member is left out"),
            Harmless(Serialization + "KnownTypeAttribute", "", "writing an object of a derived class fails, unless [MessageUnion] lists it"),
            Harmless(Serialization + "KnownTypeAttribute", "type", "writing an object of a derived class fails"),
            Harmless(Serialization + "KnownTypeAttribute", "methodName", "writing an object of a derived class fails"),
            Harmless(Serialization + "EnumMemberAttribute", "", "an enum is its number"),
            Harmless(Serialization + "EnumMemberAttribute", "Value", "an enum is its number"),
            Harmless(Serialization + "CollectionDataContractAttribute", "", "is for collections of your own, which have no contract"),
            .. Each("CollectionDataContractAttribute", "is for collections of your own, which have no contract", "Name", "Namespace",
                "IsReference", "ItemName", "KeyName", "ValueName"),
            Harmless(Serialization + "ContractNamespaceAttribute", "", InXml),
            Harmless(Serialization + "ContractNamespaceAttribute", "contractNamespace", InXml),
            Harmless(Serialization + "ContractNamespaceAttribute", "ClrNamespace", InXml),
            new("System.ComponentModel.DefaultValueAttribute", "", ForeignStatus.Obeyed, ForeignFormats.Protobuf,
                "of 0, false or null, on a member that is not declared nullable; any other is an error on a member with [ProtoMember]"),
        ];

        static ForeignAttribute Obeyed(string name, string argument, string text) => Row(name, argument, ForeignStatus.Obeyed, text);
        static ForeignAttribute Harmless(string name, string argument, string text) => Row(name, argument, ForeignStatus.Harmless, text);
        static ForeignAttribute Rejected(string name, string argument, string text) => Row(name, argument, ForeignStatus.Rejected, text);
        static ForeignAttribute[] Each(string name, string text, params string[] arguments) =>
            Array.ConvertAll(arguments, argument => Harmless(Serialization + name, argument, text));
        static ForeignAttribute Row(string name, string argument, ForeignStatus status, string text) =>
            new(name, argument, status, ForeignFormats.All, text);
    }
}
