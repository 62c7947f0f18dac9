using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Turns what would be an uncatchable stack overflow into the typed error. Asked every 16 levels.</summary>
internal static class StackGuard
{
    /// <summary>What is certainly left where the runtime says that there is enough: 128 KiB in a 64-bit process, 64 KiB in others.</summary>
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

    /// <summary>How much of the stack code that is not ours may take, so that some is left beside it.</summary>
    /// <param name="byteCount">How much it could need.</param>
    /// <returns>In bytes, at most <paramref name="byteCount"/>.</returns>
    internal static long RoomUpTo(long byteCount)
    {
        int certain = CertainByteCount / 4 * 3;
        return !IsSufficient() ? 0 : Math.Min(byteCount, certain + MoreRoomUpTo(byteCount - certain));
    }

    /// <summary>The runtime only says whether a certain amount is left. So a part of it is taken, and the runtime asked again.</summary>
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
