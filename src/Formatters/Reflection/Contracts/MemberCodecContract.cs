using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Generated;

namespace Formatters;

/// <summary>The contract of a value with a custom codec, which determines its bytes.</summary>
internal abstract class MemberCodecContract(Type type, Type formatterType) : ValueContract(type)
{
    internal Type FormatterType { get; } = formatterType;

    /// <exception cref="ArgumentException">The codec does not match the type.</exception>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static MemberCodecContract Make(Type type, Type formatterType, string path)
    {
        if (!typeof(BinaryCodec<>).MakeGenericType(type).IsAssignableFrom(formatterType) || formatterType.IsAbstract
            || formatterType.ContainsGenericParameters || formatterType.GetConstructor(Type.EmptyTypes) is null)
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(formatterType)} is not a codec for {TypeNames.Of(type)}: it has to derive from BinaryCodec<T> of it, "
                + "and to have a public constructor without parameters.");
        return (MemberCodecContract)Activator.CreateInstance(typeof(MemberCodecContract<,>).MakeGenericType(formatterType, type))!;
    }
}

/// <inheritdoc/>
internal sealed class MemberCodecContract<TCodec, T>() : MemberCodecContract(typeof(T), typeof(TCodec))
    where TCodec : BinaryCodec<T>, new()
{
    internal override int MinByteCount => ContractCode.MinByteCount<TCodec, T>();

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        ContractCode.WriteFormatted<TCodec, T>(ref writer, (T)value);
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing) =>
        ContractCode.ReadFormatted<TCodec, T>(ref reader, existing is T value && !typeof(T).IsValueType ? value : default);
}
