using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.CodeFixes.Tests;

public class UpdateSchemaTests
{
    private const string Source = """
        using Formatters;
        [MessageContract(Formats = ContractFormats.Binary)] public partial class Order { public long Id; }
        [MessageContract(Formats = ContractFormats.Binary)] public partial class Line { public int Id; }
        """;

    private const string Snapshot = """
        {
          "version": 1,
          "records": [
            {
              "name": "Order",
              "format": "binary",
              "members": [
                { "name": "Id", "type": "int32" }
              ]
            }
          ]
        }

        """;

    internal static IEnumerable<string> TestedIds => ["FMT201", "FMT202"];

    [Theory]
    [InlineData("FMT201", false)]
    [InlineData("FMT201", true)]
    [InlineData("FMT202", false)]
    [InlineData("FMT202", true)]
    public async Task Fix_WritesTheWholeFile(string id, bool isForAll)
    {
        using var harness = new FixHarness(Source);
        harness.AddAdditionalFile("formatters.schema.json", Snapshot);
        Assert.Equal(["FMT201", "FMT202"], (await harness.DiagnosticsAsync()).Select(d => d.Id));
        await (isForAll ? harness.FixAllAsync(id) : harness.FixFirstAsync(id));
        Assert.Empty(await harness.DiagnosticsAsync());
        string text = (await harness.Project.AdditionalDocuments.Single().GetTextAsync()).ToString();
        Assert.Contains("""{ "name": "Id", "type": "int64" }""", text, StringComparison.Ordinal);
        Assert.Contains("\"name\": \"Line\"", text, StringComparison.Ordinal);
        Assert.Equal(Source, harness.Text(0));
    }
}
