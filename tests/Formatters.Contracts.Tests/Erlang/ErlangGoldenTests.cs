using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>docs/wire/erlang.md. The bytes are those of <c>term_to_binary/1</c> of Erlang/OTP 25 after the first, the version.</summary>
public class ErlangGoldenTests
{
    public static TheoryData<string, object> Values => new()
    {
        { "61 00", 0 }, { "61 FF", 255 }, { "62 00000100", 256 }, { "62 FFFFFFFF", -1 }, { "62 7FFFFFFF", int.MaxValue }, { "62 80000000", int.MinValue },
        { "6E 04 00 00000080", 2147483648 }, { "6E 04 01 01000080", -2147483649 }, { "6E 08 00 FFFFFFFFFFFFFF7F", long.MaxValue },
        { "6E 08 01 0000000000000080", long.MinValue }, { "6E 08 00 FFFFFFFFFFFFFFFF", ulong.MaxValue },
        { "46 3FF8000000000000", 1.5 }, { "46 8000000000000000", -0.0 }, { "77 03 6E616E", double.NaN }, { "77 08 696E66696E697479", double.PositiveInfinity },
        { "77 04 74727565", true }, { "77 05 66616C7365", false },
        { "6D 00000000", "" }, { "6D 00000001 61", "a" }, { "6D 00000002 C3BC", "\u00FC" }, { "6D 00000002 0102", new byte[] { 1, 2 } },
        { "68 00", Array.Empty<int>() }, { "68 03 6101 6102 6103", new[] { 1, 2, 3 } },
        { "74 00000001 6D0000000161 6101", new Dictionary<string, int> { ["a"] = 1 } }, { "68 02 6101 6D0000000161", (1, "a") },
    };

    [Theory]
    [MemberData(nameof(Values), DisableDiscoveryEnumeration = true)]
    public void Values_have_these_bytes(string hex, object value) =>
        typeof(ErlangGoldenTests).GetMethod(nameof(Check), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(value.GetType()).Invoke(null, [Bytes.Hex(hex), value]);

    [Fact]
    public void More_than_255_elements_are_a_large_tuple()
    {
        int[] values = [.. Enumerable.Repeat(1, 256)];
        byte[] body = new ErlangFormatter<int[]>().Write(values);
        Assert.Equal([105, 0, 0, 1, 0, 97, 1], body.Take(7));
        Assert.Equal(values, new ErlangFormatter<int[]>().Read(body));
    }

    [Theory]
    [InlineData(typeof(int), "00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(int), "83 61 00", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(int), "62 0000", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(int), "6E 04 00 00000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(int), "77 03 6E696C", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData(typeof(long), "6E 08 02 0000000000000000", MessageFormatErrorCode.Malformed)]
    [InlineData(typeof(long), "6E 08 00 0000000000000080", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(long), "6E 09 00 000000000000000001", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(ulong), "6E 08 01 0100000000000000", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(double), "77 01 61", MessageFormatErrorCode.BadValue)]
    [InlineData(typeof(string), "6D 00000002 61", MessageFormatErrorCode.Truncated)]
    [InlineData(typeof(string), "6D 00000001 FF", MessageFormatErrorCode.BadText)]
    [InlineData(typeof(List<int>), "69 FFFFFFFF", MessageFormatErrorCode.Truncated)]
    public void Damaged_bodies_have_these_codes(Type type, string hex, MessageFormatErrorCode code) =>
        typeof(ErlangGoldenTests).GetMethod(nameof(CheckRefused), BindingFlags.Static | BindingFlags.NonPublic)!
            .MakeGenericMethod(type).Invoke(null, [Bytes.Hex(hex), code]);

    private static void Check<T>(byte[] body, T value)
    {
        var formatter = new ErlangFormatter<T>();
        Assert.Equal(body, formatter.Write(value));
        Assert.Equal(value, formatter.Read(body));
    }

    private static void CheckRefused<T>(byte[] body, MessageFormatErrorCode code) =>
        Assert.Equal(code, Assert.Throws<MessageFormatException>(() => new ErlangFormatter<T>().Read(body)).Code);
}
