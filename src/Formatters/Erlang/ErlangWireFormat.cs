using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>Describes the terms of Erlang.</summary>
internal sealed class ErlangWireFormat() : WireFormat("erlang", "erlang", ContentTypes.Erlang, BodyTypes.Erlang, ErlangOptions.Default, ContractFormats.Erlang)
{
    /// <inheritdoc/>
    public override MessageInspector Inspector => MessageInspector.Erlang;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) => new ErlangFormatter<T>((ErlangOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new ErlangFormatter<T>(contract, (ErlangOptions)options);
}

public static partial class ContentTypes
{
    /// <summary>Terms of Erlang: docs/wire/erlang.md.</summary>
    public const string Erlang = "application/vnd.erlang.term";
}

public static partial class BodyTypes
{
    /// <summary>Terms of Erlang (<see cref="ContentTypes.Erlang"/>).</summary>
    public const int Erlang = 0x460F;
}

public abstract partial class MessageInspector
{
    /// <summary>Gets the inspector of terms of Erlang.</summary>
    public static MessageInspector Erlang { get; } = new CustomInspector<ErlangTerm>();
}
