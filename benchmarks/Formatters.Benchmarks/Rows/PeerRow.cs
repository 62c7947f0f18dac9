using System.Buffers;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;

namespace Formatters.Benchmarks.Rows;

/// <summary>A peer of <c>formatters-bench</c>, over its own form of the order.</summary>
/// <param name="row">Its row, with the conversions, which are not measured.</param>
internal sealed class PeerRow<T>(Peer peer, ConvertedOrderRow<T> row) : Row<T>
    where T : class
{
    private ArrayBufferWriter<byte> _output = new();

    public override bool CanOverwrite => peer.Overwrites;

    public override bool ReadsSegments => true;

    public override byte[] GetWritten() => _output.WrittenSpan.ToArray();

    protected override T FromOrder(OrderWithList order) => row.From(order.ToOrder());

    protected override OrderWithList ToOrder(T payload) => OrderWithList.From(row.To(payload));

    protected override void RenewOutput(int byteCount) => _output = new ArrayBufferWriter<byte>(byteCount);

    protected override int WriteBody(T payload)
    {
        _output.ResetWrittenCount();
        row.Measured.Write(_output, payload);
        return _output.WrittenCount;
    }

    protected override T ReadBody(int index, byte[] body) => row.Measured.Read(Inputs[index]);

    protected override void OverwriteFromBody(int index, byte[] body, ref T target) => row.Measured.Read(body.AsSpan(), ref target);
}
