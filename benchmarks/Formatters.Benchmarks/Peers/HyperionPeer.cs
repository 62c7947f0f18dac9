using System.Buffers;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;
using Hyperion;

namespace Formatters.Benchmarks.Peers;

/// <summary>Hyperion, the serializer of Akka.NET, told of the type and without tracking references.</summary>
internal sealed class HyperionPeer() : Peer("Hyperion", "Hyperion, known type", RowFormat.Hyperion, canChange: false)
{
    internal override MessageFormatter<T> Create<T>() => new Formatter<T>();

    private sealed class Formatter<T>() : PeerFormatter<T>("application/x-hyperion", 0x4627)
    {
        private readonly Serializer _serializer = new(
            SerializerOptions.Default.WithVersionTolerance(false).WithPreserveObjectReferences(false).WithKnownTypes([typeof(T)]));
        private readonly MemoryStream _output = new();

        protected override void Serialize(IBufferWriter<byte> destination, T value)
        {
            _output.SetLength(0);
            _serializer.Serialize(value, _output);
            destination.Write(_output.GetBuffer().AsSpan(0, (int)_output.Length));
        }

        protected override T? Deserialize(in ReadOnlySequence<byte> body)
        {
            using Stream input = new MessageBody(body).OpenRead();
            return _serializer.Deserialize<T>(input);
        }
    }
}
