using System;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Formatters;

/// <summary>Estimates the memory of a collection's elements, for the allocation limit.</summary>
internal static class Allocation
{
    private const int ObjectByteCount = 24;
    private const int ReferenceByteCount = 8;

    /// <summary>
    /// Estimates the slot in the array, and for a class the object with its fields. Strings and collections inside are charged by their own bytes and
    /// counts.
    /// </summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static int OfElement(Type type)
    {
        if (type.IsValueType)
            return SizeOf(type);
        long byteCount = ReferenceByteCount;
        if (type == typeof(string) || type.IsArray || type.IsInterface)
            return ReferenceByteCount + ObjectByteCount;
        for (Type? level = type; level is not null && level != typeof(object); level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
                byteCount += field.FieldType.IsValueType ? SizeOf(field.FieldType) : ReferenceByteCount;
        }

        return (int)Math.Min(byteCount + ObjectByteCount, int.MaxValue);
    }

    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private static int SizeOf(Type type) =>
        (int)typeof(Allocation).GetMethod(nameof(SizeOfT), BindingFlags.Static | BindingFlags.NonPublic)!.MakeGenericMethod(type).Invoke(null, null)!;

    private static int SizeOfT<T>() => Unsafe.SizeOf<T>();
}
