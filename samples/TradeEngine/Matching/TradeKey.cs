using System.Numerics;
using System.Text;

namespace Formatters.TradeEngine.Matching;

/// <summary>Which trade: the executing broker's reference on a day.</summary>
/// <param name="Broker">The executing broker, packed.</param>
/// <param name="TradeDate">The day as a number.</param>
/// <param name="Reference">The reference, packed.</param>
internal readonly record struct TradeKey(long Broker, int TradeDate, long Reference)
{
    /// <summary>The key of a message.</summary>
    internal static TradeKey Of(CriterionValues values) =>
        new(values[Criterion.ExecutingBroker], (int)values[Criterion.TradeDate], values[Criterion.TradeReference]);

    /// <summary>Broker, day and reference as one text.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture,
        $"{PackedCode.Unpack(Broker)}{TradeDate:D8}{PackedCode.Unpack(Reference)}");

    /// <summary>On which of N databases the trade is: the key as one very long integer, modulo N.</summary>
    /// <param name="databaseCount">N, at least 1. For a power of two the result is the low bits of the integer.</param>
    /// <remarks>
    /// The integer has the digits of the text, a letter as two (A is 10, Z is 35), as in the check of an IBAN: its low bits change with the last
    /// digits of the reference.
    /// </remarks>
    internal int DatabaseOf(int databaseCount)
    {
        if (databaseCount == 1)
            return 0;
        Span<char> text = stackalloc char[(2 * PackedCode.MaxCharCount) + 8];
        int length = Format(text);
        bool isPowerOfTwo = BitOperations.IsPow2(databaseCount);
        ulong number = 0;
        foreach (char c in text[..length])
        {
            // What overflows is a multiple of a power of two.
            number = char.IsAsciiDigit(c) ? unchecked((number * 10) + (uint)(c - '0')) : unchecked((number * 100) + (uint)(c - 'A' + 10));
            if (!isPowerOfTwo)
                number %= (uint)databaseCount;
        }

        return (int)(isPowerOfTwo ? number & (uint)(databaseCount - 1) : number);
    }

    /// <summary>The very long integer.</summary>
    internal BigInteger ToInteger()
    {
        var digits = new StringBuilder();
        foreach (char c in ToString())
            digits.Append(char.IsAsciiDigit(c) ? c - '0' : c - 'A' + 10);
        return BigInteger.Parse(digits.ToString(), CultureInfo.InvariantCulture);
    }

    private int Format(Span<char> text)
    {
        int length = PackedCode.Unpack(Broker, text);
        TradeDate.TryFormat(text[length..], out int written, "D8", CultureInfo.InvariantCulture);
        length += written;
        return length + PackedCode.Unpack(Reference, text[length..]);
    }
}
