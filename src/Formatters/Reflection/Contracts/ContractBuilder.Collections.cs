using System;
using System.Collections;

namespace Formatters;

internal sealed partial class ContractBuilder
{
    /// <summary>Collections of objects, whose element type a member declares.</summary>
    internal static bool IsOfObjects(Type type) =>
        type == typeof(ArrayList) || type == typeof(IList) || type == typeof(ICollection) || type == typeof(IEnumerable) || IsHashtable(type);

    internal static bool IsHashtable(Type type) => type == typeof(Hashtable) || type == typeof(IDictionary);

    private ConvertedContract GetHashtable(Type type, Type? elementType, Type? keyType, string path)
    {
        if (elementType is null || keyType is null)
            throw new ArgumentException($"{path}: a Hashtable needs declared types of its keys and values ([ElementType(typeof(TValue), KeyType = typeof(TKey))]).");
        CheckKey(keyType, path);
        var dictionary = new DictionaryContract(
            typeof(System.Collections.Generic.Dictionary<,>).MakeGenericType(keyType, elementType), GetNonNull(AnnotatedType.Unannotated(keyType, _options.UnannotatedAllowsNull), path + "[]", null), GetElement(elementType, path));
        return ConvertedContract.Make(type, dictionary, dictionary);
    }

    /// <returns>Null if the type is none of the collections that are written as others.</returns>
    private ConvertedContract? GetConverted(AnnotatedType type, Type definition, string path)
    {
        if (Conversion.IsDictionary(definition))
        {
            DictionaryContract dictionary = GetDictionary(
                typeof(System.Collections.Generic.Dictionary<,>).MakeGenericType(type.Arguments[0].Type, type.Arguments[1].Type), type, path);
            return ConvertedContract.Make(type.Type, dictionary, dictionary);
        }

        bool isSet = Conversion.IsSet(definition);
        if (!isSet && !Conversion.IsSequence(definition))
            return null;
        if (isSet)
            CheckKey(type.Arguments[0].Type, path);
        ValueContract element = Get(type.Arguments[0], path + "[]", null);
        Type array = element.Type.MakeArrayType();
        var items = new ListContract(array, array, element);
        return ConvertedContract.Make(type.Type, items, isSet ? SetContract.Make(items) : items);
    }

    private DictionaryContract GetDictionary(Type dictionaryType, AnnotatedType type, string path)
    {
        CheckKey(type.Arguments[0].Type, path);
        return new DictionaryContract(dictionaryType, GetNonNull(type.Arguments[0], path + "[]", null), Get(type.Arguments[1], path + "[]", null));
    }

    private static void CheckKey(Type type, string path)
    {
        if (type != typeof(string) && !type.IsEnum && Scalar.Find(type) is null)
            throw new ArgumentException($"{path}: {TypeNames.Of(type)} cannot be a dictionary key; keys are strings, numbers, dates, GUIDs and enums.");
    }
}
