#if NET
using Formatters.Binary;

using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
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

    /// <summary>Does what <see cref="ContractCode.WriteOwnBody"/> does, and throws for an object of a derived class.</summary>
    internal static ref byte WriteOwnBodyExactly<T>(ref BinaryBodyWriter writer, ref byte position, T value)
        where T : IBinaryBody
    {
        if (value is null || value.GetType() != typeof(T))
            DerivedObjects.Throw(value, typeof(T));
        return ref ContractCode.WriteOwnBody(ref writer, ref position, value);
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

    internal static ref byte WriteFormatted<TCodec, T>(ref BinaryBodyWriter writer, ref byte position, T value)
        where TCodec : BinaryCodec<T>, new() => ref ContractCode.WriteFormatted<TCodec, T>(ref writer, ref position, value);

    internal static T ReadFormatted<TCodec, T>(ref BinaryBodyReader reader, T? existing)
        where TCodec : BinaryCodec<T>, new() => ContractCode.ReadFormatted<TCodec, T>(ref reader, existing);

    internal static ref byte WriteLengths(ref BinaryBodyWriter writer, ref byte position, Array? grid)
    {
        writer.Output.MoveTo(ref position);
        MultidimensionalArrayMethods.WriteLengths(ref writer, grid);
        return ref writer.Output.Position;
    }

    // The values of fixed size that share a method of ContractCode with others in generated code.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, sbyte value) => ref ContractCode.Write(ref position, (byte)value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, ushort value) => ref ContractCode.Write(ref position, (short)value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, uint value) => ref ContractCode.Write(ref position, (int)value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, ulong value) => ref ContractCode.Write(ref position, (long)value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, TimeSpan value) => ref ContractCode.Write(ref position, value.Ticks);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, DateOnly value) => ref ContractCode.Write(ref position, value.DayNumber);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte Write(ref byte position, TimeOnly value) => ref ContractCode.Write(ref position, value.Ticks);

    internal static ref byte Write(ref byte position, UInt128 value) => ref ContractCode.Write(ref position, (Int128)value);

    // Inlined: returned in two registers, a decimal would be stored in two halves, which the next load of all of it would wait for.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static decimal ReadDecimal(ref BinaryBodyReader reader)
    {
        if (!Decimals.TryRead(ref reader.Peek(sizeof(decimal)), out decimal value))
            ThrowHelper.ThrowBadValue(reader.ByteOffset, nameof(Decimal));
        reader.Take(sizeof(decimal));
        return value;
    }

    /// <summary>Writes a table that <see cref="ContractCode.BeginRecord"/> cannot, after 4 bytes for the byte count.</summary>
    internal static ref byte BeginRecord(ref BinaryBodyWriter writer, ref byte position, ReadOnlySpan<byte> table, out long start)
    {
        start = writer.Output.OffsetAt(ref position) + sizeof(int);
        position = ref ContractCode.Write(ref position, 0);
        Unsafe.CopyBlockUnaligned(ref position, ref MemoryMarshal.GetReference(table), (uint)table.Length);
        return ref Unsafe.Add(ref position, table.Length);
    }

    /// <summary>Writes a versioned record together with its stored unknown members.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static ref byte WriteWith(
        ref BinaryBodyWriter writer, ref byte position, object value, UnknownMembers unknown, List<object> constants, int record)
    {
        writer.Output.MoveTo(ref position);
        ((VersionedRecordContract)constants[record]).WriteMembers(ref writer, value, unknown);
        return ref writer.Output.Position;
    }

    /// <summary>Determines whether a member that a body lacks is a null that its contract does not declare.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static bool IsBadNull<T>(T value, List<object> constants, int member) => ((VersionedMember)constants[member]).IsBadNull(value);

    /// <summary>Returns an empty string or collection for it, or throws.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static T EmptyMember<T>(ref BinaryBodyReader reader, List<object> constants, int member) =>
        (T)((VersionedMember)constants[member]).GetEmpty(ref reader);

    /// <summary>Returns the default of a constructor parameter for a member that a body lacks.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static T DefaultMember<T>(ref BinaryBodyReader reader, List<object> constants, int member) =>
        (T)((VersionedMember)constants[member]).GetDefault(ref reader)!;
}
#endif
