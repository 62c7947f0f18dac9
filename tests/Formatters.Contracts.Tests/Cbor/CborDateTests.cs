using System;
using System.Globalization;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>Dates as text: the text of the base library without trailing zeros, and the dates of a plain parser.</summary>
public class CborDateTests
{
    private static readonly CborFormatter<DateTime> Dates = new();
    private static readonly CborFormatter<DateTimeOffset> OffsetDates = new();

    private static readonly Regex Pattern = new(
        @"^([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.([0-9]+))?([Zz]|([+-])([0-9]{2}):([0-9]{2}))?\z", RegexOptions.CultureInvariant);

    [Fact]
    public void Every_day_is_written_and_read()
    {
        for (var day = new DateTime(1, 1, 1, 0, 0, 0, DateTimeKind.Utc); ; day = day.AddDays(1))
        {
            byte[] body = Dates.Write(day);
            // The text has 20 characters, after the tag and the head.
            int digits = 0;
            foreach (int i in new[] { 2, 3, 4, 5, 7, 8, 10, 11 })
                digits = (digits * 10) + body[i] - '0';
            if (digits != (day.Year * 10_000) + (day.Month * 100) + day.Day || Dates.Read(body) != day)
                Assert.Fail(day.ToString("O", CultureInfo.InvariantCulture));
            if (day.Date == DateTime.MaxValue.Date)
                break;
        }
    }

    [Fact]
    public void Every_second_of_a_day_is_written_and_read()
    {
        for (int second = 0; second < 86_400; second++)
            Check(new DateTime(2024, 2, 29).AddSeconds(second), TimeSpan.FromMinutes((second % 1681) - 840));
    }

    [Fact]
    public void Fractions_of_up_to_seven_digits_are_written_and_read()
    {
        var random = new Random(7);
        for (int digitCount = 0, unit = 10_000_000; digitCount <= 7; digitCount++, unit /= 10)
        {
            for (int i = 0; i < 1000; i++)
                Check(new DateTime(random.NextInt64(DateTime.MaxValue.Ticks) / unit * unit), TimeSpan.Zero);
        }

        Check(DateTime.MinValue, TimeSpan.Zero);
        Check(DateTime.MinValue.AddHours(14), TimeSpan.FromHours(14));
        Check(DateTime.MaxValue, TimeSpan.Zero);
        Check(DateTime.MaxValue.AddHours(-14), TimeSpan.FromHours(-14));
    }

    [Theory]
    [InlineData("0001-01-01T00:00:00")]
    [InlineData("9999-12-31T23:59:59Z")]
    [InlineData("2024-02-29t12:34:56.7z")]
    [InlineData("2026-11-28T19:50:01.1234567-13:59")]
    [InlineData("2026-11-28T19:50:01.12345678901234567890+00:00")]
    [InlineData("2026-11-28T19:50:01.1234567+14:00")]
    public void A_wrong_character_at_any_place_is_refused_as_by_a_plain_parser(string text)
    {
        byte[] bytes = Encoding.ASCII.GetBytes(text);
        for (int length = 0; length <= bytes.Length; length++)
            CheckParsed(bytes[..length]);
        for (int i = 0; i < bytes.Length; i++)
        {
            for (int other = 0; other < 256; other++)
            {
                byte[] changed = [.. bytes];
                changed[i] = (byte)other;
                CheckParsed(changed);
            }
        }
    }

    [Fact]
    public void Random_texts_are_parsed_as_by_a_plain_parser()
    {
        var random = new Random(8);
        for (int i = 0; i < 20_000; i++)
        {
            string text = string.Create(CultureInfo.InvariantCulture, $"{Part(10_000):0000}-{Part(13):00}-{Part(32):00}T{Part(25):00}:{Part(61):00}:{Part(61):00}");
            if (random.Next(3) > 0)
                text += "." + new string([.. Enumerable.Range(0, random.Next(20)).Select(_ => (char)('0' + random.Next(10)))]);
            text += random.Next(4) switch { 0 => "", 1 => "Z", 2 => $"+{Part(16):00}:{Part(61):00}", _ => $"-{Part(16):00}:{Part(61):00}" };
            byte[] bytes = Encoding.ASCII.GetBytes(text);
            if (random.Next(8) == 0)
                bytes[random.Next(bytes.Length)] ^= (byte)(1 << random.Next(8));
            CheckParsed(bytes);
        }

        int Part(int end) => random.Next(end);
    }

    private static void Check(DateTime clock, TimeSpan offset)
    {
        var utc = DateTime.SpecifyKind(clock, DateTimeKind.Utc);
        var withOffset = new DateTimeOffset(clock, offset);
        CheckText(Dates.Write(clock), TextOf(clock.ToString("O", CultureInfo.InvariantCulture)), isTagged: false);
        CheckText(Dates.Write(utc), TextOf(utc.ToString("O", CultureInfo.InvariantCulture)), isTagged: true);
        CheckText(OffsetDates.Write(withOffset), TextOf(withOffset.ToString("O", CultureInfo.InvariantCulture)), isTagged: true);
        var local = DateTime.SpecifyKind(clock, DateTimeKind.Local);
        CheckText(Dates.Write(local), TextOf(local.ToString("O", CultureInfo.InvariantCulture)), isTagged: true);
        Assert.Equal(clock, Dates.Read(Dates.Write(clock)));
        Assert.Equal(utc, Dates.Read(Dates.Write(utc)));
        Assert.True(withOffset.EqualsExact(OffsetDates.Read(OffsetDates.Write(withOffset))));
    }

    private static string TextOf(string roundTrip) => roundTrip[..19] + roundTrip[19..27].TrimEnd('0').TrimEnd('.') + roundTrip[27..];

    private static void CheckText(byte[] body, string text, bool isTagged) => Assert.Equal(BodyOf(Encoding.ASCII.GetBytes(text), isTagged), body);

    private static byte[] BodyOf(byte[] text, bool isTagged) =>
        [.. isTagged ? new byte[] { 0xC0 } : [], .. text.Length < 24 ? [(byte)(0x60 + text.Length)] : new byte[] { 0x78, (byte)text.Length }, .. text];

    private static void CheckParsed(byte[] text)
    {
        byte[] body = BodyOf(text, isTagged: true);
        DateTimeOffset? expected = Parse(Encoding.Latin1.GetString(text), out bool hasOffset);
        if (expected is null)
        {
            CheckRefused(() => Dates.Read(body));
            CheckRefused(() => OffsetDates.Read(body));
            return;
        }

        DateTime date = Dates.Read(body);
        Assert.Equal(expected.Value.UtcDateTime, hasOffset ? date.ToUniversalTime() : date);
        if (hasOffset)
            Assert.True(expected.Value.EqualsExact(OffsetDates.Read(body)));
        else
            CheckRefused(() => OffsetDates.Read(body));
    }

    private static void CheckRefused(Action read)
    {
        MessageFormatException error = Assert.Throws<MessageFormatException>(read);
        Assert.Equal(MessageFormatErrorCode.BadValue, error.Code);
        Assert.Equal(0, error.ByteOffset);
    }

    private static DateTimeOffset? Parse(string text, out bool hasOffset)
    {
        Match match = Pattern.Match(text);
        hasOffset = match.Groups[9].Success;
        if (!match.Success)
            return null;
        int Number(int group) => match.Groups[group].Success ? int.Parse(match.Groups[group].Value, CultureInfo.InvariantCulture) : 0;
        try
        {
            var clock = new DateTime(Number(1), Number(2), Number(3), Number(4), Number(5), Number(6));
            clock = clock.AddTicks(long.Parse(match.Groups[8].Value.PadRight(7, '0')[..7], CultureInfo.InvariantCulture));
            if (Number(12) > 59)
                return null;
            var offset = new TimeSpan(Number(11), Number(12), 0);
            return new DateTimeOffset(clock, match.Groups[10].Value == "-" ? -offset : offset);
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}
