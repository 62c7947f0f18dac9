using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Turns what would be an uncatchable stack overflow into the typed error. Asked every 16 levels.</summary>
internal static class StackGuard
{
    internal static void Check(long byteOffset)
    {
#if NET
        if (!RuntimeHelpers.TryEnsureSufficientExecutionStack())
            ThrowHelper.ThrowStackExhausted(byteOffset);
#else
        try
        {
            RuntimeHelpers.EnsureSufficientExecutionStack();
        }
        catch (InsufficientExecutionStackException)
        {
            ThrowHelper.ThrowStackExhausted(byteOffset);
        }
#endif
    }
}
