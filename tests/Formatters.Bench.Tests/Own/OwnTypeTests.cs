using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Own;
using Formatters.Bench.Tests.Support;
using Formatters.Tools.Migrate;
using Xunit;

namespace Formatters.Bench.Tests.Own;

/// <summary>A formatter of a library.</summary>
public class LibraryFormatter<T>() : MessageFormatter<T>("application/x-library", 0, FormatterLimits.Default)
{
    private readonly JsonFormatter<T> _inner = new();

    public override void Write(System.Buffers.IBufferWriter<byte> destination, T value) => _inner.Write(destination, value);

    public override T Read(ReadOnlySpan<byte> body) => _inner.Read(body);
}

/// <summary>A formatter that derives through another class.</summary>
public sealed class DerivedFormatter<T> : LibraryFormatter<T>;

/// <summary>A formatter of something else than its argument.</summary>
public sealed class SequenceFormatter<T>() : MessageFormatter<T[]>("application/x-sequence", 0, FormatterLimits.Default)
{
    public override void Write(System.Buffers.IBufferWriter<byte> destination, T[] value) => new JsonFormatter<T[]>().Write(destination, value);

    public override T[] Read(ReadOnlySpan<byte> body) => new JsonFormatter<T[]>().Read(body);
}

public sealed class OwnTypeTests : IDisposable
{
    private const string Dog = """{ "Name": "Rex", "Tricks": 3 }""";

    private static readonly string AssemblyFile = typeof(OwnTypeTests).Assembly.Location;

    private readonly Tool _tool = new() { Clock = TimeProvider.System };
    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("own-type");

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public async Task Compare_takes_a_type_of_the_users()
    {
        string json = Path.Combine(_folder.FullName, "compare.json"), csv = Path.Combine(_folder.FullName, "compare.csv");

        ToolResult result = await RunAsync("compare", "--quick", "--formatter", "JSON", "--formatter", "reflection", "--formatter", "generated", "--json", json, "--csv", csv);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("Formatters.Bench.Tests.Own.Dog over in-memory", result.Output, StringComparison.Ordinal);
        Assert.Contains("Ratios are to the row JSON", string.Join(' ', result.Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        Assert.Contains("no contract of this format", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("study", result.Output, StringComparison.Ordinal);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.Equal(
            ["Formatters.Bench.Tests.Own.Dog/JSON/send", "Formatters.Bench.Tests.Own.Dog/JSON/receive", "Formatters.Bench.Tests.Own.Dog/reflection/send", "Formatters.Bench.Tests.Own.Dog/reflection/receive"],
            document.RootElement.GetProperty("series").EnumerateArray().Select(static series => series.GetProperty("name").GetString()).Order(StringComparer.Ordinal).OrderBy(static name => name!.EndsWith("receive", StringComparison.Ordinal)).OrderBy(static name => name!.Contains("reflection", StringComparison.Ordinal)));
        Assert.Contains("Formatters.Bench.Tests.Own.Dog,JSON,", await File.ReadAllTextAsync(csv), StringComparison.Ordinal);
        Assert.Equal(0, (await _tool.RunAsync("report", json, "-o", Path.Combine(_folder.FullName, "r.html"))).ExitCode);
    }

    [Fact]
    public async Task Throughput_takes_one_by_every_formatter_in_turn()
    {
        string json = Path.Combine(_folder.FullName, "throughput.json"), csv = Path.Combine(_folder.FullName, "throughput.csv");

        ToolResult result = await RunAsync("throughput", "-C", "memory:", "-S", "own", "--seconds", "0.3", "--rate", "500", "--json", json, "--csv", csv);

        Assert.True(result.ExitCode == 0, result.Error);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        JsonElement[] rows = [.. document.RootElement.GetProperty("rows").EnumerateArray()];
        Assert.Contains(rows, static row => row.GetProperty("formatter").GetString() == "JSON");
        Assert.All(rows, static row => Assert.Equal(6, row.GetProperty("sendRounds").GetArrayLength()));
        Assert.All(rows, static row => Assert.True(row.GetProperty("endToEndP99").GetDouble() > 0));
        Assert.Contains(rows, static row => row.GetProperty("formatter").GetString() == "Library");
        Assert.Equal(rows.Length + 1, (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Equal(0, await _tool.CountAsync("memory:own"));
        Assert.Equal(0, (await _tool.RunAsync("report", json, "-o", Path.Combine(_folder.FullName, "r.html"))).ExitCode);
    }

    [Fact]
    public async Task Throughput_takes_one_by_one_formatter()
    {
        ToolResult result = await RunAsync("throughput", "-C", "memory:", "-S", "own", "-n", "500", "--formatter", "JSON");

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("samples of your own by JSON", result.Output, StringComparison.Ordinal);
        Assert.Contains("sent 500 messages", result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("compare --type Formatters.Bench.Tests.Own.Dog --quick", "--assembly FILE and --type NAME")]
    [InlineData("compare --items 5 ASSEMBLY", "--items applies only to the study's order")]
    [InlineData("throughput -C memory: -S q --payload order:5 --formatter JSON ASSEMBLY", "--payload applies only to the study's order")]
    [InlineData("throughput -C memory: -S q -r 0 ASSEMBLY", "needs senders and receivers")]
    public async Task Halves_and_contradictions_are_mistakes(string line, string message)
    {
        string[] arguments = line.Split(' ');
        ToolResult result = arguments[^1] == "ASSEMBLY" ? await RunAsync(arguments[..^1]) : await _tool.RunAsync(arguments);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(message, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Formatters_of_libraries_are_rows_by_their_names()
    {
        var options = new OwnOptions { Assemblies = new UserAssemblies([new FileInfo(AssemblyFile)]), Type = "Formatters.Bench.Tests.Own.Dog", Sample = Sample() };

        OwnChoice choice = OwnChoice.Create(options);

        OwnCandidate library = Assert.Single(choice.Candidates, static candidate => candidate.Name == "Library");
        Assert.Empty(library.Changes);
        Assert.Contains("LibraryFormatter of Formatters.Bench.Tests", library.Description, StringComparison.Ordinal);
        Assert.Single(OwnChoice.Create(options with { Formatters = ["library"] }).Candidates);
    }

    private Task<ToolResult> RunAsync(params string[] arguments) =>
        _tool.RunAsync([.. arguments, "--assembly", AssemblyFile, "--type", "Formatters.Bench.Tests.Own.Dog", "--sample", Sample().FullName]);

    private FileInfo Sample()
    {
        string path = Path.Combine(_folder.FullName, "dog.json");
        File.WriteAllText(path, Dog);
        return new FileInfo(path);
    }
}
