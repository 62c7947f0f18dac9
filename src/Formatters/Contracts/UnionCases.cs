using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Formatters;

/// <summary>The cases that the attributes of a type declare: <c>[MessageUnion(1, typeof(Circle))]</c>, or <c>[Union(0, typeof(Circle))]</c> of MessagePack-CSharp.</summary>
internal static class UnionCases
{
    internal static List<(int Tag, Type Type)> Find(Type type, string path)
    {
        var cases = new List<(int Tag, Type Type)>();
        if (!type.IsInterface && !type.IsAbstract)
            return cases;
        foreach (CustomAttributeData attribute in type.GetCustomAttributesData())
        {
            if (attribute.AttributeType.FullName is not ("MessagePack.UnionAttribute" or "Formatters.MessageUnionAttribute")
                || attribute.ConstructorArguments.Count < 2
                || attribute.ConstructorArguments[0].Value is not int tag
                || attribute.ConstructorArguments[1].Value is not Type caseType)
                continue;
            if (!type.IsAssignableFrom(caseType))
                throw new ArgumentException($"{path}: {caseType} is no {type}, and so not a case of the union.");
            if (cases.Exists(other => other.Tag == tag || other.Type == caseType))
                throw new ArgumentException($"{path}: two cases of the union {type} have the tag {tag} or the type {caseType}.");
            cases.Add((tag, caseType));
        }

        return cases;
    }

    /// <summary>The type that keeps what has an unknown tag; null if there is none.</summary>
    internal static Type? FindUnknown(Type type, string path)
    {
        Type? unknown = type.GetCustomAttributes<MessageUnionAttribute>(inherit: false).FirstOrDefault(a => a.Tag < 0)?.Type;
        return unknown is null || typeof(IUnknownCase).IsAssignableFrom(unknown) && type.IsAssignableFrom(unknown) && !unknown.IsValueType ? unknown
            : throw new ArgumentException($"{path}: {unknown} is to keep unknown tags, but is not a class that implements IUnknownCase.");
    }
}
