#if NET
using System;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Allocates strings to be filled in place before they are published.</summary>
/// <remarks>
/// Row "hand-coded", read, of Formatters.Benchmarks: <c>new string('\0', n)</c> and <c>string.Create</c> cost 2 ns more per string than the
/// allocation that they end in, a tenth of the whole read. That allocation is not public, so it is looked up once, with a fallback.
/// </remarks>
internal static class NewStrings
{
    private static readonly bool HasFastAllocate = Probe();

    /// <summary>Allocates a string of a given length, at least 1, whose characters must be written immediately.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static string Allocate(int charCount) => HasFastAllocate ? FastAllocateString(null, charCount) : new string('\0', charCount);

    private static bool Probe()
    {
        try
        {
            return FastAllocateString(null, 3).Length == 3;
        }
        catch (MissingMethodException)
        {
            return false;
        }
    }

    [UnsafeAccessor(UnsafeAccessorKind.StaticMethod, Name = "FastAllocateString")]
    private static extern string FastAllocateString(string? type, nint charCount);
}
#endif
