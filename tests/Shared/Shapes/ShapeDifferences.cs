using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.TestShapes;

internal enum ShapeDifferenceKind
{
    /// <summary>The peer has no such type, or reads another value: nothing is exchanged.</summary>
    NotTaken,

    /// <summary>The same values, in other bytes.</summary>
    OtherBytes,
}

/// <summary>What differs between a peer and us.</summary>
/// <param name="Peers">The peers.</param>
/// <param name="Kind">What differs.</param>
/// <param name="Reason">Why, for the page.</param>
/// <param name="Shapes">The shapes of which this is so.</param>
internal sealed record ShapeDifference(string[] Peers, ShapeDifferenceKind Kind, string Reason, string[] Shapes);

/// <summary>Where a peer does not take a shape, or writes other bytes. Every other shape has the bytes of the peer. docs/attributes.md, "Differences that remain".</summary>
internal static class ShapeDifferences
{
    internal const string MessagePackArray = "MessagePack-CSharp, arrays";
    internal const string MessagePackMap = "MessagePack-CSharp, maps";
    internal const string ProtobufNet200 = "protobuf-net, level 200";
    internal const string ProtobufNet240 = "protobuf-net, level 240";
    internal const string ProtobufNet300 = "protobuf-net, level 300";
    internal const string GoogleProtobuf = "Google.Protobuf";
    internal const string Nerdbank = "Nerdbank.MessagePack, maps";
    internal const string Cbor = "System.Formats.Cbor";
    internal const string BinaryFormatter = "BinaryFormatter";

    private static readonly string[] MessagePackCSharp = [MessagePackArray, MessagePackMap];
    private static readonly string[] ProtobufNet = [ProtobufNet200, ProtobufNet240, ProtobufNet300];

    internal static IReadOnlyList<ShapeDifference> All { get; } =
    [
        NotTaken("has no format for IPAddress", MessagePackCSharp, "Addresses"),
#if !MESSAGEPACK_3
        NotTaken("version 2 has no format for Int128", MessagePackCSharp, "WideIntegers"),
#endif
        NotTaken("without AllowPrivate, leaves out private members", [MessagePackMap], "PrivateMembers"),
        OtherBytes("orders the names by DataMember.Order", [MessagePackMap], "DerivedClass", "DerivedTwice"),
        OtherBytes("its contractless resolver writes members without DataMember", [MessagePackMap], "Excluded"),

        NotTaken("has no format for IPAddress, BigInteger, Half, DateTimeOffset, Version or Int128", ProtobufNet,
            "Addresses", "BigIntegers", "Halves", "Offsets", "Versions", "WideIntegers"),
        NotTaken("has no matrices, lists of lists, or dictionaries of collections", ProtobufNet, "Matrices", "NestedLists", "NestedMaps"),
        NotTaken("does not read into this collection", ProtobufNet, "Collections", "ListInterfaces", "ReadOnlyInterfaces"),
        NotTaken("leaves out the members of base classes", ProtobufNet, "DerivedClass", "DerivedTwice"),
        NotTaken("throws for null elements, and writes null values of dictionaries as empty", ProtobufNet, "NullableElements", "NullableMaps"),
        NotTaken("reads an empty string of a record without constructor, or of a pair, as null", ProtobufNet,
            "NominalRecord", "ObjectLists", "ObjectMaps", "Pairs", "Person"),
        NotTaken("nests derived classes ([ProtoInclude])", ProtobufNet, "Unions"),
        NotTaken("writes decimal and Guid as at level 200", [ProtobufNet240],
            "Crates", "Decimals", "Guids", "Transfer", "ValueLists", "ValueMaps"),
        OtherBytes("does not pack lists of numbers", ProtobufNet, "EnumLists", "FlagEnums", "FloatLists", "Gaps", "Immutables", "ManyMembers",
            "NullableLists", "PublicFields", "Queues", "SetInterfaces", "Sets", "SignedLists", "UnsignedArrays"),
        OtherBytes("writes empty strings and byte arrays, and the empty keys, values and items of dictionaries, pairs and tuples", ProtobufNet,
            "ByteArrays", "Card", "EnumMaps", "ForeignNames", "InitOnly", "LongTuples", "Memories", "NamedTree", "Nested", "NumberMaps",
            "OtherOrder", "SortedMaps", "Strings", "TextMaps", "TimeMaps", "Tree", "Tuples"),
        OtherBytes("leaves out durations of zero", ProtobufNet, "Durations"),
        OtherBytes("writes empty strings, and does not pack lists", [ProtobufNet200, ProtobufNet300], "Crates", "Transfer", "ValueMaps"),

        NotTaken("has no format for IPAddress, and none of ArraySegment<byte>", [Nerdbank], "Addresses", "Memories"),
        NotTaken("writes decimal, Guid, BigInteger and Int128 as extensions", [Nerdbank],
            "BigIntegers", "Crates", "Decimals", "Guids", "Transfer", "Unions", "ValueLists", "ValueMaps", "WideIntegers"),
        NotTaken("writes the time of a DateTimeOffset in UTC; MessagePack-CSharp and we write its clock time", [Nerdbank], "Offsets"),
        NotTaken("writes pairs as maps, long tuples flat, matrices as nested arrays", [Nerdbank], "LongTuples", "Matrices", "Pairs"),
        NotTaken("reads a stack in the reverse order", [Nerdbank], "Queues"),
        OtherBytes("writes the members in another order", [Nerdbank], "DerivedClass", "DerivedTwice", "PrivateMembers"),

        NotTaken("has only types of the base library with [Serializable]", [BinaryFormatter],
            "DatesOnly", "Halves", "Immutables", "Memories", "TimesOnly", "WideIntegers"),
        NotTaken("has BigInteger, IPAddress and ObservableCollection, whose fields we cannot set", [BinaryFormatter],
            "Addresses", "BigIntegers", "Collections"),
        OtherBytes("names the assemblies of .NET for TimeSpan as a type argument and for SortedList, where we name those of .NET Framework",
            [BinaryFormatter], "Durations", "SortedMaps", "TimeMaps"),
    ];

    internal static ShapeDifference? Find(string peer, string shape) =>
        All.SingleOrDefault(difference => difference.Peers.Contains(peer) && difference.Shapes.Contains(shape));

    private static ShapeDifference NotTaken(string reason, string[] peers, params string[] shapes) =>
        new(peers, ShapeDifferenceKind.NotTaken, reason, shapes);

    private static ShapeDifference OtherBytes(string reason, string[] peers, params string[] shapes) =>
        new(peers, ShapeDifferenceKind.OtherBytes, reason, shapes);
}
