using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Text;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

string directory = Directory.GetCurrentDirectory();
CSharpCommandLineArguments arguments = CSharpCommandLineParser.Default.Parse(args, directory, sdkDirectory: null);
if (arguments.Errors.Length > 0)
    return Report(arguments.Errors);

// The generators, as the compiler would load them: an assembly that wants a newer Roslyn fails here.
List<Diagnostic> failures = [];
List<ISourceGenerator> generators = [];
foreach (CommandLineAnalyzerReference reference in arguments.AnalyzerReferences)
{
    string path = Path.Combine(directory, reference.FilePath);
    if (!Path.GetFileName(path).StartsWith("Formatters.", StringComparison.Ordinal))
        continue;
    Console.WriteLine($"Roslyn {typeof(Compilation).Assembly.GetName().Version} loads {path}");
    foreach (Type type in AssemblyLoadContext.Default.LoadFromAssemblyPath(path).GetTypes().Where(t => t.IsDefined(typeof(GeneratorAttribute))))
        generators.Add(((IIncrementalGenerator)Activator.CreateInstance(type)!).AsSourceGenerator());
}

if (generators.Count == 0)
{
    Console.Error.WriteLine("No generator among the analyzers.");
    return 1;
}

SyntaxTree[] trees = [.. arguments.SourceFiles.Select(f => CSharpSyntaxTree.ParseText(File.ReadAllText(f.Path), arguments.ParseOptions, f.Path, Encoding.UTF8))];
MetadataReference[] references = [.. arguments.MetadataReferences.Select(r => MetadataReference.CreateFromFile(Path.Combine(directory, r.Reference), r.Properties))];
CSharpCompilation input = CSharpCompilation.Create(arguments.CompilationName, trees, references, arguments.CompilationOptions.WithSourceReferenceResolver(null));
CSharpGeneratorDriver.Create(generators, parseOptions: arguments.ParseOptions)
    .RunGeneratorsAndUpdateCompilation(input, out Compilation output, out ImmutableArray<Diagnostic> diagnostics);
string target = Path.Combine(arguments.OutputDirectory, arguments.OutputFileName!);
using FileStream image = File.Create(target);
return Report(diagnostics.Concat(output.Emit(image).Diagnostics).Where(d => !d.IsSuppressed));

// Warnings are errors here, whatever the project says.
static int Report(IEnumerable<Diagnostic> diagnostics)
{
    Diagnostic[] worse = [.. diagnostics.Where(d => d.Severity >= DiagnosticSeverity.Warning)];
    foreach (Diagnostic diagnostic in worse)
        Console.Error.WriteLine(diagnostic);
    return worse.Length == 0 ? 0 : 1;
}
