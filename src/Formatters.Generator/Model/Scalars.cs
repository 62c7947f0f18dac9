using System.Collections.Generic;

namespace Formatters.Generator;

/// <summary>The values of docs/wire/binary.md that are not text.</summary>
/// <param name="Name">The name of the type without its namespace, which is also that of the reader's method.</param>
/// <param name="MinByteCount">The fewest bytes.</param>
/// <param name="MaxByteCount">The most bytes.</param>
/// <param name="IsInRuns">Whether no bytes of it are bad, so that neighbours are read after one check.</param>
/// <param name="IsNetOnly">Whether netstandard2.0 has no such type.</param>
internal sealed record Scalar(string Name, int MinByteCount, int MaxByteCount, bool IsInRuns, bool IsNetOnly)
{
    private static readonly Dictionary<string, Scalar> All = Create();

    internal static Scalar? Find(string fullName) => All.TryGetValue(fullName, out Scalar? scalar) ? scalar : null;

    internal static Scalar Get(string name) => All["System." + name];

    private static Dictionary<string, Scalar> Create()
    {
        var all = new Dictionary<string, Scalar>();
        Add("Byte", 1, true);
        Add("SByte", 1, true);
        Add("Int16", 2, true);
        Add("UInt16", 2, true);
        Add("Int32", 4, true);
        Add("UInt32", 4, true);
        Add("Int64", 8, true);
        Add("UInt64", 8, true);
        Add("Single", 4, true);
        Add("Double", 8, true);
        Add("Boolean", 1);
        Add("Decimal", 16);
        Add("DateTime", 8);
        Add("DateTimeOffset", 10);
        Add("TimeSpan", 8);
        Add("Guid", 16);
        all.Add("System.Char", new Scalar("Char", 1, 3, false, false));
        foreach ((string name, int byteCount) in new[] { ("Half", 2), ("DateOnly", 4), ("TimeOnly", 8), ("Int128", 16), ("UInt128", 16) })
            all.Add("System." + name, new Scalar(name, byteCount, byteCount, false, true));
        return all;

        void Add(string name, int byteCount, bool isInRuns = false) => all.Add("System." + name, new Scalar(name, byteCount, byteCount, isInRuns, false));
    }
}
