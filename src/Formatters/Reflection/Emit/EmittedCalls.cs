#if NET
using Formatters.Binary;

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Generated;

namespace Formatters;

/// <summary>Generic methods that emitted code calls: operations that are the same for every contract and would be longer as IL.</summary>
internal static class EmittedCalls
{
    /// <summary>Returns an element of an <see cref="ArrayList"/> of structs or numbers.</summary>
    internal static T UnboxElement<T>(object? element)
        where T : struct
    {
        if (element is not T)
            ContractMethods.ThrowNotOfType(element);
        return (T)element!;
    }

    internal static void WriteOwnBody<T>(ref BinaryBodyWriter writer, T value)
        where T : IBinaryBody
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        writer.EnterRecord();
        value.Save(ref writer);
        writer.LeaveRecord();
    }

    /// <summary>Does what <see cref="WriteOwnBody"/> does, and throws for an object of a derived class.</summary>
    internal static void WriteOwnBodyExactly<T>(ref BinaryBodyWriter writer, T value)
        where T : IBinaryBody
    {
        if (value is null || value.GetType() != typeof(T))
            DerivedObjects.Throw(value, typeof(T));
        WriteOwnBody(ref writer, value);
    }

    internal static T ReadOwnBody<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(
        ref BinaryBodyReader reader, T? existing)
        where T : IBinaryBody, new()
    {
        T value = !typeof(T).IsValueType && existing is not null && existing.GetType() == typeof(T) ? existing : new T();
        reader.EnterRecord();
        value.Load(ref reader);
        reader.LeaveRecord();
        return value;
    }

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static TTo Convert<TFrom, TTo>(TFrom value) => Conversion<TFrom, TTo>.Convert(value);

    internal static void WriteFormatted<TFormatter, T>(ref BinaryBodyWriter writer, T value)
        where TFormatter : BinaryCodec<T>, new() => ContractCode.WriteFormatted<TFormatter, T>(ref writer, value);

    internal static T ReadFormatted<TFormatter, T>(ref BinaryBodyReader reader, T? existing)
        where TFormatter : BinaryCodec<T>, new() => ContractCode.ReadFormatted<TFormatter, T>(ref reader, existing);
}
#endif
