using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace Formatters.SignalR;

/// <summary>Writes and reads the values of one type.</summary>
internal abstract class ValueFormatter
{
    internal abstract object? Read(ReadOnlySpan<byte> value);

    internal abstract void Write(IBufferWriter<byte> destination, object value);
}

/// <inheritdoc/>
internal sealed class ValueFormatter<T>(MessageFormatter<T> formatter) : ValueFormatter
{
    internal override object? Read(ReadOnlySpan<byte> value) => formatter.Read(value);

    internal override void Write(IBufferWriter<byte> destination, object value) => formatter.Write(destination, (T)value);

    /// <summary>Creates a formatter with the generated contract of the type, or one by reflection.</summary>
    internal static ValueFormatter Create(MessagePackOptions options) => new ValueFormatter<T>(new MessagePackFormatter<T>(options));
}

/// <summary>Writes a sequence as an array.</summary>
internal sealed class SequenceFormatter<T>(ValueFormatter elements) : ValueFormatter
{
    internal override object? Read(ReadOnlySpan<byte> value) => throw new NotSupportedException("A sequence is only written.");

    internal override void Write(IBufferWriter<byte> destination, object value) => elements.Write(destination, ((IEnumerable<T>)value).ToArray());

    internal static ValueFormatter Create(MessagePackOptions options) => new SequenceFormatter<T>(ValueFormatter<T[]>.Create(options));
}

/// <summary>Reads a value whose type is not known, such as a result that the caller does not ask for. It is not written.</summary>
internal sealed class UntypedFormatter(FormatterLimits limits) : ValueFormatter
{
    internal override object? Read(ReadOnlySpan<byte> value)
    {
        var reader = new MessagePackBodyReader(value, limits);
        return Read(ref reader);
    }

    internal override void Write(IBufferWriter<byte> destination, object value) =>
        throw new NotSupportedException($"{value.GetType()} has no contract.");

    private static object? Read(ref MessagePackBodyReader reader)
    {
        switch (reader.NextType)
        {
            case MessagePackType.Nil:
                reader.TryReadNil();
                return null;
            case MessagePackType.Boolean:
                return reader.ReadBoolean();
            case MessagePackType.Integer:
                return ReadInteger(reader.ReadRaw());
            case MessagePackType.Float:
                return reader.ReadDouble();
            case MessagePackType.String:
                return reader.ReadString();
            case MessagePackType.Binary:
                return reader.ReadBytes();
            case MessagePackType.Array:
                object?[] elements = new object?[reader.ReadArrayHeader(IntPtr.Size)];
                reader.Enter();
                for (int i = 0; i < elements.Length; i++)
                    elements[i] = Read(ref reader);
                reader.Leave();
                return elements;
            case MessagePackType.Map:
                int count = reader.ReadMapHeader(2 * IntPtr.Size);
                var entries = new Dictionary<object, object?>();
                reader.Enter();
                for (int i = 0; i < count; i++)
                {
                    object key = Read(ref reader) ?? throw Bad("A key is nil.");
                    if (key is not (string or long or ulong or bool) || !entries.TryAdd(key, Read(ref reader)))
                        throw Bad("A key is not a string or number, or occurs twice.");
                }

                reader.Leave();
                return entries;
            default:
                // A timestamp.
                return reader.ReadDateTime();
        }
    }

    private static object ReadInteger(ReadOnlySpan<byte> value) => MessagePackEncoding.TryReadInt64(value, out long signed, out _) ? signed
        : MessagePackEncoding.TryReadUInt64(value, out ulong unsigned, out _) ? unsigned
        : throw Bad("The bytes are not a number.");

    private static MessageFormatException Bad(string message) => new(MessageFormatErrorCode.BadValue, message);
}

/// <summary>Finds the formatters of types.</summary>
internal sealed class ValueFormatters
{
    private static readonly Assembly[] BaseLibrary = [typeof(object).Assembly, typeof(Enumerable).Assembly, typeof(SortedSet<>).Assembly];

    private readonly ConcurrentDictionary<Type, ValueFormatter> _readers;
    private readonly ConcurrentDictionary<Type, ValueFormatter> _writers;
    private readonly Dictionary<Type, ValueFormatter> _registered;
    private readonly MessagePackOptions _options;

    internal ValueFormatters(FormatterHubProtocolOptions options)
    {
        _options = options.MessagePack;
        _registered = new(options.Formatters);
        _readers = new(_registered);
        _readers.TryAdd(typeof(object), new UntypedFormatter(_options.Limits));
        _writers = new(_registered);
    }

    /// <summary>Finds what reads the values of a parameter or result.</summary>
    /// <exception cref="ArgumentException">The type has no contract.</exception>
    internal ValueFormatter GetReader(Type declared) => _readers.GetOrAdd(Nullable.GetUnderlyingType(declared) ?? declared, Create);

    /// <summary>Finds what writes the objects of a class.</summary>
    /// <exception cref="ArgumentException">The class has no contract.</exception>
    internal ValueFormatter GetWriter(Type type) => _writers.GetOrAdd(type, CreateWriter);

    private ValueFormatter Create(Type type) => Create(typeof(ValueFormatter<>), type);

    private ValueFormatter CreateWriter(Type type)
    {
        if (_registered.FirstOrDefault(pair => pair.Key.IsAssignableFrom(type)).Value is { } registered)
            return registered;
        return IsIterator(type) && ElementOf(type) is { } element ? Create(typeof(SequenceFormatter<>), element) : Create(type);
    }

    /// <summary>Determines whether a class is that of a query, an iterator or a collection expression, which no receiver can name. Other classes may
    /// have members beside their elements.</summary>
    private static bool IsIterator(Type type) => !type.IsVisible
        && (BaseLibrary.Contains(type.Assembly) || type.IsDefined(typeof(CompilerGeneratedAttribute), inherit: false));

    /// <summary>Finds the type of the elements of a sequence that is no dictionary.</summary>
    private static Type? ElementOf(Type type)
    {
        Type[] generic = [.. type.GetInterfaces().Where(static i => i.IsGenericType)];
        Type[] sequences = [.. generic.Where(static i => i.GetGenericTypeDefinition() == typeof(IEnumerable<>))];
        bool isDictionary = generic.Any(
            static i => i.GetGenericTypeDefinition() is var d && (d == typeof(IDictionary<,>) || d == typeof(IReadOnlyDictionary<,>)));
        return sequences.Length == 1 && !isDictionary ? sequences[0].GetGenericArguments()[0] : null;
    }

    private ValueFormatter Create(Type definition, Type argument)
    {
        MethodInfo create = definition.MakeGenericType(argument).GetMethod("Create", BindingFlags.Static | BindingFlags.NonPublic)!;
        try
        {
            return (ValueFormatter)create.Invoke(null, [_options])!;
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            ExceptionDispatchInfo.Throw(e.InnerException);
            throw;
        }
    }
}
