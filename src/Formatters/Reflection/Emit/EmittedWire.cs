#if NET
using Formatters.Custom;

using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>
/// The methods that emitted code of the traversal calls beyond <see cref="WireCode"/>: methods of the format, and operations that would be longer as
/// IL.
/// </summary>
internal static class EmittedWire
{
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteNull<TFormat>(ref WireWriter writer, ref byte position)
        where TFormat : struct, IWireFormat => ref default(TFormat).WriteNull(ref writer, ref position);

    /// <summary>Writes the header of a record, for which the bytes are reserved.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteArrayHeader<TFormat>(ref WireWriter writer, ref byte position, int count)
        where TFormat : struct, IWireFormat
    {
        if (writer.Limits.MaxElementCount < count)
            ThrowHelper.ThrowBadElementCount(count, writer.Limits.MaxElementCount);
        return ref default(TFormat).WriteArrayHeader(ref writer, ref position, count);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ref byte WriteMapHeader<TFormat>(ref WireWriter writer, ref byte position, int count)
        where TFormat : struct, IWireFormat
    {
        if (writer.Limits.MaxElementCount < count)
            ThrowHelper.ThrowBadElementCount(count, writer.Limits.MaxElementCount);
        return ref default(TFormat).WriteMapHeader(ref writer, ref position, count);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsPresent<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => !default(TFormat).TryReadNull(ref reader);

    internal static void Skip<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).Skip(ref reader);

    internal static int ReadArrayHeader<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadArrayHeader(ref reader, 0);

    internal static int ReadMapHeader<TFormat>(ref WireReader reader)
        where TFormat : struct, IWireFormat => default(TFormat).ReadMapHeader(ref reader, 0);

    /// <summary>Reads the number of elements, and increments the depth.</summary>
    internal static int BeginArray<TFormat>(ref WireReader reader, int elementAllocation)
        where TFormat : struct, IWireFormat
    {
        int count = default(TFormat).ReadArrayHeader(ref reader, elementAllocation);
        reader.Enter();
        return count;
    }

    /// <summary>Reads the number of entries, and increments the depth.</summary>
    internal static int BeginMap<TFormat>(ref WireReader reader, int entryAllocation)
        where TFormat : struct, IWireFormat
    {
        int count = default(TFormat).ReadMapHeader(ref reader, entryAllocation);
        reader.Enter();
        return count;
    }

    /// <summary>Writes the header and the tag of a union, and increments the depth.</summary>
    internal static ref byte BeginCase<TFormat>(ref WireWriter writer, ref byte position, int tag)
        where TFormat : struct, IWireFormat
    {
        writer.Enter();
        position = ref WireCode.WriteArrayHeader<TFormat>(ref writer, ref position, 2);
        return ref default(TFormat).Write(ref writer, ref writer.Reserve(ref position, WireCode.MaxValueByteCount), (long)tag);
    }

    /// <summary>Skips the elements after the last one of the contract.</summary>
    internal static void SkipElements<TFormat>(ref WireReader reader, int count)
        where TFormat : struct, IWireFormat
    {
        for (; count > 0; count--)
            default(TFormat).Skip(ref reader);
    }

    /// <summary>Stores the elements after the last one of the contract.</summary>
    internal static void KeepElements<TFormat>(ref WireReader reader, ref UnknownMembers? unknown, int from, int count)
        where TFormat : struct, IWireFormat
    {
        for (int i = from; i < count; i++)
            WireCode.KeepElement<TFormat>(ref reader, ref unknown, i, isGap: false);
    }

    /// <summary>Writes the members of a record together with the stored unknown ones.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static ref byte WriteWith<TFormat>(
        ref WireWriter writer, ref byte position, object value, UnknownMembers unknown, List<object> constants, int record)
        where TFormat : struct, IWireFormat
    {
        writer.End(ref position);
        WireWalk<TFormat>.WriteMembers(ref writer, (TraversedRecord)constants[record], value, unknown);
        return ref writer.Output.Position;
    }

    internal static int ReadKey<TFormat>(ref WireReader reader, out int byteOffset, List<object> constants, int keys)
        where TFormat : struct, IWireFormat => Unsafe.As<WireKeys>(constants[keys]).Read<TFormat>(ref reader, out byteOffset);

    internal static T Constant<TFormat, T>(List<object> constants, int index) => (T)constants[index];

    internal static ref byte WriteCodec<TFormat, T>(List<object> constants, int codec, ref WireWriter writer, ref byte position, T value)
        where TFormat : struct, IWireFormat
    {
        writer.End(ref position);
        Unsafe.As<WireCodec<TFormat, T>>(constants[codec]).Write(ref writer, value);
        return ref writer.Output.Position;
    }

    internal static ref byte WriteNumberArray<TFormat, T>(ref WireWriter writer, ref byte position, T[] array)
        where TFormat : struct, IWireFormat
        where T : unmanaged => ref WireCode.WriteNumbers<TFormat, Anew, T>(ref writer, ref position, array);

    internal static ref byte WriteNumberList<TFormat, T>(ref WireWriter writer, ref byte position, List<T> list)
        where TFormat : struct, IWireFormat
        where T : unmanaged => ref WireCode.WriteNumbers<TFormat, Anew, T>(ref writer, ref position, CollectionsMarshal.AsSpan(list));

    internal static T ReadCodec<TFormat, T>(ref WireReader reader, T? existing, List<object> constants, int codec)
        where TFormat : struct, IWireFormat => Unsafe.As<WireCodec<TFormat, T>>(constants[codec]).Read(ref reader, existing);
}
#endif
