using System.ComponentModel;
using System.Runtime.CompilerServices;

#pragma warning disable CA1000 // Generated code alone names them, and the type arguments are what it has.

namespace Formatters.Generated;

/// <summary>The generated code of a type in the binary wire format, or in the versioned one.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBinaryCode<T>
{
    /// <summary>Whether a level of nesting is counted around it.</summary>
    bool IsRecord { get; }

    /// <summary>The fewest bytes that a value takes.</summary>
    int MinByteCount { get; }

    /// <summary>Writes a value.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">Where the next byte goes.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    ref byte Write<TMode>(ref BinaryBodyWriter writer, ref byte position, T value)
        where TMode : struct, IMode;

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to be filled; the default for none.</param>
    /// <returns>The value.</returns>
    T Read<TMode>(ref BinaryBodyReader reader, T? existing)
        where TMode : struct, IMode;
}

/// <summary>The contracts of a type by its generated code, each made when it is first asked for. For generated code.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TCode">Its code: a struct, so that the JIT makes code of its own for each, and calls it directly.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class BinaryContracts<T, TCode>
    where TCode : struct, IBinaryCode<T>
{
    /// <summary>The contract in the binary wire format.</summary>
    public static MessageContract<T> MessageContract => OfBinary.Instance;

    /// <summary>The contract in the versioned wire format.</summary>
    public static VersionedContract<T> VersionedContract => OfVersioned.Instance;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Write<TMode>(ref BinaryBodyWriter writer, T value)
        where TMode : struct, IMode
    {
        if (default(TCode).IsRecord)
            writer.EnterRecord();
        writer.Output.MoveTo(ref default(TCode).Write<TMode>(ref writer, ref writer.Output.Position, value));
        if (default(TCode).IsRecord)
            writer.LeaveRecord();
    }

    // A versioned body is kept in one piece: its byte counts are written after what they count.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteWhole<TMode>(ref BinaryBodyWriter writer, T value)
        where TMode : struct, IMode
    {
        writer.Output.BeginOpen();
        Write<TMode>(ref writer, value);
        writer.Output.EndOpen();
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read(ref BinaryBodyReader reader, T? existing) =>
        typeof(T).IsValueType || existing is null ? Read<Anew>(ref reader, existing) : Read<Over>(ref reader, existing);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static T Read<TMode>(ref BinaryBodyReader reader, T? existing)
        where TMode : struct, IMode
    {
        if (default(TCode).IsRecord)
            reader.EnterRecord();
        T value = default(TCode).Read<TMode>(ref reader, existing);
        if (default(TCode).IsRecord)
            reader.LeaveRecord();
        return value;
    }

    private sealed class OfBinary : MessageContract<T>
    {
        internal static readonly OfBinary Instance = new();

        public override int MinByteCount => default(TCode).MinByteCount;

        public override void Write(ref BinaryBodyWriter writer, T value) => Write<Anew>(ref writer, value);

        public override T Read(ref BinaryBodyReader reader, T? existing = default) => BinaryContracts<T, TCode>.Read(ref reader, existing);

        internal override void WriteTraced(ref BinaryBodyWriter writer, T value) => Write<Traced>(ref writer, value);

        internal override T ReadTraced(ref BinaryBodyReader reader) => Read<Traced>(ref reader, default);
    }

    private sealed class OfVersioned : VersionedContract<T>
    {
        internal static readonly OfVersioned Instance = new();

        public override int MinByteCount => default(TCode).MinByteCount;

        public override void Write(ref BinaryBodyWriter writer, T value) => WriteWhole<Anew>(ref writer, value);

        public override T Read(ref BinaryBodyReader reader, T? existing = default) => BinaryContracts<T, TCode>.Read(ref reader, existing);

        internal override void WriteTraced(ref BinaryBodyWriter writer, T value) => WriteWhole<Traced>(ref writer, value);

        internal override T ReadTraced(ref BinaryBodyReader reader) => Read<Traced>(ref reader, default);
    }
}
