using System;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Formatters.Tools.Migrate;

/// <summary>Compares what a body holds with what was read of it: members that are only in the first were passed over.</summary>
/// <remarks>The types are gone along with, as far as they are known from declarations, to say whose member it is; nothing but the report depends on
/// it.</remarks>
internal sealed class BodyTree(ChangeList changes, Type root)
{
    private readonly Stack<(BodyNode Before, BodyNode After, Type? Type, TypeText Holder, string Member, string Path)> _open = new();

    internal void Compare(BodyNode before, BodyNode after)
    {
        TypeText name = TypeText.Of(root);
        _open.Push((before, after, root, name, "", name.Name));
        while (_open.TryPop(out (BodyNode Before, BodyNode After, Type? Type, TypeText Holder, string Member, string Path) pair))
        {
            if (pair.Before.EqualsBytes(pair.After) || pair.Before.IsNull)
                continue;
            if (pair.After.IsNull)
                Add(pair.Holder, pair.Member, "the body has the member, the type lacks it", pair.Path);
            else if (pair.Before.Members is { } members && (pair.After.Members is not null || !pair.Before.IsDefault))
                CompareMembers(members, pair.After, pair.Type, pair.Path, pair.Holder, pair.Member);
            else if (pair.Before.Elements is { } elements)
                CompareElements(elements, pair.After, pair.Type, pair.Path, pair.Holder, pair.Member);
        }
    }

    private void CompareMembers(IEnumerable<KeyValuePair<string, BodyNode>> members, BodyNode after, Type? type, string path, TypeText holder, string member)
    {
        if (after.Members is null)
        {
            Add(holder, member, "the body holds an object of which nothing was read", path);
            return;
        }

        Type? value = type is null ? null : BodyMembers.Of(type).Value;
        TypeText own = type is null || value is not null ? holder : TypeText.Of(type);
        IReadOnlyDictionary<string, (string Name, Type Type)>? known = type is null || value is not null ? null : BodyMembers.Of(type).Members;
        var others = new Dictionary<string, BodyNode>();
        foreach ((string key, BodyNode other) in after.Members)
            others[key] = other;
        foreach ((string key, BodyNode before) in members)
        {
            bool isKnown = known is not null && known.ContainsKey(key);
            string name = value is not null ? member : isKnown ? known![key].Name : MemberTexts.Printable(key);
            string here = value is not null ? path + "[]" : path + "." + name;
            if (others.TryGetValue(key, out BodyNode? found))
                _open.Push((before, found, value ?? (isKnown ? known![key].Type : null), own, name, here));
            else if (!before.IsNull && !(before.IsDefault && (isKnown || before is ProtobufNode)))
                Add(own, name, "the body has the member, the type lacks it", here);
        }
    }

    private void CompareElements(IReadOnlyList<BodyNode> elements, BodyNode after, Type? type, string path, TypeText holder, string member)
    {
        Type? element = type is null ? null : BodyMembers.Of(type).Element;
        if (after.Elements is not { } others)
        {
            // Protobuf packs numbers: one field in place of many.
            if (after is not ProtobufNode && elements.Count > 0)
                Add(holder, member, "the body holds a list of which nothing was read", path);
            return;
        }

        // An array of members, by their numbers, as in MessagePack.
        bool isMember = type is not null && element is null;
        IReadOnlyDictionary<string, (string Name, Type Type)>? known = isMember ? BodyMembers.Of(type!).Members : null;
        TypeText own = isMember ? TypeText.Of(type!) : holder;
        int first = isMember ? BodyMembers.Of(type!).FirstNumber : 0;
        for (int i = 0; i < elements.Count; i++)
        {
            string number = (i + first).ToString(CultureInfo.InvariantCulture);
            (string Name, Type Type) found = (number, typeof(object));
            bool isKnown = known is not null && known.ContainsKey(number);
            if (isKnown)
                found = known![number];
            string name = isMember ? found.Name : member;
            string here = isMember ? $"{path}.{name}" : $"{path}[{number}]";
            if (i < others.Count)
                _open.Push((elements[i], others[i], element ?? (isKnown ? found.Type : null), own, name, here));
            else if (!elements[i].IsNull)
                Add(own, name, isMember ? "the body has the member, the type lacks it" : "the body has more elements than were read", here);
        }
    }

    private void Add(TypeText type, string member, string detail, string path) => changes.Add(new ChangePlace(type, member, ChangeKind.Dropped), detail, () => path);
}

/// <summary>The names of a type's members in bodies, from their attributes, for reports.</summary>
internal sealed class BodyMembers
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    private static readonly ConcurrentDictionary<Type, BodyMembers> Types = new();

    private readonly Dictionary<string, (string Name, Type Type)> _members = [];

    private BodyMembers(Type type)
    {
        Type[] interfaces = type.IsInterface ? [type, .. type.GetInterfaces()] : type.GetInterfaces();
        Value = ArgumentsOf(interfaces, typeof(IDictionary<,>))?[1] ?? ArgumentsOf(interfaces, typeof(IReadOnlyDictionary<,>))?[1] ?? (typeof(IDictionary).IsAssignableFrom(type) ? typeof(object) : null);
        Element = type.IsArray ? type.GetElementType()
            : type == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(type) ? null
            : ArgumentsOf(interfaces, typeof(IEnumerable<>))?[0] ?? typeof(object);
        FirstNumber = 1;
        foreach (MemberInfo member in type.GetMembers(All))
        {
            Type? memberType = member is PropertyInfo property ? property.PropertyType : member is FieldInfo field && MemberTexts.NameOfProperty(field.Name) is null ? field.FieldType : null;
            if (memberType is not null)
                Add(member, memberType);
        }
    }

    /// <summary>The members, by what bodies call them.</summary>
    internal IReadOnlyDictionary<string, (string Name, Type Type)> Members => _members;

    /// <summary>The elements of a collection; null if it is none.</summary>
    internal Type? Element { get; }

    /// <summary>The values of a dictionary; null if it is none.</summary>
    internal Type? Value { get; }

    /// <summary>The number of the first element where an array holds the members: the keys of MessagePack-CSharp begin with 0, our numbers with 1.</summary>
    internal int FirstNumber { get; private set; }

    internal static BodyMembers Of(Type type) => Types.GetOrAdd(type, static type => new BodyMembers(type));

    private void Add(MemberInfo member, Type type)
    {
        _members.TryAdd(member.Name, (member.Name, type));
        foreach (CustomAttributeData attribute in member.GetCustomAttributesData())
        {
            IEnumerable<object?> values = attribute.AttributeType.Name switch
            {
                "MessageMemberAttribute" or "KeyAttribute" or "ProtoMemberAttribute" or "JsonPropertyNameAttribute" => attribute.ConstructorArguments.Select(static argument => argument.Value),
                "DataMemberAttribute" => attribute.NamedArguments.Where(static argument => argument.MemberName is "Name" or "Order").Select(static argument => argument.TypedValue.Value),
                _ => [],
            };
            foreach (object? value in values.Where(static value => value is string or int))
                _members[Convert.ToString(value, CultureInfo.InvariantCulture)!] = (member.Name, type);
            if (attribute.AttributeType.FullName == "MessagePack.KeyAttribute")
                FirstNumber = 0;
        }
    }

    private static Type[]? ArgumentsOf(Type[] interfaces, Type definition) =>
        Array.Find(interfaces, i => i.IsGenericType && i.GetGenericTypeDefinition() == definition)?.GetGenericArguments();
}
