using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of an array, a list or an <see cref="ArrayList"/>: an Int32 count, then the elements.</summary>
/// <param name="type">The declared type: the concrete type, or an interface of it.</param>
/// <param name="concreteType">The type to create on reading: <c>T[]</c>, <c>List&lt;T&gt;</c> or <see cref="ArrayList"/>.</param>
/// <param name="element">The contract of the elements.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ListContract(Type type, Type concreteType, ValueContract element) : ValueContract(type)
{
#if NET
    private ElementBlocks? _blocks;

    /// <summary>Gets whether memory holds the elements as a binary body does, so that all are copied at once.</summary>
    internal bool IsBlock { get; } = element is ScalarContract { Scalar.Row: ScalarType row } && row.Is(ScalarTraits.InBlocks)
        && concreteType != typeof(ArrayList);

    /// <summary>Gets whether the traversal writes and reads many elements by one call.</summary>
    internal bool IsSeries => IsBlock && !Element.Type.IsEnum && ((ScalarContract)Element).Scalar.Row.Is(ScalarTraits.InSeries);
#endif

    internal Type ConcreteType { get; } = concreteType;

    internal ValueContract Element { get; } = element;

    /// <summary>Gets the approximate size of an element in memory.</summary>
    internal int ElementAllocation { get; } = Allocation.OfElement(element.Type);

    internal override int MinByteCount => sizeof(int);

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
#if NET
        if (IsBlock && value.GetType() == ConcreteType)
        {
            Blocks.Write(ref writer, value);
            return;
        }
#endif

        IList list = ToList(value);
        int count = list.Count;
        writer.WriteCount(count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                Element.Write(ref writer, ElementAt(list, i));
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }
        }
    }

    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int count = reader.ReadCount(Element.MinByteCount, ElementAllocation);
#if NET
        if (IsBlock && Blocks.TryRead(ref reader, ConcreteType.IsArray, existing, count, out object elements))
            return elements;
#endif

        IList list = Prepare(existing, count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                if (i < list.Count)
                    list[i] = Element.Read(ref reader, Element.Type.IsInstanceOfType(list[i]) ? list[i] : null);
                else
                    list.Add(Element.Read(ref reader, null));
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

        return list;
    }

    internal override object CreateEmpty() => ConcreteType.IsArray ? Array.CreateInstance(Element.Type, 0) : Activator.CreateInstance(ConcreteType)!;

#if NET
    private ElementBlocks Blocks =>
        _blocks ??= (ElementBlocks)Activator.CreateInstance(typeof(ElementBlocks<>).MakeGenericType(Element.Type))!;
#endif

    /// <summary>Returns the list to write: the value itself, or a copy if it is not a list.</summary>
    internal static IList ToList(object value)
    {
        if (value is IList same)
            return same;
        var list = new List<object?>();
        foreach (object? element in (IEnumerable)value)
            list.Add(element);
        return list;
    }

    /// <summary>Returns an element; that of an <see cref="ArrayList"/> must have the declared type.</summary>
    internal object? ElementAt(IList list, int index)
    {
        object? element = list[index];
        if (ConcreteType == typeof(ArrayList) && !Element.Type.IsInstanceOfType(element))
            ContractMethods.ThrowNotOfType(element);
        return element;
    }

    /// <summary>Returns the list to read into: the existing one, truncated to the count, if it has the right type; otherwise a new one.</summary>
    internal IList Prepare(object? existing, int count)
    {
        if (existing is not null && existing.GetType() != ConcreteType)
            existing = null;
        if (ConcreteType.IsArray)
            return existing is Array { Length: int length } && length == count ? (IList)existing : Array.CreateInstance(Element.Type, count);
        var list = (IList?)existing ?? (IList)Activator.CreateInstance(ConcreteType, count)!;
        while (list.Count > count)
            list.RemoveAt(list.Count - 1);
        return list;
    }
}
