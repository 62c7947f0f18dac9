using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using Formatters.Binary;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Contracts.Tests.Versioned;

public class VersionedFormatterTests
{
    private static readonly VersionedFormatter<GeneratedOrder> Orders = new(GeneratedOrder.MessageContract);

    /// <summary>The example of docs/wire/versioned.md.</summary>
    [Fact]
    public void PageOrder_HasTheBytesOfTheWirePage()
    {
        var order = new PageOrder { CustomerId = 42, Note = "é", Lines = [new PageLine("Hat", 9.5)], Grade = 'A' };
        const string Body = "28000000" + "06E37060" + "2A000000" + "0102C3A9" + "16000000" + "01000000" + "0E000000" + "0246" + "03486174" + "0000000000002340" + "0141";
        foreach (MessageFormatter<PageOrder> formatter in Versions.Formatters(PageOrder.MessageContract))
        {
            Assert.Equal(Body, Convert.ToHexString(formatter.Write(order)));
            PageOrder read = formatter.Read(Convert.FromHexString(Body));
            Assert.Equal((42, "é", new PageLine("Hat", 9.5), 'A'), (read.CustomerId, read.Note, Assert.Single(read.Lines), read.Grade));
        }
    }

    [Fact]
    public void Kinds_AreThoseOfTheWirePage()
    {
        var nothing = new Nullables { Name = "n", Last = -1 };
        byte[] body = new VersionedFormatter<Nullables>(Nullables.MessageContract).Write(nothing);
        int[] kinds = [.. Enumerable.Range(1, body[4]).Select(n => (body[5 + ((n - 1) / 2)] >> (n % 2 == 0 ? 4 : 0)) & 15)];
        var expected = new Dictionary<int, int>
        {
            [1] = 5 + 8, [2] = 7 + 8, [3] = 7 + 8, [6] = 7 + 8, [7] = 7 + 8, [8] = 4 + 8, [9] = 1 + 8, [10] = 6, [11] = 6 + 8, [12] = 3 + 8,
            [40] = 6 + 8, [100] = 7 + 8, [200] = 3, [255] = 6 + 8,
        };
        Assert.Equal(Enumerable.Range(1, 255).Select(n => expected.TryGetValue(n, out int kind) ? kind : 0), kinds);
        // 4 + 1 + 128 bytes, then 12 nulls, "n", -1.
        Assert.Equal("00000000000000" + "016E" + "00000000" + "FFFFFFFF" + "00", Convert.ToHexString(body.AsSpan(133)));

        byte[] scalars = new VersionedFormatter<Scalars>(Scalars.MessageContract).Write(new Scalars());
        Assert.Equal("151121324334546664544107", Convert.ToHexString(scalars.AsSpan(4, 12)));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(33)]
    [InlineData(200)]
    [InlineData(100_000)]
    public void Write_IntoAnyBuffer_GivesTheSameBytes(int charCount)
    {
        foreach (char c in "aé中")
        {
            var order = new OrderV2 { Buyer = new string(c, charCount), Gift = new LineV2 { Name = new string(c, charCount) }, Label = new string(c, charCount), Numbers = [1] };
            order.Lines = [order.Gift, new LineV2(), order.Gift];
            foreach (MessageFormatter<OrderV2> formatter in Versions.Formatters(OrderV2.MessageContract))
            {
                var stingy = new StingyBufferWriter();
                formatter.Write(stingy, order);
                byte[] expected = stingy.ToArray();
                Assert.Equal(expected, formatter.Write(order));
                Assert.Equal(expected, formatter.Write(formatter.Read(Bytes.Segmented(expected, 5))));
                var growing = new ArrayBufferWriter<byte>(1);
                formatter.Write(growing, order);
                formatter.Write(growing, order);
                Assert.Equal([.. expected, .. expected], growing.WrittenSpan.ToArray());
            }
        }
    }

    [Fact]
    public void OwnSave_CallsAVersionedContract_InAnyFormat()
    {
        var own = new OwnBody { Number = 7, Node = new Node { Value = 1, Next = new Node { Value = 2, Children = [new Node()] } } };
        var handCoded = new HandCodedFormatter<OwnBody>();
        byte[] expected = [7, 0, 0, 0, .. new VersionedFormatter<Node>(Node.MessageContract).Write(own.Node)];
        Assert.Equal(expected, handCoded.Write(own));
        var stingy = new StingyBufferWriter();
        handCoded.Write(stingy, own);
        Assert.Equal(expected, stingy.ToArray());
        byte[] span = new byte[expected.Length];
        var writer = new BinaryBodyWriter(span);
        own.Save(ref writer);
        writer.Flush();
        Assert.Equal(expected, span);
        Assert.Equal(expected, handCoded.Write(handCoded.Read(expected)));
        Assert.Throws<ArgumentException>(() =>
        {
            var small = new BinaryBodyWriter(new byte[expected.Length - 1]);
            own.Save(ref small);
        });
    }

    [Theory]
    [InlineData(true)]
#if !FORMATTERS_NETSTANDARD
    [InlineData(false)]
#endif
    public void Write_Again_AllocatesNothing(bool isGenerated)
    {
        VersionedFormatter<GeneratedOrder> orders = isGenerated ? Orders : Versions.Reflection<GeneratedOrder>();
        GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, 50, SampleText.Mixed));
        var buffer = new ArrayBufferWriter<byte>(1 << 16);
        for (int i = 0; i < 3; i++)
            Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Write()
        {
            buffer.ResetWrittenCount();
            orders.Write(buffer, order);
        }
    }

    [Theory]
    [InlineData(true)]
#if !FORMATTERS_NETSTANDARD
    [InlineData(false)]
#endif
    public void Read_IntoAnEqualOrder_AllocatesNothing(bool isGenerated)
    {
        VersionedFormatter<GeneratedOrder> orders = isGenerated ? Orders : Versions.Reflection<GeneratedOrder>();
        byte[] body = Orders.Write(GeneratedOrder.From(SampleOrders.Create(1, 50)));
        GeneratedOrder order = orders.Read(body);
        GeneratedLineItem item = order.LineItems[7];
        string name = item.Name;
        for (int i = 0; i < 3; i++)
            orders.Read(body, ref order);
        long before = GC.GetAllocatedBytesForCurrentThread();
        orders.Read(body, ref order);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
        Assert.Same(item, order.LineItems[7]);
        Assert.Same(name, item.Name);
    }

    [Fact]
    public void Read_IntoAnOtherOrder_TakesOverItsObjects()
    {
        byte[] longer = Orders.Write(GeneratedOrder.From(SampleOrders.Create(2, 60)));
        byte[] shorter = Orders.Write(GeneratedOrder.From(SampleOrders.Create(3, 10)));
        GeneratedOrder order = Orders.Read(Orders.Write(GeneratedOrder.From(SampleOrders.Create(1, 50))));
        List<GeneratedLineItem> items = order.LineItems;
        foreach (byte[] body in new[] { longer, shorter, longer })
        {
            Orders.Read(body, ref order);
            Assert.Same(items, order.LineItems);
            Assert.Equal(body, Orders.Write(order));
        }

        order.LineItems[3] = null!;
        order.BillingAddress = null!;
        Orders.Read(shorter, ref order);
        Assert.Equal(shorter, Orders.Write(order));
    }

    [Fact]
    public void Depth_IsBoundedOnBothWays()
    {
        Node chain = new();
        for (int i = 1; i < 64; i++)
            chain = new Node { Value = i, Next = chain };
        var cycle = new Node();
        cycle.Children.Add(cycle);
        byte[] tower = Tower(100_000);
        foreach (MessageFormatter<Node> formatter in Versions.Formatters(Node.MessageContract))
        {
            byte[] body = formatter.Write(chain);
            Assert.Equal(body, formatter.Write(formatter.Read(body)));
            AssertCode(MessageFormatErrorCode.DepthExceeded, () => formatter.Write(new Node { Next = chain }));
            AssertCode(MessageFormatErrorCode.DepthExceeded, () => formatter.Write(cycle));
            AssertCode(MessageFormatErrorCode.DepthExceeded, () => formatter.Read(tower));
        }

        foreach (MessageFormatter<Node> formatter in Versions.Formatters(Node.MessageContract, FormatterLimits.Default with { MaxDepth = int.MaxValue }))
        {
            Exception? error = null;
            var thread = new Thread(() => error = Record.Exception(() => formatter.Read(tower)), 256 * 1024);
            thread.Start();
            thread.Join();
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.IsType<MessageFormatException>(error).Code);
        }
    }

    [Fact]
    public void Skipping_DoesNotDescend()
    {
        byte[] tower = Tower(100_000);
        // Member 4, which none of these know, is a tower.
        byte[] body = [.. BitConverter.GetBytes(3 + tower.Length), 4, 0x00, 0x70, .. tower];
        FormatterLimits flat = FormatterLimits.Default with { MaxDepth = 1 };
        foreach (MessageFormatter<Node> formatter in Versions.Formatters(Node.MessageContract, flat))
        {
            Node node = formatter.Read(body);
            Assert.True(node.Unknown!.Contains(4));
            Assert.True(new VersionedFormatter<Node>(Node.MessageContract).Write(node).AsSpan().EndsWith(tower));
            AssertCode(MessageFormatErrorCode.Truncated, () => formatter.Read(body.AsSpan(0, body.Length - 1)));
        }

        foreach (MessageFormatter<ReadOnlyPoint> formatter in Versions.Formatters(ReadOnlyPoint.MessageContract, flat))
        {
            Assert.Equal(default, formatter.Read(body));
            // Eight bytes, of which seven are there.
            byte[] cut = [.. BitConverter.GetBytes(3 + 7), 4, 0x00, 0x40, .. new byte[7]];
            AssertCode(MessageFormatErrorCode.Truncated, () => formatter.Read(cut));
        }
    }

    [Fact]
    public void Limits_HoldOnBothWays()
    {
        FormatterLimits limits = FormatterLimits.Default with { MaxBodyByteCount = 200, MaxElementCount = 2 };
        foreach (MessageFormatter<Collections> formatter in Versions.Formatters(Collections.MessageContract, limits with { MaxBodyByteCount = 1000 }))
            AssertCode(MessageFormatErrorCode.LimitExceeded, () => formatter.Write(new Collections { Array = [1, 2, 3] }), "Collections.Array");
        byte[] body = new VersionedFormatter<Collections>(Collections.MessageContract).Write(new Collections { Array = [1, 2, 3] });
        foreach (MessageFormatter<Collections> formatter in Versions.Formatters(Collections.MessageContract, limits with { MaxBodyByteCount = 1000 }))
            AssertCode(MessageFormatErrorCode.LimitExceeded, () => formatter.Read(body), "Collections.Array");
        foreach (MessageFormatter<OrderV1> formatter in Versions.Formatters(OrderV1.MessageContract, limits))
        {
            AssertCode(MessageFormatErrorCode.LimitExceeded, () => formatter.Write(new OrderV1 { Customer = new string('x', 1000) }));
            AssertCode(MessageFormatErrorCode.LimitExceeded, () => formatter.Read(new byte[201]));
        }
    }

    [Fact]
    public void UnknownMembers_AreBoundedInMemory()
    {
        // 100,000 records of 8 bytes, each with one unknown byte: kept, they would take a hundred times as much.
        const int Count = 100_000;
        byte[] record = [3 + 1, 0, 0, 0, 4, 0x00, 0x10, 1];
        byte[] body = [.. BitConverter.GetBytes(Count), .. Enumerable.Repeat(record, Count).SelectMany(r => r)];
        foreach (MessageFormatter<List<LineV1>> formatter in Versions.Formatters(LineContracts.Lines, FormatterLimits.Default with { MaxAllocationFactor = 8 }))
            AssertCode(MessageFormatErrorCode.LimitExceeded, () => formatter.Read(body));
        foreach (MessageFormatter<List<LineV1>> formatter in Versions.Formatters(LineContracts.Lines))
            Assert.Equal(Count, formatter.Read(body).Count);
    }

    [Fact]
    public void Write_NullOrHalfACharacter_NamesTheMember()
    {
        foreach (MessageFormatter<OrderV1> formatter in Versions.Formatters(OrderV1.MessageContract))
        {
            AssertCode(MessageFormatErrorCode.UnexpectedNull, () => formatter.Write(new OrderV1 { Customer = null! }), "OrderV1.Customer");
            AssertCode(MessageFormatErrorCode.UnexpectedNull, () => formatter.Write(new OrderV1 { Lines = [new(), null!] }), "OrderV1.Lines[1]");
            AssertCode(MessageFormatErrorCode.UnexpectedNull, () => formatter.Write(new OrderV1 { First = null! }), "OrderV1.First");
            Assert.Throws<ArgumentNullException>(() => formatter.Write((OrderV1)null!));
            Assert.Throws<ArgumentNullException>(() => formatter.Write((IBufferWriter<byte>)null!, new OrderV1()));
        }

        foreach (MessageFormatter<Scalars> formatter in Versions.Formatters(Scalars.MessageContract))
            AssertCode(MessageFormatErrorCode.BadText, () => formatter.Write(new Scalars { Char = '\uD800' }), "Scalars.Char");
        Assert.Throws<ArgumentNullException>(() => new VersionedFormatter<Node>((MessageContract<Node>)null!));
    }

    [Fact]
    public void Tags_AreThoseOfTheVersionedWireFormat()
    {
        foreach (MessageFormatter<GeneratedOrder> formatter in Versions.Formatters(GeneratedOrder.MessageContract))
            Assert.Equal((ContentTypes.Versioned, BodyTypes.Versioned), (formatter.ContentType, formatter.BodyType));
        Assert.Equal((5, 5), (GeneratedLineItem.MessageContract.Versioned.MinByteCount, Empty.MessageContract.Versioned.MinByteCount));
        Assert.Equal("0100000000", Convert.ToHexString(new VersionedFormatter<Empty>(Empty.MessageContract).Write(new Empty())));
#if !FORMATTERS_NETSTANDARD
        Assert.Equal("0A0000000233" + "0100000002000000", Convert.ToHexString(VersionedFormatter.Create<ReadOnlyPoint>().Write(new ReadOnlyPoint(1, 2))));
#endif
    }

    [Fact]
    public void Registry_ReadsBothFormats_AndWritesOne()
    {
        var plain = new BinaryBodyFormatter<GeneratedOrder>(GeneratedOrder.MessageContract);
        var registry = new FormatterRegistry(writer: Orders, plain);
        GeneratedOrder order = GeneratedOrder.From(SampleOrders.Create(1, 5));
        var written = new MessageBody();
        registry.Write(written, order);
        Assert.Equal((ContentTypes.Versioned, BodyTypes.Versioned), (written.ContentType, written.BodyType));
        var old = new MessageBody();
        ((IMessageFormatter)plain).Write(old, order);
        foreach (MessageBody body in new[] { written, old })
            Assert.Equal(plain.Write(order), plain.Write((GeneratedOrder)registry.Read(body)!));
    }

    [Fact]
    public void Reflection_WithoutGoodNumbers_IsRefused()
    {
        AssertRefused<PlainPoint>("PlainPoint.X has no number");
        AssertRefused<TwiceNumbered>("TwiceNumbered.Y has the number 1, which X also has");
        AssertRefused<TooFar>("TooFar.X has the number 256; numbers are 1 to 255");
        AssertRefused<UsesRetired>("UsesRetired.X has the number 2, which is retired");
        AssertRefused<TwoUnknown>("TwoUnknown.B keeps the unknown members: there is already another");
        AssertRefused<FixedUnknown>("FixedUnknown.A keeps the unknown members: it needs a public setter");

        static void AssertRefused<T>(string text) =>
            Assert.StartsWith(text, Assert.Throws<ArgumentException>(() => Versions.Reflection<T>()).Message, StringComparison.Ordinal);
    }

    /// <summary>Nodes in nodes, each as long as all that follows.</summary>
    private static byte[] Tower(int depth)
    {
        const int LevelByteCount = 4 + 3 + 4 + 1;
        byte[] tower = new byte[depth * LevelByteCount];
        for (int i = 0; i < tower.Length; i += LevelByteCount)
        {
            BitConverter.TryWriteBytes(tower.AsSpan(i), tower.Length - i - 4);
            new byte[] { 3, 0xF3, 0x07 }.CopyTo(tower, i + 4);
            tower[i + LevelByteCount - 1] = 1;
        }

        return tower;
    }

    private static void AssertCode(MessageFormatErrorCode code, Action act, string? path = null)
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(act);
        Assert.Equal(code, e.Code);
        if (path is not null)
            Assert.Equal(path, e.MemberPath);
    }

    private sealed class PlainPoint
    {
        public int X { get; set; }
    }
}

[MessageContract(Formats = ContractFormats.Versioned), RetiredMembers(3)]
public partial class PageOrder
{
    [MessageMember(1)] public int CustomerId { get; set; }
    [MessageMember(2)] public string? Note { get; set; }
    [MessageMember(4)] public List<PageLine> Lines { get; set; } = [];
    [MessageMember(6)] public char Grade { get; set; } = 'B';
}

public record PageLine([MessageMember(1)] string Name, [MessageMember(2)] double Price);

public sealed class TwiceNumbered
{
    [MessageMember(1)] public int X { get; set; }
    [MessageMember(1)] public int Y { get; set; }
}

public sealed class TooFar
{
    [MessageMember(256)] public int X { get; set; }
}

[RetiredMembers(2)]
public sealed class UsesRetired
{
    [MessageMember(2)] public int X { get; set; }
}

public sealed class TwoUnknown
{
    [MessageMember(1)] public int X { get; set; }
    public UnknownMembers? A { get; set; }
    public UnknownMembers? B { get; set; }
}

public sealed class FixedUnknown
{
    [MessageMember(1)] public int X { get; set; }
    public UnknownMembers? A { get; } = new();
}

[MessageContractFor(typeof(List<LineV1>), Name = "Lines", Formats = ContractFormats.Versioned)]
internal static partial class LineContracts;
