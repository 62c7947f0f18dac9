namespace Formatters.Bench.Compare;

/// <summary>The figures of the study: <i>System.Messaging Performance</i> (2004), Appendix A, express messages, local queue, messages per
/// second.</summary>
/// <remarks>Measured on a 2.8 GHz Pentium 4 under Windows Server 2003 with MSMQ 3.0, Orders with 50 line items, .NET Framework 1.1.</remarks>
internal static class Study
{
    /// <summary>".NET Optimized": Save and Load over BinaryWriter and BinaryReader, sending.</summary>
    internal const double HandCodedSend = 13_305;

    /// <summary>The same, receiving.</summary>
    internal const double HandCodedReceive = 10_441;

    /// <summary>".NET Binary": BinaryMessageFormatter, sending.</summary>
    internal const double BinarySend = 1_718;

    /// <summary>The same, receiving.</summary>
    internal const double BinaryReceive = 1_870;

    /// <summary>".NET XML": XmlMessageFormatter, sending.</summary>
    internal const double XmlSend = 1_344;

    /// <summary>The same, receiving.</summary>
    internal const double XmlReceive = 791;

    /// <summary>Complete processing by two machines, binary over XML: "77% more messages per second".</summary>
    internal const double BinaryOverXmlComplete = 1.77;
}
