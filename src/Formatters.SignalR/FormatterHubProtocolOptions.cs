using System;
using System.Collections.Generic;

namespace Formatters.SignalR;

/// <summary>Settings of the hub protocol: the formatters of arguments and results.</summary>
public sealed class FormatterHubProtocolOptions
{
    /// <summary>Gets or sets the options of the formatters that are created for the types of arguments and results.</summary>
    /// <value>Default <see cref="MessagePackOptions.Default"/>: objects are maps with the names of their members, or arrays if the members have
    /// numbers. Both sides must have the same <see cref="MessagePackOptions.Form"/>. The limits apply to each argument and result; the length of a
    /// whole message is limited by SignalR's <c>MaximumReceiveMessageSize</c>.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public MessagePackOptions MessagePack
    {
        get;
        set => field = value ?? throw new ArgumentNullException(nameof(value));
    } = MessagePackOptions.Default;

    /// <summary>Gets the formatters of single types.</summary>
    internal Dictionary<Type, ValueFormatter> Formatters { get; } = [];

    /// <summary>Sets the formatter of one type, in place of one with the <see cref="MessagePack"/> options.</summary>
    /// <typeparam name="T">The type of an argument or result. A formatter of a base class or interface also writes the objects of derived classes
    /// that have none of their own.</typeparam>
    /// <param name="formatter">The formatter.</param>
    /// <returns>These options.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="formatter"/> is null.</exception>
    public FormatterHubProtocolOptions Add<T>(MessagePackFormatter<T> formatter)
    {
        ArgumentNullException.ThrowIfNull(formatter);
        Formatters[typeof(T)] = new ValueFormatter<T>(formatter);
        return this;
    }
}
