namespace Formatters;

/// <summary>The lengths of a multidimensional array.</summary>
internal static class ArrayLengths
{
    /// <summary>
    /// Determines whether every .NET can create an array of these lengths: every partial product must fit, even if a later 0 leaves no elements.
    /// </summary>
    internal static bool CanMake(int[] lengths)
    {
        long product = 1;
        foreach (int length in lengths)
        {
            product *= length;
            if (product > int.MaxValue)
                return false;
        }

        return true;
    }
}
