using System.Buffers;
using Formatters.Benchmarks.Rows;
using Formatters.Orders;
using MessagePack;

namespace Formatters.Benchmarks.Peers.Optional;

/// <summary>MessagePack-CSharp, numbered members: with its source generator if that is given too, else with the code it emits at run time.</summary>
internal sealed class MessagePackRow : Row<PeerOrder>
{
    private static readonly MessagePackSerializerOptions Options = MessagePackSerializerOptions.Standard;

    private ArrayBufferWriter<byte> _output = new();

    public override byte[] GetWritten() => _output.WrittenSpan.ToArray();

    protected override PeerOrder FromOrder(OrderWithList order) => PeerOrder.From(order);

    protected override OrderWithList ToOrder(PeerOrder payload) => payload.ToOrder();

    protected override void RenewOutput(int byteCount) => _output = new ArrayBufferWriter<byte>(byteCount);

    protected override int WriteBody(PeerOrder payload)
    {
        _output.ResetWrittenCount();
        MessagePackSerializer.Serialize(_output, payload, Options);
        return _output.WrittenCount;
    }

    protected override PeerOrder ReadBody(int index, byte[] body) => MessagePackSerializer.Deserialize<PeerOrder>(body, Options);
}
