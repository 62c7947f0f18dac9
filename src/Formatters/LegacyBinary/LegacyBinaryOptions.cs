using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Formatters.Contracts;

namespace Formatters.LegacyBinary;

/// <summary>Options of a <see cref="LegacyBinaryFormatter{T}"/>: types in addition to those that members declare, and names in bodies.</summary>
/// <remarks>
/// <para>Immutable: every <c>With…</c> method returns new options. The set of types is closed when the formatter is created: the declared type, the
/// types of its members, of their members and so on, the base types, and those given here. A body can name no other.</para>
/// <para>A type has the name in bodies that is set here; a generic argument and an array element are named in the same way. Otherwise a type has its
/// own full name and assembly, or that of its <c>[TypeForwardedFrom]</c> attribute: base types are in mscorlib.</para>
/// </remarks>
/// <example><code>
/// // Bodies of Shop.exe, whose Order has become Sales.Order in another assembly, with a field renamed.
/// var options = LegacyBinaryOptions.Default
///     .WithType(typeof(Order), "Shop.Order", "Shop, Version=1.0.0.0, Culture=neutral, PublicKeyToken=null")
///     .WithMember(typeof(Order), "_total", "m_Total");
/// </code></example>
public sealed record LegacyBinaryOptions : FormatterOptions
{
    private static readonly IReadOnlyList<Names> NoNames = [];

    /// <summary>Gets the default options.</summary>
    public static LegacyBinaryOptions Default { get; } = new();

    /// <summary>Gets how much type information is written. On reading, every body is accepted.</summary>
    /// <value>Default <see cref="LegacyBinaryTypeFormat.TypesAlways"/>, as in System.Messaging.</value>
    public LegacyBinaryTypeFormat TypeFormat
    {
        get;
        init => field = ThrowHelper.Defined(value, nameof(TypeFormat));
    }

    /// <summary>Gets whether assemblies are compared by their full names, with version, culture and key, instead of by their simple names.</summary>
    /// <value>Default <see langword="false"/>: simple names, as .NET Framework does under <c>FormatterAssemblyStyle.Simple</c>, its default.</value>
    public bool MatchFullAssemblyNames { get; init; }

    /// <summary>Gets whether a body that lacks a member of its type is rejected, unless the member is marked <c>[OptionalField]</c>.</summary>
    /// <value>Default <see langword="false"/>: the member keeps its default value, as on .NET Framework with
    /// <c>FormatterAssemblyStyle.Simple</c>.</value>
    public bool RequireAllMembers { get; init; }

    internal IEnumerable<Type> Types => [.. TypeNames.Keys.Where(static type => !type.IsGenericTypeDefinition), .. Shapes.Keys];

    /// <summary>Gets the maximum number of names of one type.</summary>
    internal int MaxNameCount
    {
        get
        {
            int count = 0;
            foreach (IReadOnlyList<Names> names in TypeNames.Values)
                count = Math.Max(count, names.Count);
            return count;
        }
    }

    private Dictionary<Type, IReadOnlyList<Names>> TypeNames { get; init; } = [];

    private Dictionary<Assembly, string> AssemblyNames { get; init; } = [];

    private Dictionary<(Type DeclaringType, string FieldName), IReadOnlyList<string>> MemberNames { get; init; } = [];

    private Dictionary<Type, LegacyShape> Shapes { get; init; } = [];

    /// <summary>Adds a type that an <see cref="object"/>, an interface or a base class may hold; optionally sets its name.</summary>
    /// <param name="type">The type; also an array or a closed generic type. An open one, <c>typeof(Box&lt;&gt;)</c>, adds no type: it names all
    /// closed ones that have no name of their own here, followed by the names of their arguments.</param>
    /// <param name="typeName">Its full name in bodies; null: its own. Of an open generic type without arguments: <c>Old.Box`1</c>.</param>
    /// <param name="assemblyName">The name of its assembly in bodies, as <see cref="Assembly.FullName"/> gives it; null: its own.</param>
    /// <returns>New options. Given twice, a type is read under both names and written under the last.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="type"/> is open in part, as an array of an open generic type; or a name is empty, or that
    /// of an open one has arguments.</exception>
    public LegacyBinaryOptions WithType(Type type, string? typeName = null, string? assemblyName = null)
    {
        if (type is null)
            throw new ArgumentNullException(nameof(type));
        if (type.ContainsGenericParameters && !type.IsGenericTypeDefinition)
            throw new ArgumentException("The type has open type parameters, but is not a generic type definition.", nameof(type));
        if (typeName is "")
            throw new ArgumentException("The name is empty.", nameof(typeName));
        if (type.IsGenericTypeDefinition && typeName?.IndexOf('[') >= 0)
            throw new ArgumentException("The name of an open generic type cannot have arguments.", nameof(typeName));
        if (assemblyName is "")
            throw new ArgumentException("The name is empty.", nameof(assemblyName));
        return this with { TypeNames = new(TypeNames) { [type] = [.. FindNames(type), new Names(typeName, assemblyName)] } };
    }

    /// <summary>Sets the name of an assembly in bodies.</summary>
    /// <param name="assembly">The assembly in which the types are now.</param>
    /// <param name="assemblyName">The name of the assembly in bodies, as <see cref="Assembly.FullName"/> gives it.</param>
    /// <returns>New options.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    public LegacyBinaryOptions WithAssembly(Assembly assembly, string assemblyName) => this with
    {
        AssemblyNames = new(AssemblyNames)
        {
            [assembly ?? throw new ArgumentNullException(nameof(assembly))] = assemblyName ?? throw new ArgumentNullException(nameof(assemblyName)),
        },
    };

    /// <summary>Sets the name of a field in bodies. An auto-property is the field <c>&lt;Name&gt;k__BackingField</c>.</summary>
    /// <param name="declaringType">The class or struct that declares the field. An open generic one, <c>typeof(Box&lt;&gt;)</c>, applies to all
    /// closed ones without their own setting.</param>
    /// <param name="fieldName">The name of the field.</param>
    /// <param name="memberName">Its name in bodies.</param>
    /// <returns>New options. Bodies are read under the field's own name too; they are written under the last name given.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException"><paramref name="declaringType"/> declares no such field.</exception>
    public LegacyBinaryOptions WithMember(Type declaringType, string fieldName, string memberName)
    {
        if (declaringType is null)
            throw new ArgumentNullException(nameof(declaringType));
        if (fieldName is null)
            throw new ArgumentNullException(nameof(fieldName));
        if (memberName is null)
            throw new ArgumentNullException(nameof(memberName));
        if (!HasField(declaringType, fieldName))
            throw new ArgumentException($"{declaringType} declares no field of this name.", nameof(fieldName));
        return this with
        {
            MemberNames = new(MemberNames)
            {
                [(declaringType, fieldName)] = [.. MemberNames.TryGetValue((declaringType, fieldName), out IReadOnlyList<string>? names)
                    ? names
                    : [], memberName],
            },
        };
    }

    /// <summary>
    /// Adds a type that writes its own members (<c>ISerializable</c>), and the named values with which it is written: exceptions, types of the
    /// runtime, your own types.
    /// </summary>
    /// <typeparam name="T">The type, as it would be passed to <see cref="WithType"/>; also a type of yours that represents one of a body, under that
    /// one's name.</typeparam>
    /// <param name="read">Creates an object from the values. It runs after the whole body was read. Objects among the values are complete, except for
    /// parts that wait for other objects created in this way, and collections in them may still be empty: store references, do not copy. It may
    /// return an existing object (<c>IObjectReference</c>). It may run again in another attempt to read the same body. Objects that need each other
    /// to be created, in a cycle, are rejected: use the overload with <c>create</c> for those.</param>
    /// <param name="write">Adds the values of an object, in the order and under the types that <c>GetObjectData</c> gives them.</param>
    /// <returns>New options, of which <typeparamref name="T"/> is a type.</returns>
    /// <remarks>
    /// Types of values are in the set if members of others declare them, or by <see cref="WithType"/>. No code of the type itself is called.
    /// </remarks>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <example><code>
    /// var options = LegacyBinaryOptions.Default.WithSerializable&lt;Money&gt;(
    ///     static members => new Money(members.Get&lt;decimal&gt;("amount"), members.Get&lt;string&gt;("currency")),
    ///     static (money, members) => { members.Add("amount", money.Amount); members.Add("currency", money.Currency); });
    /// </code></example>
    public LegacyBinaryOptions WithSerializable<T>(Func<LegacyBinaryMembers, T> read, Action<T, LegacyBinaryMembers> write)
        where T : notnull
    {
        if (read is null)
            throw new ArgumentNullException(nameof(read));
        if (write is null)
            throw new ArgumentNullException(nameof(write));
        return WithSerializable(read, fill: null, write);
    }

    /// <summary>
    /// Adds a type as <see cref="WithSerializable{T}(Func{LegacyBinaryMembers, T}, Action{T, LegacyBinaryMembers})"/> does, whose objects may refer
    /// to each other in cycles: an object is created first, and gets its values when all objects exist.
    /// </summary>
    /// <typeparam name="T">The type, a class.</typeparam>
    /// <param name="create">Creates an object without its values.</param>
    /// <param name="read">Sets the values of an object. It runs after the whole body was read and all objects were created; collections among the
    /// values, and others of these objects, may still be empty: store references, do not copy. It may run again in another attempt to read the same
    /// body, on other objects.</param>
    /// <param name="write">Adds the values of an object, in the order and under the types that <c>GetObjectData</c> gives them.</param>
    /// <returns>New options, of which <typeparamref name="T"/> is a type.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <example><code>
    /// var options = LegacyBinaryOptions.Default.WithSerializable&lt;Person&gt;(
    ///     static () => new Person(),
    ///     static (person, members) => person.Spouse = members.Get&lt;Person?&gt;("spouse"),
    ///     static (person, members) => members.Add("spouse", person.Spouse, typeof(Person)));
    /// </code></example>
    public LegacyBinaryOptions WithSerializable<T>(Func<T> create, Action<T, LegacyBinaryMembers> read, Action<T, LegacyBinaryMembers> write)
        where T : class
    {
        if (create is null)
            throw new ArgumentNullException(nameof(create));
        if (read is null)
            throw new ArgumentNullException(nameof(read));
        if (write is null)
            throw new ArgumentNullException(nameof(write));
        return WithSerializable<T>(_ => create(), read, write);
    }

    private LegacyBinaryOptions WithSerializable<T>(Func<LegacyBinaryMembers, T> read, Action<T, LegacyBinaryMembers>? fill,
        Action<T, LegacyBinaryMembers> write)
        where T : notnull
    {
        var shape = new LegacyClassShape<T>((type, _) => new LegacyOpenContract<T>(type, read, fill, write) { AllocationByteCount = 256 });
        return this with { Shapes = new(Shapes) { [typeof(T)] = shape } };
    }

    internal LegacyShape? FindShape(Type type) => Shapes.TryGetValue(type, out LegacyShape? shape) ? shape : null;

    internal IReadOnlyList<Names> FindNames(Type type) => TypeNames.TryGetValue(type, out IReadOnlyList<Names>? names) ? names : NoNames;

    /// <summary>Returns one of the names of a type; null if it has none.</summary>
    internal Names? FindName(Type type, int generation)
    {
        IReadOnlyList<Names> names = FindNames(type);
        return names.Count == 0 ? null : names[Math.Min(generation, names.Count - 1)];
    }

    internal string? FindAssemblyName(Assembly assembly) => AssemblyNames.TryGetValue(assembly, out string? name) ? name : null;

    internal IReadOnlyList<string> FindMemberNames(Type declaringType, string fieldName) =>
        MemberNames.TryGetValue((declaringType, fieldName), out IReadOnlyList<string>? names)
        ? names
        : declaringType.IsConstructedGenericType
        ? FindMemberNames(declaringType.GetGenericTypeDefinition(), fieldName)
        : [];

    [System.Diagnostics.CodeAnalysis.UnconditionalSuppressMessage("Trimming", "IL2070",
        Justification = "A field that was removed is reported as absent.")]
    private static bool HasField(Type declaringType, string fieldName) => declaringType.GetField(
        fieldName, BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly) is not null;

    /// <summary>A name of a type in bodies; null for its own.</summary>
    internal sealed record Names(string? TypeName, string? AssemblyName);
}
