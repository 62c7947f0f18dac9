using System;
using System.Diagnostics.CodeAnalysis;
#if NET
using System.Runtime.CompilerServices;
#else
using System.Runtime.Serialization;
#endif

namespace Formatters;

/// <summary>Creates objects without running their constructors; their fields are then set.</summary>
internal static class LegacyObjects
{
    internal const DynamicallyAccessedMemberTypes Constructors =
        DynamicallyAccessedMemberTypes.PublicConstructors | DynamicallyAccessedMemberTypes.NonPublicConstructors;

    internal static Func<object> Allocator<[DynamicallyAccessedMembers(Constructors)] T>() =>
        typeof(T).IsValueType ? static () => default(T)! : static () => Allocate(typeof(T));

    private static object Allocate([DynamicallyAccessedMembers(Constructors)] Type type) =>
#if NET
        RuntimeHelpers.GetUninitializedObject(type);
#else
        FormatterServices.GetUninitializedObject(type);
#endif
}
