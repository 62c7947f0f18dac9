using System;
using Formatters.Orders;
using Xunit;

namespace Formatters.Contracts.Tests;

/// <summary>A body of exactly the greatest size is written, although generated code reserves more for members than they take.</summary>
public class BodyLimitTests
{
    public static TheoryData<string> Formats => ["binary", "versioned", "MessagePack", "CBOR", "compact", "RESP3", "protobuf"];

    [Theory]
    [MemberData(nameof(Formats))]
    public void A_body_of_the_largest_size_is_written(string format)
    {
        for (int lineItemCount = 0; lineItemCount < 12; lineItemCount++)
        {
            GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, lineItemCount));
            byte[] body = Create(format, FormatterLimits.Default).Write(order);

            Assert.Equal(body, Create(format, FormatterLimits.Default with { MaxBodyByteCount = body.Length }).Write(order));
            var error = Assert.Throws<MessageFormatException>(() => Create(format, FormatterLimits.Default with { MaxBodyByteCount = body.Length - 1 }).Write(order));
            Assert.Equal(MessageFormatErrorCode.LimitExceeded, error.Code);
        }
    }

    private static MessageFormatter<GeneratedOrder> Create(string format, FormatterLimits limits) => AllFormats.Of<GeneratedOrder>(format, limits);
}
