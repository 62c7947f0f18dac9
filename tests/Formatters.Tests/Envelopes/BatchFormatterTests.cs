using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using Formatters.Envelopes;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Envelopes;

public class BatchFormatterTests
{
    private static readonly HandCodedFormatter<Order> Orders = new();

    private static readonly BatchFormatter<Order> Batches = new(Orders);

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(100)]
    public void RoundTrip(int count)
    {
        Order[] orders = Samples(count);
        byte[] body = Batches.Write(orders);
        Assert.Equal(orders.Select(Orders.Write), Batches.Read(body).Select(Orders.Write));
        Assert.Equal(orders.Select(Orders.Write), Batches.ReadEach(body).Select(static item => Orders.Write(item.GetValue())));
        Assert.Equal(orders.Select(Orders.Write), Batches.ReadEach(new MessageBody(Bytes.Segmented(body, 5))).Select(static item => Orders.Write(item.Value!)));
        Assert.Equal((ContentTypes.Batch, BodyTypes.Batch), (Batches.ContentType, Batches.BodyType));
        var stingy = new StingyBufferWriter();
        Batches.Write(stingy, orders);
        Assert.Equal(body, stingy.ToArray());
        var untyped = new MessageBody();
        ((IMessageFormatter)Batches).Write(untyped, orders.ToList());
        Assert.Equal(body, untyped.ToArray());
        Assert.True(Batches.CanRead(untyped));
    }

    /// <summary>A batch in a batch: the limit on its body does not count what the buffer held before.</summary>
    [Fact]
    public void Write_BehindOtherBytes_HasItsOwnLimit()
    {
        IReadOnlyList<Order>[] batches = [Samples(3), Samples(3)];
        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = Batches.Write(batches[0]).Length };
        var outer = new BatchFormatter<IReadOnlyList<Order>>(new BatchFormatter<Order>(Orders, limits), FormatterLimits.Default);

        byte[] body = outer.Write(batches);

        Assert.Equal(batches.Select(Batches.Write), outer.Read(body).Select(Batches.Write));
    }

    [Fact]
    public void Write_IsWhatTheWirePageSays()
    {
        byte[] expected =
        [
            1, 0, 0x81, 0x8C, 0x01, (byte)ContentTypes.Binary.Length, .. Encoding.ASCII.GetBytes(ContentTypes.Binary),
            2, 0, 0, 0,
            5, 0, 0, 0, 4, (byte)'a', (byte)'b', (byte)'c', (byte)'d',
            1, 0, 0, 0, 0,
        ];
        Assert.Equal(expected, new BatchFormatter<string>(new BinaryBodyFormatter<string>()).Write(["abcd", ""]));
    }

    [Fact]
    public void ReadEach_ABadPayload_DoesNotSpoilTheOthers()
    {
        Order[] orders = Samples(5);
        byte[] body = Batches.Write(orders);
        int third = HeaderByteCount + orders.Take(2).Sum(order => 4 + Orders.Write(order).Length) + 4;
        body.AsSpan(third, Orders.Write(orders[2]).Length).Fill(0xFF);
        BatchItem<Order>[] items = Batches.ReadEach(body);
        Assert.Equal([true, true, false, true, true], items.Select(static item => item.IsGood));
        Assert.StartsWith("[2].Order", items[2].Error!.MemberPath, StringComparison.Ordinal);
        Assert.Null(items[2].Value);
        Assert.Same(items[2].Error, Assert.Throws<MessageFormatException>(() => items[2].GetValue()));
        Assert.Equal(Orders.Write(orders[4]), Orders.Write(items[4].GetValue()));
        Assert.StartsWith("[2].Order", Assert.Throws<MessageFormatException>(() => Batches.Read(body)).MemberPath, StringComparison.Ordinal);
    }

    [Fact]
    public void Read_DamagedLengths_RefuseTheWhole()
    {
        byte[] body = Batches.Write(Samples(3));
        for (int i = 0; i < body.Length; i++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Batches.ReadEach(body.AsSpan(0, i)));
            Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
            Assert.Throws<MessageFormatException>(() => Batches.Read(body.AsSpan(0, i)));
        }

        Assert.Equal(MessageFormatErrorCode.TrailingBytes, Assert.Throws<MessageFormatException>(() => Batches.ReadEach([.. body, 0])).Code);
        foreach ((int offset, byte value, MessageFormatErrorCode code) in new[]
        {
            (HeaderByteCount - 1, (byte)0xFF, MessageFormatErrorCode.BadLength),
            (HeaderByteCount - 1, (byte)0x7F, MessageFormatErrorCode.Truncated),
            (HeaderByteCount + 3, (byte)0xFF, MessageFormatErrorCode.BadLength),
            (HeaderByteCount + 3, (byte)0x7F, MessageFormatErrorCode.Truncated),
            (0, (byte)2, MessageFormatErrorCode.UnknownFormat),
            (1, (byte)1, MessageFormatErrorCode.UnknownFormat),
        })
        {
            byte[] damaged = [.. body];
            damaged[offset] = value;
            Assert.Equal(code, Assert.Throws<MessageFormatException>(() => Batches.ReadEach(damaged)).Code);
        }
    }

    [Fact]
    public void ReadEach_ManyErrors_AreCountedAgainstTheLimits()
    {
        // A million payloads of no bytes, each of them an error.
        byte[] body = [.. Batches.Write([])[..^4], 0x40, 0x42, 0x0F, 0, .. new byte[4_000_000]];
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => Batches.ReadEach(body)).Code);
        Assert.Equal(
            MessageFormatErrorCode.LimitExceeded,
            Assert.Throws<MessageFormatException>(() => new BatchFormatter<Order>(Orders, FormatterLimits.Default with { MaxElementCount = 1000 }).ReadEach(body)).Code);

        // 64 KiB and the length of the body, of 1 KiB each: 64 errors of no bytes, and no more.
        var tight = new BatchFormatter<Order>(Orders, FormatterLimits.Default with { MaxAllocationFactor = 1, MaxElementCount = 64 });
        byte[] few = [.. Batches.Write([])[..^4], 64, 0, 0, 0, .. new byte[4 * 64]], more = [.. Batches.Write([])[..^4], 65, 0, 0, 0, .. new byte[4 * 65]];
        Assert.Equal(64, tight.ReadEach(few).Count(static item => !item.IsGood));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => tight.ReadEach(more)).Code);
        var wide = new BatchFormatter<Order>(Orders, FormatterLimits.Default with { MaxAllocationFactor = 1 });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => wide.ReadEach(more)).Code);

        // A thousand bad payloads of usual length are told one by one.
        byte[] bad = new BatchFormatter<byte[]>(DelegateFormatter.FromArrays<byte[]>(ContentTypes.Binary, BodyTypes.Binary, static bytes => bytes, static bytes => bytes))
            .Write(Enumerable.Repeat(new byte[] { 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255 }, 1000).ToArray());
        Assert.Equal(1000, Batches.ReadEach(bad).Count(static item => !item.IsGood));
    }

    [Fact]
    public void Write_WhatCannotBeWritten_NamesThePayload()
    {
        Order[] orders = Samples(3);
        orders[1] = null!;
        Assert.ThrowsAny<ArgumentException>(() => Batches.Write(orders));
        Assert.Throws<ArgumentNullException>(() => Batches.Write(null!));
        orders[1] = Samples(2)[1];
        orders[1].BillingAddress!.City = null!;
        Assert.StartsWith("[1].Order", Assert.Throws<MessageFormatException>(() => Batches.Write(orders)).MemberPath, StringComparison.Ordinal);
        var few = new BatchFormatter<Order>(Orders, FormatterLimits.Default with { MaxElementCount = 2 });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => few.Write(Samples(3))).Code);
        var small = new BatchFormatter<Order>(Orders, FormatterLimits.Default with { MaxBodyByteCount = 1000 });
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => small.Write(Samples(30))).Code);
    }

    [Fact]
    public void Registry_ABatchIsToldFromASinglePayload()
    {
        var registry = new FormatterRegistry(Orders, Batches);
        var body = new MessageBody();
        registry.Write(body, Samples(1)[0]);
        Assert.IsType<Order>(registry.Read(body));
        ((IMessageFormatter)Batches).Write(body, Samples(2));
        Assert.Equal(2, registry.Read<IReadOnlyList<Order>>(body).Count);
        Assert.Throws<ArgumentException>(() => new FormatterRegistry(Batches, new BatchFormatter<Address>(new HandCodedFormatter<Address>())));
        byte[] other = new BatchFormatter<Order>(new XmlFormatter<Order>()).Write(Samples(1));
        Assert.Equal(MessageFormatErrorCode.UnknownFormat, Assert.Throws<MessageFormatException>(() => Batches.Read(other)).Code);
    }

    private static int HeaderByteCount => 2 + 3 + 1 + ContentTypes.Binary.Length + 4;

    private static Order[] Samples(int count) => [.. Enumerable.Range(1, count).Select(static seed => SampleOrders.Create(seed, 2, SampleText.Ascii))];
}
