using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Contracts;
using Formatters.LegacyBinary;

namespace Formatters.Tools.Migrate;

/// <summary>The formats by the names that the command line has for them.</summary>
internal static class BodyFormats
{
    /// <summary>Reading: any format, by content type, body type or first bytes.</summary>
    internal const string Auto = "auto";

    /// <summary>Writing: the body as it is.</summary>
    internal const string Unchanged = "unchanged";

    private const string ActiveX = "activex";

    /// <summary>In the order in which a body without tags is tried: XML is last.</summary>
    private static readonly (string Name, Func<PayloadTypes, IMessageFormatter> Create)[] Formats =
    [
        .. WireFormat.All.Where(static format => format != WireFormat.Xml).Select(static format =>
            (format.Name, (Func<PayloadTypes, IMessageFormatter>)(types => MessageFormatter.Create(TypeOf(types), format, OptionsOf(format, types))))),
        (ActiveX, static _ => new ActiveXFormatter()),
        (WireFormat.Xml.Name, static types => new XmlFormatter([.. types.Types])),
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
        var readers = new List<NamedFormatter>();
        foreach ((string format, Func<PayloadTypes, IMessageFormatter> create) in Formats)
        {
            if (types.Types.Count == 0 && format != ActiveX)
                continue;
            try
            {
                readers.Add(new NamedFormatter(format, create(types)));
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
        (string format, Func<PayloadTypes, IMessageFormatter>? create) = Formats.FirstOrDefault(format => format.Name.Equals(name, StringComparison.OrdinalIgnoreCase));
        if (create is null)
        {
            return name.Contains('.', StringComparison.Ordinal)
                ? new NamedFormatter(name, types.Assemblies.GetFormatter(name))
                : throw new UsageException($"'{name}' is not one of {Names}, and is not a member of a type.");
        }

        if (types.Types.Count == 0 && format != ActiveX)
            throw new UsageException($"The format {format} needs the type of the payload: --type NAME --assembly FILE. Without types, '{ToolInfo.Name} types' writes them for bodies of BinaryFormatter.");
        try
        {
            return new NamedFormatter(format, create(types));
        }
        catch (Exception e) when (IsWithoutContract(e))
        {
            throw new UsageException($"The format {format} does not support {types.Types[0]}: {e.Message}");
        }
    }

    private static bool IsWithoutContract(Exception e) => e is ArgumentException or NotSupportedException or InvalidOperationException;

    private static Type TypeOf(PayloadTypes types) => types.Types is [Type first, ..] ? first : typeof(object);

    /// <summary>
    /// Returns the options in which a payload of a user's is written and read. In binary a member that may be null has one byte more, and in protobuf readers
    /// that expect no null find an empty string: there it is for the user to say. In all other formats a member that is not null has the same bytes, and
    /// readers that expect no null reject one.
    /// </summary>
    private static FormatterOptions OptionsOf(WireFormat format, PayloadTypes types) => format.DefaultOptions switch
    {
        BinaryBodyOptions binary => binary with { UseGeneratedContract = false, UnannotatedAllowsNull = types.UnannotatedAllowsNull },
        VersionedOptions versioned => versioned with { UseGeneratedContract = false, UnannotatedAllowsNull = true },
        ProtobufOptions protobuf => protobuf with { UnannotatedAllowsNull = types.UnannotatedAllowsNull },
        ContractOptions contract => contract with { UnannotatedAllowsNull = true },
        LegacyBinaryOptions => types.LegacyBinary,
        FormatterOptions others => others,
    };
}

/// <summary>A formatter under its name on the command line.</summary>
internal sealed record NamedFormatter(string Name, IMessageFormatter Formatter);
