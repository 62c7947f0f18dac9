using System;
using System.Collections.Generic;
using System.Diagnostics.CodeAnalysis;
using Formatters.Contracts;
using Formatters.Custom;

namespace Formatters;

/// <summary>
/// A wire format with the tags that identify it. <see cref="MessageFormatter.Create{T}(WireFormat, FormatterLimits?)"/> creates its formatter, for
/// programs that choose the format at run time.
/// </summary>
/// <remarks>
/// This is the list of the formats: the registry, the inspectors, the tools, the benchmarks and the tests take them from <see cref="All"/>. Each is
/// described by a class in its own folder, and <see cref="ContractFormats"/> has the generated ones: docs/architecture.md.
/// </remarks>
public abstract class WireFormat
{
    private static readonly List<WireFormat> s_all = [];

    private protected WireFormat(string name, string displayName, string contentType, int bodyType, FormatterOptions defaultOptions,
        ContractFormats contractFormat = ContractFormats.None)
    {
        Name = name;
        DisplayName = displayName;
        ContentType = contentType;
        BodyType = bodyType;
        DefaultOptions = defaultOptions;
        ContractFormat = contractFormat;
    }

    /// <summary>Gets the binary format: docs/wire/binary.md.</summary>
    public static WireFormat Binary { get; } = Add(new BinaryWireFormat());

    /// <summary>Gets the versioned format: docs/wire/versioned.md.</summary>
    public static WireFormat Versioned { get; } = Add(new VersionedWireFormat());

    /// <summary>Gets MessagePack: docs/wire/messagepack.md.</summary>
    public static WireFormat MessagePack { get; } = Add(new MessagePackWireFormat());

    /// <summary>Gets CBOR: docs/wire/cbor.md.</summary>
    public static WireFormat Cbor { get; } = Add(new CborWireFormat());

    /// <summary>Gets the compact format: docs/wire/compact.md.</summary>
    public static WireFormat Compact { get; } = Add(new CompactWireFormat());

    /// <summary>Gets protobuf: docs/wire/protobuf.md.</summary>
    public static WireFormat Protobuf { get; } = Add(new ProtobufWireFormat());

    /// <summary>Gets XML: docs/wire/xml.md.</summary>
    public static WireFormat Xml { get; } = Add(new XmlWireFormat());

#if NET
    /// <summary>Gets JSON: docs/wire/json.md. Not supported on netstandard2.0.</summary>
    public static WireFormat Json { get; } = Add(new JsonWireFormat());

#endif
    /// <summary>Gets the bodies of <c>BinaryMessageFormatter</c>: docs/wire/legacy-binary.md.</summary>
    public static WireFormat LegacyBinary { get; } = Add(new LegacyBinaryWireFormat());

    /// <summary>Gets all formats that one formatter writes and reads for any type.</summary>
    public static IReadOnlyList<WireFormat> All { get; } = s_all.AsReadOnly();

    /// <summary>Gets the name, in lower case, as the tools use it: <c>messagepack</c>.</summary>
    public string Name { get; }

    /// <summary>Gets the name in a sentence: <c>MessagePack</c>.</summary>
    public string DisplayName { get; }

    /// <summary>Gets the content type that the formatter sets on a body.</summary>
    public string ContentType { get; }

    /// <summary>Gets the body type that the formatter sets on a body.</summary>
    public int BodyType { get; }

    /// <summary>Gets the inspector that prints bodies of the format without their types.</summary>
    public abstract MessageInspector Inspector { get; }

    /// <summary>Gets the default options of the formatter, of the options class of the format: <see cref="CborOptions"/> for CBOR.</summary>
    public FormatterOptions DefaultOptions { get; }

    /// <summary>
    /// Gets the format in <see cref="MessageContractAttribute.Formats"/>; <see cref="ContractFormats.None"/> if no contracts are generated for it. A
    /// format of the application uses the contract for MessagePack.
    /// </summary>
    public ContractFormats ContractFormat { get; }

    /// <summary>Returns a wire format of the application: docs/wire/custom.md.</summary>
    /// <typeparam name="TFormat">The format.</typeparam>
    /// <returns>Its description, always the same instance. <see cref="All"/> and <see cref="Find"/> do not include it.</returns>
    /// <exception cref="ArgumentException">The name is empty, the content type is not a MIME name, or the body type is negative.</exception>
    public static WireFormat Custom<TFormat>()
        where TFormat : struct, ICustomWireFormat => ApplicationWireFormat<TFormat>.Instance;

    /// <summary>Finds a format of the library by its name or content type.</summary>
    /// <param name="nameOrContentType">For example <c>cbor</c> or <c>application/cbor</c>, in any case.</param>
    /// <returns>The format; null if there is none.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="nameOrContentType"/> is null.</exception>
    public static WireFormat? Find(string nameOrContentType)
    {
        if (nameOrContentType is null)
            throw new ArgumentNullException(nameof(nameOrContentType));
        foreach (WireFormat format in All)
        {
            if (string.Equals(format.Name, nameOrContentType, StringComparison.OrdinalIgnoreCase)
                || string.Equals(format.ContentType, nameOrContentType, StringComparison.OrdinalIgnoreCase))
                return format;
        }

        return null;
    }

    /// <summary>Returns the <see cref="Name"/>.</summary>
    /// <returns>The name.</returns>
    public override string ToString() => Name;

    /// <summary>Creates a formatter with the generated contract of a type, or one found by reflection.</summary>
    /// <param name="options">Options of the class of the format.</param>
    [RequiresUnreferencedCode(ReflectionMessages.Trimming)]
    [RequiresDynamicCode(ReflectionMessages.DynamicCode)]
    internal abstract MessageFormatter<T> CreateFormatter<T>(FormatterOptions options);

    /// <summary>Creates a formatter with a generated contract.</summary>
    /// <param name="contract">The contract.</param>
    /// <param name="options">Options of the class of the format.</param>
    internal virtual MessageFormatter<T> CreateFormatter<T>(MessageContract<T> contract, FormatterOptions options) =>
        throw new ArgumentException($"No contracts are generated for the format {Name}.");

    /// <summary>Returns the default options with other limits.</summary>
    internal FormatterOptions OptionsWith(FormatterLimits? limits) => limits is null ? DefaultOptions : DefaultOptions with { Limits = limits };

    /// <summary>Returns options of the class of the format.</summary>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> is null.</exception>
    /// <exception cref="ArgumentException">They are options of another format.</exception>
    internal FormatterOptions Accept(FormatterOptions options)
    {
        if (options is null)
            throw new ArgumentNullException(nameof(options));
        return options.GetType() == DefaultOptions.GetType() ? options : throw new ArgumentException(
            $"The options of the format {Name} are {DefaultOptions.GetType().Name}, not {options.GetType().Name}.", nameof(options));
    }

    private static WireFormat Add(WireFormat format)
    {
        s_all.Add(format);
        return format;
    }
}
