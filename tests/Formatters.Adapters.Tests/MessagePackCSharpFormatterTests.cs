using System;
using System.Buffers;
using System.IO;
using Formatters.Tests.Support;
using MessagePack;
using MessagePack.Resolvers;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Adapters.Tests;

public sealed class MessagePackCSharpFormatterTests(ITestOutputHelper output)
{
    private static readonly MessagePackCSharpFormatter<Order> Orders = new();

    [Fact]
    public void Library_IsTheVersionUnderTest() =>
#if MESSAGEPACK_3
        Assert.Equal(3, typeof(MessagePackSerializer).Assembly.GetName().Version!.Major);
#else
        Assert.Equal(2, typeof(MessagePackSerializer).Assembly.GetName().Version!.Major);
#endif

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
        Assert.Equal((ContentTypes.MessagePack, BodyTypes.MessagePack), (message.ContentType, message.BodyType));
        Assert.True(order.ContentEquals(Assert.IsType<Order>(untyped.Read(message))));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void Write_IsWhatTheLibraryWrites_AndWhatTheCoreWrites(int lineCount)
    {
        Order order = Order.Sample(lineCount);
        byte[] body = Orders.Write(order);
        Assert.Equal(MessagePackSerializer.Serialize(order, MessagePackSerializerOptions.Standard), body);
        Assert.Equal(new MessagePackFormatter<Order>().Write(order), body);
        Assert.True(order.ContentEquals(new MessagePackFormatter<Order>().Read(body)));
    }

    [Fact]
    public void Write_Unions_AsTheCoreWritesThem()
    {
        var shapes = new MessagePackCSharpFormatter<Shape>();
        byte[] body = shapes.Write(new Square { Side = 4 });
        Assert.Equal("9202" + "9104", Convert.ToHexString(body));
        Assert.Equal(body, new MessagePackFormatter<Shape>().Write(new Square { Side = 4 }));
        Assert.Equal(4, Assert.IsType<Square>(shapes.Read(body)).Side);
    }

    [Fact]
    public void Options_ResolverAndCompression_AreTheLibrarys()
    {
        var named = new MessagePackCSharpFormatter<Plain>(MessagePackSerializerOptions.Standard.WithResolver(ContractlessStandardResolver.Instance));
        byte[] body = named.Write(new Plain { Number = 7 });
        Assert.Equal(MessagePackSerializer.Serialize(new Plain { Number = 7 }, ContractlessStandardResolver.Options), body);
        Assert.Equal(7, named.Read(body).Number);

        var packed = new MessagePackCSharpFormatter<Order>(MessagePackSerializerOptions.Standard.WithCompression(MessagePackCompression.Lz4BlockArray));
        Order order = Order.Sample(200);
        body = packed.Write(order);
        Assert.InRange(body.Length, 1, Orders.Write(order).Length - 1);
        Assert.True(order.ContentEquals(packed.Read(body)));
        for (int length = 0; length < body.Length; length++)
            Assert.Throws<MessageFormatException>(() => packed.Read(body.AsSpan(0, length)));
    }

    [Fact]
    public void Compression_OfMoreThanTheLimit_IsRefused()
    {
        var options = MessagePackSerializerOptions.Standard.WithCompression(MessagePackCompression.Lz4BlockArray);
        byte[] body = new MessagePackCSharpFormatter<byte[]>(options).Write(new byte[1_000_000]);
        var small = new MessagePackCSharpFormatter<byte[]>(options, FormatterLimits.Default with { MaxBodyByteCount = 100_000 });
        Assert.InRange(body.Length, 1, 100_000);
        long before = GC.GetAllocatedBytesForCurrentThread();
        Assert.Throws<MessageFormatException>(() => small.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 500_000);
    }

    [Fact]
    public void Read_EveryPrefix_IsTruncated()
    {
        byte[] body = Orders.Write(Order.Sample(2));
        for (int length = 0; length < body.Length; length++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Orders.Read(body.AsSpan(0, length)));
            Assert.Equal((MessageFormatErrorCode.Truncated, (long)length, true), (e.Code, e.ByteOffset, e.IsPoison));
            byte[] prefix = body[..length];
            Assert.Equal(MessageFormatErrorCode.Truncated, Assert.Throws<MessageFormatException>(() => Orders.Read(Bytes.Segmented(prefix))).Code);
        }
    }

    [Theory]
    [InlineData("C1", MessageFormatErrorCode.Malformed)]
    [InlineData("91A161", MessageFormatErrorCode.Malformed)]
    [InlineData("C0", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData("9000", MessageFormatErrorCode.TrailingBytes)]
#if MESSAGEPACK_3
    [InlineData("9501C0C0DDFFFFFFFF", MessageFormatErrorCode.Malformed)]
#else
    [InlineData("9501C0C0DDFFFFFFFF", MessageFormatErrorCode.Truncated)]
#endif
    [InlineData("9501C0C0DD7FFFFFFF", MessageFormatErrorCode.Truncated)]
    [InlineData("9601C0C09080C67FFFFFFF", MessageFormatErrorCode.Truncated)]
    public void Read_BadBody_IsTheTypedErrorAndTakesNoMemory(string hex, MessageFormatErrorCode code)
    {
        byte[] body = Convert.FromHexString(hex);
        Assert.Throws<MessageFormatException>(() => Orders.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Orders.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 100_000);
        Assert.Equal((code, true), (e.Code, e.IsPoison));
    }

    [Fact]
    public void Read_ValueThatThePropertyRefuses_IsTheTypedError()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new MessagePackCSharpFormatter<Picky>().Read([0x91, 101]));
        Assert.Equal(MessageFormatErrorCode.Malformed, e.Code);
        Assert.IsType<ArgumentOutOfRangeException>(e.GetBaseException());
    }

    [Fact]
    public void Depth_IsLimitedOnReading()
    {
        var formatter = new MessagePackCSharpFormatter<Chain>(FormatterLimits.Default with { MaxDepth = 8 });
        Assert.NotNull(formatter.Read(formatter.Write(Chain.OfDepth(8))));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(formatter.Write(Chain.OfDepth(9))));
        Assert.Equal((MessageFormatErrorCode.DepthExceeded, false), (e.Code, e.IsPoison));

        byte[] deep = new byte[1_000_000];
        deep.AsSpan().Fill(0x91);
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => new MessagePackCSharpFormatter<Chain>().Read(deep)).Code);
    }

    [Fact]
    public void Write_ACycle_EndsBeforeTheStackDoes()
    {
        var cycle = new Chain();
        cycle.Next = cycle;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new MessagePackCSharpFormatter<Chain>().Write(cycle));
        // Version 2 emits the last member as a tail call, which needs no stack: the body then grows to its limit.
        Assert.True(e.Code is MessageFormatErrorCode.DepthExceeded or MessageFormatErrorCode.LimitExceeded, e.ToString());
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        var formatter = new MessagePackCSharpFormatter<string>(FormatterLimits.Default with { MaxBodyByteCount = 100 });
        Assert.Equal("x", formatter.Read(formatter.Write("x")));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new string('x', 100))).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[101])).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Segmented(new byte[101]))).Code);
        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!));
    }

    [Fact]
    public void Read_ABodyThatNamesAType_LoadsNone()
    {
        MessagePackSerializerOptions typeless = TypelessContractlessStandardResolver.Options;
        byte[] body = MessagePackSerializer.Serialize<object>(new Plain { Number = 1 }, typeless);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new MessagePackCSharpFormatter<object>(typeless).Read(body));
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, e.Code);
    }

    [Fact]
    public void Constructor_TypeWithoutContract_SaysSo() =>
        Assert.Throws<ArgumentException>(() => new MessagePackCSharpFormatter<Action>());

    [Fact]
    public void Read_DamagedBodies_OnlyTheTypedError() =>
        Mutation.Run(output, 20041120, 5000, Orders.Write(Order.Sample(20)), body => Orders.Read(body));
}
