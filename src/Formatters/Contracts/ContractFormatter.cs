using System;
using System.Buffers;
using Formatters.Generated;

namespace Formatters;

/// <summary>A formatter over a generated contract: the binary wire format at the speed of the best hand-written code, without reflection.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The same bytes, and the same errors at the same offsets, as <see cref="ReflectionFormatter{T}"/> and a hand-written <c>Save</c> and
/// <c>Load</c>: docs/wire/binary.md. Safe for trimming and ahead-of-time compilation.</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is gone through a second time, so that setters may run twice.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ContractFormatter&lt;Order&gt;(Order.MessageContract);
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ContractFormatter<T> : MessageFormatter<T>
{
    private readonly MessageContract<T> _contract;

    /// <summary>Makes a formatter.</summary>
    /// <param name="contract">The generated contract: <c>Order.MessageContract</c>, or a property of a class with <see cref="MessageContractForAttribute"/>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contract"/> is null.</exception>
    public ContractFormatter(MessageContract<T> contract, FormatterLimits? limits = null)
        : base(ContentTypes.Binary, BodyTypes.Binary, limits)
    {
        _contract = contract ?? throw new ArgumentNullException(nameof(contract));
    }

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = new BinaryBodyWriter(destination, Limits);
        MessageFormatException? error = null;
        try
        {
            _contract.Write(ref writer, value);
        }
        catch (MessageFormatException e)
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, value);
        writer.Flush();
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        T value = default!;
        Read(body, ref value, reuse: false);
        return value;
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes made by a constructor without parameters and without <c>init</c> or <c>required</c> members, lists, arrays of equal length,
    /// dictionaries (with new keys and values) and equal strings, each where it is of exactly the declared type. Structs, and objects whose constructor
    /// takes members, are made anew. An object that the graph holds twice would be filled twice: pass what a formatter has read.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value) => Read(body, ref value, reuse: true);

    private void Read(ReadOnlySpan<byte> body, ref T value, bool reuse)
    {
        var reader = new BinaryBodyReader(body, Limits);
        Exception? error = null;
        try
        {
            value = _contract.Read(ref reader, reuse ? value : default);
        }
        catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
        {
            error = e;
        }

        if (error is not null)
            throw Explain(error, body, reader.ByteOffset);
        reader.EnsureEnd();
    }

    // The second run meets the same error at the same place, unless the type's own code gives something else the second time: then the first error
    // stands. It takes place behind the catch clause, within which the stack of the first run is still taken.
    private MessageFormatException Explain(Exception error, ReadOnlySpan<byte> body, int byteOffset)
    {
        var first = error as MessageFormatException;
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        if (error is OutOfMemoryException)
            return BodyFault.Refused(byteOffset, error, path.ToString());
        var reader = new BinaryBodyReader(body, Limits) { Path = path };
        try
        {
            _contract.ReadTraced(ref reader);
        }
        catch (MessageFormatException e) when (first is null || e.Code == first.Code && e.ByteOffset == first.ByteOffset)
        {
            e.PrependPath(path.ToString());
            return e;
        }
        catch (Exception e) when (first is null && BodyFault.Is(e))
        {
            return BodyFault.Refused(reader.ByteOffset, e, path.ToString());
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first ?? BodyFault.Refused(byteOffset, error);
    }

    private MessageFormatException Explain(MessageFormatException first, T value)
    {
        var path = new MemberPath(TypeNames.Of(typeof(T)));
        using var buffer = new PooledBufferWriter();
        try
        {
            var writer = new BinaryBodyWriter(buffer, Limits) { Path = path };
            _contract.WriteTraced(ref writer, value);
        }
        catch (MessageFormatException e) when (e.Code == first.Code)
        {
            e.PrependPath(path.ToString());
            return e;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first;
    }
}

#if NET
/// <summary>Makes formatters of types that bring their contract.</summary>
public static class ContractFormatter
{
    /// <summary>Makes a formatter. Not on netstandard2.0: there give <c>T.MessageContract</c> to the constructor.</summary>
    /// <typeparam name="T">A type with <see cref="MessageContractAttribute"/>.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    public static ContractFormatter<T> Create<T>(FormatterLimits? limits = null)
        where T : IMessageContract<T> =>
        new(T.MessageContract, limits);
}
#endif
