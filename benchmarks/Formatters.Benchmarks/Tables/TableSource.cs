using System.Text.RegularExpressions;
using Formatters.Bench.Compare;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;

namespace Formatters.Benchmarks.Tables;

/// <summary>Runs what the tables are made of. Tests give figures of their own.</summary>
internal interface IMeasurements
{
    /// <summary>The day, yyyy-MM-dd.</summary>
    string Date { get; }

    RatioReport Ratios(RatioOptions options);

    RatioReport Models();

    /// <summary><c>formatters-bench compare</c>, over the in-memory queue.</summary>
    CompareReport Compare();
}

/// <param name="Facts">By what and where: the command, processor, runtime, garbage collector, rounds.</param>
/// <param name="Cells">For each table of the part the cells of a row, the label not among them.</param>
internal sealed record Measured(string Facts, params IReadOnlyList<Func<string, IReadOnlyList<string>>> Cells);

/// <summary>A marked part of a page: one or several tables from one measurement, and a line that says where and when.</summary>
/// <param name="Name">As the mark has it.</param>
/// <param name="Page">The file, from the root of the repository.</param>
/// <param name="Tables">The tables, in their order.</param>
internal sealed partial record TableSource(string Name, string Page, IReadOnlyList<MarkedTable> Tables, Func<IMeasurements, Measured> Measure)
{
    private const string Performance = "docs/performance.md";

    /// <summary>All parts.</summary>
    public static IReadOnlyList<TableSource> All { get; } = [Order(), ByModel(), Compared()];

    /// <summary>Measures, and prints the lines of the part.</summary>
    public IReadOnlyList<string> Write(IMeasurements measurements)
    {
        Measured measured = Measure(measurements);
        var lines = new List<string>();
        for (int i = 0; i < Tables.Count; i++)
        {
            lines.AddRange(Tables[i].Print(measured.Cells[i]));
            lines.Add("");
        }

        return [.. lines, .. Wrap($"Measured {measurements.Date} by {measured.Facts}.")];
    }

    /// <summary>Compares the lines of the part with what <see cref="Write"/> writes, whatever the figures are.</summary>
    /// <exception cref="TableException">Something else is there.</exception>
    public void Check(IReadOnlyList<string> lines)
    {
        List<List<string>> tables = Blocks(lines);
        if (tables.Count != Tables.Count + 1)
            throw new TableException($"it has {tables.Count} blocks, and the command writes {Tables.Count} "
                + $"tables and a line that says where and when");
        for (int i = 0; i < Tables.Count; i++)
            Tables[i].Check(tables[i]);
        string facts = string.Join(' ', tables[^1]);
        if (!Facts().IsMatch(facts))
            throw new TableException($"its last line is '{facts}', and the command writes 'Measured yyyy-MM-dd by `command`: machine.'");
    }

    private static List<List<string>> Blocks(IReadOnlyList<string> lines)
    {
        var blocks = new List<List<string>> { new() };
        foreach (string line in lines)
        {
            if (line.Length > 0)
                blocks[^1].Add(line);
            else if (blocks[^1].Count > 0)
                blocks.Add([]);
        }

        if (blocks[^1].Count == 0)
            blocks.RemoveAt(blocks.Count - 1);
        return blocks;
    }

    private static TableSource Order()
    {
        string[] header = ["row", "bytes", "write", "read", "read over an equal order", "allocated by a write", "by a read"];
        string[] labels = [.. RowCatalog.Formatters.Select(static row => LabelOf(row.Name))];
        return new("order", Performance, [new(header, labels)], static measurements =>
        {
            RatioReport report = measurements.Ratios(new RatioOptions { LineItemCounts = [50], Rows = RowCatalog.Formatters });
            return new Measured(FactsOf(report), label =>
            {
                RatioResult write = Find(report, label, "order-50", RowOperation.Write)!;
                RatioResult read = Find(report, label, "order-50", RowOperation.Read)!;
                RatioResult? overwrite = Find(report, label, "order-50", RowOperation.Overwrite);
                return [Count(write.ByteCount), Ratio(write), Ratio(read), Ratio(overwrite), Count(write.AllocatedByteCount),
                    Count(read.AllocatedByteCount)];
            });
        });
    }

    private static TableSource ByModel()
    {
        // The baseline's column would be ones.
        string[] columns = [.. Model.Rows.Where(static row => row != Model.Baseline)];
        string[] labels = [.. Model.All.Select(static model => model.Name)];
        (string Name, RowOperation Operation)[] tables = [("write", RowOperation.Write), ("read", RowOperation.Read)];
        return new(
            "models",
            Performance,
            [.. tables.Select(table => new MarkedTable([table.Name, .. columns], labels))],
            measurements =>
            {
                RatioReport report = measurements.Models();
                RatioResult? Of(string row, string model, RowOperation operation) =>
                    report.Results.FirstOrDefault(result => result.Row == row && result.Payload == model && result.Operation == operation);
                return new Measured(
                    FactsOf(report, "models"),
                    [.. tables.Select(table =>
                        (Func<string, IReadOnlyList<string>>)(model => [.. columns.Select(row => Ratio(Of(row, model, table.Operation)))]))]);
            });
    }

    private static TableSource Compared()
    {
        const string Base = "MessagePack-CSharp";
        (string Label, string Row)[] rows =
        [
            ("**binary**, generated", "generated"),
            ("**MessagePack**, generated", "MessagePack"),
            ("**versioned**: members may come and go", "versioned"),
            ("**CBOR**, generated: RFC 8949", "CBOR"),
            ("**protobuf**, generated", "protobuf"),
            ("**compact**, generated: the fewest bytes", "compact"),
            ("**hand-coded**: `Save` and `Load` over our writer", "hand-coded"),
            ("**reflection**: the bytes of generated, no code", "reflection"),
            ("MemoryPack, UTF-8 (its default)", "MemoryPack"),
            ("MemoryPack, UTF-16", "MemoryPack UTF-16"),
            ("MessagePack-CSharp", Base),
            ("Nerdbank.MessagePack", "Nerdbank"),
            ("Google.Protobuf", "Google.Protobuf"),
            ("protobuf-net", "protobuf-net"),
            ("Microsoft.Orleans.Serialization", "Orleans"),
            ("System.Text.Json, source-generated", "System.Text.Json"),
            ("`BinaryFormatter`", "BinaryFormatter"),
        ];
        string[] header = ["formatter", "bytes", "send", "receive"];
        return new("compare", "README.md", [new(header, [.. rows.Select(static row => row.Label)])], measurements =>
        {
            CompareReport report = measurements.Compare();
            CompareRow peer = report.Orders.First(static row => row.Formatter == Base);
            var ratios = rows.Select(row => report.Orders.First(other => other.Formatter == row.Row)).ToDictionary(
                static row => row.Formatter,
                row =>
                    (row.BodyBytes, Send: RateRatio.Paired(row.SendRounds, peer.SendRounds)!,
                        Receive: RateRatio.Paired(row.ReceiveRounds, peer.ReceiveRounds)!));
            return new Measured(FactsOf(report, ratios.Values.SelectMany(static row => new[] { row.Send.Noise, row.Receive.Noise }).Max()), label =>
            {
                string name = rows.First(row => row.Label == label).Row;
                (int byteCount, RateRatio send, RateRatio receive) = ratios[name];
                return [Count(byteCount), name == Base ? "1" : Times(send.Value), name == Base ? "1" : Times(receive.Value)];
            });
        });
    }

    /// <summary>Formatters of this library that take a contract's members one by one are printed bold.</summary>
    private static string LabelOf(string row) =>
        row is "hand-coded" || row.StartsWith("generated ", StringComparison.Ordinal) || row.StartsWith("reflection", StringComparison.Ordinal)
            ? $"**{row}**"
            : row;

    private static string FactsOf(RatioReport report, string verb = "ratios") =>
        string.Create(CultureInfo.InvariantCulture, $"`{verb}`: {Machine.Short}; {report.RoundCount} rounds of {report.SliceMilliseconds:0.#} ms");

    private static string FactsOf(CompareReport report, double noise)
    {
        (string processor, int cores, _, string system, string runtime, string collector) = report.Run.Machine;
        return $"`formatters-bench compare`: {processor}, {cores} logical processors, {system}, {runtime}, GC {collector}; "
            + $"{report.Queue.Product}, {report.Queue.DeliveryMode}; "
            + $"{report.Orders[0].Send.Count} interleaved rounds, medians, noise up to {noise.ToString("P0", CultureInfo.InvariantCulture)}";
    }

    /// <summary>Breaks a line between words.</summary>
    private static IEnumerable<string> Wrap(string text)
    {
        const int MaxCharCount = 156;
        string line = "";
        foreach (string word in text.Split(' '))
        {
            if (line.Length > 0 && line.Length + 1 + word.Length > MaxCharCount)
            {
                yield return line;
                line = "";
            }

            line += line.Length == 0 ? word : " " + word;
        }

        yield return line;
    }

    private static RatioResult? Find(RatioReport report, string label, string payload, RowOperation operation) =>
        report.Results.FirstOrDefault(result => result.Row == label.Trim('*') && result.Payload == payload && result.Operation == operation);

    private static string Count(long count) => count.ToString("N0", CultureInfo.InvariantCulture);

    private static string Ratio(RatioResult? result) =>
        result is null
            ? ""
            : result.Ratio.ToString(result.Ratio < 0.9995 ? "0.000" : result.Ratio < 9.995 ? "0.00" : "0", CultureInfo.InvariantCulture);

    private static string Times(double ratio) => (ratio < 0.995 ? ratio.ToString("0.00", CultureInfo.InvariantCulture)
        : ratio.ToString(ratio < 9.95 ? "0.0" : "0", CultureInfo.InvariantCulture)) + "x";

    [GeneratedRegex(@"^Measured \d{4}-\d\d-\d\d by `[\w -]+`: .+\.$")]
    private static partial Regex Facts();
}
