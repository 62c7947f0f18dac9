using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Benchmarks.Generators;

/// <summary>A project of contracts and of code that uses them, over which a generator runs.</summary>
internal sealed class GeneratorProject
{
    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.CSharp12);

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal)
                || name is "netstandard.dll" or "Formatters.dll" or "MemoryPack.Core.dll"))
            .Select(static path => MetadataReference.CreateFromFile(path)),
    ];

    private readonly GeneratorCase _case;
    private readonly string[] _files;
    private readonly int _contractCount;
    private CSharpCompilation _compilation = null!;
    private GeneratorDriver _driver = null!;

    internal GeneratorProject(GeneratorCase generatorCase, int contractCount)
    {
        _case = generatorCase;
        _contractCount = contractCount;
        IEnumerable<string> contracts = Enumerable.Range(0, contractCount).Select(Contract);
        IEnumerable<string> users = Enumerable.Range(0, contractCount).Select(static i =>
            $"namespace App.Services; public class Service{i} {{ public int Run(App.Contract{i} contract) {{ "
                + $"int id = contract.Id; return id + 1; }} }}");
        string context = "namespace App; "
            + string.Concat(Enumerable.Range(0, contractCount)
                .Select(static i => $"[System.Text.Json.Serialization.JsonSerializable(typeof(Contract{i}))] "))
            + "public partial class Context : System.Text.Json.Serialization.JsonSerializerContext { }";
        _files = [.. contracts, .. users, .. generatorCase.Attribute.Length == 0 ? [context] : Array.Empty<string>()];
    }

    internal static IReadOnlyList<string> Edits { get; } = ["a method", "a declaration", "a contract"];
    internal string Name => _case.Name;
    internal long GeneratedCharCount => _driver.GetRunResult().GeneratedTrees.Sum(static tree => (long)tree.Length);

    /// <summary>Runs the generator over new files.</summary>
    /// <exception cref="InvalidOperationException">It fails, or does not generate a file for each contract.</exception>
    internal TimeSpan RunAnew()
    {
        _compilation = CSharpCompilation.Create(
            "App", _files.Select(static (text, i) => Parse(text, i)), References,
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));
        _driver = CSharpGeneratorDriver.Create([_case.CreateGenerator()], parseOptions: ParseOptions);
        return Run(_compilation);
    }

    /// <summary>Runs it after an edit, whose text differs in each round. What was edited before is undone first.</summary>
    internal TimeSpan RunAfter(int edit, int round)
    {
        Run(_compilation);
        string number = round.ToString(CultureInfo.InvariantCulture);
        (int file, string text) = edit switch
        {
            0 => (_contractCount, _files[_contractCount].Replace("id + 1", "id + 1" + number, StringComparison.Ordinal)),
            1 => (_contractCount, _files[_contractCount] + $" public class Added{number} {{ public int Id {{ get; set; }} }}"),
            _ => (0, _files[0].Replace("int Id", "int Id" + number, StringComparison.Ordinal)),
        };
        return Run(_compilation.ReplaceSyntaxTree(_compilation.SyntaxTrees[file], Parse(text, file)));
    }

    private static SyntaxTree Parse(string text, int file) =>
        CSharpSyntaxTree.ParseText(text, ParseOptions, string.Create(CultureInfo.InvariantCulture, $"File{file}.cs"), Encoding.UTF8);

    private TimeSpan Run(CSharpCompilation compilation)
    {
        long start = Stopwatch.GetTimestamp();
        _driver = _driver.RunGenerators(compilation);
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        GeneratorDriverRunResult result = _driver.GetRunResult();
        if (result.Results[0].Exception is { } error)
            throw new InvalidOperationException($"The generator of {Name} failed: {error.Message}", error);
        if (result.GeneratedTrees.Length < _contractCount
            || result.Diagnostics.FirstOrDefault(static d => d.Severity == DiagnosticSeverity.Error) is not null)
            throw new InvalidOperationException($"The generator of {Name} generated {result.GeneratedTrees.Length} "
                + $"files. {result.Diagnostics.FirstOrDefault()}");
        return time;
    }

    // In groups of ten, each contract contains the one before it.
    private string Contract(int i)
    {
        string[] members =
        [
            "int Id { get; set; }",
            "string Name { get; set; } = \"\";",
            "System.DateTime Created { get; set; }",
            "System.Collections.Generic.List<string> Tags { get; set; } = new();",
            $"Contract{(i % 10 == 0 ? i : i - 1)}? Other {{ get; set; }}",
        ];
        IEnumerable<string> lines = members.Select((member, m) =>
            string.Format(CultureInfo.InvariantCulture, _case.MemberAttribute, m + 1) + "public " + member);
        return $"namespace App; {_case.Attribute} public partial class Contract{i} {{ {string.Join(' ', lines)} }}";
    }
}
