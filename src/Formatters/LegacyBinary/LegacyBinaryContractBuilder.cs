using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters.LegacyBinary;

/// <summary>Declares the types of a <see cref="LegacyBinaryContract"/>. For generated code; it may change with every version.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class LegacyBinaryContractBuilder
{
    internal LegacyBinaryContractBuilder()
    {
    }

    internal Dictionary<Type, LegacyShape> Shapes { get; } = [];

    /// <summary>Adds the types of another contract.</summary>
    /// <param name="contract">The contract.</param>
    public void Include(LegacyBinaryContract contract)
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        foreach (KeyValuePair<Type, LegacyShape> shape in contract.Shapes)
            Shapes[shape.Key] = shape.Value;
    }

    /// <summary>Adds a class or struct with its fields.</summary>
    /// <typeparam name="T">The type.</typeparam>
    /// <param name="declare">Declares the fields.</param>
    public void AddClass<[DynamicallyAccessedMembers(LegacyObjects.Constructors)] T>(Action<LegacyBinaryFields> declare) =>
        Add(new LegacyClassShape<T>((type, types) =>
        {
            var contract = new LegacyRecordContract(type, LegacyObjects.Allocator<T>());
            var fields = new LegacyBinaryFields(new LegacyFieldList(contract, types), type, types);
            declare(fields);
            fields.Finish();
            return contract;
        }));

    /// <summary>Adds a type that is only declared: an interface, an abstract class, a multidimensional array.</summary>
    /// <typeparam name="T">The type.</typeparam>
    public void AddDeclared<T>() => Add(new LegacyShape<T>());

    /// <summary>
    /// Adds a class that writes its own members, which <see cref="LegacyBinaryOptions.WithSerializable{T}(Func{LegacyBinaryMembers, T}, Action{T,
    /// LegacyBinaryMembers})"/> must define.
    /// </summary>
    /// <typeparam name="T">The type.</typeparam>
    public void AddSerializable<T>() => Add(LegacyShapes.Declared<T>(LegacyShapes.WritesItself));

    /// <summary>Adds an enum.</summary>
    /// <typeparam name="TEnum">The enum.</typeparam>
    /// <typeparam name="TNumber">Its underlying type.</typeparam>
    public void AddEnum<TEnum, TNumber>()
        where TEnum : struct
        where TNumber : struct => Add(new LegacyEnumShape<TEnum, TNumber>());

    /// <summary>Adds the nullable values of a struct.</summary>
    /// <typeparam name="T">The struct.</typeparam>
    public void AddNullable<T>()
        where T : struct => Add(LegacyShapes.Nullable<T>());

    /// <summary>Adds the vectors of a type.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddArray<T>() => Add(new LegacyArrayShape<T>());

    /// <summary>
    /// Adds a class or struct with fields that the compiler does not see because it is in another assembly: they are found at run time, and preserved
    /// by trimming.
    /// </summary>
    /// <typeparam name="T">The type; without a base class that has fields.</typeparam>
    public void AddReflected<[DynamicallyAccessedMembers(LegacyShapes.Fields)] T>() => Add(LegacyShapes.Runtime<T>());

    /// <summary>Adds a <see cref="List{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddList<T>() => Add(LegacyShapes.List<T>());

    /// <summary>Adds a <see cref="Queue{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddQueue<T>() => Add(LegacyShapes.Queue<T>());

    /// <summary>Adds a <see cref="Stack{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddStack<T>() => Add(LegacyShapes.Stack<T>());

    /// <summary>Adds a <see cref="System.Collections.ObjectModel.Collection{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddCollection<T>() => Add(LegacyShapes.Collection<T>());

    /// <summary>Adds a <see cref="System.Collections.ObjectModel.ReadOnlyCollection{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddReadOnlyCollection<T>() => Add(LegacyShapes.ReadOnlyCollection<T>());

    /// <summary>Adds a <see cref="LinkedList{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddLinkedList<T>() => Add(LegacyShapes.LinkedList<T>());

    /// <summary>Adds a <see cref="HashSet{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddHashSet<T>() => Add(LegacyShapes.HashSet<T>());

    /// <summary>Adds a <see cref="SortedSet{T}"/>.</summary>
    /// <typeparam name="T">The element type.</typeparam>
    public void AddSortedSet<T>() => Add(LegacyShapes.SortedSet<T>());

    /// <summary>Adds a <see cref="Dictionary{TKey, TValue}"/>.</summary>
    /// <typeparam name="TKey">The key type.</typeparam>
    /// <typeparam name="TValue">The value type.</typeparam>
    public void AddDictionary<TKey, TValue>()
        where TKey : notnull => Add(LegacyShapes.Dictionary<TKey, TValue>());

    /// <summary>Adds a <see cref="SortedDictionary{TKey, TValue}"/>.</summary>
    /// <inheritdoc cref="AddDictionary{TKey, TValue}" path="/typeparam"/>
    public void AddSortedDictionary<TKey, TValue>()
        where TKey : notnull => Add(LegacyShapes.SortedDictionary<TKey, TValue>());

    /// <summary>Adds a <see cref="SortedList{TKey, TValue}"/>.</summary>
    /// <inheritdoc cref="AddDictionary{TKey, TValue}" path="/typeparam"/>
    public void AddSortedList<TKey, TValue>()
        where TKey : notnull => Add(LegacyShapes.SortedList<TKey, TValue>());

    private void Add(LegacyShape shape) => Shapes[shape.Type] = shape;
}

/// <summary>Declares the fields of a type of a <see cref="LegacyBinaryContract"/>. For generated code; it may change with every version.</summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class LegacyBinaryFields
{
    private readonly LegacyFieldList _fields;
    private readonly LegacyType _type;
    private readonly LegacyTypeMapBuilder _types;

    internal LegacyBinaryFields(LegacyFieldList fields, LegacyType type, LegacyTypeMapBuilder types)
    {
        _fields = fields;
        _type = type;
        _types = types;
    }

    /// <summary>Adds a field, in the order of reflection.</summary>
    /// <typeparam name="T">Its type.</typeparam>
    /// <param name="declaringType">The type that declares it.</param>
    /// <param name="name">Its name there.</param>
    /// <param name="prefix">The prefix of the name in bodies: for a private field of a base class the class and a plus sign, otherwise empty.</param>
    /// <param name="memberName">Its name in bodies; null: its own.</param>
    /// <param name="isOptional">Whether it has <c>[OptionalField]</c>.</param>
    /// <param name="getter">Gets it from an object or a boxed struct; null: by reflection.</param>
    /// <param name="setter">Sets it; null: by reflection.</param>
    public void Add<T>(
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields)] Type declaringType,
        string name,
        string prefix,
        string? memberName,
        bool isOptional,
        Func<object, T>? getter,
        Action<object, T>? setter)
    {
        LegacyAccess<T> access = getter is not null && setter is not null
            ? new LegacyAccess<T>(getter, setter)
            : new LegacyAccess<T>(
                declaringType.GetField(name, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
                    ?? throw new InvalidOperationException($"{declaringType} has no field {name}."),
                getter,
                setter);
        _fields.Add(declaringType, name, prefix, memberName, isOptional, written => _types.CreateField(_type, written, access));
    }

    internal void Finish() => _fields.Finish();
}
