using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using System.Linq;
using System.Reflection;
using System.Runtime.ExceptionServices;
using Formatters.Queues;

namespace Formatters.Hosting.Buses;

/// <summary>A type of a <see cref="ContractRegistry"/>: its contract name, and the formatter that writes and reads it.</summary>
public abstract class PayloadContract
{
    internal const string ReflectionMessage =
        "The contract comes from the members of the type; ContractRegistry.AddAll with generated contracts does not.";

    private protected PayloadContract(Type payloadType, string name, IReadOnlyList<string> formerNames, IMessageFormatter formatter)
    {
        PayloadType = payloadType;
        Name = name;
        FormerNames = formerNames;
        Formatter = formatter;
    }

    /// <summary>Gets the type of the payload.</summary>
    public Type PayloadType { get; }

    /// <summary>Gets the contract name that is sent.</summary>
    public string Name { get; }

    /// <summary>Gets the names that are read too.</summary>
    public IReadOnlyList<string> FormerNames { get; }

    /// <summary>Gets the formatter that writes and reads the type.</summary>
    public IMessageFormatter Formatter { get; }

    /// <summary>Gets the content types that the formatter is known to read, the one that it writes first.</summary>
    /// <value>Empty if the formatter is neither a <see cref="MessageFormatter{T}"/> nor a <see cref="FormatterRegistry"/> of such formatters.</value>
    public abstract IReadOnlyList<string> ContentTypes { get; }

    /// <summary>Writes the body of a payload.</summary>
    /// <param name="payload">A <see cref="PayloadType"/>.</param>
    /// <param name="contentType">The content type of the body: that of the formatter.</param>
    /// <returns>The body, in an array of its length. It is written into a rented buffer and copied once.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="payload"/> is null.</exception>
    /// <exception cref="ArgumentException">The payload is not a <see cref="PayloadType"/>.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written.</exception>
    public abstract byte[] Write(object payload, out string contentType);

    /// <summary>Reads the payload in a body.</summary>
    /// <param name="body">The body, all of it. It must not change while the payload is in use.</param>
    /// <param name="contentType">Its content type. One that the formatter does not read is an error; null is not.</param>
    /// <returns>The payload, never null.</returns>
    /// <exception cref="MessageFormatException">The body is damaged, beyond a limit, or in another format; or it contains null.</exception>
    public abstract object Read(ReadOnlyMemory<byte> body, string? contentType);

    /// <summary>Creates a formatter that writes and reads the type as JSON, such as that of a bus.</summary>
    /// <param name="options">The options.</param>
    /// <returns>A <see cref="JsonFormatter{T}"/>.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="NotSupportedException">System.Text.Json has no contract for the type, or would not read it back.</exception>
    [RequiresUnreferencedCode(ReflectionMessage)]
    [RequiresDynamicCode(ReflectionMessage)]
    public abstract IMessageFormatter CreateJsonFormatter(JsonOptions options);

    /// <summary>Returns the contract name and the type.</summary>
    /// <returns>The text.</returns>
    public override string ToString() => $"{Name} ({PayloadType})";

    /// <summary>Creates the contract of a type that is known only at run time.</summary>
    [RequiresUnreferencedCode(ReflectionMessage)]
    [RequiresDynamicCode(ReflectionMessage)]
    internal static PayloadContract Create(Type type, WireFormat format, FormatterLimits? limits)
    {
        string name = ContractNames.Of(type);
        IMessageFormatter formatter = MessageFormatter.Create(type, format, limits);
        try
        {
            return (PayloadContract)Activator.CreateInstance(
                typeof(PayloadContract<>).MakeGenericType(type), BindingFlags.Instance | BindingFlags.NonPublic, null,
                [name, Array.Empty<string>(), formatter], null)!;
        }
        catch (TargetInvocationException e) when (e.InnerException is not null)
        {
            ExceptionDispatchInfo.Capture(e.InnerException).Throw();
            throw;
        }
    }
}

/// <summary>The contract of a type that is known at compile time.</summary>
internal sealed class PayloadContract<T> : PayloadContract
{
    private readonly MessageFormatter<T>? _typed;
    private readonly string[] _contentTypes;

    internal PayloadContract(string name, string[] formerNames, IMessageFormatter formatter)
        : base(typeof(T), name, Array.AsReadOnly((string[])formerNames.Clone()), formatter)
    {
        _typed = formatter as MessageFormatter<T>;
        _contentTypes = [.. ContentTypesOf(formatter).Distinct(StringComparer.OrdinalIgnoreCase)];
    }

    public override IReadOnlyList<string> ContentTypes => Array.AsReadOnly(_contentTypes);

    public override byte[] Write(object payload, out string contentType)
    {
        ArgumentNullException.ThrowIfNull(payload);
        if (payload is not T value)
            throw new ArgumentException($"The payload is a {payload.GetType()}, not a {typeof(T)}.", nameof(payload));
        if (_typed is not null)
        {
            contentType = _typed.ContentType;
            return _typed.Write(value);
        }

        var body = new MessageBody();
        Formatter.Write(body, payload);
        contentType = body.ContentType ?? Formatters.ContentTypes.OctetStream;
        return body.ToArray();
    }

    public override object Read(ReadOnlyMemory<byte> body, string? contentType)
    {
        if (_typed is not null && string.Equals(contentType, _typed.ContentType, StringComparison.Ordinal) && _typed.Read(body.Span) is { } payload)
            return payload;
        return PayloadFormatters.Read<T>(new QueueMessage(new MessageBody(body, contentType: contentType)), Formatter)!;
    }

    [RequiresUnreferencedCode(ReflectionMessage)]
    [RequiresDynamicCode(ReflectionMessage)]
    public override IMessageFormatter CreateJsonFormatter(JsonOptions options) =>
        new JsonFormatter<T>(options ?? throw new ArgumentNullException(nameof(options)));

    private static IEnumerable<string> ContentTypesOf(IMessageFormatter formatter) => formatter switch
    {
        MessageFormatter<T> typed => [typed.ContentType],
        FormatterRegistry registry => registry.Readers.SelectMany(ContentTypesOf),
        _ => [],
    };
}
