using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>A union: an array of the tag of the case, and the value.</summary>
internal sealed class UnionCodec<T> : MessagePackCodec<T>
    where T : class
{
    private readonly Dictionary<Type, UnionCase<T>> _byType = [];
    private readonly Dictionary<int, UnionCase<T>> _byTag = [];
    private Type? _unknownType;
    private ObjectMaker? _unknownMaker;

    /// <summary>Has cases of unknown tag kept.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    internal void SetUnknown(ObjectMaker maker, Type type) => (_unknownMaker, _unknownType) = (maker, type);

    internal void Add(Type type, UnionCase<T> unionCase)
    {
        _byType.Add(type, unionCase);
        _byTag.Add(unionCase.Tag, unionCase);
    }

    public override void Write(ref MessagePackBodyWriter writer, T value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (value.GetType() == _unknownType)
        {
            MessagePackUnknown.WriteCase(ref writer, (IUnknownCase)value);
            return;
        }

        if (!_byType.TryGetValue(value.GetType(), out UnionCase<T>? unionCase))
        {
            MessagePackUnknown.ThrowUnlistedCase(value, typeof(T));
            return;
        }

        writer.Enter();
        writer.WriteArrayHeader(2);
        writer.Write(unionCase.Tag);
        unionCase.Write(ref writer, value);
        writer.Leave();
    }

    public override T Read(ref MessagePackBodyReader reader, T? existing = null)
    {
        int byteOffset = reader.ByteOffset;
        if (reader.ReadArrayHeader() != 2)
            ThrowHelper.ThrowBadValue(byteOffset, typeof(T).Name);
        reader.Enter();
        byteOffset = reader.ByteOffset;
        int tag = reader.ReadInt32();
        T value = default!;
        if (_byTag.TryGetValue(tag, out UnionCase<T>? unionCase))
            value = unionCase.Read(ref reader, existing);
        else if (_unknownMaker is not null)
            value = (T)MessagePackUnknown.ReadCase(ref reader, (IUnknownCase)_unknownMaker.Make(null), tag, byteOffset);
        else
            MessagePackUnknown.ThrowUnknownCase(tag, byteOffset, typeof(T));
        reader.Leave();
        return value;
    }
}

/// <summary>A case of a union.</summary>
internal abstract class UnionCase<T>(int tag)
    where T : class
{
    internal int Tag { get; } = tag;

    internal abstract void Write(ref MessagePackBodyWriter writer, T value);

    internal abstract T Read(ref MessagePackBodyReader reader, T? existing);
}

/// <summary>A case of a union, of a type.</summary>
internal sealed class UnionCase<T, TCase>(int tag, MessagePackCodec<TCase> codec) : UnionCase<T>(tag)
    where T : class
    where TCase : T
{
    internal override void Write(ref MessagePackBodyWriter writer, T value) => codec.Write(ref writer, (TCase)value);

    internal override T Read(ref MessagePackBodyReader reader, T? existing) => codec.Read(ref reader, existing is TCase same ? same : default);
}

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
                throw new ArgumentException($"{path}: {caseType} is no {type}, and so no case of the union.");
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
            : throw new ArgumentException($"{path}: {unknown} is to keep unknown tags, but is no class that implements IUnknownCase.");
    }
}
