using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes CBOR.</summary>
internal sealed class CborWireFormat() : WireFormat("cbor", "CBOR", ContentTypes.Cbor, BodyTypes.Cbor, CborOptions.Default, ContractFormats.Cbor)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Cbor;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new CborFormatter<T>((CborOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new CborFormatter<T>(contract, (CborOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>CBOR: docs/wire/cbor.md.</summary>
    public const string Cbor = "application/cbor";
}

public static partial class BodyTypes
{
    /// <summary>CBOR (<see cref="ContentTypes.Cbor"/>).</summary>
    public const int Cbor = 0x4606;
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of CBOR: each tag that is not a number or a GUID is printed as <c>{"$tag 0": …}</c>.</summary>
    public static MessageInspector Cbor { get; } = new CborInspector();
}
