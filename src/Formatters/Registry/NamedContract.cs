using System;

namespace Formatters.Contracts;

/// <summary>The generated contract of a type, with the name by which the headers of messages identify it.</summary>
/// <remarks>Immutable and thread-safe. <see cref="MessageContractMapAttribute"/> lists those of an assembly.</remarks>
public abstract class NamedContract
{
    private protected NamedContract(string name, Type payloadType)
    {
        if (name is null)
            throw new ArgumentNullException(nameof(name));
        Name = string.IsNullOrWhiteSpace(name) ? throw new ArgumentException("The name of a contract is empty.", nameof(name)) : name;
        PayloadType = payloadType;
    }

    /// <summary>Gets the name: that of <see cref="MessageContractAttribute.Name"/>, or of the type without its namespace.</summary>
    public string Name { get; }

    /// <summary>Gets the type.</summary>
    public Type PayloadType { get; }

    /// <summary>Gets the formats with generated code.</summary>
    public abstract ContractFormats Formats { get; }

    /// <summary>Creates a formatter with the contract, without reflection.</summary>
    /// <param name="format">The format.</param>
    /// <param name="limits">The limits; null means <see cref="FormatterLimits.Default"/>.</param>
    /// <returns>A <see cref="MessageFormatter{T}"/> of the type.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="format"/> is null.</exception>
    /// <exception cref="ArgumentException">No contracts are generated for the format: JSON, legacy binary.</exception>
    /// <exception cref="InvalidOperationException">The contract does not include the format.</exception>
    public abstract IMessageFormatter CreateFormatter(WireFormat format, FormatterLimits? limits = null);

    /// <summary>Calls a visitor with the type.</summary>
    /// <typeparam name="TResult">What the visitor returns.</typeparam>
    /// <param name="visitor">The visitor.</param>
    /// <returns>The result of the visitor.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="visitor"/> is null.</exception>
    public abstract TResult Accept<TResult>(INamedContractVisitor<TResult> visitor);

    /// <summary>Returns the name and the type.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{Name} ({PayloadType})";
}

/// <summary>The generated contract of a type, with its name.</summary>
/// <typeparam name="T">The type.</typeparam>
public sealed class NamedContract<T> : NamedContract
{
    /// <summary>Gives a contract a name.</summary>
    /// <param name="name">The name.</param>
    /// <param name="contract">The contract: <c>Order.MessageContract</c>, or a property of a class with <see
    /// cref="MessageContractForAttribute"/>.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The name is empty.</exception>
    public NamedContract(string name, MessageContract<T> contract)
        : base(name, typeof(T))
    {
        Contract = contract ?? throw new ArgumentNullException(nameof(contract));
    }

    /// <summary>Gets the contract.</summary>
    public MessageContract<T> Contract { get; }

    /// <inheritdoc/>
    public override ContractFormats Formats => Contract.Formats;

    /// <inheritdoc/>
    public override IMessageFormatter CreateFormatter(WireFormat format, FormatterLimits? limits = null) =>
        MessageFormatter.Create(Contract, format, limits);

    /// <inheritdoc/>
    public override TResult Accept<TResult>(INamedContractVisitor<TResult> visitor) =>
        (visitor ?? throw new ArgumentNullException(nameof(visitor))).Visit(this);
}

/// <summary>Code that is called with the type of a contract.</summary>
/// <typeparam name="TResult">What it returns.</typeparam>
public interface INamedContractVisitor<out TResult>
{
    /// <summary>Visits a contract.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="contract">The contract.</param>
    /// <returns>The result.</returns>
    TResult Visit<T>(NamedContract<T> contract);
}
