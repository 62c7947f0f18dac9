using System;
using System.Collections.Generic;
using Formatters.Binary;

namespace Formatters;

/// <summary>
/// The contract of an abstract class or an interface with <see cref="MessageUnionAttribute"/>: a tag, a byte count, and the object as its own type.
/// </summary>
/// <param name="type">The type.</param>
/// <param name="isVersioned">Whether it is written in the versioned wire format: with the byte count before the tag.</param>
internal sealed class UnionContract(Type type, bool isVersioned) : ValueContract(type)
{
    private readonly List<(int Tag, ValueContract Contract)> _cases = [];

    internal IReadOnlyList<(int Tag, ValueContract Contract)> Cases => _cases;

    /// <summary>Gets the maker of objects that store a case with an unknown tag; null if there is none.</summary>
    internal ObjectMaker? UnknownMaker { get; private set; }

    internal Type? UnknownType { get; private set; }

    internal override int MinByteCount => ContractMethods.MinUnionByteCount;

    /// <summary>Adds a type: after the constructor, because it may contain the union itself.</summary>
    internal void Add(int tag, ValueContract contract) => _cases.Add((tag, contract));

    internal void SetUnknown(Type unknownType, ObjectMaker maker) => (UnknownType, UnknownMaker) = (unknownType, maker);

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        Type? type = value?.GetType();
        foreach ((int tag, ValueContract contract) in _cases)
        {
            if (contract.Type != type)
                continue;
            long start = isVersioned ? ContractMethods.BeginWriteVersionedCase(ref writer, tag) : ContractMethods.BeginWriteCase(ref writer, tag);
            contract.Write(ref writer, value);
            ContractMethods.EndWriteCase(ref writer, start);
            return;
        }

        if (type is null || type != UnknownType)
            ContractMethods.ThrowUnlisted(value);
        if (isVersioned)
            ContractMethods.WriteUnknownVersionedCase(ref writer, (IUnknownCase)value!);
        else
            ContractMethods.WriteUnknownCase(ref writer, (IUnknownCase)value!);
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int tag = isVersioned ? ContractMethods.BeginReadVersionedCase(ref reader, out int end) : ContractMethods.BeginReadCase(ref reader, out end);
        foreach ((int caseTag, ValueContract contract) in _cases)
        {
            if (caseTag != tag)
                continue;
            object? value = contract.Read(ref reader, existing?.GetType() == contract.Type ? existing : null);
            ContractMethods.EndReadCase(ref reader, end);
            return value;
        }

        if (UnknownMaker is null && isVersioned)
            ContractMethods.ThrowUnknownVersionedTag(ref reader, tag);
        if (UnknownMaker is null)
            ContractMethods.ThrowUnknownTag(ref reader, tag);
        return ContractMethods.FillUnknownCase(ref reader, (IUnknownCase)UnknownMaker.Make(null), tag, end,
            isVersioned ? BodyTypes.Versioned : BodyTypes.Binary);
    }
}
