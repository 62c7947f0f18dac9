using System;
using System.Globalization;

namespace Formatters.Tools.CommandLine;

/// <summary>Numbers for people: invariant culture, thousands separators, no more digits than they deserve.</summary>
internal static class Numbers
{
    internal const string None = "-";

    /// <summary>Messages per second: two decimals below 100, as in the study's tables; from 10 million on in millions: <c>12.3 M</c>.</summary>
    internal static string Rate(double value) =>
        value < 9_999_999.5 ? value.ToString(value < 100 ? "N2" : "N0", CultureInfo.InvariantCulture) : (value / 1_000_000).ToString("N1", CultureInfo.InvariantCulture) + " M";

    /// <summary>A whole number.</summary>
    internal static string Count(long value) => value.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>A whole number of things: <c>1 message</c>, <c>2 messages</c>.</summary>
    internal static string Count(long value, string noun) => $"{Count(value)} {noun}{(value == 1 ? "" : "s")}";

    /// <summary>A ratio: <c>7.70x</c>, <c>12.3x</c>, <c>123x</c>.</summary>
    internal static string Ratio(double? value) => value switch
    {
        null => None,
        < 10 => value.Value.ToString("0.00", CultureInfo.InvariantCulture) + "x",
        < 100 => value.Value.ToString("0.0", CultureInfo.InvariantCulture) + "x",
        _ => value.Value.ToString("N0", CultureInfo.InvariantCulture) + "x",
    };

    /// <summary>A spread in per cent.</summary>
    internal static string Percent(double fraction) => fraction.ToString("0 %", CultureInfo.InvariantCulture);

    /// <summary>A duration in nanoseconds.</summary>
    internal static string Nanoseconds(double value) => value.ToString(value < 100 ? "N1" : "N0", CultureInfo.InvariantCulture);

    /// <summary>A size in GiB.</summary>
    internal static string Gibibytes(long byteCount) => ((double)byteCount / (1L << 30)).ToString("0.0", CultureInfo.InvariantCulture) + " GiB";

    /// <summary>A date and time with its offset.</summary>
    internal static string Moment(DateTimeOffset value) => value.ToString("yyyy-MM-dd HH:mm zzz", CultureInfo.InvariantCulture);
}
