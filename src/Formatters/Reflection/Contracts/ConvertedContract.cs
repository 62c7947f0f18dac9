using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// The contract of a collection that is written as another, and created from it on reading: a queue as an array, a sorted dictionary as a dictionary.
/// </summary>
internal abstract class ConvertedContract(Type type, ValueContract written, ValueContract read) : ValueContract(type)
{
    /// <summary>Gets the contract for writing.</summary>
    internal ValueContract Written { get; } = written;

    /// <summary>Gets the contract for reading: the same or, for a set, a contract that rejects duplicate elements.</summary>
    internal ValueContract ReadAs { get; } = read;

    internal override int MinByteCount => Written.MinByteCount;

    /// <summary>Converts a value for writing.</summary>
    internal abstract object ToWritten(object? value);

    /// <summary>Converts what was read to the value.</summary>
    internal abstract object? FromRead(object? value);

    /// <summary>Determines whether a value is null, or equivalent: the default of a struct, which has no elements.</summary>
    internal abstract bool IsNull(object? value);

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static ConvertedContract Make(Type type, ValueContract written, ValueContract read) =>
        (ConvertedContract)Activator.CreateInstance(typeof(ConvertedContract<,,>).MakeGenericType(type, written.Type, read.Type), written, read)!;
}

/// <inheritdoc/>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ConvertedContract<T, TWritten, TRead>(ValueContract written, ValueContract read) : ConvertedContract(typeof(T), written, read)
{
    internal override void Write(ref BinaryBodyWriter writer, object? value) => Written.Write(ref writer, ToWritten(value));

    internal override object? Read(ref BinaryBodyReader reader, object? existing) => FromRead(ReadAs.Read(ref reader, null));

    internal override object ToWritten(object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return Conversion<T, TWritten>.Convert((T)value)!;
    }

    internal override object? FromRead(object? value) => Conversion<TRead, T>.Convert((TRead)value!);

    internal override object? CreateEmpty() => FromRead(ReadAs.CreateEmpty());

    internal override bool IsNull(object? value) => value is null || typeof(T).IsValueType && value.Equals(default(T));
}
