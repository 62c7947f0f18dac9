using System;
using System.Runtime.CompilerServices;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters;

/// <summary>The decoding of the integers with a first byte; the default if it does not start one of up to 64 bits.</summary>
/// <param name="base">The value of the first byte, to which the argument is added.</param>
/// <param name="isNegative">Whether the complement is encoded.</param>
/// <param name="argumentByteCount">The bytes of the argument.</param>
/// <param name="minArgument">The smallest argument of the form; smaller ones are left to the reader.</param>
/// <remarks>Rows "List&lt;int&gt;", "numbers" and "collections" of cbor and compact in models.</remarks>
internal readonly struct IntegerForm(int @base, bool isNegative, int argumentByteCount, ulong minArgument = 0)
{
    /// <summary>The bytes that must be readable, whatever the size of the value.</summary>
    internal const int MaxByteCount = 9;

    private readonly ulong _mask = argumentByteCount == 0 ? 0 : ulong.MaxValue >> (64 - (8 * argumentByteCount));
    private readonly ulong _minArgument = minArgument;
    private readonly short _base = (short)@base;
    private readonly sbyte _complement = (sbyte)(isNegative ? -1 : 0);
    private readonly byte _byteCount = (byte)(1 + argumentByteCount);
    private readonly byte _bigEndianShift = (byte)((64 - (8 * argumentByteCount)) & 63);

    /// <summary>Creates the table of a format.</summary>
    internal static IntegerForm[] CreateTable(Func<int, IntegerForm> create)
    {
        var forms = new IntegerForm[256];
        for (int first = 0; first < forms.Length; first++)
            forms[first] = create(first);
        return forms;
    }

    /// <summary>Decodes the integer at a position from which <see cref="MaxByteCount"/> bytes can be read.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <param name="forms">The table of the format.</param>
    /// <param name="position">The position.</param>
    /// <param name="value">Receives the integer.</param>
    /// <param name="byteCount">Receives its bytes.</param>
    /// <returns>False for a value that is not a <see cref="long"/> in its shortest form.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryDecode<TFormat>(IntegerForm[] forms, ref byte position, out long value, out int byteCount)
        where TFormat : struct, IWireFormat
    {
        ref readonly IntegerForm form = ref forms[position];
        byteCount = form._byteCount;
        return form.TryDecode<TFormat>(ref position, out value);
    }

    /// <summary>Decodes an integer of this form.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private bool TryDecode<TFormat>(ref byte position, out long value)
        where TFormat : struct, IWireFormat
    {
        ref byte content = ref Unsafe.Add(ref position, 1);
        ulong argument = typeof(TFormat) == typeof(CborFormat)
            ? BigEndian.ReadUInt64(ref content) >> _bigEndianShift
            : (ulong)LittleEndian.ReadInt64(ref content);
        argument &= _mask;
        long magnitude = _base + (long)argument;
        value = magnitude ^ _complement;
        return argument >= _minArgument && _byteCount > 0 && magnitude >= 0;
    }

    /// <summary>Tries to read an integer within bounds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool TryRead<TFormat>(IntegerForm[] forms, ref WireReader reader, long min, long max, out long value)
        where TFormat : struct, IWireFormat
    {
        value = 0;
        if (reader.Input.BytesRemaining < MaxByteCount || !TryDecode<TFormat>(forms, ref reader.Input.Position, out value, out int byteCount)
            || value < min || value > max)
            return false;
        reader.Input.Advance(byteCount);
        return true;
    }

#if NET
    /// <summary>Reads integers up to the first one in another form, or near the end of the body.</summary>
    /// <returns>How many.</returns>
    internal static int Read<TFormat, T>(IntegerForm[] forms, ref WireReader reader, scoped Span<T> numbers)
        where TFormat : struct, IWireFormat
        where T : unmanaged
    {
        int maxSmall = typeof(TFormat) == typeof(CborFormat) ? CborHead.MaxShort : CompactHead.MaxSmall;
        int count = 0;
        ref byte position = ref reader.Input.Position;
        while (count < numbers.Length && reader.Input.RemainingAt(ref position) >= MaxByteCount)
        {
            byte first = position;
            if (first <= maxSmall)
            {
                numbers[count++] = typeof(T) == typeof(int) ? Unsafe.BitCast<int, T>(first) : Unsafe.BitCast<long, T>(first);
                position = ref Unsafe.Add(ref position, 1);
                continue;
            }

            // Those with the same first byte together: their size is looked up once.
            ref readonly IntegerForm form = ref forms[first];
            do
            {
                if (!form.TryDecode<TFormat>(ref position, out long value) || typeof(T) == typeof(int) && value != (int)value)
                {
                    reader.Input.MoveTo(ref position);
                    return count;
                }

                numbers[count++] = typeof(T) == typeof(int) ? Unsafe.BitCast<int, T>((int)value) : Unsafe.BitCast<long, T>(value);
                position = ref Unsafe.Add(ref position, form._byteCount);
            }
            while (count < numbers.Length && reader.Input.RemainingAt(ref position) >= MaxByteCount && position == first);
        }

        reader.Input.MoveTo(ref position);
        return count;
    }
#endif
}
