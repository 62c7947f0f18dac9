using System;
using System.Collections.Generic;
using System.Linq;
using System.Net;
using System.Numerics;
using System.Reflection;

namespace Formatters.Contracts.Tests.Judges;

/// <summary>Values of a type at which a form of some format ends and another begins.</summary>
internal static class Boundaries
{
    /// <summary>The powers of two and ten, what begins and ends the forms of numbers, and the numbers beside them, with either sign.</summary>
    private static readonly BigInteger[] s_integers =
    [
        .. Enumerable.Range(0, 130).Select(static power => BigInteger.Pow(2, power)).Concat(Enumerable.Range(0, 39).Select(static power => BigInteger.Pow(10, power)))
            .Concat([0, 24, 23, 100, 1664, 1663, 863_999_999_999, 3_652_058, 719_162, 2_932_896]).SelectMany(static one => new[] { one - 1, one, one + 1, -one - 1, -one, 1 - one }).Distinct(),
    ];

    /// <summary>Gets the integers around the ends of 5, 7, 8, 16 bits and so on, with either sign.</summary>
    internal static IEnumerable<BigInteger> FewIntegers =>
        new[] { 0, 5, 7, 8, 15, 16, 24, 31, 32, 53, 54, 55, 61, 62, 63, 64, 72, 95, 96, 127, 128 }.SelectMany(static power => new[] { -1, 0, 1, 2 }.Select(other => BigInteger.Pow(2, power) + other))
            .Concat([3_155_378_975_999_999_999, 3_155_378_976_000_000_000, 863_999_999_999, 864_000_000_000, 999_999_999, 1_000_000_000, 3_652_058, 3_652_059]).SelectMany(static one => new[] { one, -one }).Distinct();

    /// <summary>Lengths of text and bytes, and counts of elements.</summary>
    private static readonly int[] s_lengths = [0, 1, 15, 16, 23, 24, 31, 32, 39, 40, 41, 127, 128, 255, 256, 257, 16_383, 16_384, 65_535, 65_536];

    /// <summary>Objects with each boundary as the value of their one member; a record of several members, or a union, has none.</summary>
    internal static IEnumerable<T> Of<T>()
    {
        PropertyInfo property = typeof(T).GetProperties()[0];
        if (property.Name != "Value" || property.PropertyType.IsAbstract)
            return [];
        Type type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        IEnumerable<object?> values = type == property.PropertyType ? Of(type) : Of(type).Prepend(null);
        return values.Select(value =>
        {
            T one = Activator.CreateInstance<T>();
            property.SetValue(one, value);
            return one;
        });
    }

    private static IEnumerable<object?> Of(Type type)
    {
        if (type.IsEnum)
            return Of(type.GetEnumUnderlyingType()).Select(value => (object?)Enum.ToObject(type, value!));
        if (type == typeof(string))
            return s_lengths.Select(static length => (object?)new string('a', length)).Concat(["é", "東😀", "\0", "\uFEFF", new string('é', 20), new string('東', 85)]);
        if (type == typeof(byte[]))
            return s_lengths.Select(static length => new byte[length]);
        if (type == typeof(bool))
            return [false, true];
        if (type == typeof(char))
            return new[] { 0, 1, 127, 128, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF }.Select(static code => (object?)(char)code);
        if (type == typeof(double) || type == typeof(float) || type == typeof(Half))
            return Floats().Select(number => type == typeof(double) ? number : type == typeof(float) ? (object?)(float)number : (Half)number);
        if (type == typeof(decimal))
            return Decimals().Cast<object?>();
        if (type == typeof(DateTime))
            return Ticks().Select(static ticks => (object?)new DateTime(ticks, DateTimeKind.Utc)).Concat(Ticks().Select(static ticks => (object?)new DateTime(ticks)));
        if (type == typeof(DateTimeOffset))
            return [DateTimeOffset.MinValue, DateTimeOffset.MaxValue, .. Offsets()];
        if (type == typeof(Guid))
            return [Guid.Empty, new Guid("00112233-4455-6677-8899-aabbccddeeff")];
        if (type == typeof(TimeSpan))
            return Of(typeof(long)).Select(static ticks => (object?)new TimeSpan((long)ticks!));
        if (type == typeof(TimeOnly))
            return Of(typeof(long)).Where(static ticks => (long)ticks! is >= 0 and < TimeSpan.TicksPerDay).Select(static ticks => (object?)new TimeOnly((long)ticks!));
        if (type == typeof(DateOnly))
            return Of(typeof(int)).Where(static day => (int)day! is >= 0 and <= 3_652_058).Select(static day => (object?)DateOnly.FromDayNumber((int)day!));
        if (type == typeof(Uri))
            return [new Uri("http://example.org/é?a=%20b"), new Uri("/a/b", UriKind.Relative), new Uri("", UriKind.Relative)];
        if (type == typeof(Version))
            return [new Version(0, 0), new Version(1, 2, 3), new Version(1, 2, 3, int.MaxValue)];
        if (type == typeof(IPAddress))
            return [IPAddress.Any, IPAddress.Broadcast, IPAddress.IPv6Any, IPAddress.Parse("2001:db8::1"), IPAddress.Parse("::ffff:1.2.3.4")];
        if (type == typeof(BigInteger))
            return s_integers.Cast<object?>();
        if (type.IsPrimitive || type == typeof(Int128) || type == typeof(UInt128))
            return s_integers.Select(value => Fitting(type, value)).Where(static value => value is not null);
        return Collections(type);
    }

    private static IEnumerable<object?> Collections(Type type)
    {
        if (type == typeof(List<int>))
            return s_lengths.Take(16).Select(static count => Enumerable.Range(-2, count).ToList());
        if (type == typeof(List<double>))
            return s_lengths.Take(14).Select(static count => Enumerable.Range(-2, count).Select(static i => i / 10.0).ToList());
        if (type == typeof(List<long?>)) // Runs of nulls.
            return s_lengths.Take(14).Select(static count => Enumerable.Range(0, count).Select(static i => i % 100 == 99 ? i : (long?)null).ToList());
        return s_lengths.Take(14).Select(static count => Enumerable.Range(0, count).ToDictionary(static i => (long)i, static i => $"{i}"));
    }

    private static object? Fitting(Type type, BigInteger value)
    {
        (BigInteger min, BigInteger max) = type == typeof(Int128) ? (Int128.MinValue, Int128.MaxValue) : type == typeof(UInt128) ? (UInt128.MinValue, UInt128.MaxValue)
            : (new BigInteger(Convert.ToDecimal(type.GetField("MinValue")!.GetValue(null), null)), new BigInteger(Convert.ToDecimal(type.GetField("MaxValue")!.GetValue(null), null)));
        return value < min || value > max ? null : type == typeof(Int128) ? (Int128)value : type == typeof(UInt128) ? (UInt128)value : Convert.ChangeType((decimal)value, type, null);
    }

    private static IEnumerable<double> Floats()
    {
        IEnumerable<double> positive = s_integers.Where(static value => value >= 0).SelectMany(static value => new[] { (double)value, (double)value / 100, (double)value + 0.5, Math.BitIncrement((double)value) })
            .Concat([0.1, 0.1f, 12.34, 0.005, 5.960464477539063E-08, 6.103515625E-05, 65504, 65520, float.MaxValue, float.Epsilon, double.MaxValue, double.Epsilon, double.PositiveInfinity, 1 / 3.0, 1 / 3f])
            .Concat([BitConverter.Int64BitsToDouble(0x7FF8_0000_0000_0000), BitConverter.Int64BitsToDouble(0x7FF8_0000_2000_0001)]);
        return positive.SelectMany(static number => new[] { number, -number });
    }

    private static IEnumerable<decimal> Decimals()
    {
        decimal[] whole = [.. s_integers.Where(static value => value >= 0 && value < BigInteger.One << 96).Select(static value => (decimal)value), decimal.MaxValue];
        return whole.SelectMany(static value => new[] { 0, 1, 2, 27, 28 }.SelectMany(scale => new[] { true, false }.Select(isNegative => WithScale(value, isNegative, scale))));

        static decimal WithScale(decimal value, bool isNegative, int scale)
        {
            int[] bits = decimal.GetBits(value);
            return new decimal(bits[0], bits[1], bits[2], isNegative, (byte)scale);
        }
    }

    private static IEnumerable<long> Ticks() =>
    [
        0, 1, TimeSpan.TicksPerMillisecond, TimeSpan.TicksPerSecond, TimeSpan.TicksPerDay, TimeSpan.TicksPerDay - 1, DateTime.UnixEpoch.Ticks, DateTime.UnixEpoch.Ticks - 1,
        DateTime.UnixEpoch.Ticks - TimeSpan.TicksPerSecond, new DateTime(2026, 1, 2, 3, 4, 5).Ticks + 5_000_000, DateTime.MaxValue.Ticks, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay + 1,
        DateTime.UnixEpoch.Ticks + (TimeSpan.TicksPerSecond << 32), DateTime.UnixEpoch.Ticks + (TimeSpan.TicksPerSecond << 34),
    ];

    private static IEnumerable<object?> Offsets() =>
        new[] { -840, -1, 0, 1, 60, 840 }.SelectMany(static offset => Ticks().Where(ticks => ticks - (offset * TimeSpan.TicksPerMinute) is >= 0 and <= 3155378975999999999)
            .Select(ticks => (object?)new DateTimeOffset(ticks, TimeSpan.FromMinutes(offset))));
}
