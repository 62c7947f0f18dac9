using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;

namespace Formatters;

/// <summary>Describes MessagePack.</summary>
internal sealed class MessagePackWireFormat()
    : WireFormat("messagepack", "MessagePack", ContentTypes.MessagePack, BodyTypes.MessagePack, MessagePackOptions.Default,
        ContractFormats.MessagePack)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.MessagePack;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new MessagePackFormatter<T>((MessagePackOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new MessagePackFormatter<T>(contract, (MessagePackOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>MessagePack. Also read as <c>application/msgpack</c> and <c>application/vnd.msgpack</c>.</summary>
    public const string MessagePack = "application/x-msgpack";
}

public static partial class BodyTypes
{
    /// <summary>MessagePack (<see cref="ContentTypes.MessagePack"/>).</summary>
    public const int MessagePack = 0x4603;
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of MessagePack.</summary>
    public static MessageInspector MessagePack { get; } = new MessagePackInspector();
}
