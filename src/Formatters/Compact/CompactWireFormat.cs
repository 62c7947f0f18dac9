using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes the compact format.</summary>
internal sealed class CompactWireFormat()
    : WireFormat("compact", "compact", ContentTypes.Compact, BodyTypes.Compact, CompactOptions.Default, ContractFormats.Compact)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Compact;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new CompactFormatter<T>((CompactOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new CompactFormatter<T>(contract, (CompactOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>The compact wire format, with the fewest bytes: docs/wire/compact.md.</summary>
    public const string Compact = "application/vnd.formatters.compact";
}

public static partial class BodyTypes
{
    /// <summary>The compact wire format (<see cref="ContentTypes.Compact"/>).</summary>
    public const int Compact = 0x4607;
}

public abstract partial class MessageInspector
{
    /// <summary>
    /// Gets the inspector of the compact format: it has no names of numbered members, and no types of bytes. Bytes that are printable text are
    /// printed as text.
    /// </summary>
    public static MessageInspector Compact { get; } = new CompactInspector();
}
