using System;
using System.Collections.Generic;
using System.CommandLine;
using System.IO;
using System.Linq;
using System.Reflection;
using Formatters.LegacyBinary;
using Formatters.Tools.Migrate;

namespace Formatters.Tools.Commands;

/// <summary>The options of a conversion between formats: how bodies are read, how they are written, and which changes are allowed.</summary>
internal sealed class ReencodingOptions
{
    private readonly Option<string> _fromFormat = new("--from-format")
    {
        Description = $"How bodies are read: {BodyFormats.Auto} (by content type, body type, first bytes), {BodyFormats.Names}, or a static member Namespace.Type.Member that is a formatter.",
        HelpName = "name",
        DefaultValueFactory = static _ => BodyFormats.Auto,
    };

    private readonly Option<string> _toFormat = new("--to-format")
    {
        Description = $"How bodies are written: {BodyFormats.Names}, {BodyFormats.Unchanged}, or a static member that is a formatter.",
        HelpName = "name",
        Required = true,
    };

    private readonly Option<string[]> _types = new("--type")
    {
        Description = "The full name of the payload's type; further types are those of objects in its members of type object.",
        HelpName = "name",
    };

    private readonly Option<FileInfo[]> _assemblies = new("--assembly") { Description = "An assembly with these types; may be repeated.", HelpName = "file" };

    private readonly Option<string[]> _legacyNames = new("--legacy-name")
    {
        Description = "The name of a type in legacy binary bodies: New.Name=Old.Name or New.Name=Old.Name,OldAssembly; for a generic type its open name, New.Name`1; may be repeated.",
        HelpName = "names",
    };

    private readonly Option<string?> _legacyAssembly = new("--legacy-assembly") { Description = "The name of the types' assembly in legacy binary bodies.", HelpName = "name" };

    private readonly Option<bool> _unannotatedNull = new("--unannotated-null")
    {
        Description = "Also in binary and protobuf, allow null in members of types without nullable annotations, as if they were declared with ?. Readers need the same.",
    };

    private readonly Option<string[]> _allow = new("--allow")
    {
        Description = "A change to allow in the new bodies: Type.Member:change, with * for any part of a name; may be repeated. "
            + $"Changes: {string.Join(", ", AllowedChanges.KindNames)}.",
        HelpName = "change",
    };

    private readonly Option<double> _maxGrowth = CommonOptions.CreateNumber(
        "--max-growth", "Refuse a message whose new body is larger than this many times the old one plus 4 KiB.", 1, 1_000_000, 32, helpName: "factor");

    /// <summary>Adds the options to a command.</summary>
    internal void AddTo(Command command)
    {
        foreach (Option option in new Option[] { _fromFormat, _toFormat, _types, _assemblies, _legacyNames, _legacyAssembly, _unannotatedNull, _allow, _maxGrowth })
            command.Options.Add(option);
    }

    /// <summary>Returns the conversion that a command line asks for; null to write JSON without knowing the types, by the inspector of the format (null: any).</summary>
    /// <exception cref="UsageException">A format or a type does not exist, a type does not support its format, or an option needs a type.</exception>
    internal (Reencoding? Reencoding, MessageInspector? Inspector) ReadOrInspect(ParseResult result, TextWriter error)
    {
        if (result.GetValue(_types) is { Length: > 0 } || !string.Equals(result.GetValue(_toFormat), "json", StringComparison.OrdinalIgnoreCase))
            return (Read(result, error), null);
        if (new Option[] { _assemblies, _legacyNames, _legacyAssembly, _unannotatedNull, _allow, _maxGrowth }.FirstOrDefault(option => result.GetResult(option) is { Implicit: false }) is { } useless)
            throw new UsageException($"{useless.Name} needs --type: without it, bodies are converted to the JSON that inspect prints.");
        string format = result.GetValue(_fromFormat)!;
        return (null, format == BodyFormats.Auto ? null
            : MessageInspector.Find(format) ?? throw new UsageException($"'{format}' is not one of {string.Join(", ", MessageInspector.All.Select(static inspector => inspector.Name))}."));
    }

    /// <summary>Returns the conversion that a command line asks for.</summary>
    /// <exception cref="UsageException">A format or a type does not exist, or a type does not support its format.</exception>
    /// <param name="result">The command line.</param>
    /// <param name="error">Receives the callbacks that a reader of legacy binary bodies does not call.</param>
    internal Reencoding Read(ParseResult result, TextWriter error)
    {
        PayloadTypes types = FindTypes(
            result.GetValue(_types) ?? [], result.GetValue(_assemblies) ?? [], result.GetValue(_legacyNames) ?? [], result.GetValue(_legacyAssembly));
        string from = result.GetValue(_fromFormat)!;
        if (from == BodyFormats.Auto || from.Equals(WireFormat.LegacyBinary.Name, StringComparison.OrdinalIgnoreCase))
        {
            foreach (MethodInfo method in types.Assemblies.DeserializationCallbacks())
                error.WriteLine($"{ToolInfo.Name}: bodies of BinaryFormatter are read without a call of {method.DeclaringType}.{method.Name}.");
        }

        return FindFormats(
            from,
            result.GetValue(_toFormat)!,
            types with { UnannotatedAllowsNull = result.GetValue(_unannotatedNull) },
            new AllowedChanges(result.GetValue(_allow) ?? []),
            result.GetValue(_maxGrowth));
    }

    private static Reencoding FindFormats(string fromFormat, string toFormat, PayloadTypes types, AllowedChanges allowed, double maxGrowth)
    {
        // To move bodies as they are, nothing need be known of them; to read them all the same is a way to sort out the bad ones.
        bool isRead = toFormat != BodyFormats.Unchanged || fromFormat != BodyFormats.Auto || types.Types.Count > 0;
        var leftOut = new List<string>();
        return new Reencoding(isRead ? BodyFormats.Readers(fromFormat, types, leftOut) : [], BodyFormats.Writer(toFormat, types), isRead)
        {
            LeftOut = leftOut,
            PayloadType = types.Types.Count > 0 ? types.Types[0] : null,
            Allowed = allowed,
            MaxGrowth = maxGrowth,
        };
    }

    private static PayloadTypes FindTypes(string[] names, FileInfo[] files, string[] legacyNames, string? legacyAssembly)
    {
        var assemblies = new UserAssemblies(files);
        Type[] types = [.. names.Select(assemblies.GetType)];
        if (types.FirstOrDefault(static type => type.ContainsGenericParameters) is Type open)
            throw new UsageException($"'{open}' is an open generic type: give its type arguments, as in 'Shop.Page`1[[Shop.Order]]'.");
        LegacyBinaryOptions legacy = types.Skip(1).Aggregate(LegacyBinaryOptions.Default, (options, type) => options.WithType(type));
        if (legacyAssembly is not null)
            legacy = types.Select(type => type.Assembly).Distinct().Aggregate(legacy, (options, assembly) => options.WithAssembly(assembly, legacyAssembly));
        foreach (string pair in legacyNames)
        {
            if (pair.Split('=', 2, StringSplitOptions.TrimEntries) is not [{ Length: > 0 } name, { Length: > 0 } old])
                throw new UsageException($"'{pair}' is not of the form New.Name=Old.Name,OldAssembly.");
            // The arguments of a generic type have commas of their own.
            int comma = old.IndexOf(',', old.LastIndexOf(']') + 1);
            try
            {
                legacy = legacy.WithType(assemblies.GetType(name), comma < 0 ? old : old[..comma].TrimEnd(), comma < 0 ? null : old[(comma + 1)..].TrimStart());
            }
            catch (ArgumentException e)
            {
                throw new UsageException(e, $"'{pair}': ");
            }
        }

        return new PayloadTypes { Types = types, LegacyBinary = legacy, Assemblies = assemblies };
    }
}
