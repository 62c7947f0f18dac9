using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

/// <summary>
/// The methods that generated code calls. Not for direct use: they do not check their arguments, and may change with the generator.
/// </summary>
/// <remarks>
/// Writing: the position is a reference that is passed and returned; <c>Reserve</c> checks the space for a run of members, and the methods after it
/// do not. Reading: <c>Take</c> checks a run of members, and the methods after it do not.
/// </remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public static partial class ContractCode
{
    /// <summary>Determines whether existing objects are reused: a constant for the JIT.</summary>
    /// <typeparam name="TMode">The mode.</typeparam>
    /// <returns>True for <see cref="Over"/>.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static bool Reuses<TMode>()
        where TMode : struct, IMode => typeof(TMode) == typeof(Over);

    /// <summary>Returns the size of a value of a type, or of a reference.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <returns>The number of bytes: a constant to the JIT.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static int SizeOf<T>() => Unsafe.SizeOf<T>();

    /// <summary>Throws for a null.</summary>
    [DoesNotReturn]
    public static void ThrowUnexpectedNull() => ContractMethods.ThrowUnexpectedNull();

    /// <summary>Throws for an object that has values in two members of one oneof.</summary>
    /// <param name="oneof">The name of the oneof.</param>
    /// <param name="names">The names of the members, each after a space.</param>
    [DoesNotReturn]
    public static void ThrowSecondCase(string oneof, string names) => ThrowHelper.ThrowSecondCase(oneof, names);

    /// <summary>Throws for an element of an <c>ArrayList</c> with a wrong type.</summary>
    /// <param name="element">The element.</param>
    [DoesNotReturn]
    public static void ThrowNotOfType(object? element) => ContractMethods.ThrowNotOfType(element);

    /// <summary>Throws for the second of two equal keys.</summary>
    /// <param name="byteOffset">The offset of the key; -1 when writing.</param>
    [DoesNotReturn]
    public static void ThrowDuplicateKey(int byteOffset) => ContractMethods.ThrowDuplicateKey(byteOffset);
}
