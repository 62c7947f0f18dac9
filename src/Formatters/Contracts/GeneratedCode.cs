using System;
using System.Buffers;
using System.Runtime.CompilerServices;

namespace Formatters.Generated;

/// <summary>Runs a generated contract; and once more, with account of the member path, if there is an error.</summary>
internal sealed class GeneratedCode<T>(WireContract<T> contract, FormatterLimits limits)
{
    /// <returns>The bytes of the body.</returns>
    internal int Write(ref BinaryBodyWriter writer, T value)
    {
        MessageFormatException? error = null;
        try
        {
            contract.Write(ref writer, value);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        return writer.Output.Complete();
    }

    internal void Read(ReadOnlySpan<byte> body, ref T value, bool reuse)
    {
        var reader = new BinaryBodyReader(body, limits);
        Exception? error = null;
        try
        {
            value = contract.Read(ref reader, reuse ? value : default);
        }
        catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, body, reader.ByteOffset);
        reader.EnsureEnd();
    }

    // Apart, so that what is for errors alone is not loaded with the first write and the first read of a process.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private MessageFormatException Explain(MessageFormatException error, T value) => SecondRun.Explain(error, value, WriteTraced);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private MessageFormatException Explain(Exception error, ReadOnlySpan<byte> body, int byteOffset) => SecondRun.Explain<T>(error, body, byteOffset, ReadTraced);

    private void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new BinaryBodyWriter(destination, limits) { Path = path };
        contract.WriteTraced(ref writer, value);
    }

    private void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new BinaryBodyReader(body, limits) { Path = path };
        try
        {
            contract.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }
}
