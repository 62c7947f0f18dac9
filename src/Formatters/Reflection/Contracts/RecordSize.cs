using System;
using System.Collections.Generic;

namespace Formatters;

/// <summary>The fewest bytes that each record can take: those of its members. On the way it finds records that could have no end.</summary>
internal static class RecordSize
{
    internal static void SetAll(List<RecordContract> records)
    {
        var states = new Dictionary<RecordContract, bool>();
        foreach (RecordContract record in records)
            Set(record, TypeNames.Of(record.Type), states);
    }

    private static void Set(RecordContract record, string path, Dictionary<RecordContract, bool> isDone)
    {
        if (isDone.TryGetValue(record, out bool done))
        {
            if (!done)
                throw new ArgumentException($"{path}: a {TypeNames.Of(record.Type)} in itself, which cannot be null, has no end; declare the member nullable.");
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
