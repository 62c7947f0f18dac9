using System;
using System.Buffers;
using System.ComponentModel;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter of a format that the one traversal writes and reads: the base of <see cref="CborFormatter{T}"/> and <see cref="CompactFormatter{T}"/>.</summary>
/// <typeparam name="TFormat">The format.</typeparam>
/// <typeparam name="T">The type of the payload.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class TraversedFormatter<TFormat, T> : MessageFormatter<T>
    where TFormat : struct, IWireFormat
{
    private readonly TraversedContract<T>? _contract;
    private readonly WireCodec<TFormat, T>? _codec;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    private protected TraversedFormatter(string contractName, FormatterLimits? limits, string contentType, MessagePackOptions rules)
        : base(limits, contentType, default(TFormat).BodyType)
    {
        if (!rules.IsDefaultButOrder)
        {
            _codec = WireCodecBuilder<TFormat>.Build<T>(rules);
            return;
        }

        _contract = typeof(T).GetProperty(contractName, BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)?.GetValue(null) as TraversedContract<T>;
        if (_contract is null)
            _codec = DefaultCodec.Codec ??= WireCodecBuilder<TFormat>.Build<T>(rules);
    }

    private protected TraversedFormatter(TraversedContract<T> contract, FormatterLimits? limits, string contentType)
        : base(limits, contentType, default(TFormat).BodyType) =>
        _contract = contract ?? throw new ArgumentNullException(nameof(contract));

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
            if (_contract is not null)
                _contract.Write(ref writer, value);
            else
                _codec!.Write(ref writer, value);
        }
        catch (MessageFormatException e) when (_contract is null && e.PrependPath(TypeNames.Of(typeof(T))))
        {
            throw;
        }
        catch (MessageFormatException e) when (_contract is not null)
        {
            error = e;
        }

        // After the catch clause, within which the stack of the first run is still taken.
        if (error is not null)
            throw SecondRun.Explain(error, value, WriteTraced);
        NoteByteCount(writer.Output.Complete());
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body) => Read(body, default(T));

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes made by a constructor without parameters, lists, arrays of equal length, dictionaries (with new keys and values) and
    /// equal strings, each where it is of exactly the declared type. A member that the body does not have gets the value that a new object has. Structs, and
    /// objects whose constructor takes members, are new. An object that is reachable twice would be filled twice: pass what a formatter has read.
    /// If it fails, the object may be filled in part: <see cref="MessageFormatter{T}.ReadOrClear"/> lets go of it.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => value = Read(body, value);

    private T Read(ReadOnlySpan<byte> body, T? existing)
    {
        var reader = new WireReader(body, Limits);
        T value = default!;
        Exception? error = null;
        try
        {
            value = _contract is not null ? _contract.Read(ref reader, existing) : _codec!.Read(ref reader, existing);
        }
        catch (Exception e) when (_contract is not null && (e is MessageFormatException || BodyFault.Is(e)))
        {
            error = e;
        }
        catch (MessageFormatException e) when (e.PrependPath(TypeNames.Of(typeof(T))))
        {
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, TypeNames.Of(typeof(T)));
        }

        if (error is not null)
            throw SecondRun.Explain<T>(error, body, reader.ByteOffset, ReadTraced);
        reader.Input.EnsureEnd();
        return value;
    }

    private void WriteTraced(IBufferWriter<byte> destination, MemberPath path, T value)
    {
        var writer = new WireWriter(destination, Limits) { Path = path };
        _contract!.WriteTraced(ref writer, value);
    }

    private void ReadTraced(ReadOnlySpan<byte> body, MemberPath path, ref int byteOffset)
    {
        var reader = new WireReader(body, Limits) { Path = path };
        try
        {
            _contract!.ReadTraced(ref reader);
        }
        finally
        {
            byteOffset = reader.ByteOffset;
        }
    }

    /// <summary>The codec by reflection. Two threads may make one twice; one of the two stays.</summary>
    private static class DefaultCodec
    {
        private static volatile WireCodec<TFormat, T>? _codec;

        internal static WireCodec<TFormat, T>? Codec
        {
            get => _codec;
            set => _codec = value;
        }
    }
}
