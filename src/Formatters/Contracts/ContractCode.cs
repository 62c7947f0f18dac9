using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

/// <summary>What generated code calls. Not for use by hand: nothing here checks its arguments, and it may change with the generator.</summary>
/// <remarks>
/// Writing: the position is a reference that is passed and returned; <c>Reserve</c> checks the room for a run of members, the methods behind it
/// do not. Reading: <c>Take</c> checks a run of members, the methods behind it do not.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class ContractCode
{
    /// <summary>Whether existing objects are reused: a constant to the JIT.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <returns>True for <see cref="Over"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Reuses<TMode>()
        where TMode : struct, IMode => typeof(TMode) == typeof(Over);

    /// <summary>The size of a value of a type, or of a reference.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The number of bytes: a constant to the JIT.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOf<T>() => Unsafe.SizeOf<T>();

    /// <summary>Refuses a null.</summary>
    [DoesNotReturn]
    public static void ThrowUnexpectedNull() => ContractMethods.ThrowUnexpectedNull();

    /// <summary>Refuses an element of an <c>ArrayList</c>.</summary>
    /// <param name="element">The element.</param>
    [DoesNotReturn]
    public static void ThrowNotOfType(object? element) => ContractMethods.ThrowNotOfType(element);

    /// <summary>Refuses the second of two equal keys.</summary>
    /// <param name="byteOffset">Where it begins; -1 on writing.</param>
    [DoesNotReturn]
    public static void ThrowDuplicateKey(int byteOffset) => ContractMethods.ThrowDuplicateKey(byteOffset);
}
