using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Formatters.Binary;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Binary;

public class HandCodedFormatterTests
{
    private static readonly HandCodedFormatter<Order> Formatter = new();

    public static TheoryData<int, SampleText> Payloads()
    {
        var data = new TheoryData<int, SampleText>();
        foreach (int count in new[] { 0, 1, 2, 50, 500 })
        {
            foreach (SampleText text in Enum.GetValues<SampleText>())
                data.Add(count, text);
        }

        return data;
    }

    private static byte[] Classic(Order order)
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        order.Save(writer);
        writer.Flush();
        return stream.ToArray();
    }

    [Theory]
    [MemberData(nameof(Payloads))]
    public void Write_Order_GivesTheClassicBytesAndReadsThemBack(int lineItemCount, SampleText text)
    {
        Order order = SampleOrders.Create(3, lineItemCount, text);
        byte[] expected = Classic(order);
        Assert.Equal(expected, Formatter.Write(order));
        Assert.Equal(expected, new HandCodedFormatter<OrderWithList>().Write(OrderWithList.From(order)));

        var stingy = new StingyBufferWriter();
        Formatter.Write(stingy, order);
        Assert.Equal(expected, stingy.ToArray());

        using var stream = new MemoryStream();
        Formatter.Write(stream, order);
        Assert.Equal(expected, stream.ToArray());

        Assert.True(order.ContentEquals(Formatter.Read(expected)));
        stream.Position = 0;
        Assert.True(order.ContentEquals(Formatter.Read(stream)));
        foreach (int segment in new[] { 1, 7, 1000 })
            Assert.True(order.ContentEquals(Formatter.Read(Bytes.Segmented(expected, segment))));
        Assert.True(OrderWithList.From(order).ContentEquals(new HandCodedFormatter<OrderWithList>().Read(expected)));

        var classic = new Order();
        using var reader = new BinaryReader(new MemoryStream(Formatter.Write(order)));
        classic.Load(reader);
        Assert.True(order.ContentEquals(classic));
    }

    [Fact]
    public void Read_EveryPrefix_IsTruncatedAtItsEnd()
    {
        byte[] body = Formatter.Write(SampleOrders.Create(1, 50, SampleText.Mixed));
        for (int byteCount = 0; byteCount < body.Length; byteCount++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body.AsSpan(0, byteCount)));
            Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
            Assert.Equal(byteCount, e.ByteOffset);
            Assert.True(e.IsPoison);
            Assert.StartsWith("Order", e.MemberPath, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Read_EveryByteReplaced_GivesTheTypedErrorOrAValueThatRoundTrips()
    {
        byte[] body = Formatter.Write(SampleOrders.Create(1, 3, SampleText.Mixed));
        var damaged = new byte[body.Length];
        for (int offset = 0; offset < body.Length; offset++)
        {
            body.CopyTo(damaged, 0);
            for (int value = 0; value < 256; value++)
            {
                damaged[offset] = (byte)value;
                if (Formatter.TryRead(damaged, out Order? order, out MessageFormatException? error))
                    Assert.True(order.ContentEquals(Formatter.Read(Formatter.Write(order))));
                else
                    Assert.InRange(error.ByteOffset, 0, damaged.Length);
            }
        }
    }

    [Fact]
    public void Read_ErrorInsideARecord_NamesTheRecord()
    {
        Order order = SampleOrders.Create(1, 3);
        order.BillingAddress.City = "bad?";
        byte[] body = Formatter.Write(order);
        int offset = body.AsSpan().IndexOf("bad?"u8) + 3;
        body[offset] = 0xFF;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.Equal(MessageFormatErrorCode.BadText, e.Code);
        Assert.Equal(offset, e.ByteOffset);
        Assert.Equal("Order.Address", e.MemberPath);
        Assert.Equal($"The string is not valid UTF-8. (member Order.Address, byte offset {offset})", e.Message);
    }

    [Fact]
    public void ReadList_ErrorInsideAnElement_NamesItsIndex()
    {
        var basket = new Basket { Items = SampleOrders.CreateWithList(1, 3).LineItems };
        basket.Items[2].Name = "bad?";
        var formatter = new HandCodedFormatter<Basket>();
        byte[] body = formatter.Write(basket);
        Basket read = formatter.Read(body);
        Assert.All(read.Items, (item, i) => Assert.True(item.ContentEquals(basket.Items[i])));
        LineItem kept = read.Items[1];
        formatter.Read(body, ref read);
        Assert.Same(kept, read.Items[1]);

        body[body.AsSpan().IndexOf("bad?"u8)] = 0xFF;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal("Basket.LineItem[2]", e.MemberPath);
    }

    [Fact]
    public void Read_HostileCount_AllocatesNothingForIt()
    {
        byte[] body = Formatter.Write(SampleOrders.Create(1, 0));
        body.AsSpan(body.Length - 4).Fill(0x7F);
        Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
    }

    [Fact]
    public void Read_IntoAnEqualOrder_KeepsItsObjectsAndAllocatesNothing()
    {
        OrderWithList order = SampleOrders.CreateWithList(5);
        var formatter = new HandCodedFormatter<OrderWithList>();
        byte[] body = formatter.Write(order);
        OrderWithList existing = formatter.Read(body);
        LineItem item = existing.LineItems[7];
        string name = item.Name;
        Read();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Read();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Same(item, existing.LineItems[7]);
        Assert.Same(name, item.Name);
        Assert.True(order.ContentEquals(existing));

        void Read() => formatter.Read(body, ref existing);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(49)]
    [InlineData(80)]
    public void Read_IntoAnotherOrder_GivesTheNewOne(int lineItemCount)
    {
        OrderWithList target = SampleOrders.CreateWithList(1);
        Order classicTarget = SampleOrders.Create(1);
        OrderWithList order = SampleOrders.CreateWithList(2, lineItemCount, SampleText.Mixed);
        byte[] body = new HandCodedFormatter<OrderWithList>().Write(order);
        new HandCodedFormatter<OrderWithList>().Read(body, ref target);
        Assert.True(order.ContentEquals(target));
        Formatter.Read(body, ref classicTarget);
        Assert.True(order.ContentEquals(OrderWithList.From(classicTarget)));
    }

    [Fact]
    public void Write_ToAReusedBuffer_AllocatesNothing()
    {
        Order order = SampleOrders.Create(1, 50, SampleText.Mixed);
        var buffer = new ArrayBufferWriter<byte>(16 * 1024);
        for (int i = 0; i < 3; i++)
            Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Write()
        {
#if FORMATTERS_NETSTANDARD
            buffer.Clear();
#else
            buffer.ResetWrittenCount();
#endif
            Formatter.Write(buffer, order);
        }
    }

    [Fact]
    public void Write_Null_ThrowsArgumentNullException()
    {
        Assert.Throws<ArgumentNullException>(() => Formatter.Write(null!));
        Assert.Throws<ArgumentNullException>(() => Formatter.Write((IBufferWriter<byte>)null!, new Order()));
    }

    public static TheoryData<string, MessageFormatErrorCode, Action<OrderWithList>> Unwritable() => new()
    {
        { "Address", MessageFormatErrorCode.UnexpectedNull, static o => o.ShippingAddress = null! },
        { "Address", MessageFormatErrorCode.UnexpectedNull, static o => o.BillingAddress.City = null! },
        { "LineItems", MessageFormatErrorCode.UnexpectedNull, static o => o.LineItems = null! },
        { "LineItems[2]", MessageFormatErrorCode.UnexpectedNull, static o => o.LineItems[2] = null! },
    };

    [Theory]
    [MemberData(nameof(Unwritable))]
    public void Write_NullInTheOrder_IsNamed(string path, MessageFormatErrorCode code, Action<OrderWithList> damage)
    {
        OrderWithList order = SampleOrders.CreateWithList(1, 3);
        damage(order);
        AssertRefused(new HandCodedFormatter<OrderWithList>(), order, "OrderWithList." + path, code);
        if (order.LineItems is not null)
            AssertRefused(Formatter, order.ToOrder(), "Order." + path, code);
    }

    [Fact]
    public void Write_OrderWithAnOddList_IsNamed()
    {
        Order order = SampleOrders.Create(1, 3);
        order.LineItems[1] = "no line item";
        AssertRefused(Formatter, order, "Order.LineItems[1]", MessageFormatErrorCode.TypeNotAllowed);
        order.LineItems = null!;
        AssertRefused(Formatter, order, "Order.LineItems", MessageFormatErrorCode.UnexpectedNull);
    }

    private static void AssertRefused<T>(HandCodedFormatter<T> formatter, T order, string path, MessageFormatErrorCode code)
        where T : IBinaryBody, new()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(order));
        Assert.Equal((code, path, false), (e.Code, e.MemberPath, e.IsPoison));
    }

    [Fact]
    public void Read_OverAnOrderWithAnOddList_MakesNewItems()
    {
        Order order = SampleOrders.Create(2, 4);
        byte[] body = Formatter.Write(order);
        Order existing = SampleOrders.Create(1, 3);
        (existing.LineItems[0], existing.LineItems[1]) = (null, "no line item");
        Formatter.Read(body, ref existing);
        Assert.True(order.ContentEquals(existing));

        var formatter = new HandCodedFormatter<OrderWithList>();
        OrderWithList existingWithList = SampleOrders.CreateWithList(1, 3);
        existingWithList.LineItems[1] = null!;
        formatter.Read(body, ref existingWithList);
        Assert.True(order.ContentEquals(existingWithList.ToOrder()));
    }

    [Fact]
    public void Write_Cycle_IsDepthExceeded()
    {
        var node = new Node();
        node.Next = node;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new HandCodedFormatter<Node>().Write(node));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, e.Code);
    }

    [Fact]
    public void Write_CycleWithoutDepthLimit_StopsBeforeTheStackEnds()
    {
        var node = new Node();
        node.Next = node;
        var formatter = new HandCodedFormatter<Node>(FormatterLimits.Default with { MaxDepth = int.MaxValue });
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Write(node));
        Assert.Contains(e.Code, new[] { MessageFormatErrorCode.DepthExceeded, MessageFormatErrorCode.LimitExceeded });
    }

    [Theory]
    [InlineData(64, true)]
    [InlineData(65, false)]
    public void Read_Depth_IsLimited(int depth, bool accepted)
    {
        byte[] body = [.. Enumerable.Repeat((byte)1, depth - 1), 0];
        var formatter = new HandCodedFormatter<Node>();
        if (accepted)
        {
            Assert.Equal(body, formatter.Write(formatter.Read(body)));
            return;
        }

        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, e.Code);
        Assert.Equal(64, e.ByteOffset);
    }

    [Fact]
    public void Read_DeepBodyWithoutDepthLimit_StopsBeforeTheStackEnds()
    {
        byte[] body = new byte[10_000_000];
        body.AsSpan().Fill(1);
        var formatter = new HandCodedFormatter<Node>(FormatterLimits.Default with { MaxDepth = int.MaxValue });
        MessageFormatException? error = null;
        var thread = new System.Threading.Thread(() => error = Assert.Throws<MessageFormatException>(() => formatter.Read(body)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, error!.Code);
    }

    [Fact]
    public void Write_CycleOnASmallStack_StopsBeforeItEnds()
    {
        var node = new Node();
        node.Next = node;
        var formatter = new HandCodedFormatter<Node>(FormatterLimits.Default with { MaxDepth = int.MaxValue });
        MessageFormatException? error = null;
        var thread = new System.Threading.Thread(() => error = Assert.Throws<MessageFormatException>(() => formatter.Write(node)), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, error!.Code);
    }

    [Fact]
    public void Untyped_WritesTagsAndReadsBack()
    {
        IMessageFormatter formatter = Formatter;
        Order order = SampleOrders.Create(9);
        var body = new MessageBody();
        formatter.Write(body, order);
        Assert.Equal(BodyTypes.Binary, body.BodyType);
        Assert.Equal(ContentTypes.Binary, body.ContentType);
        Assert.True(formatter.CanRead(body));
        Assert.True(order.ContentEquals((Order)formatter.Read(body)!));
        Assert.Same(formatter, formatter.Clone());
        Assert.True(formatter.CanRead(new MessageBody(body.Bytes, BodyTypes.Binary)));
        Assert.True(formatter.CanRead(new MessageBody(body.Bytes, 0, ContentTypes.Binary + "; version=1")));
        Assert.False(formatter.CanRead(new MessageBody(body.Bytes, BodyTypes.Binary, "text/xml")));
        Assert.False(formatter.CanRead(new MessageBody(body.Bytes)));
    }

    [Fact]
    public void Untyped_WrongArguments_Throw()
    {
        IMessageFormatter formatter = Formatter;
        Assert.Throws<ArgumentNullException>(() => formatter.CanRead(null!));
        Assert.Throws<ArgumentNullException>(() => formatter.Read(null!));
        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!, new Order()));
        Assert.Throws<ArgumentNullException>(() => formatter.Write(new MessageBody(), null));
        Assert.Throws<ArgumentException>(() => formatter.Write(new MessageBody(), "text"));
    }

    [Fact]
    public void GetSizeHint_AfterWrites_IsAboutTheirLength()
    {
        var formatter = new HandCodedFormatter<Order>();
        Order order = SampleOrders.Create(1);
        Assert.InRange(formatter.GetSizeHint(order), 1, 1_000_000);
        int byteCount = formatter.Write(order).Length;
        Assert.InRange(formatter.GetSizeHint(order), byteCount, 2 * byteCount);
    }

    [Fact]
    public void Read_StreamLongerThanTheLimit_IsNotReadToItsEnd()
    {
        var formatter = new HandCodedFormatter<Order>(FormatterLimits.Default with { MaxBodyByteCount = 1000 });
        using var stream = new MemoryStream(new byte[1_000_000]);
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(stream));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, e.Code);
        Assert.InRange(stream.Position, 1001, 100_000);
    }

    private sealed class Basket : IBinaryBody
    {
        public List<LineItem> Items = [];

        public void Save(ref BinaryBodyWriter writer)
        {
            writer.WriteCount(Items.Count);
            foreach (LineItem item in Items)
                writer.WriteRecord(item);
        }

        public void Load(ref BinaryBodyReader reader) => Items = reader.ReadList(29, Items);
    }

    /// <summary>A list by links: one presence byte each.</summary>
    private sealed class Node : IBinaryBody
    {
        public Node? Next;

        public void Save(ref BinaryBodyWriter writer)
        {
            writer.Write(Next is not null);
            if (Next is not null)
                writer.WriteRecord(Next);
        }

        public void Load(ref BinaryBodyReader reader) => Next = reader.ReadBoolean() ? reader.ReadRecord(Next) : null;
    }
}
