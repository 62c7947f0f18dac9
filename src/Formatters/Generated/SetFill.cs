using System.Collections.Generic;
using System.ComponentModel;

namespace Formatters.Generated;

/// <summary>
/// Fills a set, as <see cref="DictionaryFill{TKey, TValue}"/> fills a dictionary: in place while its elements are read in its order.
/// </summary>
/// <typeparam name="T">The type of the elements.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public ref struct SetFill<T>
    where T : notnull
{
    private HashSet<T>.Enumerator _old;
    private int _keptCount;
    private bool _isInPlace;

    /// <summary>Chooses the set: the existing one if it has as many elements and compares them as a new one would, or a new one.</summary>
    /// <param name="existing">The existing set; null for a new one.</param>
    /// <param name="elementCount">The number of elements to be read.</param>
    public SetFill(object? existing, int elementCount)
    {
        if (existing is HashSet<T> same && same.Count == elementCount && same.GetType() == typeof(HashSet<T>)
            && same.Comparer.Equals(ContractCode.Comparer<T>()))
        {
            Result = same;
            _old = same.GetEnumerator();
            _isInPlace = _old.MoveNext();
        }
        else
        {
            Result = ContractCode.NewSet<T>(elementCount);
        }
    }

    /// <summary>Gets the set.</summary>
    public HashSet<T> Result { get; }

    /// <summary>Gets the existing element at this position, to be reused if it is equal.</summary>
    public readonly T? OldElement => _isInPlace ? _old.Current : default;

    /// <summary>Adds an element that was read.</summary>
    /// <param name="element">The element.</param>
    /// <param name="byteOffset">The offset of the element.</param>
    /// <exception cref="MessageFormatException">The set already contains it.</exception>
    public void Add(T element, int byteOffset)
    {
        if (_isInPlace)
        {
            if (BitwiseEquality<T>.Are(element, _old.Current))
            {
                _keptCount++;
                _isInPlace = _old.MoveNext();
                return;
            }

            GoOn();
        }

        ContractCode.AddElement(Result, element, byteOffset);
    }

    /// <summary>Truncates the set to what has been read, and continues by adding.</summary>
    private void GoOn()
    {
        var kept = new T[Result.Count];
        Result.CopyTo(kept);
        Result.Clear();
        for (int i = 0; i < _keptCount; i++)
            Result.Add(kept[i]);
        _isInPlace = false;
    }
}
