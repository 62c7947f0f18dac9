namespace Formatters.Benchmarks.Ratios;

/// <summary>Prints a run, for machines and for people.</summary>
internal static class RatioTable
{
    /// <summary>The name of an operation in both forms.</summary>
    public static string GetName(RowOperation operation) => operation switch
    {
        RowOperation.Write => "write",
        RowOperation.Read => "read",
        _ => "overwrite",
    };

    /// <summary>Prints tab-separated values: a header line, then a line per result.</summary>
    public static void WriteTsv(TextWriter output, RatioReport report)
    {
        output.WriteLine("row\tpayload\toperation\tratio\tbytes\tallocated bytes");
        foreach (RatioResult result in report.Results)
        {
            output.WriteLine(string.Join(
                '\t',
                result.Row,
                result.Payload,
                GetName(result.Operation),
                FormatRatio(result.Ratio),
                result.ByteCount.ToString(CultureInfo.InvariantCulture),
                result.AllocatedByteCount.ToString(CultureInfo.InvariantCulture)));
        }
    }

    /// <summary>Prints a table per payload, under 100 columns wide.</summary>
    public static void WriteText(TextWriter output, RatioReport report)
    {
        foreach (IGrouping<string, RatioResult> payload in report.Results.GroupBy(static result => result.Payload))
        {
            output.WriteLine();
            output.WriteLine($"{payload.Key,-34}{"bytes",7} {"write",17} {"read",17} {"overwrite",17} {"allocated bytes",16}");
            output.WriteLine($"{"",-34}{"",7} {"ns",10} {"ratio",6} {"ns",10} {"ratio",6} {"ns",10} {"ratio",6} {"write",8}{"read",8}");
            foreach (IGrouping<string, RatioResult> row in payload.GroupBy(static result => result.Row))
                WriteRow(output, row.Key, row.ToDictionary(static result => result.Operation));
        }

        output.WriteLine();
        double[] spreads = report.Results.Where(result => result.Row != report.Baseline).Select(static result => result.RatioSpread).ToArray();
        output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"ratio: median over {report.RoundCount} rounds of {report.SliceMilliseconds:0.#} ms of the time by that of "
                + $"{report.Baseline} in the same round; lower is better."));
        if (spreads.Length > 0)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"noise: the middle half of a row's rounds lies within {Statistics.Of(spreads).Median:P1} of its ratio (median of all rows)."));
        }
    }

    private static void WriteRow(TextWriter output, string name, Dictionary<RowOperation, RatioResult> results)
    {
        output.Write($"{name,-34}{Number(results[RowOperation.Read].ByteCount),7}");
        foreach (RowOperation operation in Enum.GetValues<RowOperation>())
        {
            if (results.TryGetValue(operation, out RatioResult? result))
                output.Write($" {Number(result.Nanoseconds),10} {FormatRatio(result.Ratio),6}");
            else
                output.Write($" {"-",10} {"-",6}");
        }

        string written = results.TryGetValue(RowOperation.Write, out RatioResult? write) ? Number(write.AllocatedByteCount) : "-";
        output.WriteLine($" {written,8}{Number(results[RowOperation.Read].AllocatedByteCount),8}");
    }

    private static string Number(double value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>Three digits that count.</summary>
    private static string FormatRatio(double ratio) => ratio.ToString(
        ratio switch
        {
            < 0.995 => "0.000",
            < 9.995 => "0.00",
            _ => "0.0",
        },
        CultureInfo.InvariantCulture);
}
