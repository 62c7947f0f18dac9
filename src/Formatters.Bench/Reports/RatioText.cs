using System.Globalization;
using Formatters.Bench.Measurement;

namespace Formatters.Bench.Reports;

/// <summary>Formats ratios of rates.</summary>
internal static class RatioText
{
    /// <summary>The interval of a ratio, as far as it reaches at its farther end: <c>±3 %</c>.</summary>
    /// <remarks>From 100 % on as a factor of the ratio, which is all that such an interval says: <c>±2.5x</c>; above 99, that it is above.</remarks>
    internal static string Noise(RateRatio? ratio) => ratio switch
    {
        null => Numbers.None,
        { Noise: < 0.995 } => "±" + Numbers.Percent(ratio.Noise),
        { Noise: >= 99.5 } => "±>99x",
        _ => "±" + ratio.Noise.ToString(ratio.Noise < 9.95 ? "0.0" : "0", CultureInfo.InvariantCulture) + "x",
    };
}
