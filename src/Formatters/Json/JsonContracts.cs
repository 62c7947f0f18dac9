#if NET
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>Finds values that System.Text.Json would write but not read back, when a formatter is created.</summary>
internal sealed class JsonContracts
{
    private readonly JsonSerializerOptions _options;
    private readonly IReadOnlyCollection<Type> _allowedLosses;
    private readonly HashSet<Type> _seen = [];
    private readonly Stack<(JsonTypeInfo Contract, string Path)> _open = new();

    private JsonContracts(JsonSerializerOptions options, IReadOnlyCollection<Type> allowedLosses)
    {
        _options = options;
        _allowedLosses = allowedLosses;
    }

    /// <param name="root">The contract of the payload.</param>
    /// <param name="allowedLosses">The types whose values may be lost.</param>
    /// <param name="structByteCount">Receives the size of the largest structure in it: System.Text.Json passes them by value.</param>
    /// <returns>Whether the body selects the type of some value in the contract.</returns>
    /// <exception cref="NotSupportedException">A type in the contract cannot be read back.</exception>
    internal static bool Check(JsonTypeInfo root, IReadOnlyCollection<Type> allowedLosses, out int structByteCount)
    {
        var search = new JsonContracts(root.Options, allowedLosses);
        search._seen.Add(root.Type);
        search._open.Push((root, TypeNames.Of(root.Type)));
        bool hasUnions = false;
        structByteCount = 0;
        while (search._open.TryPop(out (JsonTypeInfo Contract, string Path) next))
        {
            search.Visit(next.Contract, next.Path);
            hasUnions |= next.Contract.PolymorphismOptions is not null;
            if (next.Contract.Type.IsValueType)
                structByteCount = Math.Max(structByteCount, SizeOf(next.Contract.Type));
        }

        return hasUnions;
    }

#if NET9_0_OR_GREATER
    private static int SizeOf(Type type) => RuntimeHelpers.SizeOf(type.TypeHandle);
#else
    private static int SizeOf(Type type) =>
        type.IsPrimitive || !type.IsValueType ? sizeof(long) : FieldsOf(type).Sum(static field => SizeOf(field.FieldType));
#endif

    /// <summary>Determines whether the type is a collection that System.Text.Json reverses, or derives from one.</summary>
    internal static bool IsStack(Type type)
    {
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            if (level == typeof(System.Collections.Stack) || level.IsGenericType && level.GetGenericTypeDefinition() is Type definition
                && (definition == typeof(Stack<>) || definition == typeof(ConcurrentStack<>)
                    || definition == typeof(ImmutableStack<>) || definition == typeof(IImmutableStack<>)))
                return true;
        }

        return false;
    }

    private static bool IsOfLibrary(JsonConverter converter) => converter.GetType().Assembly == typeof(JsonConverter).Assembly;

    private void Visit(JsonTypeInfo contract, string path)
    {
        if (!LossAllowance.Includes(_allowedLosses, contract.Type) && WhyNot(contract) is string why)
            throw Refused(path, contract.Type, why);
        if (contract.Converter is JsonStacks.IStackConverter)
            Follow(contract.Type.GetGenericArguments()[0], path + "[]");
        Follow(contract.KeyType, path + "[key]");
        Follow(contract.ElementType, path + "[]");
        foreach (JsonPropertyInfo property in contract.Properties)
        {
            // A custom converter decides what it writes and reads. Extension data is what a body had that no member takes.
            if (property.CustomConverter is null && property.Get is not null && !property.IsExtensionData)
                Follow(property.PropertyType, TypeNames.Of(contract.Type) + "." + NameOf(property));
        }

        foreach (JsonDerivedType derived in contract.PolymorphismOptions?.DerivedTypes ?? [])
            Follow(derived.DerivedType, TypeNames.Of(derived.DerivedType));
    }

    private void Follow(Type? type, string path)
    {
        if (type is null)
            return;
        type = Nullable.GetUnderlyingType(type) ?? type;
        if (!_seen.Add(type))
            return;
        string why = "System.Text.Json has no contract for it";
        try
        {
            if (_options.TryGetTypeInfo(type, out JsonTypeInfo? contract))
            {
                _open.Push((contract, path));
                return;
            }
        }
        catch (Exception e) when (e is NotSupportedException or InvalidOperationException)
        {
            why += " (" + e.Message + ")";
        }

        if (!LossAllowance.Includes(_allowedLosses, type))
            throw Refused(path, type, why);
    }

    private static NotSupportedException Refused(string path, Type type, string why) => new(
        $"{path}, of type {TypeNames.Of(type)}, cannot be read back from JSON: {why}. Leave it out ([JsonIgnore]), use another type or a "
        + "JsonConverter, or allow the loss: JsonOptions.AllowedLosses.");

    private string? WhyNot(JsonTypeInfo contract)
    {
        if (contract.PolymorphismOptions is JsonPolymorphismOptions polymorphism)
        {
            if (polymorphism.UnknownDerivedTypeHandling != JsonUnknownDerivedTypeHandling.FailSerialization)
                return "objects of derived types that it does not list are written as one of those that it lists";
            if (polymorphism.DerivedTypes.FirstOrDefault(d => d.TypeDiscriminator is null && d.DerivedType != contract.Type)
                is { DerivedType: { } other })
                return $"{TypeNames.Of(other)} is listed without a discriminator, so that it is read as {TypeNames.Of(contract.Type)}";
        }

        if (contract.Kind == JsonTypeInfoKind.Object && contract.Type != typeof(object))
            return WhyNotObject(contract);
        if (!IsOfLibrary(contract.Converter))
            return null;
        if (contract.Type == typeof(object))
            return "System.Text.Json reads a JsonElement in place of what was written";
        if (contract.Kind == JsonTypeInfoKind.Enumerable && IsStack(contract.Type))
            return "System.Text.Json reverses stacks; use a List<T>, or add a JsonConverter";
        if (contract.Kind is JsonTypeInfoKind.Enumerable or JsonTypeInfoKind.Dictionary && FindOwnMember(contract.Type) is PropertyInfo member)
            return $"System.Text.Json writes its elements, and not its member {member.Name}";
        return IsRead(contract) ? null : "System.Text.Json writes such values and does not read them";
    }

    private string? WhyNotObject(JsonTypeInfo contract)
    {
        Type type = contract.Type;
        if (RecordMember.HasAttribute(type, BaseLibrary.InlineArrayAttribute))
            return BaseLibrary.WhyInlineArray;
        if (type.IsAbstract)
        {
            return contract.PolymorphismOptions is not null
                ? null
                : "it is abstract; list the types that can stand for it, each with a discriminator: [JsonDerivedType]";
        }

        if (contract.CreateObject is null && !contract.Properties.Any(static property => property.AssociatedParameter is not null))
        {
            return "System.Text.Json finds no constructor that it can use; put [JsonConstructor] on the one that takes the members, or add one "
                + "without parameters";
        }

        JsonPropertyInfo[] written = [.. contract.Properties.Where(static property => property.Get is not null)];
        string[] lost = [.. written.Where(property => !IsRead(contract, property)).Select(NameOf)];
        if (lost.Length > 0 ? AreComputed(contract) : written.Length > 0 || FieldsOf(type).All(IsLeftOut))
            return null;
        return lost.Length > 0
            ? $"written, but not read: {string.Join(", ", lost)} (a property needs a public setter, [JsonInclude], or a parameter of the constructor)"
            : "it has state, but nothing that System.Text.Json writes";
    }

    /// <summary>Determines whether a value of the library's converters is read, by reading one.</summary>
    private static bool IsRead(JsonTypeInfo contract)
    {
        ReadOnlySpan<byte> sample = contract.Kind switch
        {
            JsonTypeInfoKind.Enumerable => "[]"u8,
            JsonTypeInfoKind.Dictionary => "{\"0\":null}"u8,
            _ => "0"u8,
        };
        try
        {
            JsonSerializer.Deserialize(sample, contract);
            return true;
        }
        catch (NotSupportedException)
        {
            return false;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            // Another value would be read.
            return true;
        }
    }

    private bool IsRead(JsonTypeInfo contract, JsonPropertyInfo property) =>
        property.Set is not null || property.AssociatedParameter is not null || property.IsExtensionData
        || ((property.ObjectCreationHandling ?? contract.PreferredPropertyObjectCreationHandling ?? _options.PreferredObjectCreationHandling)
                == JsonObjectCreationHandling.Populate
            && !property.PropertyType.IsValueType && _options.TryGetTypeInfo(property.PropertyType, out JsonTypeInfo? held)
            && held.CreateObject is not null);

    /// <summary>
    /// Determines whether properties that are not read can only be computed from those that are: the type has no other fields. Without metadata of
    /// fields, as with ahead-of-time compilation, nothing is known of them.
    /// </summary>
    private bool AreComputed(JsonTypeInfo contract) => RuntimeFeature.IsDynamicCodeSupported && FieldsOf(contract.Type).All(field => IsLeftOut(field)
        || contract.Properties.Any(property => IsRead(contract, property) && property.AttributeProvider is MemberInfo member
            && member.DeclaringType == field.DeclaringType && (member.Name == field.Name || BackingFieldOf(member.Name) == field.Name)));

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A field that trimming removed is not used.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A field that trimming removed is not used.")]
    private static IEnumerable<FieldInfo> FieldsOf(Type type)
    {
        for (Type? level = type; level is not null; level = level.BaseType)
        {
            foreach (FieldInfo field in level.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
                yield return field;
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A property that trimming removed has no attribute.")]
    private static bool IsLeftOut(FieldInfo field) => field.IsDefined(typeof(JsonIgnoreAttribute), inherit: false)
        || field.DeclaringType!.GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
            .Any(property => BackingFieldOf(property.Name) == field.Name && property.IsDefined(typeof(JsonIgnoreAttribute), inherit: false));

    /// <summary>Finds a settable member that a class of the application adds to a collection.</summary>
    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Only the name of the type and the key of its assembly are read.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Only the name of the type and the key of its assembly are read.")]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A property that trimming removed is not used.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "A property that trimming removed is not used.")]
    private static PropertyInfo? FindOwnMember(Type type)
    {
        for (Type? level = type; level is not null && !ContractBuilder.IsOfNet(level); level = level.BaseType)
        {
            if (level.GetProperties(BindingFlags.Instance | BindingFlags.Public | BindingFlags.DeclaredOnly)
                .FirstOrDefault(static p => p.SetMethod is { IsPublic: true } && p.GetMethod is { IsPublic: true }
                    && p.GetIndexParameters().Length == 0
                    && !p.IsDefined(typeof(JsonIgnoreAttribute))) is PropertyInfo member)
                return member;
        }

        return null;
    }

    private static string BackingFieldOf(string propertyName) => $"<{propertyName}>k__BackingField";

    private static string NameOf(JsonPropertyInfo property) => (property.AttributeProvider as MemberInfo)?.Name ?? property.Name;
}
#endif
