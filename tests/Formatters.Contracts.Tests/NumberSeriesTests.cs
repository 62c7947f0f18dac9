#if !FORMATTERS_NETSTANDARD
using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Arrays and lists of numbers have the bytes of a collection whose numbers are written one by one, and the same errors.</summary>
public class NumberSeriesTests
{
    /// <summary>Around the widths of vectors, and beyond a pooled buffer.</summary>
    private static readonly int[] Counts = [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 1000, 20_000];

    public static TheoryData<string> Formats => [.. AllFormats.NamesOf<NumberSeries>()];

    [Theory]
    [MemberData(nameof(Formats))]
    public void Numbers_have_the_bytes_of_single_ones(string format)
    {
        foreach (int count in Counts)
        {
            NumberSeries value = NumberSeries.Create(new Random(count), count);
            byte[] body = AllFormats.Of<NumberSeries>(format).Write(value);
            Assert.Equal(AllFormats.Of<SingleNumbers>(format).Write(value.ToSingle()), body);
            NumberSeries read = AllFormats.Of<NumberSeries>(format).Read(body);
            Assert.Equal(body, AllFormats.Of<NumberSeries>(format).Write(read));

            // Over objects of another length, and of the same.
            NumberSeries existing = NumberSeries.Create(new Random(0), 10);
            List<int> list = existing.Integers;
            AllFormats.Of<NumberSeries>(format).Read(body, ref existing!);
            Assert.Same(list, existing.Integers);
            double[] doubles = existing.Doubles;
            AllFormats.Of<NumberSeries>(format).Read(body, ref existing!);
            Assert.Same(doubles, existing.Doubles);
            Assert.Equal(body, AllFormats.Of<NumberSeries>(format).Write(existing));
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Damaged_numbers_have_the_errors_of_single_ones(string format)
    {
        var random = new Random(43);
        foreach (int count in new[] { 1, 5, 20, 70 })
        {
            byte[] good = AllFormats.Of<NumberSeries>(format).Write(NumberSeries.Create(random, count));
            for (int length = 0; length < good.Length; length++)
                Check(good[..length]);
            for (int i = 0; i < 100; i++)
                Check(Mutant.Of(good, random));
        }

        void Check(byte[] body)
        {
            (byte[]? bytes, string? error) = Outcome<NumberSeries>(format, body);
            (byte[]? singleBytes, string? singleError) = Outcome<SingleNumbers>(format, body);
            Assert.Equal(singleError, error);
            Assert.Equal(singleBytes, bytes);
        }
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void Numbers_at_the_boundaries_of_sizes_are_read_anywhere(string format)
    {
        // The last numbers of a body are read one by one, so each is also followed by others.
        long[] longs = [.. Enumerable.Range(0, 64).SelectMany(static bit => new[] { (1L << bit) - 1, 1L << bit, ~(1L << bit), -(1L << bit) }),
            23, 24, 25, -24, -25, -32, -33, 127, 128, 1663, 1664, 1665];
        var value = new NumberSeries
        {
            Longs = longs, Integers = [.. longs.Select(static l => (int)l)], MoreIntegers = [.. longs.Reverse().Select(static l => (int)l)],
            Floats = [.. longs.Select(static l => BitConverter.Int32BitsToSingle((int)l)), .. longs.Select(static l => l / 100f)],
            Doubles = [.. longs.Select(BitConverter.Int64BitsToDouble), .. longs.Select(static l => l / 100d)],
        };
        byte[] body = AllFormats.Of<NumberSeries>(format).Write(value);
        NumberSeries read = AllFormats.Of<NumberSeries>(format).Read(body);

        Assert.Equal(AllFormats.Of<SingleNumbers>(format).Write(value.ToSingle()), body);
        Assert.Equal(value.Longs, read.Longs);
        Assert.Equal(value.Integers, read.Integers);
        Assert.Equal(value.MoreIntegers, read.MoreIntegers);
        Assert.Equal(value.Floats, read.Floats);
        Assert.Equal(value.Doubles, read.Doubles);
    }

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_number_of_another_form_has_the_same_bytes_at_any_place_among_raw_ones(string format)
    {
        double[] others =
        [
            0, -0.0, 1, -1, 0.01, -0.01, 0.1, 1.5, 19.99, 123456.78, 4194303.5, 41943.03, 41943.04, 1e-9, 1e15, 9007199254740991, 9007199254740992,
            22517998136852.47, 22517998136852.48, 9.2e18, 1e300, double.Epsilon, float.Epsilon, float.MaxValue, double.NaN, double.PositiveInfinity,
            double.NegativeInfinity,
        ];
        for (int count = 0; count <= 70; count++)
        {
            double[] numbers = [.. Enumerable.Range(0, count).Select(static i => Math.Sqrt(i + 2) / 3)];
            if (count > 0)
                numbers[count * 5 / 7] = others[count % others.Length];
            Check(numbers);
        }

        foreach (double other in others)
        {
            for (int place = 0; place < 17; place++)
            {
                double[] numbers = [.. Enumerable.Range(0, 17).Select(static i => Math.Sqrt(i + 2) / 3)];
                numbers[place] = other;
                Check(numbers);
            }
        }

        void Check(double[] numbers)
        {
            float[] floats = [.. numbers.Select(static number => (float)number)];
            var value = new NumberSeries { Doubles = numbers, Floats = floats, MoreFloats = [.. floats] };
            byte[] body = AllFormats.Of<NumberSeries>(format).Write(value);
            Assert.Equal(AllFormats.Of<SingleNumbers>(format).Write(value.ToSingle()), body);
            Assert.Equal(numbers, AllFormats.Of<NumberSeries>(format).Read(body).Doubles);
        }
    }

    /// <summary>Integers in forms that a reader rejects, or that do not fit, alone and before other numbers.</summary>
    [Theory]
    [InlineData("81 05", "compact")]
    [InlineData("81 FF", "compact")]
    [InlineData("82 7F06", "compact")]
    [InlineData("83 FFFF00", "compact")]
    [InlineData("88 0000000000000080", "compact")]
    [InlineData("A8 1F", "compact")]
    [InlineData("A9 FF00", "compact")]
    [InlineData("AF 0000000000000080", "compact")]
    [InlineData("1A 80000000", "cbor")]
    [InlineData("3A 80000000", "cbor")]
    [InlineData("1B 8000000000000000", "cbor")]
    [InlineData("3B 8000000000000000", "cbor")]
    [InlineData("1C", "cbor")]
    [InlineData("F4", "cbor")]
    public void Integers_in_other_forms_have_the_same_error_before_others(string hex, string format)
    {
        byte[] number = Convert.FromHexString(hex.Replace(" ", "", StringComparison.Ordinal));
        Func<byte[], string?> read = format == "cbor"
            ? body => Mutant.Outcome(() => new CborFormatter<int>().Write(new CborFormatter<int[]>().Read(body)[0])).Error
            : body => Mutant.Outcome(() => new CompactFormatter<int>().Write(new CompactFormatter<int[]>().Read(body)[0])).Error;
        byte header = format == "cbor" ? (byte)0x80 : (byte)0xB0;
        string? alone = read([(byte)(header + 1), .. number]);

        Assert.NotNull(alone);
        Assert.Equal(alone, read([(byte)(header + 11), .. number, .. new byte[10]]));
    }

    [Fact]
    public void A_canonical_body_has_one_NaN()
    {
        var value = new NumberSeries { Floats = new float[40], Doubles = new double[40] };
        value.Floats.AsSpan().Fill(BitConverter.Int32BitsToSingle(unchecked((int)0xFFC0_1234)));
        value.Doubles.AsSpan().Fill(BitConverter.Int64BitsToDouble(unchecked((long)0xFFF8_0000_1234_5678)));
        var options = new MessagePackOptions { IsCanonical = true };

        Assert.Equal(
            new MessagePackFormatter<SingleNumbers>(options).Write(value.ToSingle()), new MessagePackFormatter<NumberSeries>(options).Write(value));
    }

    [Fact]
    public void Floats_of_another_width_are_read()
    {
        byte[] body = [0x96, 0x92, 0xCB, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0, 0x02, 0x90, 0x92, 0x07, 0xCA, 0x40, 0, 0, 0, 0x90, 0x90, 0x90];

        NumberSeries read = AllFormats.Of<NumberSeries>("MessagePack").Read(body);

        Assert.Equal([1.5f, 2f], read.Floats);
        Assert.Equal([7d, 2d], read.Doubles);
    }

    private static (byte[]? Bytes, string? Error) Outcome<T>(string format, byte[] body)
    {
        MessageFormatter<T> formatter = AllFormats.Of<T>(format);
        (byte[]? bytes, string? error) = Mutant.Outcome(() => formatter.Write(formatter.Read(body)));
        return (bytes, error?.Replace(typeof(T).Name, "", StringComparison.Ordinal));
    }
}

/// <summary>Arrays and lists of numbers.</summary>
[MessageContract(Formats = Formats.Traversed)]
public sealed partial class NumberSeries
{
    [MessageMember(1)] public float[] Floats { get; set; } = [];
    [MessageMember(2)] public List<float> MoreFloats { get; set; } = [];
    [MessageMember(3)] public double[] Doubles { get; set; } = [];
    [MessageMember(4)] public List<int> Integers { get; set; } = [];
    [MessageMember(5)] public IReadOnlyList<long> Longs { get; set; } = [];
    [MessageMember(6)] public int[] MoreIntegers { get; set; } = [];

    /// <summary>Creates numbers of every width.</summary>
    internal static NumberSeries Create(Random random, int count)
    {
        return new NumberSeries
        {
            Floats = Make(() => random.Next(3) == 0 ? random.Next(100) : BitConverter.Int32BitsToSingle((int)Integer())),
            MoreFloats = [.. Make(() => random.NextSingle())],
            Doubles = Make(() => random.Next(3) == 0 ? random.Next(100) / 8d : BitConverter.Int64BitsToDouble(Integer())),
            Integers = [.. Make(() => (int)Integer())],
            Longs = Make(Integer),
            MoreIntegers = Make(() => (int)(Integer() >> 32 >> random.Next(32))),
        };

        long Integer() => random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);

        T[] Make<T>(Func<T> next) => [.. Enumerable.Range(0, count).Select(_ => next())];
    }

    internal SingleNumbers ToSingle() => new()
    {
        Floats = new(Floats), MoreFloats = new(MoreFloats), Doubles = new(Doubles), Integers = new(Integers), Longs = new(Longs), MoreIntegers = new(MoreIntegers),
    };
}

/// <summary>The same numbers in collections whose elements are written and read one by one.</summary>
[MessageContract(Formats = Formats.Traversed)]
public sealed partial class SingleNumbers
{
    [MessageMember(1)] public Queue<float> Floats { get; set; } = [];
    [MessageMember(2)] public Queue<float> MoreFloats { get; set; } = [];
    [MessageMember(3)] public Queue<double> Doubles { get; set; } = [];
    [MessageMember(4)] public Queue<int> Integers { get; set; } = [];
    [MessageMember(5)] public Queue<long> Longs { get; set; } = [];
    [MessageMember(6)] public Queue<int> MoreIntegers { get; set; } = [];
}
#endif
