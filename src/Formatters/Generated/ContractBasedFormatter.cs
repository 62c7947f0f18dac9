using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Formatters.Generated;

namespace Formatters.Generated;

/// <summary>
/// The base of formatters that write and read with a contract, generated or found by reflection. It adds the member path to errors.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>Some contracts found by reflection add the path themselves. Any other is run again after an error, which tracks the path.</remarks>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class ContractBasedFormatter<T> : MessageFormatter<T>
{
    private protected ContractBasedFormatter(FormatterLimits limits, string contentType, int bodyType)
        : base(limits, contentType, bodyType)
    {
    }

    /// <summary>Gets whether <see cref="WriteTraced"/> and <see cref="ReadTraced"/> run the contract again after an error.</summary>
    private protected abstract bool RunsAgain { get; }

    /// <inheritdoc/>
    public sealed override T Read(ReadOnlySpan<byte> body) => Read(body, default(T));

    /// <summary>Reads a body into an existing object.</summary>
    /// <param name="body">The body.</param>
    /// <param name="existing">The object to fill; null for none.</param>
    /// <returns>The object.</returns>
    private protected abstract T Read(ReadOnlySpan<byte> body, T? existing);

    /// <summary>Runs the contract for writing again, tracking the member path.</summary>
    private protected abstract void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value);

    /// <summary>Runs the contract for reading again, tracking the member path.</summary>
    private protected abstract void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset);

    /// <summary>
    /// Filters exceptions of writing: catches the error of a contract that is run again, for <see
    /// cref="Explain(MessageFormatException, T)"/>; adds the name of the type to the member path of any other error, which then passes.
    /// </summary>
    private protected bool IsCaughtElseCompleted(MessageFormatException e) => RunsAgain || e.PrependPath(TypeNames.Of(typeof(T)));

    /// <summary>Filters exceptions of reading, where setters and constructors may throw anything.</summary>
    private protected bool IsCaughtElseCompleted(Exception e) => e is MessageFormatException known ? IsCaughtElseCompleted(known) : BodyFault.Is(e);

    // Called outside the catch block, in which the first run still occupies the stack. Separate, so that code for errors is not loaded with the first
    // write and read of a process.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected MessageFormatException Explain(MessageFormatException error, T value) => TracedRerun.Explain(error, value, WriteTraced);

    /// <summary>Throws for a body that could not be read, or that continues after its value.</summary>
    /// <param name="error">Why it could not be read; null if it could.</param>
    /// <param name="body">The body.</param>
    /// <param name="byteOffset">The offset at which the reader ended.</param>
    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    private protected void Refuse(Exception? error, ReadOnlySpan<byte> body, int byteOffset)
    {
        if (error is null)
            ThrowHelper.ThrowTrailingBytes(byteOffset, body.Length - byteOffset);
        throw RunsAgain
            ? TracedRerun.Explain<T>(error, body, byteOffset, ReadTraced)
            : BodyFault.Refused(byteOffset, error, TypeNames.Of(typeof(T)));
    }

    /// <summary>Caches the contract for default options. Threads may race; one instance wins.</summary>
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
