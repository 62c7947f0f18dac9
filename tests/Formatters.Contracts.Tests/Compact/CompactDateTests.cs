using System;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Dates before others, which are read from one number, have the values and errors of the last date of a body, which is not.</summary>
public class CompactDateTests
{
    private static readonly CompactFormatter<DateTime> Dates = new();
    private static readonly CompactFormatter<DateTime[]> Arrays = new();

    [Fact]
    public void Dates_of_every_unit_and_kind_are_read_anywhere()
    {
        var random = new Random(9);
        foreach (long unit in new[] { 1, TimeSpan.TicksPerMillisecond, TimeSpan.TicksPerSecond, TimeSpan.TicksPerDay })
        {
            long[] ticks = [0, unit, DateTime.MaxValue.Ticks / unit * unit, .. Enumerable.Range(0, 200).Select(_ => random.NextInt64(DateTime.MaxValue.Ticks) / unit * unit)];
            foreach (DateTimeKind kind in new[] { DateTimeKind.Unspecified, DateTimeKind.Utc, DateTimeKind.Local })
            {
                DateTime[] values = [.. ticks.Select(t => new DateTime(t, kind))];
                DateTime[] read = Arrays.Read(Arrays.Write(values));
                Assert.Equal(values.Select(static value => Dates.Read(Dates.Write(value))), read);
                Assert.Equal(values.Select(static value => value.Kind), read.Select(static value => value.Kind));
            }
        }
    }

    [Fact]
    public void Damaged_dates_have_the_same_errors_before_others()
    {
        var random = new Random(10);
        byte[] good = Dates.Write(new DateTime(2026, 11, 28, 19, 50, 1, DateTimeKind.Utc));
        for (int byteCount = 0; byteCount <= 10; byteCount++)
        {
            for (int i = 0; i < 3000; i++)
            {
                byte[] content = new byte[byteCount];
                random.NextBytes(content);
                // Years that exist, and units that are exact, are rare otherwise.
                if (byteCount > 0 && i % 2 == 0)
                    content[^1] = (byte)(content[^1] >> random.Next(9));
                if (byteCount > 0 && i % 3 == 0)
                    content[0] |= 3;
                byte[] date = [(byte)(0x80 + byteCount), .. content];
                (byte[]? alone, string? error) = Mutant.Outcome(() => Dates.Write(Arrays.Read([0xB1, .. date])[0]));
                (byte[]? first, string? firstError) = Mutant.Outcome(() => Dates.Write(Arrays.Read([0xB3, .. date, .. good, .. good])[0]));
                Assert.Equal(error, firstError);
                Assert.Equal(alone, first);
            }
        }
    }
}
