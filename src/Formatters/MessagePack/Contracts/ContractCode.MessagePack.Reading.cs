using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

// MessagePack, read: values by the methods of the reader itself.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level{TMode}(ref BinaryBodyReader)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Level<TMode>(ref MessagePackBodyReader reader)
        where TMode : struct, IMode => typeof(TMode) == typeof(Traced) ? reader.Path!.Level : 0;

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int, string)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref MessagePackBodyReader reader, int level, string member)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level, member);
    }

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref MessagePackBodyReader reader, int level, int index)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level, index);
    }

    /// <inheritdoc cref="At{TMode}(ref BinaryBodyReader, int)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void At<TMode>(ref MessagePackBodyReader reader, int level)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Cut(level);
    }

    /// <summary>Reads a key if it is the one that is expected, in its shortest form.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="key">The key as a whole value.</param>
    /// <returns>Whether it was.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool TryReadKey(ref MessagePackBodyReader reader, ReadOnlySpan<byte> key) => reader.TryTake(key);

    /// <summary>Reads any key, and finds its member.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="keys">The keys of all members, one behind the other, each a whole value.</param>
    /// <returns>The number of the member, from 0; -1 if there is none.</returns>
    /// <exception cref="MessageFormatException">The key is bad.</exception>
    public static int ReadKey(ref MessagePackBodyReader reader, ReadOnlySpan<byte> keys)
    {
        if (reader.NextType != MessagePackType.String)
        {
            reader.Skip();
            return -1;
        }

        return MessagePackKeys.IndexOf(keys, reader.ReadUtf8());
    }

    /// <summary>Passes over a key, of which the value will be kept.</summary>
    /// <inheritdoc cref="ReadKey(ref MessagePackBodyReader, ReadOnlySpan{byte})"/>
    /// <param name="reader">The reader.</param>
    /// <param name="keys">The keys of all members, one behind the other, each a whole value.</param>
    /// <param name="key">The key as a whole value.</param>
    public static int ReadKey(ref MessagePackBodyReader reader, ReadOnlySpan<byte> keys, out ReadOnlySpan<byte> key)
    {
        int byteOffset = reader.ByteOffset;
        ReadOnlySpan<byte> remaining = reader.Remaining;
        int member = ReadKey(ref reader, keys);
        key = remaining.Slice(0, reader.ByteOffset - byteOffset);
        return member;
    }

    /// <summary>Refuses the second entry for a member.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The level of the record.</param>
    /// <param name="member">The name of the member.</param>
    /// <param name="byteOffset">Where its key begins.</param>
    [DoesNotReturn]
    public static void ThrowDuplicateMember<TMode>(ref MessagePackBodyReader reader, int level, string member, int byteOffset)
        where TMode : struct, IMode
    {
        At<TMode>(ref reader, level, member);
        ContractMethods.ThrowDuplicateKey(byteOffset);
    }

    /// <summary>Refuses an array that has not as many elements as its type has members.</summary>
    /// <param name="byteOffset">Where it begins.</param>
    /// <param name="type">The type.</param>
    [DoesNotReturn]
    public static void ThrowBadValue(int byteOffset, Type type) => ThrowHelper.ThrowBadValue(byteOffset, type.Name);

    /// <summary>Reads bytes.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>A copy.</returns>
    public static Memory<byte> UnpackMemory(ref MessagePackBodyReader reader) => reader.ReadBytes();

    /// <inheritdoc cref="UnpackMemory"/>
    public static ReadOnlyMemory<byte> UnpackReadOnlyMemory(ref MessagePackBodyReader reader) => reader.ReadBytes();

    /// <inheritdoc cref="UnpackMemory"/>
    public static ArraySegment<byte> UnpackArraySegment(ref MessagePackBodyReader reader) => new(reader.ReadBytes());

    /// <summary>Reads an address.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static Uri UnpackUri(ref MessagePackBodyReader reader) => reader.ReadUri();

    /// <summary>Reads a version.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static Version UnpackVersion(ref MessagePackBodyReader reader) => reader.ReadVersion();

    /// <summary>Reads a large number.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The value.</returns>
    public static System.Numerics.BigInteger UnpackBigInteger(ref MessagePackBodyReader reader) => reader.ReadBigInteger();
}
