using System;
using System.Collections;
using System.Collections.Generic;

namespace Formatters;

/// <summary>Creates a <see cref="List{T}"/> from an <see cref="ArrayList"/>: for a member that was an ArrayList when the body was written.</summary>
internal abstract class LegacyListMaker
{
    /// <summary>Creates an empty list.</summary>
    internal abstract object Create();

    /// <summary>Adds the elements, each of which must be of the element type, or a number that is widened without loss.</summary>
    /// <param name="list">The list.</param>
    /// <param name="source">The elements; all objects of the body are complete.</param>
    /// <param name="path">The path of the member, for errors.</param>
    /// <param name="byteOffset">The offset of the member in the body, for errors.</param>
    /// <exception cref="MessageFormatException">An element is of another type.</exception>
    internal abstract void Fill(object list, ArrayList source, string path, int byteOffset);
}

/// <inheritdoc/>
internal sealed class LegacyListMaker<T> : LegacyListMaker
{
    internal override object Create() => new List<T>();

    internal override void Fill(object list, ArrayList source, string path, int byteOffset)
    {
        var target = (List<T>)list;
        target.Capacity = source.Count;
        foreach (object? item in source)
        {
            if (item is T element)
                target.Add(element);
            else if (item is null && default(T) is null)
                target.Add(default!);
            else if (item is not null && typeof(T).IsValueType && Widening.TryConvert(item, typeof(T), out object? wider))
                target.Add((T)wider);
            else
                throw new MessageFormatException(
                    MessageFormatErrorCode.BadValue,
                    $"The ArrayList has {(item is null ? "a null" : $"an element of the type {TypeNames.Of(item.GetType())}")}, and the member is a "
                    + $"{TypeNames.Of(typeof(List<T>))}.",
                    byteOffset,
                    $"{path}[{target.Count}]",
                    isPoison: true);
        }
    }
}
