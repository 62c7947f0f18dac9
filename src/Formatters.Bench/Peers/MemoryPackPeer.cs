using System.Buffers;
using MemoryPack;

namespace Formatters.Bench.Peers;

/// <summary>MemoryPack, with the code that its generator writes for the type.</summary>
internal sealed class MemoryPackPeer(string name, string description, MemoryPackSerializerOptions options)
    : Peer(name, description, RowFormat.MemoryPack, canChange: false)
{
    internal override bool Overwrites => true;

    internal override MessageFormatter<T> Create<T>() => new Formatter<T>(options);

    private sealed class Formatter<T>(MemoryPackSerializerOptions options) : PeerFormatter<T>("application/x-memorypack", 0x4621)
    {
        public override void Read(ReadOnlySpan<byte> body, ref T value) => MemoryPackSerializer.Deserialize(body, ref value!, options);

        protected override void Serialize(IBufferWriter<byte> destination, T value)
        {
            var output = new StructBufferWriter(destination);
            MemoryPackSerializer.Serialize(in output, in value, options);
        }

        protected override T? Deserialize(in ReadOnlySequence<byte> body) =>
            body.IsSingleSegment ? MemoryPackSerializer.Deserialize<T>(body.FirstSpan, options)
                : MemoryPackSerializer.Deserialize<T>(in body, options);
    }
}
