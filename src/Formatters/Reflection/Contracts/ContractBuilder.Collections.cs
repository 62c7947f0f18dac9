using System;
using System.Collections;

namespace Formatters;

internal partial class ContractBuilder
{
    /// <summary>Finds a type among the collections of the base library; null if it is not one of them.</summary>
    internal static KnownCollection? FindCollection(Type type) =>
        KnownCollections.Find((type.IsGenericType ? type.GetGenericTypeDefinition() : type).FullName ?? "");

    internal static bool IsHashtable(Type type) => FindCollection(type)?.Kind == CollectionKind.ObjectDictionary;

    /// <summary>Determines whether a member must declare the element types of the collection.</summary>
    internal static bool IsOfObjects(Type type) => FindCollection(type)?.Kind is CollectionKind.ObjectList or CollectionKind.ObjectDictionary;

    private ConvertedContract GetHashtable(Type type, Type? elementType, Type? keyType, string path)
    {
        if (elementType is null || keyType is null)
            throw new ArgumentException(
                $"{path}: a Hashtable needs declared types of its keys and values ([ElementType(typeof(TValue), KeyType = typeof(TKey))]).");
        CheckKey(keyType, path);
        var dictionary = new DictionaryContract(
            typeof(System.Collections.Generic.Dictionary<,>).MakeGenericType(keyType, elementType),
                GetNonNull(AnnotatedType.Unannotated(keyType, _options.UnannotatedAllowsNull), path + "[]", null), GetElement(elementType, path));
        return ConvertedContract.Make(type, dictionary, dictionary);
    }

    private ValueContract GetCollection(KnownCollection collection, AnnotatedType type, Type? elementType, Type? keyType, string path)
    {
        switch (collection.Kind)
        {
            case CollectionKind.ObjectDictionary:
                return GetHashtable(type.Type, elementType, keyType, path);
            case CollectionKind.ObjectList:
                return new ListContract(type.Type, typeof(ArrayList), GetElement(elementType, path));
            case CollectionKind.Dictionary:
                return GetDictionary(type.Type, type, path);
            case CollectionKind.MadeDictionary:
                DictionaryContract dictionary = GetDictionary(
                    typeof(System.Collections.Generic.Dictionary<,>).MakeGenericType(type.Arguments[0].Type, type.Arguments[1].Type), type, path);
                return ConvertedContract.Make(type.Type, dictionary, dictionary);
        }

        bool isSet = collection.Kind == CollectionKind.Set;
        if (isSet)
            CheckKey(type.Arguments[0].Type, path);
        ValueContract element = Get(type.Arguments[0], path + "[]", null);
        if (collection.Kind == CollectionKind.List)
            return new ListContract(type.Type, typeof(System.Collections.Generic.List<>).MakeGenericType(element.Type), element);
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
            throw new ArgumentException(
                $"{path}: {TypeNames.Of(type)} cannot be a dictionary key; keys are strings, numbers, dates, GUIDs and enums.");
    }
}
