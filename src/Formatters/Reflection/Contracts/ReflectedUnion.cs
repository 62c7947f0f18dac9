using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>The types listed by the attributes of a union.</summary>
/// <param name="Cases">The cases with their tags, as they are listed.</param>
/// <param name="Unknown">The type that stores cases with unknown tags; null if there is none.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
internal sealed record ReflectedUnion(IReadOnlyList<(int Tag, Type Type)> Cases, Type? Unknown)
{
    /// <param name="type">The union.</param>
    /// <param name="path">The path for an error.</param>
    /// <param name="isPacked">Whether the attribute of MessagePack-CSharp counts, too.</param>
    /// <exception cref="ArgumentException">A type or a tag is listed that cannot be.</exception>
    internal static ReflectedUnion Find(Type type, string path, bool isPacked)
    {
        var cases = new List<(int, Type)>();
        Type? unknown = null;
        var rules = new UnionCases<Type>(EqualityComparer<Type>.Default);
        foreach (AttributeView attribute in new ReflectedType(type).Attributes)
        {
            if (attribute.Name != AttributeNames.Union && (!isPacked || attribute.Name != AttributeNames.MessagePackUnion))
                continue;
            int? tag = attribute.Argument(0) as int?;
            // MessagePack-CSharp also accepts the name of a type.
            if ((attribute.Argument(1) ?? attribute.Argument(0)) is not Type listed)
                continue;
            switch (rules.Add(attribute.Name, tag, listed, type.IsAssignableFrom(listed) && !listed.IsAbstract && !listed.IsGenericTypeDefinition,
                typeof(IUnknownCase).IsAssignableFrom(listed) && !listed.IsValueType))
            {
                case CaseVerdict.Case:
                    cases.Add((tag!.Value, listed));
                    break;
                case CaseVerdict.Listed:
                    break;
                case CaseVerdict.Unknown:
                    unknown = listed;
                    break;
                case CaseVerdict.NotInUnion:
                    throw new ArgumentException(
                        $"{path}: {TypeNames.Of(type)} lists {TypeNames.Of(listed)}, which is not derived from {TypeNames.Of(type)}, or cannot be "
                        + "created.");
                case CaseVerdict.CannotKeep:
                    throw new ArgumentException($"{path}: {listed} is to keep unknown tags, but is not a class that implements IUnknownCase.");
                default:
                    throw new ArgumentException($"{path}: {TypeNames.Of(type)} lists a tag or a type twice, or has a negative tag.");
            }
        }

        return new ReflectedUnion(cases, unknown);
    }
}
