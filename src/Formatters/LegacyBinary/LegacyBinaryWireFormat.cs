using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>Describes the format of <c>BinaryMessageFormatter</c>.</summary>
internal sealed class LegacyBinaryWireFormat()
    : WireFormat("legacy-binary", "legacy binary", ContentTypes.LegacyBinary, BodyTypes.LegacyBinary, LegacyBinaryOptions.Default)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.LegacyBinary;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new LegacyBinaryFormatter<T>((LegacyBinaryOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>A body of System.Messaging's <c>BinaryMessageFormatter</c>: MS-NRBF.</summary>
    public const string LegacyBinary = "application/vnd.formatters.legacy-binary";
}

public static partial class BodyTypes
{
    /// <summary>A body of System.Messaging's <c>BinaryMessageFormatter</c> (MS-NRBF).</summary>
    public const int LegacyBinary = 768;
}

public abstract partial class MessageInspector
{
    /// <summary>
    /// Gets the inspector of <c>BinaryMessageFormatter</c> bodies (body type 768, MS-NRBF): all records, with the names of classes and members. No
    /// type is looked up.
    /// </summary>
    public static MessageInspector LegacyBinary { get; } = new LegacyBinaryInspector();
}
