using System.Buffers;
using MessagePack;

namespace Formatters.Bench.Peers;

/// <summary>MessagePack-CSharp with its default options: members by number, the code emitted at run time.</summary>
internal sealed class MessagePackCSharpPeer() : Peer(RowName, "MessagePack-CSharp, by numbers", RowFormat.MessagePack, canChange: true)
{
    internal const string RowName = "MessagePack-CSharp";

    internal override MessageFormatter<T> Create<T>() => new Formatter<T>();

    private sealed class Formatter<T>() : PeerFormatter<T>(ContentTypes.MessagePack, BodyTypes.MessagePack)
    {
        private static readonly MessagePackSerializerOptions Options = MessagePackSerializerOptions.Standard;

        protected override void Serialize(IBufferWriter<byte> destination, T value) => MessagePackSerializer.Serialize(destination, value, Options);

        protected override T? Deserialize(in ReadOnlySequence<byte> body) => MessagePackSerializer.Deserialize<T>(body, Options);
    }
}
