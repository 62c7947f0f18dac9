using System;
using System.Buffers.Text;
using System.Globalization;
using System.Text;

namespace Formatters;

/// <summary>
/// Formats <see cref="double"/> and <see cref="float"/>: as .NET Framework's <c>XmlConvert</c>, or in the shortest form that reads as the same
/// number.
/// </summary>
/// <remarks>
/// .NET Framework's <c>ToString("R")</c> takes 15 digits (7 of a float) if they read as the same number, else 17 (9), rounded: 1/3 is
/// 0.33333333333333331. Up to 15 digits both are the same, as no two texts of so few digits read as the same normal number. Its 64-bit processes read
/// a few numbers wrongly while they choose (0.84551240822557006 comes out as 0.84551240822557, another number): not done here.
/// </remarks>
internal static class XmlNumbers
{
    /// <summary>The maximum size of a number.</summary>
    internal const int MaxByteCount = 32;

    private const double MinNormal = 2.2250738585072014E-308;

    /// <summary>Writes a number; the destination has <see cref="MaxByteCount"/> bytes.</summary>
    /// <returns>The number of bytes written.</returns>
    internal static int Write(Span<byte> destination, double value, bool isFramework)
    {
        // Prices and quantities. With up to 15 digits, 4 of them decimals, the division is exact to the last bit, as parsing the text is, so this is
        // the text.
        double scaled = Math.Round(value * 10_000);
        if (Math.Abs(scaled) < 1E15 && scaled / 10_000 == value && scaled != 0)
            return WriteScaled(destination, (long)scaled);
        if (WriteSpecial(destination, value) is int byteCount and > 0)
            return byteCount;
        int shortest = Format(destination, value, "R");
        if (!isFramework)
            return shortest;
        if (Math.Abs(value) >= MinNormal && CountDigits(destination.Slice(0, shortest)) > 15)
            return Format(destination, value, "G17");
        if (Math.Abs(value) is >= MinNormal and < 1E15)
            return shortest;

        // With an exponent from 1E+15, where this runtime has one from 1E+17; and subnormal numbers have several texts of 15 digits.
        int rounded = Format(destination, value, "G15");
        return Parse(destination.Slice(0, rounded)) == value ? rounded : Format(destination, value, "G17");
    }

    /// <inheritdoc cref="Write(Span{byte}, double, bool)"/>
    internal static int Write(Span<byte> destination, float value, bool isFramework)
    {
        if (WriteSpecial(destination, value) is int byteCount and > 0)
            return byteCount;
        if (!isFramework)
            return Format(destination, value, "R");
        int rounded = Format(destination, value, "G7");
        return ParseSingle(destination.Slice(0, rounded)) == value ? rounded : Format(destination, value, "G9");
    }

    private static int WriteScaled(Span<byte> destination, long scaled)
    {
        int at = 0;
        if (scaled < 0)
        {
            destination[at++] = (byte)'-';
            scaled = -scaled;
        }

        Utf8Formatter.TryFormat(scaled / 10_000, destination.Slice(at), out int byteCount);
        at += byteCount;
        int decimals = (int)(scaled % 10_000);
        if (decimals == 0)
            return at;
        destination[at++] = (byte)'.';
        for (int unit = 1000; decimals > 0; unit /= 10)
        {
            destination[at++] = (byte)('0' + (decimals / unit));
            decimals %= unit;
        }

        return at;
    }

    /// <summary>Writes zeros, infinities and NaN; 0 for any other number.</summary>
    private static int WriteSpecial(Span<byte> destination, double value)
    {
        ReadOnlySpan<byte> text =
            value == 0
            ? (BitConverter.DoubleToInt64Bits(value) < 0 ? "-0"u8 : "0"u8)
            : double.IsNaN(value)
            ? "NaN"u8
            : double.IsPositiveInfinity(value)
            ? "INF"u8
            : double.IsNegativeInfinity(value)
            ? "-INF"u8
            : default;
        text.CopyTo(destination);
        return text.Length;
    }

    /// <summary>Counts the digits of a number without exponent and leading and trailing zeros.</summary>
    private static int CountDigits(ReadOnlySpan<byte> text)
    {
        int count = 0;
        int last = 0;
        foreach (byte b in text)
        {
            if (b == 'E')
                break;
            if (b is < (byte)'0' or > (byte)'9' || (count == 0 && b == '0'))
                continue;
            count++;
            if (b != '0')
                last = count;
        }

        return last;
    }

#if NET
    private static int Format(Span<byte> destination, double value, string format)
    {
        value.TryFormat(destination, out int byteCount, format, CultureInfo.InvariantCulture);
        return byteCount;
    }

    private static int Format(Span<byte> destination, float value, string format)
    {
        value.TryFormat(destination, out int byteCount, format, CultureInfo.InvariantCulture);
        return byteCount;
    }

    private static double Parse(ReadOnlySpan<byte> text) => double.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);

    private static float ParseSingle(ReadOnlySpan<byte> text) => float.Parse(text, NumberStyles.Float, CultureInfo.InvariantCulture);
#else
    private static int Format(Span<byte> destination, double value, string format) =>
        Copy(value.ToString(format, CultureInfo.InvariantCulture), destination);

    private static int Format(Span<byte> destination, float value, string format) =>
        Copy(value.ToString(format, CultureInfo.InvariantCulture), destination);

    private static int Copy(string text, Span<byte> destination)
    {
        Encoding.ASCII.GetBytes(text).CopyTo(destination);
        return text.Length;
    }

    private static double Parse(ReadOnlySpan<byte> text) =>
        double.Parse(Encoding.ASCII.GetString(text.ToArray()), NumberStyles.Float, CultureInfo.InvariantCulture);

    private static float ParseSingle(ReadOnlySpan<byte> text) =>
        float.Parse(Encoding.ASCII.GetString(text.ToArray()), NumberStyles.Float, CultureInfo.InvariantCulture);
#endif
}
