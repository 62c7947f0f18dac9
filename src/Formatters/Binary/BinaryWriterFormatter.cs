using System;
using System.Buffers;
using System.Diagnostics.CodeAnalysis;
using System.IO;
using System.Reflection;
using System.Text;
using Formatters.Binary;

namespace Formatters;

/// <summary>Writes and reads bodies of the binary format with a type's existing <c>Save(BinaryWriter)</c> and <c>Load(BinaryReader)</c>. New code
/// uses <see cref="BinaryBodyFormatter{T}"/>, or <see cref="HandCodedFormatter{T}"/> if it writes its own bytes.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>
/// <para>The pair gets a <see cref="BinaryWriter"/> and a <see cref="BinaryReader"/> that work on memory directly and are reused, so that it also
/// gets faster without being changed. <c>BaseStream</c> and <c>Seek</c> work.</para>
/// <para>The reader is strict where <see cref="BinaryReader"/> is not: text must be UTF-8, a bool 0 or 1, a string's length not padded,
/// <c>ReadBytes</c> and <c>ReadChars</c> must find all they ask for and allocate nothing otherwise; and nothing may remain after the value. Nested
/// records are not counted, but reading and writing stop before the stack overflows. The formatter cannot see what the code does with a count that it
/// has read: check the count before allocating, or move to <see cref="IBinaryBody"/>.</para>
/// <para>An exception of <c>Load</c> becomes a <see cref="MessageFormatException"/> with the code <see cref="MessageFormatErrorCode.BadValue"/> and
/// the cause as the inner exception. It is poison if the cause is about a value (as for <see cref="HandCodedFormatter{T}"/>). An <see
/// cref="OutOfMemoryException"/>, from a count that <c>Load</c> took on trust, becomes <see cref="MessageFormatErrorCode.LimitExceeded"/> and is not
/// poison.</para>
/// </remarks>
public sealed class BinaryWriterFormatter<T> : MessageFormatter<T>
{
    private readonly Action<T, BinaryWriter> _save;
    private readonly Func<BinaryReader, T> _load;

    /// <summary>Creates a formatter from two delegates.</summary>
    /// <param name="save">Writes a value.</param>
    /// <param name="load">Reads a value.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException">A delegate is null.</exception>
    public BinaryWriterFormatter(Action<T, BinaryWriter> save, Func<BinaryReader, T> load, FormatterLimits? limits = null)
        : base(limits, ContentTypes.Binary, BodyTypes.Binary)
    {
        _save = save ?? throw new ArgumentNullException(nameof(save));
        _load = load ?? throw new ArgumentNullException(nameof(load));
    }

    /// <inheritdoc/>
    /// <remarks>Exceptions of <c>Save</c> pass through; <paramref name="destination"/> has received nothing then.</remarks>
    public override void Write(IBufferWriter<byte> destination, T value)
    {
        if (destination is null)
            throw new ArgumentNullException(nameof(destination));
        if (value is null)
            throw new ArgumentNullException(nameof(value));
        MemoryBinaryWriter writer = MemoryBinaryWriter.Rent(Limits);
        _save(value, writer);
        CheckBodyByteCount(writer.Stream.WrittenSpan.Length);
        destination.Write(writer.Stream.WrittenSpan);
        NoteByteCount(writer.Stream.WrittenSpan.Length);

        // Not in a finally block: after an exception, a writer or reader may hold half a character, and is left to the garbage collector.
        writer.Return();
    }

    /// <inheritdoc/>
    public override T Read(ReadOnlySpan<byte> body)
    {
        CheckBodyByteCount(body.Length);
        MemoryBinaryReader reader = MemoryBinaryReader.Rent(body);
        try
        {
            T value = _load(reader);
            long position = reader.Stream.Position;
            if (position < body.Length)
                ThrowHelper.ThrowTrailingBytes(position, body.Length - position);
            reader.Return();
            return value;
        }
        catch (MessageFormatException e)
        {
            e.PrependPath(TypeNames.Of(typeof(T)));
            throw;
        }
        catch (EndOfStreamException e)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.Truncated, "The body ends too early.", body.Length, TypeNames.Of(typeof(T)), isPoison: true, e);
        }
        catch (DecoderFallbackException)
        {
            throw new MessageFormatException(
                MessageFormatErrorCode.BadText, "The string is not valid UTF-8.", reader.Stream.Position, TypeNames.Of(typeof(T)), isPoison: true);
        }
        catch (Exception e) when (BodyFault.Is(e))
        {
            throw BodyFault.Refused(reader.Stream.Position, e, TypeNames.Of(typeof(T)));
        }
    }
}

/// <summary>Creates a <see cref="BinaryWriterFormatter{T}"/> from a type's instance methods.</summary>
public static class BinaryWriterFormatter
{
    /// <summary>Creates a formatter from a pair whose <c>Load</c> fills a new object.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="save">Writes a value: <c>(order, writer) => order.Save(writer)</c>.</param>
    /// <param name="load">Fills a new object: <c>(order, reader) => order.Load(reader)</c>.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentNullException">A delegate is null.</exception>
    public static BinaryWriterFormatter<T> Create<T>(Action<T, BinaryWriter> save, Action<T, BinaryReader> load, FormatterLimits? limits = null)
        where T : class, new()
    {
        if (load is null)
            throw new ArgumentNullException(nameof(load));
        return new BinaryWriterFormatter<T>(
            save,
            reader =>
            {
                var value = new T();
                load(value, reader);
                return value;
            },
            limits);
    }

    /// <summary>Creates a formatter from the public methods <c>void Save(BinaryWriter)</c> and <c>void Load(BinaryReader)</c> of a class.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>The formatter.</returns>
    /// <exception cref="ArgumentException"><typeparamref name="T"/> lacks one of the methods.</exception>
    public static BinaryWriterFormatter<T> Create<
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods | DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)]
#endif
        T>(FormatterLimits? limits = null)
        where T : class, new() =>
        Create(
            (Action<T, BinaryWriter>)Find(typeof(T), "Save", typeof(BinaryWriter)).CreateDelegate(typeof(Action<T, BinaryWriter>)),
            (Action<T, BinaryReader>)Find(typeof(T), "Load", typeof(BinaryReader)).CreateDelegate(typeof(Action<T, BinaryReader>)),
            limits);

    private static MethodInfo Find(
#if NET
        [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicMethods)]
#endif
        Type type,
        string name,
        Type parameter) =>
        type.GetMethod(name, BindingFlags.Instance | BindingFlags.Public, binder: null, [parameter], modifiers: null) is { } method
        && method.ReturnType == typeof(void)
            ? method
            : throw new ArgumentException($"{type} has no public method void {name}({parameter.Name}).");
}
