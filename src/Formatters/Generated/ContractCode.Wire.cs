using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Binary;
using Formatters.Custom;

namespace Formatters.Generated;

// The traversal: the position, and the member path.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level(ref BinaryBodyWriter)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref WireWriter writer) => writer.Path!.Depth;

    /// <inheritdoc cref="At(ref BinaryBodyWriter, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref WireWriter writer, int level, string? member = null, int index = -1) => writer.Path!.Set(level, member, index);

    /// <inheritdoc cref="Level(ref BinaryBodyReader)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref WireReader reader) => reader.Path!.Depth;

    /// <inheritdoc cref="At(ref BinaryBodyReader, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref WireReader reader, int level, string? member = null, int index = -1) => reader.Path!.Set(level, member, index);

    /// <summary>Gets the position of a writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>The position of the next byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref WireWriter writer) => ref writer.Output.Position;

    /// <summary>Returns a position to its writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref WireWriter writer, ref byte position) => writer.End(ref position);

    /// <summary>Gets the position of a reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The position of the next byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref WireReader reader) => ref reader.Input.Position;

    /// <summary>Returns a position to its reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref WireReader reader, ref byte position) => reader.Input.MoveTo(ref position);

    /// <summary>In traced mode, sets the next member in the path.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The depth.</param>
    /// <param name="member">The name.</param>
    /// <returns>True, for conditions.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool IsAt<TMode>(ref WireReader reader, int level, string member)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            reader.Path!.Set(level, member);
        return true;
    }

    /// <summary>Ensures that a number of bytes are available.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">How many bytes.</param>
    /// <returns>The same position, or one in a new span.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Reserve(ref WireWriter writer, ref byte position, int byteCount) => ref writer.Reserve(ref position, byteCount);

    /// <summary>Advances a position and, in traced mode, the reader: an error of a setter has the offset after the value.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">How many bytes have been read.</param>
    /// <returns>The position after them.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Move<TMode>(ref WireReader reader, ref byte position, int byteCount)
        where TMode : struct, IMode
    {
        position = ref Move(ref position, byteCount);
        if (typeof(TMode) == typeof(Traced))
            reader.Input.MoveTo(ref position);
        return ref position;
    }

    /// <summary>Advances a position.</summary>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="byteCount">How many bytes have been read.</param>
    /// <returns>The position after them.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Move(ref byte position, int byteCount) => ref Unsafe.Add(ref position, (nint)(uint)byteCount);

    /// <summary>Throws for an array whose number of elements differs from its type's members.</summary>
    /// <param name="byteOffset">The offset of the array.</param>
    /// <param name="type">The type.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowBadValue(int byteOffset, Type type) => ThrowHelper.ThrowBadValue(byteOffset, type.Name);

    /// <summary>Throws for a body without a required member.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref WireReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);

    /// <summary>Throws for a duplicate member of a record.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The depth of the record.</param>
    /// <param name="member">The member.</param>
    /// <param name="byteOffset">The offset of its second key.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowDuplicateMember<TMode>(ref WireReader reader, int level, string member, int byteOffset)
        where TMode : struct, IMode
    {
        if (typeof(TMode) == typeof(Traced))
            At(ref reader, level, member);
        ContractMethods.ThrowDuplicateKey(byteOffset);
    }
}
