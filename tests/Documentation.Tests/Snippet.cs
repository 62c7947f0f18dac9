using System;
using System.Collections.Generic;
using System.Collections.Immutable;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Generator;
using Formatters.Hosting;
using Formatters.Orders;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Text;

namespace Documentation.Tests;

/// <summary>A piece of C# as a page shows it, statements, members and types in any order, with what it takes for granted around it.</summary>
internal sealed class Snippet
{
    private static readonly CSharpParseOptions Options = new(LanguageVersion.CSharp12);

    private static readonly MetadataReference[] References =
    [
        .. ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator)
            .Where(static path => Path.GetFileName(path) is var name && (name.StartsWith("System.", StringComparison.Ordinal) || name.StartsWith("Microsoft.Extensions.", StringComparison.Ordinal)
                || name.StartsWith("Microsoft.AspNetCore.", StringComparison.Ordinal) || name.StartsWith("Microsoft.EntityFrameworkCore", StringComparison.Ordinal) || name.StartsWith("CloudNative.", StringComparison.Ordinal) || name.StartsWith("NATS.", StringComparison.Ordinal)
                || name is "netstandard.dll" or "mscorlib.dll" or "System.dll" or "Npgsql.dll" or "MessagePack.dll" or "MessagePack.Annotations.dll" or "protobuf-net.dll" or "protobuf-net.Core.dll"
                    or "MemoryPack.Core.dll" or "Polly.Core.dll" or "Formatters.MessagePackCSharp.dll" or "Formatters.ProtobufNet.dll" or "Formatters.MemoryPack.dll"
                    or "Formatters.MassTransit.dll" or "Formatters.Rebus.dll" or "Formatters.Wolverine.dll" or "MassTransit.dll" or "MassTransit.Abstractions.dll"
                    or "MassTransit.RabbitMqTransport.dll" or "Rebus.dll" or "Wolverine.dll" or "Wolverine.RabbitMQ.dll" or "JasperFx.dll" or "RabbitMQ.Client.dll"
                    or "Formatters.AspNetCore.dll" or "Formatters.Hosting.EntityFrameworkCore.dll" or "Npgsql.EntityFrameworkCore.PostgreSQL.dll" or "Formatters.CloudEvents.dll" or "Formatters.SignalR.dll" or "StackExchange.Redis.dll"))
            .Select(static path => MetadataReference.CreateFromFile(path)),
        .. new[] { typeof(Formatters.MessageBody), typeof(Order), typeof(QueueMessage), typeof(RabbitMqQueueProvider), typeof(PostgreSqlQueueProvider), typeof(QueuesBuilder), typeof(OwnFormat.Resp3) }
            .Select(static type => MetadataReference.CreateFromFile(type.Assembly.Location)),
        MetadataReference.CreateFromFile(typeof(Snippet).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>().Single(static attribute => attribute.Key == "SystemMessaging").Value!),
        MetadataReference.CreateFromFile(SystemMessagingAdapter()),
    ];

    private static readonly ImmutableArray<DiagnosticAnalyzer> Analyzers =
    [
        .. typeof(ContractGenerator).Assembly.GetTypes().Where(static type => type.IsDefined(typeof(DiagnosticAnalyzerAttribute), false)).Select(static type => (DiagnosticAnalyzer)Activator.CreateInstance(type)!),
    ];

    /// <summary>What is compiled is added to this one: then the references are bound once.</summary>
    private static readonly CSharpCompilation Empty = CSharpCompilation.Create(
        "Page", [], References, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, nullableContextOptions: NullableContextOptions.Enable));

    private readonly List<MemberDeclarationSyntax> _types = [];
    private readonly List<MemberDeclarationSyntax> _members = [];
    private readonly StringBuilder _statements = new();
    private readonly SyntaxList<UsingDirectiveSyntax> _usings;

    /// <summary>Takes code apart.</summary>
    /// <param name="code">The code.</param>
    /// <param name="kind">As a script, variables are fields.</param>
    internal Snippet(string code, SourceCodeKind kind = SourceCodeKind.Regular)
    {
        var root = (CompilationUnitSyntax)CSharpSyntaxTree.ParseText(code, Options.WithKind(kind)).GetRoot();
        _usings = root.Usings;
        foreach (MemberDeclarationSyntax member in root.Members)
        {
            switch (member)
            {
                case GlobalStatementSyntax { Statement: ExpressionStatementSyntax { SemicolonToken.IsMissing: true } value }:
                    _statements.Append("_ = ").Append(value.Expression.ToFullString()).AppendLine(";");
                    break;
                case GlobalStatementSyntax statement:
                    _statements.Append(statement.ToFullString());
                    break;
                case BaseTypeDeclarationSyntax:
                    _types.Add(member);
                    break;
                default:
                    _members.Add(member);
                    break;
            }
        }
    }

    /// <summary>Compiles the snippet, after the generator has run, and lets the analyzers look at it.</summary>
    /// <param name="context">What the reader of the page has: variables as fields, methods, types; those that the snippet declares itself are its own.</param>
    /// <param name="schema">The schema snapshot of the project; null for none.</param>
    /// <returns>The errors of the compiler, and what generator and analyzers report.</returns>
    internal async Task<IReadOnlyList<Diagnostic>> CompileAsync(Snippet context, string? schema = null)
    {
        var names = _types.Select(static type => ((BaseTypeDeclarationSyntax)type).Identifier.Text).ToHashSet();
        IEnumerable<MemberDeclarationSyntax> types = [.. context._types.Where(type => !names.Contains(((BaseTypeDeclarationSyntax)type).Identifier.Text)), .. _types];
        // The adapter for the port of System.Messaging has the same source as the one for the original, which is there to compile against.
        string usings = _usings.ToFullString().Replace("Experimental.System.Messaging", "System.Messaging", StringComparison.Ordinal);
        string source = $$"""
            using System;
            using System.Collections;
            using System.Collections.Generic;
            using System.IO;
            using System.Threading.Tasks;
            using Formatters;
            {{context._usings.ToFullString()}}
            {{usings}}
            {{string.Concat(types.Select(static type => type.ToFullString() + "\n"))}}
            internal class Page
            {
            {{string.Concat(context._members.Concat(_members).Select(static member => member.ToFullString() + "\n"))}}
                private async Task RunAsync()
                {
            {{_statements}}
                    await Task.CompletedTask;
                }
            }
            """;
        AdditionalText[] files = schema is null ? [] : [new SchemaSnapshot(schema)];
        CSharpGeneratorDriver.Create([new ContractGenerator().AsSourceGenerator(), new LegacyContractGenerator().AsSourceGenerator()], files, Options)
            .RunGeneratorsAndUpdateCompilation(Empty.AddSyntaxTrees(CSharpSyntaxTree.ParseText(source, Options)), out Compilation output, out ImmutableArray<Diagnostic> reported);
        ImmutableArray<Diagnostic> analyzed = await output.WithAnalyzers(Analyzers).GetAnalyzerDiagnosticsAsync();
        return [.. output.GetDiagnostics().Where(static diagnostic => diagnostic.Severity == DiagnosticSeverity.Error), .. reported, .. analyzed];
    }

    private static string SystemMessagingAdapter()
    {
        string configuration = Path.GetFileName(AppContext.BaseDirectory.TrimEnd('/', '\\'));
        return Path.Combine(AppContext.BaseDirectory, "..", "..", "Formatters.Msmq", configuration, "Formatters.Msmq.dll");
    }

    private sealed class SchemaSnapshot(string json) : AdditionalText
    {
        public override string Path => "/formatters.schema.json";

        public override SourceText GetText(CancellationToken cancellationToken = default) => SourceText.From(json);
    }
}
