using System;
using System.Collections.Generic;
using System.Reflection;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>
/// Walks from the payload's type over members, elements, arguments and base types, and creates the names and the contract of each type found.
/// </summary>
internal sealed class LegacyTypeMapBuilder
{
    private readonly Dictionary<Type, LegacyType> _types = [];
    private readonly Dictionary<string, LegacyType> _names = new(StringComparer.Ordinal);
    private readonly Dictionary<Type, LegacyShape> _always = [];
    private readonly Queue<LegacyType> _open = new();
    private readonly Func<Type, LegacyShape?> _find;
    private int _contractCount;

    private LegacyTypeMapBuilder(LegacyBinaryOptions options, Func<Type, LegacyShape?> find)
    {
        Options = options;
        _find = find;
        foreach (LegacyShape shape in LegacyShapes.Always)
            _always.Add(shape.Type, shape);
    }

    internal LegacyBinaryOptions Options { get; }

    /// <param name="root">The type of the payload.</param>
    /// <param name="options">The options.</param>
    /// <param name="find">Finds the shape of a type, by reflection or among the generated ones.</param>
    /// <param name="others">Further types of the set.</param>
    /// <exception cref="ArgumentException">The root has no contract, or two types have one name.</exception>
    internal static LegacyTypeMap Build(Type root, LegacyBinaryOptions options, Func<Type, LegacyShape?> find, IEnumerable<Type> others)
    {
        var builder = new LegacyTypeMapBuilder(options, find);
        LegacyType rootType = builder.Get(root);
        foreach (Type type in others)
            builder.Get(type);
        foreach (Type type in options.Types)
            builder.Get(type);
        foreach (LegacyShape shape in builder._always.Values)
            builder.Get(shape);
        while (builder._open.Count > 0)
            builder.Complete(builder._open.Dequeue());
        if (rootType.WhyNot is string why && !root.IsInterface && !root.IsAbstract)
            throw new ArgumentException($"{root} cannot be read from a legacy binary body: {why}.");
        return new LegacyTypeMap(builder._types, builder._names, rootType, builder._contractCount, options);
    }

    /// <summary>Returns the entry of a type; a new one is completed later, because types refer to each other.</summary>
    internal LegacyType Get(Type type)
    {
        if (_types.TryGetValue(type, out LegacyType? known))
            return known;
        LegacyShape? shape = Options.FindShape(type) ?? (_always.TryGetValue(type, out LegacyShape? always) ? always : _find(type));
        return Add(new LegacyType(type, LegacyName.Of(type, Options), LegacyName.AssemblyOf(type, Options)), shape);
    }

    /// <summary>Returns the entry of a type that is in the set because another type needs it.</summary>
    internal LegacyType Get(LegacyShape shape) => _types.TryGetValue(shape.Type, out LegacyType? known)
        ? known
        : Add(new LegacyType(shape.Type, LegacyName.Of(shape.Type, Options), LegacyName.AssemblyOf(shape.Type, Options)),
            Options.FindShape(shape.Type) ?? shape);

    /// <summary>Returns the entry of a type that represents an internal one of the runtime, under whose name it is written.</summary>
    /// <param name="shape">The type that represents it.</param>
    /// <param name="name">The name of the internal type.</param>
    /// <param name="owner">The public type to which it belongs. .NET writes the assembly in which that is; .NET Framework's is the one written
    /// here.</param>
    internal LegacyType GetStandIn(LegacyShape shape, string name, LegacyType owner)
    {
        if (_types.TryGetValue(shape.Type, out LegacyType? known))
            return known;
        LegacyType type = Add(new LegacyType(shape.Type, name, owner.AssemblyName), shape);
        AddName(name, owner.Type.Assembly.FullName, type);
        return type;
    }

    /// <summary>Creates a member from two delegates.</summary>
    internal LegacyMember CreateField<T>(LegacyType declaring, string name, Func<object, T> getter, Action<object, T> setter) =>
        CreateField(declaring, name, new LegacyAccess<T>(getter, setter));

    /// <summary>Creates a member from a field.</summary>
    internal LegacyMember CreateField<T>(LegacyType declaring, string name, LegacyAccess<T> access)
    {
        LegacyType type = Get(typeof(T));
        string declaringName = TypeNames.Of(declaring.Type);
        return type.Primitive is not null
            ? new LegacyPrimitiveField<T>(declaringName, name, type, access)
            : typeof(T) == typeof(string)
                ? new LegacyStringField(declaringName, name, type, (LegacyAccess<string?>)(object)access)
            : new LegacyObjectField<T>(declaringName, name, type, access);
    }

    /// <summary>Adds another class of bodies whose records a contract reads, and whose objects it writes.</summary>
    internal void AddContract(LegacyType type, LegacyClassContract contract)
    {
        contract.Ordinal = _contractCount++;
        type.Contract = contract;
        _types[type.Type] = type;
    }

    /// <summary>Determines whether there is an entry for a type.</summary>
    internal bool Has(Type type) => _types.ContainsKey(type);

    /// <summary>Makes objects of a type be written as those of another.</summary>
    internal void AddAlias(Type type, LegacyType writtenAs) => _types[type] = writtenAs;

    /// <summary>Adds a name under which a type is read.</summary>
    internal void AddName(string name, string? assemblyName, LegacyType type)
    {
        string normal = LegacyName.Normalize(name, assemblyName, Options.MatchFullAssemblyNames)
            ?? throw new ArgumentException($"'{name}' is not a type name.");
        if (_names.TryGetValue(normal, out LegacyType? other) && other != type)
            throw new ArgumentException($"{type.Type} and {other.Type} have the same name in bodies: {normal}.");
        _names[normal] = type;
    }

    private LegacyType Add(LegacyType type, LegacyShape? shape)
    {
        _types.Add(type.Type, type);
        type.Shape = shape;
        if (shape is not null)
            type.SetArrayElements(shape.CreateElements(type));
        _open.Enqueue(type);
        return type;
    }

    private void Complete(LegacyType type)
    {
        if (type.Shape is not LegacyShape shape)
            return;
        AddNames(type);
        if (type.ValueType != type.Type)
        {
            Get(type.ValueType);
            return;
        }

        if (type.Type.IsArray)
        {
            LegacyType element = Get(type.Type.GetElementType()!);
            type.Elements = element.HasArrayElements ? element.ArrayElements : null;
            return;
        }

        type.WhyNot = shape.WhyNot;
        type.Contract = shape.CreateContract(type, this);
        if (type.Contract is not null)
            type.Contract.Ordinal = _contractCount++;
    }

    private void AddNames(LegacyType type)
    {
        AddName(type.Name, type.AssemblyName, type);
        if (type.Name != LegacyName.Of(type.Type, Options))
            return; // it represents another type
        // Earlier names, including those of types within the name.
        for (int generation = 0; generation < Options.MaxNameCount; generation++)
        {
            string name = LegacyName.Of(type.Type, Options, generation);
            string? assembly = LegacyName.AssemblyOf(type.Type, Options, generation);
            if (name != type.Name || assembly != type.AssemblyName)
                AddName(name, assembly, type);
        }
    }
}
