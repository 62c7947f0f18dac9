using System.Buffers;

namespace Formatters.Benchmarks.Rows;

/// <summary>A row over <see cref="OrderWithList"/> itself, into an <see cref="ArrayBufferWriter{T}"/>.</summary>
internal abstract class OrderRow : Row<OrderWithList>
{
    protected ArrayBufferWriter<byte> Output { get; private set; } = new();

    public override byte[] GetWritten() => Output.WrittenSpan.ToArray();

    protected override OrderWithList FromOrder(OrderWithList order) => order;

    protected override OrderWithList ToOrder(OrderWithList payload) => payload;

    protected override void RenewOutput(int byteCount) => Output = new ArrayBufferWriter<byte>(byteCount);
}

/// <summary>A row over <see cref="OrderWithList"/> itself, for a peer that writes to streams: into a <see cref="MemoryStream"/> that is
/// reused.</summary>
internal abstract class OrderStreamRow : Row<OrderWithList>
{
    protected MemoryStream Output { get; private set; } = new();

    public override byte[] GetWritten() => Output.ToArray();

    protected override OrderWithList FromOrder(OrderWithList order) => order;

    protected override OrderWithList ToOrder(OrderWithList payload) => payload;

    protected override void RenewOutput(int byteCount) => Output = new MemoryStream(byteCount);

    protected override int WriteBody(OrderWithList payload)
    {
        Output.Position = 0;
        WriteToOutput(payload);
        Output.SetLength(Output.Position);
        return (int)Output.Position;
    }

    protected abstract void WriteToOutput(OrderWithList payload);
}

/// <summary>A formatter of this library.</summary>
/// <param name="overwrites">Whether it reads into an existing object, or makes a new one all the same.</param>
internal sealed class FormatterRow(MessageFormatter<OrderWithList> formatter, bool overwrites = false) : OrderRow
{
    public MessageFormatter<OrderWithList> Formatter => formatter;
    public override bool CanOverwrite => overwrites;

    public override bool ReadsSegments => true;

    protected override int WriteBody(OrderWithList payload)
    {
        Output.ResetWrittenCount();
        formatter.Write(Output, payload);
        return Output.WrittenCount;
    }

    protected override OrderWithList ReadBody(int index, byte[] body) =>
        SegmentByteCount == 0 ? formatter.Read(body.AsSpan()) : formatter.Read(Inputs[index]);

    protected override void OverwriteFromBody(int index, byte[] body, ref OrderWithList target) => formatter.Read(body.AsSpan(), ref target);
}
