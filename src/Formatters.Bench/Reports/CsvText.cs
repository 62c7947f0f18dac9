namespace Formatters.Bench.Reports;

/// <summary>Writes comma-separated values as RFC 4180 has them; numbers with a point, without thousands separators.</summary>
internal static class CsvText
{
    /// <param name="fields">Strings, numbers or null (an empty field).</param>
    internal static void WriteLine(TextWriter output, params object?[] fields)
    {
        output.Write(string.Join(',', fields.Select(Field)));
        output.Write("\r\n");
    }

    /// <summary>A number per second with the digits that mean something: whole, and below 100 with two decimals.</summary>
    internal static double? Rate(double? value) => value is { } rate ? Math.Round(rate, rate < 100 ? 2 : 0) : null;

    /// <summary>A ratio or a duration, to four significant digits.</summary>
    internal static double? FourDigits(double? value) =>
        value is { } number ? double.Parse(number.ToString("G4", CultureInfo.InvariantCulture), CultureInfo.InvariantCulture) : null;

    private static string Field(object? value)
    {
        string text = value switch
        {
            null => "",
            double number => number.ToString("R", CultureInfo.InvariantCulture),
            IFormattable formattable => formattable.ToString(null, CultureInfo.InvariantCulture),
            _ => value.ToString() ?? "",
        };
        return text.AsSpan().ContainsAny(",\"\r\n") ? $"\"{text.Replace("\"", "\"\"", StringComparison.Ordinal)}\"" : text;
    }
}
