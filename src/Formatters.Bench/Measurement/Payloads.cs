using Formatters.Orders;

namespace Formatters.Bench.Measurement;

/// <summary>The payloads of the study, each under the name that tables and <c>--payload</c> know it by.</summary>
internal static class Payloads
{
    private const int DistinctOrderCount = 16;
    private const int DistinctStringCount = 4;

    /// <summary>The lengths of the study's strings, in characters.</summary>
    internal static IReadOnlyList<int> StringLengths { get; } = [500, 1_000, 2_000, 10_000, 100_000, 1_000_000, 2_000_000];

    /// <summary>All payloads of the classic test. Bodies and values are made when first asked for: two million characters are not free.</summary>
    /// <param name="lineItemCount">The line items of each order.</param>
    /// <param name="libraries">Rows of formatters of other libraries.</param>
    internal static IReadOnlyList<(string Name, Func<Payload> Create)> Classic(int lineItemCount,
        IReadOnlyList<OrderFormatterRow>? libraries = null) =>
    [
        (EmptyName, () => new EmptyPayload()),
        .. StringLengths.Select(
            length => (StringName(length), (Func<Payload>)(() => CreateString(StringName(length), length, new BinaryStringFormatter())))),
        .. StringLengths.Select(
            length =>
                (StringName(length) + " " + LegacyString,
                    (Func<Payload>)(() => CreateString(StringName(length) + " " + LegacyString, length, new LegacyBinaryFormatter<string>())))),
        .. StringLengths.Select(
            length =>
                (StringName(length) + " " + ActiveXString,
                    (Func<Payload>)(() => CreateString(StringName(length) + " " + ActiveXString, length, new ActiveXFormatter<string>())))),
        .. OrderFormatterRows.Create(libraries).Select(row => (OrderName(row.Name), (Func<Payload>)(() => CreateOrder(row, lineItemCount)))),
        .. Int32FormatterRow.CreateAll().Select(row => (Int32Name(row.Name), (Func<Payload>)(() => CreateInt32(row)))),
    ];

    internal const string EmptyName = "empty";

    /// <summary>Strings as BinaryMessageFormatter writes them: UTF-8 in a body of BinaryFormatter.</summary>
    internal const string LegacyString = "legacy";

    /// <summary>Strings as COM and ActiveXMessageFormatter write them: UTF-16, two bytes a character.</summary>
    internal const string ActiveXString = "ActiveX";

    internal static string StringName(int charCount) => string.Create(CultureInfo.InvariantCulture, $"string {charCount:N0}");

    internal static string OrderName(string formatterName) => "order " + formatterName;

    internal static string Int32Name(string formatterName) => "Int32 " + formatterName;

    internal static Payload CreateOrder(OrderFormatterRow row, int lineItemCount) =>
        row.CreatePayload(OrderName(row.Name), [.. Enumerable.Range(0, DistinctOrderCount).Select(seed => SampleOrders.Create(seed, lineItemCount))]);

    internal static Payload CreateInt32(Int32FormatterRow row) => new Payload<int>(
        Int32Name(row.Name),
        row.Formatter,
        [0, 1, -1, int.MaxValue, int.MinValue, 1_234_567_890, 256, 65_536],
        static value => value,
        static (one, other) => one == other);

    private static Payload<string> CreateString(string name, int charCount, MessageFormatter<string> formatter) => new(
        name,
        formatter,
        [.. Enumerable.Range(0, DistinctStringCount).Select(i => (char)('a' + i) + new string('x', charCount - 1))],
        static text => ((long)text.Length << 16) | text[0],
        static (one, other) => one == other);
}
