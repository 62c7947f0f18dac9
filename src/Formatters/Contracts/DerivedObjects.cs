using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Rejects objects of classes derived from the declared one, because the members that they add would be lost.</summary>
internal static class DerivedObjects
{
    /// <summary>Determines whether an object may be of another class than the declared one, so that each must be checked.</summary>
    internal static bool AreChecked(Type declared) =>
        !declared.IsValueType && !declared.IsSealed && !declared.IsDefined(typeof(AllowDerivedAttribute), inherit: false);

    /// <summary>Does what <see cref="AreChecked(Type)"/> does, considering the options.</summary>
    internal static bool AreChecked(Type declared, HashSet<Type>? allowed) => AreChecked(declared) && allowed?.Contains(declared) != true;

    /// <summary>Adds a class to those allowed by options.</summary>
    internal static HashSet<Type> Allow(HashSet<Type>? allowed, Type type)
    {
        if (type is null)
            throw new ArgumentNullException(nameof(type));
        if (!type.IsClass || type.IsSealed)
            throw new ArgumentException($"{TypeNames.Of(type)} is not a class that others derive from.", nameof(type));
        return allowed is null ? [type] : [.. allowed, type];
    }

    /// <summary>Throws for a null, or an object that is not of the declared class.</summary>
    // Not inlined into its callers, which are on the path of every object.
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void Throw(object? value, Type declared)
    {
        if (value is null)
            ThrowHelper.ThrowUnexpectedNull();
        throw Refused(value.GetType(), declared);
    }

    /// <summary>Creates the exception for writing an object that is not of the declared class.</summary>
    internal static MessageFormatException Refused(Type actual, Type declared, string? memberPath = null) =>
        new(MessageFormatErrorCode.TypeNotAllowed, Text(actual, declared), memberPath: memberPath);

    internal static string Text(Type actual, Type declared)
    {
        string name = TypeNames.Of(declared);
        return $"The object is of the type {TypeNames.Of(actual)}; {name} is declared, and what {TypeNames.Of(actual)} adds would be lost. Declare a "
            + $"union ([MessageUnion]), or allow it ([AllowDerived] on {name}).";
    }
}
