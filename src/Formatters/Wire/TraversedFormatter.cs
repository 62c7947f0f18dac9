using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;
using Formatters.Custom;
using Formatters.Generated;

namespace Formatters.Generated;

/// <summary>
/// The base of formatters of traversal formats: <see cref="MessagePackFormatter{T}"/>, <see cref="CborFormatter{T}"/>, <see
/// cref="CompactFormatter{T}"/> and <see cref="CustomFormatter{T, TFormat}"/>.
/// </summary>
/// <typeparam name="T">The type of the payload.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TraversedFormatter<T> : ContractBasedFormatter<T>
{
    private readonly TraversedContract<T> _contract;

    private protected TraversedFormatter(TraversedContract<T> contract, FormatterLimits limits, string contentType, int bodyType)
        : base(limits, contentType, bodyType)
    {
        _contract = contract;
    }

    private protected override bool RunsAgain => !_contract.KnowsPath;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = new WireWriter(destination, Limits);
        MessageFormatException? error = null;
        try
        {
            _contract.Write(ref writer, value);
        }
        catch (MessageFormatException e) when (IsCaughtElseCompleted(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        NoteByteCount(writer.Output.Complete());
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes with a parameterless constructor, lists, arrays of equal length, dictionaries (with new keys and values) and equal
    /// strings, if they have exactly the declared type. A member that the body does not have gets the value that a new object has. Structs, and
    /// objects whose constructor takes members, are new. An object that is reachable twice would be filled twice: pass only objects that a formatter
    /// has read. If it fails, the object may be partly filled: <see cref="MessageFormatter{T}.ReadOrClear"/> then clears the variable.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body, value);

    /// <summary>Returns the generated contract of the type, or one found by reflection, which is cached for default options.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private protected static TraversedContract<T> GetContract<TFormat>(TraversalOptions options, ContractFormats format)
        where TFormat : struct, IWireFormat
    {
        if (options.ChangesContract)
            return WireCodecBuilder<TFormat>.Build<T>(options);
        return options.UseGeneratedContract && MessageContract<T>.OfType() is MessageContract<T> contract && contract.Find(format) is not null
            ? contract.For<TFormat>()
            : DefaultCodec<ReflectedContract<TFormat, T>>.Plain ??= WireCodecBuilder<TFormat>.Build<T>(options);
    }

    /// <summary>Returns the traversal of a given contract.</summary>
    private protected static TraversedContract<T> GetContract<TFormat>(MessageContract<T> contract, TraversalOptions? options)
        where TFormat : struct, IWireFormat
    {
        if (contract is null)
            throw new ArgumentNullException(nameof(contract));
        options?.RequireGenerated(typeof(T));
        return contract.For<TFormat>();
    }

    private protected sealed override T Read(ReadOnlySpan<byte> body, T? existing)
    {
        var reader = new WireReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
            ReadPrefix(ref reader);
            value = _contract.Read(ref reader, existing);
        }
        catch (Exception e) when (IsCaughtElseCompleted(e))
        {
            error = e;
        }

        if (error is not null || reader.ByteOffset != body.Length)
            Refuse(error, body, reader.ByteOffset);
        return value;
    }

    /// <summary>Reads what may precede the value of a body.</summary>
    private protected virtual void ReadPrefix(ref WireReader reader)
    {
    }

    private protected override void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new WireWriter(destination, Limits) { Path = path };
        _contract.WriteTraced(ref writer, value);
    }

    private protected override void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new WireReader(body, Limits) { Path = path };
        try
        {
            ReadPrefix(ref reader);
            _contract.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }
}
