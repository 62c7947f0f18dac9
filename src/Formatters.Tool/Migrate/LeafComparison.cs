using System;
using System.Text;

namespace Formatters.Tools.Migrate;

/// <summary>Compares two values that have no members, of one type, to the last bit.</summary>
internal static class LeafComparison
{
    private const double RoundingError = 1e-6;

    internal static (ChangeKind Kind, string Detail)? Compare(object before, object after) => (before, after) switch
    {
        (string x, string y) => OfText(x, y),
        (DateTime x, DateTime y) => OfDate(x, y),
        (DateTimeOffset x, DateTimeOffset y) => x.UtcTicks != y.UtcTicks ? OfTicks(Math.Abs((decimal)x.UtcTicks - y.UtcTicks), y.UtcTicks == 0)
            : x.Offset == y.Offset ? null : (ChangeKind.Offset, "the moment is the same, its offset is not"),
        (TimeSpan x, TimeSpan y) => x == y ? null : OfTicks(Math.Abs((decimal)x.Ticks - y.Ticks), y == default),
        (TimeOnly x, TimeOnly y) => x == y ? null : OfTicks(Math.Abs((decimal)x.Ticks - y.Ticks), y == default),
        (decimal x, decimal y) => OfDecimal(x, y),
        (double x, double y) => BitConverter.DoubleToInt64Bits(x) == BitConverter.DoubleToInt64Bits(y) ? null : OfFloat(x, y),
        (float x, float y) => BitConverter.SingleToInt32Bits(x) == BitConverter.SingleToInt32Bits(y) ? null : OfFloat(x, y),
        (Half x, Half y) => BitConverter.HalfToInt16Bits(x) == BitConverter.HalfToInt16Bits(y) ? null : OfFloat((double)x, (double)y),
        (Uri x, Uri y) => x.OriginalString == y.OriginalString ? null : x == y ? (ChangeKind.Text, "the address is the same, its spelling is not") : Other(y),
        (StringBuilder x, StringBuilder y) => OfText(x.ToString(), y.ToString()),
        _ => before.Equals(after) || TextOf(before) is string text && text == TextOf(after) ? null : Other(after),
    };

    /// <summary>Of types that have no equality of their own.</summary>
    private static string? TextOf(object value) => value switch
    {
        System.Text.Json.JsonElement element => element.ValueKind == System.Text.Json.JsonValueKind.Undefined ? "" : element.GetRawText(),
        System.Text.Json.Nodes.JsonNode node => node.ToJsonString(),
        System.Xml.XmlNode node => node.OuterXml,
        System.Xml.Linq.XObject node => node.ToString(),
        System.Text.RegularExpressions.Regex regex => $"{regex.Options} {regex}",
        _ => null,
    };

    private static (ChangeKind, string) Other(object after) =>
        after.GetType().IsValueType && after.Equals(Activator.CreateInstance(after.GetType())) ? (ChangeKind.Dropped, "a value became the default") : (ChangeKind.Value, "it is another value");

    private static (ChangeKind, string)? OfText(string before, string after)
    {
        if (before == after)
            return null;
        if (after.Length == 0)
            return (ChangeKind.Dropped, "a string became empty");
        if (before.ReplaceLineEndings("\n") == after.ReplaceLineEndings("\n"))
            return (ChangeKind.Text, "the line endings differ");
        if (before.Trim() == after.Trim())
            return (ChangeKind.Text, "white space is missing or added");
        if (Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(before)) == after)
            return (ChangeKind.Text, "surrogates without a partner became U+FFFD");
        return (ChangeKind.Value, "it is another string");
    }

    private static (ChangeKind, string)? OfDate(DateTime before, DateTime after)
    {
        if (before.Kind != after.Kind)
        {
            string detail = $"{before.Kind} became {after.Kind}";
            bool isMoment = before.Kind != DateTimeKind.Unspecified && after.Kind != DateTimeKind.Unspecified;
            if (before.Ticks == after.Ticks || isMoment && before.ToUniversalTime().Ticks == after.ToUniversalTime().Ticks)
                return (ChangeKind.Kind, detail);
            long ticks = isMoment ? before.ToUniversalTime().Ticks - after.ToUniversalTime().Ticks : before.Ticks - after.Ticks;
            return Math.Abs(ticks) < TimeSpan.TicksPerSecond ? (ChangeKind.Value, detail + ", and fractions of a second are lost") : after.Ticks == 0 ? Other(after) : (ChangeKind.Value, detail + ", and it is another time");
        }

        if (before.Ticks != after.Ticks)
            return OfTicks(Math.Abs((decimal)before.Ticks - after.Ticks), after.Ticks == 0);
        return before.ToBinary() == after.ToBinary() ? null : (ChangeKind.Kind, "the second of two equal hours, at the end of summer time, became the first, or the other way round");
    }

    private static (ChangeKind, string) OfTicks(decimal difference, bool isDefault) =>
        difference < TimeSpan.TicksPerSecond && !isDefault ? (ChangeKind.Precision, "fractions of a second are lost")
        : isDefault ? (ChangeKind.Dropped, "a time became the default") : (ChangeKind.Value, "it is another time");

    private static (ChangeKind, string)? OfDecimal(decimal before, decimal after)
    {
        Span<int> x = stackalloc int[4], y = stackalloc int[4];
        decimal.GetBits(before, x);
        decimal.GetBits(after, y);
        if (x.SequenceEqual(y))
            return null;
        if (before == after)
            return (ChangeKind.Precision, x[3] >> 16 == y[3] >> 16 || before.Scale == after.Scale ? "-0 became 0, or 0 -0" : $"a scale of {before.Scale} became {after.Scale}");
        return Math.Abs((double)before - (double)after) <= RoundingError * Math.Abs((double)before) ? (ChangeKind.Precision, "digits are lost") : Other(after);
    }

    private static (ChangeKind, string)? OfFloat(double before, double after)
    {
        if (double.IsNaN(before) && double.IsNaN(after))
            return (ChangeKind.Precision, "the bits of a NaN differ");
        if (before == after)
            return (ChangeKind.Precision, "-0 became 0, or 0 -0");
        return Math.Abs(before - after) <= RoundingError * Math.Abs(before) ? (ChangeKind.Precision, "digits are lost") : Other(after);
    }
}
