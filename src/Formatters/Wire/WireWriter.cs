using System;
using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Formatters.Generated;

/// <summary>Where the traversal writes: a buffer, a depth and limits, of no format. For generated code.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct WireWriter
{
    internal BodyOutput Output;

    internal WireWriter(BodyOutput output) => Output = output;

    internal WireWriter(IBufferWriter<byte> output, FormatterLimits? limits) => Output = new BodyOutput(output, limits);

    /// <summary>Begins a record or a collection: one level deeper.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => Output.Enter();

    /// <summary>Ends what <see cref="Enter"/> began.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Output.Leave();

    /// <summary>A record in which there is no further level of nesting: its own is only checked.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Touch() => Output.Touch();

    internal MemberPath? Path
    {
        readonly get => Output.Path;
        set => Output.Path = value;
    }

    internal readonly FormatterLimits Limits => Output.Limits;

    internal ref byte Begin(int byteCount) => ref Output.ReserveBound(byteCount);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void End(ref byte position) => Output.MoveTo(ref position);

    /// <summary>Makes sure of some bytes at a position.</summary>
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

    /// <summary>A writer into another buffer, at the same depth.</summary>
    internal WireWriter Aside(PooledBufferWriter buffer)
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
