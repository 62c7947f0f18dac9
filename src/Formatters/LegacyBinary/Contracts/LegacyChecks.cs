using System;
using System.Collections;
using System.Collections.Specialized;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>Checks the consistency of a runtime collection's fields, so that a body cannot make it read beyond its array.</summary>
internal static class LegacyChecks
{
    internal static Func<object, bool> OfList([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)] Type type, Type itemsType)
    {
        Func<object, object?> items = Getter<object?>(type, "_items");
        Func<object, int> count = Getter<int>(type, "_size");
        return list => items(list) is Array array && array.GetType() == itemsType && (uint)count(list) <= (uint)array.Length;
    }

    internal static Func<object, bool> OfStack([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)] Type type, Type itemsType)
    {
        Func<object, object?> items = Getter<object?>(type, "_array");
        Func<object, int> count = Getter<int>(type, "_size");
        return stack => items(stack) is Array array && array.GetType() == itemsType && (uint)count(stack) <= (uint)array.Length;
    }

    /// <remarks>
    /// A ring buffer: items from the head on, wrapping around the end of the array; the tail is their end. A full ring of .NET Framework may have its
    /// tail after the array's end.
    /// </remarks>
    internal static Func<object, bool> OfQueue([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)] Type type, Type itemsType)
    {
        Func<object, object?> items = Getter<object?>(type, "_array");
        Func<object, int> head = Getter<int>(type, "_head");
        Func<object, int> tail = Getter<int>(type, "_tail");
        Func<object, int> count = Getter<int>(type, "_size");
        Func<object, int>? growFactor = type == typeof(Queue) ? Getter<int>(type, "_growFactor") : null;
        return queue =>
        {
            if (items(queue) is not Array array || array.GetType() != itemsType || (uint)count(queue) > (uint)array.Length)
                return false;
            if (growFactor is not null && growFactor(queue) is < 100 or > 1000)
                return false;
            if (array.Length == 0)
                return head(queue) == 0 && tail(queue) == 0;
            return (uint)head(queue) < (uint)array.Length && tail(queue) == (int)(((uint)head(queue) + (uint)count(queue)) % (uint)array.Length);
        };
    }

    internal static Func<object, bool> OfStringCollection()
    {
        Func<object, object?> data = Getter<object?>(typeof(StringCollection), "data");
        return collection =>
        {
            if (data(collection) is not ArrayList list || list.GetType() != typeof(ArrayList))
                return false;
            foreach (object? item in list)
            {
                if (item is not (null or string))
                    return false;
            }

            return true;
        };
    }

    internal static Func<object, bool> OfStringDictionary()
    {
        Func<object, object?> contents = Getter<object?>(typeof(StringDictionary), "contents");
        return dictionary => contents(dictionary) is Hashtable table && table.GetType() == typeof(Hashtable);
    }

    private static Func<object, T> Getter<T>([DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.NonPublicFields)] Type type, string name) =>
        new LegacyAccess<T>(type.GetField(name, BindingFlags.Instance | BindingFlags.NonPublic)
            ?? throw new InvalidOperationException($"{type} has no field {name} on this runtime.")).Get;
}
