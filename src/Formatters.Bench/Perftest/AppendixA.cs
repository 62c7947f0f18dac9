namespace Formatters.Bench.Perftest;

/// <summary>The ten tables of Appendix A of <i>System.Messaging Performance</i> (2004), with the standard deviations: messages per second on its
/// machines.</summary>
/// <remarks>Two machines of 2.8 GHz (Pentium 4), Windows Server 2003, MSMQ 3.0, .NET Framework 1.1; an order has 50 line items.</remarks>
internal static class AppendixA
{
    internal const string Net = ".NET";
    internal const string Com = "COM";
    internal const string Optimized = ".NET Optimized";
    internal const string Binary = ".NET Binary";
    internal const string Xml = ".NET XML";

    private const string EmptyMessage = "empty";
    private const string OrderMessage = "order";

    private const DeliveryMode Express = DeliveryMode.Express;
    private const DeliveryMode Recoverable = DeliveryMode.Recoverable;
    private const DeliveryMode Transactional = DeliveryMode.Transactional;

    private const bool Local = false;
    private const bool Remote = true;

    /// <summary>Every figure, table by table, in the order of the study.</summary>
    internal static IReadOnlyList<StudyFigure> All { get; } =
    [
        .. Table(1, "Send Empty Message", PerftestOperation.SendAndPurge, EmptyMessage, [Net, Com],
        [
            (Express, Local, [49_311, 48_674], [761.23, 430.25]),
            (Express, Remote, [25_257, 24_864], [199.42, 93.04]),
            (Recoverable, Local, [2_455, 2_457], [11.21, 11.76]),
            (Recoverable, Remote, [2_506, 2_500], [10.89, 7.38]),
            (Transactional, Local, [1_683, 1_724], [37.65, 36.59]),
            (Transactional, Remote, [1_662, 1_739], [19.84, 23.91]),
        ]),
        .. Table(2, "Receive Empty Message", PerftestOperation.SendAndReceive, EmptyMessage, [Net, Com],
        [
            (Express, Local, [37_351, 25_708], [75.14, 478.76]),
            (Express, Remote, [2_095, 2_074], [18.09, 13.54]),
            (Recoverable, Local, [2_955, 2_796], [36.59, 38.49]),
            (Recoverable, Remote, [2_104, 2_092], [14.42, 28.18]),
            (Transactional, Local, [2_006, 1_942], [11.16, 26.04]),
        ]),
        .. Table(3, "Complete Processing of Empty Messages", PerftestOperation.Client, EmptyMessage, [Net, Com],
        [
            (Express, Local, [24_209, 18_890], [28.57, 15.88]),
            (Express, Remote, [11_184, 11_026], [94.85, 33.82]),
            (Recoverable, Local, [1_953, 2_039], [272.5, 354.8]),
            (Recoverable, Remote, [1_645, 1_629], [12.62, 6.83]),
            (Transactional, Local, [1_414, 1_522], [18.37, 34.87]),
            (Transactional, Remote, [1_228, 1_242], [9.91, 15.32]),
        ]),
        .. Strings(4, "Express Send (Local)", PerftestOperation.SendAndPurge, Local,
        [
            (500, [19_814, 28_572], [196.96, 1_311.04]),
            (1_000, [15_117, 23_476], [294.62, 1_098.6]),
            (2_000, [10_722, 15_345], [229.27, 1_167.3]),
            (10_000, [3_083, 4_500], [79.62, 236.12]),
            (100_000, [276, 341], [4.36, 30.18]),
            (1_000_000, [28.83, 30.33], [0.75, 2.94]),
            (2_000_000, [14.17, 14.50], [0.41, 1.64]),
        ]),
        .. Strings(5, "Express Receive (Local)", PerftestOperation.SendAndReceive, Local,
        [
            (500, [24_137, 20_237], [65.85, 72.03]),
            (1_000, [14_595, 18_318], [41.36, 81.24]),
            (2_000, [12_930, 11_221], [50.31, 57.77]),
            (10_000, [6_611, 6_750], [34.21, 28.17]),
            (100_000, [696, 643], [6.63, 2.35]),
            (1_000_000, [86.33, 49.17], [0.52, 0.41]),
            (2_000_000, [42.50, 24.00], [0.55, 0]),
        ]),
        .. Strings(6, "Complete Processing of Express Messages (Remote)", PerftestOperation.Client, Remote,
        [
            (500, [8_190, 7_769], [189.1, 130.69]),
            (1_000, [6_853, 4_702], [61.34, 53.41]),
            (2_000, [4_549, 2_569], [71.86, 10.01]),
            (10_000, [1_045, 529], [13.75, 40.49]),
            (100_000, [105, 53], [1.83, 0.75]),
            (1_000_000, [9.83, 5.00], [0.41, 0]),
            (2_000_000, [4.67, 2.00], [0.52, 0]),
        ]),
        .. Table(7, "IPersistStream vs. .NET Serialization (Send)", PerftestOperation.SendAndPurge, OrderMessage, [Net, Com, Optimized],
        [
            (Express, Local, [1_718, 6_188, 13_305], [5.34, 331.93, 685.93]),
            (Express, Remote, [1_441, 4_523, 9_129], [3.29, 44.34, 247.91]),
            (Recoverable, Local, [910, 1_490, 2_236], [26.65, 57.45, 43.44]),
            (Recoverable, Remote, [948, 1_333, 1_973], [3.89, 46.42, 16.59]),
            (Transactional, Local, [791, 1_261, 1_660], [18.1, 13.26, 81.88]),
            (Transactional, Remote, [603, 1_114, 954], [15.81, 295.88, 29.2]),
        ]),
        .. Table(8, "IPersistStream vs. .NET Serialization (Receive)", PerftestOperation.SendAndReceive, OrderMessage, [Net, Com, Optimized],
        [
            (Express, Local, [1_870, 3_049, 10_441], [1.9, 10.59, 16.65]),
            (Express, Remote, [509, 511, 672], [2.34, 2.34, 1.64]),
            (Recoverable, Local, [1_096, 1_373, 2_042], [38.58, 27.65, 118.32]),
            (Recoverable, Remote, [505, 528, 690], [4.18, 2.88, 1.83]),
            (Transactional, Local, [922, 1_203, 1_604], [19.77, 5.68, 71.65]),
        ]),
        .. Table(9, ".NET Formatter Comparison (Enqueuing)", PerftestOperation.SendAndPurge, OrderMessage, [Binary, Xml],
        [
            (Express, Local, [1_718, 1_344], [5.34, 15.38]),
            (Express, Remote, [1_441, 987], [3.29, 4.22]),
            (Recoverable, Local, [910, 573], [26.65, 7.33]),
            (Recoverable, Remote, [948, 682], [3.89, 5.59]),
            (Transactional, Local, [791, 493], [18.1, 5.68]),
            (Transactional, Remote, [603, 495], [15.81, 13.99]),
        ]),
        .. Table(10, ".NET Formatter Comparison (Dequeuing)", PerftestOperation.SendAndReceive, OrderMessage, [Binary, Xml],
        [
            (Express, Local, [1_870, 791], [1.9, 1.48]),
            (Express, Remote, [509, 282], [2.34, 1.14]),
            (Recoverable, Local, [1_096, 594], [38.58, 7.19]),
            (Recoverable, Remote, [505, 284], [4.18, 0.71]),
            (Transactional, Local, [922, 533], [19.77, 6.44]),
        ]),
    ];

    /// <summary>The figure that stands beside a row of <c>perftest</c>.</summary>
    /// <param name="operation">What was timed.</param>
    /// <param name="mode">The kind of messages.</param>
    /// <param name="isRemote">Whether over a network.</param>
    /// <param name="payload">The payload's name: <c>empty</c>, <c>string 500 ActiveX</c>, <c>order XML</c>.</param>
    /// <param name="isUnmanaged">Whether the program was not a .NET one: the study's COM.</param>
    /// <returns>The figure; null where the study has none.</returns>
    internal static StudyFigure? Find(PerftestOperation operation, DeliveryMode mode, bool isRemote, string payload, bool isUnmanaged = false)
    {
        (string message, string? column) = Split(payload);
        if (isUnmanaged)
            column = Com;
        return All.FirstOrDefault(figure => figure.Operation == operation && figure.Mode == mode && figure.IsRemote == isRemote
            && figure.Message == message && figure.Column == column);
    }

    /// <summary>Returns the study's names of a payload's message and column.</summary>
    private static (string Message, string? Column) Split(string payload)
    {
        if (payload == Payloads.EmptyName)
            return (EmptyMessage, Net);
        if (payload.StartsWith("string ", System.StringComparison.Ordinal))
        {
            // COM's strings have two bytes a character, as ActiveX's have; those of .NET were UTF-8 in a body of BinaryFormatter.
            string[] words = payload.Split(' ');
            return ($"{words[0]} {words[1]}", words.Length == 3 && words[2] == Payloads.ActiveXString ? Com : Net);
        }

        return (OrderMessage,
            payload.StartsWith("order ", System.StringComparison.Ordinal) ? ColumnOfOrder(payload.Substring("order ".Length)) : null);
    }

    private static string? ColumnOfOrder(string formatter) => formatter switch
    {
        OrderFormatterRows.Legacy or OrderFormatterRows.LegacyBinary => Net,
        OrderFormatterRows.PersistStream => Com,
        OrderFormatterRows.HandCoded or OrderFormatterRows.ClassicBinaryWriter or OrderFormatterRows.Bridge => Optimized,
        OrderFormatterRows.Xml => Xml,
        _ => null,
    };

    private static IEnumerable<StudyFigure> Strings(int table, string title, PerftestOperation operation, bool isRemote,
        (int Length, double[] Rates, double[] Deviations)[] rows) =>
        rows.SelectMany(row => Table(
            table, title, operation, string.Create(CultureInfo.InvariantCulture, $"string {row.Length:N0}"), [Net, Com],
            [(Express, isRemote, row.Rates, row.Deviations)]));

    private static IEnumerable<StudyFigure> Table(
        int table, string title, PerftestOperation operation, string message, string[] columns,
        (DeliveryMode Mode, bool IsRemote, double[] Rates, double[] Deviations)[] rows) =>
        rows.SelectMany(
            row =>
                columns.Select((column, i) =>
                    new StudyFigure(table, title, operation, message, row.Mode, row.IsRemote, column, row.Rates[i], row.Deviations[i])));
}

/// <param name="Table">Which of the ten tables of Appendix A.</param>
/// <param name="Title">The table's title.</param>
/// <param name="Operation">What was timed.</param>
/// <param name="Message">What was sent: <c>empty</c>, <c>string 500</c>, <c>order</c>.</param>
/// <param name="Mode">The kind of messages.</param>
/// <param name="IsRemote">Whether the queue was another machine's.</param>
/// <param name="Column">Which program or formatter.</param>
/// <param name="Rate">Messages per second.</param>
internal sealed record StudyFigure(
    int Table, string Title, PerftestOperation Operation, string Message, DeliveryMode Mode, bool IsRemote, string Column, double Rate,
    double StandardDeviation);
