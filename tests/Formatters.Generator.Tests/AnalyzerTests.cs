using System;
using System.Collections.Immutable;
using System.Linq;
using System.Threading.Tasks;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.Diagnostics;
using Xunit;

namespace Formatters.Generator.Tests;

/// <summary>What is found around contracts: its id, and the source text that it marks (between two dollar signs).</summary>
public class AnalyzerTests
{
    // Other libraries, as far as they are looked at.
    private const string Others = """
        namespace System.Runtime.Serialization.Formatters.Binary { public class BinaryFormatter { public void Serialize(System.IO.Stream s, object graph) { } } }
        namespace System.Messaging
        {
            public class BinaryMessageFormatter { public void Write(Message message, object value) { } }
            public class Message { public Message() { } public Message(object body, BinaryMessageFormatter formatter) { } public object? Formatter { get; set; } }
        }

        namespace MessagePack
        {
            public class MessagePackObjectAttribute : System.Attribute { }
            public class KeyAttribute : System.Attribute { public KeyAttribute(int n) { } public KeyAttribute(string n) { } }
        }

        namespace ProtoBuf { public class ProtoContractAttribute : System.Attribute { } public class ProtoMemberAttribute(int n) : System.Attribute { public int N => n; } }
        namespace MemoryPack { public class MemoryPackableAttribute : System.Attribute { } public class MemoryPackOrderAttribute(int n) : System.Attribute { public int N => n; } }
        """;

    public static TheoryData<string, string> Uses => new()
    {
        { "FMT301", "[Serializable] class Order { static void M(System.IO.Stream s, Order o) => $new System.Runtime.Serialization.Formatters.Binary.BinaryFormatter().Serialize(s, o)$; }" },
        { "FMT301", "[Serializable] class Order { object M(Order o) => new System.Messaging.Message(o, $new System.Messaging.BinaryMessageFormatter()$); }" },
        { "FMT301", "class Order { void M(System.Messaging.Message m) => m.Formatter = $new System.Messaging.BinaryMessageFormatter()$; }" },
        { "FMT301", "class Order { void M(System.Messaging.Message m, System.Messaging.BinaryMessageFormatter f, object o) => $f.Write(m, o)$; }" },
        { "FMT302", "[System.Runtime.Serialization.DataContract] class $Order$ { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }" },
        { "FMT303", "[MessagePack.MessagePackObject] record $Order$([MessagePack.Key(0)] int Id);" },
        { "FMT303", "[MessagePack.MessagePackObject] record struct $Order$([property: MessagePack.Key(0)] int Id);" },
        { "FMT304", "[ProtoBuf.ProtoContract] class $Order$ { [ProtoBuf.ProtoMember(1)] private int _id; public int Id => _id++; }" },
        { "FMT305", "[MemoryPack.MemoryPackable] partial struct $Order$ { [MemoryPack.MemoryPackOrder(0)] public int Id { get; set; } }" },
    };

    /// <summary>dotnet format runs analyzers only, and over the code that the generator has added to.</summary>
    [Theory]
    [InlineData("FMT110", "[MessageContract(Formats = ContractFormats.Versioned)] public partial class Order { public int Id, Other; }")]
    [InlineData("FMT107", "\n#nullable disable\n[MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public string Name; }")]
    [InlineData("FMT110", "public class Line { public int Id; } [MessageContractFor(typeof(Line), Formats = ContractFormats.Versioned)] static partial class Context { }")]
    public async Task ProblemWithAFix_IsReportedToTheCommandLine(string id, string source)
    {
        CSharpCompilation compilation = Compilations.Create(source);
        Compilations.Driver().RunGeneratorsAndUpdateCompilation(compilation, out Compilation output, out ImmutableArray<Diagnostic> generated);
        Assert.Empty(await output.WithAnalyzers([new ContractFixAnalyzer()]).GetAnalyzerDiagnosticsAsync());
        var options = new AnalyzerOptions([], new FixOptions());
        ImmutableArray<Diagnostic> found = await output.WithAnalyzers([new ContractFixAnalyzer()], options).GetAnalyzerDiagnosticsAsync();
        Assert.Equal(generated.Where(d => d.Id == id).Select(static d => d.ToString()), found.Select(static d => d.ToString()));
    }

    private sealed class FixOptions : AnalyzerConfigOptionsProvider
    {
        public override AnalyzerConfigOptions GlobalOptions { get; } = new Fixes();

        public override AnalyzerConfigOptions GetOptions(SyntaxTree tree) => GlobalOptions;

        public override AnalyzerConfigOptions GetOptions(AdditionalText textFile) => GlobalOptions;

        private sealed class Fixes : AnalyzerConfigOptions
        {
            public override bool TryGetValue(string key, out string value)
            {
                value = "true";
                return key == "build_property.FormattersFixes";
            }
        }
    }

    [Theory]
    [MemberData(nameof(Uses))]
    public async Task Use_IsReportedAtItsPlace(string id, string marked)
    {
        string[] parts = marked.Split('$');
        Diagnostic diagnostic = Assert.Single(await AnalyzeAsync(string.Concat(parts)));
        Assert.Equal((id, parts[1]), (diagnostic.Id, diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan)));
        string source = diagnostic.Location.SourceTree!.ToString();
        Assert.Equal(source.IndexOf(string.Concat(parts), StringComparison.Ordinal) + parts[0].Length, diagnostic.Location.SourceSpan.Start);
        Assert.Equal(id == "FMT301" ? DiagnosticSeverity.Warning : DiagnosticSeverity.Info, diagnostic.Severity);
        Assert.Equal($"{Compilations.HelpPages}{id}.md", diagnostic.Descriptor.HelpLinkUri);
    }

    [Theory]
    [InlineData("[System.Runtime.Serialization.DataContract, MessageContract(Formats = ContractFormats.Binary)] partial class Order { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }")]
    [InlineData("[System.Runtime.Serialization.DataContract] class Order { [System.Runtime.Serialization.DataMember] public int Id; }")]
    [InlineData("[System.Runtime.Serialization.DataContract] class Order<T> { [System.Runtime.Serialization.DataMember(Order = 1)] public int Id; }")]
    [InlineData("[ProtoBuf.ProtoContract] abstract class Order { [ProtoBuf.ProtoMember(1)] public int Id; }")]
    [InlineData("[MessagePack.MessagePackObject] class Order { [MessagePack.Key(\"id\")] public int Id; }")]
    [InlineData("class Formatter { void Serialize(System.IO.Stream s, object o) { } void M(Formatter f, System.IO.Stream s) => f.Serialize(s, 1); }")]
    public async Task OtherUse_IsNotReported(string source) => Assert.Empty(await AnalyzeAsync(source));

    [Fact]
    public async Task LegacyFormatter_SaysWhatToUse()
    {
        Diagnostic named = Assert.Single(await AnalyzeAsync(((string)Uses.ElementAt(1)[1]).Replace("$", "", StringComparison.Ordinal)));
        Assert.Equal(
            "'Order' is written by BinaryMessageFormatter, which lets a body choose the types that its reader loads and is no longer part of .NET; give the type [MessageContract] and use VersionedFormatter<Order>",
            named.GetMessage(System.Globalization.CultureInfo.InvariantCulture));
        Diagnostic unnamed = Assert.Single(await AnalyzeAsync(((string)Uses.ElementAt(2)[1]).Replace("$", "", StringComparison.Ordinal)));
        Assert.StartsWith("The payload is written by BinaryMessageFormatter", unnamed.GetMessage(System.Globalization.CultureInfo.InvariantCulture), StringComparison.Ordinal);
    }

    /// <summary>The formatter of Formatters.SystemMessaging reads declared types only.</summary>
    [Fact]
    public async Task BinaryMessageFormatter_OfThisLibrary_IsNotReported()
    {
        foreach (object?[] use in Uses.Skip(1).Take(3))
            Assert.Empty(await AnalyzeAsync(((string)use[1]!).Replace("$", "", StringComparison.Ordinal), "Formatters.SystemMessaging"));
    }

    private static async Task<ImmutableArray<Diagnostic>> AnalyzeAsync(string source, string? assemblyName = null)
    {
        CSharpCompilation compilation = Compilations.Create(source, Others);
        if (assemblyName is not null)
            compilation = compilation.WithAssemblyName(assemblyName);
        Assert.Empty(compilation.GetDiagnostics().Where(d => d.Severity == DiagnosticSeverity.Error));
        return await compilation.WithAnalyzers([new LegacyFormatterAnalyzer(), new MigrationAnalyzer()]).GetAnalyzerDiagnosticsAsync();
    }
}
