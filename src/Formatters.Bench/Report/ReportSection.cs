using System.Text.Json;
using Formatters.Bench.Compare;
using Formatters.Bench.Diff;

namespace Formatters.Bench.Report;

/// <param name="FileName">Its name, without folders.</param>
/// <param name="Part">What is in it beside its series.</param>
internal sealed record ReportSection(string FileName, ResultFile File, ReportPart Part, IReadOnlyList<Chart> Charts)
{
    internal string Heading => File.Verb switch
    {
        "compare" => "compare: formatters, after System.Messaging Performance (2004)",
        "perftest" => "perftest: payloads, after MsmqPerfTest (2004)",
        "senders" => "senders: after Optimizing Performance in an MSMQ Environment (1998)",
        "factors" => "factors: what reliability costs, after Message Queue C API (2002)",
        "limits" => "limits: queues without formatters",
        "matrix" => "matrix: every formatter over every queue",
        "own" => "own: a type of your own",
        "throughput" => "throughput: after ThroughputTest of Azure Service Bus",
        "throughput --ramp" => "throughput: what more in flight, larger batches and prefetch gain",
        "throughput --type" => "throughput: a type of your own",
        "engine" => "engine: a transaction engine",
        ResultFile.BenchmarkDotNet => "BenchmarkDotNet: benchmarks in processes of their own",
        _ => File.Verb!,
    };

    /// <summary>The heading, and what tells it from others of the same verb.</summary>
    internal string Title => Part.Product is { } product ? $"{Heading} ({product})" : Heading;

    /// <summary>The findings of a study that it holds, by queue.</summary>
    internal IReadOnlyList<(string Queue, IReadOnlyList<Finding> Findings)> Findings => Part.AllFindings();

    /// <summary>Reads a result file and makes its charts.</summary>
    /// <exception cref="UsageException">It cannot be read, or is no such file.</exception>
    internal static ReportSection Read(string path)
    {
        ResultFile file = ResultFile.Read(path);
        ReportPart part;
        try
        {
            using FileStream stream = System.IO.File.OpenRead(path);
            part = file.Verb == ResultFile.BenchmarkDotNet ? new ReportPart() : JsonSerializer.Deserialize(stream, ReportJson.Default.ReportPart)!;
        }
        catch (JsonException e)
        {
            throw new UsageException($"'{path}' cannot be drawn: it is of another build of {ToolInfo.Name}: {e.Message}");
        }

        return new ReportSection(Path.GetFileName(path), file, part,
            [.. ChartBuilder.Build(file, part), .. (part.Figures ?? []).Where(HasPoints).Select(Chart.Of)]);

        static bool HasPoints(Figure figure) => figure.Categories.Count > 0 && figure.Lines.Any(line => line.Values.Any(value => value is not null));
    }

    /// <summary>Everything that was measured in several files, as one result that <c>diff</c> compares with a later one.</summary>
    /// <remarks>The names begin with the verb, and with the file's name where two files would have the same ones.</remarks>
    internal static ResultFile Combine(IReadOnlyList<ReportSection> sections)
    {
        var names = new HashSet<string>(StringComparer.Ordinal);
        var all = new List<Series>();
        foreach (ReportSection section in sections)
        {
            string prefix = section.File.Verb + "/";
            if (section.File.Series!.Any(series => names.Contains(prefix + series.Name)))
                prefix = Path.GetFileNameWithoutExtension(section.FileName) + "/";
            foreach (Series series in section.File.Series!)
            {
                if (!names.Add(prefix + series.Name))
                    throw new UsageException($"'{section.FileName}' repeats the figures of another file, under "
                        + $"the same names: name each file only once.");
                all.Add(series with { Name = prefix + series.Name, Reference = series.Reference is null ? null : prefix + series.Reference });
            }
        }

        return new ResultFile("report", sections[0].File.Run, all);
    }
}
