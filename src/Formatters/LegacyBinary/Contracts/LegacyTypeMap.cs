using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Text;
using System.Threading;
using Formatters.LegacyBinary;

namespace Formatters;

/// <summary>
/// The closed set of types: found by type on writing, by the names in the body on reading. No other type is created because a body names it.
/// </summary>
internal sealed class LegacyTypeMap
{
    private const int MaxCachedNameCount = 64;
    private const int MaxCachedLibraryCount = 16;

    private readonly Dictionary<Type, LegacyType> _types;
    private readonly Dictionary<string, LegacyType> _names;
    private readonly bool _isExact;
    private readonly ConcurrentDictionary<Type, LegacyType> _arrays = new();
    private readonly LegacyMember?[] _ignored = new LegacyMember?[17];
    private readonly LegacyType[] _vectors = new LegacyType[17];
    private NameEntry[] _nameCache = [];
    private LegacyLibrary[] _libraryCache = [];

    internal LegacyTypeMap(Dictionary<Type, LegacyType> types, Dictionary<string, LegacyType> names, LegacyType root, int contractCount,
        LegacyBinaryOptions options)
    {
        _types = types;
        _names = names;
        _isExact = options.MatchFullAssemblyNames;
        Root = root;
        ContractCount = contractCount;
        Options = options;
        Object = types[typeof(object)];
        String = types[typeof(string)];
        foreach (NrbfPrimitive primitive in NrbfPrimitive.All)
            _vectors[(int)primitive.Code] = types[primitive.VectorType];
    }

    internal LegacyBinaryOptions Options { get; }

    /// <summary>Gets the type of the payload.</summary>
    internal LegacyType Root { get; }

    internal LegacyType Object { get; }

    internal LegacyType String { get; }

    internal int ContractCount { get; }

    internal LegacyType? Find(Type type) => _types.TryGetValue(type, out LegacyType? found) ? found : null;

    /// <summary>Returns the entry for an array of a type of the set, which need not be in the set itself.</summary>
    internal LegacyType? FindArray(Type type)
    {
        LegacyType? element = Find(type.GetElementType()!);
        if (element is not { HasArrayElements: true })
            return null;
        return _arrays.GetOrAdd(type, _ => new LegacyType(type, LegacyName.Of(type, Options), LegacyName.AssemblyOf(type, Options))
        {
            Elements = element.ArrayElements,
        });
    }

    /// <summary>Returns the entry for the vector of a primitive type.</summary>
    internal LegacyType FindVector(NrbfPrimitive element) => _vectors[(int)element.Code];

    /// <summary>Returns a member that is skipped.</summary>
    /// <param name="primitive">Its primitive type; null for a record.</param>
    internal LegacyMember GetIgnored(NrbfPrimitive? primitive)
    {
        ref LegacyMember? ignored = ref _ignored[primitive is null ? 0 : (int)primitive.Code];
        return ignored ??= new LegacyForeignMember(null, primitive, Object);
    }

    /// <summary>Finds the type that a body names.</summary>
    /// <param name="name">The full name, UTF-8.</param>
    /// <param name="library">The assembly; null for the core.</param>
    /// <returns>Null for a type outside the set.</returns>
    internal LegacyType? Find(ReadOnlySpan<byte> name, LegacyLibrary? library)
    {
        foreach (NameEntry entry in _nameCache)
        {
            if (ReferenceEquals(entry.Library, library) && name.SequenceEqual(entry.Name))
                return entry.Type;
        }

        byte[] copy = name.ToArray();
        string? normal = LegacyName.Normalize(Encoding.UTF8.GetString(copy), library?.Name, _isExact);
        if (normal is null || !_names.TryGetValue(normal, out LegacyType? type))
            return null;
        // Only names of known types are cached, up to a limit: versions of assemblies come from the sender.
        AddTo(ref _nameCache, new NameEntry(copy, library, type), MaxCachedNameCount);
        return type;
    }

    /// <summary>Returns the library of a name in a body; known ones are reused.</summary>
    internal LegacyLibrary GetLibrary(ReadOnlySpan<byte> name)
    {
        foreach (LegacyLibrary known in _libraryCache)
        {
            if (name.SequenceEqual(known.Utf8Name))
                return known;
        }

        var library = new LegacyLibrary(name.ToArray());
        AddTo(ref _libraryCache, library, MaxCachedLibraryCount);
        return library;
    }

    /// <summary>Appends an entry in a new array, unless another thread did or the limit is reached.</summary>
    private static void AddTo<T>(ref T[] cache, T entry, int maxCount)
    {
        T[] current = Volatile.Read(ref cache);
        if (current.Length < maxCount)
            Interlocked.CompareExchange(ref cache, [.. current, entry], current);
    }

    private sealed record NameEntry(byte[] Name, LegacyLibrary? Library, LegacyType Type);
}

/// <summary>An assembly that a body names.</summary>
internal sealed class LegacyLibrary(byte[] utf8Name)
{
    internal byte[] Utf8Name { get; } = utf8Name;

    internal string Name { get; } = Encoding.UTF8.GetString(utf8Name);
}
