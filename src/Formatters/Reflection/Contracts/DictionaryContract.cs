using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of a dictionary: an Int32 count, then a key and a value for every entry, in the dictionary's order.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class DictionaryContract : ValueContract
{
    private readonly ConstructorInfo _constructor;
    private readonly PropertyInfo _comparer;
    private readonly object? _keyedComparer;
    private readonly object _newComparer;
    private readonly object _defaultComparer;

    internal DictionaryContract(Type type, ValueContract key, ValueContract value)
        : base(type)
    {
        Key = key;
        Value = value;
        EntryAllocation = Allocation.OfElement(key.Type) + Allocation.OfElement(value.Type) + 12;
        ConcreteType = typeof(Dictionary<,>).MakeGenericType(key.Type, value.Type);
        Type comparerType = typeof(IEqualityComparer<>).MakeGenericType(key.Type);
        _constructor = ConcreteType.GetConstructor([typeof(int), comparerType])!;
        _comparer = ConcreteType.GetProperty(nameof(Dictionary<,>.Comparer))!;
        if (key.Type != typeof(string))
        {
            FieldInfo instance = typeof(KeyedComparer<>).MakeGenericType(key.Type)
                .GetField(nameof(KeyedComparer<>.Instance), BindingFlags.Static | BindingFlags.NonPublic)!;
            _keyedComparer = instance.GetValue(null);
        }

        _defaultComparer = _comparer.GetValue(_constructor.Invoke([0, null]))!;
        _newComparer = _comparer.GetValue(_constructor.Invoke([0, _keyedComparer]))!;
    }

    internal ValueContract Key { get; }

    internal ValueContract Value { get; }

    internal Type ConcreteType { get; }

    /// <summary>Gets the approximate size of an entry in memory: key, value, hash code, link and bucket.</summary>
    internal int EntryAllocation { get; }

    internal override int MinByteCount => sizeof(int);

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        IDictionary dictionary = ToDictionary(value);
        writer.WriteCount(dictionary.Count);
        int i = 0;
        foreach (DictionaryEntry entry in dictionary)
        {
            try
            {
                Key.Write(ref writer, entry.Key);
                Value.Write(ref writer, entry.Value);
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }

            i++;
        }
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int count = reader.ReadCount(Key.MinByteCount + Value.MinByteCount, EntryAllocation);
        IDictionary dictionary = Prepare(existing, count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                int byteOffset = reader.ByteOffset;
                object key = Key.Read(ref reader, null)!;
                object? value = Value.Read(ref reader, null);
                if (dictionary.Contains(key))
                    ContractMethods.ThrowDuplicateKey(byteOffset);
                dictionary.Add(key, value);
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }
            catch (Exception e) when (BodyFault.Is(e))
            {
                throw BodyFault.Refused(reader.ByteOffset, e, IndexPart(i));
            }
        }

        return dictionary;
    }

    internal override object CreateEmpty() => _constructor.Invoke([0, _keyedComparer]);

    /// <summary>Returns the dictionary to read into: the existing one, cleared, if it compares keys as a new one would.</summary>
    internal IDictionary Prepare(object? existing, int count)
    {
        if (existing is null || existing.GetType() != ConcreteType || !Equals(_comparer.GetValue(existing), _newComparer))
            return (IDictionary)_constructor.Invoke([count, _keyedComparer]);
        var dictionary = (IDictionary)existing;
        dictionary.Clear();
        return dictionary;
    }

    /// <summary>Returns the dictionary to write. A member declared as an interface may hold any dictionary.</summary>
    internal IDictionary ToDictionary(object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        if (ConcreteType.IsInstanceOfType(value) && _comparer.GetValue(value) is var comparer
            && (Equals(comparer, _newComparer) || Equals(comparer, _defaultComparer) || comparer is StringComparer))
            return (IDictionary)value;
        var copy = (IDictionary)CreateEmpty();
        Type entryType = typeof(KeyValuePair<,>).MakeGenericType(Key.Type, Value.Type);
        PropertyInfo keyOf = entryType.GetProperty(nameof(KeyValuePair<,>.Key))!;
        PropertyInfo valueOf = entryType.GetProperty(nameof(KeyValuePair<,>.Value))!;
        foreach (object entry in (IEnumerable)value)
        {
            object key = keyOf.GetValue(entry)!;
            if (copy.Contains(key))
                ContractMethods.ThrowDuplicateKey(-1);
            copy.Add(key, valueOf.GetValue(entry));
        }

        return copy;
    }
}
