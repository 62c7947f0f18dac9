using System;
using System.Collections.Generic;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>Declarations whose names generated code could mistake: what does not compile is the author's error, or has a diagnostic of ours.</summary>
public class NamingTests
{
    private const string Library = "namespace N { [System.Serializable] public class Shared { [Formatters.MessageMember(1)] public int A; } public struct Value { [Formatters.MessageMember(1)] public int A; } public enum Kind { One } public class Box<T> { [Formatters.MessageMember(1)] public T Item = default!; } public class Outer { public class Inner { [Formatters.MessageMember(1)] public int A; } } public class Text : Formatters.Binary.BinaryCodec<string> { public override int MinByteCount => 1; public override void Write(ref Formatters.Binary.BinaryBodyWriter writer, string value) => writer.Write(value); public override string Read(ref Formatters.Binary.BinaryBodyReader reader, string? existing) => reader.ReadString(); } public class Base { private int _id; [Formatters.MessageMember(9)] public int Id { get => _id; set => _id = value; } } }";

    private const string AllFormats = "Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Cbor | ContractFormats.Compact | ContractFormats.Protobuf | ContractFormats.Xml";

    /// <summary>Members of the types of a library; L is its alias.</summary>
    private static readonly string[] Members =
    [
        "L::N.Shared", "L::N.Shared?", "L::N.Shared[]", "List<L::N.Shared>", "L::N.Value", "L::N.Value?", "L::N.Kind", "L::N.Kind?", "L::N.Box<int>", "List<L::N.Kind[]>",
        "L::N.Box<L::N.Kind>", "L::N.Outer.Inner",
    ];

    public static TheoryData<string> Corpus =>
    [
        .. Members.Select(type => $"extern alias L; using System.Collections.Generic; using Formatters; namespace M {{ [MessageContract({AllFormats})] public partial class Order {{ [MessageMember(1)] public {type} P = default!; }} }}"),
        .. Members.Select(static type => type.TrimEnd('?')).Distinct().Select(type => $"extern alias L; using System.Collections.Generic; using Formatters; namespace M {{ [MessageContractFor(typeof({type}), Formats = ContractFormats.Binary | ContractFormats.Versioned | ContractFormats.MessagePack | ContractFormats.Protobuf, Name = \"P\")] public static partial class Context; }}"),
        "extern alias L; using Formatters; [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { [MemberCodec(typeof(L::N.Text))] public string P = \"\"; }",
        $"extern alias L; using Formatters; [MessageContract({AllFormats})] public partial class Order : L::N.Base {{ [MessageMember(1)] public int P; }}",
        "extern alias L; using Formatters; [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public object P = 1; [ElementType(typeof(L::N.Shared))] public System.Collections.ArrayList Q = new(); }",
        "extern alias L; using Formatters; [MessageUnion(1, typeof(Case))] public interface IShape; public class Case : L::N.Base, IShape; [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public IShape P = null!; }",
        "extern alias L; [Formatters.LegacyBinary.LegacyBinaryContract(typeof(L::N.Shared))] public static partial class Legacy;",
        "extern alias L; [System.Serializable] public class Own { public L::N.Shared P = new(); } [Formatters.LegacyBinary.LegacyBinaryContract(typeof(Own))] public static partial class Legacy;",
    ];

    public static TheoryData<string> Reserved => [.. new[] { "__B", "__C", "__F", "__G", "__P", "__R", "__S", "__T", "__W" }.SelectMany(name => new[]
    {
        $"class {name} {{ }} [Formatters.MessageContract({AllFormats.Replace("ContractFormats", "Formatters.ContractFormats", StringComparison.Ordinal)})] public partial class Order {{ [Formatters.MessageMember(1)] public int A; }}",
        $"namespace M {{ class {name} {{ }} [Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary)] public partial class Order {{ public int A; }} }}",
        $"namespace M.{name} {{ class X {{ }} }} namespace M.K {{ [Formatters.MessageContractFor(typeof(System.Collections.Generic.List<int>), Name = \"P\", Formats = Formatters.ContractFormats.Binary)] public static partial class Context; }}",
        $"namespace {name} {{ [Formatters.MessageContract(Formats = Formatters.ContractFormats.Binary)] public partial class Order {{ public int A; }} }}",
    })];

    [Theory]
    [MemberData(nameof(Corpus))]
    public void Type_OfALibrary_IsNamedOrRefused(string source)
    {
        MetadataReference one = Reference("One", "L"), two = Reference("Two", "M");
        Check(source, one);
        Check(source, Reference("One", "global", "L"));
        Check(source, Reference("One", "global", "L"), two);
        Check(source, Reference("One", "global", "L"), Reference("Two", "global"));
        Check(source + " " + Library, Reference("One", "global", "L"));
        Check("using Formatters;" + source.Replace("extern alias L;", "", StringComparison.Ordinal).Replace("L::", "", StringComparison.Ordinal) + " " + Library, Reference("One", "global"));
    }

    [Theory]
    [MemberData(nameof(Reserved))]
    public void Name_ThatGeneratedCodeReserves_IsRefused(string source) => Assert.Contains("FMT005", Check(source));

    [Fact]
    public void Type_ThatTwoLibrariesHave_IsNamedWithThem()
    {
        CSharpCompilation compilation = Compile((string)((IEnumerable<object[]>)Corpus).First()[0], Reference("One", "global", "L"), Reference("Two", "global"));
        Diagnostic diagnostic = Compilations.Driver().RunGenerators(compilation).GetRunResult().Diagnostics.First();
        Assert.Equal(("FMT101", true), (diagnostic.Id, diagnostic.GetMessage(System.Globalization.CultureInfo.InvariantCulture).Contains("One and Two both have a type of this name", StringComparison.Ordinal)));
    }

    /// <summary>Generates code, and compiles it if neither the author nor we have found an error.</summary>
    private static IEnumerable<string> Check(string source, params MetadataReference[] references)
    {
        CSharpCompilation compilation = Compile(source, references);
        bool isAuthors = compilation.GetDiagnostics().Any(static d => d.Severity == DiagnosticSeverity.Error && d.Id is not ("CS0117" or "CS1061"));
        GeneratorDriver driver = CSharpGeneratorDriver.Create([new ContractGenerator().AsSourceGenerator(), new LegacyContractGenerator().AsSourceGenerator()],
            parseOptions: (CSharpParseOptions)compilation.SyntaxTrees.First().Options);
        GeneratorDriverRunResult result = driver.RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out _).GetRunResult();
        Assert.All(result.Results, static r => Assert.Null(r.Exception));
        Diagnostic[] errors = [.. output.GetDiagnostics().Where(static d => d.Severity == DiagnosticSeverity.Error)];
        if (!isAuthors && result.Diagnostics.All(static d => d.Severity != DiagnosticSeverity.Error))
            Assert.True(errors.Length == 0, string.Join('\n', errors.Take(5).Select(static d => d.ToString())) + "\n" + source);
        return result.Diagnostics.Select(static d => d.Id);
    }

    private static CSharpCompilation Compile(string source, params MetadataReference[] references)
    {
        CSharpCompilation empty = Compilations.Create();
        return empty.AddReferences(references).AddSyntaxTrees(CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.CSharp12), "Source.cs"));
    }

    private static MetadataReference Reference(string name, params string[] aliases)
    {
        CSharpCompilation library = Compile(Library).WithAssemblyName(name);
        using var image = new System.IO.MemoryStream();
        Assert.Empty(library.Emit(image).Diagnostics.Where(static d => d.Severity == DiagnosticSeverity.Error));
        return MetadataReference.CreateFromImage(image.ToArray(), new MetadataReferenceProperties(aliases: [.. aliases]));
    }
}
