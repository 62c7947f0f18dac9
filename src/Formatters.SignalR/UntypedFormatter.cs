using System;
using System.Buffers;
using System.Collections;
using System.Collections.Generic;
using System.Dynamic;
using System.Linq;
using Formatters.MessagePack;

namespace Formatters.SignalR;

/// <summary>Writes and reads object, and collections of objects and of strings, whose elements can be null.</summary>
internal sealed class UntypedFormatter : ValueFormatter
{
    private readonly FormatterLimits _limits;
    private readonly Reader? _read;
    private readonly Writer? _write;

    private UntypedFormatter(FormatterLimits limits, Reader? read, Writer? write) => (_limits, _read, _write) = (limits, read, write);

    private delegate object? Reader(ref MessagePackBodyReader reader);

    private delegate T? Reader<T>(ref MessagePackBodyReader reader);

    private delegate void Writer(ref MessagePackBodyWriter writer, object value);

    private delegate void Writer<in T>(ref MessagePackBodyWriter writer, T value);

    internal override object? Read(ReadOnlySpan<byte> value)
    {
        var reader = new MessagePackBodyReader(value, _limits);
        object? read = _read!(ref reader);
        reader.EnsureEnd();
        return read;
    }

    internal override void Write(IBufferWriter<byte> destination, object value)
    {
        var writer = new MessagePackBodyWriter(destination, _limits);
        _write!(ref writer, value);
        writer.Flush();
    }

    /// <summary>Creates what reads the values of a parameter or result; returns null for other types than object and its collections.</summary>
    internal static UntypedFormatter? CreateReader(Type declared, FormatterLimits limits)
    {
        Reader? read = declared == typeof(object) || declared.IsAssignableFrom(typeof(Dictionary<object, object>)) && declared.IsGenericType
            ? UntypedCodec.ReadValue
            : declared == typeof(ExpandoObject)
            ? ReadExpando
            : ReaderOf<object>(declared, UntypedCodec.ReadValue) ?? ReaderOf(declared, static (ref reader) => reader.ReadNullableString());
        return read is null ? null : new UntypedFormatter(limits, read, null);
    }

    /// <summary>Creates what writes the objects of a class of the base library; returns null for other classes than object and its
    /// collections.</summary>
    internal static UntypedFormatter? CreateWriter(Type type, UntypedCodec codec, FormatterLimits limits)
    {
        Writer<object?> any = (ref writer, value) =>
        {
            if (value is null)
                writer.WriteNil();
            else
                codec.Write(ref writer, value);
        };
        Writer<string> name = static (ref writer, value) => writer.Write(value);
        Writer<string?> text = static (ref writer, value) => writer.WriteNullable(value);
        Writer? write =
            type == typeof(object) ? codec.Write
            : Is<KeyValuePair<object, object?>>() ? MapOf<object, object?>(any, any)
            : Is<KeyValuePair<string, object?>>() ? MapOf(name, any)
            : type == typeof(Dictionary<string, string?>) ? MapOf(name, text)
            : type == typeof(Hashtable) ? (ref writer, value) => WriteMap(
                ref writer, ((Hashtable)value).Cast<DictionaryEntry>().Select(static entry => KeyValuePair.Create(entry.Key, entry.Value)), any, any)
            : type == typeof(ArrayList) ? (ref writer, value) => WriteList(ref writer, ((ArrayList)value).Cast<object?>(), any)
            : Is<object?>() ? (ref writer, value) => WriteList(ref writer, (IEnumerable<object?>)value, any)
            : type == typeof(string[]) || type == typeof(List<string?>)
            ? (ref writer, value) => WriteList(ref writer, (IEnumerable<string?>)value, text)
            : null;
        return write is null ? null : new UntypedFormatter(limits, null, write);

        // The interface itself, not one that is a base of it.
        bool Is<T>() => type.GetInterfaces().Contains(typeof(IEnumerable<T>));

        Writer MapOf<TKey, TValue>(Writer<TKey> key, Writer<TValue> element) => (ref writer, value) =>
            WriteMap(ref writer, (IEnumerable<KeyValuePair<TKey, TValue>>)value, key, element);
    }

    private static Reader? ReaderOf<T>(Type declared, Reader<T> element)
        where T : class =>
        declared == typeof(T[]) ? (ref reader) => ReadList(ref reader, element).ToArray()
        : declared.IsAssignableFrom(typeof(List<T>)) ? (ref reader) => ReadList(ref reader, element)
        : declared.IsAssignableFrom(typeof(Dictionary<string, T>)) ? (ref reader) => ReadMap(ref reader, element)
        : null;

    private static ExpandoObject ReadExpando(ref MessagePackBodyReader reader)
    {
        var expando = new ExpandoObject();
        foreach ((string name, object? value) in ReadMap<object>(ref reader, UntypedCodec.ReadValue))
            ((IDictionary<string, object?>)expando)[name] = value;
        return expando;
    }

    private static List<T?> ReadList<T>(ref MessagePackBodyReader reader, Reader<T> element)
    {
        int count = reader.ReadArrayHeader(IntPtr.Size);
        var elements = new List<T?>(count);
        reader.Enter();
        for (int i = 0; i < count; i++)
            elements.Add(element(ref reader));
        reader.Leave();
        return elements;
    }

    private static Dictionary<string, T?> ReadMap<T>(ref MessagePackBodyReader reader, Reader<T> element)
    {
        int count = reader.ReadMapHeader(2 * IntPtr.Size);
        var entries = new Dictionary<string, T?>(count);
        reader.Enter();
        for (int i = 0; i < count; i++)
        {
            string key = reader.ReadString();
            if (!entries.TryAdd(key, element(ref reader)))
                throw new MessageFormatException(MessageFormatErrorCode.DuplicateKey, $"The key '{key}' occurs twice.");
        }

        reader.Leave();
        return entries;
    }

    private static void WriteList<T>(ref MessagePackBodyWriter writer, IEnumerable<T> elements, Writer<T> write)
    {
        T[] all = [.. elements];
        writer.WriteArrayHeader(all.Length);
        foreach (T element in all)
            write(ref writer, element);
    }

    private static void WriteMap<TKey, TValue>(
        ref MessagePackBodyWriter writer, IEnumerable<KeyValuePair<TKey, TValue>> entries, Writer<TKey> writeKey, Writer<TValue> writeValue)
    {
        KeyValuePair<TKey, TValue>[] all = [.. entries];
        writer.WriteMapHeader(all.Length);
        foreach (KeyValuePair<TKey, TValue> entry in all)
        {
            writeKey(ref writer, entry.Key);
            writeValue(ref writer, entry.Value);
        }
    }
}
