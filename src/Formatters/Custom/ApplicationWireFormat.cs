using System;
using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;
using Formatters.Custom;

namespace Formatters;

/// <summary>Describes a format of the application.</summary>
/// <typeparam name="TFormat">The format.</typeparam>
internal sealed class ApplicationWireFormat<TFormat> : WireFormat
    where TFormat : struct, ICustomWireFormat
{
    // Threads may race; the instances are alike.
    private static volatile ApplicationWireFormat<TFormat>? s_instance;

    private ApplicationWireFormat(TFormat format)
        : base(format.Name, format.Name, format.ContentType, format.BodyType, CustomFormatOptions.Default, ContractFormats.MessagePack)
    {
        Inspector = new CustomInspector<TFormat>();
    }

    /// <inheritdoc/>
    public override MessageInspector Inspector { get; }

    /// <summary>Gets the description.</summary>
    /// <exception cref="ArgumentException">The name is empty, the content type is not a MIME name, or the body type is negative.</exception>
    internal static ApplicationWireFormat<TFormat> Instance => s_instance ??= Create();

    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal override MessageFormatter<T> CreateFormatter<T>(FormatterOptions options) =>
        new CustomFormatter<T, TFormat>((CustomFormatOptions)options);

    internal override MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        new CustomFormatter<T, TFormat>(contract, (CustomFormatOptions)options);

    private static ApplicationWireFormat<TFormat> Create()
    {
        TFormat format = default;
        if (string.IsNullOrWhiteSpace(format.Name))
            throw new ArgumentException($"The name of the wire format {typeof(TFormat)} is empty.");
        if (format.ContentType is null || !ContentTypes.IsValid(format.ContentType))
            throw new ArgumentException($"The content type of the wire format {format.Name} must be a type and a subtype, without parameters.");
        if (format.BodyType < 0)
            throw new ArgumentException($"The body type of the wire format {format.Name} must be 0 or greater.");
        return new ApplicationWireFormat<TFormat>(format);
    }
}
