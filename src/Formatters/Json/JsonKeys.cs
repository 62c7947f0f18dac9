#if NET
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Formatters;

/// <summary>
/// Makes System.Text.Json fill dictionaries and sets whose keys are hashed with a random key (<see cref="KeyedComparer{TKey}"/>), so that a sender
/// cannot cause collisions.
/// </summary>
[UnconditionalSuppressMessage("Trimming", "IL2055", Justification = "The collections are those of the contract, which are there.")]
[UnconditionalSuppressMessage("Trimming", "IL2072", Justification = "New names the constructors.")]
[UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Done only where code can be generated at run time.")]
[UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "The types are those of the contract, for which there is metadata.")]
internal static class JsonKeys
{
    /// <summary>The collections that System.Text.Json creates with a delegate, and the types to create.</summary>
    private static readonly Dictionary<Type, Type> Made = new()
    {
        [typeof(Dictionary<,>)] = typeof(KeyedDictionary<,>),
        [typeof(IDictionary<,>)] = typeof(KeyedDictionary<,>),
        [typeof(ConcurrentDictionary<,>)] = typeof(KeyedConcurrentDictionary<,>),
        [typeof(HashSet<>)] = typeof(KeyedSet<>),
        [typeof(ISet<>)] = typeof(KeyedSet<>),
    };

    /// <summary>The collections that it converts from others, which cannot be chosen.</summary>
    private static readonly Dictionary<Type, Type> Converted = new()
    {
        [typeof(IReadOnlyDictionary<,>)] = typeof(ReadOnlyDictionaryConverter<,>),
        [typeof(ImmutableDictionary<,>)] = typeof(ImmutableDictionaryConverter<,>),
        [typeof(IImmutableDictionary<,>)] = typeof(IImmutableDictionaryConverter<,>),
        [typeof(ImmutableHashSet<>)] = typeof(ImmutableHashSetConverter<>),
        [typeof(IImmutableSet<>)] = typeof(IImmutableSetConverter<>),
    };

    /// <summary>Returns a contract that reads into such collections.</summary>
    /// <param name="contract">The contract.</param>
    /// <returns>The same contract if it has no such collections, or they cannot be created.</returns>
    internal static JsonTypeInfo<T> Protect<T>(JsonTypeInfo<T> contract)
    {
        JsonSerializerOptions options = contract.Options;
        // A contract that differs from that of its options was changed manually, and the changes would be lost.
        if (!RuntimeFeature.IsDynamicCodeSupported || options.TypeInfoResolver is null || !options.TryGetTypeInfo(typeof(T), out JsonTypeInfo? own)
            || !ReferenceEquals(own, contract) || !HasHashedKeys(contract))
            return contract;
        var keyed = new JsonSerializerOptions(options) { TypeInfoResolver = options.TypeInfoResolver.WithAddedModifier(MakeKeyed) };
        // Preserved references need the collection before its entries.
        if (options.ReferenceHandler is null)
            keyed.Converters.Add(new ConverterFactory());
        keyed.MakeReadOnly();
        return (JsonTypeInfo<T>)keyed.GetTypeInfo(typeof(T));
    }

    private static bool HasHashedKeys(JsonTypeInfo root)
    {
        var seen = new HashSet<Type> { root.Type };
        var open = new Stack<JsonTypeInfo>([root]);
        while (open.TryPop(out JsonTypeInfo? contract))
        {
            if (contract.Kind is JsonTypeInfoKind.Dictionary or JsonTypeInfoKind.Enumerable
                && (IsOf(Made, contract.Type) || IsOf(Converted, contract.Type)))
                return true;
            Follow(contract.ElementType);
            foreach (JsonPropertyInfo property in contract.Properties)
                Follow(property.PropertyType);
            if (contract.PolymorphismOptions is { } polymorphism)
            {
                foreach (JsonDerivedType derived in polymorphism.DerivedTypes)
                    Follow(derived.DerivedType);
            }
        }

        return false;

        void Follow(Type? type)
        {
            if (type is null)
                return;
            type = Nullable.GetUnderlyingType(type) ?? type;
            if (seen.Add(type) && root.Options.TryGetTypeInfo(type, out JsonTypeInfo? contract))
                open.Push(contract);
        }
    }

    private static bool IsOf(Dictionary<Type, Type> collections, Type type) =>
        type.IsGenericType && collections.ContainsKey(type.GetGenericTypeDefinition()) && IsHashedKey(type.GenericTypeArguments[0]);

    /// <summary>Determines whether the default hash of a type is a known function of few bits.</summary>
    private static bool IsHashedKey(Type type) =>
        type.IsEnum || type.IsPrimitive || type == typeof(decimal) || type == typeof(Guid) || type == typeof(DateTime)
        || type == typeof(DateTimeOffset) || type == typeof(TimeSpan)
        || type == typeof(DateOnly) || type == typeof(TimeOnly) || type == typeof(Half) || type == typeof(Int128) || type == typeof(UInt128);

    private static void MakeKeyed(JsonTypeInfo contract)
    {
        if (contract.Kind is JsonTypeInfoKind.Dictionary or JsonTypeInfoKind.Enumerable && IsOf(Made, contract.Type))
            contract.CreateObject = ((IMaker)New(Made, contract.Type)).Make;
    }

    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(KeyedDictionary<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(KeyedConcurrentDictionary<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(KeyedSet<>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(ReadOnlyDictionaryConverter<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(ImmutableDictionaryConverter<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(IImmutableDictionaryConverter<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(ImmutableHashSetConverter<>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor, typeof(IImmutableSetConverter<>))]
    private static object New(Dictionary<Type, Type> collections, Type type) =>
        Activator.CreateInstance(collections[type.GetGenericTypeDefinition()].MakeGenericType(type.GenericTypeArguments))!;

    private interface IMaker
    {
        object Make();
    }

    private sealed class KeyedDictionary<TKey, TValue> : IMaker
        where TKey : notnull
    {
        public object Make() => new Dictionary<TKey, TValue>(KeyedComparer<TKey>.Instance);
    }

    private sealed class KeyedConcurrentDictionary<TKey, TValue> : IMaker
        where TKey : notnull
    {
        public object Make() => new ConcurrentDictionary<TKey, TValue>(KeyedComparer<TKey>.Instance);
    }

    private sealed class KeyedSet<T> : IMaker
        where T : notnull
    {
        public object Make() => new HashSet<T>(KeyedComparer<T>.Instance);
    }

    private sealed class ConverterFactory : JsonConverterFactory
    {
        public override bool CanConvert(Type typeToConvert) => IsOf(Converted, typeToConvert);

        public override JsonConverter CreateConverter(Type typeToConvert, JsonSerializerOptions options) =>
            (JsonConverter)New(Converted, typeToConvert);
    }

    /// <summary>Reads an object or an array as System.Text.Json does, and converts it to another collection.</summary>
    private abstract class ReadingConverter<TCollection> : JsonConverter<TCollection>
    {
        public override void Write(Utf8JsonWriter writer, TCollection value, JsonSerializerOptions options) => throw new NotSupportedException();
    }

    private abstract class DictionaryConverter<TCollection, TKey, TValue> : ReadingConverter<TCollection>
        where TKey : notnull
    {
        public override TCollection Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            if (reader.TokenType != JsonTokenType.StartObject)
                throw new JsonException();
            var keys = (JsonConverter<TKey>)options.GetTypeInfo(typeof(TKey)).Converter;
            var values = (JsonTypeInfo<TValue>)options.GetTypeInfo(typeof(TValue));
            var entries = new Dictionary<TKey, TValue>(KeyedComparer<TKey>.Instance);
            while (reader.Read() && reader.TokenType != JsonTokenType.EndObject)
            {
                TKey key = keys.ReadAsPropertyName(ref reader, typeof(TKey), options);
                reader.Read();
                TValue value = JsonSerializer.Deserialize(ref reader, values)!;
                if (!entries.TryAdd(key, value))
                    entries[key] = options.AllowDuplicateProperties ? value : throw new JsonException();
            }

            return Make(entries);
        }

        protected abstract TCollection Make(Dictionary<TKey, TValue> entries);
    }

    private sealed class ReadOnlyDictionaryConverter<TKey, TValue> : DictionaryConverter<IReadOnlyDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        protected override IReadOnlyDictionary<TKey, TValue> Make(Dictionary<TKey, TValue> entries) => entries;
    }

    private sealed class ImmutableDictionaryConverter<TKey, TValue> : DictionaryConverter<ImmutableDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        protected override ImmutableDictionary<TKey, TValue> Make(Dictionary<TKey, TValue> entries) =>
            entries.ToImmutableDictionary(KeyedComparer<TKey>.Instance);
    }

    private sealed class IImmutableDictionaryConverter<TKey, TValue> : DictionaryConverter<IImmutableDictionary<TKey, TValue>, TKey, TValue>
        where TKey : notnull
    {
        protected override IImmutableDictionary<TKey, TValue> Make(Dictionary<TKey, TValue> entries) =>
            entries.ToImmutableDictionary(KeyedComparer<TKey>.Instance);
    }

    private abstract class SetConverter<TCollection, T> : ReadingConverter<TCollection>
        where T : notnull
    {
        public override TCollection Read(ref Utf8JsonReader reader, Type typeToConvert, JsonSerializerOptions options)
        {
            if (reader.TokenType != JsonTokenType.StartArray)
                throw new JsonException();
            var values = (JsonTypeInfo<T>)options.GetTypeInfo(typeof(T));
            var elements = new HashSet<T>(KeyedComparer<T>.Instance);
            while (reader.Read() && reader.TokenType != JsonTokenType.EndArray)
                elements.Add(JsonSerializer.Deserialize(ref reader, values)!);
            return Make(elements);
        }

        protected abstract TCollection Make(HashSet<T> elements);
    }

    private sealed class ImmutableHashSetConverter<T> : SetConverter<ImmutableHashSet<T>, T>
        where T : notnull
    {
        protected override ImmutableHashSet<T> Make(HashSet<T> elements) => elements.ToImmutableHashSet(KeyedComparer<T>.Instance);
    }

    private sealed class IImmutableSetConverter<T> : SetConverter<IImmutableSet<T>, T>
        where T : notnull
    {
        protected override IImmutableSet<T> Make(HashSet<T> elements) => elements.ToImmutableHashSet(KeyedComparer<T>.Instance);
    }
}
#endif
