using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Binary;
using Formatters.Generated;
using Formatters.MessagePack;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The generated contract of a type: its members, and the code that writes and reads them in each of its <see cref="Formats"/>.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <remarks>
/// Immutable and safe for use by several threads. Pass it to the formatter of any of its formats, or call a codec of it in hand-written code. Only
/// the library derives from it, for the code that the generator makes of <see cref="MessageContractAttribute"/> and <see
/// cref="MessageContractForAttribute"/>.
/// </remarks>
public abstract class MessageContract<T>
{
    // Codecs are single instances, so racing threads store the same one.
    private BinaryCodec<T>? _binary;
    private BinaryCodec<T>? _versioned;
    private MessagePackContract<T>? _messagePack;
    private Traversal? _traversal;

    private protected MessageContract()
    {
    }

    /// <summary>Gets the formats with generated code.</summary>
    public ContractFormats Formats
    {
        get
        {
            ContractFormats formats = ContractFormats.None;
            for (int format = 1; format > 0; format <<= 1)
            {
                if (Find((ContractFormats)format) is not null)
                    formats |= (ContractFormats)format;
            }

            return formats;
        }
    }

    /// <summary>Gets the codec of the binary format, for a hand-written <c>Save</c> and <c>Load</c>.</summary>
    /// <exception cref="InvalidOperationException">No code was generated for this format.</exception>
    public BinaryCodec<T> Binary => _binary ??= Get<BinaryCodec<T>>(ContractFormats.Binary);

    /// <summary>Gets the codec of the versioned format, for a part of a hand-written <c>Save</c> and <c>Load</c> whose members change.</summary>
    /// <exception cref="InvalidOperationException">No code was generated for this format.</exception>
    public BinaryCodec<T> Versioned => _versioned ??= Get<BinaryCodec<T>>(ContractFormats.Versioned);

    /// <summary>Gets the codec of MessagePack, for hand-written codecs and <see cref="MessagePackOptions.WithCodec{T}"/>.</summary>
    /// <exception cref="InvalidOperationException">No code was generated for this format.</exception>
    public MessagePackCodec<T> MessagePack => _messagePack ??= Get<MessagePackContract<T>>(ContractFormats.MessagePack);

    /// <summary>Gets the codec of protobuf, for hand-written codecs and <see cref="ProtobufOptions.WithCodec{T}"/>.</summary>
    /// <exception cref="InvalidOperationException">No code was generated for this format.</exception>
    public ProtobufCodec<T> Protobuf => Get<ProtobufContract<T>>(ContractFormats.Protobuf);

    /// <summary>Finds the code of one format.</summary>
    /// <param name="format">The format.</param>
    /// <returns>A codec, always the same instance; null if no code was generated for the format.</returns>
    internal abstract object? Find(ContractFormats format);

    /// <summary>Returns the contract in a traversal format.</summary>
    internal TraversedContract<T> For<TFormat>()
        where TFormat : struct, IWireFormat
    {
        // Constants for the JIT, as the format is.
        if (default(TFormat).BodyType == BodyTypes.MessagePack)
            return ((MessagePackContract<T>)MessagePack).For(default(TFormat).IsSorted);
        if (default(TFormat).ContractFormat == ContractFormats.MessagePack)
            return Get<MessagePackContract<T>>(ContractFormats.MessagePack).For<TFormat>();
        for (Traversal? known = _traversal; known is not null; known = known.Next)
        {
            if (known.Format == default(TFormat).ContractFormat)
                return known.Contract;
        }

        TraversedContract<T> contract = Get<TraversedContract<T>>(default(TFormat).ContractFormat);
        _traversal = new Traversal(default(TFormat).ContractFormat, contract, _traversal);
        return contract;
    }

    /// <summary>Returns the code of one format.</summary>
    /// <typeparam name="TCodec">Its class.</typeparam>
    /// <exception cref="InvalidOperationException">No code was generated for the format.</exception>
    internal TCodec Get<TCodec>(ContractFormats format)
        where TCodec : class => Find(format) as TCodec ?? throw GeneratedContract.NotGenerated(typeof(T), format);

    /// <summary>Returns the contract that was generated into the type itself; null if it has none.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2090",
        Justification = "Callers either preserve the properties of T or say that trimming may remove them.")]
    // A delegate, because Invoke loads more of reflection.
    internal static MessageContract<T>? OfType() =>
        typeof(T).GetProperty(GeneratedContract.PropertyName, BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)
            is { PropertyType: Type type } property && type == typeof(MessageContract<T>) && property.GetGetMethod() is MethodInfo getter
            ? ((Func<MessageContract<T>>)getter.CreateDelegate(typeof(Func<MessageContract<T>>)))()
            : null;

    /// <summary>Returns the contract that was generated into the type itself.</summary>
    /// <exception cref="InvalidOperationException">The type has no generated contract.</exception>
    internal static MessageContract<T> OfType(ContractFormats format) => OfType() ?? throw GeneratedContract.NotGenerated(typeof(T), format);

    /// <summary>The contract in one traversal format, and in those that were used before it.</summary>
    private sealed class Traversal(ContractFormats format, TraversedContract<T> contract, Traversal? next)
    {
        internal readonly ContractFormats Format = format;
        internal readonly TraversedContract<T> Contract = contract;
        internal readonly Traversal? Next = next;
    }
}

/// <summary>A contract that the library makes of the parts that the generator printed.</summary>
internal sealed class MessageContract<T, TParts> : MessageContract<T>
    where TParts : struct, IContractParts
{
    internal static readonly MessageContract<T, TParts> Instance = new();

    internal override object? Find(ContractFormats format) => default(TParts).Find(format);
}
