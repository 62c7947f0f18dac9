namespace Formatters.Bench.Peers;

/// <summary>A serializer of another project, called directly and as its documentation shows. Every command and benchmark takes its peers from
/// here.</summary>
/// <param name="name">The name of the row in tables and for <c>--formatter</c>.</param>
/// <param name="description">What writes the bytes, in a few words.</param>
/// <param name="format">The format of the bodies.</param>
/// <param name="canChange">Whether readers may have other members than writers.</param>
internal abstract class Peer(string name, string description, RowFormat format, bool canChange)
{
    /// <summary>All peers, in the order of the tables. A new peer is one line here.</summary>
    internal static IReadOnlyList<Peer> All { get; } =
    [
        new MessagePackCSharpPeer(),
        new NerdbankMessagePackPeer(),
        new MemoryPackPeer("MemoryPack", "MemoryPack, generated, strings as UTF-8", MemoryPack.MemoryPackSerializerOptions.Utf8),
        new MemoryPackPeer("MemoryPack UTF-16", "MemoryPack, generated, strings as UTF-16", MemoryPack.MemoryPackSerializerOptions.Utf16),
        new ProtobufNetPeer(),
        new GoogleProtobufPeer(),
        new OrleansPeer(),
        new SystemTextJsonPeer(),
    ];

    internal string Name { get; } = name;
    internal string Description { get; } = description;
    internal RowFormat Format { get; } = format;
    internal bool CanChange { get; } = canChange;

    /// <summary>Gets whether the library fills an existing object when it reads.</summary>
    internal virtual bool Overwrites => false;

    /// <summary>Creates a formatter for a type with the attributes of the library.</summary>
    internal abstract MessageFormatter<T> Create<T>();

    /// <summary>Creates the row over the study's order.</summary>
    internal virtual OrderFormatterRow CreateRow() => new ConvertedOrderRow<PeerOrder>(
        Name, Description, Create<PeerOrder>(), PeerOrder.From, static order => order.ToOrder(), static order => order.Date.Ticks);
}
