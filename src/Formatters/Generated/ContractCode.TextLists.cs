#if NET
using Formatters.Binary;

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

// Lists and arrays of strings. In code for netstandard2.0 the loops are generated, as it has no span of a list.
public static partial class ContractCode
{
    private const int TextAllocation = 32;

    /// <summary>Writes a list of strings: their number, and each.</summary>
    /// <typeparam name="TFormat">Versioned: with the byte count before the list. Binary: without.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The strings; null is an error.</param>
    /// <returns>The position after them.</returns>
    /// <exception cref="MessageFormatException">A string is null or not valid UTF-16, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteTextList<TFormat, TMode>(ref BinaryBodyWriter writer, ref byte position, List<string>? value)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteTexts<TFormat, TMode>(ref writer, ref position, CollectionsMarshal.AsSpan(value));
    }

    /// <inheritdoc cref="WriteTextList{TFormat, TMode}(ref BinaryBodyWriter, ref byte, List{string})"/>
    /// <summary>Writes an array of strings: their number, and each.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteTextArray<TFormat, TMode>(ref BinaryBodyWriter writer, ref byte position, string[]? value)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteTexts<TFormat, TMode>(ref writer, ref position, value);
    }

    /// <summary>Reads a list of strings.</summary>
    /// <typeparam name="TFormat">Versioned: with the byte count before the list. Binary: without.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The list to fill; null for none.</param>
    /// <returns>The existing list, or a new one.</returns>
    /// <exception cref="MessageFormatException">The list is invalid, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<string> ReadTextList<TFormat, TMode>(ref BinaryBodyReader reader, List<string>? existing)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode
    {
        int bytesBehind = typeof(TFormat) == typeof(Versioned) ? reader.BeginLong() : 0;
        int count = reader.ReadCount(1, TextAllocation);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref reader) : -1;
        List<string> list = Reuses<TMode>() ? ReuseList<string>(existing, count) : new List<string>(count);
        int i = 0;
        if (Reuses<TMode>())
        {
            for (; i < list.Count; i++)
            {
                string old = list[i];
                string element = ReadTextInline<TMode>(ref reader, 0, 0, old);
                if (!ReferenceEquals(element, old))
                    list[i] = element;
            }
        }

        for (; i < count; i++)
        {
            if (level >= 0)
                At(ref reader, level, null, i);
            list.Add(ReadTextInline<TMode>(ref reader, 0, 0, null));
        }

        if (typeof(TFormat) == typeof(Versioned))
            EndTexts(ref reader, level, bytesBehind);
        return list;
    }

    /// <summary>Reads an array of strings.</summary>
    /// <typeparam name="TFormat">Versioned: with the byte count before the list. Binary: without.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The array to fill, if it has the length; null for none.</param>
    /// <returns>The existing array, or a new one.</returns>
    /// <exception cref="MessageFormatException">The array is invalid, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string[] ReadTextArray<TFormat, TMode>(ref BinaryBodyReader reader, string[]? existing)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode
    {
        int bytesBehind = typeof(TFormat) == typeof(Versioned) ? reader.BeginLong() : 0;
        int count = reader.ReadCount(1, TextAllocation);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref reader) : -1;
        string[] array = ReuseArray<string>(Reuses<TMode>() ? existing : null, count);
        for (int i = 0; i < array.Length; i++)
        {
            if (level >= 0)
                At(ref reader, level, null, i);
            array[i] = ReadTextInline<TMode>(ref reader, 0, 0, Reuses<TMode>() ? array[i] : null);
        }

        if (typeof(TFormat) == typeof(Versioned))
            EndTexts(ref reader, level, bytesBehind);
        return array;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte WriteTexts<TFormat, TMode>(ref BinaryBodyWriter writer, ref byte position, ReadOnlySpan<string> texts)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode
    {
        if (typeof(TFormat) == typeof(Versioned))
            position = ref BeginLong(ref writer, ref position);
        long start = typeof(TFormat) == typeof(Versioned) ? OffsetAt(ref writer, ref position) : 0;
        position = ref WriteCount(ref writer, ref position, texts.Length);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref writer) : -1;
        for (int i = 0; i < texts.Length; i++)
        {
            if (level >= 0)
                At(ref writer, level, null, i);
            position = ref WriteTextInline(ref writer, ref position, texts[i], 0);
        }

        if (typeof(TFormat) == typeof(Versioned))
            EndLong(ref writer, ref position, start);
        return ref position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void EndTexts(ref BinaryBodyReader reader, int level, int bytesBehind)
    {
        if (level >= 0)
            At(ref reader, level);
        reader.End(bytesBehind);
    }
}
#endif
