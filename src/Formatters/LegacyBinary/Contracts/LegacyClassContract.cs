using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>How the objects of one class or struct are read and written: the members that travel, and what is done before and after them.</summary>
internal abstract class LegacyClassContract
{
    private readonly Dictionary<string, LegacyMember> _byName = new(StringComparer.Ordinal);

    protected LegacyClassContract(LegacyType type)
    {
        Type = type;
        EncodedName = type.EncodedName;
    }

    internal LegacyType Type { get; }

    /// <summary>The name in records, with its length before it. One class is written under the name of another.</summary>
    internal byte[] EncodedName { get; init; }

    /// <summary>The place among the contracts of the map.</summary>
    internal int Ordinal { get; set; }

    /// <summary>The members in the order in which they are written.</summary>
    internal LegacyMember[] Members { get; private set; } = [];

    /// <summary>Their names as they are in a body, one after the other.</summary>
    internal byte[] EncodedMemberNames { get; private set; } = [];

    /// <summary>Those whose values are records of classes, so that their assemblies are written before.</summary>
    internal LegacyMember[] ClassMembers { get; private set; } = [];

    /// <summary>Whether the class writes its own members (<c>ISerializable</c>): then a body says their types in any case.</summary>
    internal virtual bool WritesItself => false;

    /// <summary>About how many bytes an object takes in memory.</summary>
    internal int AllocationByteCount { get; set; } = 24;

    /// <summary>Creates an object of the class from an ArrayList; null for any class but a list.</summary>
    internal LegacyListMaker? ListMaker { get; init; }

    internal void SetMembers(IReadOnlyList<LegacyMember> members)
    {
        Members = [.. members];
        ClassMembers = FindClassMembers(Members);
        var names = new List<byte>();
        for (int i = 0; i < Members.Length; i++)
        {
            Members[i].Index = i;
            AddName(Members[i].Name, Members[i]);
            names.AddRange(Members[i].EncodedName);
        }

        EncodedMemberNames = [.. names];
    }

    /// <summary>Another name under which a member is read.</summary>
    internal void AddName(string name, LegacyMember member)
    {
#if NET
        _byName.TryAdd(name, member);
#else
        if (!_byName.ContainsKey(name))
            _byName.Add(name, member);
#endif
    }

    internal LegacyMember? FindMember(string name) => _byName.TryGetValue(name, out LegacyMember? member) ? member : null;

    /// <summary>Whether a body says which members there are: none are known before.</summary>
    internal virtual bool IsOpen => false;

    /// <summary>What the values of the members are put into.</summary>
    /// <param name="members">The members in the body.</param>
    internal abstract object Begin(LegacyMember[] members);

    /// <summary>Whether <see cref="Begin"/> gives the object itself, to which other records can refer while its members are read.</summary>
    internal virtual bool BeginsWithObject => true;

    /// <summary>The object, when its members have been read; those that refer to later records are still missing.</summary>
    internal virtual object End(object target, LegacyMember[] members, int byteOffset) => target;

    /// <summary>Whether <see cref="Complete"/> is to be called when all objects of the body are there.</summary>
    internal virtual bool NeedsCompletion => false;

    /// <summary>Checks the object, when all objects of the body are there.</summary>
    internal virtual void Complete(object value, int byteOffset)
    {
    }

    /// <summary>What the values of the members are written from.</summary>
    internal virtual object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        members = Members;
        return value;
    }

    /// <summary>Those of the members whose values are records of classes.</summary>
    internal virtual LegacyMember[] GetClassMembers(LegacyMember[] members) =>
        ReferenceEquals(members, Members) ? ClassMembers : FindClassMembers(members);

    /// <summary>Those of some members whose values are records of classes.</summary>
    protected static LegacyMember[] FindClassMembers(LegacyMember[] members) =>
        Array.FindAll(members, static member => member.Type.Primitive is null && member.Type.Type != typeof(string));
}

/// <summary>A class or struct whose fields travel.</summary>
internal class LegacyRecordContract(LegacyType type, Func<object> allocate) : LegacyClassContract(type)
{
    internal override object Begin(LegacyMember[] members) => allocate();
}

/// <summary>A class of the runtime whose fields must fit together: a list must not have more items than its array.</summary>
internal sealed class LegacyCheckedContract(LegacyType type, Func<object> allocate, Func<object, bool> isValid) : LegacyRecordContract(type, allocate)
{
    internal override bool NeedsCompletion => true;

    internal override void Complete(object value, int byteOffset)
    {
        if (!isValid(value))
            NrbfThrow.Malformed(byteOffset, "The collection has more items than its array, or no array, or something else in it.");
    }
}

/// <summary>A class or struct of which values travel that are not its fields.</summary>
internal abstract class LegacyBagContract(LegacyType type) : LegacyClassContract(type)
{
    internal override bool WritesItself => true;

    internal override bool BeginsWithObject => false;

    /// <summary>Gives a contract the values that are not fields of its objects.</summary>
    internal static T WithMembers<T>(T contract, params (string Name, LegacyType Type)[] members)
        where T : LegacyBagContract
    {
        var list = new List<LegacyMember>();
        foreach ((string name, LegacyType type) in members)
            list.Add(new LegacyBagMember(TypeNames.Of(contract.Type.Type), name, type, list.Count));
        contract.SetMembers(list);
        contract.AllocationByteCount = 64 + (16 * list.Count);
        return contract;
    }

    /// <summary>Whether the object is made when all records are there; before, a placeholder stands for it.</summary>
    internal virtual bool IsMadeLate => false;

    internal override object Begin(LegacyMember[] members) => new object?[Members.Length];

    internal override object End(object target, LegacyMember[] members, int byteOffset) => IsMadeLate
        ? new LegacyPlaceholder { Contract = this, Bag = (object?[])target, Members = members, ByteOffset = byteOffset }
        : Make((object?[])target, byteOffset);

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        members = Members;
        object?[] bag = new object?[Members.Length];
        Fill(bag, value);
        return bag;
    }

    /// <summary>Creates the object of the values.</summary>
    internal abstract object Make(object?[] bag, int byteOffset);

    /// <summary>For how many items an object that is made late is made.</summary>
    internal virtual int GetCapacity(object?[] bag, int byteOffset) => 0;

    /// <summary>Adds the items to a collection that was made late.</summary>
    internal virtual void AddItems(object collection, object?[] bag, int byteOffset)
    {
    }

    /// <summary>Gets the values of an object.</summary>
    protected abstract void Fill(object?[] bag, object value);

    /// <summary>A value that the record must have.</summary>
    protected T Require<T>(object?[] bag, int index, int byteOffset)
    {
        if (bag[index] is T value)
            return value;
        throw new MessageFormatException(
            MessageFormatErrorCode.BadValue, $"The record is not a {TypeNames.Of(Type.Type)}.", byteOffset, Members[index].Path, isPoison: true);
    }
}

/// <summary>A collection that is made when its comparer is there, and filled when its items are.</summary>
internal abstract class LegacyKeyedContract(LegacyType type) : LegacyBagContract(type)
{
    /// <summary>About what an item takes in memory, with its bucket or node.</summary>
    internal const int ItemByteCount = 40;

    internal override bool IsMadeLate => true;

    internal abstract override int GetCapacity(object?[] bag, int byteOffset);

    internal abstract override void AddItems(object collection, object?[] bag, int byteOffset);
}
