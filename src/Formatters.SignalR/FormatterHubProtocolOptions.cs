using System;
using System.Collections.Generic;

namespace Formatters.SignalR;

/// <summary>How the arguments and results of hub methods are written and read.</summary>
public sealed class FormatterHubProtocolOptions
{
    /// <summary>Gets or sets the options of the formatters that are created for the types of arguments and results.</summary>
    /// <value>Default: objects as maps with the names of their members, as JavaScript clients have them. Both sides must have the same form.</value>
    /// <exception cref="ArgumentNullException">The value is null.</exception>
    public MessagePackOptions MessagePack
    {
        get;
        set => field = value ?? throw new ArgumentNullException(nameof(value));
    } = new() { Form = MessagePackForm.Map };

    /// <summary>Gets the formatters of single types.</summary>
    internal Dictionary<Type, ValueFormatter> Formatters { get; } = [];

    /// <summary>Sets the formatter of one type, in place of one with the <see cref="MessagePack"/> options.</summary>
    /// <typeparam name="T">The type of an argument or result.</typeparam>
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
