using System;
using System.Collections.Generic;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>A contract with members that vary by body, and that the contract itself determines on writing.</summary>
internal interface ILegacyOpenContract
{
    /// <summary>Gets whether objects are created empty and filled after all objects exist, so that they may refer to each other.</summary>
    bool IsFilled { get; }

    /// <summary>Creates the object from the values; if it is filled later, without them.</summary>
    object Make(object?[] values, LegacyMember[] members, int byteOffset);

    /// <summary>Sets the values of an object.</summary>
    void Fill(object value, object?[] values, LegacyMember[] members, int byteOffset);
}

/// <summary>The contract of a type that writes its own members, which delegates of the application determine.</summary>
/// <param name="type">The type.</param>
/// <param name="read">Makes an object; of a type that is filled, without looking at the values.</param>
/// <param name="fill">Sets the values of an object; null for a type whose objects are created from them.</param>
/// <param name="write">Adds the values of an object.</param>
internal sealed class LegacyOpenContract<T>(
    LegacyType type, Func<LegacyBinaryMembers, T> read, Action<T, LegacyBinaryMembers>? fill, Action<T, LegacyBinaryMembers> write)
    : LegacyBagContract(type), ILegacyOpenContract
{
    private const int MaxMemberCount = 256;

    /// <summary>The members of the last object that was written, usually the same as those of the next one.</summary>
    private LegacyMember[] _lastMembers = [];

    internal override bool IsOpen => true;

    internal override bool IsMadeLate => true;

    internal override object Begin(LegacyMember[] members) => new object?[members.Length];

    internal override object Make(object?[] bag, int byteOffset) => throw new NotSupportedException();

    bool ILegacyOpenContract.IsFilled => fill is not null;

    object ILegacyOpenContract.Make(object?[] values, LegacyMember[] members, int byteOffset)
    {
        object? made = read(fill is null ? NamesOf(values, members, byteOffset) : new LegacyBinaryMembers(TypeNames.Of(Type.Type), byteOffset));
        if (made is null)
            ThrowHelper.ThrowBadValue(byteOffset, TypeNames.Of(Type.Type));
        return made;
    }

    void ILegacyOpenContract.Fill(object value, object?[] values, LegacyMember[] members, int byteOffset) =>
        fill!((T)value, NamesOf(values, members, byteOffset));

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        var named = new LegacyBinaryMembers(TypeNames.Of(Type.Type));
        write((T)value, named);
        object?[] bag = new object?[named.Count];
        members = _lastMembers;
        bool isKnown = members.Length == bag.Length;
        for (int i = 0; i < bag.Length; i++)
        {
            bag[i] = named.Members[i].Value;
            isKnown = isKnown && members[i].Name == named.Members[i].Name && members[i].Type.Type == named.Members[i].DeclaredType;
        }

        if (!isKnown)
            _lastMembers = members = CreateMembers(named.Members, map);
        return bag;
    }

    internal override LegacyMember[] GetClassMembers(LegacyMember[] members) => FindClassMembers(members);

    protected override void Fill(object?[] bag, object value) => throw new NotSupportedException();

    private LegacyBinaryMembers NamesOf(object?[] values, LegacyMember[] members, int byteOffset)
    {
        if (members.Length > MaxMemberCount)
            ThrowHelper.ThrowTooManyElements(byteOffset, members.Length, MaxMemberCount);
        var named = new LegacyBinaryMembers(TypeNames.Of(Type.Type), byteOffset);
        for (int i = 0; i < values.Length; i++)
            named.Append(members[i].Name, values[i]);
        return named;
    }

    private LegacyMember[] CreateMembers(IReadOnlyList<LegacyBinaryMembers.Member> named, LegacyTypeMap map)
    {
        var members = new LegacyMember[named.Count];
        for (int i = 0; i < members.Length; i++)
        {
            LegacyType? declared = map.Find(named[i].DeclaredType) ?? (named[i].DeclaredType.IsArray ? map.FindArray(named[i].DeclaredType) : null);
            if (declared is null)
                NrbfThrow.TypeNotWritten(named[i].DeclaredType, TypeNames.Of(Type.Type) + "." + named[i].Name);
            members[i] = new LegacyBagMember(TypeNames.Of(Type.Type), named[i].Name, declared, i);
        }

        return members;
    }
}
