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

    /// <summary>Their names as they stand in a body, one behind the other.</summary>
    internal byte[] EncodedMemberNames { get; private set; } = [];

    /// <summary>Those whose values are records of classes, so that their assemblies are written before.</summary>
    internal LegacyMember[] ClassMembers { get; private set; } = [];

    /// <summary>Whether the class writes its own members (<c>ISerializable</c>): then a body says their types in any case.</summary>
    internal virtual bool WritesItself => false;

    /// <summary>About how many bytes an object takes in memory.</summary>
    internal int AllocationByteCount { get; set; } = 24;

    internal void SetMembers(IReadOnlyList<LegacyMember> members)
    {
        Members = [.. members];
        ClassMembers = Array.FindAll(Members, static member => member.Type.Primitive is null && member.Type.Type != typeof(string));
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

    /// <summary>What the values of the members are put into.</summary>
    internal abstract object Begin();

    /// <summary>Whether <see cref="Begin"/> gives the object itself, to which other records can refer while its members are read.</summary>
    internal virtual bool BeginsWithObject => true;

    /// <summary>The object, when its members have been read; those that refer to later records are still missing.</summary>
    internal virtual object End(object target, int byteOffset) => target;

    /// <summary>Whether <see cref="Complete"/> is to be called when all objects of the body are there.</summary>
    internal virtual bool NeedsCompletion => false;

    /// <summary>Checks the object, when all objects of the body are there.</summary>
    internal virtual void Complete(object value, int byteOffset)
    {
    }

    /// <summary>What the values of the members are written from.</summary>
    internal virtual object GetMembers(object value, out LegacyMember[] members)
    {
        members = Members;
        return value;
    }
}

/// <summary>A class or struct whose fields travel.</summary>
internal class LegacyRecordContract(LegacyType type, Func<Type, object> allocate) : LegacyClassContract(type)
{
    internal override object Begin() => allocate(Type.Type);
}

/// <summary>A list over an array: the count must not be larger than the array, and the array of the right type.</summary>
internal sealed class LegacyListContract(LegacyType type, Func<Type, object> allocate, Type itemsType, Func<object, object?> getItems, Func<object, int> getCount)
    : LegacyRecordContract(type, allocate)
{
    internal override bool NeedsCompletion => true;

    internal override void Complete(object value, int byteOffset)
    {
        if (getItems(value) is not Array items || items.GetType() != itemsType || (uint)getCount(value) > (uint)items.Length)
            NrbfThrow.Malformed(byteOffset, "The list has more items than its array, or no array.");
    }
}

/// <summary>A class or struct of which values travel that are not its fields.</summary>
internal abstract class LegacyBagContract(LegacyType type) : LegacyClassContract(type)
{
    internal override bool WritesItself => true;

    internal override bool BeginsWithObject => false;

    internal override object Begin() => new object?[Members.Length];

    internal override object End(object target, int byteOffset) => Make((object?[])target, byteOffset);

    internal override object GetMembers(object value, out LegacyMember[] members)
    {
        members = Members;
        object?[] bag = new object?[Members.Length];
        Fill(bag, value);
        return bag;
    }

    /// <summary>Makes the object of the values.</summary>
    internal abstract object Make(object?[] bag, int byteOffset);

    /// <summary>Gets the values of an object.</summary>
    protected abstract void Fill(object?[] bag, object value);

    /// <summary>A value that the record must have.</summary>
    protected T Require<T>(object?[] bag, int index, int byteOffset)
    {
        if (bag[index] is T value)
            return value;
        throw new MessageFormatException(
            MessageFormatErrorCode.BadValue, $"The record is no {Type.Type.Name}.", byteOffset, Members[index].Path, isPoison: true);
    }
}

/// <summary>A collection that is made when its comparer is there, and filled when its keys are.</summary>
internal abstract class LegacyKeyedContract(LegacyType type) : LegacyBagContract(type)
{
    internal override object End(object target, int byteOffset) =>
        new LegacyPlaceholder { Contract = this, Bag = (object?[])target, ByteOffset = byteOffset };

    /// <summary>About what an item takes in memory, with its bucket.</summary>
    internal const int ItemByteCount = 40;

    /// <summary>For how many items the collection is made.</summary>
    internal abstract int GetCapacity(object?[] bag, int byteOffset);

    /// <summary>Adds the keys and values to the collection.</summary>
    internal abstract void AddItems(object collection, object?[] bag, int byteOffset);
}
