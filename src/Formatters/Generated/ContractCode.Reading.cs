using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters.Generated;

public static partial class ContractCode
{
    /// <summary>Returns the depth of the current value in the member path.</summary>
    /// <param name="reader">The reader.</param>
    /// <returns>The depth.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Level(ref BinaryBodyReader reader) => reader.Path!.Depth;

    /// <summary>Sets the current part of the value at a depth: a member, an element, or none.</summary>
    /// <param name="reader">The reader.</param>
    /// <param name="level">The depth.</param>
    /// <param name="member">The name of the member; null if there is none.</param>
    /// <param name="index">The index of the element; -1 if there is none.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void At(ref BinaryBodyReader reader, int level, string? member = null, int index = -1) => reader.Path!.Set(level, member, index);

    /// <summary>
    /// Checks for a run of values of fixed size in which every bit pattern is valid, and advances past it. In traced mode, each value is checked
    /// separately.
    /// </summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="byteCount">The size of the run.</param>
    /// <returns>Its first byte.</returns>
    /// <exception cref="MessageFormatException">The body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Take<TMode>(ref BinaryBodyReader reader, int byteCount)
        where TMode : struct, IMode => ref reader.Take(typeof(TMode) == typeof(Traced) ? 0 : byteCount);

    /// <summary>Checks for the run of values before a string, without advancing.</summary>
    /// <inheritdoc cref="Take"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Peek<TMode>(ref BinaryBodyReader reader, int byteCount)
        where TMode : struct, IMode => ref reader.Peek(typeof(TMode) == typeof(Traced) ? 0 : byteCount);

    /// <summary>Returns to the run of values after a string: <see cref="ReadText"/> has checked for it and advanced past it.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="byteCount">The size of the run.</param>
    /// <returns>Its first byte.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static ref byte Behind<TMode>(ref BinaryBodyReader reader, int byteCount)
        where TMode : struct, IMode => ref reader.Preceding(typeof(TMode) == typeof(Traced) ? 0 : byteCount);

    /// <summary>
    /// Advances past a run of values, reads the string there, and advances past the next run of values. In traced mode, reads the string only.
    /// </summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="before">The size of the run before, which <see cref="Peek"/> has checked.</param>
    /// <param name="behind">The size of the run after the string.</param>
    /// <param name="existing">The string to return if it is equal.</param>
    /// <returns>The string.</returns>
    /// <exception cref="MessageFormatException">The string is invalid, or the body ends too early.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string ReadText<TMode>(ref BinaryBodyReader reader, int before, int behind, string? existing)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadString() : reader.ReadTextAmongRuns(before, behind, existing);

    /// <inheritdoc cref="ReadText"/>
    /// <remarks>Inlined, see <see cref="WriteTextInline"/>.</remarks>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static string ReadTextInline<TMode>(ref BinaryBodyReader reader, int before, int behind, string? existing)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadString() : reader.ReadTextInline(before, behind, existing);

    /// <summary>Reads an object with its own <c>Load</c>.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="value">The object to fill.</param>
    /// <returns>The object.</returns>
    public static T ReadOwnBody<T>(ref BinaryBodyReader reader, T value)
        where T : IBinaryBody
    {
        reader.EnterRecord();
        value.Load(ref reader);
        reader.LeaveRecord();
        return value;
    }

    /// <summary>Reads a value with its generated contract in another assembly.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="contract">The contract.</param>
    /// <param name="existing">A value to be filled.</param>
    /// <returns>The value.</returns>
    public static T ReadContract<TMode, T>(ref BinaryBodyReader reader, BinaryCodec<T> contract, T? existing)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? contract.ReadTraced(ref reader) : contract.Read(ref reader, existing);

    /// <summary>Reads a value in a run.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="run">The first byte of the run.</param>
    /// <param name="offset">The offset of the value in the run.</param>
    /// <returns>The value.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int Int32<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadInt32() : LittleEndian.ReadInt32(ref Unsafe.Add(ref run, offset));

    /// <inheritdoc cref="Int32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static byte Byte<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadByte() : Unsafe.Add(ref run, offset);

    /// <inheritdoc cref="Int32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static short Int16<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadInt16() : LittleEndian.ReadInt16(ref Unsafe.Add(ref run, offset));

    /// <inheritdoc cref="Int32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Int64<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadInt64() : LittleEndian.ReadInt64(ref Unsafe.Add(ref run, offset));

    /// <inheritdoc cref="Int32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static float Single<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadSingle() : LittleEndian.ReadSingle(ref Unsafe.Add(ref run, offset));

    /// <inheritdoc cref="Int32"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static double Double<TMode>(ref BinaryBodyReader reader, ref byte run, int offset)
        where TMode : struct, IMode =>
        typeof(TMode) == typeof(Traced) ? reader.ReadDouble() : LittleEndian.ReadDouble(ref Unsafe.Add(ref run, offset));
}
