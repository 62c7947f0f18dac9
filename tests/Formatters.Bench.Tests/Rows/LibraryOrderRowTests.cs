using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading.Tasks;
using Formatters.Bench.Own;
using Formatters.Bench.Peers;
using Formatters.Bench.Rows;
using Formatters.Bench.Tests.Own;
using Formatters.Bench.Tests.Support;
using Formatters.Orders;
using Xunit;

namespace Formatters.Bench.Tests.Rows;

/// <summary>Formatters in assemblies of the user, over the study's order: rows of every verb where their assemblies are named.</summary>
public sealed class LibraryOrderRowTests : IDisposable
{
    private static readonly string AssemblyFile = typeof(LibraryFormatter<>).Assembly.Location;

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("library-rows");
    private readonly Tool _tool = new() { Clock = TimeProvider.System };

    public void Dispose() => _folder.Delete(recursive: true);

    [Fact]
    public void Rows_WriteByTheLibrary_AndGiveTheOrderBack()
    {
        IReadOnlyList<OrderFormatterRow> rows = LibraryOrderRows.Create([new FileInfo(AssemblyFile)]);

        Assert.Equal(["Derived", "Library"], rows.Select(static row => row.Name).Order());
        OrderFormatterRow row = rows.Single(static row => row.Name == "Library");
        Assert.Contains("LibraryFormatter of Formatters.Bench.Tests", row.Description, StringComparison.Ordinal);
        Order order = SampleOrders.Create(3);
        byte[] body = row.Formatter.Write(order);
        Assert.Equal(new JsonFormatter<PeerOrder>().Write(PeerOrder.From(order)), body);
        Assert.True(row.Formatter.Read(body).ContentEquals(order));
        Assert.Equal("Library", OrderFormatterRows.Create([row])[^1].Name);
    }

    [Theory]
    [InlineData("compare --quick --formatter Library --formatter JSON")]
    [InlineData("matrix memory:q --seconds-per-case 0.2 --formatter Library --formatter JSON")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --rounds 2 --batch 5 --seconds-per-case 0.1 --payload Library")]
    [InlineData("perftest NOTX CLIENT memory:q memory:answers --rounds 2 --batch 5 --seconds-per-case 0.1 --payload Library")]
    [InlineData("throughput -C memory: -S q -n 200 --formatter Library")]
    public async Task EveryVerb_HasTheRow(string line)
    {
        string json = Path.Combine(_folder.FullName, "result.json");

        ToolResult result = await _tool.RunAsync([.. line.Split(' '), "--assembly", AssemblyFile, "--json", json]);

        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("Library", result.Output, StringComparison.Ordinal);
        using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
        Assert.NotEmpty(document.RootElement.GetProperty("series").EnumerateArray());
        Assert.Equal(0, await _tool.CountAsync("memory:q"));
    }

    [Theory]
    [InlineData("compare --quick", typeof(Order), "has no public class NameFormatter<T>")]
    [InlineData("matrix memory:q", typeof(Order), "has no public class NameFormatter<T>")]
    [InlineData("throughput -C memory: -S q", typeof(LibraryFormatter<>), "--assembly needs --formatter NAME")]
    [InlineData("compare --sample order.json", typeof(LibraryFormatter<>), "--type NAME")]
    public async Task WhatCannotBe_IsAMistake(string line, Type type, string message)
    {
        ToolResult result = await _tool.RunAsync([.. line.Split(' '), "--assembly", type.Assembly.Location]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(message, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void AFormatterThatDoesNotTakeTheOrder_IsRefused()
    {
        UsageException refused = Assert.Throws<UsageException>(() => LibraryOrderRows.CreateRow(new OwnFormatter<PeerOrder>("A", "A of B", null, true, static () => new ActiveXFormatter<PeerOrder>())));
        UsageException changed = Assert.Throws<UsageException>(() => LibraryOrderRows.CreateRow(new OwnFormatter<PeerOrder>("A", "A of B", null, true, static () => new Forgetful())));

        Assert.StartsWith("A of B does not support the study's order: ", refused.Message, StringComparison.Ordinal);
        Assert.Equal("A of B changes the study's order.", changed.Message);
    }

    [Fact]
    public async Task AFileThatIsNotThere_IsAMistake()
    {
        ToolResult result = await _tool.RunAsync("compare", "--quick", "--assembly", Path.Combine(_folder.FullName, "none.dll"));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("There is no assembly", result.Error, StringComparison.Ordinal);
    }

    /// <summary>Always reads the same order.</summary>
    private sealed class Forgetful() : MessageFormatter<PeerOrder>("application/x-forgetful", 0, FormatterLimits.Default)
    {
        public override void Write(IBufferWriter<byte> destination, PeerOrder value) => destination.Write("x"u8);

        public override PeerOrder Read(ReadOnlySpan<byte> body) => PeerOrder.From(SampleOrders.Create(4));
    }
}
