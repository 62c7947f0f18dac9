using System.Reflection;
using Microsoft.CodeAnalysis;

namespace Formatters.Benchmarks.Generators;

/// <summary>A source generator, and how contracts are declared for it.</summary>
/// <param name="Name">The name in the table.</param>
/// <param name="Generator">The key of the assembly metadata with the path of the generator's assembly.</param>
/// <param name="Attribute">The attribute of contracts; empty if a context names them.</param>
/// <param name="MemberAttribute">The attribute of a member, with its number; empty for none.</param>
internal sealed record GeneratorCase(string Name, string Generator, string TypeName, string Attribute, string MemberAttribute)
{
    private const string Own = "Formatters.Generator.ContractGenerator";

    internal static IReadOnlyList<GeneratorCase> All { get; } =
    [
        new("this library, one format", "FormattersGenerator", Own, "[Formatters.MessageContract]", "[Formatters.MessageMember({0})] "),
        new("this library, five formats", "FormattersGenerator", Own,
            "[Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary | Formatters.ContractFormats.Versioned | "
                + "Formatters.ContractFormats.MessagePack "
                + "| Formatters.ContractFormats.Protobuf | Formatters.ContractFormats.Xml)]",
            "[Formatters.MessageMember({0})] "),
        new("MemoryPack", "MemoryPackGenerator", "MemoryPack.Generator.MemoryPackGenerator", "[MemoryPack.MemoryPackable]", ""),
        new("System.Text.Json", "JsonGenerator", "System.Text.Json.SourceGeneration.JsonSourceGenerator", "", ""),
    ];

    /// <summary>Gets the same types without contracts, for builds to compare with.</summary>
    internal static GeneratorCase None { get; } = new("no contracts", "", "", "", "");

    /// <summary>Gets whether a context names the contracts.</summary>
    internal bool HasContext => Attribute.Length == 0 && Generator.Length > 0;

    /// <summary>Gets the path of the generator's assembly.</summary>
    /// <exception cref="InvalidOperationException">The generator is not where the build has found it.</exception>
    internal string Path
    {
        get
        {
            string path = typeof(GeneratorCase).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
                .Single(attribute => attribute.Key == Generator).Value!;
            return File.Exists(path) ? path : throw new InvalidOperationException($"The generator of {Name} is not there: {path}.");
        }
    }

    /// <exception cref="InvalidOperationException">The generator is not where the build has found it.</exception>
    internal ISourceGenerator CreateGenerator()
    {
        object generator = Activator.CreateInstance(Assembly.LoadFrom(Path).GetType(TypeName, throwOnError: true)!)!;
        return generator as ISourceGenerator ?? ((IIncrementalGenerator)generator).AsSourceGenerator();
    }
}
