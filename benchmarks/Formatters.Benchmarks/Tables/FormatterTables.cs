using Formatters.Bench.Compare;
using Formatters.Benchmarks.Generators;
using Formatters.Benchmarks.Models;
using Formatters.Benchmarks.Ratios;
using Formatters.Benchmarks.Startup;
using static Formatters.Benchmarks.Tables.TableSource;

namespace Formatters.Benchmarks.Tables;

/// <summary>The tables of formatters: docs/performance.md and the README.</summary>
internal static class FormatterTables
{
    private const string Performance = "docs/performance.md";

    private static readonly Library MessagePack = new("MessagePack-CSharp", "MessagePack");
    private static readonly Library Nerdbank = new("Nerdbank.MessagePack", "Nerdbank.MessagePack");
    private static readonly Library MemoryPackLibrary = new("MemoryPack", "MemoryPack.Core");
    private static readonly Library ProtobufNet = new("protobuf-net", "protobuf-net");
    private static readonly Library GoogleProtobuf = new("Google.Protobuf", "Google.Protobuf");
    private static readonly Library OrleansLibrary = new("Microsoft.Orleans.Serialization", "Orleans.Serialization");
    private static readonly Library SystemBinaryFormatter = new("System.Runtime.Serialization.Formatters", "System.Runtime.Serialization.Formatters");

    private static readonly Library[] OrderLibraries =
    [
        MessagePack, Nerdbank, MemoryPackLibrary, ProtobufNet, GoogleProtobuf, OrleansLibrary, new("System.Formats.Cbor", "System.Formats.Cbor"),
        new("Newtonsoft.Json", "Newtonsoft.Json"), SystemBinaryFormatter,
    ];

    internal static IReadOnlyList<TableSource> All { get; } = [Order(), ByModel(), Startup(), Generator(), Compared()];

    private static TableSource Order()
    {
        string[] header = ["row", "bytes", "write", "read", "read over an equal order", "allocated by a write", "by a read"];
        string[] labels = [.. RowCatalog.Formatters.Select(static row => LabelOf(row.Name))];
        return new("order", Performance, "ratios", [new(header, labels)], OrderLibraries, static async (measurements, cancellationToken) =>
        {
            RatioReport report = await measurements.RatiosAsync(
                new RatioOptions { LineItemCounts = [50], Rows = RowCatalog.Formatters }, cancellationToken);
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
            "models",
            [.. tables.Select(table => new MarkedTable([table.Name, .. columns], labels))],
            [MessagePack, Nerdbank, MemoryPackLibrary, ProtobufNet, OrleansLibrary, new("Hyperion", "Hyperion")],
            async (measurements, cancellationToken) =>
            {
                RatioReport report = await measurements.ModelsAsync(cancellationToken);
                RatioResult? Of(string row, string model, RowOperation operation) =>
                    report.Results.FirstOrDefault(result => result.Row == row && result.Payload == model && result.Operation == operation);
                return new Measured(
                    FactsOf(report),
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
        Library[] libraries = [MessagePack, Nerdbank, MemoryPackLibrary, GoogleProtobuf, ProtobufNet, OrleansLibrary, SystemBinaryFormatter];
        return new("compare", "README.md", "formatters-bench compare", [new(header, [.. rows.Select(static row => row.Label)])], libraries,
            async (measurements, cancellationToken) =>
        {
            CompareReport report = await measurements.CompareAsync(cancellationToken);
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

    private static string FactsOf(RatioReport report) =>
        string.Create(CultureInfo.InvariantCulture, $"{Machine.Short}; {report.RoundCount} rounds of {report.SliceMilliseconds:0.#} ms");

    private static string FactsOf(CompareReport report, double noise)
    {
        (string processor, int cores, _, string system, string runtime, string collector) = report.Run.Machine;
        return $"{processor}, {cores} logical processors, {system}, {runtime}, GC {collector}; "
            + $"{report.Queue.Product}, {report.Queue.DeliveryMode}; "
            + $"{report.Orders[0].Send.Count} interleaved rounds, medians, noise up to {noise.ToString("P0", CultureInfo.InvariantCulture)}";
    }

    private static TableSource Startup()
    {
        string[] header = ["row", "first write, ms", "ratio", "first read, ms", "ratio"];
        return new("startup", Performance, "startup", [new(header, StartupCommand.DefaultRows)], [], static async (measurements, cancellationToken) =>
        {
            StartupReport report = await measurements.StartupAsync(cancellationToken);
            return new Measured($"{Machine.Short}; {report.RunCount} processes for each row, medians", label =>
            {
                StartupRow row = report.Rows.First(row => row.Name == label);
                return [Decimals(row.Write, "0.0"), Decimals(row.WriteRatio, "0.00"), Decimals(row.Read, "0.0"), Decimals(row.ReadRatio, "0.00")];
            });
        });
    }

    private static TableSource Generator()
    {
        string[] header = ["ms", "first run in a process", "new files", .. GeneratorProject.Edits.Select(static edit => "edit of " + edit)];
        string[] labels = [.. GeneratorCase.All.Select(static item => item.Name)];
        return new("generator", Performance, "generator", [new(header, labels)], [MemoryPackLibrary],
            static async (measurements, cancellationToken) =>
        {
            GeneratorReport report = await measurements.GeneratorAsync(cancellationToken);
            string rounds = $"{report.ContractCount} contracts, {report.ProcessCount} processes, {report.RoundCount} rounds, medians";
            return new Measured($"{Machine.Short}; {rounds}", label =>
            {
                GeneratorRow row = report.Rows.First(row => row.Name == label);
                IEnumerable<double> edits = row.Edits.Select(static times => Statistics.Of([.. times]).Median);
                return [Count((long)row.First.First.TotalMilliseconds), Count((long)row.First.Again.TotalMilliseconds),
                    .. edits.Select(static time => Decimals(time, time < 9.95 ? "0.0" : "N0"))];
            });
        });
    }

    private static RatioResult? Find(RatioReport report, string label, string payload, RowOperation operation) =>
        report.Results.FirstOrDefault(result => result.Row == label.Trim('*') && result.Payload == payload && result.Operation == operation);

    private static string Ratio(RatioResult? result) =>
        result is null
            ? ""
            : result.Ratio.ToString(result.Ratio < 0.9995 ? "0.000" : result.Ratio < 9.995 ? "0.00" : "0", CultureInfo.InvariantCulture);

    private static string Times(double ratio) => (ratio < 0.995 ? ratio.ToString("0.00", CultureInfo.InvariantCulture)
        : ratio.ToString(ratio < 9.95 ? "0.0" : "0", CultureInfo.InvariantCulture)) + "x";
}
