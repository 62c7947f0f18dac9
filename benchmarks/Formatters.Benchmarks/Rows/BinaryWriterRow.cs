namespace Formatters.Benchmarks.Rows;

/// <summary>The baseline: the study's hand-coded Save and Load over System.IO, with the writer, the readers and their streams reused.</summary>
internal sealed class BinaryWriterRow : OrderStreamRow
{
    private BinaryWriter _writer = new(Stream.Null);
    private BinaryReader[] _readers = [];

    public override bool CanOverwrite => true;

    protected override void RenewOutput(int byteCount)
    {
        base.RenewOutput(byteCount);
        _writer = new BinaryWriter(Output);
    }

    protected override void RenewInput(IReadOnlyList<byte[]> bodies) =>
        _readers = bodies.Select(static body => new BinaryReader(new MemoryStream(body))).ToArray();

    protected override void WriteToOutput(OrderWithList payload) => payload.Save(_writer);

    protected override OrderWithList ReadBody(int index, byte[] body)
    {
        var order = new OrderWithList();
        OverwriteFromBody(index, body, ref order);
        return order;
    }

    /// <remarks>The object stays, what it refers to is made anew: that is what the study's Load does.</remarks>
    protected override void OverwriteFromBody(int index, byte[] body, ref OrderWithList target)
    {
        BinaryReader reader = _readers[index];
        reader.BaseStream.Position = 0;
        target.Load(reader);
    }
}
