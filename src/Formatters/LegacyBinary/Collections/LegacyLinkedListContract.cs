using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The contract of a linked list: its version, its count, and, if it is not empty, an array of its items.</summary>
internal sealed class LegacyLinkedListContract<T>(LegacyType type) : LegacyKeyedContract(type)
{
    private const int Version = 0;
    private const int Count = 1;
    private const int Data = 2;

    private static readonly Func<object, int>? GetVersion = FieldAccess.FindGetter<int>(typeof(LinkedList<T>), "version", "_version");
    private static readonly Action<object, int>? SetVersion = FieldAccess.FindSetter<int>(typeof(LinkedList<T>), "version", "_version");

    private LegacyMember[]? _emptyMembers;

    internal static LegacyClassContract Create(LegacyType type, LegacyTypeMapBuilder types) => WithMembers(
        new LegacyLinkedListContract<T>(type),
        ("Version", types.Get(typeof(int))), ("Count", types.Get(typeof(int))), ("Data", types.Get(new LegacyArrayShape<T>())));

    internal override object GetMembers(object value, LegacyTypeMap map, out LegacyMember[] members)
    {
        object bag = base.GetMembers(value, map, out members);
        if (((object?[])bag)[Data] is null)
            members = _emptyMembers ??= [Members[Version], Members[Count]];
        return bag;
    }

    internal override object Make(object?[] bag, int byteOffset) => new LinkedList<T>();

    internal override int GetCapacity(object?[] bag, int byteOffset) => (bag[Data] as Array)?.Length ?? 0;

    internal override void AddItems(object collection, object?[] bag, int byteOffset)
    {
        var list = (LinkedList<T>)collection;
        foreach (T item in bag[Data] as T[] ?? [])
            list.AddLast(item);
        SetVersion?.Invoke(list, Require<int>(bag, Version, byteOffset));
    }

    protected override void Fill(object?[] bag, object value)
    {
        var list = (LinkedList<T>)value;
        bag[Version] = GetVersion?.Invoke(list) ?? list.Count;
        bag[Count] = list.Count;
        if (list.Count == 0)
            return;
        var items = new T[list.Count];
        list.CopyTo(items, 0);
        bag[Data] = items;
    }
}
