namespace Formatters.TradeEngine.Measurement;

/// <summary>The figures that the study gives in numbers: <em>Benchmarking a Transaction Engine Design</em> (2005).</summary>
internal static class EngineStudy
{
    /// <summary>In-bound messages a second on eight nodes and four database servers.</summary>
    internal const double MessagesPerSecond = 7734;

    internal const double MessagesPerHour = 27_842_400;

    internal const double MessagesPerDay = 222_739_200;

    /// <summary>When seven million messages were stored.</summary>
    internal const double MessagesPerSecondAtSevenMillion = 5500;

    /// <summary>Of one of two nodes, in the sample of table 6.</summary>
    internal const double SampleThroughput = 1162;

    /// <summary>From in-bound message to CLS, in the sample of table 6, in seconds.</summary>
    internal const double SampleLatency = 14.97;

    /// <summary>The messages of the sample of table 6.</summary>
    internal const double SampleMessages = 398_573;

    /// <summary>The utilization of the machine in the sample of table 6.</summary>
    internal const double SampleUtilization = 0.93;

    /// <summary>The messages per second that a C++ driver signed and sent.</summary>
    internal const double NativeDriver = 8000;

    /// <summary>The same of a C# driver, on .NET Framework 1.1.</summary>
    internal const double ManagedDriver = 2000;

    /// <summary>The share of the components' time that went into taking fields out of XML.</summary>
    internal const double LeastExtractionShare = 0.30;

    /// <inheritdoc cref="LeastExtractionShare"/>
    internal const double MostExtractionShare = 0.35;
}
