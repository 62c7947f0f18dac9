using System.CommandLine;
using System.CommandLine.Parsing;

namespace Formatters.Benchmarks.Ratios;

internal static class RatiosCommand
{
    private const int MaxLineItemCount = 100_000;
    private const int MaxTextLength = 100_000;
    private const int MaxOrderCount = 4096;
    private const int MaxSegmentByteCount = 1_000_000;

    /// <summary>Parses the arguments behind the verb and runs.</summary>
    /// <param name="args">Behind <c>ratios</c>.</param>
    /// <returns>0; 1 if a row fails its check; 2 if the arguments are wrong.</returns>
    public static int Run(string[] args, TextWriter output, TextWriter error) =>
        Verb.Run(Create(output, error), args, output, error);

    private static Command Create(TextWriter output, TextWriter error)
    {
        var items = new Option<int[]>("--items")
        {
            Description = "The numbers of line items of the orders, separated by commas. [default: 0,1,50,500]",
            HelpName = "N,N,...",
            CustomParser = static result => ParseNumbers(result, "--items", 0, MaxLineItemCount),
        };
        var lengths = new Option<int[]>("--lengths")
        {
            Description = "Adds payloads of 50 line items whose strings all have this many characters.",
            HelpName = "N,N,...",
            CustomParser = static result => ParseNumbers(result, "--lengths", 1, MaxTextLength),
        };
        var set = new Option<SampleText>("--set")
        {
            Description = "The characters of the strings. [default: ascii]",
            HelpName = "ascii|accented|cjk|mixed",
            CustomParser = ParseText,
        };
        Option<int> orders = NumberOption.Create(
            "--orders",
            "How many different orders are taken in turn, a power of two: one order over and over flatters the branch predictor.",
            1,
            static count => count is > 0 and <= MaxOrderCount && (count & (count - 1)) == 0,
            $"a power of two up to {MaxOrderCount}");
        Option<int> segments = NumberOption.Create(
            "--segments",
            "Read bodies in segments of this many bytes, as a pipe gives them. Only reading is measured, of the rows that read sequences.",
            0,
            static count => count is > 0 and <= MaxSegmentByteCount,
            $"a number of bytes up to {MaxSegmentByteCount}");
        var rows = RowOption.Create($"A row to measure; may be repeated. Default: all of {RowCatalog.Names}.");
        Option<double> seconds = NumberOption.Create(
            "--seconds",
            "About how long the whole run takes; with more time, the rounds are longer and there are more of them.",
            45d,
            static number => number is > 0 and <= 3600,
            "a number above 0, up to 3600");
        var tsv = new Option<bool>("--tsv") { Description = "Print tab-separated values: row, payload, operation, ratio, bytes, allocated bytes." };

        var ratios = new Command(
            "ratios",
            $"Measures every row in one process, in interleaved rounds, and prints its time divided by that of the row {RowCatalog.Baseline}: "
            + "the same Save and Load over System.IO.BinaryWriter and BinaryReader.")
        {
            items, lengths, set, orders, segments, rows, seconds, tsv,
        };
        ratios.SetAction(result => Run(
            new RatioOptions
            {
                LineItemCounts = result.GetValue(items) is { Length: > 0 } counts ? counts : RatioOptions.DefaultLineItemCounts,
                TextLengths = result.GetValue(lengths) ?? [],
                Text = result.GetValue(set),
                OrderCount = result.GetValue(orders),
                SegmentByteCount = result.GetValue(segments),
                Rows = RowCatalog.Select(result.GetValue(rows) ?? []),
                Duration = TimeSpan.FromSeconds(result.GetValue(seconds)),
            },
            result.GetValue(tsv),
            output,
            error));
        return ratios;
    }

    private static int Run(RatioOptions options, bool tsv, TextWriter output, TextWriter error)
    {
        TextWriter facts = tsv ? error : output;
        foreach (string line in Machine.Describe())
            facts.WriteLine(line);
        facts.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{options.OrderCount} order(s) in turn, strings {options.Text}, payloads "
                + $"{string.Join(", ", options.Payloads.Select(static payload => payload.Name))}"));
        try
        {
            RatioReport report = RatioRun.Run(options, error);
            if (tsv)
                RatioTable.WriteTsv(output, report);
            else
                RatioTable.WriteText(output, report);
            return 0;
        }
        catch (RowCheckException e)
        {
            error.WriteLine(e.Message);
            return 1;
        }
    }

    private static int[] ParseNumbers(ArgumentResult result, string option, int min, int max)
    {
        var numbers = new List<int>();
        foreach (string part in result.Tokens.SelectMany(static token => token.Value.Split(',')))
        {
            if (int.TryParse(part, NumberStyles.None, CultureInfo.InvariantCulture, out int number) && number >= min && number <= max)
                numbers.Add(number);
            else
                result.AddError($"{option} takes numbers from {min} to {max}, separated by commas, not '{part}'.");
        }

        return numbers.Distinct().ToArray();
    }

    private static SampleText ParseText(ArgumentResult result)
    {
        string name = result.Tokens[0].Value;
        if (Enum.TryParse(name, ignoreCase: true, out SampleText text) && !char.IsAsciiDigit(name[0]))
            return text;
        result.AddError($"--set takes ascii, accented, cjk or mixed, not '{name}'.");
        return default;
    }
}
