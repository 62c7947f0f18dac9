using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Threading;
using Formatters.Contracts;

namespace Formatters.Hosting.Buses;

/// <summary>The contracts that a program exchanges over a bus: for each type its contract name, and the formatter that writes and reads it.</summary>
/// <remarks>
/// <para>A header of a message holds the name (<see cref="ContractNames.HeaderName"/>). It selects one of the types that were added; no type is
/// loaded because a message names it.</para>
/// <para>Types with <see cref="MessageContractAttribute"/> are added when the program first sends one, or when a bus that knows the types of its
/// handlers first receives one. Add the others, and all types that a program receives from a bus that does not know them (Rebus, a plain
/// queue).</para>
/// <para>Thread-safe.</para>
/// </remarks>
/// <example><code>
/// var contracts = new ContractRegistry(WireFormat.MessagePack)
///     .AddAll(typeof(OrderPlaced).Assembly)
///     .Add&lt;Invoice&gt;(new XmlFormatter&lt;Invoice&gt;());
/// </code></example>
public sealed class ContractRegistry
{
    private readonly object _lock = new();
    private readonly FormatterLimits? _limits;
    // Copied by every addition, so that readers need no lock.
    private Tables _tables = new([], new(StringComparer.Ordinal));

    /// <summary>Creates a registry without types, for a wire format.</summary>
    /// <param name="format">The wire format of the types that are added without a formatter.</param>
    /// <param name="limits">Their limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="format"/> is null.</exception>
    public ContractRegistry(WireFormat format, FormatterLimits? limits = null)
    {
        Format = format ?? throw new ArgumentNullException(nameof(format));
        _limits = limits;
    }

    /// <summary>Gets the wire format of the types that are added without a formatter.</summary>
    public WireFormat Format { get; }

    /// <summary>Gets or sets whether a bus only reads bodies of formatters, and still writes those of its own format.</summary>
    /// <value>Default false. True is the first step of a rolling change: deploy all readers with it, then set it to false.</value>
    public bool ReadsOnly { get; set; }

    /// <summary>Gets the contracts that have been added, in no particular order. Later additions do not change the collection.</summary>
    public IReadOnlyCollection<PayloadContract> Contracts => Volatile.Read(ref _tables).ByType.Values;

    /// <summary>Adds a type of payload, with its formatter and the names that messages carry.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="formatter">Writes and reads it: a formatter of the type, or a <see cref="FormatterRegistry"/> that reads several formats. Null
    /// for the <see cref="Format"/> of the registry.</param>
    /// <param name="name">The contract name that is sent; null for that of the type: see <see cref="ContractNames.Of"/>.</param>
    /// <param name="formerNames">Names that are read too, so that messages of a renamed type can still be received.</param>
    /// <returns>This registry.</returns>
    /// <exception cref="ArgumentException">The type or one of the names is already added; a name is empty; the type has no contract in the format,
    /// or no name; or the bodies of the formatter need a body type, which a bus does not carry (<see cref="ActiveXFormatter"/>).</exception>
    /// <exception cref="NotSupportedException">XmlSerializer or System.Text.Json does not support the type.</exception>
    [RequiresUnreferencedCode(PayloadContract.ReflectionMessage)]
    [RequiresDynamicCode(PayloadContract.ReflectionMessage)]
    public ContractRegistry Add<T>(IMessageFormatter? formatter = null, string? name = null, params string[] formerNames)
    {
        ArgumentNullException.ThrowIfNull(formerNames);
        if (formatter is ActiveXFormatter)
        {
            throw new ArgumentException(
                "The body type, which says what an ActiveX body contains, is not carried by a bus. Use another formatter.", nameof(formatter));
        }

        Add(new PayloadContract<T>(name ?? ContractNames.Of(typeof(T)), formerNames, formatter ?? MessageFormatter.Create<T>(Format, _limits)));
        return this;
    }

    /// <summary>Adds the types of an assembly that have <see cref="MessageContractAttribute"/>, except those that are already added.</summary>
    /// <param name="assembly">The assembly: <c>typeof(OrderPlaced).Assembly</c>. Open generic types are left out.</param>
    /// <returns>This registry.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="assembly"/> is null.</exception>
    /// <exception cref="ArgumentException">Two types have the same contract name, or a type has no contract in the format.</exception>
    [RequiresUnreferencedCode(PayloadContract.ReflectionMessage)]
    [RequiresDynamicCode(PayloadContract.ReflectionMessage)]
    public ContractRegistry AddAll(Assembly assembly)
    {
        ArgumentNullException.ThrowIfNull(assembly);
        foreach (Type type in assembly.GetTypes())
        {
            if (HasContract(type) && !Volatile.Read(ref _tables).ByType.ContainsKey(type))
                Add(PayloadContract.Create(type, Format, _limits));
        }

        return this;
    }

    /// <summary>Adds generated contracts, without reflection, except those of types that are already added.</summary>
    /// <param name="contracts">The contracts of an assembly: the property <c>All</c> of a class with <see
    /// cref="MessageContractMapAttribute"/>.</param>
    /// <returns>This registry.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="contracts"/> is null.</exception>
    /// <exception cref="ArgumentException">Two types have the same contract name, or no contracts are generated for the format: JSON, legacy
    /// binary.</exception>
    /// <exception cref="InvalidOperationException">A type has no generated contract in the format.</exception>
    public ContractRegistry AddAll(IEnumerable<NamedContract> contracts)
    {
        ArgumentNullException.ThrowIfNull(contracts);
        foreach (NamedContract contract in contracts)
        {
            if (!Volatile.Read(ref _tables).ByType.ContainsKey(contract.PayloadType))
                Add(contract.Accept(new PayloadContractMaker(Format, _limits)));
        }

        return this;
    }

    /// <summary>Finds the contract of a type, and adds it if the type has <see cref="MessageContractAttribute"/>.</summary>
    /// <param name="type">The type of a payload. A class that derives from a union (<see cref="MessageUnionAttribute"/>) has the contract of the
    /// union, unless it was added itself.</param>
    /// <returns>The contract; null if the type was not added and has no attribute.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException">The type has the attribute, but no contract in the format, or the name of another type.</exception>
    [RequiresUnreferencedCode(PayloadContract.ReflectionMessage)]
    [RequiresDynamicCode(PayloadContract.ReflectionMessage)]
    public PayloadContract? Find(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        Dictionary<Type, PayloadContract> byType = Volatile.Read(ref _tables).ByType;
        return byType.TryGetValue(type, out PayloadContract? contract) ? contract : FindUnionOrAdd(type, byType);
    }

    /// <summary>Finds the contract that was added with a name.</summary>
    /// <param name="name">The name in a header, compared by its UTF-16 code units: a current or a former one.</param>
    /// <returns>The contract; null if there is none.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    public PayloadContract? Find(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        return Volatile.Read(ref _tables).ByName.GetValueOrDefault(name);
    }

    /// <summary>Finds the contract that was added with a name.</summary>
    /// <param name="name">The name in a header.</param>
    /// <returns>The contract.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="name"/> is null.</exception>
    /// <exception cref="MessageFormatException">There is none (<see cref="MessageFormatErrorCode.UnknownFormat"/>, not poison: another receiver may
    /// know it).</exception>
    public PayloadContract Get(string name) => Find(name) ?? throw new MessageFormatException(
        MessageFormatErrorCode.UnknownFormat,
        $"The contract '{(name.Length <= 200 ? name : name[..200] + "...")}' in the header '{ContractNames.HeaderName}' is not registered here.");

    private static bool HasContract(Type type) =>
        !type.ContainsGenericParameters && type.IsDefined(typeof(MessageContractAttribute), inherit: false);

    [RequiresUnreferencedCode(PayloadContract.ReflectionMessage)]
    [RequiresDynamicCode(PayloadContract.ReflectionMessage)]
    private PayloadContract? FindUnionOrAdd(Type type, Dictionary<Type, PayloadContract> byType)
    {
        for (Type? ancestor = type.BaseType; ancestor is not null; ancestor = ancestor.BaseType)
        {
            if (byType.TryGetValue(ancestor, out PayloadContract? union) && ancestor.IsDefined(typeof(MessageUnionAttribute), inherit: false))
                return union;
        }

        if (!HasContract(type))
            return null;
        lock (_lock)
        {
            if (_tables.ByType.TryGetValue(type, out PayloadContract? contract))
                return contract;
            contract = PayloadContract.Create(type, Format, _limits);
            Add(contract);
            return contract;
        }
    }

    private void Add(PayloadContract contract)
    {
        lock (_lock)
        {
            if (_tables.ByType.ContainsKey(contract.PayloadType))
                throw new ArgumentException($"{contract.PayloadType} is already added.");
            var byName = new Dictionary<string, PayloadContract>(_tables.ByName, StringComparer.Ordinal);
            foreach (string name in (IEnumerable<string>)[contract.Name, .. contract.FormerNames])
            {
                if (string.IsNullOrWhiteSpace(name))
                    throw new ArgumentException($"A contract name of {contract.PayloadType} is empty.");
                if (!byName.TryAdd(name, contract))
                {
                    throw new ArgumentException(
                        $"{contract.PayloadType} and {byName[name].PayloadType} have the same contract name, '{name}'. Set "
                        + $"{nameof(MessageContractAttribute)}.{nameof(MessageContractAttribute.Name)}, or the name where one of them is added.");
                }
            }

            Volatile.Write(ref _tables, new Tables(new(_tables.ByType) { [contract.PayloadType] = contract }, byName));
        }
    }

    private sealed class PayloadContractMaker(WireFormat format, FormatterLimits? limits) : INamedContractVisitor<PayloadContract>
    {
        public PayloadContract Visit<T>(NamedContract<T> contract) =>
            new PayloadContract<T>(contract.Name, [], MessageFormatter.Create(contract.Contract, format, limits));
    }

    private sealed record Tables(Dictionary<Type, PayloadContract> ByType, Dictionary<string, PayloadContract> ByName);
}
