using System;
using System.Collections.Generic;
using static Formatters.ScalarField;
using static Formatters.ScalarForm;
using static Formatters.ScalarTraits;

namespace Formatters;

/// <summary>Defines the form of a type's values in the binary format: docs/wire/binary.md.</summary>
internal enum ScalarForm
{
    /// <summary>A fixed number of bytes.</summary>
    Fixed,

    /// <summary>As many bytes as the first one determines.</summary>
    Varying,

    /// <summary>A byte count in 7-bit groups, and that many bytes.</summary>
    Text,

    /// <summary>An Int32 byte count, and that many bytes.</summary>
    Bytes,
}

/// <summary>Defines the form of a type's values in protobuf, by the number of the wire type: docs/wire/protobuf.md, "Values".</summary>
internal enum ScalarField
{
    Varint = 0,
    Fixed64 = 1,
    LengthDelimited = 2,
    Fixed32 = 5,
}

/// <summary>Properties of a scalar that rules, readers and writers need beside its bytes.</summary>
[Flags]
internal enum ScalarTraits
{
    None = 0,

    /// <summary>Every bit pattern is valid, so adjacent members need only one bounds check.</summary>
    InRuns = 1,

    /// <summary>netstandard2.0 has no such type.</summary>
    NetOnly = 2,

    /// <summary>A member can ask protobuf for <c>MemberEncoding.ZigZag</c>.</summary>
    ZigZag = 4,

    /// <summary>A member can ask protobuf for <c>MemberEncoding.Fixed</c>.</summary>
    FixedSize = 8,

    /// <summary>Protobuf writes it even if it has the value that a reader would assume.</summary>
    AlwaysWritten = 16,

    /// <summary>
    /// The reader and the writer of the binary format have no method for it, but <c>ContractCode</c> has; it cannot be a dictionary key.
    /// </summary>
    Further = 32,

    /// <summary>
    /// Memory holds the bytes of the binary format: elements are copied as a block. Some may have to be checked or converted (<c>ElementBlock</c>).
    /// </summary>
    InBlocks = 64,

    /// <summary>The traversal writes and reads many elements by one call of the format (<c>WireCode.WriteNumbers</c>).</summary>
    InSeries = 128,
}

/// <summary>A type of the base library that is a single value in every format, with a row for each.</summary>
/// <param name="FullName">The name of the definition in metadata.</param>
/// <param name="Form">Its form in the binary format.</param>
/// <param name="MinByteCount">The fewest bytes there.</param>
/// <param name="MaxTraversedByteCount">The maximum size in any traversal format, whose writers get a position with as many bytes reserved; null if a
/// writer reserves the bytes itself. For integers up to 32 bits formats store as many bytes at once as an Int32 takes.</param>
/// <param name="Field">How protobuf holds it.</param>
/// <param name="Traits">Other properties.</param>
internal sealed record ScalarType(
    string FullName, ScalarForm Form, int MinByteCount, int? MaxTraversedByteCount, ScalarField Field, ScalarTraits Traits = ScalarTraits.None)
{
    private const int MaxCharByteCount = 3;

    /// <summary>Gets the name in method names: <c>ReadInt32</c>.</summary>
    internal string Name { get; } = NameOf(FullName);

    /// <summary>Gets the maximum size of a value without a length prefix.</summary>
    internal int MaxByteCount => Form == ScalarForm.Varying ? MaxCharByteCount : MinByteCount;

    internal bool Is(ScalarTraits trait) => (Traits & trait) != 0;

    /// <summary>Returns its form in protobuf, with or without <c>MemberEncoding.Fixed</c>.</summary>
    internal ScalarField FieldAs(bool isFixed) =>
        !isFixed || Field != ScalarField.Varint || !Is(ScalarTraits.FixedSize)
        ? Field
        : MinByteCount == sizeof(long) ? ScalarField.Fixed64 : ScalarField.Fixed32;

    private static string NameOf(string fullName)
    {
        int end = fullName.IndexOf('`');
        string name = end < 0 ? fullName : fullName.Substring(0, end);
        return name.Substring(name.LastIndexOf('.') + 1);
    }
}

/// <summary>The types that are a single value in every format, called values in docs/contracts.md, except strings and <c>byte[]</c>.</summary>
internal static class ScalarTypes
{
    internal static readonly ScalarType[] Rows =
    [
        new("System.Boolean", Fixed, 1, 1, Varint, InBlocks),
        new("System.Byte", Fixed, 1, 5, Varint, InRuns | FixedSize | InBlocks),
        new("System.SByte", Fixed, 1, 5, Varint, InRuns | FixedSize | ZigZag | InBlocks),
        new("System.Int16", Fixed, 2, 5, Varint, InRuns | FixedSize | ZigZag | InBlocks),
        new("System.UInt16", Fixed, 2, 5, Varint, InRuns | FixedSize | InBlocks),
        new("System.Int32", Fixed, 4, 5, Varint, InRuns | FixedSize | ZigZag | InBlocks | InSeries),
        new("System.UInt32", Fixed, 4, 9, Varint, InRuns | FixedSize | InBlocks),
        new("System.Int64", Fixed, 8, 9, Varint, InRuns | FixedSize | ZigZag | InBlocks | InSeries),
        new("System.UInt64", Fixed, 8, 9, Varint, InRuns | FixedSize | InBlocks),
        new("System.Char", Varying, 1, 5, Varint),
        new("System.Single", Fixed, 4, 5, Fixed32, InRuns | InBlocks | InSeries),
        new("System.Double", Fixed, 8, 9, Fixed64, InRuns | InBlocks | InSeries),
        new("System.Decimal", Fixed, 16, 36, LengthDelimited),
        new("System.DateTime", Fixed, 8, 36, LengthDelimited, AlwaysWritten | InBlocks),
        new("System.DateTimeOffset", Fixed, 10, 36, LengthDelimited, AlwaysWritten),
        new("System.TimeSpan", Fixed, 8, 9, LengthDelimited, AlwaysWritten | InBlocks),
        new("System.Guid", Fixed, 16, 38, LengthDelimited, FixedSize | InBlocks),
        new("System.Half", Fixed, 2, 5, Fixed32, NetOnly | InBlocks),
        new("System.DateOnly", Fixed, 4, 7, Varint, NetOnly | InBlocks),
        new("System.TimeOnly", Fixed, 8, 9, Varint, NetOnly | InBlocks),
        new("System.Int128", Fixed, 16, null, LengthDelimited, NetOnly | InBlocks),
        new("System.UInt128", Fixed, 16, null, LengthDelimited, NetOnly | InBlocks),

        new("System.Uri", Text, 1, null, LengthDelimited, Further | AlwaysWritten),
        new("System.Version", Fixed, 16, null, LengthDelimited, Further | AlwaysWritten),
        new("System.Net.IPAddress", Text, 3, null, LengthDelimited, Further | AlwaysWritten),
        new("System.Numerics.BigInteger", Bytes, 5, null, LengthDelimited, Further),
        new("System.ReadOnlyMemory`1", Bytes, 4, null, LengthDelimited, Further),
        new("System.Memory`1", Bytes, 4, null, LengthDelimited, Further),
    ];

    private static readonly Dictionary<string, ScalarType> ByFullName = Index(static row => row.FullName);

    private static readonly Dictionary<string, ScalarType> ByName = Index(static row => row.Name);

    /// <param name="fullName">The name of the definition in metadata. For <c>Memory&lt;T&gt;</c> the caller checks that it is of bytes.</param>
    /// <returns>Null if it is not one of these.</returns>
    internal static ScalarType? Find(string fullName) => ByFullName.TryGetValue(fullName, out ScalarType? scalar) ? scalar : null;

    /// <summary>Finds the row with a <see cref="ScalarType.Name"/>; null if there is none.</summary>
    internal static ScalarType? FindByName(string name) => ByName.TryGetValue(name, out ScalarType? scalar) ? scalar : null;

    /// <summary>Returns the row with a <see cref="ScalarType.Name"/>.</summary>
    internal static ScalarType Get(string name) => ByName[name];

    private static Dictionary<string, ScalarType> Index(Func<ScalarType, string> key)
    {
        var index = new Dictionary<string, ScalarType>(Rows.Length);
        foreach (ScalarType row in Rows)
            index.Add(key(row), row);
        return index;
    }
}
