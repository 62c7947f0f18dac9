using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Binary;
using Formatters.Generated;

namespace Formatters;

/// <summary>The contract of a set: its elements like those of an array, without duplicates.</summary>
internal abstract class SetContract(Type type, ListContract items) : ValueContract(type)
{
    /// <summary>Gets the contract of the elements as an array.</summary>
    internal ListContract Items { get; } = items;

    internal override int MinByteCount => Items.MinByteCount;

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal static SetContract Make(ListContract items) =>
        (SetContract)Activator.CreateInstance(typeof(SetContract<>).MakeGenericType(items.Element.Type), items)!;

    /// <summary>Creates the set from its elements.</summary>
    /// <param name="items">An array.</param>
    /// <param name="byteOffset">The offset of the elements.</param>
    /// <exception cref="MessageFormatException">There is a duplicate element.</exception>
    internal abstract object Make(object items, int byteOffset);

    internal override void Write(ref BinaryBodyWriter writer, object? value) => Items.Write(ref writer, value);
}

/// <inheritdoc/>
internal sealed class SetContract<T>(ListContract items) : SetContract(typeof(HashSet<T>), items)
    where T : notnull
{
    internal override object? Read(ref BinaryBodyReader reader, object? existing)
    {
        int count = reader.ReadCount(Items.Element.MinByteCount, Items.ElementAllocation);
        HashSet<T> set = ContractCode.NewSet<T>(count);
        for (int i = 0; i < count; i++)
        {
            try
            {
                int byteOffset = reader.ByteOffset;
                ContractCode.AddElement(set, (T)Items.Element.Read(ref reader, null)!, byteOffset);
            }
            catch (MessageFormatException e) when (NotePath(e, IndexPart(i)))
            {
                throw;
            }
        }

        return set;
    }

    internal override object Make(object items, int byteOffset) => MakeSet((T[])items, byteOffset);

    internal static HashSet<T> MakeSet(T[] items, int byteOffset)
    {
        HashSet<T> set = ContractCode.NewSet<T>(items.Length);
        set.UnionWith(items);
        if (set.Count != items.Length)
            ContractMethods.ThrowDuplicateKey(byteOffset);
        return set;
    }

    internal override object CreateEmpty() => ContractCode.NewSet<T>(0);
}
