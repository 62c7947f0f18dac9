using System;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Versioned;

/// <summary>Orders as the first version wrote them. A change of these files is a change of the wire format.</summary>
public class VersionedGoldenTests
{
    public static TheoryData<int, SampleText> Bodies() => new() { { 0, SampleText.Ascii }, { 1, SampleText.Accented }, { 50, SampleText.Mixed }, { 50, SampleText.Cjk } };

    [Theory]
    [MemberData(nameof(Bodies))]
    public void Order_GoldenBody_IsReadAndWrittenAlike(int lineItemCount, SampleText text)
    {
        byte[] body = Golden.Read("versioned", $"order-{lineItemCount}-{text.ToString().ToLowerInvariant()}.bin");
        byte[] plain = Golden.Read("binary", $"order-{lineItemCount}-{text.ToString().ToLowerInvariant()}.bin");
        var binary = new BinaryBodyFormatter<GeneratedOrder>(GeneratedOrder.MessageContract);
        foreach (MessageFormatter<GeneratedOrder> formatter in Versions.Formatters(GeneratedOrder.MessageContract))
        {
            Assert.Equal(body, formatter.Write(binary.Read(plain)));
            Assert.Equal(plain, binary.Write(formatter.Read(body)));
            for (int byteCount = 0; byteCount < body.Length; byteCount++)
            {
                Assert.False(formatter.TryRead(body.AsSpan(0, byteCount), out _, out MessageFormatException? error));
                Assert.Equal((MessageFormatErrorCode.Truncated, byteCount), (error.Code, (int)error.ByteOffset));
            }
        }
    }
}
