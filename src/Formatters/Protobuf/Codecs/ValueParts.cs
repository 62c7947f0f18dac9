// https://protobuf.dev/programming-guides/encoding/
#if NET
using Formatters.Protobuf;

using System;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>Reads and writes consecutive fields of strings or times in loops without virtual calls.</summary>
/// <remarks>Rows "collections" and "ASCII titles" of protobuf in models.</remarks>
internal static class ValueParts
{
    /// <inheritdoc cref="ProtobufValue{T}.WriteItems"/>
    internal static void Write<T, TPart>(ref ProtobufBodyWriter writer, uint tag, ReadOnlySpan<T> items, ref int index)
        where TPart : struct, IValuePart<T>
    {
        int tagByteCount = ProtobufBytes.GetByteCount(tag);
        ref byte p = ref writer.Begin();
        int i = index;
        for (; i < items.Length; i++)
        {
            T item = items[i];
            if (writer.RoomAt(ref p) - tagByteCount < default(TPart).GetMaxByteCount(item))
                break;
            p = ref ProtobufCode.PutTag(ref p, tag, tagByteCount);
            p = ref default(TPart).Put(ref p, item);
        }

        writer.End(ref p);
        index = i;
    }

    /// <inheritdoc cref="ProtobufValue{T}.ReadItems"/>
    internal static bool Read<T, TPart>(ref ProtobufBodyReader reader, uint tag, Span<T> items, ReadOnlySpan<T> existing, int allocation,
        ref int index)
        where TPart : struct, IValuePart<T>
    {
        ref byte p = ref reader.Begin();
        while (index < Math.Min(items.Length, reader.Limits.MaxElementCount))
        {
            int remaining = reader.RemainingAt(ref p);
            if (remaining == 0)
                break;
            T value = index < existing.Length ? existing[index] : default!;
            int byteCount = default(TPart).Get(ref p, remaining, ref value);
            if (byteCount == 0 || index >= existing.Length && !reader.TryCharge(allocation))
                break;
            items[index++] = value;
            reader.End(ref Unsafe.Add(ref p, byteCount));
            if (index == items.Length || !reader.TryReadTag(tag))
                return false;
            p = ref reader.Begin();
        }

        return true;
    }
}

/// <summary>A string, number or time: the key or value of an entry, or an element of a collection.</summary>
internal interface IValuePart<T>
{
    /// <summary>Gets the value of a missing field.</summary>
    T Default { get; }

    /// <summary>Determines whether a value is omitted.</summary>
    bool IsDefault(T value);

    /// <summary>Returns the maximum size of a value; a size that no output has for one that must be written in another way.</summary>
    long GetMaxByteCount(T value);

    /// <summary>Writes a value, for which space is reserved.</summary>
    /// <returns>The position after it.</returns>
    ref byte Put(ref byte position, T value);

    /// <summary>Reads a value.</summary>
    /// <param name="position">The position of its first byte.</param>
    /// <param name="available">The number of available bytes, at least 1.</param>
    /// <param name="value">A value that may be reused; receives the value.</param>
    /// <returns>The number of bytes; 0 if it must be read in another way.</returns>
    int Get(ref byte position, int available, ref T value);
}

/// <summary>A string. One of 128 bytes or more is read in another way.</summary>
internal readonly struct TextPart : IValuePart<string>
{
    public string Default => "";

    public bool IsDefault(string value) => value.Length == 0;

    public long GetMaxByteCount(string value) => value is null ? int.MaxValue : ProtobufBytes.MaxVarint32ByteCount + (3L * value.Length);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Put(ref byte position, string value) => ref Unsafe.Add(ref position, Utf8Text.WritePrefixed(ref position, value));

    public int Get(ref byte position, int available, ref string value)
    {
        int byteCount = position;
        if (byteCount >= 0x80 || byteCount >= available || Utf8Text.Read(ref Unsafe.Add(ref position, 1), byteCount, value) is not string text)
            return 0;
        value = text;
        return 1 + byteCount;
    }
}

/// <summary>Writes and reads a time as the message that protobuf has for it.</summary>
internal readonly struct TimePart : IValuePart<DateTime>, IValuePart<TimeSpan>
{
    // The length, and two tags and integers.
    private const int MaxByteCount = 1 + (2 * (1 + ProtobufBytes.MaxVarintByteCount));

    DateTime IValuePart<DateTime>.Default => default;

    TimeSpan IValuePart<TimeSpan>.Default => default;

    public bool IsDefault(DateTime value) => false;

    public bool IsDefault(TimeSpan value) => false;

    public long GetMaxByteCount(DateTime value) => MaxByteCount;

    public long GetMaxByteCount(TimeSpan value) => MaxByteCount;

    public ref byte Put(ref byte position, DateTime value) => ref ProtobufCode.Put(ref position, value);

    public ref byte Put(ref byte position, TimeSpan value) => ref ProtobufCode.Put(ref position, value);

    public int Get(ref byte position, int available, ref DateTime value)
    {
        int byteCount = Timestamps.Read(ref position, available, out long seconds, out int nanos);
        return byteCount > 0 && Timestamps.TryGetDateTime(seconds, nanos, out value) ? byteCount : 0;
    }

    public int Get(ref byte position, int available, ref TimeSpan value)
    {
        int byteCount = Timestamps.Read(ref position, available, out long seconds, out int nanos);
        return byteCount > 0 && Timestamps.TryGetTimeSpan(seconds, nanos, out value) ? byteCount : 0;
    }
}

/// <summary>A number in one of the forms that can be packed.</summary>
internal readonly struct NumberPart<T>(ProtobufValue<T> value) : IValuePart<T>
{
    private readonly PackedForm _form = value.PackedForm;

    public T Default => default!;

    internal static bool Fits(ProtobufValue<T> value) => typeof(T).IsPrimitive && value.PackedForm != PackedForm.None;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool IsDefault(T value) => PackedNumbers.IsZero(ref value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long GetMaxByteCount(T value) => ProtobufBytes.MaxVarintByteCount;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref byte Put(ref byte position, T value)
    {
        if (_form != PackedForm.Fixed)
            return ref ProtobufCode.Put(ref position, PackedNumbers.Convert(ref value, _form == PackedForm.ZigZag));
        Unsafe.WriteUnaligned(ref position, value);
        return ref Unsafe.Add(ref position, Unsafe.SizeOf<T>());
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public int Get(ref byte position, int available, ref T value)
    {
        if (_form == PackedForm.Fixed)
        {
            if (available < Unsafe.SizeOf<T>())
                return 0;
            value = Unsafe.ReadUnaligned<T>(ref position);
            return Unsafe.SizeOf<T>();
        }

        ulong number = position;
        int byteCount = number < 0x80 ? 1 : ProtobufBytes.Read(ref position, available, out number);
        return byteCount != 0 && PackedNumbers.TryConvert(number, _form == PackedForm.ZigZag, ref value) ? byteCount : 0;
    }
}
#endif
