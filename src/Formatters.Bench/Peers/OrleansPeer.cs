using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Orleans.Serialization;

namespace Formatters.Bench.Peers;

/// <summary>Microsoft.Orleans.Serialization, with the code that its generator writes for the type.</summary>
internal sealed class OrleansPeer() : Peer("Orleans", "Microsoft.Orleans.Serialization, generated", RowFormat.Orleans, canChange: true)
{
    internal override MessageFormatter<T> Create<T>() => new Formatter<T>();

    private sealed class Formatter<T>() : PeerFormatter<T>("application/x-orleans", 0x4622)
    {
        private static readonly Serializer<T> Serializer =
            new ServiceCollection().AddSerializer(static builder => builder.AddAssembly(typeof(T).Assembly)).BuildServiceProvider()
                .GetRequiredService<Serializer<T>>();

        protected override void Serialize(IBufferWriter<byte> destination, T value) =>
            Serializer.Serialize(value, new StructBufferWriter(destination));

        protected override T? Deserialize(in ReadOnlySequence<byte> body) =>
            body.IsSingleSegment ? Serializer.Deserialize(body.FirstSpan) : Serializer.Deserialize(body);
    }
}
