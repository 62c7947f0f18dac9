using System;
using System.ComponentModel;
using Formatters.Binary;
using Formatters.Custom;
using Formatters.MessagePack;
using Formatters.Protobuf;

namespace Formatters.Generated;

/// <summary>
/// Makes contracts of generated code (docs/decisions/0008-contracts-made-by-the-library.md), and writes and reads values with contracts of other
/// assemblies. Not for direct use.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class ContractParts
{
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

    /// <summary>Writes a value with its generated contract in another assembly.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteContract<TFormat, TMode, T>(ref WireWriter writer, ref byte position, MessageContract<T> contract, T value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.End(ref position);
        if (typeof(TMode) == typeof(Traced))
            contract.For<TFormat>().WriteTraced(ref writer, value);
        else
            contract.For<TFormat>().Write(ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads a value with its generated contract in another assembly.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="existing">A value to be filled.</param>
    /// <returns>The value.</returns>
    public static T ReadContract<TFormat, TMode, T>(ref WireReader reader, MessageContract<T> contract, T? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? contract.For<TFormat>().ReadTraced(ref reader) : contract.For<TFormat>().Read(ref reader, existing);

    /// <summary>Writes a value with a codec of the application, which is one of MessagePack.</summary>
    /// <typeparam name="TFormat">The format: MessagePack in one of its orders.</typeparam>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value; null is an error.</param>
    /// <returns>The position after it.</returns>
    public static ref byte WriteByCodec<TFormat, TCodec, T>(ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
        where TCodec : MessagePackCodec<T>, new()
    {
        if (WireCode.IsCustom<TFormat>())
            return ref WireCode.WriteByFormatter<TFormat, T>(ref writer, ref position, BinaryFormatterOf<TCodec, T>(), value);
        writer.End(ref position);
        PackedCodec.Write<TFormat, T>(SharedInstance<TCodec>.Value, ref writer, value);
        return ref writer.Output.Position;
    }

    /// <summary>Reads a value with a codec of the application, which is one of MessagePack.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TCodec">The codec.</typeparam>
    /// <typeparam name="T">The type of the value.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value that may be filled.</param>
    /// <returns>The value.</returns>
    /// <exception cref="MessageFormatException">The value is a nil, or the codec rejects it.</exception>
    public static T ReadByCodec<TFormat, TCodec, T>(ref WireReader reader, T? existing)
        where TFormat : struct, IWireFormat
        where TCodec : MessagePackCodec<T>, new() => WireCode.IsCustom<TFormat>()
        ? WireCode.ReadByFormatter<TFormat, T>(ref reader, BinaryFormatterOf<TCodec, T>(), existing)
        : PackedCodec.Read(SharedInstance<TCodec>.Value, ref reader, existing);

    /// <summary>Returns a codec of MessagePack as a formatter of the binary format, for a format of the application.</summary>
    private static BinaryCodec<T> BinaryFormatterOf<TCodec, T>()
        where TCodec : MessagePackCodec<T>, new() =>
        (object)SharedInstance<TCodec>.Value as BinaryCodec<T> ?? throw new MessageFormatException(
            MessageFormatErrorCode.TypeNotAllowed,
            $"{TypeNames.Of(typeof(TCodec))} writes MessagePack only: in a wire format of the application, implement BinaryCodec<T> as well.");
}
