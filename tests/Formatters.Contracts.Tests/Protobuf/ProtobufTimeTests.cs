using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>Times, decimals and GUIDs, which are read at once where they have the usual form: every other form, before other fields and at the end of the body.</summary>
public class ProtobufTimeTests
{
    [Fact]
    public void Seconds_and_nanoseconds_of_every_length_are_the_same_time()
    {
        foreach (int secondsByteCount in Enumerable.Range(0, 11))
        {
            foreach (int nanosByteCount in Enumerable.Range(0, 11))
            {
                byte[] time = [.. Field(0x08, 5, secondsByteCount), .. Field(0x10, 700, nanosByteCount)];
                DateTime expected = new DateTime(1970, 1, 1, 0, 0, 0, DateTimeKind.Utc).AddSeconds(secondsByteCount == 0 ? 0 : 5).AddTicks(nanosByteCount == 0 ? 0 : 7);
                byte[] first = [0x0A, (byte)time.Length, .. time], last = [0x1A, (byte)time.Length, .. time];
                foreach (ProtobufFormatter<Times> formatter in Formatters())
                {
                    Assert.Equal((secondsByteCount, nanosByteCount, expected, 0, default), Read(formatter, first));
                    Assert.Equal((secondsByteCount, nanosByteCount, default, 0, expected), Read(formatter, last));
                    Assert.Equal((secondsByteCount, nanosByteCount, expected, 9, expected), Read(formatter, [.. first, 0x10, 9, .. last]));
                    for (int i = 1; i < last.Length; i++)
                    {
                        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(last.AsSpan(0, i)));
                        Assert.Equal((MessageFormatErrorCode.Truncated, "Times.Last"), (e.Code, e.MemberPath));
                    }
                }

                (int, int, DateTime, int, DateTime) Read(ProtobufFormatter<Times> formatter, byte[] body)
                {
                    Times read = formatter.Read(body);
                    return (secondsByteCount, nanosByteCount, read.First, read.Between, read.Last);
                }
            }
        }
    }

    [Theory]
    [InlineData("22 00", "0", "00000000-0000-0000-0000-000000000000")]
    [InlineData("22 04 2D312E35", "-1.5", "00000000-0000-0000-0000-000000000000")]
    [InlineData("22 84 00 2D312E35", "-1.5", "00000000-0000-0000-0000-000000000000")] // a length of two bytes
    [InlineData("22 01 37 2A 10 00112233445566778899AABBCCDDEEFF", "7", "00112233-4455-6677-8899-aabbccddeeff")]
    [InlineData("2A 24 30303131323233332d343435352d363637372d383839392d616162626363646465656666", "0", "00112233-4455-6677-8899-aabbccddeeff")]
    [InlineData("2A A4 00 30303131323233332d343435352d363637372d383839392d616162626363646465656666", "0", "00112233-4455-6677-8899-aabbccddeeff")]
    public void Decimals_and_guids_of_every_form_are_read(string hex, string number, string guid)
    {
        foreach (ProtobufFormatter<Times> formatter in Formatters())
        {
            Times read = formatter.Read(Bytes.Hex(hex));
            Assert.Equal((decimal.Parse(number, System.Globalization.CultureInfo.InvariantCulture), Guid.Parse(guid)), (read.Number, read.Id));
        }
    }

    [Theory]
    [InlineData("22 02 3178", MessageFormatErrorCode.BadValue, 1)]
    [InlineData("22 03 31", MessageFormatErrorCode.Truncated, 2)]
    [InlineData("2A 24 30303131323233332d343435352d363637372d383839392d61616262636364646565667A", MessageFormatErrorCode.BadValue, 1)]
    [InlineData("2A 03 303030", MessageFormatErrorCode.BadValue, 1)]
    [InlineData("0A 0C 08FFFFFFFFFFFFFFFF7F 1001", MessageFormatErrorCode.BadValue, 1)] // beyond the year 9999
    public void What_is_no_value_is_refused_where_it_is(string hex, MessageFormatErrorCode code, int offset)
    {
        foreach (ProtobufFormatter<Times> formatter in Formatters())
        {
            byte[] body = Bytes.Hex(hex);
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((code, code == MessageFormatErrorCode.Truncated ? body.Length : offset), (e.Code, (int)e.ByteOffset));
        }
    }

    /// <summary>A varint field of a number of bytes, with zeros at its end; none for 0.</summary>
    private static byte[] Field(byte tag, int value, int byteCount)
    {
        if (byteCount == 0)
            return [];
        byte[] bytes = [.. Enumerable.Range(0, byteCount).Select(i => (byte)((i < 5 ? value >> (7 * i) : 0) & 0x7F | 0x80))];
        bytes[^1] &= 0x7F;
        return byteCount == 1 && value > 0x7F ? Field(tag, value, 2) : [tag, .. bytes];
    }

    private static IEnumerable<ProtobufFormatter<Times>> Formatters()
    {
        yield return new(Times.MessageContract);
        yield return new(ByReflection.Protobuf);
    }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class Times
{
    [MessageMember(1)] public DateTime First { get; set; }

    [MessageMember(2)] public int Between { get; set; }

    [MessageMember(3)] public DateTime Last { get; set; }

    [MessageMember(4)] public decimal Number { get; set; }

    [MessageMember(5)] public Guid Id { get; set; }
}
