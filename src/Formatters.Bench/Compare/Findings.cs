using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Bench.Rows;

namespace Formatters.Bench.Compare;

/// <summary>Holds the study's findings against what was measured.</summary>
internal static class Findings
{
    /// <summary>A difference of 5 % or less counts as none.</summary>
    internal const double Tolerance = 0.05;

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
            Compare("Hand-coded beats BinaryFormatter, sending", SendRate(handCoded), SendRate(binary), Study.HandCodedSend / Study.BinarySend),
            Compare("Hand-coded beats BinaryFormatter, receiving", ReceiveRate(handCoded), ReceiveRate(binary), Study.HandCodedReceive / Study.BinaryReceive),
            Compare("BinaryFormatter beats XML, sending", SendRate(binary), SendRate(xml), Study.BinarySend / Study.XmlSend),
            Compare("BinaryFormatter beats XML, receiving", ReceiveRate(binary), ReceiveRate(xml), Study.BinaryReceive / Study.XmlReceive),
            Compare("BinaryFormatter beats XML, end to end", CompleteRate(binary), CompleteRate(xml), Study.BinaryOverXmlComplete),
            Compare("ActiveX is fastest for an Int32, sending", SendRate(activeX), Best(otherInt32s, SendRate), null),
            Compare("ActiveX is fastest for an Int32, receiving", ReceiveRate(activeX), Best(otherInt32s, ReceiveRate), null),
        ];
    }

    /// <summary>Judges one finding: that the first rate is higher than the second.</summary>
    internal static Finding Compare(string text, double? faster, double? slower, double? studyRatio)
    {
        double? ratio = faster / slower;
        Verdict verdict = ratio switch
        {
            null => Verdict.NotMeasured,
            > 1 + Tolerance => Verdict.Holds,
            >= 1 - Tolerance => Verdict.Even,
            _ => Verdict.DoesNotHold,
        };
        return new Finding(text, verdict, ratio, studyRatio);
    }

    private static CompareRow? Find(IReadOnlyList<CompareRow> rows, string name) => rows.FirstOrDefault(row => row.Formatter == name);

    private static double? SendRate(CompareRow? row) => row?.Send.Median;

    private static double? ReceiveRate(CompareRow? row) => row?.Receive.Median;

    /// <summary>Messages per second if one thread sends and then receives each: the study's complete processing, without its second machine.</summary>
    private static double? CompleteRate(CompareRow? row) => row is null ? null : 1 / ((1 / row.Send.Median) + (1 / row.Receive.Median));

    private static double? Best(CompareRow?[] rows, Func<CompareRow?, double?> rate) => rows.Any(row => row is null) ? null : rows.Max(rate);
}
