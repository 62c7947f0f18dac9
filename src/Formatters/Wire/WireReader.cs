using System;
using System.ComponentModel;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

/// <summary>The input of the traversal: a body, a depth and limits, independent of the format. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireReader
{
    internal BodyInput Input;

    internal WireReader(BodyInput input) => Input = input;

    internal WireReader(ReadOnlySpan<byte> body, FormatterLimits? limits) => Input = new BodyInput(body, limits);

    /// <summary>Gets the number of bytes that have been read.</summary>
    public readonly int ByteOffset => Input.ByteOffset;

    /// <inheritdoc cref="WireWriter.Enter"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => Input.Enter();

    /// <inheritdoc cref="WireWriter.Leave"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Input.Leave();

    /// <inheritdoc cref="WireWriter.Touch"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Touch() => Input.CheckLeafDepth();

    internal MemberPath? Path
    {
        readonly get => Input.Path;
        set => Input.Path = value;
    }

    internal readonly FormatterLimits Limits => Input.Limits;

    /// <summary>Returns the number of bytes that have been read after a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal readonly int ByteCountSince(ref byte position) => (int)Unsafe.ByteOffset(ref position, ref Input.Position);

    /// <summary>Reads a value as raw bytes.</summary>
    internal ReadOnlySpan<byte> ReadRaw<TFormat>()
        where TFormat : struct, IWireFormat
    {
        int start = ByteOffset;
        default(TFormat).Skip(ref this);
        return Input.ReadAgain(start);
    }
}
