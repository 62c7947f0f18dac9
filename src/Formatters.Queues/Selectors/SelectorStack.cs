using System;
using System.Runtime.CompilerServices;

namespace Formatters.Queues;

/// <summary>Checks that a selector can be traversed without a stack overflow, which cannot be caught.</summary>
internal static class SelectorStack
{
    /// <summary>Selectors up to this depth are traversed on any stack.</summary>
    private const int SmallDepth = 8;

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

    /// <exception cref="InsufficientExecutionStackException">The stack may not be sufficient for this depth.</exception>
    internal static void Ensure(int depth)
    {
        if (depth > SmallDepth)
            RuntimeHelpers.EnsureSufficientExecutionStack();
    }
}
