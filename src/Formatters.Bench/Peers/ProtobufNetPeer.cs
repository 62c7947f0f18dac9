using System.Buffers;
using ProtoBuf.Meta;

namespace Formatters.Bench.Peers;

/// <summary>protobuf-net over a compiled model of its own.</summary>
internal sealed class ProtobufNetPeer() : Peer("protobuf-net", "protobuf-net, compiled", RowFormat.Protobuf, canChange: true)
{
    internal override MessageFormatter<T> Create<T>() => new Formatter<T>();

    private sealed class Formatter<T>() : PeerFormatter<T>(ContentTypes.Protobuf, BodyTypes.Protobuf)
    {
        private static readonly TypeModel Model = CreateModel();

        [ThreadStatic]
        private static MemoryStream? t_stream;

        /// <remarks>By way of a stream: into a buffer writer the library first measures the object, which takes twice the time.</remarks>
        protected override void Serialize(IBufferWriter<byte> destination, T value)
        {
            MemoryStream stream = t_stream ??= new MemoryStream();
            stream.SetLength(0);
            Model.Serialize(stream, value);
            destination.Write(stream.GetBuffer().AsSpan(0, (int)stream.Length));
        }

        protected override T? Deserialize(in ReadOnlySequence<byte> body) =>
            body.IsSingleSegment ? Model.Deserialize<T>(body.FirstSpan) : Model.Deserialize<T>(body);

        private static TypeModel CreateModel()
        {
            RuntimeTypeModel model = RuntimeTypeModel.Create();
            model.Add<T>();
            return model.Compile();
        }
    }
}
