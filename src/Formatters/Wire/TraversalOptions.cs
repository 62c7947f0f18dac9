using System;

namespace Formatters.Contracts;

/// <summary>The options of the formats that share the traversal: MessagePack, CBOR, compact, and those of the application.</summary>
public abstract record TraversalOptions : ContractOptions
{
    private protected TraversalOptions()
    {
    }

    /// <summary>Gets the form of records.</summary>
    internal virtual MessagePackForm RecordForm => MessagePackForm.ByContract;

    /// <summary>Gets whether the names of a map are in the order of their bytes.</summary>
    internal abstract bool SortsNames { get; }

    internal virtual object? FindCodec(Type type) => null;
}
