using System.CommandLine;
using Formatters.Bench.Own;
using Formatters.Tools.Migrate;

namespace Formatters.Bench.CommandLine;

/// <summary>The options that name a type of the user's, for every verb that takes one.</summary>
internal sealed class OwnTypeOptions
{
    internal OwnTypeOptions(bool isRequired)
    {
        Assemblies = new("--assembly") { Description = "The assembly with your type, and those with formatters of libraries; may be repeated.",
            HelpName = "file", Required = isRequired };
        Type = new("--type") { Description = "The full name of the type: Shop.Order, Shop.Order+Line, 'Shop.Page`1[[Shop.Order]]'.",
            HelpName = "name", Required = isRequired };
        Sample = new("--sample") { Description = "A JSON file with an object of the type, or an array of them.", HelpName = "file" };
        Samples = new("--samples") { Description = "A static method that makes an object or several: Namespace.Type.Method.", HelpName = "method" };
    }

    internal Option<FileInfo[]> Assemblies { get; }
    internal Option<string?> Type { get; }
    internal Option<FileInfo?> Sample { get; }
    internal Option<string?> Samples { get; }

    /// <summary>Rows of the study's order by formatters of libraries, where assemblies are named and no type of the user's; else none.</summary>
    /// <exception cref="UsageException">An assembly cannot be loaded, or a formatter does not take the order.</exception>
    internal IReadOnlyList<OrderFormatterRow> ReadLibraries(ParseResult result) =>
        result.GetValue(Type) is null ? LibraryOrderRows.Create(result.GetValue(Assemblies) ?? []) : [];

    /// <summary>Makes the option for verbs that have the study's order alone.</summary>
    internal static Option<FileInfo[]> CreateLibraries() =>
        new("--assembly") { Description = "An assembly with formatters of your own, public classes NameFormatter<T>; may be repeated.",
            HelpName = "file" };

    /// <summary>Reads the options; null without a type of the user's.</summary>
    /// <exception cref="UsageException">A part is missing, or an assembly cannot be loaded.</exception>
    internal OwnOptions? Read(ParseResult result)
    {
        FileInfo[] assemblies = result.GetValue(Assemblies) ?? [];
        string? type = result.GetValue(Type), samples = result.GetValue(Samples);
        FileInfo? sample = result.GetValue(Sample);
        if (type is null && sample is null && samples is null)
            return null;
        if (type is null || assemblies.Length == 0)
            throw new UsageException("A type of your own needs both --assembly FILE and --type NAME.");
        if (sample is null == samples is null)
            throw new UsageException(OwnOptions.OneKindOfSamples);
        return new OwnOptions { Assemblies = new UserAssemblies(assemblies, typeof(Orders.Order).Assembly), Type = type, Sample = sample,
            Samples = samples };
    }
}
