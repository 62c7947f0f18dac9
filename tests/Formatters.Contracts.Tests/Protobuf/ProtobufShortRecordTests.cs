using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Protobuf;

/// <summary>Short records as elements, which are read in one piece if their bytes have the form that protobuf writes: every other form.</summary>
public class ProtobufShortRecordTests
{
    private const string Ordinary = "0805 1500002040 1A0161 880101";

    public static TheoryData<string, int, float, string, bool?> Forms => new()
    {
        { "", 0, 0, "", null },
        { Ordinary, 5, 2.5f, "a", true },
        { "0805", 5, 0, "", null },
        { "880100", 0, 0, "", false },
        { "1A0161 0805", 5, 0, "a", null }, // another order
        { "0805 0806", 6, 0, "", null }, // twice
        { "1A0161 1A0162", 0, 0, "b", null },
        { "0805 2007 1500002040", 5, 2.5f, "", null }, // unknown fields: between,
        { "2007 0805", 5, 0, "", null }, // before
        { "0805 2007", 5, 0, "", null }, // and after
        { "0D01000000 1500002040", 0, 2.5f, "", null }, // another wire type
        { "088500", 5, 0, "", null }, // longer than necessary: a value,
        { "880005", 5, 0, "", null }, // a tag,
        { "1A810061", 0, 0, "a", null }, // a length
        { "08FFFFFFFFFFFFFFFFFF01", -1, 0, "", null }, // ten bytes,
        { "0885808080808080808000", 5, 0, "", null },
        { "08FFFFFFFFFFFFFFFF7F", -1, 0, "", null }, // nine,
        { "08E0A712", 299_999 + 1, 0, "", null }, // three
        { "8801818000", 0, 0, "", true },
        { "1A02C3A9", 0, 0, "é", null },
        { "1A00", 0, 0, "", null },
    };

    public static TheoryData<string, MessageFormatErrorCode, int> Errors => new()
    {
        { "08", MessageFormatErrorCode.Truncated, 1 },
        { "0885", MessageFormatErrorCode.Truncated, 2 },
        { "15000020", MessageFormatErrorCode.Truncated, 4 },
        { "0805 1A0261", MessageFormatErrorCode.Truncated, 5 },
        { "0805 1A", MessageFormatErrorCode.Truncated, 3 },
        { "0805 1A01FF", MessageFormatErrorCode.BadText, 4 },
        { "0805 07", MessageFormatErrorCode.Malformed, 2 },
        { "08FFFFFFFFFFFFFFFFFFFF01", MessageFormatErrorCode.Malformed, 1 },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void EveryForm_HasTheSameValue(string hex, int number, float ratio, string name, bool? flag)
    {
        foreach (ProtobufFormatter<ShortRows> formatter in Formatters())
        {
            foreach (int field in new[] { 1, 2, 3 })
            {
                byte[] body = [.. Element(field, Ordinary), .. Element(field, hex), .. Element(field, Ordinary)];
                var existing = new ShortRows
                {
                    List = [.. Enumerable.Repeat(new ShortRow { Number = 9, Name = "old", Flag = true }, 4)],
                    Array = [.. Enumerable.Repeat(new ShortRow { Number = 9, Name = "old", Flag = true }, 3)],
                    Objects = [.. Enumerable.Range(0, 2).Select(static _ => new ShortObject { Number = 9, Name = "old", Ratio = 9, Flag = true })],
                };
                ShortObject first = existing.Objects[0];
                formatter.Read(body, ref existing);
                foreach (ShortRows read in new[] { formatter.Read(body), existing })
                {
                    (int, float, string, bool?)[] elements = field switch
                    {
                        1 => [.. read.List.Select(static e => (e.Number, e.Ratio, e.Name, e.Flag))],
                        2 => [.. read.Array.Select(static e => (e.Number, e.Ratio, e.Name, e.Flag))],
                        _ => [.. read.Objects.Select(static e => (e.Number, e.Ratio, e.Name, e.Flag))],
                    };
                    Assert.Equal([(5, 2.5f, "a", true), (number, ratio, name, flag), (5, 2.5f, "a", true)], elements);
                }

                if (field == 3)
                    Assert.Same(first, existing.Objects[0]);
            }
        }
    }

    [Theory]
    [MemberData(nameof(Errors))]
    public void Error_IsThatOfTheGeneralForm(string hex, MessageFormatErrorCode code, int offset)
    {
        foreach (ProtobufFormatter<ShortRows> formatter in Formatters())
        {
            foreach (int field in new[] { 1, 2, 3 })
            {
                byte[] first = Element(field, Ordinary);
                MessageFormatException e = Assert.Throws<MessageFormatException>(
                    () => formatter.Read([.. first, .. Element(field, hex), .. Element(field, Ordinary)]));
                Assert.Equal((code, first.Length + 2L + offset), (e.Code, e.ByteOffset));
                Assert.StartsWith($"ShortRows.{(field == 1 ? "List" : field == 2 ? "Array" : "Objects")}[1]", e.MemberPath, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void ElementThatIsLongerThanTheBody_IsTruncated()
    {
        foreach (ProtobufFormatter<ShortRows> formatter in Formatters())
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([0x0A, 2, 0x08, 5, 0x0A, 3, 0x08, 5]));
            Assert.Equal((MessageFormatErrorCode.Truncated, "ShortRows.List[1]"), (e.Code, e.MemberPath));
        }
    }

    [Fact]
    public void Limits_Apply()
    {
        byte[] body = [.. Element(1, Ordinary), .. Element(1, Ordinary), .. Element(1, Ordinary)];
        foreach (ProtobufFormatter<ShortRows> formatter in Formatters(new FormatterLimits { MaxDepth = 1 }))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal((MessageFormatErrorCode.DepthExceeded, "ShortRows.List[0]"), (e.Code, e.MemberPath));
        }

        foreach (ProtobufFormatter<ShortRows> formatter in Formatters(new FormatterLimits { MaxDepth = 2, MaxElementCount = 2 }))
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
            Assert.StartsWith("ShortRows.List", e.MemberPath, StringComparison.Ordinal);
            Assert.Equal(2, formatter.Read(body.AsSpan(0, body.Length / 3 * 2)).List.Count);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(1024)]
    [InlineData(2500)] // more than are counted ahead
    public void ManyElements_RoundTrip(int count)
    {
        ShortRow[] rows = [.. Enumerable.Range(0, count).Select(static i => new ShortRow { Number = i * 37, Ratio = i % 3, Name = "n" + (i % 7), Flag = i % 2 == 0 ? null : true })];
        var value = new ShortRows { List = [.. rows], Array = rows, Nested = [[.. rows], [], [.. rows.Take(2)]], Open = [.. rows] };
        byte[]? bytes = null;
        foreach (ProtobufFormatter<ShortRows> formatter in Formatters())
        {
            byte[] body = formatter.Write(value);
            Assert.Equal(bytes ??= body, body);
            ShortRows read = formatter.Read(body);
            var shorter = new ShortRows { List = [.. rows.Take(count / 2)], Array = new ShortRow[count], Nested = [[.. rows, .. rows]], Open = [.. rows.Take(1)] };
            formatter.Read(body, ref shorter);
            foreach (ShortRows result in new[] { read, shorter })
            {
                Assert.Equal(rows, result.List);
                Assert.Equal(rows, result.Array);
                Assert.Equal(value.Nested, result.Nested);
                Assert.Equal(rows, result.Open);
            }
        }
    }

    private static byte[] Element(int field, string hex)
    {
        byte[] content = Bytes.Hex(hex);
        return [(byte)((field << 3) | 2), (byte)content.Length, .. content];
    }

    private static IEnumerable<ProtobufFormatter<ShortRows>> Formatters(FormatterLimits? limits = null)
    {
        limits ??= FormatterLimits.Default;
        yield return new(ShortRows.MessageContract, new ProtobufOptions { Limits = limits });
        yield return new(ByReflection.Protobuf with { Limits = limits });
    }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public partial struct ShortRow
{
    [MessageMember(1)] public int Number { get; set; }

    [MessageMember(2)] public float Ratio;

    [MessageMember(3)] public string Name { get; set; }

    [MessageMember(17)] public bool? Flag { get; set; }
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class ShortObject
{
    [MessageMember(1)] public int Number { get; set; }

    [MessageMember(2)] public float Ratio { get; set; } = 1;

    [MessageMember(3)] public string Name { get; set; } = "new";

    [MessageMember(17)] public bool? Flag { get; set; } = true;
}

[MessageContract(Formats = ContractFormats.Protobuf)]
public sealed partial class ShortRows
{
    [MessageMember(1)] public List<ShortRow> List { get; set; } = [];

    [MessageMember(2)] public ShortRow[] Array { get; set; } = [];

    [MessageMember(3)] public List<ShortObject> Objects { get; set; } = [];

    [MessageMember(4)] public List<List<ShortRow>> Nested { get; set; } = [];

    [MessageMember(5)] public IReadOnlyList<ShortRow> Open { get; set; } = [];
}
