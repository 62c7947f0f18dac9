using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes protobuf.</summary>
internal sealed class ProtobufWireFormat()
    : WireFormat("protobuf", "protobuf", ContentTypes.Protobuf, BodyTypes.Protobuf, ProtobufOptions.Default, ContractFormats.Protobuf)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Protobuf;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new ProtobufFormatter<T>((ProtobufOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new ProtobufFormatter<T>(contract, (ProtobufOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>Protobuf. Also read as <c>application/protobuf</c> and <c>application/vnd.google.protobuf</c>.</summary>
    public const string Protobuf = "application/x-protobuf";
}

public static partial class BodyTypes
{
    /// <summary>Protobuf (<see cref="ContentTypes.Protobuf"/>).</summary>
    public const int Protobuf = 0x4604;
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of protobuf, which prints the numbers of the fields: it has no names, and no types of some values.</summary>
    public static MessageInspector Protobuf { get; } = new ProtobufInspector();
}
