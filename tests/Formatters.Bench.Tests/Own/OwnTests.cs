using System;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Reflection.Emit;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Measurement;
using Formatters.Bench.Own;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Tools.Migrate;
using Xunit;

namespace Formatters.Bench.Tests.Own;

public sealed class OwnTests : IDisposable
{
    private const string Models = "Formatters.Bench.Tests.Own.";
    private const string Invoices = Models + "OwnModels.MakeInvoice";

    private static readonly string AssemblyFile = typeof(OwnTests).Assembly.Location;

    private readonly Tool _tool = new() { Clock = TimeProvider.System };
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("own");

    public void Dispose() => _folder.Delete(recursive: true);

    [Theory]
    [InlineData("OwnModels.Nested", """{ "Name": "a", "Price": 1.5, "When": "2026-01-02T03:04:05Z", "Parts": [{ "Name": "bolt", "Count": 3 }], "Stock": { "x": 1 } }""", "JSON")]
    [InlineData("Invoice", """[{ "Number": 1, "Parts": [] }, { "Number": 2, "Parts": [{ "Name": "nut", "Count": 1 }] }]""", "JSON")]
    [InlineData("Point", """{ "X": 1.5, "Y": -2 }""", "reflection")]
    [InlineData("Page`1[[System.String]]", """{ "Number": 1, "Items": ["a", "b"] }""", "reflection")]
    [InlineData("Dog", """{ "Name": "Rex", "Tricks": 3 }""", "reflection")]
    [InlineData("Strict", """{ "Name": "a", "Count": 3 }""", "reflection")]
    public void Types_of_all_kinds_come_back_as_they_were(string type, string json, string formatter)
    {
        OwnChoice choice = Choose(type, json);
        OwnCandidate candidate = Assert.Single(choice.Candidates, candidate => candidate.Name == formatter);
        Assert.Empty(candidate.Changes);
        Assert.All(choice.Refused, static refusal => Assert.NotEqual("", refusal.Reason));
        Assert.All(choice.Refused, static refusal => Assert.DoesNotContain("\n", refusal.Reason, StringComparison.Ordinal));
    }

    [Fact]
    public void A_formatter_that_does_not_read_a_private_setter_is_refused()
    {
        OwnChoice choice = Choose("PrivateSetters", """{ "Id": 5, "Name": "a" }""");
        Assert.DoesNotContain(choice.Candidates, static candidate => candidate.Name == "JSON");
        Assert.Contains("Id", Assert.Single(choice.Refused, static refusal => refusal.Formatter == "JSON").Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_lost_is_said_and_never_recommended()
    {
        OwnChoice choice = OwnChoice.Create(Options("OwnModels.Nested") with
        {
            Sample = Write("""{ "Name": "a", "Stock": { "x": 1 } }"""),
            Formatters = [Models + "OwnModels.Losing"],
        });
        OwnCandidate candidate = Assert.Single(choice.Candidates);
        Assert.Equal(["drops Nested.Stock: elements are missing"], candidate.Changes);
    }

    [Theory]
    [InlineData("JSON", true)]
    [InlineData(Models + "OwnModels.Losing", false)] // The fastest of all may be the one that writes nothing.
    public async Task Figures_are_shown_while_it_measures_but_not_of_what_loses_data(string formatter, bool isShown)
    {
        var progress = new NoProgress();
        OwnOptions options = Options("OwnModels.Nested") with
        {
            Sample = Write("""{ "Name": "a", "Stock": { "x": 1 } }"""),
            Formatters = [formatter],
            Plan = new MeterPlan(5, TimeSpan.Zero, TimeSpan.Zero, MinRounds: 3, MaxRounds: 3, MinTurn: TimeSpan.Zero),
            Quick = true,
        };
        await new OwnRun(_tool.Connector, options, TimeProvider.System, TextWriter.Null).RunAsync("", progress, CancellationToken.None);
        Assert.Equal(isShown, progress.Lines.Any(line => line.StartsWith($"round 1, sent/s and received/s: {formatter} ", StringComparison.Ordinal)));
        Assert.Equal(isShown, progress.Lines.Count > 0);
    }

    [Fact]
    public void A_list_behind_an_interface_may_be_of_another_class()
    {
        OwnChoice choice = OwnChoice.Create(Options("Invoice") with { Samples = Invoices });
        Assert.Empty(Assert.Single(choice.Candidates, static candidate => candidate.Name == "JSON").Changes);
    }

    [Fact]
    public void A_method_whose_parameters_are_optional_makes_samples()
    {
        OwnChoice choice = OwnChoice.Create(Options("Invoice") with { Samples = Models + "OwnModels.MakeSome" });
        Assert.Empty(Assert.Single(choice.Candidates, static candidate => candidate.Name == "JSON").Changes);
    }

    [Fact]
    public void A_member_that_the_type_lacks_in_the_sample_is_an_error() => Assert.Contains(
        "'Nmae'", Assert.Throws<UsageException>(() => Choose("Dog", """{ "Nmae": "Rex" }""")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("SealedIn", null, "--samples Namespace.Type.Method")]
    [InlineData("Invoice", "OwnModels.MakeNothing", "gives null")]
    [InlineData("Invoice", "OwnModels.MakeFailure", "No samples today.")]
    [InlineData("Invoice", "OwnModels.MakeSealed", "not Formatters.Bench.Tests.Own.Invoice")]
    [InlineData("Invoice", "OwnModels.Absent", "no static method 'Absent'")]
    [InlineData("Absent", "OwnModels.MakeInvoice", "There is no type")]
    [InlineData("Page`1", "OwnModels.MakeInvoice", "is an open generic type")]
    [InlineData("Page`1[[", "OwnModels.MakeInvoice", "Page`1[[")]
    public void Samples_and_types_that_are_not_there_are_errors(string type, string? method, string message)
    {
        OwnOptions options = Options(type);
        options = method is null ? options with { Sample = Write("""{ "Number": 1 }""") } : options with { Samples = Models + method };
        Assert.Contains(message, Assert.Throws<UsageException>(() => OwnChoice.Create(options)).Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_type_without_any_constructor_is_refused_by_each_formatter_or_said_to_change()
    {
        OwnChoice choice = OwnChoice.Create(Options("SealedIn") with { Samples = Models + "OwnModels.MakeSealed" });
        Assert.NotEmpty(choice.Refused);
        Assert.All(choice.Candidates, static candidate => Assert.True(candidate.Changes.Count > 0 || candidate.Name == "legacy binary", candidate.Name));
    }

    [Fact]
    public void A_missing_dependency_is_named()
    {
        var missing = new PersistedAssemblyBuilder(new AssemblyName("Shop.Missing"), typeof(object).Assembly);
        Type parent = missing.DefineDynamicModule("Shop.Missing").DefineType("Shop.Parent", TypeAttributes.Public).CreateType();
        var shop = new PersistedAssemblyBuilder(new AssemblyName("Shop"), typeof(object).Assembly);
        shop.DefineDynamicModule("Shop").DefineType("Shop.Order", TypeAttributes.Public, parent).CreateType();
        string file = Path.Combine(_folder.FullName, "Shop.dll");
        shop.Save(file);
        var options = new OwnOptions { Assemblies = new UserAssemblies([new FileInfo(file)]), Type = "Shop.Order", Sample = Write("{}") };
        string message = Assert.Throws<UsageException>(() => OwnChoice.Create(options)).Message;
        Assert.Contains("Shop.Missing", message, StringComparison.Ordinal);
        Assert.Contains("dotnet publish", message, StringComparison.Ordinal);
    }

    [Fact]
    public void Contracts_that_the_assembly_generates_are_rows()
    {
        var options = new OwnOptions
        {
            Assemblies = new UserAssemblies([new FileInfo(typeof(OwnRun).Assembly.Location)]),
            Type = "Formatters.Bench.Rows.GeneratedAddress",
            Sample = Write("""{ "Firstname": "a", "Lastname": "b", "Company": "c", "City": "d", "Street": "e", "ZIPCode": "f", "Country": "g", "State": "h" }"""),
        };
        OwnChoice choice = OwnChoice.Create(options);
        foreach (string name in new[] { "generated", "versioned", "MessagePack", "CBOR", "compact", "protobuf" })
            Assert.Empty(Assert.Single(choice.Candidates, candidate => candidate.Name == name).Changes);
        Assert.Contains("[MessageContract(Formats = ContractFormats.Xml)]", choice.Refused.Single(static refusal => refusal.Formatter == "generated XML").Reason, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_verb_measures_recommends_and_writes_files_in_a_foreign_culture()
    {
        var german = (CultureInfo)CultureInfo.InvariantCulture.Clone();
        german.NumberFormat = new NumberFormatInfo { NumberDecimalSeparator = ",", NumberGroupSeparator = "." };
        CultureInfo.CurrentCulture = german;
        string json = Path.Combine(_folder.FullName, "own.json"), csv = Path.Combine(_folder.FullName, "own.csv");
        ToolResult result = await _tool.RunAsync(
            "own", "--assembly", AssemblyFile, "--type", Models + "Invoice", "--samples", Models + "OwnModels.MakeInvoices", "--quick",
            "--formatter", "JSON", "--formatter", "XML", "--formatter", Models + "OwnModels.Mine", "--json", json, "--csv", csv);
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("5 samples", result.Output, StringComparison.Ordinal);
        Assert.Contains("Recommended: ", result.Output, StringComparison.Ordinal);
        // A quick run ranks nothing.
        Assert.Contains("Faster or slower, which the rounds do not decide: ", result.Output, StringComparison.Ordinal);
        // The path of the assembly cannot be broken.
        Assert.All(result.OutputLines.TakeWhile(static line => line != "Measured"), static line => Assert.True(line.Length <= 80, line));
        using JsonDocument report = JsonDocument.Parse(await File.ReadAllBytesAsync(json));
        Assert.Equal("own", report.RootElement.GetProperty("verb").GetString());
        Assert.Equal("XML", Assert.Single(report.RootElement.GetProperty("refused").EnumerateArray()).GetProperty("formatter").GetString());
        Assert.Equal(8, report.RootElement.GetProperty("series").GetArrayLength());
        Assert.All(report.RootElement.GetProperty("rows").EnumerateArray(), static row => Assert.InRange(row.GetProperty("writeRounds").GetArrayLength(), 1, Findings.MinRounds - 1));
        string[] lines = await File.ReadAllLinesAsync(csv);
        Assert.Equal(4, lines.Length);
        Assert.StartsWith("type,formatter,body_bytes,write_ns,", lines[0], StringComparison.Ordinal);
        Assert.Equal(0, await _tool.CountAsync("memory:own"));
    }

    [Fact]
    public void The_fastest_that_changes_nothing_and_can_change_is_recommended()
    {
        OwnRow[] rows = [Row("lossy", 10, true, "drops Order.Note: a value became null"), Row("fixed", 50, false), Row("old", 60, true, isForNewBodies: false), Row("open", 100, true), Row("slow", 400, true)];
        OwnAdvice advice = OwnRun.Advise(rows)!;
        Assert.Equal("open", advice.Formatter);
        Assert.Contains(advice.Reasons, static reason => reason.StartsWith("fixed is 2.00x", StringComparison.Ordinal));
        Assert.Contains(advice.Reasons, static reason => reason.Contains("lossy drops Order.Note", StringComparison.Ordinal));
        Assert.Null(OwnRun.Advise([rows[0], rows[2]]));
    }

    [Theory]
    [InlineData("JSON", null, "JSON", "open", "fixed", "JSON", "lossy")]
    [InlineData("JSON", "drops Order.Note: gone", "open", "open", "fixed", "lossy", "JSON")]
    [InlineData("JSON r", null, "open", "open", "fixed", "JSON r", "lossy")]
    public void Ratios_are_to_json_or_to_the_fastest_and_what_loses_data_is_not_ranked(string name, string? change, string baseRow, params string[] order)
    {
        (OwnRow[] rows, string found) = OwnRun.Rank(
            [Row("lossy", 10, true, "drops Order.Note: gone"), Row(name, 900, true, change), Row("open", 100, true), Row("fixed", 200, false)]);
        Assert.Equal(baseRow, found);
        Assert.Equal(order, rows.Select(static row => row.Formatter));
        Assert.Equal(1, rows.Single(row => row.Formatter == baseRow).Ratio!.Value);
        Assert.All(rows, static row => Assert.NotNull(row.Ratio));
        var report = new OwnReport
        {
            Run = new RunRecorder("own", TimeProvider.System).Finish(false), Queue = new QueueInfo("memory:q", "in-memory", "express", "none"), Type = "T",
            SampleCount = 1, BatchCount = 1, Base = found, Rows = rows, Refused = [], Advice = null,
        };
        Assert.DoesNotContain(report.Series, static series => series.Name.Contains("lossy", StringComparison.Ordinal));
    }

    private static OwnRow Row(string name, double nanoseconds, bool canChange, string? change = null, bool isForNewBodies = true)
    {
        double[] rounds = [.. Enumerable.Repeat(nanoseconds, 7)];
        var none = Statistics.Of([1d]);
        var rates = new CompareRow(name, 100, none, none, null, null, nanoseconds, nanoseconds, [1], [1]);
        return new OwnRow(name, "", change is null ? [] : [change], canChange, isForNewBodies, rates, rounds, rounds, null);
    }

    [Fact]
    public async Task A_queue_that_is_not_empty_is_refused()
    {
        await using QueueClient queue = await _tool.Connector.OpenAsync("memory:full", QueueOptions.Fastest);
        await queue.SendAsync(new QueueMessage(new MessageBody("mine"u8.ToArray())));
        ToolResult result = await _tool.RunAsync("own", "--assembly", AssemblyFile, "--type", Models + "Invoice", "--samples", Invoices, "--queue", "memory:full");
        Assert.Equal(2, result.ExitCode);
        Assert.Contains("--purge", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await _tool.CountAsync("memory:full"));
    }

    [Fact]
    public async Task An_interrupted_run_leaves_its_queue_empty()
    {
        using var source = new CancellationTokenSource(TimeSpan.FromSeconds(3));
        ToolResult result = await _tool.RunAsync(source.Token, "own", "--assembly", AssemblyFile, "--type", Models + "Invoice", "--samples", Invoices, "--queue", "memory:cut");
        Assert.Equal(130, result.ExitCode);
        Assert.Equal(0, await _tool.CountAsync("memory:cut"));
    }

    [Theory]
    [InlineData("--formatter", "absent", "There is no formatter 'absent'")]
    [InlineData("--sample", "absent.json", "either --sample FILE or --samples")]
    [InlineData("--formatter", Models + "OwnModels.Losing", "not a MessageFormatter<Invoice>")]
    [InlineData("--formatter", "ActiveX", "No formatter supports")]
    public async Task Usage_errors_say_what_is_wrong(string option, string value, string message)
    {
        ToolResult result = await _tool.RunAsync("own", "--assembly", AssemblyFile, "--type", Models + "Invoice", "--samples", Invoices, option, value);
        Assert.Equal(2, result.ExitCode);
        Assert.Contains(message, result.Error, StringComparison.Ordinal);
        Assert.Single(result.ErrorLines, static line => line.StartsWith("formatters-bench: ", StringComparison.Ordinal));
    }

    private static OwnOptions Options(string type) => new() { Assemblies = new UserAssemblies([new FileInfo(AssemblyFile)]), Type = Models + type };

    private OwnChoice Choose(string type, string json) => OwnChoice.Create(Options(type) with { Sample = Write(json) });

    private FileInfo Write(string json)
    {
        string file = Path.Combine(_folder.FullName, "sample.json");
        File.WriteAllText(file, json);
        return new FileInfo(file);
    }
}
