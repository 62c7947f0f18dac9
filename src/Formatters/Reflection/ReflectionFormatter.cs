using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>A formatter for any public class or struct, without annotation: the binary wire format, with a contract found by reflection.</summary>
/// <typeparam name="T">The type of the payload: a record of members, or a collection or single value of those below.</typeparam>
/// <remarks>
/// <para>The bytes are those of a hand-coded <c>Save</c> over <c>System.IO.BinaryWriter</c> that writes the members in order: those of base classes
/// first; of each class first its fields, then its properties, each as declared. Wire format and contract: docs/wire/binary.md.</para>
/// <para>Members are the public instance fields, and the public properties with a getter and a setter, <c>init</c>, or a constructor parameter of their name.
/// Those with <c>[IgnoreDataMember]</c>, <c>[XmlIgnore]</c> or <c>[NonSerialized]</c> are left out. Values are those of <see cref="BinaryBodyWriter"/>,
/// enums, <c>byte[]</c>, <c>T[]</c>, <c>List&lt;T&gt;</c>, <c>Dictionary&lt;TKey, TValue&gt;</c> and their interfaces, sets, queues, immutable and other
/// collections of the base library, <c>ArrayList</c> and <c>Hashtable</c> with declared element types (<see cref="ElementTypeAttribute"/>),
/// <c>Nullable&lt;T&gt;</c>, tuples, key-value pairs, other records, unions (<see cref="MessageUnionAttribute"/>), types with their own <c>Save</c> and
/// <c>Load</c> (<see cref="IBinaryBody"/>), which these then write and read, the payload too, unless <see cref="ReflectionOptions.UseOwnBodies"/> says
/// otherwise, and what has a formatter of its own (<see cref="MessageFormatterAttribute"/>).</para>
/// <para>A member declared nullable (<c>string?</c>, <c>int?</c>) has a presence byte before it; a null in any other is an error. Code without
/// nullable annotations declares no null. An object of a class derived from the declared one is an error of writing, unless
/// <see cref="AllowDerivedAttribute"/> or <see cref="ReflectionOptions.WithDerived"/> allows it.</para>
/// <para>With <see cref="ReflectionOptions.Format"/> <see cref="ContractFormats.Versioned"/> the same for the versioned wire format, docs/wire/versioned.md:
/// every member needs a number then (<see cref="MessageMemberAttribute"/>).</para>
/// <para>Errors carry the member path. To find it, a body (or an object) with an error is gone through a second time, so that setters may run twice.</para>
/// <para>A dictionary with keys that are not strings is made with a comparer that hashes under a random key, so that no sender can choose keys
/// that collide.</para>
/// </remarks>
/// <example><code>
/// var formatter = new ReflectionFormatter&lt;Order&gt;();
/// byte[] body = formatter.Write(order);
/// Order same = formatter.Read(body);
/// </code></example>
public sealed class ReflectionFormatter<T> : MessageFormatter<T>
{
    private readonly ValueContract _contract;
    private readonly bool _isVersioned;
#if NET
    private readonly CompiledContract<T>? _compiled;
#endif

    /// <summary>Creates a formatter: finds the contract of the type, and compiles it where the runtime can.</summary>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <param name="options">The options; null means <see cref="ReflectionOptions.Default"/>.</param>
    /// <exception cref="ArgumentException">
    /// The type has no contract: a member of an interface, an abstract class, <see cref="object"/>, a delegate or
    /// another type without one; no usable constructor; a record in itself that cannot be null. The message names the member.
    /// </exception>
    /// <remarks>The contract under the default options is kept: a second formatter for the type costs little.</remarks>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    public ReflectionFormatter(FormatterLimits? limits = null, ReflectionOptions? options = null)
        : base(
            limits, IsVersioned(options) ? ContentTypes.Versioned : ContentTypes.Binary, IsVersioned(options) ? BodyTypes.Versioned : BodyTypes.Binary)
    {
        options ??= ReflectionOptions.Default;
        _isVersioned = IsVersioned(options);
        _contract = options.ChangesContract ? ContractBuilder.Build(typeof(T), options) : ReflectionCache<T>.Contract;
#if NET
        if (options.UseCompiledCode && !_isVersioned && System.Runtime.CompilerServices.RuntimeFeature.IsDynamicCodeCompiled)
            _compiled = options.ChangesContract ? new CompiledContract<T>(_contract) : ReflectionCache<T>.Compiled;
#endif
    }

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        var writer = _isVersioned ? new BinaryBodyWriter(destination, Limits, GetSizeHint(value)) : new BinaryBodyWriter(destination, Limits);
#if NET
        if (_compiled is not null)
        {
            MessageFormatException? error = null;
            try
            {
                _compiled.Write(ref writer, value);
            }
            catch (MessageFormatException e)
            {
                error = e;
            }

            if (error is not null)
                throw Explain(error, value);
        }
        else
#endif
        {
            if (_isVersioned)
                writer.Output.BeginOpen();
            WritePlain(ref writer, value);
            if (_isVersioned)
                writer.Output.EndOpen();
        }

        NoteByteCount(writer.Output.Complete());
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        var reader = new BinaryBodyReader(body, Limits);
        T value = default!;
#if NET
        if (_compiled is not null)
        {
            Exception? error = null;
            try
            {
                value = _compiled.Read(ref reader);
            }
            catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
            {
                error = e;
            }

            if (error is not null)
                throw Explain(error, body, reader.ByteOffset);
        }
        else
#endif
        {
            value = ReadPlain(ref reader, null);
        }

        reader.EnsureEnd();
        return value;
    }

    /// <inheritdoc/>
    /// <remarks>
    /// Reuses objects of classes made by a constructor without parameters, lists, arrays of equal length, dictionaries (with new keys and values) and equal
    /// strings, each where it is of exactly the declared type. Structs, and objects whose constructor takes members, are new. An object that the graph holds
    /// twice would be filled twice: pass what a formatter has read. If it fails, the object may be filled in part:
    /// <see cref="MessageFormatter{T}.ReadOrClear"/> clears the variable then.
    /// </remarks>
    public override void Read(ReadOnlySpan<byte> body, ref T value)
    {
        var reader = new BinaryBodyReader(body, Limits);
#if NET
        if (_compiled is not null)
        {
            Exception? error = null;
            try
            {
                value = _compiled.Overwrite(ref reader, value);
            }
            catch (Exception e) when (e is MessageFormatException || BodyFault.Is(e))
            {
                error = e;
            }

            if (error is not null)
                throw Explain(error, body, reader.ByteOffset);
        }
        else
#endif
        {
            value = ReadPlain(ref reader, value);
        }

        reader.EnsureEnd();
    }

    private static bool IsVersioned(ReflectionOptions? options) => options?.Format == ContractFormats.Versioned;

    private void WritePlain(ref BinaryBodyWriter writer, T value)
    {
        try
        {
            _contract.Write(ref writer, value);
        }
        catch (MessageFormatException e)
        {
            e.PrependPath(TypeNames.Of(typeof(T)));
            throw;
        }
    }

    private T ReadPlain(ref BinaryBodyReader reader, object? existing)
    {
        try
        {
            return (T)_contract.Read(ref reader, existing)!;
        }
        catch (MessageFormatException e)
        {
            e.PrependPath(TypeNames.Of(typeof(T)));
            throw;
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.ByteOffset, e, TypeNames.Of(typeof(T)));
        }
    }

#if NET
    /// <summary>
    /// Compiled code does not know the member path: keeping it up to date would cost every good body. The plain engine meets the same error at the same
    /// place and knows it: after the catch clause, within which the stack of the first run is still taken. Where it does not, because the object or its code
    /// gives something else the second time, the first error stands.
    /// </summary>
    private MessageFormatException Explain(Exception error, ReadOnlySpan<byte> body, int byteOffset)
    {
        var first = error as MessageFormatException;
        if (error is OutOfMemoryException)
            return BodyFault.Refused(byteOffset, error, TypeNames.Of(typeof(T)));
        try
        {
            var reader = new BinaryBodyReader(body, Limits);
            ReadPlain(ref reader, null);
        }
        catch (MessageFormatException e) when (first is null || e.Code == first.Code && e.ByteOffset == first.ByteOffset)
        {
            return e;
        }
        catch (MessageFormatException)
        {
        }

        return first ?? BodyFault.Refused(byteOffset, error);
    }

    private MessageFormatException Explain(MessageFormatException first, T value)
    {
        using var buffer = new PooledBufferWriter();
        try
        {
            var writer = new BinaryBodyWriter(buffer, Limits);
            WritePlain(ref writer, value);
        }
        catch (MessageFormatException e) when (e.Code == first.Code)
        {
            return e;
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
        }

        return first;
    }
#endif
}
