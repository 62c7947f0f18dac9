using System;

namespace Formatters;

internal partial class ContractBuilder
{
    /// <returns>Null if the type is not a union.</returns>
    private protected virtual UnionContract? GetUnion(Type type, (Type, string) key, string path)
    {
        if (!type.IsDefined(typeof(MessageUnionAttribute), inherit: false))
            return null;
        if (!type.IsInterface && !type.IsAbstract)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} has [MessageUnion], but is not an abstract class or interface.");
        var union = new UnionContract(type, _options.IsVersioned);
        _contracts[key] = union;
        var listed = ReflectedUnion.Find(type, path, isPacked: false);
        foreach ((int tag, Type caseType) in listed.Cases)
            union.Add(tag, GetNonNull(AnnotatedType.Unannotated(caseType, _options.UnannotatedAllowsNull), caseType.Name, null));
        if (listed.Unknown is not null)
            union.SetUnknown(listed.Unknown, FindParameterless(listed.Unknown, path));
        return union;
    }
}
