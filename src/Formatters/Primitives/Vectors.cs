#if NET
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.Arm;
using System.Runtime.Intrinsics.X86;

namespace Formatters;

/// <summary>Vector operations that compile to one or two instructions under Native AOT too. The base library's are compiled for the oldest supported
/// processor, and some become calls.</summary>
internal static class Vectors
{
    /// <summary>1.5 times 2^52: next to it, doubles have no fraction.</summary>
    private const double Rounding = 6_755_399_441_055_744.0;

    /// <summary>Selects the byte at each index. An index of 0xFF gives 0; others above 15 give any byte.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<byte> Shuffle(Vector128<byte> bytes, Vector128<byte> indexes) =>
        Ssse3.IsSupported ? Ssse3.Shuffle(bytes, indexes)
        : AdvSimd.Arm64.IsSupported ? AdvSimd.Arm64.VectorTableLookup(bytes, indexes)
        : Vector128.Shuffle(bytes, indexes);

    /// <summary>Converts a float without waiting for another value: the instruction keeps half of its register, which is cleared here.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double Widen(float value) => Sse2.IsSupported
        ? Sse2.ConvertScalarToVector128Double(Vector128<double>.Zero, Vector128.CreateScalarUnsafe(value)).ToScalar()
        : value;

    /// <summary>Rounds to the nearest integer, a half to the even one, if the magnitude is below 2^51; otherwise returns some number near it. The
    /// result is never -0.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static double Round(double value) => value + Rounding - Rounding;

    /// <inheritdoc cref="Round(double)"/>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static Vector128<double> Round(Vector128<double> values) =>
        values + Vector128.Create(Rounding) - Vector128.Create(Rounding);
}
#endif
