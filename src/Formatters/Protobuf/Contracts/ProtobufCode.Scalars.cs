// docs/wire/protobuf.md, "Values".
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Protobuf;

namespace Formatters.Generated;

// protobuf: scalars without methods for them alone, at a position. Each type is compiled without the branches of the others.
public static partial class ProtobufCode
{
    /// <summary>Determines whether a member that is not nullable has no field because of its value.</summary>
    /// <typeparam name="T">A type that <see cref="PutScalar"/> writes.</typeparam>
    /// <param name="value">The value.</param>
    /// <returns>Whether it is the default value; 0.0 is not the default of a decimal, which is 0.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsDefault<T>(T value)
        where T : struct, IEquatable<T>
    {
        if (typeof(T) != typeof(decimal))
            return value.Equals(default);
        ref long words = ref Unsafe.As<T, long>(ref value);
        return (words | Unsafe.Add(ref words, 1)) == 0;
    }

    /// <summary>Writes a scalar after its tag.</summary>
    /// <typeparam name="T">An integer of 8 or 16 bits, <see cref="char"/>, <see cref="decimal"/>, <see cref="DateTimeOffset"/>, <see cref="Guid"/>,
    /// <c>DateOnly</c> or <c>TimeOnly</c>.</typeparam>
    /// <param name="position">The position of the next byte. The caller has reserved the bytes.</param>
    /// <param name="value">The value.</param>
    /// <param name="encoding">The encoding.</param>
    /// <returns>The position after it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte PutScalar<T>(ref byte position, T value, MemberEncoding encoding)
        where T : struct
    {
        if (typeof(T) == typeof(byte))
            return ref PutInteger(ref position, Unsafe.As<T, byte>(ref value), encoding);
        if (typeof(T) == typeof(sbyte))
            return ref PutInteger(ref position, Unsafe.As<T, sbyte>(ref value), encoding);
        if (typeof(T) == typeof(short))
            return ref PutInteger(ref position, Unsafe.As<T, short>(ref value), encoding);
        if (typeof(T) == typeof(ushort) || typeof(T) == typeof(char))
            return ref PutInteger(ref position, Unsafe.As<T, ushort>(ref value), encoding);
#if NET
        if (typeof(T) == typeof(DateOnly))
            return ref Put(ref position, (ulong)Unsafe.As<T, DateOnly>(ref value).DayNumber);
        if (typeof(T) == typeof(TimeOnly))
            return ref Put(ref position, (ulong)Unsafe.As<T, TimeOnly>(ref value).Ticks);
#endif
        if (typeof(T) == typeof(decimal))
            return ref PutDecimal(ref position, Unsafe.As<T, decimal>(ref value));
        return ref typeof(T) == typeof(Guid)
            ? ref PutGuid(ref position, Unsafe.As<T, Guid>(ref value), encoding)
            : ref PutDateTimeOffset(ref position, Unsafe.As<T, DateTimeOffset>(ref value));
    }

    /// <summary>Reads a scalar at a position.</summary>
    /// <typeparam name="T">A type that <see cref="PutScalar"/> writes.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the value.</param>
    /// <param name="encoding">The encoding.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    /// <exception cref="MessageFormatException">The value is invalid, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte GetScalar<T>(ref ProtobufBodyReader reader, ref byte position, MemberEncoding encoding, out T value)
        where T : struct
    {
        if (typeof(T) == typeof(byte) || typeof(T) == typeof(sbyte) || typeof(T) == typeof(short) || typeof(T) == typeof(ushort)
            || typeof(T) == typeof(char))
        {
            ref byte start = ref position;
            int wide;
            if (encoding == MemberEncoding.Fixed)
                position = ref GetFixed(ref reader, ref position, out wide);
            else if (encoding == MemberEncoding.ZigZag)
                position = ref GetZigZag(ref reader, ref position, out wide);
            else
                position = ref Get(ref reader, ref position, out wide);
            // Not the first bytes of the int, which are the high ones on a big-endian machine.
            byte narrow = (byte)wide;
            ushort half = (ushort)wide;
            value = Unsafe.SizeOf<T>() == 1 ? Unsafe.As<byte, T>(ref narrow) : Unsafe.As<ushort, T>(ref half);
            bool isInRange = typeof(T) == typeof(byte) ? wide == (byte)wide
                : typeof(T) == typeof(sbyte) ? wide == (sbyte)wide
                : typeof(T) == typeof(short) ? wide == (short)wide
                : wide == (ushort)wide;
            if (!isInRange)
                ThrowBadValue(ref reader, ref start, ref position, typeof(T).Name);
            return ref position;
        }

#if NET
        if (typeof(T) == typeof(DateOnly))
        {
            ref byte start = ref position;
            position = ref Get(ref reader, ref position, out int dayNumber);
            if ((uint)dayNumber > (uint)DateOnly.MaxValue.DayNumber)
                ThrowBadValue(ref reader, ref start, ref position, nameof(DateOnly));
            value = Unsafe.BitCast<DateOnly, T>(DateOnly.FromDayNumber(dayNumber));
            return ref position;
        }

        if (typeof(T) == typeof(TimeOnly))
        {
            ref byte start = ref position;
            position = ref Get(ref reader, ref position, out ulong ticks);
            if (ticks > (ulong)TimeOnly.MaxValue.Ticks)
                ThrowBadValue(ref reader, ref start, ref position, nameof(TimeOnly));
            value = Unsafe.BitCast<TimeOnly, T>(new TimeOnly((long)ticks));
            return ref position;
        }
#endif
        return ref GetOtherScalar(ref reader, ref position, out value);
    }

    private static ref byte GetOtherScalar<T>(ref ProtobufBodyReader reader, ref byte position, out T value)
        where T : struct
    {
#if NET
        // Text with its length in one byte, at the position. Row "invoice" of protobuf in models.
        int remaining = reader.RemainingAt(ref position);
        if ((typeof(T) == typeof(decimal) || typeof(T) == typeof(Guid)) && remaining > 0 && (sbyte)position > 0 && position < remaining)
        {
            ReadOnlySpan<byte> text = MemoryMarshal.CreateReadOnlySpan(ref Unsafe.Add(ref position, 1), position);
            if (typeof(T) == typeof(decimal) && Decimals.TryParse(text, out decimal parsed))
            {
                value = Unsafe.BitCast<decimal, T>(parsed);
                return ref Unsafe.Add(ref position, 1 + text.Length);
            }

            if (typeof(T) == typeof(Guid) && GuidText.TryParse(text, out Guid parsedGuid))
            {
                value = Unsafe.BitCast<Guid, T>(parsedGuid);
                return ref Unsafe.Add(ref position, 1 + text.Length);
            }
        }
#endif
        reader.End(ref position);
        if (typeof(T) == typeof(decimal))
        {
            decimal number = reader.ReadDecimal();
            value = Unsafe.As<decimal, T>(ref number);
        }
        else if (typeof(T) == typeof(Guid))
        {
            Guid guid = reader.ReadGuid();
            value = Unsafe.As<Guid, T>(ref guid);
        }
        else
        {
            DateTimeOffset time = reader.ReadDateTimeOffset();
            value = Unsafe.As<DateTimeOffset, T>(ref time);
        }

        return ref reader.Begin();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte PutInteger(ref byte position, int value, MemberEncoding encoding)
    {
        if (encoding == MemberEncoding.Fixed)
            return ref PutFixed(ref position, value);
        return ref encoding == MemberEncoding.ZigZag ? ref PutZigZag(ref position, value) : ref Put(ref position, (long)value);
    }

    private static ref byte PutDecimal(ref byte position, decimal value)
    {
        ref byte text = ref Unsafe.Add(ref position, 1);
        int byteCount = Decimals.Format(ref text, value);
        position = (byte)byteCount;
        return ref Unsafe.Add(ref text, byteCount);
    }

    private static ref byte PutGuid(ref byte position, Guid value, MemberEncoding encoding)
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        if (encoding == MemberEncoding.Fixed)
        {
            position = 16;
            return ref BigEndian.WriteGuid(ref content, value);
        }

        position = GuidText.ByteCount;
        GuidText.Format(ref content, value);
        return ref Unsafe.Add(ref content, GuidText.ByteCount);
    }

    private static ref byte PutDateTimeOffset(ref byte position, DateTimeOffset value)
    {
        Timestamps.Split(value.UtcTicks, out long seconds, out int nanos);
        ref byte end = ref PutTime(ref position, seconds, nanos);
        int offsetMinutes = (int)(value.Offset.Ticks / TimeSpan.TicksPerMinute);
        if (offsetMinutes == 0)
            return ref end;
        end = Timestamps.OffsetTag;
        end = ref PutZigZag(ref Unsafe.Add(ref end, 1), offsetMinutes);
        return ref PutLength(ref position, ref end);
    }

    private static void ThrowBadValue(ref ProtobufBodyReader reader, ref byte start, ref byte position, string typeName)
    {
        // Not the start: the reader of .NET Standard 2.0 cannot go back, and a value of several bytes has moved it.
        reader.End(ref position);
        ThrowHelper.ThrowBadValue(reader.ByteOffset - (int)Unsafe.ByteOffset(ref start, ref position), typeName);
    }
}
