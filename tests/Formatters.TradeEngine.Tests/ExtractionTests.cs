using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.TradeEngine.Building;
using Formatters.TradeEngine.Extraction;
using Formatters.TradeEngine.Matching;
using Formatters.TradeEngine.Messages;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class ExtractionTests
{
    [Fact]
    public void Fields_ByEveryWay_AreThoseOfTheMessage()
    {
        IReadOnlyList<FieldExtraction> ways = FieldExtraction.CreateAll();
        Assert.Equal(7, ways.Select(way => way.Name).Distinct().Count());
        foreach (SetMessage message in MessageSet.Create(new MessageSetOptions { Seed = 6, TradeCount = 40, ChangeShare = 0.5 }).GetMessages())
        {
            var expected = new ExtractedFields();
            expected.Take(message.Message);
            foreach (FieldExtraction way in ways)
            {
                var fields = new ExtractedFields();
                way.Extract(message.Message.Header.Type, Write(way, message.Message), fields);

                Assert.Equal(expected.Values.Present, fields.Values.Present);
                Assert.Equal(expected.Values.ToArray(), fields.Values.ToArray());
                Assert.Equal((expected.Version, expected.Variant, expected.Party, expected.Sender), (fields.Version, fields.Variant, fields.Party, fields.Sender));
            }
        }
    }

    [Fact]
    public void Fields_OfABodyThatIsCutOff_AreRefusedByEveryWay()
    {
        SetMessage message = MessageSet.Create(new MessageSetOptions { TradeCount = 1 }).GetMessages().First();
        foreach (FieldExtraction way in FieldExtraction.CreateAll())
        {
            byte[] body = Write(way, message.Message);
            // Every way, wherever the body ends before the last field that is needed.
            for (int length = 0; length < body.Length / 5; length++)
            {
                Exception thrown = Record.Exception(() => way.Extract(message.Message.Header.Type, body[..length], new ExtractedFields()));
                Assert.True(thrown is FormatException or MessageFormatException or System.Xml.XmlException or ArgumentException, $"{way.Name}, {length}: {thrown}");
            }
        }
    }

    [Fact]
    public void Names_OfAllCriteria_AreFound()
    {
        for (int i = 0; i < FieldNames.All.Length; i++)
            Assert.Equal(i, FieldNames.IndexOf(FieldNames.All[i]));
        Assert.Equal(FieldNames.FirstCriterion + CriterionSet.Count, FieldNames.All.Length);
        Assert.Equal(-1, FieldNames.IndexOf("Narrative"u8));
        Assert.Equal(-1, FieldNames.IndexOf(""u8));
        Assert.Equal(FieldNames.FirstCriterion + 10, FieldNames.Of(MessageType.NoticeOfExecution).Length);
    }

    private static byte[] Write(FieldExtraction way, TradeMessage message)
    {
        using var buffer = new PooledBufferWriter();
        way.Formats.Write(buffer, message);
        return buffer.WrittenSpan.ToArray();
    }
}
