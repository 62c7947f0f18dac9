using System.Buffers;
using Formatters.Binary;

namespace Formatters.Bench.Rows;

/// <summary>A string alone in the binary wire format: its length in bytes as a 7-bit number, and UTF-8.</summary>
internal sealed class BinaryStringFormatter() : MessageFormatter<string>(ContentTypes.Binary, BodyTypes.Binary, limits: null)
{
    public override void Write(IBufferWriter<byte> destination, string value)
    {
        var writer = new BinaryBodyWriter(destination, Limits);
        writer.Write(value);
        writer.Flush();
    }

    public override string Read(ReadOnlySpan<byte> body)
    {
        var reader = new BinaryBodyReader(body, Limits);
        string value = reader.ReadString();
        reader.EnsureEnd();
        return value;
    }
}

/// <summary>An Int32 alone in the binary wire format: 4 bytes, little endian.</summary>
internal sealed class BinaryInt32Formatter() : MessageFormatter<int>(ContentTypes.Binary, BodyTypes.Binary, limits: null)
{
    public override void Write(IBufferWriter<byte> destination, int value)
    {
        var writer = new BinaryBodyWriter(destination, Limits);
        writer.Write(value);
        writer.Flush();
    }

    public override int Read(ReadOnlySpan<byte> body)
    {
        var reader = new BinaryBodyReader(body, Limits);
        int value = reader.ReadInt32();
        reader.EnsureEnd();
        return value;
    }
}
