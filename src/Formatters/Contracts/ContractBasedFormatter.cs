using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters;

/// <summary>The base of formatters that write and read by a contract, generated or found by reflection: it adds the member path to their errors.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>Codecs found by reflection add the path themselves. Generated code does not know it: a second run finds it out.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ContractBasedFormatter<T> : MessageFormatter<T>
{
    private protected ContractBasedFormatter(FormatterLimits limits, string contentType, int bodyType)
        : base(limits, contentType, bodyType)
    {
    }

    /// <summary>Whether the contract is generated: <see cref="WriteTraced"/> and <see cref="ReadTraced"/> run it again after an error.</summary>
    private protected abstract bool IsGenerated { get; }

    /// <inheritdoc/>
    public sealed override T Read(ReadOnlySpan<byte> body) => Read(body, default(T));

    /// <summary>Reads a body, over an object that exists.</summary>
    /// <param name="body">The body.</param>
    /// <param name="existing">The object to fill; null for none.</param>
    /// <returns>The object.</returns>
    private protected abstract T Read(ReadOnlySpan<byte> body, T? existing);

    /// <summary>Generated code again, keeping the member path.</summary>
    private protected abstract void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value);

    /// <summary>Generated code again, keeping the member path.</summary>
    private protected abstract void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset);

    /// <summary>For the filter of a catch clause around writing: completes the error of a codec, which passes; keeps that of generated code, for
    /// <see cref="Explain(MessageFormatException, T)"/>.</summary>
    private protected bool IsUnexplained(MessageFormatException e) => IsGenerated || e.PrependPath(TypeNames.Of(typeof(T)));

    /// <summary>The same around reading, where setters and constructors may throw anything.</summary>
    private protected bool IsUnexplained(Exception e) => e is MessageFormatException known ? IsUnexplained(known) : BodyFault.Is(e);

    // After the catch clause, within which the stack of the first run is still taken. Apart, so that what is for errors alone is not loaded with the
    // first write and the first read of a process.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected MessageFormatException Explain(MessageFormatException error, T value) => SecondRun.Explain(error, value, WriteTraced);

    /// <summary>Refuses a body that could not be read, or that goes on behind what was read.</summary>
    /// <param name="error">Why it could not be read; null if it could.</param>
    /// <param name="body">The body.</param>
    /// <param name="byteOffset">Where the reader ended.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected void Refuse(Exception? error, ReadOnlySpan<byte> body, int byteOffset)
    {
        if (error is null)
            ThrowHelper.ThrowTrailingBytes(byteOffset, body.Length - byteOffset);
        throw IsGenerated ? SecondRun.Explain<T>(error, body, byteOffset, ReadTraced) : BodyFault.Refused(byteOffset, error, TypeNames.Of(typeof(T)));
    }

    /// <summary>The codecs under the default options. Two threads may make one twice; one of the two stays.</summary>
    private protected static class DefaultCodec<TCodec>
        where TCodec : class
    {
        private static volatile TCodec? _plain;

        internal static TCodec? Plain
        {
            get => _plain;
            set => _plain = value;
        }
    }
}
