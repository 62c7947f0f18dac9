namespace Formatters.Bench.Compare;

/// <summary>Holds the study's findings against what was measured.</summary>
internal static partial class Findings
{
    /// <summary>Judges every finding that the rows can decide.</summary>
    internal static IReadOnlyList<Finding> Judge(IReadOnlyList<CompareRow> orders, IReadOnlyList<CompareRow> int32s)
    {
        CompareRow? handCoded = Find(orders, OrderFormatterRows.HandCoded);
        CompareRow? binary = Find(orders, OrderFormatterRows.Legacy);
        CompareRow? xml = Find(orders, OrderFormatterRows.Xml);
        CompareRow? activeX = Find(int32s, Int32FormatterRow.ActiveX);
        CompareRow?[] otherInt32s = [Find(int32s, Int32FormatterRow.Legacy), Find(int32s, Int32FormatterRow.Xml)];
        return
        [
            Compare("Hand-coded beats BinaryFormatter, sending", Send(handCoded), Send(binary), Study.HandCodedSend / Study.BinarySend),
            Compare("Hand-coded beats BinaryFormatter, receiving", Receive(handCoded), Receive(binary), Study.HandCodedReceive / Study.BinaryReceive),
            Compare("BinaryFormatter beats XML, sending", Send(binary), Send(xml), Study.BinarySend / Study.XmlSend),
            Compare("BinaryFormatter beats XML, receiving", Receive(binary), Receive(xml), Study.BinaryReceive / Study.XmlReceive),
            Compare("BinaryFormatter beats XML, end to end", Complete(binary), Complete(xml), Study.BinaryOverXmlComplete),
            Compare("ActiveX beats the other two, sending", Send(activeX), Best(otherInt32s, Send), null),
            Compare("ActiveX beats the other two, receiving", Receive(activeX), Best(otherInt32s, Receive), null),
        ];
    }

    private static CompareRow? Find(IReadOnlyList<CompareRow> rows, string name) => rows.FirstOrDefault(row => row.Formatter == name);

    private static IReadOnlyList<double>? Send(CompareRow? row) => row?.SendRounds;

    private static IReadOnlyList<double>? Receive(CompareRow? row) => row?.ReceiveRounds;

    /// <summary>Messages per second if one thread sends and then receives each: the study's complete processing, without its second
    /// machine.</summary>
    private static double[]? Complete(CompareRow? row) =>
        row is null ? null : [.. row.SendRounds.Zip(row.ReceiveRounds, static (send, receive) => 1 / ((1 / send) + (1 / receive)))];

    /// <summary>The best rate of several rows in each round.</summary>
    private static double[]? Best(CompareRow?[] rows, Func<CompareRow?, IReadOnlyList<double>?> rates) =>
        rows.Any(row => row is null) ? null : [.. Enumerable.Range(0, rates(rows[0])!.Count).Select(round => rows.Max(row => rates(row)![round]))];
}
