using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Formatters.Bench.Compare;
using Formatters.Bench.Factors;
using Formatters.Bench.Limits;
using Formatters.Bench.Matrix;
using Formatters.Bench.Measurement;
using Formatters.Bench.Own;
using Formatters.Bench.Perftest;
using Formatters.Bench.Reports;
using Formatters.Bench.Senders;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Throughput;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Reports;

/// <summary>The columns that the tool's README lists are those that are written.</summary>
public class CsvColumnsTests
{
    private static readonly RunInfo Run = new("tool", "", Tool.Now, 1, new MachineInfo("one", 2, 1, "system", "runtime", "gc"));
    private static readonly QueueInfo Queue = new("memory:q", "memory", "express", "");
    private static readonly ThroughputSummary Summary = new(0, 0, 0, 0, 0, null, null, null, null, null, 0, 0, null);

    private static readonly Dictionary<string, Action<TextWriter>> Writers = new()
    {
        ["compare"] = static output => CompareCsv.Write(output, new CompareReport { Run = Run, Queue = Queue, LineItems = 1, BatchCount = 1, Orders = [], Int32s = [], Findings = [] }),
        ["perftest"] = static output => PerftestCsv.Write(output, new PerftestReport { Run = Run, Operation = PerftestOperation.SendAndPurge, QueueCount = 1, Sections = [] }),
        ["own"] = static output => OwnCsv.Write(
            output, new OwnReport { Base = "JSON", Run = Run, Queue = Queue, Type = "T", SampleCount = 1, BatchCount = 1, Rows = [], Refused = [], Advice = null }),
        ["senders"] = static output => SendersCsv.Write(output, new SendersReport(Run, [], 1)),
        ["factors"] = static output => FactorsCsv.Write(output, new FactorsReport(Run, Queue, 1, [], [])),
        ["limits"] = static output => LimitsCsv.Write(output, new LimitsReport(Run, [], 1)),
        ["matrix"] = static output => MatrixCsv.Write(output, new MatrixReport(Run, 1, [])),
        ["throughput"] = static output => ThroughputCsv.Write(
            output, new ThroughputReport { Run = Run, Queue = Queue, Load = "", ByteCount = 1, Sends = [], Receives = [], Summary = Summary }),
        ["throughput --ramp"] = static output => ThroughputRamp.WriteCsv(output, new RampReport(Run, Queue, [], [])),
        ["throughput --type"] = static output => ThroughputFormatters.WriteCsv(output, new FormattersReport(Run, Queue, "T", [], [])),
    };

    public static TheoryData<string> Verbs() => [.. Writers.Keys];

    [Theory]
    [MemberData(nameof(Verbs))]
    public void The_columns_of_a_verb_are_the_documented_ones(string verb)
    {
        var output = new StringWriter();

        Writers[verb](output);

        string[] documented = Documented()[verb];
        Assert.Equal(documented, output.ToString().Split("\r\n")[0].Split(','));
    }

    [Fact]
    public void Every_documented_verb_is_written() => Assert.Equal(Writers.Keys.Order(), Documented().Keys.Order());

    private static Dictionary<string, string[]> Documented()
    {
        string page = File.ReadAllText(Path.Combine(RepositoryFolder.Path, "src", "Formatters.Bench", "README.md"));
        return Regex.Matches(page, @"^- `([a-z -]+)`: `([a-z0-9_,\s]+)`", RegexOptions.Multiline)
            .ToDictionary(static match => match.Groups[1].Value, static match => match.Groups[2].Value.Split(',').Select(static column => column.Trim()).ToArray());
    }
}
