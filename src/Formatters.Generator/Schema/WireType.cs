using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>
/// Returns the part of a type that must not change in MessagePack and protobuf, whose layout includes neither the size of an integer nor, mostly,
/// null.
/// </summary>
internal static class WireType
{
    private static readonly Dictionary<string, int> Integers = new()
    {
        ["byte"] = 32, ["sbyte"] = 32, ["int16"] = 32, ["uint16"] = 32, ["int32"] = 32, ["uint32"] = 32, ["int64"] = 64, ["uint64"] = 64,
    };

    /// <param name="type">The type as the snapshot has it.</param>
    /// <param name="isProtobuf">Whether it is for protobuf, otherwise for MessagePack.</param>
    internal static string Essence(string type, bool isProtobuf)
    {
        int space = type.IndexOf(' ');
        string encoding = space > 0 && type.Substring(0, space) is "zigzag" or "fixed" ? type.Substring(0, space) : "";
        return Essence(encoding.Length == 0 ? type : type.Substring(space + 1), encoding, isProtobuf, isElement: false);
    }

    private static string Essence(string type, string encoding, bool isProtobuf, bool isElement)
    {
        bool isNullable = type.EndsWith("?", StringComparison.Ordinal);
        string core = type.TrimEnd('?');
        foreach (string collection in new[] { "list<", "map<", "grid<" })
        {
            // In protobuf a nested collection is always a message of its own.
            if (core.StartsWith(collection, StringComparison.Ordinal))
                return collection + Each(core.Substring(collection.Length, core.Length - collection.Length - 1), isElement: true) + ">";
        }

        string essence = core.StartsWith("(", StringComparison.Ordinal)
            ? "(" + Each(core.Substring(1, core.Length - 2), isElement: false) + ")"
            : Integers.TryGetValue(core, out int bitCount)
            ? encoding == "fixed" ? "fixed" + bitCount : encoding + "integer"
            : core == "boolean" && isProtobuf
            ? "integer"
            : isProtobuf ? core : core.Replace("?", "");
        // In protobuf an element that may be null is a message around the value.
        return isProtobuf && isElement && isNullable ? essence + "?" : essence;

        string Each(string types, bool isElement) => string.Join(", ", Split(types).Select(t => Essence(t, encoding, isProtobuf, isElement)));
    }

    /// <summary>Splits a list of types at the commas outside brackets.</summary>
    private static IEnumerable<string> Split(string types)
    {
        int depth = 0;
        int start = 0;
        for (int i = 0; i < types.Length; i++)
        {
            depth += types[i] is '<' or '(' ? 1 : types[i] is '>' or ')' ? -1 : 0;
            if (types[i] != ',' || depth > 0)
                continue;
            yield return types.Substring(start, i - start);
            start = i + 2;
        }

        yield return types.Substring(start);
    }
}
