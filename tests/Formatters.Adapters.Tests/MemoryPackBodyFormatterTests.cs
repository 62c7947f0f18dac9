using System;
using System.Buffers;
using System.Collections.Generic;
using System.IO;
using System.Threading;
using Formatters.Buffers;
using Formatters.Tests.Support;
using MemoryPack;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Adapters.Tests;

public sealed class MemoryPackBodyFormatterTests(ITestOutputHelper output)
{
    private static readonly MemoryPackBodyFormatter<Order> Orders = new();

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
        var message = new MessageBody();
        IMessageFormatter untyped = Orders;
        untyped.Write(message, order);
        Assert.Equal(("application/x-memorypack", Orders.BodyType), (message.ContentType, message.BodyType));
        Assert.True(order.ContentEquals(Assert.IsType<Order>(untyped.Read(message))));
    }

    [Fact]
    public void Read_IntoAnExistingObject_FillsIt()
    {
        Order existing = Order.Sample(3);
        Order before = existing;
        List<Line> lines = existing.Lines;

        Orders.Read(Orders.Write(Order.Sample(1)), ref existing);

        Assert.Same(before, existing);
        Assert.Same(lines, existing.Lines);
        Assert.True(Order.Sample(1).ContentEquals(existing));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    public void Write_IsWhatTheLibraryWrites(int lineCount)
    {
        Order order = Order.Sample(lineCount);
        byte[] wide = new MemoryPackBodyFormatter<Order>(MemoryPackSerializerOptions.Utf16).Write(order);
        Assert.Equal(MemoryPackSerializer.Serialize(order), Orders.Write(order));
        Assert.Equal(MemoryPackSerializer.Serialize(order, MemoryPackSerializerOptions.Utf16), wide);
        Assert.NotEqual(Orders.Write(order), wide);
        Assert.True(order.ContentEquals(Orders.Read(wide)));
    }

    [Fact]
    public void Write_DerivedType_IsReadAsIt()
    {
        var shapes = new MemoryPackBodyFormatter<Shape>();
        byte[] body = shapes.Write(new Square { Side = 4 });
        Assert.Equal("02" + "01" + "04000000", Convert.ToHexString(body));
        Assert.Equal(4, Assert.IsType<Square>(shapes.Read(body)).Side);
    }

    [Fact]
    public void Read_EveryPrefix_IsTheTypedError()
    {
        byte[] body = Orders.Write(Order.Sample(2));
        for (int length = 0; length < body.Length; length++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Orders.Read(body.AsSpan(0, length)));
            Assert.Equal((MessageFormatErrorCode.Malformed, true), (e.Code, e.IsPoison));
            Assert.IsType<MemoryPackSerializationException>(e.InnerException);
        }
    }

    [Theory]
    [InlineData("FF", MessageFormatErrorCode.UnexpectedNull)]
    [InlineData("05" + "01000000" + "FFFFFFFF" + "FFFFFFFF" + "FFFFFFFF" + "FFFFFFFF" + "00", MessageFormatErrorCode.TrailingBytes)]
    [InlineData("05" + "01000000" + "FFFFFF7F", MessageFormatErrorCode.Malformed)]
    [InlineData("05" + "01000000" + "00000080", MessageFormatErrorCode.Malformed)]
    [InlineData("05" + "01000000" + "FFFFFFFF" + "FFFFFF7F", MessageFormatErrorCode.Malformed)]
    [InlineData("09", MessageFormatErrorCode.Malformed)]
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
    public void Read_ValueThatThePropertyRefuses_IsTheTypedErrorWithItsCause()
    {
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new MemoryPackBodyFormatter<Picky>().Read([1, 101, 0, 0, 0]));
        Assert.Equal(MessageFormatErrorCode.Malformed, e.Code);
        Assert.IsType<ArgumentOutOfRangeException>(e.GetBaseException());
    }

    /// <summary>The library itself reads memory after the body, which ends the process.</summary>
    [Theory]
    [InlineData("00000080")]
    [InlineData("01000080")]
    [InlineData("02000080")]
    [InlineData("03000080")]
    public void Read_StringLengthThatOverflows_IsTheTypedError(string header)
    {
        byte[] body = Convert.FromHexString("05" + "01000000" + header + "00000000" + "00000000");
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => Orders.Read(body)).Code);
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => Orders.Read(body.AsSpan(0, 9))).Code);
        byte[] nested = Convert.FromHexString("02" + "01000000" + "02" + header + "FFFFFFFF");
        Assert.Equal(MessageFormatErrorCode.Malformed, Assert.Throws<MessageFormatException>(() => new MemoryPackBodyFormatter<Tree>().Read(nested)).Code);
    }

    [Fact]
    public void RoundTrip_NumbersWithTheBytesOfSuchALength_KeepsThem()
    {
        foreach (double price in new[] { 33, -0.0, 2.0625, BitConverter.Int64BitsToDouble(unchecked((long)0x8000000380000001)) })
        {
            var order = new Order { Id = int.MinValue, Lines = [new Line { Name = "\0\u8000", Price = price, Count = unchecked((int)0x80000003) }], Rates = new() { ["a"] = price } };
            Assert.True(order.ContentEquals(Orders.Read(Orders.Write(order))));
            Assert.True(order.ContentEquals(new MemoryPackBodyFormatter<Order>().Read(new MemoryPackBodyFormatter<Order>(MemoryPackSerializerOptions.Utf16).Write(order))));
        }
    }

    /// <summary>The library itself recurses until the process ends.</summary>
    [Theory]
    [InlineData(256 * 1024)]
    [InlineData(1024 * 1024)]
    [InlineData(8 * 1024 * 1024)]
    public void Read_DeeperThanTheStack_IsTheTypedError(int stackByteCount)
    {
        byte[] deep = new byte[1_000_000];
        deep.AsSpan().Fill(1);
        OnThread(stackByteCount, () =>
        {
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => new MemoryPackBodyFormatter<Chain>().Read(deep)).Code);
            Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => new MemoryPackBodyFormatter<Tree>().Read(TreeBody())).Code);
        });

        static byte[] TreeBody()
        {
            // A list of one tree, in which there is a dictionary with one tree, without end.
            byte[] level = Convert.FromHexString("02" + "01000000" + "02" + "FFFFFFFF" + "01000000" + "01000000");
            byte[] body = new byte[level.Length * 50_000];
            for (int i = 0; i < body.Length; i += level.Length)
                level.CopyTo(body, i);
            return body;
        }
    }

    [Fact]
    public void RoundTrip_OfNestedObjects_InBodiesOfEveryLength()
    {
        var formatter = new MemoryPackBodyFormatter<Chain>();
        for (int depth = 1; depth < 600; depth++)
        {
            Chain? chain = formatter.Read(formatter.Write(Chain.OfDepth(depth)));
            int read = 0;
            for (; chain is not null; chain = chain.Next)
                read++;
            Assert.Equal(depth, read);
        }
    }

    [Fact]
    public void Write_ACycle_IsTheTypedError()
    {
        var cycle = new Chain();
        cycle.Next = cycle;
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => new MemoryPackBodyFormatter<Chain>().Write(cycle));
        Assert.Equal(MessageFormatErrorCode.DepthExceeded, e.Code);
        Assert.IsType<MemoryPackSerializationException>(e.InnerException);
    }

    [Fact]
    public void BodySize_IsLimitedInBothDirections()
    {
        var formatter = new MemoryPackBodyFormatter<string>(FormatterLimits.Default with { MaxBodyByteCount = 100 });
        Assert.Equal("x", formatter.Read(formatter.Write("x")));
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(new string('x', 100))).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(new byte[101])).Code);
        Assert.Equal(MessageFormatErrorCode.LimitExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(Bytes.Segmented(new byte[101]))).Code);
        Assert.Throws<ArgumentNullException>(() => formatter.Write(null!));
    }

    [Fact]
    public void Constructor_TypeWithoutContract_SaysSo()
    {
        Assert.Contains("[MemoryPackable]", Assert.Throws<ArgumentException>(() => new MemoryPackBodyFormatter<Plain>()).Message, StringComparison.Ordinal);
        Assert.Throws<ArgumentNullException>(() => new MemoryPackBodyFormatter<Order>((MemoryPackSerializerOptions)null!));
        Assert.Equal(7, new MemoryPackBodyFormatter<int>().Read(new MemoryPackBodyFormatter<int>().Write(7)));
    }

    [Fact]
    public void Read_DamagedBodies_OnlyTheTypedError() =>
        Mutation.Run(output, 20041120, 5000, Orders.Write(Order.Sample(20)), body => Orders.Read(body));

    [Fact]
    public void Write_InTheSteadyState_AllocatesNothing()
    {
        Order order = Order.Sample(20);
        using var buffer = new PooledBufferWriter(4096);
        Write();
        Write();
        long before = GC.GetAllocatedBytesForCurrentThread();
        Write();
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);

        void Write()
        {
            buffer.Clear();
            Orders.Write(buffer, order);
        }
    }

    private static void OnThread(int stackByteCount, Action action)
    {
        Exception? error = null;
        var thread = new Thread(
            () =>
            {
                try
                {
                    action();
                }
                catch (Exception e)
                {
                    error = e;
                }
            },
            stackByteCount);
        thread.Start();
        thread.Join();
        Assert.Null(error);
    }
}
