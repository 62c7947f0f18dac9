using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Contracts;
using Formatters.Generated;

namespace Formatters.Generated;

/// <summary>The base of <see cref="BinaryBodyFormatter{T}"/> and <see cref="VersionedFormatter{T}"/>.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class BinaryContractFormatter<T> : ContractBasedFormatter<T>
{
    private readonly BinaryCodec<T> _contract;
    private readonly bool _isVersioned;
    private readonly bool _notesByteCount;
    private readonly bool _useUtf16;

    private protected BinaryContractFormatter(BinaryCodec<T> contract, FormatterLimits limits, bool useUtf16, string contentType, int bodyType)
        : base(limits, contentType, bodyType)
    {
        _contract = contract;
        _useUtf16 = useUtf16;
        _isVersioned = bodyType == BodyTypes.Versioned;
        // Generated code of the binary format knows the size of its next members: a hint would cost more than it saves.
        _notesByteCount = _isVersioned || contract is ReflectedBinaryContract<T>;
    }

    /// <summary>Returns the generated contract of the type, or one found by reflection, which is cached for default options.</summary>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private protected static BinaryCodec<T> GetContract(ContractOptions options, ContractFormats format)
    {
        if (options.ChangesContract)
            return new ReflectedBinaryContract<T>(options);
        return (options.UseGeneratedContract ? MessageContract<T>.OfType()?.Find(format) as BinaryCodec<T> : null)
            ?? (!options.CompilesCode
                ? new ReflectedBinaryContract<T>(options)
                : options.IsVersioned
                ? DefaultVersioned.Codec ??= new ReflectedBinaryContract<T>(options)
                : DefaultCodec<ReflectedBinaryContract<T>>.Plain ??= new ReflectedBinaryContract<T>(options));
    }

    private protected override bool RunsAgain => !_contract.KnowsPath;

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        // A versioned body stays in one span until its length is known: the size of recent bodies determines the span to request.
        int sizeHint = _isVersioned ? GetSizeHint(value) + BinaryBodyWriter.SpareByteCount : 0;
        var writer = new BinaryBodyWriter(destination, Limits, sizeHint, _useUtf16);
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
        int byteCount = writer.Output.Complete();
        if (_notesByteCount)
            NoteByteCount(byteCount);
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes with a parameterless constructor and without <c>init</c> or <c>required</c> members, lists, arrays of equal length,
    /// dictionaries (with new keys and values) and equal strings, if they have exactly the declared type. Structs, and objects whose constructor
    /// takes members, are new. Members that are missing in a versioned body get the value of a new object, not that of the existing one. An object
    /// that is reachable twice would be filled twice: pass only objects that a formatter has read. If it fails, the object may be partly filled: <see
    /// cref="MessageFormatter{T}.ReadOrClear"/> then clears the variable.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body, value);

    private protected sealed override T Read(ReadOnlySpan<byte> body, T? existing)
    {
        var reader = new BinaryBodyReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
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

    private protected override void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new BinaryBodyWriter(destination, Limits, 0, _useUtf16) { Path = path };
        _contract.WriteTraced(ref writer, value);
    }

    private protected override void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new BinaryBodyReader(body, Limits) { Path = path };
        try
        {
            _contract.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }

    /// <summary>Caches the contract for default options in the versioned format.</summary>
    private static class DefaultVersioned
    {
        internal static volatile ReflectedBinaryContract<T>? Codec;
    }
}
