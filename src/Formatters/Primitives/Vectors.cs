#if NET
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;

namespace Formatters;

/// <summary>Operations that are an instruction or two on Native AOT too. There, those of the base library are compiled for the oldest processor, and
/// some are calls.</summary>
internal static class Vectors
{
    /// <summary>1.5 times 2^52: next to it, doubles have no fraction.</summary>
    private const double Rounding = 6_755_399_441_055_744.0;

    /// <summary>Moves bytes to the places of their indexes, of 0 to 15; an index of 0xFF gives 0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> Shuffle(Vector128<byte> bytes, Vector128<byte> indexes) =>
        Ssse3.IsSupported ? Ssse3.Shuffle(bytes, indexes) : Vector128.Shuffle(bytes, indexes);

    /// <summary>Rounds to the nearest integer, or to the even one; a number of 2^51 or more to any near it.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double Round(double value) => value + Rounding - Rounding;

    /// <inheritdoc cref="Round(double)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<double> Round(Vector128<double> values) =>
        values + Vector128.Create(Rounding) - Vector128.Create(Rounding);
}
#endif
