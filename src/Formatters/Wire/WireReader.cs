using System;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.Custom;

/// <summary>Reads the bytes of a body for a wire format: see <see cref="ICustomWireFormat"/>. It never reads beyond the end of the body.</summary>
public ref struct WireReader
{
    internal BodyInput Input;

    internal WireReader(BodyInput input) => Input = input;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal WireReader(ReadOnlySpan<byte> body, FormatterLimits? limits) => Input = new BodyInput(body, limits);

    /// <summary>Gets the number of bytes that have been read: the offset of the next byte from the start of the body.</summary>
    public readonly int ByteOffset => Input.ByteOffset;

    /// <summary>Gets the bytes that have not been read, without advancing.</summary>
    public readonly ReadOnlySpan<byte> Remaining => Input.Remaining;

    /// <summary>Gets the next byte, without advancing.</summary>
    /// <returns>The byte.</returns>
    /// <exception cref="MessageFormatException">The body ends here: <see cref="MessageFormatErrorCode.Truncated"/>.</exception>
    public readonly byte Peek() => Input.Require(1);

    /// <summary>Reads a number of bytes.</summary>
    /// <param name="byteCount">The number. It may be any number that a body contains.</param>
    /// <returns>A view of the body.</returns>
    /// <exception cref="MessageFormatException">Fewer bytes remain (<see cref="MessageFormatErrorCode.Truncated"/>), or the number is negative (<see
    /// cref="MessageFormatErrorCode.BadLength"/>).</exception>
    public ReadOnlySpan<byte> Read(long byteCount)
    {
        if (byteCount < 0)
            ThrowHelper.ThrowBadLength(ByteOffset, "The length is negative.");
        if (byteCount > Input.BytesRemaining)
            Input.ThrowTruncated(byteCount);
        return Input.Take((int)byteCount);
    }

    /// <summary>Throws the error for a body that ends within a value whose length is unknown.</summary>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.Truncated"/>, at the end of the body.</exception>
    [DoesNotReturn]
    public readonly void ThrowTruncated() => Input.ThrowTruncated((long)Input.BytesRemaining + 1);

    /// <summary>Throws the error for bytes that break the syntax of the wire format.</summary>
    /// <param name="message">The description, without content of the body.</param>
    /// <param name="byteOffset">The offset of the first of them from the start of the body; -1 for <see cref="ByteOffset"/>.</param>
    /// <exception cref="MessageFormatException"><see cref="MessageFormatErrorCode.Malformed"/>.</exception>
    [DoesNotReturn]
    public readonly void ThrowMalformed(string message, int byteOffset = -1) =>
        ThrowHelper.ThrowMalformed(byteOffset < 0 ? ByteOffset : byteOffset, message);

    /// <inheritdoc cref="WireWriter.Enter"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Enter() => Input.Enter();

    /// <inheritdoc cref="WireWriter.Leave"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Leave() => Input.Leave();

    /// <inheritdoc cref="WireWriter.Touch"/>
    [EditorBrowsable(EditorBrowsableState.Never)]
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
