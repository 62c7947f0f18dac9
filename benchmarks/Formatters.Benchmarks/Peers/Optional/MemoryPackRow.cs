using System;
using System.Buffers;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using MemoryPack;

namespace Formatters.Benchmarks.Peers.Optional;

/// <summary>MemoryPack through a buffer writer that is a struct, so that its generic writer is compiled for it and calls no interface.</summary>
/// <param name="options">UTF-8, its default, or UTF-16.</param>
internal sealed class MemoryPackRow(MemoryPackSerializerOptions options) : Row<PeerOrder>
{
    private byte[] _output = [];
    private int _written;

    public override bool CanOverwrite => true;

    public override byte[] GetWritten() => _output[.._written];

    protected override PeerOrder FromOrder(OrderWithList order) => PeerOrder.From(order);

    protected override OrderWithList ToOrder(PeerOrder payload) => payload.ToOrder();

    protected override void RenewOutput(int byteCount) => _output = new byte[Math.Max(byteCount, 1 << 20)];

    protected override int WriteBody(PeerOrder payload)
    {
        var output = new ArrayOutput(_output);
        MemoryPackSerializer.Serialize(in output, in payload, options);
        return _written = output.Written;
    }

    protected override PeerOrder ReadBody(int index, byte[] body) => MemoryPackSerializer.Deserialize<PeerOrder>(body.AsSpan(), options)!;

    protected override void OverwriteFromBody(int index, byte[] body, ref PeerOrder target)
    {
        PeerOrder? value = target;
        MemoryPackSerializer.Deserialize(body.AsSpan(), ref value, options);
        target = value!;
    }

    /// <summary>The whole array at once: it is long enough for every payload here.</summary>
    private struct ArrayOutput(byte[] array) : IBufferWriter<byte>
    {
        public int Written { get; private set; }

        public void Advance(int count) => Written += count;

        public readonly Memory<byte> GetMemory(int sizeHint = 0) => array.AsMemory(Written);

        public readonly Span<byte> GetSpan(int sizeHint = 0) => array.AsSpan(Written);
    }
}
