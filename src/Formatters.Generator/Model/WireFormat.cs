using System;
using System.Collections.Generic;
using System.Linq;

namespace Formatters.Generator;

internal static class WireFormats
{
    internal static readonly WireFormat[] All = [.. Enum.GetValues(typeof(WireFormat)).Cast<WireFormat>().Where(format => format != WireFormat.None)];

    /// <summary>The formats whose code is the traversal, which is generic over the format: all but those with code of their own.</summary>
    internal static readonly WireFormat Traversed = All.Aggregate((a, b) => a | b)
        & ~(WireFormat.Binary | WireFormat.Versioned | WireFormat.Protobuf | WireFormat.Xml);

    /// <summary>Returns the single formats in a set.</summary>
    internal static IEnumerable<WireFormat> Each(this WireFormat formats) => All.Where(f => (formats & f) != 0);

    /// <summary>Determines whether it is a set of known formats, and not empty.</summary>
    internal static bool IsValid(this WireFormat formats) => formats != 0 && formats.Each().Aggregate((WireFormat)0, (a, b) => a | b) == formats;

    /// <summary>Determines whether all members are identified by numbers, and ordered by them.</summary>
    internal static bool IsNumbered(this WireFormat format) => format == WireFormat.Versioned;

    /// <summary>
    /// Determines whether it is the binary or the versioned format, which differ in their records: their code is generic over the two.
    /// </summary>
    internal static bool IsBinary(this WireFormat format) => format is WireFormat.Binary or WireFormat.Versioned;

    /// <summary>Determines whether its code is the traversal.</summary>
    internal static bool IsTraversed(this WireFormat format) => (format & Traversed) != 0;

    /// <summary>Determines whether records are an array of members at their numbers, or a map of their names.</summary>
    internal static bool IsPacked(this WireFormat format) => format.IsTraversed();

    /// <summary>Returns the name of the format in a sentence.</summary>
    internal static string DisplayName(this WireFormat format) => format switch
    {
        WireFormat.MessagePack => "MessagePack",
        WireFormat.Xml => "XML",
        WireFormat.Cbor => "CBOR",
        _ => format.ToString().ToLowerInvariant(),
    };

    /// <summary>The name of the static property that a type with <c>[MessageContract]</c> gets.</summary>
    internal const string PropertyName = "MessageContract";

    /// <summary>The generated struct that finds the code of a contract by its format.</summary>
    internal const string PartsName = "GeneratedParts";

    /// <summary>Returns the name of the generated class with the code.</summary>
    internal static string ClassName(this WireFormat format) => format switch
    {
        _ when format.IsBinary() => "GeneratedContract",
        _ when format.IsTraversed() => "GeneratedWireContract",
        _ => format.OwnClassName(),
    };

    /// <summary>Returns the name of the generated class with the code of the format alone, if it cannot share one.</summary>
    internal static string OwnClassName(this WireFormat format) => "Generated" + format + "Contract";

    /// <summary>Returns the possible names of the generated class.</summary>
    internal static IEnumerable<string> ClassNames(this WireFormat format) => new[] { format.ClassName(), format.OwnClassName() }.Distinct();
}
