using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using System.Threading;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Contracts are parsed again when something that they depend on has changed, and only then.</summary>
public class CachingTests
{
    private const string Contract = "[MessageContract(Formats = ContractFormats.Binary)]";
    private const string Versioned = "[MessageContract(Formats = ContractFormats.Versioned)]";

    internal static readonly MetadataReference Foreign =
        Compilations.Create("public class Foreign { public int X; } public class ForeignDerived : Foreign { }").WithAssemblyName("Foreign").ToMetadataReference();

    /// <summary>Files, of which the last is edited: the text before and after.</summary>
    public static TheoryData<string, string, string, string> Edits() => new()
    {
        { "a member of a member's class", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public int X; }", "class B { public long X; public string? Y; }" },
        { "a base class", $"{Contract} partial class A : B {{ public int X; }}", "class B { }", "class B { public int Y; }" },
        { "a base class of a member's class", $"{Contract} partial class A {{ public B B = new(); }} class B : C {{ }}", "class C { }", "class C { public int Y; }" },
        { "another part", $"{Contract} partial class A {{ public int X; }}", "partial class A { public int Y; }", "partial class A { public short Y; [MessageIgnore] public int Z; }" },
        { "the last part goes", $"{Contract} partial class A {{ public int X; }}", "partial class A { public int Y; }", "" },
        { "an enum", $"{Contract} partial class A {{ public E X; }}", "enum E : byte { One }", "enum E : long { One }" },
        { "a constant", $"{Versioned} partial class A {{ [MessageMember(C.One)] public int X; [MessageMember(2)] public int Y; }}", "static class C { public const int One = 1; }", "static class C { public const int One = 2; }" },
        { "a constant by using static", $"namespace N {{ using static C; {Versioned} partial class A {{ [MessageMember(One)] public int X; [MessageMember(2)] public int Y; }} }}", "static class C { public const int One = 1; }", "static class C { public const int One = 2; }" },
        { "a nearer type of the name", $"namespace N.M {{ {Contract} partial class A {{ public B B = new(); }} }} namespace N {{ class B {{ public int X; }} }}", "", "namespace N.M { class B { public long Y; } }" },
        { "a nearer type of the base library's name", $"namespace N {{ {Contract} partial class A {{ public Guid G; }} }}", "", "namespace N { struct Guid { public int X; } }" },
        { "a global alias", $"{Contract} partial class A {{ public B B = default!; }}", "global using B = System.Int32;", "global using B = System.Int64;" },
        { "a derived class", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }}", "", "class C : B { }" },
        { "a class derived from a derived one", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }} abstract class C : B {{ }}", "", "class D : C { }" },
        { "an attribute of the assembly", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }} class C : B {{ }}", "", "[assembly: AllowDerived(typeof(B))]" },
        { "an interface of a member's class", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public void Add(int x) { } }", "class B : IEnumerable<int> { public void Add(int x) { } public IEnumerator<int> GetEnumerator() => null!; IEnumerator IEnumerable.GetEnumerator() => null!; }" },
        { "the cases of a union", $"{Contract} partial class A {{ public I I = null!; }} class C : I {{ public int X; }} class D : I {{ public int Y; }}", "[MessageUnion(1, typeof(C))] interface I { }", "[MessageUnion(1, typeof(C)), MessageUnion(2, typeof(D))] interface I { }" },
        { "an attribute's own attribute", $"{Contract} partial class A {{ [Own] public int X; }}", "class OwnAttribute : Attribute { }", "class Own2Attribute : Attribute { }" },
        { "a constructor of a member's class", $"{Contract} partial class A {{ public B B = null!; }}", "class B { public B(int x) { X = x; } public int X { get; } }", "class B { public B(long x) { X = (int)x; } public int X { get; } }" },
        { "the body of a constructor", $"{Contract} partial class A {{ public B B = null!; }}", "class B { public B(int x) { X = x; } public int X { get; } public List<int> L { get; } = new(); }", "class B { public B(int x) { X = x; L = new() { x }; } public int X { get; } public List<int> L { get; } = new(); }" },
        { "the accessors of a property", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public List<int> L { get; set; } = new(); }", "class B { private List<int> _l = new(); public List<int> L { get => _l; set { _l.Clear(); _l.AddRange(value); } } }" },
        { "a type of a context", $"[MessageContractFor(typeof(List<B>), Formats = ContractFormats.Binary)] static partial class A {{ }}", "class B { public int X; }", "class B { public int X; public int Y; }" },
        { "nullable annotations by a directive", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public string X = null!; }", "#nullable disable\nclass B { public string X = null!; }" },
        { "nullable annotations by a directive in a body", $"{Contract} partial class A {{ public B B = new(); }}", "class C { void M() { } } class B { public string X = null!; }", "class C { void M() {\n#nullable disable\n } } class B { public string X = null!; }" },
        { "a mistake", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public int X; }", "class B { public object X = 1; }" },
        { "a mistake that moves", $"{Contract} partial class A {{ public B B = new(); }}", "class C { void M() { } } class B { public object X = 1; }", "class C { void M() { M(); } } class B { public object X = 1; }" },
        { "a class becomes a struct", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public int X; }", "struct B { public int X; public B() { } }" },
        { "a derived class by an alias", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }}", "", "namespace N { using Q = B; class C : Q { } }" },
        { "a derived class by a qualified alias", $"{Contract} partial class A {{ public M.B B = new(); }} namespace M {{ class B {{ public int X; }} }}", "", "namespace N { using Q = M; class C : Q.B { } }" },
        { "a derived class by a global alias", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }} class C {{ }}", "global using Q = C; class D : Q { }", "global using Q = B; class D : Q { }" },
        { "a derived class by an alias of a constructed class", $"{Contract} partial class A {{ public B<int> B = new(); }} class B<T> {{ public int X; }}", "", "namespace N { using Q = B<int>; class C : Q { } }" },
        { "a derived class of a generic class", $"{Contract} partial class A {{ public B<int> B = new(); }} class B<T> {{ public int X; }}", "", "class C<T> : B<T> { }" },
        { "a derived class of a class of another assembly", $"{Contract} partial class A {{ public Foreign B = new(); }}", "", "class C : Foreign { }" },
        { "a class derived from one of another assembly that is derived itself", $"{Contract} partial class A {{ public Foreign B = new(); }}", "", "class C : ForeignDerived { }" },
        { "a derived class in a context", "[MessageContractFor(typeof(Holder), Formats = ContractFormats.Binary)] static partial class A { } class Holder { public Foreign B = new(); }", "", "class C : Foreign { }" },
        { "a derived class that becomes abstract in another part", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }} partial class C : B {{ }}", "partial class C { }", "abstract partial class C { }" },
        { "a namespace", "namespace App { " + Contract + " partial class A { public Models.B B = new(); } } namespace Models { class B { public int X; } }", "", "namespace App.Models { }" },
        { "a namespace of the name of a type", "namespace N.M { " + Contract + " partial class A { public B B = new(); } } namespace N { class B { public int X; } }", "", "namespace N.M { namespace B { } }" },
        { "a name with an escape", $"{Contract} partial class A {{ public \\u0042 B = new(); }}", "class B { public int X; }", "class B { public long X; }" },
        { "a declaration with an escape", $"{Contract} partial class A {{ public B B = new(); }}", "class \\U00000042 { public int X; }", "class \\U00000042 { public long X; }" },
        { "a derived class by an escape", $"{Contract} partial class A {{ public B B = new(); }} class B {{ public int X; }}", "", "class C : \\u0042 { }" },
        { "a name with a formatting character", $"{Contract} partial class A {{ public Ba\u00ADr B = new(); }}", "class Bar { public int X; }", "class Bar { public long X; }" },
        { "a name after a no-break space", $"{Contract} partial class A {{ public\u00A0B\u00A0B = new(); }}", "class B { public int X; }", "class B { public long X; }" },
        { "an alias of the attribute", "[Mark] partial class A { public int X; }", "global using Mark = System.ObsoleteAttribute;", "global using Mark = Formatters.MessageContractAttribute;" },
        { "an attribute of the name", "namespace N { " + Contract + " partial class A { public int X; } }", "", "namespace N { class MessageContractAttribute : Attribute { } }" },
        { "a type of the name of an alias of generated files", "namespace N { " + Contract + " partial class A { public int X; } }", "", "namespace N { class __C { } }" },
        { "a namespace of the name of an alias of generated files", "namespace N { " + Contract + " partial class A { public int X; } }", "", "namespace N.__W { }" },
        { "a class becomes generic", $"{Contract} partial class A {{ public B<int> B = new(); }}", "class B<T> { public T X = default!; }", "class B<T> { public List<T> X = default!; }" },
    };

    [Theory]
    [MemberData(nameof(Edits))]
    public void Edit_OfADependency_HasTheResultOfAFreshRun(string what, string contract, string before, string after)
    {
        Assert.NotEmpty(what);
        CSharpCompilation compilation = Compilations.Create(contract, before).AddReferences(Foreign);
        // The edit is one that matters.
        AssertSame(compilation, compilation.ReplaceSource(1, after), isModified: what != "an attribute's own attribute");
    }

    /// <summary>Files with several types: the text before and after, and the contracts that are parsed again.</summary>
    public static TheoryData<string, string, string, string> EditsOfOneFile() => new()
    {
        { "a body", "return 1;", "return 12;", "" },
        { "another type", "class Other {", "class Other { public int X;", "" },
        { "a new type", "class Other {", "class More { } class Other {", "" },
        { "a new contract", "class Other {", $"{Contract} partial class More {{ public int X; }} class Other {{", "More" },
        { "a type goes", "class Other { int N() { return 1; } }", "", "" },
        { "a contract", "public int X; int M", "public long X; int M", "A B" },
        { "a contract that no other contains", "public int Y;", "public long Y;", "C" },
        { "a comment before a contract", "/*C*/", "/*CC*/", "C" },
        { "a contract moves", "class Other { int N() { return 1; } }\n/*C*/" + Contract + " partial class C { public int Y; }", "/*C*/" + Contract + " partial class C { public int Y; }\nclass Other { int N() { return 1; } }", "" },
        { "a using", "/*usings*/", "using System.Text;", "A B C" },
        { "an alias", "/*usings*/", "using Q = B;", "A B C" },
        { "an attribute of the assembly", "/*usings*/", "[assembly: AllowDerived(typeof(C))]", "A B C" },
        { "a namespace", "/*usings*/", "namespace N;", "A B C" },
        { "a directive within an earlier type", "int N()", "\n#nullable disable\nint N()", "C" },
        { "a directive before a type", "/*B*/", "\n#nullable disable\n", "A B C" },
        { "a derived class", "class Other {", "class D : C { } class Other {", "C" },
        { "a part", "class Other {", "partial class C { public int Z; } class Other {", "C" },
        { "a mistake", "class Other {", "class More { ; class Other {", "C" },
    };

    [Theory]
    [MemberData(nameof(EditsOfOneFile))]
    public void Edit_OfOneFile_ParsesOnlyWhatDependsOnIt(string what, string before, string after, string parsed)
    {
        string file = $"/*usings*/\n{Contract} partial class A {{ public B B = new(); }}\n/*B*/{Contract} partial class B {{ public int X; int M() {{ return 1; }} }}\n"
            + $"class Other {{ int N() {{ return 1; }} }}\n/*C*/{Contract} partial class C {{ public int Y; }}";
        Assert.True(file.Contains(before, StringComparison.Ordinal), what);
        CSharpCompilation compilation = Compilations.Create(file);
        CSharpCompilation edited = compilation.ReplaceSource(0, file.Replace(before, after, StringComparison.Ordinal));
        var counter = new Counter();
        GeneratorDriver driver = Compilations.Driver(counter).RunGenerators(compilation);
        Assert.Equal(["A", "B", "C"], counter.Names);
        counter.Names.Clear();
        driver.RunGenerators(edited);
        Assert.Equal(parsed, string.Join(" ", counter.Names.Order(StringComparer.Ordinal)));
        Assert.Equal(FreshRun(edited), Results(Compilations.Driver().RunGenerators(compilation).RunGenerators(edited)));
    }

    /// <summary>What stands around a type counts, although its own text is the same.</summary>
    [Theory]
    [InlineData("namespace N { using Q = System.Int32; /*A*/ } namespace M { using Q = System.Int64; }", "namespace N { using Q = System.Int32; } namespace M { using Q = System.Int64; /*A*/ }")]
    [InlineData("namespace N { using Q = System.Int32; /*A*/ } namespace N { using Q = System.Int64; }", "namespace N { using Q = System.Int32; } namespace N { using Q = System.Int64; /*A*/ }")]
    [InlineData("using Q = int; class O { public string X = null!; }\n/*A*/", "using Q = int;\n#nullable disable\nclass O { public string X = null!; }\n/*A*/")]
    [InlineData("using Q = int; class O { }\n#nullable disable\nclass P { }\n/*A*/", "using Q = int; /*A*/class O { }\n#nullable disable\nclass P { }")]
    [InlineData("using Q = int; /*A*/", "using Q = int; /*A*//*A*/")]
    [InlineData("using Q = int; partial class A { public int First; } /*A*/", "using Q = int; /*A*/ partial class A { public int First; }")]
    [InlineData("using Q = object; class O { } /*A*/", "using Q = object; class O { void M() { } } /*A*/")]
    [InlineData("using Q = int; class O { /*A*/ }", "using Q = int; partial class O { /*A*/ }")]
    public void Edit_AroundAType_HasTheResultOfAFreshRun(string before, string after)
    {
        const string Type = Contract + " partial class A { public Q X = default!; public string S = \"\"; }";
        CSharpCompilation compilation = Compilations.Create(before.Replace("/*A*/", Type, StringComparison.Ordinal));
        AssertSame(compilation, compilation.ReplaceSource(0, after.Replace("/*A*/", Type, StringComparison.Ordinal)), isModified: true);
    }

    /// <summary>Two files may have the same path and text: the second declaration is not the first.</summary>
    [Fact]
    public void SameFileTwice_HasTheResultOfAFreshRun()
    {
        CSharpCompilation compilation = Compilations.Create("class Other { }").AddSource($"{Contract} partial class A {{ public int X; }}");
        AssertSame(compilation, compilation.AddSource($"{Contract} partial class A {{ public int X; }}"), isModified: true);
    }

    [Fact]
    public void Edit_OfAName_HasTheResultOfAFreshRun()
    {
        CSharpCompilation compilation = Compilations.Create($"{Contract} partial class A {{ public B B = new(); }}", "class B { public string X = null!; }");
        // Generated files have no nullable annotations.
        AssertSame(compilation, Rename("B.g.cs"), isModified: true);
        AssertSame(compilation, Rename("Other.cs"), isModified: false);
        CSharpCompilationOptions options = compilation.Options;
        AssertSame(
            compilation.WithOptions(options.WithSyntaxTreeOptionsProvider(new GeneratedFiles(compilation.SyntaxTrees[0], GeneratedKind.NotGenerated))),
            compilation.WithOptions(options.WithSyntaxTreeOptionsProvider(new GeneratedFiles(compilation.SyntaxTrees[1], GeneratedKind.MarkedGenerated))), isModified: true);

        CSharpCompilation Rename(string path) =>
            compilation.ReplaceSyntaxTree(compilation.SyntaxTrees[1], compilation.SyntaxTrees[1].WithFilePath(path));
    }

    [Fact]
    public void Edit_OfParseOptions_HasTheResultOfAFreshRun()
    {
        CSharpCompilation compilation = Compilations.Create(
            $"{Contract} partial class A {{ public B B = new(); }}", "\n#if MORE\nclass B { public int X, Y; }\n#else\nclass B { public int X; }\n#endif\n");
        var options = (CSharpParseOptions)compilation.SyntaxTrees[1].Options;
        AssertSame(compilation, With(options.WithPreprocessorSymbols("MORE")), isModified: true);
        AssertSame(compilation, With(options.WithPreprocessorSymbols("LESS")), isModified: false);

        CSharpCompilation With(CSharpParseOptions edited) => compilation.ReplaceSyntaxTree(
            compilation.SyntaxTrees[1], CSharpSyntaxTree.ParseText(compilation.SyntaxTrees[1].ToString(), edited, compilation.SyntaxTrees[1].FilePath));
    }

    [Fact]
    public void Edit_OfAReferencedProject_HasTheResultOfAFreshRun()
    {
        CSharpCompilation compilation = Compilations.Create($"{Contract} partial class A {{ public B B = new(); }}");
        AssertSame(With("public class B { public int X; }"), With("public class B { public long X; }"), isModified: true);

        CSharpCompilation With(string source) => compilation.AddReferences(Compilations.Create(source).WithAssemblyName("Project").ToMetadataReference());
    }

    /// <summary>After the last edited file is removed, the compiler has the part that was edited last after the others, and after the next edit in the order of the files.</summary>
    [Fact]
    public void Edit_OfAPartWithTheAttribute_GeneratesOneFile()
    {
        CSharpCompilation compilation = Compilations.Create(Part("X", 0), Part("Y", 0));
        GeneratorDriver driver = Compilations.Driver();
        Run();
        compilation = compilation.ReplaceSource(0, Part("X", 1)).AddSource("partial class A { public int Z; }");
        Run();
        compilation = compilation.RemoveSyntaxTrees(compilation.SyntaxTrees[2]);
        Run();
        compilation = compilation.ReplaceSource(0, Part("X", 2));
        Run();

        static string Part(string name, int edit) => $"{Contract} partial class A {{ public int {name}; int Get{name}() {{ return {edit}; }} }}";

        void Run()
        {
            driver = driver.RunGenerators(compilation);
            Assert.Single(Results(driver));
        }
    }

    [Fact]
    public void ReferencedProjects_AreNotKept()
    {
        CSharpCompilation compilation = Compilations.Create($"{Contract} partial class A {{ public int X; }}");
        WeakReference project = Run(compilation);
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(project.IsAlive);
        GC.KeepAlive(compilation);

        [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
        static WeakReference Run(CSharpCompilation compilation)
        {
            CSharpCompilation project = Compilations.Create("public class B { }").WithAssemblyName("Project");
            Assert.Single(Results(Compilations.Driver().RunGenerators(compilation.AddReferences(project.ToMetadataReference()))));
            return new WeakReference(project);
        }
    }

    /// <summary>Contracts that all contain each other are hashed together: neither the time nor the memory for each depends on their number.</summary>
    [Fact]
    public void ContractsThatContainEachOther_HaveOneHash()
    {
        const int Count = 2000;
        CSharpCompilation compilation = Compilations.Create(
            [.. Enumerable.Range(0, Count).Select(i => $"{Contract} partial class A{i} {{ public A{(i + 1) % Count}? X; public A{(i + 7) % Count}? Y; }}"), "class B : A5 { }", "class Other { }"]);
        var surfaces = Surfaces.Of(compilation, default);
        Assert.Single(surfaces.TypesWith(TreeSurface.WordsOf("MessageContractAttribute")).Select(static t => t.Hash).Distinct());
    }

    /// <summary>Generates for a compilation, after an edit, and after undoing it.</summary>
    private static void AssertSame(CSharpCompilation compilation, CSharpCompilation edited, bool isModified)
    {
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        string[] before = Results(driver);
        driver = driver.RunGenerators(edited);
        string[] after = Results(driver);
        Assert.Equal(FreshRun(edited), after);
        Assert.Equal(isModified, !before.SequenceEqual(after));
        Assert.Equal(before, Results(driver.RunGenerators(compilation)));
    }

    /// <summary>Generates with new trees, of which nothing is cached.</summary>
    internal static string[] FreshRun(CSharpCompilation compilation)
    {
        Dictionary<SyntaxTree, SyntaxTree> trees =
            compilation.SyntaxTrees.ToDictionary(t => t, t => CSharpSyntaxTree.ParseText(t.GetText(), (CSharpParseOptions)t.Options, t.FilePath));
        return Results(Compilations.Driver().RunGenerators(compilation.RemoveAllSyntaxTrees().AddSyntaxTrees(compilation.SyntaxTrees.Select(t => trees[t]))
            .WithOptions(compilation.Options.WithSyntaxTreeOptionsProvider((compilation.Options.SyntaxTreeOptionsProvider as GeneratedFiles)?.For(trees)))));
    }

    [Fact]
    public void Edit_ParsesOnlyWhatDependsOnIt()
    {
        var counter = new Counter();
        CSharpCompilation compilation = Compilations.Create(
            $"{Contract} partial class A {{ public B B = new(); }}",
            $"{Contract} partial class B {{ public int X; int M() {{ return 1; }} }}",
            $"{Contract} partial class C {{ public int X; }}",
            "class Other { int M() { return 1; } }");
        GeneratorDriver driver = Compilations.Driver(counter);
        Assert.Equal("A B C", Parsed(compilation));
        Assert.Equal("", Parsed(compilation.ReplaceSource(3, "class Other { int M() { return new A().GetHashCode(); } }")));
        Assert.Equal("", Parsed(compilation.ReplaceSource(3, "class Other { public A? A; public class Inner { } }")));
        Assert.Equal("", Parsed(compilation.AddSource("class More { }")));
        Assert.Equal("", Parsed(compilation));
        Assert.Equal("C", Parsed(compilation.ReplaceSource(2, $"{Contract} partial class C {{ public long X; }}")));
        Assert.Equal("A B", Parsed(compilation.ReplaceSource(1, $"{Contract} partial class B {{ public long X; }}")));
        Assert.Equal("A", Parsed(compilation));
        Assert.Equal("", Parsed(compilation.ReplaceSource(1, $"{Contract} partial class B {{ public int X; int M() {{ return 12; }} }}")));
        Assert.Equal("A C", Parsed(compilation.AddSource("class D : C { } class E : A { }")));
        Assert.Equal("A B C", Parsed(compilation.WithAssemblyName("Renamed")));
        Assert.Equal("A B C", Parsed(compilation.WithOptions(compilation.Options.WithAllowUnsafe(false))));
        Assert.Equal("A B C", Parsed(compilation.WithReferences(compilation.References.Skip(1))));

        string Parsed(CSharpCompilation edited)
        {
            counter.Names.Clear();
            driver = driver.RunGenerators(edited);
            Assert.Null(driver.GetRunResult().Results[0].Exception);
            return string.Join(" ", counter.Names.Order(StringComparer.Ordinal));
        }
    }

    [Theory]
    [InlineData("int M() { return 1; }", "int M() { return 2; }", true)]
    [InlineData("int M() => 1;", "int M() => X.Y;", true)]
    [InlineData("int M() => 1;", "int M() { return 1; }", false)]
    [InlineData("int M() => 1;", "long M() => 1;", false)]
    [InlineData("int P => 1;", "int P => 2;", false)]
    [InlineData("int P { get { return 1; } }", "int P { get { return 2; } }", false)]
    [InlineData("int F = 1;", "int F = 2;", false)]
    [InlineData("C() { }", "C() { M(); }", false)]
    [InlineData("int M() { return 1; }", "int M() {\n#nullable disable\nreturn 1; }", false)]
    public void Surface_IsWithoutTheBodiesOfMethods(string before, string after, bool isSame)
    {
        Assert.Equal(isSame, Of(before).SequenceEqual(Of(after)));

        static IEnumerable<Fingerprint> Of(string member) =>
            TreeSurface.Of(CSharpSyntaxTree.ParseText("class C { " + member + " }"), default).Parts.Select(static p => p.Hash);
    }

    /// <summary>Says of one file whether it is generated, as an <c>.editorconfig</c> does.</summary>
    private sealed class GeneratedFiles(SyntaxTree generated, GeneratedKind kind) : SyntaxTreeOptionsProvider
    {
        internal GeneratedFiles For(Dictionary<SyntaxTree, SyntaxTree> trees) => new(trees[generated], kind);

        public override GeneratedKind IsGenerated(SyntaxTree tree, CancellationToken cancellationToken) => tree == generated ? kind : GeneratedKind.Unknown;

        public override bool TryGetDiagnosticValue(SyntaxTree tree, string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity) =>
            TryGetGlobalDiagnosticValue(diagnosticId, cancellationToken, out severity);

        public override bool TryGetGlobalDiagnosticValue(string diagnosticId, CancellationToken cancellationToken, out ReportDiagnostic severity)
        {
            severity = ReportDiagnostic.Default;
            return false;
        }
    }

    internal static string[] Results(GeneratorDriver driver)
    {
        GeneratorDriverRunResult result = driver.GetRunResult();
        Assert.Null(result.Results[0].Exception);
        return [.. result.Results[0].GeneratedSources.Select(s => s.HintName + "\n" + s.SourceText),
            .. result.Diagnostics.Select(d => d.ToString())];
    }

    /// <summary>Notes which contracts are parsed.</summary>
    private sealed class Counter : IIncrementalGenerator
    {
        private readonly ParseCache<Parsed> _cache;

        internal Counter() => _cache = new(Symbols.ContractAttribute, (target, _) =>
        {
            Names.Add(target.Type.Name);
            return new Parsed(target.Type.Name, Report.Of(target.Type, []));
        });

        internal List<string> Names { get; } = [];

        public void Initialize(IncrementalGeneratorInitializationContext context) => context.RegisterSourceOutput(
            context.CompilationProvider.SelectMany(_cache.Parse), static (c, parsed) => c.AddSource(parsed.HintName, "// " + parsed.HintName));
    }

    private sealed record Parsed(string HintName, Report Report) : IParsed
    {
        public IParsed WithHintName(string name) => this with { HintName = name };
    }
}
