#if NET
using Formatters.Custom;

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

// Arrays and lists of the scalars with ScalarTraits.InSeries: the format has a loop for many elements. Rows "double[1000]", "List<int>" of models.
public static partial class WireCode
{
    /// <summary>For how many numbers bytes are reserved at once: fewer than the bytes by which a bound may exceed the limit.</summary>
    private const int MaxReservedNumberCount = 1024;

    /// <summary>Writes an array of numbers.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the numbers: <c>int</c>, <c>long</c>, <c>float</c> or <c>double</c>.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="numbers">The numbers.</param>
    /// <returns>The position after them.</returns>
    /// <exception cref="MessageFormatException">Above a limit.</exception>
    public static ref byte WriteNumbers<TFormat, TMode, T>(ref WireWriter writer, ref byte position, ReadOnlySpan<T> numbers)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
        where T : unmanaged
    {
        writer.Enter();
        position = ref WriteArrayHeader<TFormat>(ref writer, ref position, numbers.Length);
        int level = typeof(TMode) == typeof(Traced) ? writer.Path!.Depth : -1;
        int maxByteCount = Unsafe.SizeOf<T>() + 1;
        for (int i = 0, count; i < numbers.Length; i += count)
        {
            if (typeof(TMode) == typeof(Traced))
                writer.Path!.Set(level, null, i);
            // As many as the rest of the buffer surely holds; if it is full, a new one.
            int room = writer.Output.RoomAt(ref position) / maxByteCount;
            count = typeof(TMode) == typeof(Traced) ? 1 : Math.Min(numbers.Length - i, room > 0 ? room : MaxReservedNumberCount);
            position = ref writer.Reserve(ref position, count * maxByteCount);
            position = ref default(TFormat).WriteNumbers(ref writer, ref position, numbers.Slice(i, count));
        }

        writer.Leave();
        return ref position;
    }

    /// <summary>Reads an array of numbers.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type of the numbers: <c>int</c>, <c>long</c>, <c>float</c> or <c>double</c>.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The existing array or list.</param>
    /// <returns>The existing one, if it can be reused, or a new one.</returns>
    /// <exception cref="MessageFormatException">Another value is next, or the body ends before its end.</exception>
    public static T[] ReadNumberArray<TFormat, TMode, T>(ref WireReader reader, object? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
        where T : unmanaged
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, Unsafe.SizeOf<T>());
        T[] array = ElementBlock.Array<T>(typeof(TMode) == typeof(Over) ? existing : null, count);
        ReadNumbers<TFormat, TMode, T>(ref reader, array);
        return array;
    }

    /// <inheritdoc cref="ReadNumberArray"/>
    public static List<T> ReadNumberList<TFormat, TMode, T>(ref WireReader reader, object? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
        where T : unmanaged
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, Unsafe.SizeOf<T>());
        List<T> list = ElementBlock.List<T>(typeof(TMode) == typeof(Over) ? existing : null, count);
        ReadNumbers<TFormat, TMode, T>(ref reader, CollectionsMarshal.AsSpan(list));
        return list;
    }

    /// <summary>Writes numbers one by one; the caller has reserved the bytes.</summary>
    // Not inlined: inside its caller, the methods that it calls would no longer be inlined.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static ref byte WriteEach<TFormat, T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where TFormat : struct, IWireFormat
        where T : unmanaged
    {
        foreach (T number in numbers)
        {
            if (typeof(T) == typeof(int))
                position = ref default(TFormat).Write(ref writer, ref position, Unsafe.BitCast<T, int>(number));
            else if (typeof(T) == typeof(long))
                position = ref default(TFormat).Write(ref writer, ref position, Unsafe.BitCast<T, long>(number));
            else if (typeof(T) == typeof(float))
                position = ref default(TFormat).Write(ref writer, ref position, Unsafe.BitCast<T, float>(number));
            else
                position = ref default(TFormat).Write(ref writer, ref position, Unsafe.BitCast<T, double>(number));
        }

        return ref position;
    }

    private static void ReadNumbers<TFormat, TMode, T>(ref WireReader reader, Span<T> numbers)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
        where T : unmanaged
    {
        int level = typeof(TMode) == typeof(Traced) ? reader.Path!.Depth : -1;
        reader.Enter();
        for (int i = default(TFormat).ReadNumbers(ref reader, numbers);
            i < numbers.Length;
            i += default(TFormat).ReadNumbers(ref reader, numbers.Slice(i)))
        {
            if (typeof(TMode) == typeof(Traced))
                reader.Path!.Set(level, null, i);
            numbers[i++] = ReadNumber<TFormat, T>(ref reader);
        }

        reader.Leave();
    }

    private static T ReadNumber<TFormat, T>(ref WireReader reader)
        where TFormat : struct, IWireFormat
        where T : unmanaged =>
        typeof(T) == typeof(int) ? Unsafe.BitCast<int, T>(ReadInt32<TFormat>(ref reader))
        : typeof(T) == typeof(long) ? Unsafe.BitCast<long, T>(ReadInt64<TFormat>(ref reader))
        : typeof(T) == typeof(float) ? Unsafe.BitCast<float, T>(ReadSingle<TFormat>(ref reader))
        : Unsafe.BitCast<double, T>(ReadDouble<TFormat>(ref reader));
}
#endif
