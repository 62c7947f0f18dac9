using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes the versioned format.</summary>
internal sealed class VersionedWireFormat()
    : WireFormat("versioned", "versioned", ContentTypes.Versioned, BodyTypes.Versioned, VersionedOptions.Default, ContractFormats.Versioned)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Versioned;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new VersionedFormatter<T>((VersionedOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new VersionedFormatter<T>(contract, (VersionedOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>The versioned wire format: binary records whose members are numbered, so that other versions of their types can read them.</summary>
    public const string Versioned = "application/vnd.formatters.versioned";
}

public static partial class BodyTypes
{
    /// <summary>The versioned wire format (<see cref="ContentTypes.Versioned"/>).</summary>
    public const int Versioned = 0x4602;
}

public abstract partial class MessageInspector
{
    /// <summary>
    /// Gets the inspector of the versioned wire format: records with the numbers of their members. The type of a member can only be guessed, so its
    /// bytes are printed too.
    /// </summary>
    public static MessageInspector Versioned { get; } = new VersionedInspector();
}
