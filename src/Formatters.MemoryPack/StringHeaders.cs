using System;

namespace Formatters;

/// <summary>
/// Guards against string headers that MemoryPack 1.21 does not check: UTF-8 of 2,147,483,644 bytes or more. Its sum of that and 4 overflows, and the
/// library then reads memory far after the body, which ends the process.
/// </summary>
internal static class StringHeaders
{
    /// <summary>The last three bytes of such a header, the complement of the length in little-endian order; the first is 0 to 3.</summary>
    private static ReadOnlySpan<byte> Ending => [0, 0, 0x80];

    /// <summary>Copies a body in which such a header may be, with lengths that the library does check in place of it.</summary>
    /// <returns>Null if there is none. Numbers may have the same bytes; so if the copy can be read, the body itself is safe to read.</returns>
    internal static byte[]? CopyChecked(ReadOnlySpan<byte> body)
    {
        byte[]? copy = null;
        for (int start = 1, found; start < body.Length && (found = body[start..].IndexOf(Ending)) >= 0; start += found + 1)
        {
            int at = start + found;
            if (body[at - 1] > 3)
                continue;
            copy ??= body.ToArray();
            copy[at + 2] = 0x81;
        }

        return copy;
    }
}
