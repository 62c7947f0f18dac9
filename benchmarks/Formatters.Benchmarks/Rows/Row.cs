using System.Buffers;

namespace Formatters.Benchmarks.Rows;

/// <summary>One line of the comparison at work: a formatter or a peer, the orders it writes and the bodies it reads, taken in turn.</summary>
/// <remarks>Not safe for use by several threads: the buffers are reused.</remarks>
internal abstract class Row : MeasuredRow
{
    /// <summary>Whether <see cref="Overwrite()"/> fills the object that is there instead of making another.</summary>
    public abstract bool CanOverwrite { get; }

    /// <summary>Gets whether the row reads a body in several segments as it is given.</summary>
    public virtual bool ReadsSegments => false;

    /// <summary>Gets the length of the segments in which bodies are given to <see cref="Read"/>; 0 for whole bodies.</summary>
    public int SegmentByteCount { get; set; }

    /// <summary>The bodies of the orders, as this row writes them.</summary>
    public abstract IReadOnlyList<byte[]> Bodies { get; }

    /// <summary>The mean length of <see cref="Bodies"/>.</summary>
    internal sealed override int ByteCount => (int)Math.Round(Bodies.Average(static body => body.Length), MidpointRounding.AwayFromZero);

    /// <summary>Takes the orders over, in the type that this row writes, and writes their bodies.</summary>
    /// <param name="orders">One, or a power of two.</param>
    public abstract void Prepare(IReadOnlyList<OrderWithList> orders);

    /// <summary>Writes the next order.</summary>
    public abstract int Write();

    /// <summary>Reads the next body.</summary>
    /// <returns>A new object.</returns>
    public abstract object Read();

    /// <summary>Reads the next body into the object of the last call.</summary>
    public abstract object Overwrite();

    /// <summary>Writes and reads an order without preparation: what a process pays that sends and receives one message.</summary>
    /// <param name="order">The order; turning it into the type that this row writes, and making buffers, is not measured.</param>
    public abstract object MeasureFirstUse(OrderWithList order, out TimeSpan write, out TimeSpan read);

    /// <summary>Turns what <see cref="Read"/> or <see cref="Overwrite()"/> gave into an order, to compare it.</summary>
    public abstract OrderWithList ToOrder(object payload);

    /// <summary>Copies what <see cref="Write()"/> wrote last.</summary>
    public abstract byte[] GetWritten();
}

/// <typeparam name="T">The type that the row writes: <see cref="OrderWithList"/>, or a peer's own form of it.</typeparam>
internal abstract class Row<T> : Row
    where T : class
{
    private T[] _payloads = [];
    private byte[][] _bodies = [];
    private T? _target;
    private int _next;

    /// <summary>Gets the bodies in their segments.</summary>
    protected IReadOnlyList<ReadOnlySequence<byte>> Inputs { get; private set; } = [];

    public override bool CanOverwrite => false;
    public override IReadOnlyList<byte[]> Bodies => _bodies;

    public override void Prepare(IReadOnlyList<OrderWithList> orders)
    {
        if (orders.Count == 0 || (orders.Count & (orders.Count - 1)) != 0)
            throw new ArgumentException("The number of orders is not a power of two.", nameof(orders));
        _payloads = orders.Select(FromOrder).ToArray();
        RenewOutput(1024);
        _bodies = _payloads.Select(payload =>
        {
            int byteCount = WriteBody(payload);
            byte[] body = GetWritten();
            Debug.Assert(byteCount == body.Length, "The row miscounts its bytes.");
            return body;
        }).ToArray();
        Renew();
    }

    internal override void Renew()
    {
        _bodies = _bodies.Select(static body => body.AsSpan().ToArray()).ToArray();
        RenewOutput(2 * _bodies.Max(static body => body.Length));
        Inputs = [.. _bodies.Select(Split)];
        RenewInput(_bodies);
        _next = 0;
        if (CanOverwrite)
            _target = ReadBody(_bodies.Length - 1, _bodies[^1]);
    }

    public override int Write()
    {
        T[] payloads = _payloads;
        return WriteBody(payloads[_next++ & (payloads.Length - 1)]);
    }

    public override object Read()
    {
        byte[][] bodies = _bodies;
        int index = _next++ & (bodies.Length - 1);
        return ReadBody(index, bodies[index]);
    }

    public override object Overwrite()
    {
        byte[][] bodies = _bodies;
        int index = _next++ & (bodies.Length - 1);
        OverwriteFromBody(index, bodies[index], ref _target!);
        return _target;
    }

    internal override void Repeat(RowOperation operation, int count)
    {
        switch (operation)
        {
            case RowOperation.Write:
                for (int i = 0; i < count; i++)
                    Write();
                break;
            case RowOperation.Read:
                for (int i = 0; i < count; i++)
                    GC.KeepAlive(Read());
                break;
            default:
                for (int i = 0; i < count; i++)
                    Overwrite();
                break;
        }
    }

    public override object MeasureFirstUse(OrderWithList order, out TimeSpan write, out TimeSpan read)
    {
        T payload = FromOrder(order);
        RenewOutput(64 * 1024);
        long start = Stopwatch.GetTimestamp();
        WriteBody(payload);
        write = Stopwatch.GetElapsedTime(start);
        byte[] body = GetWritten();
        Inputs = [Split(body)];
        RenewInput([body]);
        start = Stopwatch.GetTimestamp();
        T result = ReadBody(0, body);
        read = Stopwatch.GetElapsedTime(start);
        return result;
    }

    public override OrderWithList ToOrder(object payload) => ToOrder((T)payload);

    /// <summary>Turns an order into what this row writes; not measured.</summary>
    protected abstract T FromOrder(OrderWithList order);

    /// <summary>Turns what this row read into an order; not measured.</summary>
    protected abstract OrderWithList ToOrder(T payload);

    /// <summary>Makes new output buffers; not measured.</summary>
    /// <param name="byteCount">The room they should have at least.</param>
    protected abstract void RenewOutput(int byteCount);

    /// <summary>Makes what is needed around the bodies for reading; not measured.</summary>
    protected virtual void RenewInput(IReadOnlyList<byte[]> bodies)
    {
    }

    /// <summary>Writes a payload into the reused buffer, over what it held.</summary>
    protected abstract int WriteBody(T payload);

    /// <summary>Reads a new payload.</summary>
    protected abstract T ReadBody(int index, byte[] body);

    /// <summary>Reads into an existing payload.</summary>
    protected virtual void OverwriteFromBody(int index, byte[] body, ref T target) => throw new NotSupportedException();

    private ReadOnlySequence<byte> Split(byte[] body)
    {
        if (SegmentByteCount == 0 || body.Length <= SegmentByteCount)
            return new ReadOnlySequence<byte>(body);
        Segment[] segments = [.. body.Chunk(SegmentByteCount).Select(static part => new Segment(part))];
        for (int i = 1; i < segments.Length; i++)
            segments[i - 1].Append(segments[i]);
        return new ReadOnlySequence<byte>(segments[0], 0, segments[^1], segments[^1].Memory.Length);
    }

    private sealed class Segment : ReadOnlySequenceSegment<byte>
    {
        internal Segment(byte[] bytes) => Memory = bytes;

        internal void Append(Segment next)
        {
            next.RunningIndex = RunningIndex + Memory.Length;
            Next = next;
        }
    }
}
