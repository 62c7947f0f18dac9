namespace Formatters.Generated;

// The contracts of generated code, which the library makes: docs/decisions/0008-contracts-made-by-the-library.md.
public static partial class ContractCode
{
    /// <summary>The contract of a type in a format, made of its generated code when it is first asked for.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TCode">Its code: a struct, so that the JIT makes code of its own for each, and calls it directly.</typeparam>
    /// <returns>The contract: the same one every time.</returns>
    public static MessageContract<T> MessageContract<T, TCode>()
        where TCode : struct, IBinaryCode<T> => Generated.MessageContract<T, TCode>.Instance;

    /// <inheritdoc cref="MessageContract{T, TCode}"/>
    public static VersionedContract<T> VersionedContract<T, TCode>()
        where TCode : struct, IBinaryCode<T> => Generated.VersionedContract<T, TCode>.Instance;

    /// <inheritdoc cref="MessageContract{T, TCode}"/>
    public static MessagePackContract<T> MessagePackContract<T, TCode>()
        where TCode : struct, ITraversal<T> => Generated.MessagePackContract<T, TCode>.Instance;

    /// <inheritdoc cref="MessageContract{T, TCode}"/>
    public static CborContract<T> CborContract<T, TCode>()
        where TCode : struct, ITraversal<T> => Generated.CborContract<T, TCode>.Instance;

    /// <inheritdoc cref="MessageContract{T, TCode}"/>
    public static CompactContract<T> CompactContract<T, TCode>()
        where TCode : struct, ITraversal<T> => Generated.CompactContract<T, TCode>.Instance;

    /// <inheritdoc cref="MessageContract{T, TCode}"/>
    public static ProtobufContract<T> ProtobufContract<T, TCode>()
        where TCode : struct, IProtobufCode<T> => Generated.ProtobufContract<T, TCode>.Instance;

    /// <summary>A type as a part of other protobuf messages.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <typeparam name="TCode">Its code.</typeparam>
    /// <returns>A codec that reads and writes in the mode.</returns>
    public static ProtobufCodec<T> ProtobufCodec<TMode, T, TCode>()
        where TMode : struct, IMode
        where TCode : struct, IProtobufCode<T> => Generated.ProtobufContract<T, TCode>.Part<TMode>.Instance;
}
