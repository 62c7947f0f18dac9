using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Measurement;
using Formatters.Bench.Rows;

namespace Formatters.Bench.Compare;

/// <summary>Holds the study's findings against what was measured.</summary>
internal static class Findings
{
    /// <summary>Fewer rounds than these decide nothing.</summary>
    internal const int MinRounds = 7;

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

    /// <summary>Judges one finding: that the first rate is higher than the second, round by round.</summary>
    internal static Finding Compare(string text, IReadOnlyList<double>? faster, IReadOnlyList<double>? slower, double? studyRatio)
    {
        if (faster is null || slower is null)
            return new Finding(text, Verdict.NotMeasured, null, studyRatio);
        return RateRatio.Paired(faster, slower) is { } ratio ? new Finding(text, Judge(ratio), ratio, studyRatio) : new Finding(text, Verdict.NotMeasured, null, studyRatio);
    }

    /// <summary>Judges a finding of no gain: that the first rate is not higher than the second.</summary>
    internal static Finding NoGain(string text, IReadOnlyList<double>? more, IReadOnlyList<double>? one, double? studyRatio)
    {
        Finding finding = Compare(text, more, one, studyRatio);
        return finding with
        {
            Verdict = finding switch
            {
                { Verdict: Verdict.Holds } => Verdict.DoesNotHold,
                { Verdict: Verdict.Even or Verdict.DoesNotHold } => Verdict.Holds,
                _ => finding.Verdict,
            },
        };
    }

    /// <summary>Judges a ratio by its interval.</summary>
    internal static Verdict Judge(RateRatio ratio) => ratio switch
    {
        _ when ratio.Rounds < MinRounds => Verdict.Undecided,
        { Low: >= 1 - RateRatio.Tolerance, High: <= 1 + RateRatio.Tolerance } => Verdict.Even,
        { Low: > 1, Value: > 1 + RateRatio.Tolerance } => Verdict.Holds,
        { High: < 1, Value: < 1 - RateRatio.Tolerance } => Verdict.DoesNotHold,
        _ => Verdict.Undecided,
    };

    private static CompareRow? Find(IReadOnlyList<CompareRow> rows, string name) => rows.FirstOrDefault(row => row.Formatter == name);

    private static IReadOnlyList<double>? Send(CompareRow? row) => row?.SendRounds;

    private static IReadOnlyList<double>? Receive(CompareRow? row) => row?.ReceiveRounds;

    /// <summary>Messages per second if one thread sends and then receives each: the study's complete processing, without its second machine.</summary>
    private static double[]? Complete(CompareRow? row) =>
        row is null ? null : [.. row.SendRounds.Zip(row.ReceiveRounds, static (send, receive) => 1 / ((1 / send) + (1 / receive)))];

    /// <summary>The best rate of several rows in each round.</summary>
    private static double[]? Best(CompareRow?[] rows, Func<CompareRow?, IReadOnlyList<double>?> rates) =>
        rows.Any(row => row is null) ? null : [.. Enumerable.Range(0, rates(rows[0])!.Count).Select(round => rows.Max(row => rates(row)![round]))];
}
