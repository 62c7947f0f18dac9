namespace Formatters.Generator;

/// <summary>Returns how generated code creates the collections of <see cref="KnownCollections"/>.</summary>
internal static class CollectionRecipes
{
    private const string Code = "__C.";

    internal static readonly CollectionRecipe Hashtable = new("Count", Code + "ToHashtable<{1}, {2}>({0})", false);

    /// <summary>Returns how a collection is counted, and created from an array, a set or a dictionary.</summary>
    internal static CollectionRecipe Recipe(this KnownCollection collection)
    {
        string arguments = collection.Kind == CollectionKind.MadeDictionary ? "{1}, {2}" : "{1}";
        string source = collection.Source switch
        {
            CollectionSource.Reversed => Code + "Reverse({0})",
            CollectionSource.List => "new global::System.Collections.Generic.List<{1}>({0})",
            _ => "{0}",
        };
        string comparer = collection.Keys switch
        {
            CollectionKeys.Compared => Code + "Comparer<{1}>()",
            CollectionKeys.Frozen => Code + "FrozenComparer<{1}>()",
            CollectionKeys.Ordered => Code + "Order<{1}>()",
            _ => "",
        };
        string given = comparer.Length == 0 ? source : collection.IsComparerLast ? $"{source}, {comparer}" : $"{comparer}, {source}";
        string space = "global::" + collection.Name.Substring(0, collection.Name.LastIndexOf('.') + 1);
        string name = collection.Name.Substring(0, collection.Name.IndexOf('`'));
        string make = collection.IsReadAsIs
            ? "{0}"
            : collection.Maker.Length > 0
            ? $"{space}{collection.Maker}<{arguments}>({given})"
            : $"new global::{name}<{arguments}>({given})";
        return new CollectionRecipe(collection.Count, make, collection.Kind == CollectionKind.Set, collection.IsConcurrent);
    }
}
