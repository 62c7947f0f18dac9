using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Emit;

namespace Formatters.Queues.Tests;

/// <summary>A bug that somebody could write into the queues: a text in a file of the source, and what it is replaced by.</summary>
/// <param name="Name">What the bug is.</param>
/// <param name="File">The file, from <c>src/Formatters.Queues/Files</c> on.</param>
/// <param name="Text">The text, which is there once.</param>
/// <param name="Replacement">What comes in its place.</param>
internal sealed record PlantedBug(string Name, string File, string Text, string Replacement)
{
    // What calls the C library is compiled by a generator of the SDK; the simulated disk does not need it.
    private const string NoCalls = """
        namespace Formatters.Queues;
        internal static class DiskFlush
        {
            internal static void FlushFile(Microsoft.Win32.SafeHandles.SafeFileHandle file) => throw new System.NotSupportedException();
            internal static void FlushFolder(string path) => throw new System.NotSupportedException();
            internal static void Delay(System.TimeSpan delay) { }
        }

        internal readonly record struct FileIdentity(ulong Device, ulong Inode);
        internal enum LockAttempt { Locked, HeldByAnother, Unsupported }
        internal static class UnixFile
        {
            internal static Microsoft.Win32.SafeHandles.SafeFileHandle Open(string path, bool canWrite) => throw new System.NotSupportedException();
            internal static LockAttempt TryLock(Microsoft.Win32.SafeHandles.SafeFileHandle file) => throw new System.NotSupportedException();
            internal static void Unlock(Microsoft.Win32.SafeHandles.SafeFileHandle file) => throw new System.NotSupportedException();
            internal static uint GetEffectiveUser() => throw new System.NotSupportedException();
            internal static void ShareWithGroup(Microsoft.Win32.SafeHandles.SafeFileHandle file) => throw new System.NotSupportedException();
            internal static FileIdentity? IdentityOf(string path) => throw new System.NotSupportedException();
            internal static FileIdentity IdentityOf(Microsoft.Win32.SafeHandles.SafeFileHandle file) => throw new System.NotSupportedException();
        }
        """;

    private static readonly string[] Checks =
    [
        "SimulatedDisk.cs", "ManualTime.cs", "Histories.cs", "PowerCutHistory.cs", "PowerCutModel.cs", "DamagedLog.cs", "LogDamageTests.cs", "LogRecordDamageTests.cs", "FailingDiskTests.cs", "SnapshotTests.cs", "PlantedBugs/QueueChecks.cs",
        "Coordination/SimulatedDatabase.cs", "Coordination/CoordinatorHistory.cs", "../Support/ExhaustiveFactAttribute.cs", "../../Shared/TestScale.cs",
    ];

    private static readonly string Root = RepositoryFolder.Path;

    private static readonly string Source = Path.Combine(Root, "src", "Formatters.Queues");

    private static readonly CSharpParseOptions ParseOptions = new(LanguageVersion.Preview, preprocessorSymbols: ["NET"]);

    public override string ToString() => Name;

    /// <summary>Compiles the queues with a bug, and the checks with them, and runs these.</summary>
    /// <param name="bug">The bug; null for the queues as they are.</param>
    /// <param name="historyCount">At most so many histories with power cuts.</param>
    /// <returns>The first failure, or null.</returns>
    internal static string? Run(PlantedBug? bug, int historyCount)
    {
        // Not collectible: the runtime has once ended with an access violation in the code of such a context.
        var context = new AssemblyLoadContext(bug?.Name ?? "no bug");
        using Stream stream = Compile(bug);
        Assembly assembly = context.LoadFromStream(stream);
        return (string?)assembly.GetType(typeof(QueueChecks).FullName!)!.GetMethod(nameof(QueueChecks.FindFailure))!.Invoke(null, [historyCount]);
    }

    // Parsed and bound to its references once: a bug replaces one file.
    private static readonly Lazy<CSharpCompilation> Sound = new(() =>
    {
        string tests = Path.Combine(Root, "tests", "Formatters.Queues.Tests", "Files");
        IEnumerable<string> files = Directory.EnumerateFiles(Source, "*.cs", SearchOption.AllDirectories).Where(file => Path.GetFileName(file) is not ("DiskFlush.cs" or "UnixFile.cs"))
            .Concat(Checks.Select(file => Path.Combine(tests, file)));
        // The name lets it see what the queues may see of the formatters.
        return CSharpCompilation.Create(
            "Formatters.Queues",
            files.Select(file => CSharpSyntaxTree.ParseText(System.IO.File.ReadAllText(file), ParseOptions, file)).Prepend(CSharpSyntaxTree.ParseText(NoCalls, ParseOptions)),
            References(),
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, optimizationLevel: OptimizationLevel.Release, nullableContextOptions: NullableContextOptions.Enable));
    });

    private static MemoryStream Compile(PlantedBug? bug)
    {
        CSharpCompilation compilation = bug is null ? Sound.Value : bug.PutInto(Sound.Value);
        var stream = new MemoryStream();
        EmitResult result = compilation.Emit(stream);
        if (!result.Success)
            throw new InvalidOperationException($"{bug?.Name}: {string.Join(Environment.NewLine, result.Diagnostics.Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error))}");
        stream.Position = 0;
        return stream;
    }

    private CSharpCompilation PutInto(CSharpCompilation compilation)
    {
        string target = Path.GetFullPath(Path.Combine(Source, "Files", File));
        SyntaxTree tree = compilation.SyntaxTrees.SingleOrDefault(tree => tree.FilePath == target) ?? throw new InvalidOperationException($"There is no {target}.");
        string text = tree.ToString();
        if (text.Split(Text).Length != 2)
            throw new InvalidOperationException($"The bug '{Name}' does not fit {File}: its text is not there, or more than once.");
        return compilation.ReplaceSyntaxTree(tree, CSharpSyntaxTree.ParseText(text.Replace(Text, Replacement, StringComparison.Ordinal), ParseOptions, target));
    }

    private static IEnumerable<MetadataReference> References() =>
        ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(path => !Path.GetFileName(path).StartsWith("Formatters.Queues", StringComparison.Ordinal))
            .Select(path => MetadataReference.CreateFromFile(path));
}
