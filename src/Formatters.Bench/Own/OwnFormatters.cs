using System.Reflection;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;
using Formatters.Bench.Peers;
using Formatters.Binary;
using Formatters.Contracts;
using Formatters.Tools.Migrate;

namespace Formatters.Bench.Own;

/// <summary>A formatter of the catalogue for a type of the user's.</summary>
/// <param name="Name">The name of the row.</param>
/// <param name="Description">What writes the bytes.</param>
/// <param name="CanChange">Whether a reader with other members than the writer reads the body; null if that is not known.</param>
/// <param name="IsForNewBodies">Whether one would choose it today; the others are there for what old programs have written.</param>
/// <param name="Create">Makes it; throws what the library has to say where it does not take the type.</param>
internal sealed record OwnFormatter<T>(string Name, string Description, bool? CanChange, bool IsForNewBodies, Func<MessageFormatter<T>> Create);

/// <summary>The catalogue for a type that is known only when the tool runs.</summary>
internal static class OwnFormatters<T>
{
    /// <summary>The members, and not what a type writes by itself: that is a row of its own, and has no versions.</summary>
    private static BinaryBodyOptions Members => BinaryBodyOptions.Default with { UseOwnBodies = false, UseGeneratedContract = false };

    /// <summary>All formatters, by reflection and by the contracts that the user's assembly has generated.</summary>
    /// <param name="samples">What is written: the row <c>BinaryFormatter</c> may read the types in it, and no others.</param>
    internal static IReadOnlyList<OwnFormatter<T>> Create(IReadOnlyList<T> samples)
    {
        var rows = new List<OwnFormatter<T>>
        {
            new("hand-coded", "the type's own IBinaryBody", false, true, CreateHandCoded),
            new("bridge", "the type's own Save(BinaryWriter) and Load(BinaryReader)", false, true, CreateBridge),
            new("reflection", "the binary format, by reflection", false, true, static () => new BinaryBodyFormatter<T>(Members)),
            new(
                "reflection v", "the versioned format, by reflection", true, true, static () =>
                    new VersionedFormatter<T>(VersionedOptions.Default with { UseOwnBodies = false, UseGeneratedContract = false })),
        };
        AddGenerated(
            "generated", "the binary format, generated", ContractFormats.Binary, false, static contract => new BinaryBodyFormatter<T>(contract));
        AddGenerated(
            "versioned", "the versioned format, generated", ContractFormats.Versioned, true, static contract => new VersionedFormatter<T>(contract));
        foreach (WireFormat format in WireFormat.All.Where(
            static format => format.DefaultOptions is ContractOptions && format != WireFormat.Binary && format != WireFormat.Versioned))
        {
            string description = format == WireFormat.Compact ? "the compact format" : format.DisplayName;
            AddGenerated(
                format.DisplayName, $"{description}, generated", format.ContractFormat, true, contract => MessageFormatter.Create(contract, format));
            rows.Add(new($"{format.DisplayName} r", $"{description}, by reflection", true, true, () =>
                MessageFormatter.Create<T>(format, (ContractOptions)format.DefaultOptions with { UseGeneratedContract = false })));
        }

        AddGenerated("generated XML", "XmlSerializer's XML, generated", ContractFormats.Xml, true, static contract => new XmlFormatter<T>(contract));
        rows.Add(new("XML", "XmlSerializer", true, true, static () => new XmlFormatter<T>(XmlOptions.Default with { UseGeneratedContract = false })));
        rows.Add(new("generated JSON", "System.Text.Json, by the assembly's JsonSerializerContext", true, true, CreateGeneratedJson));
        rows.Add(new("JSON", "System.Text.Json, by reflection", true, true, static () => new JsonFormatter<T>()));
        rows.Add(new("ActiveX", "one value, as ActiveXMessageFormatter has it", false, true, static () => new ActiveXFormatter<T>()));
        rows.Add(new("legacy binary", "the bytes of BinaryFormatter without it", true, false, static () => new LegacyBinaryFormatter<T>()));
        rows.Add(new("BinaryFormatter", ".NET's removed one, restricted to the samples' types", true, false, () => CreateBinaryFormatter(samples)));
        rows.AddRange(Peer.All.Select(static peer => new OwnFormatter<T>(peer.Name, peer.Description, peer.CanChange, true, peer.Create<T>)));
        return rows;

        void AddGenerated(string name, string description, ContractFormats format, bool canChange,
            Func<MessageContract<T>, MessageFormatter<T>> create) =>
            rows.Add(new(name, description, canChange, true, () => create(FindContract(format))));
    }

    /// <summary>Formatters of libraries in the user's assemblies: public classes of one type argument that derive from
    /// <see cref="MessageFormatter{T}"/> of it, directly or through other classes, and whose constructor needs nothing. Their rows are called as
    /// they are: <c>ProtobufNet</c> for <c>ProtobufNetFormatter&lt;T&gt;</c>.</summary>
    internal static IEnumerable<OwnFormatter<T>> OfLibraries(UserAssemblies assemblies)
    {
        const string Suffix = "Formatter";
        foreach (Type open in assemblies.PublicTypes()
            .Where(static type => type is { IsAbstract: false, IsGenericTypeDefinition: true } && type.GetGenericArguments().Length == 1))
        {
            Type? parent = open.BaseType;
            while (parent is not null && !(parent.IsGenericType && parent.GetGenericTypeDefinition() == typeof(MessageFormatter<>)))
                parent = parent.BaseType;
            if (parent?.GetGenericArguments()[0] != open.GetGenericArguments()[0])
                continue;
            string name = open.Name.Split('`')[0];
            name = name.EndsWith(Suffix, StringComparison.Ordinal) && name.Length > Suffix.Length ? name[..^Suffix.Length] : name;
            yield return new OwnFormatter<T>(name, $"{open.FullName!.Split('`')[0]} of {open.Assembly.GetName().Name}", null, true,
                () => CreateOfLibrary(open));
        }
    }

    private static MessageFormatter<T> CreateOfLibrary(Type open)
    {
        Type type = open.MakeGenericType(typeof(T));
        ConstructorInfo constructor = type.GetConstructors()
            .Where(static item => Array.TrueForAll(item.GetParameters(), static parameter => parameter.IsOptional))
                .MinBy(static item => item.GetParameters().Length)
            ?? throw new NotSupportedException("it has no public constructor without parameters.");
        return (MessageFormatter<T>)constructor.Invoke([.. constructor.GetParameters().Select(static parameter => parameter.DefaultValue)]);
    }

    /// <summary>A formatter of the user's: a static member.</summary>
    internal static OwnFormatter<T> OfUser(string name, UserAssemblies assemblies)
    {
        IMessageFormatter formatter = assemblies.GetFormatter(name);
        return formatter is MessageFormatter<T> typed
            ? new OwnFormatter<T>(string.Join('.', name.Split('.')[^2..]), "a formatter of your own", null, true, () => typed)
            : throw new UsageException($"'{name}' is a {MemberTexts.NameOf(formatter.GetType())}, not a MessageFormatter<{typeof(T).Name}>.");
    }

    /// <summary>Finds a contract that the generator has made: a static property of the type, or of another class of its assembly
    /// (<c>[MessageContractFor]</c>).</summary>
    private static MessageContract<T> FindContract(ContractFormats format)
    {
        foreach (Type type in TypesOfAssembly().Prepend(typeof(T)).Where(static type => !type.ContainsGenericParameters))
        {
            PropertyInfo? property =
                type.GetProperties(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly)
                .FirstOrDefault(static property => property.PropertyType == typeof(MessageContract<T>) && property.GetIndexParameters().Length == 0);
            if (property?.GetValue(null) is MessageContract<T> contract && contract.Formats.HasFlag(format))
                return contract;
        }

        throw new NotSupportedException(
            $"no contract of this format is generated: put [MessageContract(Formats = ContractFormats.{format})] on the type, which must be partial, "
                + $"or write a class with [MessageContractFor].");
    }

    private static JsonFormatter<T> CreateGeneratedJson()
    {
        foreach (Type type in TypesOfAssembly().Where(static type => typeof(JsonSerializerContext).IsAssignableFrom(type) && !type.IsAbstract))
        {
            if (type.GetProperty("Default", BindingFlags.Static | BindingFlags.Public)?.GetValue(null) is JsonSerializerContext context
                && context.GetTypeInfo(typeof(T)) is JsonTypeInfo<T> info)
                return new JsonFormatter<T>(info);
        }

        throw new NotSupportedException($"no JsonSerializerContext of the assembly has [JsonSerializable(typeof({typeof(T).Name}))].");
    }

    private static MessageFormatter<T> CreateHandCoded()
    {
        if (!typeof(IBinaryBody).IsAssignableFrom(typeof(T)) || (!typeof(T).IsValueType && typeof(T).GetConstructor(Type.EmptyTypes) is null))
            throw new NotSupportedException("the type does not implement IBinaryBody, with a public constructor without parameters.");
        return (MessageFormatter<T>)Activator.CreateInstance(typeof(HandCodedFormatter<>).MakeGenericType(typeof(T)), [null])!;
    }

    private static MessageFormatter<T> CreateBridge()
    {
        MethodInfo? save = typeof(T).GetMethod("Save", [typeof(BinaryWriter)]), load = typeof(T).GetMethod("Load", [typeof(BinaryReader)]);
        if (save is null || load is null || load.IsStatic || typeof(T).IsValueType || typeof(T).GetConstructor(Type.EmptyTypes) is null)
            throw new NotSupportedException("the type has no Save(BinaryWriter) and Load(BinaryReader), with "
                + "a public constructor without parameters.");
        MethodInfo create = typeof(BinaryWriterFormatter).GetMethods()
            .First(static method => method.GetParameters().Length == 3 && method.GetGenericArguments().Length == 1);
        return (MessageFormatter<T>)create.MakeGenericMethod(typeof(T))
            .Invoke(null, [save.CreateDelegate<Action<T, BinaryWriter>>(), load.CreateDelegate<Action<T, BinaryReader>>(), null])!;
    }

    private static SystemBinaryFormatter<T> CreateBinaryFormatter(IReadOnlyList<T> samples)
    {
        var formatter = new SystemBinaryFormatter<T>([]);
        formatter.Learn(samples);
        return formatter;
    }

    private static IEnumerable<Type> TypesOfAssembly()
    {
        try
        {
            return typeof(T).Assembly.GetTypes();
        }
        catch (ReflectionTypeLoadException e)
        {
            return e.Types.OfType<Type>();
        }
    }
}
