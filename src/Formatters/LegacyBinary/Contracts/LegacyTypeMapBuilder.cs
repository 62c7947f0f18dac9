using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>Walks from the payload's type over members, elements, arguments and base types, and gives each type found its names and its contract.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class LegacyTypeMapBuilder
{
    private readonly Dictionary<Type, LegacyType> _types = [];
    private readonly Dictionary<string, LegacyType> _names = new(StringComparer.Ordinal);
    private readonly Queue<LegacyType> _open = new();
    private readonly LegacyBinaryOptions _options;
    private int _contractCount;

    private LegacyTypeMapBuilder(LegacyBinaryOptions options) => _options = options;

    /// <exception cref="ArgumentException">The root has no contract, or two types have one name.</exception>
    internal static LegacyTypeMap Build(Type root, LegacyBinaryOptions options)
    {
        var builder = new LegacyTypeMapBuilder(options);
        LegacyType rootType = builder.Get(root);
        foreach (Type type in options.Types)
            builder.Get(type);
        // What a member of type object may always hold: nothing here runs code of others.
        foreach (NrbfPrimitive primitive in NrbfPrimitive.All)
            builder.Get(primitive.Type.MakeArrayType());
        foreach (Type type in new[] { typeof(object[]), typeof(string[]), typeof(Guid), typeof(DateTimeOffset), typeof(DBNull), typeof(ArrayList), typeof(Hashtable) })
            builder.Get(type);
        while (builder._open.Count > 0)
            builder.Complete(builder._open.Dequeue());
        if (LegacyContracts.WhyNot(root) is string why && !root.IsInterface && !root.IsAbstract)
            throw new ArgumentException($"{root} cannot be read from a legacy binary body: {why}.");
        return new LegacyTypeMap(builder._types, builder._names, rootType, builder._contractCount, options);
    }

    /// <summary>The entry of a type; a new one is completed later, since types refer to each other.</summary>
    internal LegacyType Get(Type type)
    {
        if (_types.TryGetValue(type, out LegacyType? known))
            return known;
        var added = new LegacyType(type, LegacyName.Of(type, _options), LegacyName.AssemblyOf(type, _options));
        _types.Add(type, added);
        _open.Enqueue(added);
        return added;
    }

    private void Complete(LegacyType type)
    {
        if (type.Type.IsPointer || type.Type.IsByRef)
            return;
        AddNames(type);
        SetArrayElements(type);
        if (type.ValueType != type.Type)
            Get(type.ValueType);
        if (type.Type.IsArray)
        {
            LegacyType element = Get(type.Type.GetElementType()!);
            SetArrayElements(element);
            type.Elements = element.ArrayElements;
            return;
        }

        var contracts = new LegacyContracts(this, _options);
        type.WhyNot = LegacyContracts.WhyNot(type.Type);
        type.Contract = contracts.Create(type);
        if (type.Contract is null)
            return;
        type.Contract.Ordinal = _contractCount++;
        foreach ((string name, string? assembly, LegacyType of) in contracts.OtherNames)
            AddName(name, assembly, of);
    }

    /// <summary>Another class of bodies whose records are read by a contract: an object of its own type is written by it.</summary>
    internal void AddContract(LegacyType type, LegacyClassContract contract)
    {
        contract.Ordinal = _contractCount++;
        type.Contract = contract;
        SetArrayElements(type);
        _types[type.Type] = type;
    }

    /// <summary>Whether there is an entry for a type.</summary>
    internal bool Has(Type type) => _types.ContainsKey(type);

    /// <summary>Lets objects of a type be written as those of another.</summary>
    internal void AddAlias(Type type, LegacyType writtenAs) => _types[type] = writtenAs;

    private void AddNames(LegacyType type)
    {
        AddName(type.Name, type.AssemblyName, type);
        // Earlier names, also those of types within the name.
        for (int generation = 0; generation < _options.MaxNameCount; generation++)
        {
            string name = LegacyName.Of(type.Type, _options, generation);
            string? assembly = LegacyName.AssemblyOf(type.Type, _options, generation);
            if (name != type.Name || assembly != type.AssemblyName)
                AddName(name, assembly, type);
        }
    }

    private void AddName(string name, string? assemblyName, LegacyType type)
    {
        string normal = LegacyName.Normalize(name, assemblyName, _options.MatchFullAssemblyNames)
            ?? throw new ArgumentException($"'{name}' is no name of a type.");
        if (_names.TryGetValue(normal, out LegacyType? other) && other != type)
            throw new ArgumentException($"{type.Type} and {other.Type} have one name in bodies: {normal}.");
        _names[normal] = type;
    }

    private static void SetArrayElements(LegacyType type)
    {
        if (type.HasArrayElements)
            return;
        Type elements = type.Primitive is null ? typeof(LegacyObjectElements<>) : typeof(LegacyPrimitiveElements<>);
        type.SetArrayElements((LegacyElements)Activator.CreateInstance(
            elements.MakeGenericType(type.Type), BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic, null, [type], null)!);
    }
}
