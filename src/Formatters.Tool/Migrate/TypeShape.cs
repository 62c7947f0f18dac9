using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Linq.Expressions;
using System.Reflection;
using System.Text;

namespace Formatters.Tools.Migrate;

/// <summary>The kinds of content of an object other than its fields.</summary>
internal enum ContentForm
{
    None,
    Array,
    Sequence,
    Set,
    Dictionary,
}

/// <summary>Compares objects of a type: their fields, and their elements.</summary>
/// <remarks>The insides of the base library's own types do not count: their elements do, or their equality. Those of a class derived from one
/// do.</remarks>
internal sealed class TypeShape
{
    private static readonly ConcurrentDictionary<Type, TypeShape> Shapes = new();
    private static readonly string[] ComparerNames = ["Comparer", "KeyComparer", "EqualityComparer"];

    private TypeShape(Type type)
    {
        Content = ContentOf(type);
        IsLeaf = Content == ContentForm.None && IsLeafType(type);
        if (IsLeaf)
            return;
        var fields = new List<TypeField>();
        for (Type? level = type; level is not null && !IsInside(level); level = level.BaseType)
        {
            const BindingFlags Declared = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
            fields.AddRange(level.GetFields(Declared).Where(static field => IsState(field.FieldType)).Select(static field => new TypeField(field)));
        }

        Fields = fields;
        const BindingFlags Any = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;
        if (Content is ContentForm.Set or ContentForm.Dictionary)
            Comparer = ComparerNames.Select(name => type.GetProperty(name, Any)).FirstOrDefault(property => property is not null);
    }

    internal ContentForm Content { get; }

    internal bool IsOrdered => Content is ContentForm.Array or ContentForm.Sequence;

    /// <summary>Gets whether it is one value, without members.</summary>
    internal bool IsLeaf { get; }

    internal IReadOnlyList<TypeField> Fields { get; } = [];

    /// <summary>The property that has the comparer of a dictionary or set.</summary>
    internal PropertyInfo? Comparer { get; }

    internal static TypeShape Of(Type type) => Shapes.GetOrAdd(type, static type => new TypeShape(type));

    private static ContentForm ContentOf(Type type)
    {
        if (type.IsArray)
            return ContentForm.Array;
        if (type == typeof(Memory<byte>) || type == typeof(ReadOnlyMemory<byte>))
            return ContentForm.Sequence;
        // What a class of the user enumerates is in its fields, or in the collection that it derives from.
        Type? collection = type;
        while (collection is not null && !IsFramework(collection))
            collection = collection.BaseType;
        if (collection is null || type == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(collection) || IsDocument(collection))
            return ContentForm.None;
        if (typeof(IDictionary).IsAssignableFrom(collection))
            return ContentForm.Dictionary;
        return collection.GetInterfaces().Any(static i => i.IsGenericType && (i.GetGenericTypeDefinition() == typeof(ISet<>) || i.GetGenericTypeDefinition() == typeof(IReadOnlySet<>)))
            ? ContentForm.Set : ContentForm.Sequence;
    }

    private static bool IsLeafType(Type type)
    {
        if (type.IsPrimitive || type.IsEnum || typeof(MemberInfo).IsAssignableFrom(type) || typeof(Uri).IsAssignableFrom(type))
            return true;
        // By their parts: a tuple may hold an object of the user, and to a vector 0 and -0 are equal.
        if (!IsFramework(type) || typeof(System.Runtime.CompilerServices.ITuple).IsAssignableFrom(type) || type.Namespace == "System.Numerics" && type != typeof(System.Numerics.BigInteger))
            return false;
        Type? equality = type.GetMethod(nameof(Equals), [typeof(object)])?.DeclaringType;
        return type == typeof(StringBuilder) || IsDocument(type) || equality != typeof(object) && equality != typeof(ValueType);
    }

    /// <summary>Determines whether values of a type are compared by their text.</summary>
    private static bool IsDocument(Type type) =>
        type.FullName is "System.Text.Json.JsonElement" or "System.Text.RegularExpressions.Regex"
        || typeof(System.Text.Json.Nodes.JsonNode).IsAssignableFrom(type) || typeof(System.Xml.XmlNode).IsAssignableFrom(type) || typeof(System.Xml.Linq.XObject).IsAssignableFrom(type);

    /// <summary>Determines whether the fields of a type, and of its base types, are the base library's business.</summary>
    private static bool IsInside(Type type) => type == typeof(object) || type == typeof(ValueType) || IsFramework(type) && typeof(IEnumerable).IsAssignableFrom(type) || type.IsArray;

    /// <summary>Of the base library, or what the compiler makes for <c>[a, b]</c> as an <c>IReadOnlyList</c>.</summary>
    private static bool IsFramework(Type type) =>
        type.Name.StartsWith("<>z__ReadOnly", StringComparison.Ordinal) || type.Assembly == typeof(object).Assembly || type.Assembly.GetName().Name is string name && (name.StartsWith("System.", StringComparison.Ordinal) || name is "System" or "mscorlib");

    private static bool IsState(Type type) => !type.IsPointer && !type.IsByRefLike && type != typeof(IntPtr) && type != typeof(UIntPtr) && !typeof(Delegate).IsAssignableFrom(type);
}

/// <summary>A field, with its value.</summary>
internal sealed class TypeField(FieldInfo field)
{
    private readonly Lazy<Func<object, object?>> _get = new(() =>
    {
        ParameterExpression target = Expression.Parameter(typeof(object));
        return Expression.Lambda<Func<object, object?>>(Expression.Convert(Expression.Field(Expression.Convert(target, field.DeclaringType!), field), typeof(object)), target).Compile();
    });

    internal TypeText DeclaringType { get; } = TypeText.Of(field.DeclaringType!);

    internal string Name { get; } = MemberTexts.NameOf(field);

    internal object? Get(object target) => _get.Value(target);
}
