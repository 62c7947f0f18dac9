namespace Formatters.Bench.Rows;

/// <summary>One formatter over an Int32: the study's "COM-compatible type".</summary>
/// <param name="Name">The name in every table.</param>
/// <param name="Formatter">The formatter. One instance serves all threads.</param>
internal sealed record Int32FormatterRow(string Name, MessageFormatter<int> Formatter)
{
    internal const string ActiveX = "ActiveX";
    internal const string Binary = "binary";
    internal const string Xml = "XML";
    internal const string Legacy = OrderFormatterRows.Legacy;

    /// <summary>All rows. The formatters are made anew by each call.</summary>
    internal static IReadOnlyList<Int32FormatterRow> CreateAll() =>
    [
        new(ActiveX, new ActiveXFormatter<int>()),
        new(Binary, new BinaryInt32Formatter()),
        new(Xml, new XmlFormatter<int>()),
        new(Legacy, new SystemBinaryFormatter<int>([typeof(int)])),
    ];
}
