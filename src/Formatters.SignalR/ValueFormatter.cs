using System;
using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Collections.ObjectModel;
using System.Dynamic;
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

/// <summary>Finds the formatters of arguments and results, and keeps them.</summary>
internal sealed class ValueFormatters
{
    private static readonly Assembly[] BaseLibrary =
    [
        typeof(object).Assembly, typeof(Enumerable).Assembly, typeof(SortedSet<>).Assembly, typeof(ConcurrentBag<>).Assembly,
        typeof(ImmutableArray).Assembly, typeof(ReadOnlyObservableCollection<>).Assembly, typeof(ExpandoObject).Assembly, typeof(Hashtable).Assembly,
    ];

    private readonly ConcurrentDictionary<Type, ValueFormatter> _readers;
    private readonly ConcurrentDictionary<Type, ValueFormatter> _writers;
    private readonly Dictionary<Type, ValueFormatter> _registered;
    private readonly MessagePackOptions _options;
    private readonly MessagePackOptions _untypedOptions;

    internal ValueFormatters(FormatterHubProtocolOptions options)
    {
        _options = options.MessagePack;
        Untyped = new UntypedCodec(this);
        _untypedOptions = _options.WithCodec(Untyped);
        _registered = new(options.Formatters);
        _readers = new(_registered);
        _writers = new(_registered);
    }

    internal FormatterLimits Limits => _options.Limits;

    internal UntypedCodec Untyped { get; }

    /// <summary>Finds what reads the values of a parameter or result.</summary>
    /// <exception cref="ArgumentException">The type has no contract.</exception>
    internal ValueFormatter GetReader(Type declared) => _readers.GetOrAdd(
        Nullable.GetUnderlyingType(declared) ?? declared, type => UntypedFormatter.CreateReader(type, Limits) ?? Create(type));

    /// <summary>Finds what writes the objects of a class.</summary>
    /// <exception cref="ArgumentException">The class has no contract.</exception>
    internal ValueFormatter GetWriter(Type type) => _writers.GetOrAdd(type, CreateWriter);

    private ValueFormatter Create(Type type)
    {
        try
        {
            return Create(typeof(ValueFormatter<>), type);
        }
        catch (ArgumentException e)
        {
            try
            {
                // Members that are declared as object. Generated contracts have none.
                return Create(typeof(ValueFormatter<>), type, _untypedOptions);
            }
            catch (ArgumentException)
            {
                ExceptionDispatchInfo.Throw(e);
                throw;
            }
        }
    }

    private ValueFormatter CreateWriter(Type type)
    {
        if (_registered.FirstOrDefault(pair => pair.Key.IsAssignableFrom(type)).Value is { } registered)
            return registered;
        if (BaseLibrary.Contains(type.Assembly) && UntypedFormatter.CreateWriter(type, Untyped, Limits) is { } untyped)
            return untyped;
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

    private ValueFormatter Create(Type definition, Type argument, MessagePackOptions? options = null)
    {
        MethodInfo create = definition.MakeGenericType(argument).GetMethod("Create", BindingFlags.Static | BindingFlags.NonPublic)!;
        try
        {
            return (ValueFormatter)create.Invoke(null, [options ?? _options])!;
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            ExceptionDispatchInfo.Throw(e.InnerException);
            throw;
        }
    }
}
