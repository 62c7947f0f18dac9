using System.Buffers;
using Formatters.Bench.Rows;

namespace Formatters.Benchmarks.Rows;

/// <summary>The generated contract of a type with the members of <see cref="OrderWithList"/>, but no <c>Save</c> and <c>Load</c>.</summary>
internal sealed class GeneratedRow(MessageFormatter<GeneratedOrder> formatter, bool overwrites = true) : Row<GeneratedOrder>
{
    private ArrayBufferWriter<byte> _output = new();

    public MessageFormatter<GeneratedOrder> Formatter { get; } = formatter;
    public override bool CanOverwrite => overwrites;

    public override bool ReadsSegments => true;

    public override byte[] GetWritten() => _output.WrittenSpan.ToArray();

    protected override GeneratedOrder FromOrder(OrderWithList order) => GeneratedOrder.From(order);

    protected override OrderWithList ToOrder(GeneratedOrder payload) => payload.ToOrder();

    protected override void RenewOutput(int byteCount) => _output = new ArrayBufferWriter<byte>(byteCount);

    protected override int WriteBody(GeneratedOrder payload)
    {
        _output.ResetWrittenCount();
        Formatter.Write(_output, payload);
        return _output.WrittenCount;
    }

    protected override GeneratedOrder ReadBody(int index, byte[] body) =>
        SegmentByteCount == 0 ? Formatter.Read(body.AsSpan()) : Formatter.Read(Inputs[index]);

    protected override void OverwriteFromBody(int index, byte[] body, ref GeneratedOrder target) => Formatter.Read(body.AsSpan(), ref target);
}
