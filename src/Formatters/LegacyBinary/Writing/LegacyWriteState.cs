using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The state of a body while it is written. Reused from body to body, by one thread at a time.</summary>
internal sealed class LegacyWriteState(int contractCount)
{
    private readonly ClassId[] _classes = new ClassId[contractCount];

    internal ReferenceTable Ids { get; } = new();

    /// <summary>Gets the objects that have an id but no record yet, in the order of their ids.</summary>
    internal Queue<(object Value, LegacyType Type, int Id)> Open { get; } = new();

    internal Dictionary<string, int> Libraries { get; } = new(StringComparer.Ordinal);

    /// <summary>Finds the id of the first object of a class, whose record describes it.</summary>
    /// <returns>0 if the class has not been described, or with other members.</returns>
    internal int FindClass(LegacyClassContract contract, LegacyMember[] members)
    {
        ref ClassId known = ref _classes[contract.Ordinal];
        return ReferenceEquals(known.Members, members) || (contract.IsOpen && AreSame(known.Members, members)) ? known.Id : 0;
    }

    /// <summary>Records the id, unless the class has been described before.</summary>
    internal void AddClass(LegacyClassContract contract, LegacyMember[] members, int id)
    {
        ref ClassId known = ref _classes[contract.Ordinal];
        if (known.Id == 0)
            known = new ClassId(id, members);
    }

    internal void Clear()
    {
        Array.Clear(_classes, 0, _classes.Length);
        Ids.Clear();
        Open.Clear();
        Libraries.Clear();
    }

    private static bool AreSame(LegacyMember[]? known, LegacyMember[] members)
    {
        if (known?.Length != members.Length)
            return false;
        for (int i = 0; i < members.Length; i++)
        {
            if (known[i].Name != members[i].Name || known[i].Type != members[i].Type)
                return false;
        }

        return true;
    }

    private readonly record struct ClassId(int Id, LegacyMember[] Members);
}
