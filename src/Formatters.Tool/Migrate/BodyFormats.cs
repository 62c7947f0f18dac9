using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Formatters.Tools.Migrate;

/// <summary>The formats by the names that the command line has for them.</summary>
internal static class BodyFormats
{
    /// <summary>Reading: any format, by content type, body type or first bytes.</summary>
    internal const string Auto = "auto";

    /// <summary>Writing: the body as it is.</summary>
    internal const string Unchanged = "unchanged";

    private const string ActiveX = "activex";

    /// <summary>In the order in which a body without tags is tried.</summary>
    private static readonly (string Name, Func<PayloadFormatters, IMessageFormatter> Create)[] Formats =
    [
        ("binary", static payload => payload.CreateBinary()),
        ("versioned", static payload => payload.CreateVersioned()),
        ("messagepack", static payload => payload.CreateMessagePack()),
        ("cbor", static payload => payload.CreateCbor()),
        ("compact", static payload => payload.CreateCompact()),
        ("protobuf", static payload => payload.CreateProtobuf()),
        ("json", static payload => payload.CreateJson()),
        ("legacy-binary", static payload => payload.CreateLegacyBinary()),
        (ActiveX, static _ => new ActiveXFormatter()),
        ("xml", static payload => payload.CreateXml()),
    ];

    internal static string Names => string.Join(", ", Formats.Select(format => format.Name));

    /// <summary>Returns the formatters that read the source's bodies.</summary>
    /// <param name="name">The format; <see cref="Auto"/> for all that the type of the payload has a contract in.</param>
    /// <param name="types">The payload.</param>
    /// <param name="leftOut">Receives the formats that the type of the payload has no contract in, each with the reason.</param>
    /// <exception cref="UsageException">There is no such format, or the type of the payload has no contract in it.</exception>
    internal static IReadOnlyList<NamedFormatter> Readers(string name, PayloadTypes types, ICollection<string> leftOut)
    {
        if (name != Auto)
            return [Get(name, types)];
        var payload = PayloadFormatters.Of(types);
        var readers = new List<NamedFormatter>();
        foreach ((string format, Func<PayloadFormatters, IMessageFormatter> create) in Formats)
        {
            if (types.Types.Count == 0 && format != ActiveX)
                continue;
            try
            {
                readers.Add(new NamedFormatter(format, create(payload)));
            }
            catch (Exception e) when (IsWithoutContract(e))
            {
                leftOut.Add($"{format} ({e.Message.TrimEnd('.')})");
            }
        }

        return readers;
    }

    /// <summary>Returns the formatter that writes the destination's bodies, or null to leave them unchanged.</summary>
    /// <exception cref="UsageException">There is no such format, or the type of the payload has no contract in it.</exception>
    internal static NamedFormatter? Writer(string name, PayloadTypes types) => name == Unchanged ? null : Get(name, types);

    private static NamedFormatter Get(string name, PayloadTypes types)
    {
        (string format, Func<PayloadFormatters, IMessageFormatter>? create) = Formats.FirstOrDefault(format => format.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
        if (create is null)
        {
            return name.Contains('.', StringComparison.Ordinal)
                ? new NamedFormatter(name, types.Assemblies.GetFormatter(name))
                : throw new UsageException($"'{name}' is not one of {Names}, and is not a member of a type.");
        }

        if (types.Types.Count == 0 && format != ActiveX)
            throw new UsageException($"The format {format} needs the type of the payload: --type.");
        try
        {
            return new NamedFormatter(format, create(PayloadFormatters.Of(types)));
        }
        catch (Exception e) when (IsWithoutContract(e))
        {
            throw new UsageException($"The format {format} does not support {types.Types[0]}: {e.Message}");
        }
    }

    private static bool IsWithoutContract(Exception e) => e is ArgumentException or NotSupportedException or InvalidOperationException;

    /// <summary>Makes the formatters of a payload whose type is known only when the tool runs.</summary>
    private abstract class PayloadFormatters
    {
        internal static PayloadFormatters Of(PayloadTypes types) => (PayloadFormatters)Activator.CreateInstance(
            typeof(PayloadFormatters<>).MakeGenericType(types.Types is [Type first, ..] ? first : typeof(object)),
            BindingFlags.Instance | BindingFlags.Public,
            binder: null,
            [types],
            culture: null)!;

        internal abstract IMessageFormatter CreateBinary();

        internal abstract IMessageFormatter CreateVersioned();

        internal abstract IMessageFormatter CreateMessagePack();

        internal abstract IMessageFormatter CreateCbor();

        internal abstract IMessageFormatter CreateCompact();

        internal abstract IMessageFormatter CreateProtobuf();

        internal abstract IMessageFormatter CreateJson();

        internal abstract IMessageFormatter CreateLegacyBinary();

        internal abstract IMessageFormatter CreateXml();
    }

    private sealed class PayloadFormatters<T>(PayloadTypes types) : PayloadFormatters
    {
        // Versioned bodies and those of MessagePack, CBOR and the compact format say what is null, and are the same without one: readers that expect none
        // read them, and refuse those that have one.
        // In the binary format such a member has one byte more, and in protobuf readers that expect no null find an empty string: there it is for the user to
        // say.
        internal override IMessageFormatter CreateBinary() =>
            new BinaryBodyFormatter<T>(BinaryBodyOptions.Default with { UseGeneratedContract = false, UnannotatedAllowsNull = types.UnannotatedAllowsNull });

        internal override IMessageFormatter CreateVersioned() =>
            new VersionedFormatter<T>(VersionedOptions.Default with { UseGeneratedContract = false, UnannotatedAllowsNull = true });

        internal override IMessageFormatter CreateMessagePack() => new MessagePackFormatter<T>(MessagePackOptions.Default with { UnannotatedAllowsNull = true });

        internal override IMessageFormatter CreateCbor() => new CborFormatter<T>(CborOptions.Default with { UnannotatedAllowsNull = true });

        internal override IMessageFormatter CreateCompact() => new CompactFormatter<T>(CompactOptions.Default with { UnannotatedAllowsNull = true });

        internal override IMessageFormatter CreateProtobuf() => new ProtobufFormatter<T>(ProtobufOptions.Default with { UnannotatedAllowsNull = types.UnannotatedAllowsNull });

        internal override IMessageFormatter CreateJson() => new JsonFormatter<T>();

        internal override IMessageFormatter CreateLegacyBinary() => new LegacyBinaryFormatter<T>(types.LegacyBinary);

        internal override IMessageFormatter CreateXml() => new XmlFormatter([.. types.Types]);
    }
}

/// <summary>A formatter under its name on the command line.</summary>
internal sealed record NamedFormatter(string Name, IMessageFormatter Formatter);
