using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes the binary format.</summary>
internal sealed class BinaryWireFormat()
    : WireFormat("binary", "binary", ContentTypes.Binary, BodyTypes.Binary, BinaryBodyOptions.Default, ContractFormats.Binary)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Binary;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new BinaryBodyFormatter<T>((BinaryBodyOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new BinaryBodyFormatter<T>(contract, (BinaryBodyOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>The binary wire format: what <c>System.IO.BinaryWriter</c> writes for the members in declaration order.</summary>
    public const string Binary = "application/vnd.formatters.binary";
}

public static partial class BodyTypes
{
    /// <summary>The binary wire format (<see cref="ContentTypes.Binary"/>).</summary>
    public const int Binary = 0x4601;
}

public abstract partial class MessageInspector
{
    /// <summary>
    /// Gets the inspector for any body, which prints bytes, and the parts that may be strings as strings. Use it for the binary wire format, which
    /// does not describe itself, and for unknown formats.
    /// </summary>
    public static MessageInspector Binary { get; } = new BinaryInspector();
}
