using System.Buffers;

namespace Formatters.Bench.Peers;

/// <summary>A buffer writer that is a struct: a generic method of a library is compiled for it, and not shared with all classes.</summary>
internal readonly struct StructBufferWriter(IBufferWriter<byte> destination) : IBufferWriter<byte>
{
    public void Advance(int count) => destination.Advance(count);

    public Memory<byte> GetMemory(int sizeHint = 0) => destination.GetMemory(sizeHint);

    public Span<byte> GetSpan(int sizeHint = 0) => destination.GetSpan(sizeHint);
}
