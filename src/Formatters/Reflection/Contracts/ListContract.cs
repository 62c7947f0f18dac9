using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;

namespace Formatters;

/// <summary>An array, a list or an <see cref="ArrayList"/>: an Int32 count, then the elements.</summary>
/// <param name="type">The declared type: the concrete type, or an interface of it.</param>
/// <param name="concreteType">What is made on reading: <c>T[]</c>, <c>List&lt;T&gt;</c> or <see cref="ArrayList"/>.</param>
/// <param name="element">The contract of the elements.</param>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class ListContract(Type type, Type concreteType, ValueContract element) : ValueContract(type)
{
    internal Type ConcreteType { get; } = concreteType;

    internal ValueContract Element { get; } = element;

    /// <summary>About how many bytes an element takes in memory.</summary>
    internal int ElementAllocation { get; } = Allocation.OfElement(element.Type);

    internal override int MinByteCount => sizeof(int);

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        if (value is null)
            ContractMethods.ThrowUnexpectedNull();
        IList list = value as IList ?? Copy((IEnumerable)value);
        int count = list.Count;
        writer.WriteCount(count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                object? element = list[i];
                if (ConcreteType == typeof(ArrayList) && !Element.Type.IsInstanceOfType(element))
                    ContractMethods.ThrowNotOfType(element);
                Element.Write(ref writer, element);
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
        if (existing is not null && existing.GetType() != ConcreteType)
            existing = null;
        IList list;
        if (ConcreteType.IsArray)
        {
            list = existing is Array { Length: int length } && length == count ? (IList)existing : Array.CreateInstance(Element.Type, count);
        }
        else
        {
            list = (IList?)existing ?? (IList)Activator.CreateInstance(ConcreteType, count)!;
            while (list.Count > count)
                list.RemoveAt(list.Count - 1);
        }

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

    private static List<object?> Copy(IEnumerable values)
    {
        var list = new List<object?>();
        foreach (object? value in values)
            list.Add(value);
        return list;
    }
}
