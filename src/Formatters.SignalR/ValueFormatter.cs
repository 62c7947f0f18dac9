using System;
using System.Buffers;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
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

/// <summary>Writes a sequence that is not a collection of the formats, such as the result of a query, as an array.</summary>
internal sealed class SequenceFormatter<T>(ValueFormatter<T[]> formatter) : ValueFormatter
{
    internal override object? Read(ReadOnlySpan<byte> value) => formatter.Read(value);

    internal override void Write(IBufferWriter<byte> destination, object value) => formatter.Write(destination, ((IEnumerable<T>)value).ToArray());

    internal static ValueFormatter Create(MessagePackOptions options) =>
        new SequenceFormatter<T>(new ValueFormatter<T[]>(new MessagePackFormatter<T[]>(options)));
}

/// <summary>Finds the formatters of types.</summary>
internal sealed class ValueFormatters(FormatterHubProtocolOptions options)
{
    private readonly ConcurrentDictionary<Type, ValueFormatter> _formatters = new(options.Formatters);
    private readonly MessagePackOptions _options = options.MessagePack;

    /// <exception cref="ArgumentException">The type has no contract.</exception>
    internal ValueFormatter Get(Type type) => _formatters.GetOrAdd(type, Create, _options);

    private static ValueFormatter Create(Type type, MessagePackOptions options)
    {
        try
        {
            return Invoke(typeof(ValueFormatter<>), type, options);
        }
        catch (Exception e) when (e is ArgumentException or NotSupportedException && ElementOf(type) is { } element)
        {
            return Invoke(typeof(SequenceFormatter<>), element, options);
        }
    }

    private static Type? ElementOf(Type type) => type.GetInterfaces()
        .FirstOrDefault(static i => i.IsGenericType && i.GetGenericTypeDefinition() == typeof(IEnumerable<>))?.GetGenericArguments()[0];

    private static ValueFormatter Invoke(Type definition, Type argument, MessagePackOptions options)
    {
        MethodInfo create = definition.MakeGenericType(argument).GetMethod("Create", BindingFlags.Static | BindingFlags.NonPublic)!;
        try
        {
            return (ValueFormatter)create.Invoke(null, [options])!;
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            ExceptionDispatchInfo.Throw(e.InnerException);
            throw;
        }
    }
}
