using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters;

/// <summary>Computes the minimum size of each record from its members, and finds records that contain themselves without end.</summary>
internal static class RecordSize
{
    internal static void SetAll(List<RecordContract> records)
    {
        var states = new Dictionary<RecordContract, bool>();
        foreach (RecordContract record in records)
            Set(record, TypeNames.Of(record.Type), states);
        CheckUnions(records);
    }

    /// <summary>
    /// Rejects a type that contains itself in every case of a union: a record ends if all of its members do, a union if one of its cases does.
    /// </summary>
    private static void CheckUnions(List<RecordContract> records)
    {
        var open = new HashSet<ValueContract>(records);
        while (open.RemoveWhere(record => ((RecordContract)record).Members.All(member => Ends(member.Contract))) > 0)
        {
        }

        foreach (RecordContract record in records)
        {
            if (!open.Contains(record))
                continue;
            RecordMember member = record.Members.First(m => !Ends(m.Contract));
            throw new ArgumentException(
                $"{TypeNames.Of(record.Type)}.{member.Name}: a {TypeNames.Of(record.Type)} contains another one in a member that cannot be null, so "
                + "a body would never end; declare the member nullable.");
        }

        bool Ends(ValueContract contract)
        {
            if (contract is not UnionContract union || union.UnknownType is not null)
                return !open.Contains(contract);
            foreach ((int _, ValueContract item) in union.Cases)
            {
                if (!open.Contains(item))
                    return true;
            }

            return false;
        }
    }

    private static void Set(RecordContract record, string path, Dictionary<RecordContract, bool> isDone)
    {
        if (isDone.TryGetValue(record, out bool done))
        {
            if (!done)
                throw new ArgumentException(
                    $"{path}: a {TypeNames.Of(record.Type)} contains another one in a member that cannot be null, so a body would never end; declare "
                    + "the member nullable.");
            return;
        }

        isDone[record] = false;
        int byteCount = 0;
        foreach (RecordMember member in record.Members)
        {
            if (member.Contract is RecordContract inner)
                Set(inner, path + "." + member.Name, isDone);
            byteCount = (int)Math.Min((long)byteCount + member.Contract.MinByteCount, int.MaxValue / 2);
        }

        record.SetMinByteCount(byteCount);
        isDone[record] = true;
    }
}
