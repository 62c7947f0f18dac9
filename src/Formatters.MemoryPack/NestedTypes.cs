using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using MemoryPack;

namespace Formatters;

/// <summary>Finds types whose objects can contain objects of the same type, to any depth.</summary>
internal static class NestedTypes
{
    /// <summary>More generic types within generic types than any contract has: a type that expands without end.</summary>
    private const int MaxPathLength = 64;

    /// <summary>Determines whether objects of a type may be nested without limit.</summary>
    /// <returns>Always <see langword="true"/> under Native AOT, where members may be missing from the metadata.</returns>
    internal static bool CanNest(Type type) => !RuntimeFeature.IsDynamicCodeSupported || CanNest(type, [], []);

    private static bool CanNest(Type type, List<Type> path, HashSet<Type> visited)
    {
        if (type.IsPrimitive || type.IsEnum || type == typeof(string))
            return false;
        // The cases of a union may be declared elsewhere: [MemoryPackUnionFormatter], or a formatter that was registered.
        bool isOpen = type == typeof(object)
            || ((type.IsInterface || type.IsAbstract) && type.Assembly != typeof(object).Assembly
                && !type.IsDefined(typeof(MemoryPackUnionAttribute), inherit: false));
        if (isOpen || path.Contains(type) || path.Count == MaxPathLength)
            return true;
        if (!visited.Add(type))
            return false;
        path.Add(type);
        foreach (Type part in PartsOf(type))
        {
            if (CanNest(part, path, visited))
                return true;
        }

        path.RemoveAt(path.Count - 1);
        return false;
    }

    [UnconditionalSuppressMessage("Trimming", "IL2070",
        Justification = "The trimmer keeps the fields and properties that generated code uses; no others are in a body.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "As above.")]
    private static List<Type> PartsOf(Type type)
    {
        const BindingFlags Members = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        List<Type> parts = [.. type.GetGenericArguments(),
            .. type.GetCustomAttributes<MemoryPackUnionAttribute>(inherit: false).Select(static union => union.Type)];
        if (type.GetElementType() is { } element)
            parts.Add(element);
        // Types of the base library hold nothing of a body except their type arguments.
        for (Type? declaring = type; declaring is not null && declaring.Assembly != typeof(object).Assembly; declaring = declaring.BaseType)
        {
            parts.AddRange(declaring.GetFields(Members).Select(static field => field.FieldType));
            parts.AddRange(declaring.GetProperties(Members).Select(static property => property.PropertyType));
        }

        return parts;
    }
}
