using System;

namespace Formatters.Generated;

// Creates contracts from generated code: docs/decisions/0008-contracts-made-by-the-library.md.
public static partial class ContractCode
{
    /// <summary>The name of the static property that the generator adds to a type.</summary>
    internal const string PropertyName = "MessageContract";

    internal static readonly ContractFormats[] AllFormats =
    [
        ContractFormats.Binary, ContractFormats.Versioned, ContractFormats.MessagePack, ContractFormats.Protobuf, ContractFormats.Xml,
            ContractFormats.Cbor,
        ContractFormats.Compact,
    ];

    /// <summary>Returns the contract of a type, which is created on first use.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TParts">Its code in each format.</typeparam>
    /// <returns>The contract, always the same instance.</returns>
    public static MessageContract<T> MessageContract<T, TParts>()
        where TParts : struct, IContractParts => global::Formatters.MessageContract<T, TParts>.Instance;

    /// <summary>Returns the part of a contract for one format, which is created on first use.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TCode">Its generated code: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
    /// <returns>The part, always the same instance.</returns>
    public static object BinaryPart<T, TCode>()
        where TCode : struct, IBinaryCode<T> => BinaryContract<T, TCode>.Instance;

    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object VersionedPart<T, TCode>()
        where TCode : struct, IBinaryCode<T> => VersionedContract<T, TCode>.Instance;

    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object MessagePackPart<T, TCode>()
        where TCode : struct, ITraversal<T> => MessagePackContract<T, TCode>.Instance;

    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object CborPart<T, TCode>()
        where TCode : struct, ITraversal<T> => TraversedContract<CborFormat, T, TCode>.Instance;

    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object CompactPart<T, TCode>()
        where TCode : struct, ITraversal<T> => TraversedContract<CompactFormat, T, TCode>.Instance;

    /// <inheritdoc cref="BinaryPart{T, TCode}"/>
    public static object ProtobufPart<T, TCode>()
        where TCode : struct, IProtobufCode<T> => ProtobufContract<T, TCode>.Instance;

    /// <summary>Returns the codec of the binary or the versioned format of a contract in another assembly.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="contract">The contract.</param>
    /// <returns>The codec.</returns>
    public static BinaryCodec<T> CodecOf<TFormat, T>(MessageContract<T> contract)
        where TFormat : struct, IBinaryFormat => typeof(TFormat) == typeof(Versioned) ? contract.Versioned : contract.Binary;

    /// <summary>Returns the protobuf codec of a type that is part of other messages.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TCode">Its code.</typeparam>
    /// <returns>A codec that reads and writes in the mode.</returns>
    public static ProtobufCodec<T> ProtobufCodec<TMode, T, TCode>()
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T> => ProtobufContract<T, TCode>.Part<TMode>.Instance;

    internal static InvalidOperationException NotGenerated(Type type, ContractFormats format) => new(
        $"{TypeNames.Of(type)} has no generated contract for {format}. Declare it partial, with [MessageContract(Formats = "
        + $"ContractFormats.{format})], "
        + "or pass a contract of a class with [MessageContractFor]; or find the contract by reflection: new(options) instead of Create."
        + (format == ContractFormats.Xml
            ? " What the generator does not cover in XML (FMT140) is written by XmlSerializer, also with new(options)."
            : ""));
}
