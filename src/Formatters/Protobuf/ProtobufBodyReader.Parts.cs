// https://protobuf.dev/programming-guides/encoding/#last-one-wins
using System.Runtime.CompilerServices;

namespace Formatters.Protobuf;

// A message field that occurs several times is one message in parts. Reading each part separately would copy, for each part, every array, immutable
// collection or set read so far: quadratic time in the number of parts. Further parts are therefore deferred to the end of the containing message,
// and then read as one message, whose bytes are in several places.
public ref partial struct ProtobufBodyReader
{
    /// <summary>Determines whether the message ends here. Moves to the next part of a message that is read in parts.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsAtEnd() => _input.BytesRemaining == 0 && IsAtLastPart();

    /// <summary>Does what <see cref="IsAtEnd"/> does, where no byte remains.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool IsAtLastPart() => _parts is null || !TryContinue();

    /// <summary>Gets whether the last tag read represents the deferred parts of a message, not bytes after the tag.</summary>
    internal readonly bool IsAtParts => _parts is { IsTagRead: true };

    /// <summary>Defers a further part of a message to the end of the containing message.</summary>
    /// <param name="tag">The tag, which has been read.</param>
    internal void DeferPart(uint tag)
    {
        int byteCount = ReadLength();
        int byteOffset = ByteOffset;
        Charge(byteOffset, 1, MessageParts.PartAllocation);
        (_parts ??= new MessageParts()).Defer(_input.RemainingDepth, tag, byteOffset, byteCount);
        _input.Advance(byteCount);
    }

    /// <summary>Discards the deferred parts of the containing message: a field that replaces them follows.</summary>
    internal readonly void DiscardParts(uint tag) => _parts?.Discard(_input.RemainingDepth, tag);

    /// <summary>Starts reading the deferred parts whose tag was read last, as one message. Counts one level of nesting.</summary>
    /// <returns>The end of the containing message, for <see cref="LeaveParts"/>.</returns>
    internal int EnterParts()
    {
        int end = ByteOffset;
        _input.Enter();
        _parts!.Enter(_input.RemainingDepth);
        TryMoveToPart();
        return end;
    }

    /// <summary>Finishes what <see cref="EnterParts"/> started.</summary>
    internal void LeaveParts(int end)
    {
        _input.EnsureEnd();
        _parts!.Leave();
        _input.Leave();
        _input.MoveTo(end, 0);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryContinue() => TryMoveToPart() || _parts!.TrySelect(_input.RemainingDepth);

    private bool TryMoveToPart()
    {
        while (_parts!.TryGetNext(_input.RemainingDepth, out int byteOffset, out int byteCount))
        {
            _input.MoveTo(byteOffset, byteCount);
            if (byteCount > 0)
                return true;
        }

        return false;
    }

    /// <summary>Reads the next tag where the bytes end: that of the next part, or of deferred parts.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private uint ReadTagAtEnd()
    {
        if (!TryContinue())
            return 0;
        return _input.BytesRemaining > 0 ? ReadTag() : _parts!.ReadTag();
    }
}
