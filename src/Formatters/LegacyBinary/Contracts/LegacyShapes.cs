using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.Specialized;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;

namespace Formatters;

/// <summary>The shapes of the runtime's types. Their names and members are those of .NET Framework, regardless of the runtime's own.</summary>
internal static class LegacyShapes
{
    /// <summary>The members that <see cref="Runtime{T}"/> preserves from trimming.</summary>
    internal const DynamicallyAccessedMemberTypes Fields =
        DynamicallyAccessedMemberTypes.PublicFields | DynamicallyAccessedMemberTypes.NonPublicFields
        | DynamicallyAccessedMemberTypes.PublicConstructors
        | DynamicallyAccessedMemberTypes.NonPublicConstructors;

    internal const string WritesItself = "it writes its own members (ISerializable): declare them with LegacyBinaryOptions.WithSerializable";

    private const BindingFlags AllInstance = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic;

    /// <summary>Gets the types that every set contains: none runs foreign code.</summary>
    internal static IEnumerable<LegacyShape> Always
    {
        get
        {
            yield return Runtime<object>();
            yield return new LegacyShape<string>();
            foreach (NrbfPrimitive primitive in NrbfPrimitive.All)
            {
                yield return primitive.CreateShape();
                yield return primitive.CreateVectorShape();
            }

            yield return new LegacyArrayShape<object>();
            yield return new LegacyArrayShape<string>();
            yield return Runtime<Guid>();
            yield return new LegacyClassShape<DateTimeOffset>(static (type, types) => LegacyBagContract.WithMembers(
                new LegacyDateTimeOffsetContract(type), ("DateTime", types.Get(typeof(DateTime))), ("OffsetMinutes", types.Get(typeof(short)))));
            yield return new LegacyClassShape<DBNull>(LegacyDBNullContract.Create);
            yield return Checked<ArrayList>(static () => LegacyChecks.OfList(typeof(ArrayList), typeof(object[])));
            yield return new LegacyClassShape<Hashtable>(LegacyHashtableContract.Create);
        }
    }

    /// <summary>Gets the types that are found automatically if a member declares them, or the options name them.</summary>
    internal static IReadOnlyDictionary<Type, LegacyShape> Known { get; } = ByType(
    [
        new LegacyClassShape<Version>(LegacyVersionContract.Create),
        new LegacyClassShape<Uri>(LegacyUriContract.Create),
        new LegacyClassShape<BitArray>(LegacyBitArrayContract.Create),
        Checked<Queue>(static () => LegacyChecks.OfQueue(typeof(Queue), typeof(object[]))),
        Checked<Stack>(static () => LegacyChecks.OfStack(typeof(Stack), typeof(object[]))),
        Runtime<DictionaryEntry>(),
        Runtime<ValueTuple>(),
        Checked<StringCollection>(LegacyChecks.OfStringCollection),
        Checked<StringDictionary>(LegacyChecks.OfStringDictionary),
    ]);

    /// <summary>Creates the shape of a runtime type whose fields are serialized and may have any value of their type.</summary>
    internal static LegacyShape Runtime<[DynamicallyAccessedMembers(Fields)] T>() => Checked<T>(null);

    internal static LegacyShape Nullable<T>()
        where T : struct => new LegacyShape<T?>();

    internal static LegacyShape Declared<T>(string? whyNot) => new LegacyShape<T> { WhyNot = whyNot };

    internal static LegacyShape List<T>() =>
        Checked<List<T>>(static () => LegacyChecks.OfList(typeof(List<T>), typeof(T[])), new LegacyListMaker<T>(), new LegacyArrayShape<T>());

    internal static LegacyShape Queue<T>() => Checked<Queue<T>>(
        static () => LegacyChecks.OfQueue(typeof(Queue<T>), typeof(T[])), new LegacyArrayShape<T>());

    internal static LegacyShape Stack<T>() => Checked<Stack<T>>(
        static () => LegacyChecks.OfStack(typeof(Stack<T>), typeof(T[])), new LegacyArrayShape<T>());

    internal static LegacyShape Collection<T>() =>
        Checked<System.Collections.ObjectModel.Collection<T>>(null, new LegacyShape<IList<T>>(), List<T>());

    internal static LegacyShape ReadOnlyCollection<T>() =>
        Checked<System.Collections.ObjectModel.ReadOnlyCollection<T>>(null, new LegacyShape<IList<T>>(), List<T>());

    internal static LegacyShape Dictionary<TKey, TValue>()
        where TKey : notnull => new LegacyClassShape<Dictionary<TKey, TValue>>(LegacyDictionaryContract<TKey, TValue>.Create);

    internal static LegacyShape HashSet<T>() => new LegacyClassShape<HashSet<T>>(LegacyHashSetContract<T>.Create);

    internal static LegacyShape SortedSet<T>() => new LegacyClassShape<SortedSet<T>>(LegacySortedSetContract<T>.Create);

    internal static LegacyShape SortedDictionary<TKey, TValue>()
        where TKey : notnull => new LegacyClassShape<SortedDictionary<TKey, TValue>>(LegacySortedDictionaryContract<TKey, TValue>.Create);

    internal static LegacyShape SortedList<TKey, TValue>()
        where TKey : notnull => new LegacyClassShape<SortedList<TKey, TValue>>(LegacySortedListContract<TKey, TValue>.Create);

    internal static LegacyShape LinkedList<T>() => new LegacyClassShape<LinkedList<T>>(LegacyLinkedListContract<T>.Create);

    /// <summary>Creates the shape of a runtime type whose fields are serialized and checked after all objects exist.</summary>
    private static LegacyClassShape<T> Checked<[DynamicallyAccessedMembers(Fields)]
    T>(Func<Func<object, bool>>? createCheck, params LegacyShape[] parts) =>
        Checked<T>(createCheck, listMaker: null, parts);

    private static LegacyClassShape<T> Checked<[DynamicallyAccessedMembers(Fields)] T>(
        Func<Func<object, bool>>? createCheck, LegacyListMaker? listMaker, params LegacyShape[] parts) =>
        new((type, types) =>
        {
            foreach (LegacyShape part in parts)
                types.Get(part);
            var contract = createCheck is null
                ? new LegacyRecordContract(type, LegacyObjects.Allocator<T>())
                : new LegacyCheckedContract(type, LegacyObjects.Allocator<T>(), createCheck()) { ListMaker = listMaker };
            LegacyFields.AddTo(contract, types, ownFields: typeof(T).GetFields(AllInstance), inheritedFields: []);
            return contract;
        });

    private static Dictionary<Type, LegacyShape> ByType(IEnumerable<LegacyShape> shapes)
    {
        var byType = new Dictionary<Type, LegacyShape>();
        foreach (LegacyShape shape in shapes)
            byType.Add(shape.Type, shape);
        return byType;
    }
}
