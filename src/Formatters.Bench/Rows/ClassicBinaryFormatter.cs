using System.Buffers;

namespace Formatters.Bench.Rows;

/// <summary>The study's "optimized" form: a type's own <c>Save(BinaryWriter)</c> and <c>Load(BinaryReader)</c> over a <see
/// cref="MemoryStream"/>.</summary>
/// <param name="save">Writes a value.</param>
/// <param name="load">Reads a value.</param>
/// <remarks>A new stream and a new writer for each message, as the study's code has it: this is the row that the faster ones are compared
/// with.</remarks>
internal sealed class ClassicBinaryFormatter<T>(Action<T, BinaryWriter> save, Func<BinaryReader, T> load)
    : MessageFormatter<T>(ContentTypes.Binary, BodyTypes.Binary, limits: null)
{
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        var stream = new MemoryStream();
        var writer = new BinaryWriter(stream);
        save(value, writer);
        writer.Flush();
        destination.Write(stream.GetBuffer().AsSpan(0, (int)stream.Length));
    }

    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        try
        {
            return load(new BinaryReader(new MemoryStream(body.ToArray(), writable: false)));
        }
        catch (EndOfStreamException e)
        {
            throw new MessageFormatException(MessageFormatErrorCode.Truncated, "The body ends too early.", isPoison: true, innerException: e);
        }
        catch (Exception e) when (e is IOException or FormatException or ArgumentException or OverflowException)
        {
            throw new MessageFormatException(MessageFormatErrorCode.Malformed, "BinaryReader cannot read the body.", isPoison: true,
                innerException: e);
        }
    }
}
