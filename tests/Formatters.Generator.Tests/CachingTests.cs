using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Contracts are parsed again when something that they depend on has changed, and only then.</summary>
public class CachingTests
{
    private const string Contract = "[MessageContract]";
    private const string Versioned = "[MessageContract(Formats = ContractFormats.Versioned)]";

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
        { "a type of a context", $"[MessageContractFor(typeof(List<B>))] static partial class A {{ }}", "class B { public int X; }", "class B { public int X; public int Y; }" },
        { "nullable annotations by a directive", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public string X = null!; }", "#nullable disable\nclass B { public string X = null!; }" },
        { "nullable annotations by a directive in a body", $"{Contract} partial class A {{ public B B = new(); }}", "class C { void M() { } } class B { public string X = null!; }", "class C { void M() {\n#nullable disable\n } } class B { public string X = null!; }" },
        { "a mistake", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public int X; }", "class B { public object X = 1; }" },
        { "a mistake that moves", $"{Contract} partial class A {{ public B B = new(); }}", "class C { void M() { } } class B { public object X = 1; }", "class C { void M() { M(); } } class B { public object X = 1; }" },
        { "a class becomes a struct", $"{Contract} partial class A {{ public B B = new(); }}", "class B { public int X; }", "struct B { public int X; public B() { } }" },
        { "a class becomes generic", $"{Contract} partial class A {{ public B<int> B = new(); }}", "class B<T> { public T X = default!; }", "class B<T> { public List<T> X = default!; }" },
    };

    [Theory]
    [MemberData(nameof(Edits))]
    public void Edit_OfADependency_HasTheSameResultAsAnew(string what, string contract, string before, string after)
    {
        Assert.NotEmpty(what);
        CSharpCompilation compilation = Compilations.Create(contract, before);
        GeneratorDriver driver = Compilations.Driver().RunGenerators(compilation);
        string[] old = Results(driver);
        driver = driver.RunGenerators(compilation.ReplaceSource(1, after));
        string[] edited = Results(driver);
        Assert.Equal(Results(Compilations.Driver().RunGenerators(Compilations.Create(contract, after))), edited);
        // The edit is one that matters, and can be undone.
        if (what is not ("an attribute's own attribute" or "a constructor of a member's class"))
            Assert.NotEqual(old, edited);
        Assert.Equal(old, Results(driver.RunGenerators(compilation)));
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
        // The positions in the file itself have moved.
        Assert.Equal("B", Parsed(compilation.ReplaceSource(1, $"{Contract} partial class B {{ public int X; int M() {{ return 12; }} }}")));
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
        Assert.Equal(isSame, Of(before).IsSame(Of(after)));

        static TreeSurface Of(string member) => TreeSurface.Of(CSharpSyntaxTree.ParseText("class C { " + member + " }"), default);
    }

    private static string[] Results(GeneratorDriver driver)
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

        internal Counter() => _cache = new((context, _) =>
        {
            lock (Names)
                Names.Add(context.TargetSymbol.Name);
            return new Parsed(context.TargetSymbol.Name, Report.Of((INamedTypeSymbol)context.TargetSymbol, []));
        });

        internal List<string> Names { get; } = [];

        public void Initialize(IncrementalGeneratorInitializationContext context) => context.RegisterSourceOutput(
            context.SyntaxProvider.ForAttributeWithMetadataName(Symbols.ContractAttribute, static (n, _) => n is TypeDeclarationSyntax, _cache.Parse),
            static (c, parsed) => c.AddSource(parsed.Name, "// " + parsed.Name));
    }

    private sealed record Parsed(string Name, Report Report) : IParsed;
}
