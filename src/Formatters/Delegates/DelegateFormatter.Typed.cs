using System;
using System.Buffers;
using System.Threading;
using Formatters.Custom;

namespace Formatters;

/// <summary>A formatter of two delegates; created by <see cref="DelegateFormatter"/>.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
public sealed class DelegateFormatter<T> : MessageFormatter<T>
{
    private readonly Action<IBufferWriter<byte>, T> _write;
    private readonly BodyReader<T> _read;
    private LimitedBufferWriter? _spare;

    internal DelegateFormatter(string contentType, int bodyType, Action<IBufferWriter<byte>, T> write, BodyReader<T> read, FormatterLimits? limits)
        : base(contentType, bodyType, limits)
    {
        _write = write ?? throw new ArgumentNullException(nameof(write));
        _read = read ?? throw new ArgumentNullException(nameof(read));
    }

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        LimitedBufferWriter limited = Interlocked.Exchange(ref _spare, null) ?? new LimitedBufferWriter();
        try
        {
            _write(limited.Start(destination, Limits.MaxBodyByteCount), value);
        }
        finally
        {
            limited.Forget();
        }

        NoteByteCount(limited.WrittenCount);
        _spare = limited;
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        T value;
        try
        {
            value = _read(body);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Malformed(e, typeof(T));
        }

        return value is null
            ? throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body was read as null.", isPoison: true)
            : value;
    }
}
