namespace Formatters.TradeEngine.Matching;

/// <summary>
/// Codes of up to 12 characters of 0 to 9 and A to Z as numbers: digits to the base 37, of which 0 stands for none, so that every code has a number
/// of its own.
/// </summary>
internal static class PackedCode
{
    internal const int MaxCharCount = 12;

    private const int Base = 37;

    internal static bool TryPack(ReadOnlySpan<char> code, out long value)
    {
        value = 0;
        if (code.Length is 0 or > MaxCharCount)
            return false;
        foreach (char c in code)
        {
            int digit = c switch
            {
                >= '0' and <= '9' => c - '0' + 1,
                >= 'A' and <= 'Z' => c - 'A' + 11,
                _ => 0,
            };
            if (digit == 0)
                return false;
            value = (value * Base) + digit;
        }

        return true;
    }

    internal static string Unpack(long value)
    {
        Span<char> chars = stackalloc char[MaxCharCount];
        return new string(chars[..Unpack(value, chars)]);
    }

    /// <returns>How many characters.</returns>
    internal static int Unpack(long value, Span<char> destination)
    {
        Span<char> chars = stackalloc char[MaxCharCount];
        int start = MaxCharCount;
        for (; value > 0; value /= Base)
        {
            int digit = (int)(value % Base);
            chars[--start] = (char)(digit <= 10 ? '0' + digit - 1 : 'A' + digit - 11);
        }

        chars[start..].CopyTo(destination);
        return MaxCharCount - start;
    }
}
