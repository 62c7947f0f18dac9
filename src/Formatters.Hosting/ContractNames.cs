using System;
using System.Reflection;

namespace Formatters.Hosting;

/// <summary>The names by which messages identify their contracts, so that several types can share a queue.</summary>
/// <remarks>A name only selects one of the types that the application has registered. No type is loaded because a message names it.</remarks>
public static class ContractNames
{
    /// <summary>The header with the name: <c>message_contract</c>.</summary>
    /// <remarks>It is an identifier of selectors: <c>message_contract = 'OrderPlaced'</c>.</remarks>
    public const string HeaderName = "message_contract";

    /// <summary>Gets the contract name of a type: <see cref="MessageContractAttribute.Name"/>, or else the name of the type without its
    /// namespace.</summary>
    /// <param name="type">The type of a payload.</param>
    /// <returns>The name.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="type"/> is null.</exception>
    /// <exception cref="ArgumentException">The type is generic or an array and has no name in the attribute, or that name is empty.</exception>
    public static string Of(Type type)
    {
        ArgumentNullException.ThrowIfNull(type);
        if (type.GetCustomAttribute<MessageContractAttribute>(inherit: false)?.Name is { } name)
            return !string.IsNullOrWhiteSpace(name) ? name : throw new ArgumentException($"The contract name of {type} is empty.", nameof(type));
        return !type.IsGenericType && !type.IsArray
            ? type.Name
            : throw new ArgumentException(
                $"{type} has no contract name: set {nameof(ConsumerOptions<object>.ContractName)} where it is registered.", nameof(type));
    }
}
