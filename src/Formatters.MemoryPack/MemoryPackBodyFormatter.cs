using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using MemoryPack;

namespace Formatters;

/// <summary>MemoryPack bodies, for types with its attributes.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The bytes are those of <c>MemoryPackSerializer.Serialize</c>. They carry neither names nor types: a body of another type may be read without
/// an error.</para>
/// <para>The library trusts its bodies. Two faults that end the process are caught here: a body that is nested more deeply than the stack allows, and
/// a string with a length close to 2 GiB. A body with four bytes that might be such a length (numbers may have them, too) is read twice.</para>
/// <para>Limits: body size in both directions. The library checks counts against the remaining bytes. It counts depth only when it writes (1,000
/// levels); here, reading ends with <see cref="MessageFormatErrorCode.DepthExceeded"/> when the stack is nearly used up.
/// <see cref="FormatterLimits.MaxDepth"/>,
/// <see cref="FormatterLimits.MaxElementCount"/>, <see cref="FormatterLimits.MaxAllocationFactor"/> and
/// <see cref="FormatterLimits.RefuseInvalidText"/> do not apply. Null is neither written nor read as the payload itself.</para>
/// </remarks>
/// <example><code>
/// var formatter = new MemoryPackBodyFormatter&lt;Order&gt;();          // [MemoryPackable] partial class Order
/// var wide = new MemoryPackBodyFormatter&lt;Order&gt;(MemoryPackSerializerOptions.Utf16);
/// </code></example>
public sealed class MemoryPackBodyFormatter<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.All)] T> : MessageFormatter<T>
{
    private readonly MemoryPackSerializerOptions _options;

    /// <summary>Whether bodies can be nested without limit, so that the stack must be checked while they are read.</summary>
    private readonly bool _canNest = NestedTypes.CanNest(typeof(T));

    /// <summary>Creates a formatter that writes UTF-8 strings.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentException">MemoryPack has no formatter for <typeparamref name="T"/>.</exception>
    public MemoryPackBodyFormatter(FormatterLimits? limits = null)
        : this(MemoryPackSerializerOptions.Default, limits)
    {
    }

    /// <summary>Creates a formatter.</summary>
    /// <param name="options">The library's options: the encoding of strings that are written. Strings of both encodings are read.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException">MemoryPack has no formatter for <typeparamref name="T"/>.</exception>
    public MemoryPackBodyFormatter(MemoryPackSerializerOptions options, FormatterLimits? limits = null)
        : base("application/x-memorypack", 0x4621, limits)
    {
        ArgumentNullException.ThrowIfNull(options);
        _options = options;
        using MemoryPackReaderOptionalState state = MemoryPackReaderOptionalStatePool.Rent(options);
        using var reader = new MemoryPackReader(ReadOnlySpan<byte>.Empty, state);
        // A type without a contract has a formatter of the library that throws; it is internal.
        Type found = reader.GetFormatter<T>().GetType();
        if (found.Assembly == typeof(MemoryPackSerializer).Assembly && found.Name.StartsWith("ErrorMemoryPackFormatter", StringComparison.Ordinal))
            throw new ArgumentException($"MemoryPack has no formatter for {typeof(T)}: add [MemoryPackable] to the type, which must be partial.");
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">
    /// Beyond a limit; a cycle; or an exception of the library, as <see cref="MessageFormatErrorCode.BadValue"/> with the cause as the inner
    /// exception.
    /// </exception>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(value);
        var output = new Output(destination, Limits.MaxBodyByteCount);
        try
        {
            MemoryPackSerializer.Serialize(in output, in value, _options);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw IsTooDeep(e)
                ? new MessageFormatException(
                    MessageFormatErrorCode.DepthExceeded, "The object graph is deeper than 1,000 levels, or has a cycle.",
                        memberPath: typeof(T).Name, innerException: e)
                : LibraryFault.Writing(e, typeof(T));
        }

        NoteByteCount((int)output.WrittenCount);
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        T? value = default;
        ReadCore(body, ref value);
        return value!;
    }

    /// <inheritdoc/>
    /// <remarks>The library fills the existing object, its arrays and its lists.</remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => ReadCore(body, ref value!);

    private void ReadCore(ReadOnlySpan<byte> body, ref T? value)
    {
        CheckBodyByteCount(body.Length);
        int consumed;
        try
        {
            if (StringHeaders.CopyChecked(body) is { } copy)
            {
                T? probe = default;
                Deserialize(copy, ref probe);
            }

            consumed = Deserialize(body, ref value);
        }
        catch (Exception e) when (LibraryFault.Is(e))
        {
            throw LibraryFault.Reading(e, typeof(T), -1, body.Length);
        }

        if (consumed != body.Length)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.TrailingBytes, $"{body.Length - consumed} bytes remain after the value.", consumed, isPoison: true);
        }

        if (value is null)
            throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, "The body is null.", 0, typeof(T).Name, isPoison: true);
    }

    /// <summary>Determines whether the library has reached its depth limit. It has one exception type, without a code, for all that it refuses to
    /// write.</summary>
    private static bool IsTooDeep(Exception e) =>
        e is MemoryPackSerializationException && e.Message.Contains("depth limit", StringComparison.Ordinal);

    private int Deserialize(ReadOnlySpan<byte> body, ref T? value) =>
        _canNest ? StackCheckedBody.Read(body, ref value, _options) : MemoryPackSerializer.Deserialize(body, ref value, _options);

    /// <summary>Counts bytes. A struct, so that the library's generic writer is compiled for it and calls no interface for each value.</summary>
    private struct Output(IBufferWriter<byte> destination, int maxByteCount) : IBufferWriter<byte>
    {
        public long WrittenCount { get; private set; }

        public void Advance(int count)
        {
            WrittenCount += count;
            if (WrittenCount > maxByteCount)
            {
                throw new MessageFormatException(
                    MessageFormatErrorCode.LimitExceeded,
                    $"The body has {WrittenCount} bytes or more; the limit is {maxByteCount} (FormatterLimits.MaxBodyByteCount).");
            }

            destination.Advance(count);
        }

        public readonly Memory<byte> GetMemory(int sizeHint = 0) => destination.GetMemory(sizeHint);

        public readonly Span<byte> GetSpan(int sizeHint = 0) => destination.GetSpan(sizeHint);
    }
}
