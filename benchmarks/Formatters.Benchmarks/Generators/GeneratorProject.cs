using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace Formatters.Benchmarks.Generators;

/// <summary>A project of contracts and of code that uses them, over which a generator runs.</summary>
internal sealed class GeneratorProject
{
    // MemoryPack generates other code for older targets.
    private static readonly CSharpParseOptions ParseOptions = new CSharpParseOptions(LanguageVersion.CSharp12)
        .WithPreprocessorSymbols("NET", "NET7_0_OR_GREATER", "NET8_0_OR_GREATER", "NET9_0_OR_GREATER", "NET10_0_OR_GREATER");

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
    private readonly int _firstUser;
    private CSharpCompilation _compilation = null!;
    private GeneratorDriver _driver = null!;

    /// <param name="generatorCase">The generator.</param>
    /// <param name="contractCount">The number of contracts.</param>
    /// <param name="isOneFile">Whether all contracts are in one file, and not each in its own.</param>
    internal GeneratorProject(GeneratorCase generatorCase, int contractCount, bool isOneFile)
    {
        _case = generatorCase;
        _contractCount = contractCount;
        _firstUser = isOneFile ? 1 : contractCount;
        _files = FilesOf(generatorCase, contractCount, isOneFile);
    }

    internal static IReadOnlyList<string> Edits { get; } = ["a method", "a declaration", "a contract"];
    internal string Name => _case.Name;
    internal long GeneratedCharCount => _driver.GetRunResult().GeneratedTrees.Sum(static tree => (long)tree.Length);

    /// <summary>Returns the files of a project: contracts, then as many files that use them.</summary>
    internal static string[] FilesOf(GeneratorCase generatorCase, int contractCount, bool isOneFile)
    {
        IEnumerable<string> contracts = Enumerable.Range(0, contractCount).Select(i => Contract(generatorCase, i));
        if (isOneFile)
            contracts = [string.Join('\n', contracts)];
        IEnumerable<string> users = Enumerable.Range(0, contractCount).Select(static i =>
            $"namespace App.Services; public class Service{i} {{ public int Run(App.Contract{i} contract) {{ "
                + $"int id = contract.Id; return id + 1; }} }}");
        string context = "namespace App; "
            + string.Concat(Enumerable.Range(0, contractCount)
                .Select(static i => $"[System.Text.Json.Serialization.JsonSerializable(typeof(Contract{i}))] "))
            + "public partial class Context : System.Text.Json.Serialization.JsonSerializerContext { }";
        string[] contexts = generatorCase.HasContext ? [context] : [];
        return [.. contracts.Select(static text => "namespace App;\n" + text), .. users, .. contexts];
    }

    /// <summary>Compiles the project with what was generated for it.</summary>
    internal TimeSpan Compile()
    {
        _driver.RunGeneratorsAndUpdateCompilation(_compilation, out Compilation output, out _);
        // What is bound already is not copied.
        output = output.Clone();
        long start = Stopwatch.GetTimestamp();
        Microsoft.CodeAnalysis.Emit.EmitResult result = output.Emit(Stream.Null);
        TimeSpan time = Stopwatch.GetElapsedTime(start);
        return result.Success ? time : throw new InvalidOperationException(
            $"The code of {Name} does not compile. {result.Diagnostics.First(static d => d.Severity == DiagnosticSeverity.Error)}");
    }

    /// <summary>Runs the generator over new files.</summary>
    /// <exception cref="InvalidOperationException">It fails, or does not generate a file for each contract.</exception>
    internal TimeSpan RunFresh()
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
            0 => (_firstUser, _files[_firstUser].Replace("id + 1", "id + 1" + number, StringComparison.Ordinal)),
            1 => (_firstUser, _files[_firstUser] + $" public class Added{number} {{ public int Id {{ get; set; }} }}"),
            _ => (0, _files[0].Insert(_files[0].IndexOf("int Id", StringComparison.Ordinal) + "int Id".Length, number)),
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
    private static string Contract(GeneratorCase generatorCase, int i)
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
            string.Format(CultureInfo.InvariantCulture, generatorCase.MemberAttribute, m + 1) + "public " + member);
        return $"{generatorCase.Attribute} public partial class Contract{i} {{ {string.Join(' ', lines)} }}";
    }
}
