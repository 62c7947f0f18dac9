using System;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

// The one traversal: the position, and the member path.
public static partial class ContractCode
{
    /// <inheritdoc cref="Level(ref BinaryBodyWriter)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref WireWriter writer) => writer.Path!.Level;

    /// <inheritdoc cref="At(ref BinaryBodyWriter, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref WireWriter writer, int level, string? member = null, int index = -1) => writer.Path!.Set(level, member, index);

    /// <inheritdoc cref="Level(ref BinaryBodyReader)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref WireReader reader) => reader.Path!.Level;

    /// <inheritdoc cref="At(ref BinaryBodyReader, int, string, int)"/>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref WireReader reader, int level, string? member = null, int index = -1) => reader.Path!.Set(level, member, index);

    /// <summary>Takes the position of a writer into a local.</summary>
    /// <param name="writer">The writer.</param>
    /// <returns>Where the next byte goes.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref WireWriter writer) => ref writer.Output.Position;

    /// <summary>Gives a position back to its writer.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref WireWriter writer, ref byte position) => writer.End(ref position);

    /// <summary>Takes the position of a reader into a local.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>Where the next byte is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Begin(ref WireReader reader) => ref reader.Input.Position;

    /// <summary>Gives a position back to its reader.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void End(ref WireReader reader, ref byte position) => reader.Input.MoveTo(ref position);

    /// <summary>Says that a member comes next, if traced.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The level.</param>
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

    /// <summary>Makes sure of some bytes.</summary>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="byteCount">How many bytes.</param>
    /// <returns>The same position, or one in a new span.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Reserve(ref WireWriter writer, ref byte position, int byteCount) => ref writer.Reserve(ref position, byteCount);

    /// <summary>Moves a position; if traced, the reader, too: a setter that refuses a value is told with the offset after it.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="position">Where the next byte is.</param>
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

    /// <summary>Moves a position.</summary>
    /// <param name="position">Where the next byte is.</param>
    /// <param name="byteCount">How many bytes have been read.</param>
    /// <returns>The position after them.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Move(ref byte position, int byteCount) => ref Unsafe.Add(ref position, (nint)(uint)byteCount);

    /// <summary>Refuses an array that has not as many elements as its type has members.</summary>
    /// <param name="byteOffset">Where it begins.</param>
    /// <param name="type">The type.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowBadValue(int byteOffset, Type type) => ThrowHelper.ThrowBadValue(byteOffset, type.Name);

    /// <summary>Refuses a body without a member that has no other value.</summary>
    /// <param name="reader">The reader.</param>
    /// <exception cref="MessageFormatException">In any case.</exception>
    [DoesNotReturn]
    public static void ThrowMissingMember(ref WireReader reader) => ThrowHelper.ThrowMissingMember(reader.ByteOffset);

    /// <summary>Refuses a member that a record has twice.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The level of the record.</param>
    /// <param name="member">The member.</param>
    /// <param name="byteOffset">Where its key begins the second time.</param>
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
