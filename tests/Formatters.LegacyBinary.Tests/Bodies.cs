using System;
using System.Linq;
using Xunit;

namespace Formatters.LegacyBinary.Tests;

/// <summary>Bodies compared, and shown around the first byte that differs.</summary>
internal static class Bodies
{
    internal static void AssertEqual(byte[] expected, byte[] actual, string what)
    {
        int at = 0;
        while (at < expected.Length && at < actual.Length && expected[at] == actual[at])
            at++;
        Assert.True(at == expected.Length && at == actual.Length, $"{what}, from byte {at}:\n{Excerpt(expected, at)}\n{Excerpt(actual, at)}");
    }

    private static string Excerpt(byte[] body, int at)
    {
        ReadOnlySpan<byte> part = body.AsSpan(Math.Max(0, at - 60), Math.Min(body.Length, at + 120) - Math.Max(0, at - 60));
        return string.Concat(part.ToArray().Select(static b => b is > 31 and < 127 ? ((char)b).ToString() : $"<{b:x2}>"));
    }
}
