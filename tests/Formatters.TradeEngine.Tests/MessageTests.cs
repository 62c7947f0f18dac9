using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Numerics;
using Formatters.Buffers;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Components;
using Formatters.TradeEngine.Matching;
using Formatters.TradeEngine.Messages;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class MessageTests
{
    public static TheoryData<string> FormatNames => [.. MessageFormats.All.Select(format => format.Name)];

    [Theory]
    [MemberData(nameof(FormatNames))]
    public void Messages_InEveryFormat_AreReadAsTheyWereWritten(string name)
    {
        MessageFormats formats = MessageFormats.Find(name)!;
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 20 });
        var expected = new CriterionValues();
        var validator = new MessageValidator(set.Data);
        foreach (SetMessage message in set.GetMessages())
        {
            using var body = new PooledBufferWriter();
            formats.Write(body, message.Message);

            TradeMessage read = formats.CreateReading(message.Message.Header.Type).Read(body.WrittenSpan);

            message.Message.CollectCriteria(expected);
            Assert.Equal(ExceptionReason.None, validator.Validate(read, message.Message.Header.Type, out string text));
            Assert.Equal("", text);
            Assert.Equal(expected.Present, validator.Values.Present);
            Assert.Equal(expected.ToArray(), validator.Values.ToArray());
            Assert.Equal(message.MessageId, read.Header.MessageId);
            Assert.Equal(message.Message.Header.CreatedAt, read.Header.CreatedAt.ToUniversalTime());
        }
    }

    [Fact]
    public void Messages_AsXml_HaveTheSizeOfTheStudy()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 100 });

        double average = set.GetMessages().Average(message =>
        {
            using var body = new PooledBufferWriter();
            MessageFormats.Xml.Write(body, message.Message);
            return body.WrittenCount;
        });

        Assert.InRange(average, 1_400, 1_600);
    }

    [Fact]
    public void Set_OfTheSameOptions_IsTheSame()
    {
        var options = new MessageSetOptions { Seed = 7, TradeCount = 50, BadShare = 0.1, DuplicateShare = 0.1, ChangeShare = 0.2, IncompleteShare = 0.1 };

        Assert.Equal(Bodies(MessageSet.Create(options)), Bodies(MessageSet.Create(options)));
        Assert.NotEqual(Bodies(MessageSet.Create(options)), Bodies(MessageSet.Create(options with { Seed = 8 })));

        static List<string> Bodies(MessageSet set) => [.. set.GetMessages().Select(message =>
        {
            using var body = new PooledBufferWriter();
            MessageFormats.Binary.Write(body, message.Message);
            return message.Label + message.Defect + Convert.ToHexString(body.WrittenSpan);
        })];
    }

    [Fact]
    public void Trade_HasSevenMessages_InWhichAll17CriteriaStandAtLeastTwice()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 1 });
        var values = new CriterionValues();
        var counts = new int[CriterionSet.Count];
        List<SetMessage> messages = [.. set.GetMessages()];
        foreach (SetMessage message in messages)
        {
            message.Message.CollectCriteria(values);
            foreach (Criterion criterion in Enum.GetValues<Criterion>().Where(values.Present.Contains))
                counts[(int)criterion]++;
        }

        Assert.Equal(7, messages.Count);
        Assert.Equal(17, Enum.GetValues<Criterion>().Length);
        Assert.All(counts, count => Assert.InRange(count, 2, 7));
        Assert.Equal([0, 1, 2, 3, 4, 5, 6], messages.Select(message => Slots.IndexOf(message.Message.Header.Type, message.Message.Header.Party)).Order());
    }

    [Fact]
    public void File_OfASet_HasTheMessagesOfTheSet()
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 300, BadShare = 0.05 });
        List<SetMessage> expected = [.. set.GetMessages().Where(message => message.Defect != Defect.Signature)];
        using var file = new MemoryStream();

        Assert.Equal(expected.Count, MessageSetFile.Write(file, set.GetMessages()));

        file.Position = 0;
        int i = 0;
        foreach (ReadOnlyMemory<byte> body in MessageSetFile.Read(file))
        {
            using var written = new PooledBufferWriter();
            MessageFormats.Xml.Write(written, expected[i].Message);
            Assert.Equal(expected[i].Label, MessageSetFile.LabelOf(body.Span));
            Assert.Equal(expected[i].MessageId, MessageSetFile.MessageIdOf(body.Span));
            Assert.Equal(expected[i].Defect is Defect.Truncated or Defect.Label or Defect.Misrouted, !written.WrittenSpan.SequenceEqual(body.Span));
            i++;
        }

        Assert.Equal(expected.Count, i);
    }

    [Fact]
    public void File_ThatEndsWithinAMessage_SaysSo()
    {
        using var file = new MemoryStream("<NOE></NOE>\u001E<ALC>"u8.ToArray());

        var error = Assert.Throws<InvalidDataException>(() => MessageSetFile.Read(file).Count());

        Assert.Contains("5 bytes", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Codes_OfUpTo12Characters_HaveNumbersOfTheirOwn()
    {
        string[] codes = ["0", "00", "A", "0A", "Z", "ZZZZZZZZZZZZ", "000000000000", "SG1234567890", "T00000000001"];
        long[] numbers = [.. codes.Select(code => PackedCode.TryPack(code, out long value) ? value : -1)];

        Assert.Equal(codes.Length, numbers.Distinct().Count());
        Assert.All(numbers, number => Assert.InRange(number, 1, long.MaxValue));
        Assert.Equal(codes, numbers.Select(PackedCode.Unpack));
        Assert.All(new[] { "", "a", "A B", "é", "0000000000000" }, code => Assert.False(PackedCode.TryPack(code, out _)));
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(8)]
    [InlineData(10)]
    [InlineData(16)]
    public void Database_OfATrade_IsItsVeryLongIntegerModuloTheirNumber(int databaseCount)
    {
        MessageSet set = MessageSet.Create(new MessageSetOptions { TradeCount = 2_000 });
        var values = new CriterionValues();
        var counts = new int[databaseCount];
        foreach (SetMessage message in set.GetMessages().Where(message => message.Label == "NOE"))
        {
            message.Message.CollectCriteria(values);
            TradeKey key = TradeKey.Of(values);
            Assert.True(key.ToInteger() > BigInteger.Pow(10, 20));
            Assert.Equal((int)(key.ToInteger() % databaseCount), key.DatabaseOf(databaseCount));
            if (BitOperations.IsPow2(databaseCount))
                Assert.Equal((int)(key.ToInteger() & (databaseCount - 1)), key.DatabaseOf(databaseCount));
            counts[key.DatabaseOf(databaseCount)]++;
        }

        Assert.All(counts, count => Assert.InRange(count, 0.9 * 2_000 / databaseCount, 1.1 * 2_000 / databaseCount));
    }
}
