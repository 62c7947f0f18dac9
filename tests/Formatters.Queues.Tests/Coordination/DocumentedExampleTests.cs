using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.Loader;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The example of docs/folder-and-postgresql.md, compiled from the page.</summary>
public sealed class DocumentedExampleTests
{
    private const string Folder = "\"file:queues";
    private const string Database = "\"postgres://localhost/shop";

    [Fact]
    public void Example_compiles() => Assert.NotEmpty(Compile(Read()));

    [PostgresFact]
    public async Task Example_does_what_the_page_says()
    {
        await using FolderAndDatabase both = await FolderAndDatabase.CreateAsync(Postgres.Address);
        QueueClient orders = await both.OpenInFolderAsync("orders");
        QueueClient bills = await both.OpenInDatabaseAsync("bills");
        await FolderAndDatabase.SendAsync(orders, "an order");
        string table = both.Table + "_sale";
        await both.RunAsync($"CREATE TABLE {table} (label text)");
        await both.CloseAsync();

        string text = Read();
        foreach (string constant in new[] { Folder + "/orders\"", Folder + "\"", Database + "/bills\"", Database + "\"", "public.sale" })
            Assert.Contains(constant, text, StringComparison.Ordinal);
        text = text.Replace(Database + "/bills\"", $"\"{both.DatabaseQueue("bills")}\"", StringComparison.Ordinal).Replace(Database, $"\"{Postgres.Address}", StringComparison.Ordinal)
            .Replace(Folder, $"\"file://{both.FolderPath}", StringComparison.Ordinal).Replace("public.sale", table, StringComparison.Ordinal);
        Assembly assembly = new AssemblyLoadContext(nameof(DocumentedExampleTests), isCollectible: true).LoadFromStream(new MemoryStream(Compile(text)));
        await (Task)assembly.GetType("Example")!.GetMethod("RunAsync")!.Invoke(null, null)!;
        await both.OpenAsync();

        Assert.Empty(await both.PeekAsync(both.FolderQueue("orders")));
        Assert.Single(await both.PeekAsync(both.DatabaseQueue("bills")));
        await using Npgsql.NpgsqlConnection connection = await Postgres.ConnectAsync(Postgres.Address);
        Assert.Equal("an order", await connection.ScalarAsync<string>($"SELECT string_agg(label, ',') FROM {table}"));
        await both.RunAsync($"DROP TABLE {table}");
    }

    private static string Read()
    {
        string page = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "docs", "folder-and-postgresql.md"));
        return Assert.Single(page.Split("```csharp\n").Skip(1), snippet => snippet.Split("```")[0].Contains("OpenCoordinatorAsync", StringComparison.Ordinal)).Split("```")[0];
    }

    private static byte[] Compile(string text)
    {
        string source = $$"""
            #nullable enable
            using System; using System.Threading.Tasks; using Formatters; using Formatters.Queues; using Formatters.Queues.PostgreSql; using Npgsql;
            public static class Example { public static async Task RunAsync() { {{text}} } }
            """;
        IEnumerable<MetadataReference> references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")!).Split(Path.PathSeparator).Select(path => MetadataReference.CreateFromFile(path));
        var compilation = CSharpCompilation.Create(
            "DocumentedExample", [CSharpSyntaxTree.ParseText(source, new CSharpParseOptions(LanguageVersion.Latest))], references, new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary));
        using var stream = new MemoryStream();
        Assert.Empty(compilation.Emit(stream).Diagnostics.Where(diagnostic => diagnostic.Severity >= DiagnosticSeverity.Warning).Select(diagnostic => diagnostic.ToString()));
        return stream.ToArray();
    }
}
