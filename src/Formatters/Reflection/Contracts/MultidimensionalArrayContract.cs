using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;

namespace Formatters;

/// <summary>The contract of a multidimensional array: its lengths, then the elements, the last index fastest.</summary>
[RequiresUnreferencedCode(ReflectionMessages.Trimming)]
[RequiresDynamicCode(ReflectionMessages.DynamicCode)]
internal sealed class MultidimensionalArrayContract(Type type, ValueContract element) : ValueContract(type)
{
    internal ValueContract Element { get; } = element;

    internal int ElementAllocation { get; } = Allocation.OfElement(element.Type);

    internal override int MinByteCount => sizeof(int) * Type.GetArrayRank();

    internal override void Write(ref BinaryBodyWriter writer, object? value)
    {
        MultidimensionalArrayMethods.WriteLengths(ref writer, (Array?)value);
        int i = 0;
        foreach (object? element in (Array)value!)
        {
            try
            {
                Element.Write(ref writer, element);
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
        int[] lengths = reader.ReadLengths(Type.GetArrayRank(), Element.MinByteCount, ElementAllocation, out int count);
        Array items = NewItems(count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                items.SetValue(Element.Read(ref reader, null), i);
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

        return MultidimensionalArrayMethods.ToMultidimensionalArray(items, lengths);
    }

    internal Array NewItems(int count) => Array.CreateInstance(Element.Type, count);

    internal override object CreateEmpty() => Array.CreateInstance(Element.Type, new int[Type.GetArrayRank()]);
}
