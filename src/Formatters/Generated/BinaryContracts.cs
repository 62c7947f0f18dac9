using System.ComponentModel;
using System.Runtime.CompilerServices;
using Formatters.Binary;

namespace Formatters.Generated;

/// <summary>Marks the wire format of generated code that serves two formats. Implemented by structs, as the modes are.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBinaryFormat;

/// <summary>The binary wire format.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Binary : IBinaryFormat;

/// <summary>The versioned wire format.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public readonly struct Versioned : IBinaryFormat;

/// <summary>The generated code of a type in the binary wire format, the versioned one, or both. It counts the depth, if there is nesting.</summary>
/// <typeparam name="T">The type.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public interface IBinaryCode<T>
{
    /// <summary>Returns the minimum size of a value in bytes.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <returns>The number of bytes.</returns>
    int MinByteCount<TFormat>()
        where TFormat : struct, IBinaryFormat;

    /// <summary>Writes a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="writer">The writer.</param>
    /// <param name="position">The position of the next byte.</param>
    /// <param name="value">The value.</param>
    /// <returns>The position after it.</returns>
    ref byte Write<TFormat, TMode>(ref BinaryBodyWriter writer, ref byte position, T value)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode;

    /// <summary>Reads a value.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <param name="reader">The reader.</param>
    /// <param name="existing">A value to fill; the default for none.</param>
    /// <returns>The value.</returns>
    T Read<TFormat, TMode>(ref BinaryBodyReader reader, T? existing)
        where TFormat : struct, IBinaryFormat
        where TMode : struct, IMode;
}

/// <summary>The contract of a type in the binary wire format, with its generated code.</summary>
/// <typeparam name="T">The type.</typeparam>
/// <typeparam name="TCode">The generated code: a struct, so that the JIT compiles separate code for it and calls it directly.</typeparam>
/// <remarks>No method more than there must be: each is one more to compile for the first body in a process.</remarks>
internal sealed class BinaryContract<T, TCode> : BinaryCodec<T>
    where TCode : struct, IBinaryCode<T>
{
    internal static readonly BinaryContract<T, TCode> Instance = new();

    public override int MinByteCount => default(TCode).MinByteCount<Binary>();

    public override void Write(ref BinaryBodyWriter writer, T value) =>
        writer.Output.MoveTo(ref default(TCode).Write<Binary, Anew>(ref writer, ref writer.Output.Position, value));

    public override T Read(ref BinaryBodyReader reader, T? existing = default) => typeof(T).IsValueType || existing is null
        ? default(TCode).Read<Binary, Anew>(ref reader, existing)
        : default(TCode).Read<Binary, Over>(ref reader, existing);

    internal override void WriteTraced(ref BinaryBodyWriter writer, T value) =>
        writer.Output.MoveTo(ref default(TCode).Write<Binary, Traced>(ref writer, ref writer.Output.Position, value));

    internal override T ReadTraced(ref BinaryBodyReader reader) => default(TCode).Read<Binary, Traced>(ref reader, default);
}

/// <summary>The contract of a type in the versioned wire format, with its generated code.</summary>
/// <inheritdoc cref="BinaryContract{T, TCode}"/>
internal sealed class VersionedContract<T, TCode> : BinaryCodec<T>
    where TCode : struct, IBinaryCode<T>
{
    internal static readonly VersionedContract<T, TCode> Instance = new();

    public override int MinByteCount => default(TCode).MinByteCount<Versioned>();

    public override void Write(ref BinaryBodyWriter writer, T value) => WriteWhole<Anew>(ref writer, value);

    public override T Read(ref BinaryBodyReader reader, T? existing = default) => typeof(T).IsValueType || existing is null
        ? default(TCode).Read<Versioned, Anew>(ref reader, existing)
        : default(TCode).Read<Versioned, Over>(ref reader, existing);

    internal override void WriteTraced(ref BinaryBodyWriter writer, T value) => WriteWhole<Traced>(ref writer, value);

    internal override T ReadTraced(ref BinaryBodyReader reader) => default(TCode).Read<Versioned, Traced>(ref reader, default);

    // Kept in one span: byte counts are filled in after what they count.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void WriteWhole<TMode>(ref BinaryBodyWriter writer, T value)
        where TMode : struct, IMode
    {
        writer.Output.BeginOpen();
        writer.Output.MoveTo(ref default(TCode).Write<Versioned, TMode>(ref writer, ref writer.Output.Position, value));
        writer.Output.EndOpen();
    }
}
