using System.Buffers;
using Nerdbank.MessagePack;
using PolyType;
using PolyType.Abstractions;
using PolyType.ReflectionProvider;

namespace Formatters.Bench.Peers;

/// <summary>Nerdbank.MessagePack with its default options, over the generated shape of a type if it has one.</summary>
internal sealed class NerdbankMessagePackPeer() : Peer("Nerdbank", "Nerdbank.MessagePack, by numbers", RowFormat.MessagePack, canChange: true)
{
    internal override MessageFormatter<T> Create<T>() => new Formatter<T>();

    private sealed class Formatter<T>() : PeerFormatter<T>(ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
        private static readonly MessagePackSerializer Serializer = new();
        private static readonly ITypeShape<T> Shape = TypeShapeResolver.ResolveDynamic<T>()
            ?? ReflectionTypeShapeProvider.Default.GetTypeShapeOrThrow<T>();

        protected override void Serialize(IBufferWriter<byte> destination, T value) => Serializer.Serialize(destination, in value, Shape);

        protected override T? Deserialize(in ReadOnlySequence<byte> body) => Serializer.Deserialize(in body, Shape);
    }
}
