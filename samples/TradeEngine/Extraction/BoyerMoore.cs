namespace Formatters.TradeEngine.Extraction;

/// <summary>
/// The string search of Boyer and Moore ("A Fast String Searching Algorithm", Communications of the ACM 20, 10; 1977), with both of its rules: it
/// compares the pattern from its end, and a mismatch shifts the pattern by the larger of the two shifts.
/// </summary>
/// <param name="pattern">What is searched for, at least one byte.</param>
internal sealed class BoyerMoore(byte[] pattern)
{
    private readonly int[] _lastIndex = CreateLastIndex(pattern);
    private readonly int[] _goodSuffix = CreateGoodSuffix(pattern);

    /// <summary>Finds the first occurrence of the pattern.</summary>
    /// <returns>Its index; -1 if there is none.</returns>
    internal int IndexOf(ReadOnlySpan<byte> text)
    {
        byte[] searched = pattern;
        int start = 0;
        while (start <= text.Length - searched.Length)
        {
            int i = searched.Length - 1;
            while (i >= 0 && text[start + i] == searched[i])
                i--;
            if (i < 0)
                return start;
            start += Math.Max(_goodSuffix[i], i - _lastIndex[text[start + i]]);
        }

        return -1;
    }

    /// <summary>The bad character rule: the last index of each byte in the pattern, -1 if it is not there.</summary>
    private static int[] CreateLastIndex(byte[] pattern)
    {
        int[] last = new int[256];
        Array.Fill(last, -1);
        for (int i = 0; i < pattern.Length; i++)
            last[pattern[i]] = i;
        return last;
    }

    /// <summary>
    /// The good suffix rule: by how much to shift when the bytes after an index have matched, so that they match again and the byte before them is
    /// another.
    /// </summary>
    private static int[] CreateGoodSuffix(byte[] pattern)
    {
        int length = pattern.Length;
        int[] shift = new int[length + 1];
        // The widest border of each suffix: where its longest proper suffix that is also its prefix starts.
        int[] border = new int[length + 1];
        int start = length + 1;
        border[length] = start;
        for (int i = length; i > 0; i--)
        {
            while (start <= length && pattern[i - 1] != pattern[start - 1])
            {
                if (shift[start] == 0)
                    shift[start] = start - i;
                start = border[start];
            }

            border[i - 1] = --start;
        }

        // Where the suffix does not occur again, only a prefix of the pattern can match the end of it.
        start = border[0];
        for (int i = 0; i <= length; i++)
        {
            if (shift[i] == 0)
                shift[i] = start;
            if (i == start)
                start = border[start];
        }

        return shift[1..];
    }
}
