using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Converts an imminent stack overflow, which could not be caught, to the typed error.</summary>
internal static class StackGuard
{
    /// <summary>The guaranteed stack when the runtime reports that there is enough: 128 KiB in a 64-bit process, 64 KiB in others.</summary>
    private static readonly int CertainByteCount = IntPtr.Size == 8 ? 128 * 1024 : 64 * 1024;

    internal static void Check(long byteOffset)
    {
        if (!IsSufficient())
            ThrowHelper.ThrowStackExhausted(byteOffset);
    }

    internal static bool IsSufficient()
    {
#if NET
        return RuntimeHelpers.TryEnsureSufficientExecutionStack();
#else
        try
        {
            RuntimeHelpers.EnsureSufficientExecutionStack();
            return true;
        }
        catch (InsufficientExecutionStackException)
        {
            return false;
        }
#endif
    }

    /// <summary>Returns how much stack foreign code may use, up to a number of bytes, leaving a reserve.</summary>
    /// <param name="byteCount">How much it could need.</param>
    /// <returns>In bytes, at most <paramref name="byteCount"/>.</returns>
    internal static long RoomUpTo(long byteCount)
    {
        int certain = CertainByteCount / 4 * 3;
        return !IsSufficient() ? 0 : Math.Min(byteCount, certain + MoreRoomUpTo(byteCount - certain));
    }

    /// <summary>Probes further: the runtime only reports whether a certain amount is left, so a part of it is taken and the check repeated.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static long MoreRoomUpTo(long byteCount)
    {
        const int TakenByteCount = 32 * 1024;
        if (byteCount <= 0)
            return 0;
        Span<byte> taken = stackalloc byte[TakenByteCount];
        long room = IsSufficient() ? TakenByteCount + MoreRoomUpTo(byteCount - TakenByteCount) : 0;
        taken[0] = 1;
        return room;
    }
}
