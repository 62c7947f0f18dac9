#if NET
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using Formatters.Generated;
using Formatters.Protobuf;

namespace Formatters;

/// <summary>The methods that emitted code of protobuf calls in addition to <see cref="ProtobufCode"/>.</summary>
internal static class EmittedProtobuf
{
    /// <summary>Writes a number or time unless it is the default, for which space is reserved.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte PutScalar<T>(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, T value,
        MemberEncoding encoding)
        where T : struct
    {
        bool isOmitted = typeof(T) == typeof(double)
            ? ProtobufCode.IsZero((double)(object)value)
            : typeof(T) == typeof(float)
            ? ProtobufCode.IsZero((float)(object)value)
            : typeof(T) != typeof(DateTime) && typeof(T) != typeof(TimeSpan) && EqualityComparer<T>.Default.Equals(value, default);
        if (isOmitted)
            return ref position;
        return ref PutPresent(ref writer, ref position, tag, tagByteCount, value, encoding);
    }

    /// <summary>Writes a number or time unless it is null, for which space is reserved.</summary>
    /// <typeparam name="T">The type, which may be an enum.</typeparam>
    /// <typeparam name="TScalar">The type, or the underlying type of the enum.</typeparam>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte PutOptional<T, TScalar>(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, T? value,
        MemberEncoding encoding)
        where T : struct
        where TScalar : struct
    {
        if (!value.HasValue)
            return ref position;
        return ref PutPresent(ref writer, ref position, tag, tagByteCount, Unsafe.BitCast<T, TScalar>(value.GetValueOrDefault()), encoding);
    }

    /// <summary>Writes a string unless it is null, and reserves space as <see cref="ProtobufCode.PutText"/> does.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte PutOptionalText(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, string? value,
        int following)
    {
        if (value is null)
            return ref ProtobufCode.Reserve(ref writer, ref position, following);
        return ref ProtobufCode.PutText(ref writer, ref position, tag, tagByteCount, value, following, isOptional: true);
    }

    /// <summary>Determines whether a member has work at the end of the message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool MustFinish(in FieldState state, bool finishesItems, int mode) =>
        state.HasFields ? finishesItems : mode != (int)FieldMode.Merge;

    /// <summary>Completes a member at the end of the message.</summary>
    /// <returns>Whether it must get the value that a new owner has.</returns>
    internal static bool FinishField<T>(ref ProtobufBodyReader reader, ProtobufField<T> field, ref T value, in FieldState state, int mode) =>
        !field.Finish(ref reader, ref value, state.ElementCount - 1, state.Items, (FieldMode)mode);

    /// <summary>Throws for a member of a class that the body lacks, and that its constructor needs.</summary>
    internal static void Require(ref ProtobufBodyReader reader, object? value)
    {
        if (value is null)
            ThrowHelper.ThrowMissingMember(reader.ByteOffset);
    }

    /// <summary>Reads a field of a member that is set at the end of the message.</summary>
    internal static void ReadHeld<T>(ref ProtobufBodyReader reader, ProtobufMember<T> member, uint tag, ref T owner, ref object? held,
        ref FieldState state, int mode)
    {
        int count = state.ElementCount - 1;
        member.ReadHeld(ref reader, (ProtobufWireType)(tag & 7), ref owner, ref held, ref count, ref state.Items, (FieldMode)mode);
        state.ElementCount = count + 1;
    }

    /// <summary>Sets a member whose values have been collected.</summary>
    /// <returns>Whether it must get the value that a new owner has.</returns>
    internal static bool FinishHeld<T>(ref ProtobufBodyReader reader, ProtobufMember<T> member, ref T owner, object? held, in FieldState state,
        int mode) => !member.FinishHeld(ref reader, ref owner, held, state.ElementCount - 1, state.Items, (FieldMode)mode);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte PutPresent<T>(ref ProtobufBodyWriter writer, ref byte position, uint tag, int tagByteCount, T value,
        MemberEncoding encoding)
        where T : struct
    {
        position = ref ProtobufCode.PutTag(ref position, tag, tagByteCount);
        if (typeof(T) == typeof(bool))
            return ref ProtobufCode.Put(ref position, (bool)(object)value);
        if (typeof(T) == typeof(double))
            return ref ProtobufCode.Put(ref writer, ref position, (double)(object)value);
        if (typeof(T) == typeof(float))
            return ref ProtobufCode.Put(ref writer, ref position, (float)(object)value);
        if (typeof(T) == typeof(DateTime))
            return ref ProtobufCode.Put(ref position, (DateTime)(object)value);
        if (typeof(T) == typeof(TimeSpan))
            return ref ProtobufCode.Put(ref position, (TimeSpan)(object)value);
        bool isShort = typeof(T) == typeof(int) || typeof(T) == typeof(uint);
        if (encoding == MemberEncoding.Fixed && isShort)
            return ref ProtobufCode.PutFixed(ref position, Unsafe.BitCast<T, int>(value));
        long wide = typeof(T) == typeof(int)
            ? (int)(object)value
            : typeof(T) == typeof(uint)
            ? (uint)(object)value
            : Unsafe.BitCast<T, long>(value);
        if (encoding == MemberEncoding.Fixed)
            return ref ProtobufCode.PutFixed(ref position, wide);
        if (encoding == MemberEncoding.ZigZag)
            return ref ProtobufCode.PutZigZag(ref position, wide);
        return ref ProtobufCode.Put(ref position, wide);
    }
}
#endif
