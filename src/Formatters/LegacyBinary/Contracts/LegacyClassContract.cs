using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>Reads and writes the objects of one class or struct: its serialized members, and the work before and after them.</summary>
internal abstract class LegacyClassContract
{
    private readonly Dictionary<string, LegacyMember> _byName = new(StringComparer.Ordinal);

    protected LegacyClassContract(LegacyType type)
    {
        Type = type;
        EncodedName = type.EncodedName;
    }

    internal LegacyType Type { get; }

    /// <summary>Gets the length-prefixed name in records. A class may be written under the name of another.</summary>
    internal byte[] EncodedName { get; init; }

    /// <summary>Gets or sets the index among the contracts of the map.</summary>
    internal int Ordinal { get; set; }

    /// <summary>Gets the members in the order in which they are written.</summary>
    internal LegacyMember[] Members { get; private set; } = [];

    /// <summary>Gets the encoded names of the members, concatenated.</summary>
    internal byte[] EncodedMemberNames { get; private set; } = [];

    /// <summary>Gets the members whose values are records of classes, so that their assemblies are written first.</summary>
    internal LegacyMember[] ClassMembers { get; private set; } = [];

    /// <summary>Gets whether the class writes its own members (<c>ISerializable</c>), so that a body always contains their types.</summary>
    internal virtual bool WritesItself => false;

    /// <summary>Gets or sets the approximate size of an object in memory.</summary>
    internal int AllocationByteCount { get; set; } = 24;

    /// <summary>Gets the maker that creates an object of the class from an ArrayList; null for any class except lists.</summary>
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

    /// <summary>Adds another name under which a member is read.</summary>
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

    /// <summary>Gets whether the body determines the members: none are known in advance.</summary>
    internal virtual bool IsOpen => false;

    /// <summary>Creates the target into which the values of the members are read.</summary>
    /// <param name="members">The members in the body.</param>
    internal abstract object Begin(LegacyMember[] members);

    /// <summary>Gets whether <see cref="Begin"/> returns the object itself, to which other records can refer while its members are read.</summary>
    internal virtual bool BeginsWithObject => true;

    /// <summary>Returns the object after its members have been read, except those that refer to later records.</summary>
    internal virtual object End(object target, LegacyMember[] members, int byteOffset) => target;

    /// <summary>Gets whether <see cref="Complete"/> must be called after all objects of the body exist.</summary>
    internal virtual bool NeedsCompletion => false;

    /// <summary>Checks the object after all objects of the body exist.</summary>
    internal virtual void Complete(object value, int byteOffset)
    {
    }

    /// <summary>Returns the source from which the values of the members are written.</summary>
    internal virtual object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        members = Members;
        return value;
    }

    /// <summary>Returns the members whose values are records of classes.</summary>
    internal virtual LegacyMember[] GetClassMembers(LegacyMember[] members) =>
        ReferenceEquals(members, Members) ? ClassMembers : FindClassMembers(members);

    /// <summary>Finds the members whose values are records of classes.</summary>
    protected static LegacyMember[] FindClassMembers(LegacyMember[] members) =>
        Array.FindAll(members, static member => member.Type.Primitive is null && member.Type.Type != typeof(string));
}

/// <summary>The contract of a class or struct whose fields are serialized.</summary>
internal class LegacyRecordContract(LegacyType type, Func<object> allocate) : LegacyClassContract(type)
{
    internal override object Begin(LegacyMember[] members) => allocate();
}

/// <summary>The contract of a runtime class whose fields must be consistent: a list must not have more items than its array.</summary>
internal sealed class LegacyCheckedContract(LegacyType type, Func<object> allocate, Func<object, bool> isValid) : LegacyRecordContract(type, allocate)
{
    internal override bool NeedsCompletion => true;

    internal override void Complete(object value, int byteOffset)
    {
        if (!isValid(value))
            NrbfThrow.Malformed(byteOffset, "The collection has more items than its array, or no array, or something else in it.");
    }
}

/// <summary>The contract of a class or struct whose serialized values are not its fields.</summary>
internal abstract class LegacyBagContract(LegacyType type) : LegacyClassContract(type)
{
    internal override bool WritesItself => true;

    internal override bool BeginsWithObject => false;

    /// <summary>Adds the values to a contract whose members are not fields of its objects.</summary>
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

    /// <summary>Gets whether the object is created after all records were read; a placeholder represents it until then.</summary>
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

    /// <summary>Creates the object from the values.</summary>
    internal abstract object Make(object?[] bag, int byteOffset);

    /// <summary>Returns the number of items for which to create an object that is created late.</summary>
    internal virtual int GetCapacity(object?[] bag, int byteOffset) => 0;

    /// <summary>Adds the items to a collection that was created late.</summary>
    internal virtual void AddItems(object collection, object?[] bag, int byteOffset)
    {
    }

    /// <summary>Gets the values of an object.</summary>
    protected abstract void Fill(object?[] bag, object value);

    /// <summary>Returns a value that the record must have.</summary>
    protected T Require<T>(object?[] bag, int index, int byteOffset)
    {
        if (bag[index] is T value)
            return value;
        throw new MessageFormatException(
            MessageFormatErrorCode.BadValue, $"The record is not a {TypeNames.Of(Type.Type)}.", byteOffset, Members[index].Path, isPoison: true);
    }
}

/// <summary>The contract of a collection that is created when its comparer exists, and filled when its items do.</summary>
internal abstract class LegacyKeyedContract(LegacyType type) : LegacyBagContract(type)
{
    /// <summary>The approximate size of an item in memory, with its bucket or node.</summary>
    internal const int ItemByteCount = 40;

    internal override bool IsMadeLate => true;

    internal abstract override int GetCapacity(object?[] bag, int byteOffset);

    internal abstract override void AddItems(object collection, object?[] bag, int byteOffset);
}
