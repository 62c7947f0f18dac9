using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

/// <summary>The wire formats of generated contracts, and the names of the code generated for each.</summary>
internal static class WireFormats
{
    internal static readonly ContractFormats[] All =
        [.. Enum.GetValues(typeof(ContractFormats)).Cast<ContractFormats>().Where(format => format != ContractFormats.None)];

    /// <summary>The formats whose code is the traversal, which is generic over the format: all but those with code of their own.</summary>
    internal static readonly ContractFormats Traversed = All.Aggregate((a, b) => a | b)
        & ~(ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.Protobuf | ContractFormats.Xml);

    /// <summary>Returns the single formats in a set.</summary>
    internal static IEnumerable<ContractFormats> Each(this ContractFormats formats) => All.Where(f => (formats & f) != 0);

    /// <summary>Determines whether it is a set of known formats, and not empty.</summary>
    internal static bool IsValid(this ContractFormats formats) =>
        formats != 0 && formats.Each().Aggregate((ContractFormats)0, (a, b) => a | b) == formats;

    /// <summary>Determines whether all members are identified by numbers, and ordered by them.</summary>
    internal static bool IsNumbered(this ContractFormats format) => format == ContractFormats.Versioned;

    /// <summary>
    /// Determines whether it is the binary or the versioned format, which differ in their records: their code is generic over the two.
    /// </summary>
    internal static bool IsBinary(this ContractFormats format) => format is ContractFormats.Binary or ContractFormats.Versioned;

    /// <summary>Determines whether its code is the traversal.</summary>
    internal static bool IsTraversed(this ContractFormats format) => (format & Traversed) != 0;

    /// <summary>Determines whether records are an array of members at their numbers, or a map of their names.</summary>
    internal static bool IsPacked(this ContractFormats format) => format.IsTraversed();

    /// <summary>Returns the name of the format in a sentence.</summary>
    internal static string DisplayName(this ContractFormats format) => format switch
    {
        ContractFormats.MessagePack => "MessagePack",
        ContractFormats.Xml => "XML",
        ContractFormats.Cbor => "CBOR",
        _ => format.ToString().ToLowerInvariant(),
    };

    /// <summary>The name of the static property that a type with <c>[MessageContract]</c> gets.</summary>
    internal const string PropertyName = "MessageContract";

    /// <summary>The generated struct that finds the code of a contract by its format.</summary>
    internal const string PartsName = "GeneratedParts";

    /// <summary>Returns the name of the generated class with the code.</summary>
    internal static string ClassName(this ContractFormats format) => format switch
    {
        _ when format.IsBinary() => "GeneratedContract",
        _ when format.IsTraversed() => "GeneratedWireContract",
        _ => format.OwnClassName(),
    };

    /// <summary>Returns the name of the generated class with the code of the format alone, if it cannot share one.</summary>
    internal static string OwnClassName(this ContractFormats format) => "Generated" + format + "Contract";

    /// <summary>Returns the possible names of the generated class.</summary>
    internal static IEnumerable<string> ClassNames(this ContractFormats format) => new[] { format.ClassName(), format.OwnClassName() }.Distinct();
}
