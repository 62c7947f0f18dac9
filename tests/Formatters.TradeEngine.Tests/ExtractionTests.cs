using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Buffers;
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
        Assert.Equal(8, ways.Select(way => way.Name).Distinct().Count());
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

    /// <summary>Few different bytes, so that patterns have borders and occur.</summary>
    [Fact]
    public void BoyerMoore_OnRandomTexts_FindsWhatIndexOfFinds()
    {
        for (int seed = 0; seed < 20_000; seed++)
        {
            var random = new Random(seed);
            byte[] pattern = Bytes(random, random.Next(1, 9));
            byte[] text = Bytes(random, random.Next(0, 60));

            int index = new BoyerMoore(pattern).IndexOf(text);

            Assert.True(index == text.AsSpan().IndexOf(pattern), $"Seed {seed}: {index}");
        }

        static byte[] Bytes(Random random, int count)
        {
            byte[] bytes = new byte[count];
            int different = random.Next(1, 5);
            for (int i = 0; i < count; i++)
                bytes[i] = (byte)(random.Next(different) * 85);
            return bytes;
        }
    }

    [Theory]
    [InlineData("", "a", -1)]
    [InlineData("a", "a", 0)]
    [InlineData("abcabcabd", "abcabd", 3)]
    [InlineData("anpanman", "panman", 2)]
    [InlineData("<Party>E</Party>", "</Party>", 8)]
    public void BoyerMoore_OnATextOfKnownResult_FindsIt(string text, string pattern, int index) =>
        Assert.Equal(index, new BoyerMoore(System.Text.Encoding.ASCII.GetBytes(pattern)).IndexOf(System.Text.Encoding.ASCII.GetBytes(text)));

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
