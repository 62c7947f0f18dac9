using System;
using System.Buffers;
using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Formatters.Generated;

namespace Formatters.Custom;

/// <summary>Writes the bytes of a body for a wire format: see <see cref="ICustomWireFormat"/>.</summary>
public ref struct WireWriter
{
    internal BodyOutput Output;

    internal WireWriter(BodyOutput output) => Output = output;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WireWriter(IBufferWriter<byte> output, FormatterLimits? limits) => Output = new BodyOutput(output, limits);

    /// <summary>Returns a span for the next bytes. After writing to it, call <see cref="Advance"/>.</summary>
    /// <param name="byteCount">The minimum length of the span, 0 or greater.</param>
    /// <returns>A span of at least this length.</returns>
    /// <exception cref="ArgumentOutOfRangeException"><paramref name="byteCount"/> is negative.</exception>
    /// <exception cref="MessageFormatException">The body exceeds <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public Span<byte> GetSpan(int byteCount)
    {
        if (byteCount < 0)
            throw new ArgumentOutOfRangeException(nameof(byteCount), byteCount, "The number of bytes cannot be negative.");
        Output.ReserveBound(byteCount);
        return Output.Free;
    }

    /// <summary>Counts bytes as written.</summary>
    /// <param name="byteCount">How many bytes of the span of <see cref="GetSpan"/> were written.</param>
    /// <exception cref="ArgumentOutOfRangeException">The span is shorter, or the number is negative.</exception>
    public void Advance(int byteCount)
    {
        if ((uint)byteCount > (uint)Output.Room)
            throw new ArgumentOutOfRangeException(nameof(byteCount), byteCount, "The span of GetSpan is shorter, or the number is negative.");
        Output.Advance(ref Output.Position, byteCount);
    }

    /// <summary>Writes bytes.</summary>
    /// <param name="value">The bytes.</param>
    /// <exception cref="MessageFormatException">The body exceeds <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Write(scoped ReadOnlySpan<byte> value)
    {
        value.CopyTo(GetSpan(value.Length));
        Advance(value.Length);
    }

    /// <summary>Writes a byte.</summary>
    /// <param name="value">The byte.</param>
    /// <exception cref="MessageFormatException">The body exceeds <see cref="FormatterLimits.MaxBodyByteCount"/>.</exception>
    public void Write(byte value)
    {
        GetSpan(1)[0] = value;
        Advance(1);
    }

    /// <summary>Begins a record or a collection: increments the depth.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => Output.Enter();

    /// <summary>Decrements the depth after <see cref="Enter"/>.</summary>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Output.Leave();

    /// <summary>Checks the depth for a record without further nesting.</summary>
    /// <exception cref="MessageFormatException">It is nested too deeply.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
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

    [MethodImpl(MethodImplOptions.NoInlining)]
    private ref byte GrowAt(ref byte position, int byteCount)
    {
        End(ref position);
        return ref Output.ReserveBound(byteCount);
    }
}
