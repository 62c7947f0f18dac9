using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>
/// The stack addresses within which a reader or writer needs no check of the remaining stack. The frames of generated and emitted code grow with the
/// number and size of the members, up to 100 KiB and more, so the distance between checks is measured in bytes, not in levels of nesting.
/// </summary>
internal unsafe struct StackWindow
{
    private const int ByteCount = 16 * 1024;

    /// <summary>The distance from the address of a check to the start of the window: the frame of the caller may be there.</summary>
    private const int AboveByteCount = 4 * 1024;

    /// <summary>The stack that a check leaves for calls within the window: of the JIT compiler, and for throwing an exception.</summary>
    private const int ReserveByteCount = 96 * 1024;

    private nuint _top;

    /// <summary>Gets whether the caller's frame is within the window.</summary>
    internal readonly bool ContainsCaller
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
        [SkipLocalsInit]
#endif
        get
        {
            byte here;
            return _top - (nuint)(&here) <= ByteCount;
        }
    }

    /// <summary>Begins the window at the caller's frame, without a check.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
#if NET
    [SkipLocalsInit]
#endif
    internal static StackWindow Begin()
    {
        byte here;
        return new StackWindow { _top = (nuint)(&here) + AboveByteCount };
    }

    /// <summary>Moves the window to the caller's frame, if enough stack remains for another frame as large as those since the last check.</summary>
    /// <param name="byteOffset">The offset for the error; -1 if unknown.</param>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void MoveToCaller(long byteOffset)
    {
        byte here;
        nuint address = (nuint)(&here);
        long neededByteCount = address < _top ? (long)(_top - address) + ReserveByteCount : 0;
        if (!StackGuard.IsSufficient() || StackGuard.RoomUpTo(neededByteCount) < neededByteCount)
            ThrowHelper.ThrowStackExhausted(byteOffset);
        _top = address + AboveByteCount;
    }
}
