using System;
using System.Globalization;
using System.Linq;
using System.Text;
using Microsoft.CodeAnalysis;

namespace Formatters.Generator;

internal sealed partial class ShapeParser
{
    /// <returns>Whether the type is a collection; its model is null if it has no contract.</returns>
    private bool ParseCollection(ITypeSymbol type, string path, ISymbol? member, ITypeSymbol? elementType, out ValueModel? value)
    {
        value = null;
        string fullName = type.FullName();
        string display = type.Display();
        if (Known(type, "/" + elementType?.Display() + (elementType is null || member is null ? "" : "/" + KeyTypeOf(member)?.Display()),
            out int index, out string key))
        {
            value = new ValueModel(ValueKind.Shape, display, type.IsValueType, false, Shape: index);
            return true;
        }

        if (type is IArrayTypeSymbol array)
        {
            if (array.ElementType.TypeKind == TypeKind.Pointer)
                return false;
            return Add(element => array.IsSZArray
                ? new ListShape(NameOf(type), display, ListKind.Array, element) { HasSpan = _isNet }
                : new MultidimensionalArrayShape(NameOf(type), display, array.Rank, element), Element(array.ElementType), ref value);
        }

        if (KnownCollections.Find(fullName) is not KnownCollection collection)
            return false;
        if (IsProtobuf && KnownCollections.IsOfObjects(fullName))
        {
            Refuse(type, path, member, "protobuf has no form for collections of objects; use a List<T> or a Dictionary<TKey, TValue>");
            return true;
        }

        if (collection.Kind == CollectionKind.ObjectList)
        {
            if (elementType is null)
            {
                Report(Descriptors.ElementType, member, path, "a list of objects needs a declared element type ([ElementType] or [XmlArrayItem])");
                return true;
            }

            return Add(element => new ListShape(NameOf(type), display, ListKind.ArrayList, element),
                WithAllocation(ParseNonNull(elementType, path + "[]", member, null), elementType), ref value);
        }

        var named = (INamedTypeSymbol)type;
        if (collection.Kind == CollectionKind.ObjectDictionary)
        {
            ITypeSymbol? keyType = member is null ? null : KeyTypeOf(member);
            if (elementType is null || keyType is null)
                Report(Descriptors.ElementType, member, path,
                    "a Hashtable needs declared types of its keys and values ([ElementType(typeof(TValue), KeyType = typeof(TKey))])");
            else if (CheckKey(keyType, path, member))
                AddDictionary(CollectionRecipes.Hashtable, "FromHashtable", keyType,
                    () => WithAllocation(ParseNonNull(elementType, path + "[]", member, null), elementType), ref value);
            return true;
        }

        if (collection.Kind == CollectionKind.List)
        {
            ListKind kind = named.TypeKind == TypeKind.Interface ? ListKind.Interface : ListKind.List;
            return Add(element => new ListShape(NameOf(type), display, kind, element) { HasSpan = _isNet }, Element(named.TypeArguments[0]),
                ref value);
        }

        if (collection.Kind is CollectionKind.Sequence or CollectionKind.Set)
        {
            if (collection.Kind == CollectionKind.Set && !CheckKey(named.TypeArguments[0], path, member))
                return true;
            return Add(element => new SequenceShape(NameOf(type), display, type.IsValueType, collection.Recipe(), element),
                Element(named.TypeArguments[0]), ref value);
        }

        if (!CheckKey(named.TypeArguments[0], path, member))
            return true;
        CollectionRecipe? recipe = collection.Kind == CollectionKind.MadeDictionary ? collection.Recipe() : null;
        AddDictionary(recipe, named.TypeKind == TypeKind.Interface && recipe is null ? "ToDictionary" : "", named.TypeArguments[0],
            () => Element(named.TypeArguments[1]), ref value);
        return true;

        void AddDictionary(CollectionRecipe? dictionaryRecipe, string source, ITypeSymbol keyType, Func<ValueModel?> parseValue,
            ref ValueModel? result)
        {
            int reserved = Reserve(key);
            ValueModel? keyModel = WithAllocation(ParseNonNull(keyType, path + "[]", member, null), keyType);
            ValueModel? valueModel = parseValue();
            if (keyModel is null || valueModel is null)
                return;
            _shapes[reserved] = new DictionaryShape(NameOf(type), display, dictionaryRecipe, source, keyModel, valueModel);
            result = new ValueModel(ValueKind.Shape, display, false, false, Shape: reserved);
        }

        ValueModel? Element(ITypeSymbol elementSymbol) => WithAllocation(Parse(elementSymbol, path + "[]", member, null), elementSymbol);

        bool Add(Func<ValueModel, Shape> make, ValueModel? element, ref ValueModel? result)
        {
            if (element is null)
                return true;
            // The element may have led back to this same type.
            if (!_indexes.TryGetValue(key, out int at))
            {
                at = Reserve(key);
                _shapes[at] = make(element);
            }

            result = new ValueModel(ValueKind.Shape, display, type.IsValueType, false, Shape: at);
            return true;
        }
    }

    private ValueModel? WithAllocation(ValueModel? value, ITypeSymbol type) => value is null ? null : value with { Allocation = AllocationOf(type) };

    /// <summary>
    /// Returns the slot in the array, and for a class the object with its fields, as for contracts by reflection. Sizes of structs are known only at
    /// run time.
    /// </summary>
    private string AllocationOf(ITypeSymbol type)
    {
        const int ReferenceByteCount = 8;
        const int ObjectByteCount = 24;
        int byteCount = ReferenceByteCount + ObjectByteCount;
        if (type.IsValueType)
            return SizeOf(type);
        var terms = new StringBuilder();
        if (type is INamedTypeSymbol { TypeKind: TypeKind.Class } named && type.SpecialType != SpecialType.System_String)
        {
            foreach (IFieldSymbol field in Symbols.Levels(named).SelectMany(l => l.GetMembers().OfType<IFieldSymbol>()).Where(f => !f.IsStatic))
            {
                if (field.Type is { IsValueType: true, TypeKind: not (TypeKind.Pointer or TypeKind.FunctionPointer) }
                    && compilation.IsSymbolAccessibleWithin(field.Type, owner))
                    Add(SizeOf(field.Type));
                else
                    byteCount += ReferenceByteCount;
            }
        }

        return byteCount.ToString(CultureInfo.InvariantCulture) + terms;

        void Add(string size)
        {
            if (int.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out int known))
                byteCount += known;
            else
                terms.Append(" + ").Append(size);
        }

        // For the types of C# it is a constant; also for the JIT, for which a call is one more method to compile.
        static string SizeOf(ITypeSymbol type) => type.SpecialType switch
        {
            SpecialType.System_Boolean or SpecialType.System_Byte or SpecialType.System_SByte => "1",
            SpecialType.System_Int16 or SpecialType.System_UInt16 or SpecialType.System_Char => "2",
            SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Single => "4",
            SpecialType.System_Int64 or SpecialType.System_UInt64 or SpecialType.System_Double or SpecialType.System_DateTime => "8",
            SpecialType.System_Decimal => "16",
            _ => $"__C.SizeOf<{type.Display()}>()",
        };
    }

    private bool CheckKey(ITypeSymbol type, string path, ISymbol? member)
    {
        bool isKey = type.SpecialType == SpecialType.System_String || type.TypeKind == TypeKind.Enum
            || FindScalar(type) is ScalarType scalar && !scalar.Is(ScalarTraits.Further);
        if (!isKey)
            Report(Descriptors.KeyType, member, path, type.ShortName());
        return isKey;
    }

    private bool TryFindElementType(Member member, string path, out ITypeSymbol? elementType)
    {
        elementType = null;
        ITypeSymbol? declared = null;
        int itemCount = 0;
        ITypeSymbol? item = null;
        foreach (AttributeData attribute in member.Symbol.GetAttributes())
        {
            string? name = attribute.AttributeClass?.FullName();
            if (name is not ("Formatters.ElementTypeAttribute" or "System.Xml.Serialization.XmlArrayItemAttribute"))
                continue;
            ITypeSymbol? type = attribute.ConstructorArguments.Select(a => a.Value).OfType<ITypeSymbol>().FirstOrDefault()
                ?? attribute.NamedArguments.Where(a => a.Key == "Type").Select(a => a.Value.Value).OfType<ITypeSymbol>().FirstOrDefault();
            if (name == "Formatters.ElementTypeAttribute")
                declared = type;
            else if (type is not null)
                (item, itemCount) = (type, itemCount + 1);
        }

        string fullName = member.Type.FullName();
        if (!KnownCollections.IsOfObjects(fullName))
        {
            if (declared is null)
                return true;
            Report(Descriptors.ElementType, member.Symbol, path, "an element type is declared for a member that is not a collection of objects");
            return false;
        }

        elementType = declared ?? item;
        string? problem = declared is null && itemCount > 1
            ? "several [XmlArrayItem]; the elements of a list are of one type"
            : elementType?.OriginalDefinition.SpecialType == SpecialType.System_Nullable_T
            ? "the elements of a collection of objects cannot be declared nullable; use a List<T>" : null;
        if (problem is not null)
            Report(Descriptors.ElementType, member.Symbol, path, problem);
        return problem is null;
    }

    private static ITypeSymbol? KeyTypeOf(ISymbol member) =>
        member.GetAttributes().FirstOrDefault(a => a.AttributeClass?.FullName() == "Formatters.ElementTypeAttribute")?.NamedArguments
            .FirstOrDefault(a => a.Key == "KeyType").Value.Value as ITypeSymbol;

    /// <summary>Returns the row of a type; null if it is not a single value in every format.</summary>
    private ScalarType? FindScalar(ITypeSymbol type) =>
        ScalarTypes.Find(type.FullName()) is ScalarType scalar && (_isNet || !scalar.Is(ScalarTraits.NetOnly)) && IsOfBytes(type) ? scalar : null;

    private static bool IsOfBytes(ITypeSymbol type) =>
        type is not INamedTypeSymbol { IsGenericType: true } generic || generic.TypeArguments[0].SpecialType == SpecialType.System_Byte;

    private static string? WhyUnsupported(INamedTypeSymbol type)
    {
        return type.SpecialType == SpecialType.System_Object
            ? "the body carries no type names, so a member has to be of a declared type"
            : UnsupportedTypes.Find(type.FullName()) is string advice
            ? advice
            : Symbols.Levels(type).Any(l => l.FullName() == "System.Exception")
            ? UnsupportedTypes.Find("System.Exception")
            : type.TypeKind == TypeKind.Delegate
            ? "a delegate has no bytes"
            : type.TypeKind == TypeKind.Interface || type.IsAbstract
            ? "no object can be made of an interface or an abstract class without [MessageUnion]"
            : Symbols.WhyUnusable(type) is string unusable
            ? unusable
            : IsOfBaseLibrary(type)
            ? null
            : Symbols.IsOfNet(type)
            ? "of the base library only the types of docs/wire/binary.md have a contract"
            : type.AllInterfaces.Any(i => i.SpecialType == SpecialType.System_Collections_IEnumerable)
            ? "of collections only those of docs/wire/binary.md have a contract"
            : type.HasAttribute(BaseLibrary.InlineArrayAttribute)
            ? BaseLibrary.WhyInlineArray
            : FindHiding(type) is INamedTypeSymbol hiding
            ? BaseLibrary.WhyHidden(hiding.ShortName())
            : null;
    }

    /// <summary>Finds the base library class from which a type derives, if it has state that no member exposes.</summary>
    private static INamedTypeSymbol? FindHiding(INamedTypeSymbol type)
    {
        INamedTypeSymbol? level = type.BaseType;
        while (level is not null && !Symbols.IsOfNet(level))
            level = level.BaseType;
        return level is not null && BaseLibrary.HoldsHidden(level.FullName()) ? level : null;
    }

    /// <summary>
    /// Determines whether it is a record of the base library: a pair, a tuple, a vector. Its members never change, and need no numbers.
    /// </summary>
    private static bool IsOfBaseLibrary(INamedTypeSymbol type) =>
        type.IsTupleType || PlainStructs.Contains(type.FullName()) || type.IsGenericType
        && (type.FullName() == "System.Collections.Generic.KeyValuePair`2" || type.FullName().StartsWith("System.Tuple`", StringComparison.Ordinal));

    /// <summary>Determines whether a type is nested so often in generic types that it belongs to an infinite sequence.</summary>
    internal static bool IsTooDeep(ITypeSymbol type) => GenericDepth(type) > MaxGenericDepth;

    private static int GenericDepth(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => GenericDepth(array.ElementType) + 1,
        // A nested type of a generic one also has the arguments of that one.
        INamedTypeSymbol named => named.TypeArguments.Select(a => GenericDepth(a) + 1)
            .Append(named.ContainingType is INamedTypeSymbol outer ? GenericDepth(outer) : 0).Max(),
        _ => 0,
    };
}
