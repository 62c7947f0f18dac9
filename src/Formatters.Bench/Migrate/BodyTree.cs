using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;

namespace Formatters.Bench.Migrate;

/// <summary>Compares what a body holds with what was read of it: members that are only in the first were passed over.</summary>
/// <remarks>The types are gone along with, as far as they are known from declarations, to say whose member it is; nothing but the report depends on it.</remarks>
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

        Type? value = type is null ? null : BodyMembers.ValueOf(type);
        TypeText own = type is null || value is not null ? holder : TypeText.Of(type);
        IReadOnlyDictionary<string, (string Name, Type Type)>? known = type is null || value is not null ? null : BodyMembers.Of(type);
        foreach ((string key, BodyNode before) in members)
        {
            bool isKnown = known is not null && known.ContainsKey(key);
            string name = value is not null ? member : isKnown ? known![key].Name : MemberTexts.Printable(key);
            string here = value is not null ? path + "[]" : path + "." + name;
            if (after.Find(key) is { } found)
                _open.Push((before, found, value ?? (isKnown ? known![key].Type : null), own, name, here));
            else if (!before.IsNull && !(before.IsDefault && (isKnown || before is ProtobufNode)))
                Add(own, name, "the body has the member, the type lacks it", here);
        }
    }

    private void CompareElements(IReadOnlyList<BodyNode> elements, BodyNode after, Type? type, string path, TypeText holder, string member)
    {
        Type? element = type is null ? null : BodyMembers.ElementOf(type);
        if (after.Elements is not { } others)
        {
            // Protobuf packs numbers: one field in place of many.
            if (after is not ProtobufNode && elements.Count > 0)
                Add(holder, member, "the body holds a list of which nothing was read", path);
            return;
        }

        // An array of members, by their numbers, as in MessagePack.
        bool isMember = type is not null && element is null;
        IReadOnlyDictionary<string, (string Name, Type Type)>? known = isMember ? BodyMembers.Of(type!) : null;
        TypeText own = isMember ? TypeText.Of(type!) : holder;
        int first = isMember ? BodyMembers.FirstNumberOf(type!) : 0;
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

/// <summary>What types call their members in bodies, by their attributes, for reports.</summary>
internal static class BodyMembers
{
    private const BindingFlags All = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    internal static IReadOnlyDictionary<string, (string Name, Type Type)> Of(Type type)
    {
        var members = new Dictionary<string, (string, Type)>();
        foreach (MemberInfo member in type.GetMembers(All))
        {
            Type? memberType = member is PropertyInfo property ? property.PropertyType : member is FieldInfo field && MemberTexts.NameOfProperty(field.Name) is null ? field.FieldType : null;
            if (memberType is null)
                continue;
            members.TryAdd(member.Name, (member.Name, memberType));
            foreach (CustomAttributeData attribute in member.GetCustomAttributesData())
            {
                IEnumerable<object?> values = attribute.AttributeType.Name switch
                {
                    "MessageMemberAttribute" or "KeyAttribute" or "ProtoMemberAttribute" or "JsonPropertyNameAttribute" => attribute.ConstructorArguments.Select(static argument => argument.Value),
                    "DataMemberAttribute" => attribute.NamedArguments.Where(static argument => argument.MemberName is "Name" or "Order").Select(static argument => argument.TypedValue.Value),
                    _ => [],
                };
                foreach (object? value in values.Where(static value => value is string or int))
                    members[Convert.ToString(value, CultureInfo.InvariantCulture)!] = (member.Name, memberType);
            }
        }

        return members;
    }

    /// <summary>The number of the first element where an array holds the members of a type: the keys of MessagePack-CSharp begin with 0, our numbers with 1.</summary>
    internal static int FirstNumberOf(Type type) =>
        type.GetMembers(All).Any(static member => member.GetCustomAttributesData().Any(static attribute => attribute.AttributeType.FullName == "MessagePack.KeyAttribute")) ? 0 : 1;

    /// <summary>The elements of a collection; null if it is none.</summary>
    internal static Type? ElementOf(Type type) => type.IsArray ? type.GetElementType()
        : type == typeof(string) || !typeof(IEnumerable).IsAssignableFrom(type) ? null
        : InterfacesOf(type).FirstOrDefault(static i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IEnumerable<>))?.GetGenericArguments()[0] ?? typeof(object);

    /// <summary>The values of a dictionary; null if it is none.</summary>
    internal static Type? ValueOf(Type type) =>
        InterfacesOf(type).FirstOrDefault(static i => i.IsGenericType && (i.GetGenericTypeDefinition() == typeof(IDictionary<,>) || i.GetGenericTypeDefinition() == typeof(IReadOnlyDictionary<,>)))?.GetGenericArguments()[1]
        ?? (typeof(IDictionary).IsAssignableFrom(type) ? typeof(object) : null);

    private static IEnumerable<Type> InterfacesOf(Type type) => type.IsInterface ? type.GetInterfaces().Prepend(type) : type.GetInterfaces();
}
