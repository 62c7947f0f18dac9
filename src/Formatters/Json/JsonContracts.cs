#if NET
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
#if !NET9_0_OR_GREATER
using System.Diagnostics.CodeAnalysis;
#endif
using System.Linq;
#if NET9_0_OR_GREATER
using System.Runtime.CompilerServices;
#else
using System.Reflection;
#endif
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>Finds members that System.Text.Json would write but not read back, when a formatter is created.</summary>
internal static class JsonContracts
{
    /// <param name="root">The contract.</param>
    /// <param name="structByteCount">Receives the size of the largest structure in it: System.Text.Json passes them by value.</param>
    /// <returns>Whether the body selects the type of some value in the contract.</returns>
    /// <exception cref="NotSupportedException">A type in the contract cannot be read back.</exception>
    internal static bool Check(JsonTypeInfo root, out int structByteCount)
    {
        bool hasUnions = false;
        int largest = 0;
        var seen = new HashSet<Type> { root.Type };
        var open = new Stack<JsonTypeInfo>([root]);
        while (open.TryPop(out JsonTypeInfo? contract))
        {
            if (WhyNot(contract) is string why)
                throw new NotSupportedException($"{TypeNames.Of(contract.Type)} cannot be read back from JSON: {why}.");
            if (contract.Type.IsValueType)
                largest = Math.Max(largest, SizeOf(contract.Type));
            Follow(contract.ElementType);
            foreach (JsonPropertyInfo property in contract.Properties)
            {
                // A property with a custom converter is the converter's responsibility.
                if (property.CustomConverter is null)
                    Follow(property.PropertyType);
            }

            hasUnions |= contract.PolymorphismOptions is not null;
            foreach (JsonDerivedType derived in contract.PolymorphismOptions?.DerivedTypes ?? [])
                Follow(derived.DerivedType);
        }

        structByteCount = largest;
        return hasUnions;

        void Follow(Type? type)
        {
            if (type is null)
                return;
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (seen.Add(type) && TryGet(type) is JsonTypeInfo contract)
                open.Push(contract);
        }

        // A type without a contract in System.Text.Json may be that of a member that is always missing.
        JsonTypeInfo? TryGet(Type type)
        {
            try
            {
                return root.Options.TryGetTypeInfo(type, out JsonTypeInfo? contract) ? contract : null;
            }
            catch (Exception e) when (e is NotSupportedException or InvalidOperationException)
            {
                return null;
            }
        }
    }

#if NET9_0_OR_GREATER
    private static int SizeOf(Type type) => RuntimeHelpers.SizeOf(type.TypeHandle);
#else
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "Fields that are trimmed take no space.")]
    private static int SizeOf(Type type) => type.IsPrimitive || !type.IsValueType ? sizeof(long)
        : type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic).Sum(static field => SizeOf(field.FieldType));
#endif

    /// <summary>Determines whether the type is a collection that System.Text.Json reverses.</summary>
    internal static bool IsStack(Type type) => type.IsGenericType && type.GetGenericTypeDefinition() is Type definition
        && (definition == typeof(Stack<>) || definition == typeof(ConcurrentStack<>)
            || definition == typeof(ImmutableStack<>) || definition == typeof(IImmutableStack<>));

    private static string? WhyNot(JsonTypeInfo contract)
    {
        if (contract.Kind == JsonTypeInfoKind.Enumerable && IsStack(contract.Type))
            return "System.Text.Json reverses stacks; use a List<T>, or add a JsonConverter";
        if (contract.Kind != JsonTypeInfoKind.Object || contract.Type == typeof(object))
            return null;
        if (RecordMember.HasAttribute(contract.Type, BaseLibrary.InlineArrayAttribute))
            return BaseLibrary.WhyInlineArray;
        bool isMade = contract.CreateObject is not null || contract.Properties.Any(static property => property.AssociatedParameter is not null);
        return isMade || contract.Type.IsAbstract || contract.PolymorphismOptions is not null
            ? null
            : "System.Text.Json finds no constructor that it can use; put [JsonConstructor] on the one that takes the members, or add one without "
                + "parameters";
    }
}
#endif
