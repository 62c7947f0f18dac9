using System;
using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

/// <summary>The output of the traversal: a buffer, a depth and limits, independent of the format. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireWriter
{
    internal BodyOutput Output;

    internal WireWriter(BodyOutput output) => Output = output;

    internal WireWriter(IBufferWriter<byte> output, FormatterLimits? limits) => Output = new BodyOutput(output, limits);

    /// <summary>Begins a record or a collection: increments the depth.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => Output.Enter();

    /// <summary>Decrements the depth after <see cref="Enter"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Output.Leave();

    /// <summary>Checks the depth for a record without further nesting.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Touch() => Output.CheckLeafDepth();

    internal MemberPath? Path
    {
        readonly get => Output.Path;
        set => Output.Path = value;
    }

    internal readonly FormatterLimits Limits => Output.Limits;

    internal ref byte Begin(int byteCount) => ref Output.ReserveBound(byteCount);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void End(ref byte position) => Output.MoveTo(ref position);

    /// <summary>Ensures that a number of bytes are available at a position.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref byte Reserve(ref byte position, int byteCount)
    {
        if (Output.RoomAt(ref position) >= byteCount)
            return ref position;
        return ref GrowAt(ref position, byteCount);
    }

    internal ref byte WriteRaw(ref byte position, scoped ReadOnlySpan<byte> value)
    {
        position = ref Reserve(ref position, value.Length);
        if (!value.IsEmpty)
            Unsafe.CopyBlockUnaligned(ref position, ref MemoryMarshal.GetReference(value), (uint)value.Length);
        return ref Unsafe.Add(ref position, value.Length);
    }

    /// <summary>Creates a writer to a temporary buffer, at the same depth.</summary>
    internal WireWriter CreateTemporary(PooledBufferWriter buffer)
    {
        var aside = new WireWriter(buffer, Limits) { Path = Path };
        aside.Output.SetDepthOf(Output);
        return aside;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte GrowAt(ref byte position, int byteCount)
    {
        End(ref position);
        return ref Output.ReserveBound(byteCount);
    }
}
