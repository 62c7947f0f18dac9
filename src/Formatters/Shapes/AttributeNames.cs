namespace Formatters;

/// <summary>The attributes of contracts, by their full names: some belong to libraries that are not referenced.</summary>
internal static class AttributeNames
{
    internal const string Member = "Formatters.MessageMemberAttribute";
    internal const string Oneof = "Formatters.MessageOneofAttribute";
    internal const string Union = "Formatters.MessageUnionAttribute";
    internal const string RetiredMembers = "Formatters.RetiredMembersAttribute";

    internal const string DataContract = "System.Runtime.Serialization.DataContractAttribute";
    internal const string DataMember = "System.Runtime.Serialization.DataMemberAttribute";
    internal const string IgnoreDataMember = "System.Runtime.Serialization.IgnoreDataMemberAttribute";
    internal const string XmlIgnore = "System.Xml.Serialization.XmlIgnoreAttribute";
    internal const string XmlElement = "System.Xml.Serialization.XmlElementAttribute";
    internal const string XmlArray = "System.Xml.Serialization.XmlArrayAttribute";

    // MessagePack-CSharp
    internal const string MessagePackObject = "MessagePack.MessagePackObjectAttribute";
    internal const string MessagePackKey = "MessagePack.KeyAttribute";
    internal const string MessagePackIgnore = "MessagePack.IgnoreMemberAttribute";
    internal const string MessagePackUnion = "MessagePack.UnionAttribute";

    // protobuf-net
    internal const string ProtoContract = "ProtoBuf.ProtoContractAttribute";
    internal const string ProtoMember = "ProtoBuf.ProtoMemberAttribute";
    internal const string ProtoIgnore = "ProtoBuf.ProtoIgnoreAttribute";
    internal const string ProtoInclude = "ProtoBuf.ProtoIncludeAttribute";
}
