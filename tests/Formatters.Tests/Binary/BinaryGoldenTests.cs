using System;
using System.IO;
using System.Linq;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Binary;

/// <summary>Orders as the first version wrote them, through System.IO.BinaryWriter. A change of these files is a change of the wire format.</summary>
public class BinaryGoldenTests
{
    public static TheoryData<int, SampleText> Bodies()
    {
        var data = new TheoryData<int, SampleText>();
        foreach (int count in new[] { 0, 1, 50 })
        {
            foreach (SampleText text in Enum.GetValues<SampleText>())
                data.Add(count, text);
        }

        return data;
    }

    private static byte[] Body(int lineItemCount, SampleText text) =>
        Golden.Read("binary", $"order-{lineItemCount}-{text.ToString().ToLowerInvariant()}.bin");

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Order_GoldenBody_IsReadAndWrittenAlike(int lineItemCount, SampleText text)
    {
        byte[] body = Body(lineItemCount, text);
        Order expected = SampleOrders.Create(2026, lineItemCount, text);
        var formatter = new HandCodedFormatter<Order>();
        Assert.True(expected.ContentEquals(formatter.Read(body)));
        Assert.Equal(body, formatter.Write(expected));
    }

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Order_EveryPrefixOfAGoldenBody_IsTruncatedAtItsEnd(int lineItemCount, SampleText text)
    {
        byte[] body = Body(lineItemCount, text);
        var formatter = new HandCodedFormatter<Order>();
        for (int byteCount = 0; byteCount < body.Length; byteCount++)
        {
            Assert.False(formatter.TryRead(body.AsSpan(0, byteCount), out _, out MessageFormatException? error));
            Assert.Equal(MessageFormatErrorCode.Truncated, error.Code);
            Assert.Equal(byteCount, error.ByteOffset);
        }
    }
}
