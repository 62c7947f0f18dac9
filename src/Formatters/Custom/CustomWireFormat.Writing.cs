// docs/wire/custom.md, "Values".
using System;
using System.Buffers.Text;
using System.Numerics;
using Formatters.Custom;

namespace Formatters.Generated;

internal readonly partial struct CustomWireFormat<TFormat>
{
    private const int GuidByteCount = 36;
    private const int DateByteCount = 10;

    /// <inheritdoc/>
    public ref byte WriteNull(ref WireWriter writer, ref byte position)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteNull(ref writer);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, bool value)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteBoolean(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, int value) => ref Write(ref writer, ref position, (long)value);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, long value)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteInteger(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, ulong value)
    {
        if (value <= long.MaxValue)
            return ref Write(ref writer, ref position, (long)value);
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteUnsigned(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, float value) => ref Write(ref writer, ref position, (double)value);

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, double value)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteDouble(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, decimal value)
    {
        Span<byte> text = stackalloc byte[Decimals.MaxTextByteCount];
        return ref WriteUtf8(ref writer, ref position, text.Slice(0, Decimals.Format(ref text[0], value)));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTime value)
    {
        Span<byte> text = stackalloc byte[DateText.MaxByteCount];
        return ref WriteUtf8(ref writer, ref position, text.Slice(0, DateText.Format(ref text[0], value)));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, DateTimeOffset value)
    {
        Span<byte> text = stackalloc byte[DateText.MaxByteCount];
        return ref WriteUtf8(ref writer, ref position, text.Slice(0, DateText.Format(ref text[0], value)));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, Guid value)
    {
        Span<byte> text = stackalloc byte[GuidByteCount];
        Utf8Formatter.TryFormat(value, text, out _);
        return ref WriteUtf8(ref writer, ref position, text);
    }

    /// <inheritdoc/>
    public ref byte WriteDate(ref WireWriter writer, ref byte position, int dayNumber)
    {
        Span<byte> text = stackalloc byte[DateText.MaxByteCount];
        DateText.Format(ref text[0], new DateTime(dayNumber * TimeSpan.TicksPerDay));
        return ref WriteUtf8(ref writer, ref position, text.Slice(0, DateByteCount));
    }

    /// <inheritdoc/>
    public ref byte Write(ref WireWriter writer, ref byte position, BigInteger value) =>
        ref WriteBytes(ref writer, ref position, value.ToByteArray());

    /// <inheritdoc/>
    public ref byte WriteWide(ref WireWriter writer, ref byte position, ulong high, ulong low, bool isSigned)
    {
        Span<byte> bytes = stackalloc byte[16];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(bytes, low);
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64LittleEndian(bytes.Slice(8), high);
        return ref WriteBytes(ref writer, ref position, bytes);
    }

    /// <inheritdoc/>
    public ref byte WriteUri(ref WireWriter writer, ref byte position, string value) =>
        ref WireCode.WriteText<CustomWireFormat<TFormat>>(ref writer, ref position, value, 0);

    /// <inheritdoc/>
    public ref byte WriteBytes(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteBytes(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte WriteUtf8(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<byte> value)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteString(ref writer, value);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <summary>Not supported: strings are written by <see cref="WriteUtf8"/>.</summary>
    public ref byte WriteTextHeader(ref byte position, int byteCount) => throw new NotSupportedException();

#if NET
    /// <inheritdoc/>
    public ref byte WriteNumbers<T>(ref WireWriter writer, ref byte position, scoped ReadOnlySpan<T> numbers)
        where T : unmanaged => ref WireCode.WriteEach<CustomWireFormat<TFormat>, T>(ref writer, ref position, numbers);

    /// <inheritdoc/>
    public int ReadNumbers<T>(ref WireReader reader, scoped Span<T> numbers)
        where T : unmanaged => 0;
#endif

    /// <inheritdoc/>
    public ref byte WriteArrayHeader(ref WireWriter writer, ref byte position, int count)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteArrayHeader(ref writer, count);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    /// <inheritdoc/>
    public ref byte WriteMapHeader(ref WireWriter writer, ref byte position, int count)
    {
        long start = Begin(ref writer, ref position);
        try
        {
            default(TFormat).WriteMapHeader(ref writer, count);
        }
        catch (Exception e) when (CustomWireFormatFault.IsOfWriting(e))
        {
            throw CustomWireFormatFault.Writing(e, Name);
        }

        return ref End(ref writer, start);
    }

    private static long Begin(ref WireWriter writer, ref byte position)
    {
        writer.End(ref position);
        return writer.Output.BytesWritten;
    }

    private static ref byte End(ref WireWriter writer, long start)
    {
        if (writer.Output.BytesWritten <= start)
            throw CustomWireFormatFault.WroteNothing(Name);
        return ref writer.Output.Position;
    }
}
