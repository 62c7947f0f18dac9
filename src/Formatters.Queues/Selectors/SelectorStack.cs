using System;
using System.Runtime.CompilerServices;

namespace Formatters.Queues;

/// <summary>Whether a selector can be gone through without the stack ending, which nobody could catch.</summary>
internal static class SelectorStack
{
    /// <summary>Selectors of fewer levels are gone through on any stack on which a method can be called at all.</summary>
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

    /// <exception cref="InsufficientExecutionStackException">It may not be sufficient for so many levels.</exception>
    internal static void Ensure(int depth)
    {
        if (depth > SmallDepth)
            RuntimeHelpers.EnsureSufficientExecutionStack();
    }
}
