using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

/// <summary>Writes and reads bodies of the binary format with the hand-written <c>Save</c> and <c>Load</c> of a type (<see cref="IBinaryBody"/>),
/// where <see cref="BinaryBodyFormatter{T}"/> takes a contract.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// An exception of <c>Load</c> becomes a <see cref="MessageFormatException"/> with the code <see cref="MessageFormatErrorCode.BadValue"/> and the
/// cause as the inner exception. It is poison if the cause is about a value: <see cref="ArgumentException"/>, <see cref="FormatException"/>, <see
/// cref="OverflowException"/>, <c>InvalidDataException</c> or <c>EndOfStreamException</c>. An exception of <c>Save</c> passes unchanged.
/// </remarks>
/// <example><code>
/// var formatter = new HandCodedFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class HandCodedFormatter<
#if NET
    [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)]
#endif
    T> : MessageFormatter<T>
    where T : IBinaryBody, new()
{
    private readonly bool _checksDerived = DerivedObjects.AreChecked(typeof(T));

    /// <summary>Creates a formatter.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    public HandCodedFormatter(FormatterLimits? limits = null)
        : base(limits, ContentTypes.Binary, BodyTypes.Binary)
    {
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">For example, the payload is of a derived class (<see cref="AllowDerivedAttribute"/>), which would be
    /// read back as the declared class.</exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        if (_checksDerived && value.GetType() != typeof(T))
            throw DerivedObjects.Refused(value.GetType(), typeof(T), TypeNames.Of(typeof(T)));
        var writer = new BinaryBodyWriter(destination, Limits);
        writer.WriteRecord(value);
        NoteByteCount(writer.Output.Complete());
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        var reader = new BinaryBodyReader(body, Limits);
        T value = Read(ref reader, default);
        reader.EnsureEnd();
        return value;
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses whatever <c>Load</c> reuses. If it fails, the object may be partly filled: <see cref="MessageFormatter{T}.ReadOrClear"/> then clears
    /// the variable.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value)
    {
        var reader = new BinaryBodyReader(body, Limits);
        value = Read(ref reader, value);
        reader.EnsureEnd();
    }

    private static T Read(ref BinaryBodyReader reader, T? existing)
    {
        try
        {
            return reader.ReadRecord(existing);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, TypeNames.Of(typeof(T)));
        }
    }
}
