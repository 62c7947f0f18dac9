using System;
using System.Collections.Generic;
using System.Reflection;

namespace Formatters;

internal sealed partial class ContractBuilder
{
    /// <returns>Null if the type is no union.</returns>
    private UnionContract? GetUnion(Type type, (Type, string) key, string path)
    {
        if (!type.IsDefined(typeof(MessageUnionAttribute), inherit: false))
            return null;
        if (!type.IsInterface && !type.IsAbstract)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has [MessageUnion], but is not an abstract class or interface.");
        var union = new UnionContract(type, _options.Format == ContractFormats.Versioned);
        _contracts[key] = union;
        var tags = new HashSet<int>();
        var types = new HashSet<Type>();
        foreach (MessageUnionAttribute item in type.GetCustomAttributes<MessageUnionAttribute>(inherit: false))
        {
            if (!type.IsAssignableFrom(item.Type) || item.Type.IsAbstract || item.Type.IsGenericTypeDefinition)
                throw new ArgumentException($"{path}: {TypeNames.Of(type)} lists {TypeNames.Of(item.Type)}, which is not derived from {TypeNames.Of(type)}, or cannot be created.");
            if (!types.Add(item.Type) || !tags.Add(item.Tag) || item.Tag < -1)
                throw new ArgumentException($"{path}: {TypeNames.Of(type)} lists a tag or a type twice, or has a negative tag.");
            if (item.Tag >= 0)
                union.Add(item.Tag, GetNonNull(AnnotatedType.Unannotated(item.Type, _options.UnannotatedAllowsNull), item.Type.Name, null));
            else if (typeof(IUnknownCase).IsAssignableFrom(item.Type) && !item.Type.IsValueType)
                union.SetUnknown(item.Type, FindParameterless(item.Type, path));
            else
                throw new ArgumentException($"{path}: {item.Type} is to keep unknown tags, but is not a class that implements IUnknownCase.");
        }

        return union;
    }
}
