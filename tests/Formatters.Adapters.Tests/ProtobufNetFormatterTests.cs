using System;
using System.Buffers;
using System.IO;
using Formatters.Tests.Support;
using ProtoBuf;
using ProtoBuf.Meta;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Adapters.Tests;

public sealed class ProtobufNetFormatterTests(ITestOutputHelper output)
{
    private static readonly ProtobufNetFormatter<Order> Orders = new();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(500)]
    public void RoundTrip_ByEveryWay_KeepsTheContent(int lineCount)
    {
        Order order = Order.Sample(lineCount);
        byte[] body = Orders.Write(order);
        Assert.True(order.ContentEquals(Orders.Read(body)));
        Assert.True(order.ContentEquals(Orders.Read(new ReadOnlySequence<byte>(body))));
        Assert.True(order.ContentEquals(Orders.Read(Bytes.Segmented(body))));
        Assert.True(order.ContentEquals(Orders.Read(new MemoryStream(body))));
        Order existing = Order.Sample(3);
        Orders.Read(body, ref existing);
        Assert.True(order.ContentEquals(existing));
        var message = new MessageBody();
        IMessageFormatter untyped = Orders;
        untyped.Write(message, order);
        Assert.Equal(("application/x-protobuf", Orders.BodyType), (message.ContentType, message.BodyType));
        Assert.True(order.ContentEquals(Assert.IsType<Order>(untyped.Read(message))));
    }

    [Fact]
    public void Delimited_bodies_are_those_of_PrefixStyle_Base128()
    {
        var ours = new MemoryStream();
        var theirs = new MemoryStream();
        for (int lineCount = 0; lineCount < 300; lineCount += 37)
        {
            Orders.WriteDelimited(ours, Order.Sample(lineCount));
            Serializer.SerializeWithLengthPrefix(theirs, Order.Sample(lineCount), PrefixStyle.Base128);
        }

        Assert.Equal(theirs.ToArray(), ours.ToArray());
        theirs.Position = 0;
        int count = 0;
        foreach (Order order in Orders.ReadAllDelimited(theirs))
            Assert.True(Order.Sample(37 * count++).ContentEquals(order));
        Assert.Equal(9, count);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void Write_IsWhatTheLibraryWrites(int lineCount)
    {
        Order order = Order.Sample(lineCount);
        var expected = new MemoryStream();
        Serializer.Serialize(expected, order);
        Assert.Equal(expected.ToArray(), Orders.Write(order));
        Assert.Equal(expected.ToArray(), new ProtobufNetFormatter<Order>(RuntimeTypeModel.Default).Write(order));
    }

    [Fact]
    public void Write_DerivedType_IsReadAsIt()
    {
        var shapes = new ProtobufNetFormatter<Shape>();
        byte[] body = shapes.Write(new Square { Side = 4 });
        Assert.Equal("1202" + "1804", Convert.ToHexString(body));
        Assert.Equal(4, Assert.IsType<Square>(shapes.Read(body)).Side);
    }

    [Fact]
    public void Read_AnEmptyBody_IsAnObjectOfDefaults()
    {
        Assert.Equal(0, Orders.Read([]).Id);
        Assert.Equal(0, Orders.Read(default(ReadOnlySequence<byte>)).Id);
        Assert.Empty(new ProtobufNetFormatter<Chain>().Write(new Chain()));
    }

    [Fact]
    public void Merge_ReplacesValuesAndAppendsElements()
    {
        Order existing = Order.Sample(1);
        Order merged = Orders.Merge(Orders.Write(new Order { Id = 5, Lines = [new Line { Name = "added" }] }), existing);
        Assert.Same(existing, merged);
        Assert.Equal((5, "Ünal & Söhne", 2, "added"), (merged.Id, merged.Customer, merged.Lines.Count, merged.Lines[1].Name));
        Assert.Throws<ArgumentNullException>(() => Orders.Merge([], null!));
    }

    [Fact]
    public void Read_EveryPrefix_IsAGoodBodyOrTheTypedError()
    {
        byte[] body = Orders.Write(Order.Sample(2));
        int refused = 0;
        for (int length = 0; length < body.Length; length++)
        {
            bool isGood = Orders.TryRead(body.AsSpan(0, length), out Order? order, out MessageFormatException? error);
            if (isGood)
                Assert.InRange(order!.Lines.Count, 0, 2);
            else if (error!.Code == MessageFormatErrorCode.Truncated)
                Assert.Equal((length, true), (error.ByteOffset, error.IsPoison));
            else
                Assert.Equal((MessageFormatErrorCode.Malformed, true), (error.Code, error.IsPoison)); // The library's own word for a sub-message that is cut.
            refused += isGood ? 0 : 1;
        }

        // Good ones end between two members: before and behind Id, Customer, two lines, two rates.
        Assert.Equal(body.Length - 7, refused);
    }

    [Theory]
    [InlineData("00", MessageFormatErrorCode.Malformed)]
    [InlineData("0C", MessageFormatErrorCode.Malformed)]
    [InlineData("0F", MessageFormatErrorCode.Malformed)]
    [InlineData("08FFFFFFFFFFFFFFFFFFFF01", MessageFormatErrorCode.Malformed)]
    [InlineData("12FFFFFFFF07", MessageFormatErrorCode.Malformed)]
    [InlineData("32FFFFFFFF07", MessageFormatErrorCode.Malformed)]
    [InlineData("22FFFFFFFF07", MessageFormatErrorCode.Malformed)]
    public void Read_BadBody_IsTheTypedErrorAndTakesNoMemory(string hex, MessageFormatErrorCode code)
    {
        byte[] body = Convert.FromHexString(hex);
        Assert.Throws<MessageFormatException>(() => Orders.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Orders.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000);
        Assert.Equal((code, true), (e.Code, e.IsPoison));
        Assert.Equal(code, Assert.Throws<MessageFormatException>(() => Orders.Read(Bytes.Segmented(body))).Code);
    }

    [Fact]
    public void Read_ValueThatThePropertyRefuses_IsTheTypedError()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new ProtobufNetFormatter<Picky>().Read([0x08, 101]));
        Assert.Equal(MessageFormatErrorCode.Malformed, e.Code);
        Assert.IsType<ArgumentOutOfRangeException>(e.GetBaseException());
    }

    [Fact]
    public void Depth_IsLimitedInBothDirections()
    {
        var formatter = new ProtobufNetFormatter<Chain>(FormatterLimits.Default with { MaxDepth = 8 });
        var deeper = new ProtobufNetFormatter<Chain>(FormatterLimits.Default with { MaxDepth = 100 });
        Assert.NotNull(formatter.Read(formatter.Write(Chain.OfDepth(8))));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(deeper.Write(Chain.OfDepth(9))));
        Assert.Equal((MessageFormatErrorCode.DepthExceeded, false), (e.Code, e.IsPoison));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(Chain.OfDepth(9))).Code);

        var cycle = new Chain();
        cycle.Next = cycle;
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(cycle)).Code);

        byte[] groups = new byte[1_000_000];
        groups.AsSpan().Fill(0x0B);
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(groups)).Code);
        groups.AsSpan().Fill(0x7B);
        Assert.Throws<MessageFormatException>(() => formatter.Read(groups));
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        var formatter = new ProtobufNetFormatter<Line>(FormatterLimits.Default with { MaxBodyByteCount = 100 });
        Assert.Equal("x", formatter.Read(formatter.Write(new Line { Name = "x" })).Name);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new Line { Name = new string('x', 100) })).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[101])).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Segmented(new byte[101]))).Code);
        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!));
    }

    [Fact]
    public void Constructor_TypeWithoutContract_SaysSo()
    {
        Assert.Throws<ArgumentException>(() => new ProtobufNetFormatter<Plain>());
        RuntimeTypeModel model = RuntimeTypeModel.Create();
        model.Add(typeof(Plain), applyDefaultBehaviour: false).Add(1, nameof(Plain.Number));
        var formatter = new ProtobufNetFormatter<Plain>(model);
        Assert.Equal("0807", Convert.ToHexString(formatter.Write(new Plain { Number = 7 })));
    }

    [Fact]
    public void Read_DamagedBodies_OnlyTheTypedError() =>
        Mutation.Run(output, 20041120, 5000, Orders.Write(Order.Sample(20)), body => Orders.Read(body));

    [Fact]
    public void Registry_FindsItByContentTypeAndBodyType()
    {
        var registry = new FormatterRegistry(new JsonFormatter<Order>(), Orders, new MessagePackCSharpFormatter<Order>());
        byte[] body = Orders.Write(Order.Sample(1));
        Assert.Same(Orders, registry.Find(new MessageBody(body, 0, "application/x-protobuf")));
        Assert.Same(Orders, registry.Find(new MessageBody(body, 0, "application/vnd.google.protobuf")));
        Assert.Same(Orders, registry.Find(new MessageBody(body, Orders.BodyType)));
        Assert.Equal(300, registry.Read<Order>(new MessageBody(body, 0, "application/protobuf")).Id);
        Assert.Same(Orders, Orders.Clone());
    }
}
