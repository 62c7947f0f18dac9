namespace Formatters.TradeEngine.Measurement;

/// <summary>Prints what <c>extraction</c> found.</summary>
internal static class ExtractionText
{
    private const string Usual = "generated XML";

    internal static void Print(TextWriter output, ExtractionReport report)
    {
        output.WriteLine("Where the time goes: the fields of messages, as in 'Benchmarking a Transaction Engine Design' (2005)");
        output.WriteLine();
        RunText.PrintRun(output, report.Run);
        output.WriteLine();
        ExtractionEngine xml = report.Engines[0];
        double whole = Median(xml.ProcessorMicroseconds);
        double engine = whole - Median(xml.DriverMicroseconds);
        double usual = Median(report.Ways.Single(way => way.Name == Usual).Microseconds);
        output.WriteLine("Ways to the fields that a component needs (us of processor a message)");
        var ways = new TextTable(("way", -15), ("bytes", 6), ("us/msg", 7), ("to the first", 12), (RatioText.IntervalHeader, 8), ("allocated", 9),
            ("share", 6), ("engine", 7));
        foreach (ExtractionWay way in report.Ways)
        {
            double own = Median(way.Microseconds);
            RateRatio? ratio = RateRatio.Paired(way.Microseconds, report.Ways[0].Microseconds);
            ways.Add(
                way.Name,
                way.AverageBodyByteCount.ToString("N0", CultureInfo.InvariantCulture),
                own.ToString("N2", CultureInfo.InvariantCulture),
                RatioText.Value(ratio),
                RatioText.Interval(ratio),
                way.AllocatedBytes.ToString("N0", CultureInfo.InvariantCulture),
                Numbers.Percent(own / (engine - usual + own)),
                (engine - usual + own).ToString("N1", CultureInfo.InvariantCulture));
        }

        ways.Print(output);
        TextWrap.Print(output, "  ", string.Create(CultureInfo.InvariantCulture,
            $"us/msg: the median of the rounds; to the first: how many times as long as the first way, within a round, with its interval; engine: "
                + $"what a message would take in the engine without its driver, with that way in place of {Usual}; "
                + $"share: us/msg of that. The study: 30 to 35 % of its components' time."));
        output.WriteLine();
        output.WriteLine("The whole engine by format, over queues in memory and the embedded store (medians of the rounds)");
        var formats = new TextTable(("format", -12), ("us/msg", 7), ("driver", 7), ("engine", 7), ("gain", 7), ("msg/s", 8));
        foreach (ExtractionEngine format in report.Engines)
        {
            double processor = Median(format.ProcessorMicroseconds);
            double driver = Median(format.DriverMicroseconds);
            formats.Add(
                format.Format,
                processor.ToString("N1", CultureInfo.InvariantCulture),
                driver.ToString("N1", CultureInfo.InvariantCulture),
                (processor - driver).ToString("N1", CultureInfo.InvariantCulture),
                EngineText.Signed(1 - (processor / whole), 0),
                Numbers.Rate(Median(format.MessagesPerSecond)));
        }

        formats.Print(output);
        TextWrap.Print(output, "  ",
            "us/msg: processor time of a message in the whole process; driver: that of building, writing and signing it; engine: the rest; gain: how "
            + "much less us/msg is than with xml; msg/s: in-bound messages a second.");
    }

    private static double Median(IReadOnlyList<double> rounds) => Statistics.Of(rounds).Median;
}
