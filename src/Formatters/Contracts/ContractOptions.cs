using System;
using System.Collections.Generic;

namespace Formatters.Contracts;

/// <summary>The common options of all formats that write and read the members of a contract: which contract is used, and what it allows.</summary>
/// <remarks>
/// A generated contract is compiled for the default options. Options that require another contract, such as <see cref="UnannotatedAllowsNull"/>, use
/// reflection; <c>Create</c> and formatters of a given contract throw.
/// </remarks>
public abstract record ContractOptions : FormatterOptions
{
    private HashSet<Type>? _allowDerived;

    private protected ContractOptions()
    {
    }

    /// <summary>Gets whether the generated contract of a type is used, if it has one.</summary>
    /// <value>Default <see langword="true"/>. With false, the contract is found by reflection, for example to compare the two.</value>
    public bool UseGeneratedContract { get; init; } = true;

    /// <summary>
    /// Gets whether a member may be null if its reference type is declared without nullable annotations, as in types of .NET Framework.
    /// </summary>
    /// <value>Default <see langword="false"/>: such a member is never null. With true, it counts as declared with <c>?</c>. This changes the bytes
    /// in the binary format, in which a nullable member has a presence byte, so both ends need the same value; in protobuf it is an <c>optional</c>
    /// field. In all other formats only null itself has other bytes. Elements of collections, keys and values are not affected.</value>
    public bool UnannotatedAllowsNull { get; init; }

    /// <summary>
    /// Gets the classes whose derived classes are allowed where the class itself is declared: their objects are written as the declared class,
    /// <b>without the members that they add</b>. For classes that cannot have <see cref="AllowDerivedAttribute"/>.
    /// </summary>
    /// <value>Default none. Each class applies to itself, not to those derived from it.</value>
    /// <exception cref="ArgumentNullException">The value, or a class in it, is null.</exception>
    /// <exception cref="ArgumentException">One of the types is not a class, or is sealed.</exception>
    public IReadOnlyCollection<Type> AllowDerived
    {
        get => _allowDerived is null ? [] : [.. _allowDerived];
        init
        {
            _allowDerived = null;
            foreach (Type type in value ?? throw new ArgumentNullException(nameof(AllowDerived)))
                _allowDerived = DerivedObjects.Allow(_allowDerived, type);
        }
    }

    /// <summary>Gets whether the options require a contract that differs from the generated one.</summary>
    internal virtual bool ChangesContract => UnannotatedAllowsNull || _allowDerived is not null || ElementTypes is not null;

    /// <summary>Gets whether types are written with their own <c>Save</c> and <c>Load</c>.</summary>
    internal virtual bool UsesOwnBodies => false;

    /// <summary>Gets whether members are identified by their numbers, in the versioned format.</summary>
    internal virtual bool IsVersioned => false;

    /// <summary>Gets whether to emit code for a contract found by reflection, if the runtime supports it.</summary>
    internal virtual bool CompilesCode => true;

    /// <summary>Gets the declared element types; null for none, so that a formatter of a generated contract loads nothing for them.</summary>
    internal DeclaredElementTypes? ElementTypes { get; private protected init; }

    /// <summary>Gets whether the generated contract, or otherwise the cached one found by reflection, can be used.</summary>
    internal bool IsPlain => UseGeneratedContract && !ChangesContract;

    /// <summary>Determines whether an object may be of a class derived from the declared one, and must be rejected then.</summary>
    internal bool ChecksDerived(Type declared) => DerivedObjects.AreChecked(declared, _allowDerived);

    /// <summary>Throws if the options require another contract than the generated one.</summary>
    /// <param name="payload">The type of the payload.</param>
    /// <param name="parameterName">The name of the parameter that holds the options.</param>
    /// <exception cref="ArgumentException">They do.</exception>
    internal void RequireGenerated(Type payload, string parameterName = "options")
    {
        if (!IsPlain)
        {
            throw new ArgumentException(
                $"The options ask for another contract of {TypeNames.Of(payload)} than the one that was passed or generated: use the constructor "
                + "with options alone, "
                    + "which finds a contract by reflection.",
                parameterName);
        }
    }
}
