#if NET
using Formatters.Custom;

using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

// The traversal: lists and arrays of strings, for code generated for .NET.
public static partial class ContractCode
{
    /// <summary>Writes a list of strings as an array.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The strings; null is an error.</param>
    /// <returns>The position after them.</returns>
    /// <exception cref="MessageFormatException">A string is null or not valid UTF-16, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteTextList<TFormat, TMode>(ref WireWriter writer, ref byte position, List<string>? value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteTexts<TFormat, TMode>(ref writer, ref position, CollectionsMarshal.AsSpan(value));
    }

    /// <inheritdoc cref="WriteTextList{TFormat, TMode}(ref WireWriter, ref byte, List{string})"/>
    /// <summary>Writes an array of strings.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ref byte WriteTextArray<TFormat, TMode>(ref WireWriter writer, ref byte position, string[]? value)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        return ref WriteTexts<TFormat, TMode>(ref writer, ref position, value);
    }

    /// <summary>Reads a list of strings.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The list to fill; null for none.</param>
    /// <returns>The existing list, or a new one.</returns>
    /// <exception cref="MessageFormatException">The list is invalid, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static List<string> ReadTextList<TFormat, TMode>(ref WireReader reader, List<string>? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, TextAllocation);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref reader) : -1;
        reader.Enter();
        List<string> list = Reuses<TMode>() ? ReuseList<string>(existing, count) : new List<string>(count);
        int i = 0;
        if (Reuses<TMode>())
        {
            for (; i < list.Count; i++)
            {
                string old = list[i];
                string element = WireCode.ReadString<TFormat>(ref reader, old);
                if (!ReferenceEquals(element, old))
                    list[i] = element;
            }
        }

        for (; i < count; i++)
        {
            if (level >= 0)
                At(ref reader, level, null, i);
            list.Add(WireCode.ReadString<TFormat>(ref reader, null));
        }

        reader.Leave();
        return list;
    }

    /// <summary>Reads an array of strings.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">The array to fill, if it has the length; null for none.</param>
    /// <returns>The existing array, or a new one.</returns>
    /// <exception cref="MessageFormatException">The array is invalid, or a limit is exceeded.</exception>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string[] ReadTextArray<TFormat, TMode>(ref WireReader reader, string[]? existing)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, TextAllocation);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref reader) : -1;
        reader.Enter();
        string[] array = ReuseArray<string>(Reuses<TMode>() ? existing : null, count);
        for (int i = 0; i < array.Length; i++)
        {
            if (level >= 0)
                At(ref reader, level, null, i);
            array[i] = WireCode.ReadString<TFormat>(ref reader, Reuses<TMode>() ? array[i] : null);
        }

        reader.Leave();
        return array;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ref byte WriteTexts<TFormat, TMode>(ref WireWriter writer, ref byte position, ReadOnlySpan<string> texts)
        where TFormat : struct, IWireFormat
        where TMode : struct, IMode
    {
        writer.Enter();
        position = ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref position, texts.Length);
        int level = typeof(TMode) == typeof(Traced) ? Level(ref writer) : -1;
        for (int i = 0; i < texts.Length; i++)
        {
            if (level >= 0)
                At(ref writer, level, null, i);
            position = ref WireCode.WriteTextInline<TFormat>(ref writer, ref position, texts[i], 0);
        }

        writer.Leave();
        return ref position;
    }
}
#endif
