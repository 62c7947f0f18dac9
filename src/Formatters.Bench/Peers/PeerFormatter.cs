using System.Buffers;

namespace Formatters.Bench.Peers;

/// <summary>Calls a library without checks or buffers of its own; exceptions of the library become a <see cref="MessageFormatException"/>.</summary>
internal abstract class PeerFormatter<T>(string contentType, int bodyType) : MessageFormatter<T>(contentType, bodyType, limits: null)
{
    public sealed override void Write(IBufferWriter<byte> destination, T value)
    {
        try
        {
            Serialize(destination, value);
        }
        catch (Exception e) when (e is not (MessageFormatException or OutOfMemoryException or TypeInitializationException))
        {
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, $"The library cannot write the object: {e.Message}", innerException: e);
        }
    }

    public sealed override T Read(ReadOnlySpan<byte> body) => Read(new ReadOnlySequence<byte>(body.ToArray()));

    public sealed override T Read(in ReadOnlySequence<byte> body)
    {
        try
        {
            return Deserialize(body) ?? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body is null.", isPoison: true);
        }
        catch (Exception e) when (e is not (MessageFormatException or OutOfMemoryException or TypeInitializationException))
        {
            throw new MessageFormatException(MessageFormatErrorCode.Malformed, $"The library cannot read the body: {e.Message}", isPoison: true,
                innerException: e);
        }
    }

    /// <summary>Calls the library to write.</summary>
    protected abstract void Serialize(IBufferWriter<byte> destination, T value);

    /// <summary>Calls the library to read.</summary>
    protected abstract T? Deserialize(in ReadOnlySequence<byte> body);
}
