using System;
using System.IO;
using System.Linq;
using Formatters.Orders;
using Formatters.Tests.Support;
using Xunit;

namespace Formatters.Tests.Binary;

public class BinaryWriterFormatterTests
{
    private static readonly BinaryWriterFormatter<Order> Formatter = BinaryWriterFormatter.Create<Order>();

    [Theory]
    [InlineData(0, SampleText.Ascii)]
    [InlineData(50, SampleText.Mixed)]
    [InlineData(500, SampleText.Cjk)]
    public void Write_ClassicPair_GivesTheBytesOfHandCoded(int lineItemCount, SampleText text)
    {
        Order order = SampleOrders.Create(4, lineItemCount, text);
        byte[] expected = new HandCodedFormatter<Order>().Write(order);
        Assert.Equal(expected, Formatter.Write(order));
        Assert.Equal(expected, BinaryWriterFormatter.Create<Order>((o, w) => o.Save(w), (o, r) => o.Load(r)).Write(order));
        Assert.True(order.ContentEquals(Formatter.Read(expected)));
    }

    [Fact]
    public void Read_EveryPrefix_IsTruncatedAtItsEnd()
    {
        byte[] body = Formatter.Write(SampleOrders.Create(1, 5, SampleText.Mixed));
        for (int byteCount = 0; byteCount < body.Length; byteCount++)
        {
            MessageFormatException e = Assert.Throws<MessageFormatException>(() => Formatter.Read(body.AsSpan(0, byteCount)));
            Assert.Equal(MessageFormatErrorCode.Truncated, e.Code);
            Assert.Equal(byteCount, e.ByteOffset);
            Assert.Equal("Order", e.MemberPath);
            Assert.True(e.IsPoison);
        }

        MessageFormatException trailing = Assert.Throws<MessageFormatException>(() => Formatter.Read([.. body, 0]));
        Assert.Equal(MessageFormatErrorCode.TrailingBytes, trailing.Code);
    }

    [Fact]
    public void Read_EveryByteReplacedOutsideTheCount_GivesTheTypedErrorOrAValueThatRoundTrips()
    {
        Order order = SampleOrders.Create(1, 2, SampleText.Mixed);
        byte[] body = Formatter.Write(order);
        int countOffset = Formatter.Write(SampleOrders.Create(1, 0, SampleText.Mixed)).Length - 4;
        var damaged = new byte[body.Length];
        for (int offset = 0; offset < body.Length; offset++)
        {
            // The study's own Load trusts its count: the one thing that a bridge cannot see.
            if (offset >= countOffset && offset < countOffset + 4)
                continue;
            for (int value = 0; value < 256; value += 5)
            {
                body.CopyTo(damaged, 0);
                damaged[offset] = (byte)value;
                if (Formatter.TryRead(damaged, out Order? read, out MessageFormatException? error))
                    Assert.True(read.ContentEquals(Formatter.Read(Formatter.Write(read))));
                else
                    Assert.InRange(error.ByteOffset, 0, damaged.Length);
            }
        }
    }

    private sealed class Everything
    {
        public bool Flag;
        public char Letter;
        public decimal Amount;
        public string Text = "";
        public byte[] Blob = [];
        public char[] Letters = [];
        public sbyte Small;
        public ushort Port;
        public float Ratio;
        public ulong Big;
        public int Packed;

        public void Save(BinaryWriter w)
        {
            w.Write(0); // room for the length, which is patched below
            w.Write(Flag);
            w.Write(Letter);
            w.Write(Amount);
            w.Write(Text);
            w.Write(Blob.Length);
            w.Write(Blob);
            w.Write(Letters.Length);
            w.Write(Letters);
            w.Write(Small);
            w.Write(Port);
            w.Write(Ratio);
            w.Write(Big);
            w.Write7BitEncodedInt(Packed);
            w.Flush();
            long end = w.BaseStream.Position;
            w.Seek(0, SeekOrigin.Begin);
            w.Write((int)end);
            w.BaseStream.Position = end;
        }

        public void Load(BinaryReader r)
        {
            int length = r.ReadInt32();
            Flag = r.ReadBoolean();
            Letter = r.ReadChar();
            Amount = r.ReadDecimal();
            Text = r.ReadString();
            Blob = r.ReadBytes(r.ReadInt32());
            Letters = r.ReadChars(r.ReadInt32());
            Small = r.ReadSByte();
            Port = r.ReadUInt16();
            Ratio = r.ReadSingle();
            Big = r.ReadUInt64();
            Packed = r.Read7BitEncodedInt();
            if (r.BaseStream.Position != length)
                throw new FormatException("length");
        }
    }

    private static Everything Sample() => new()
    {
        Flag = true, Letter = '東', Amount = -1.230m, Text = new string('ä', 3000), Blob = [.. Enumerable.Range(0, 200).Select(i => (byte)i)],
        Letters = ['a', 'é', '東'], Small = -3, Port = 5672, Ratio = 0.25f, Big = ulong.MaxValue - 1, Packed = 70_000,
    };

    [Fact]
    public void Write_EverythingAClassicPairMayDo_GivesTheBytesOfAPlainBinaryWriter()
    {
        using var stream = new MemoryStream();
        using var writer = new BinaryWriter(stream);
        Sample().Save(writer);
        writer.Flush();
        BinaryWriterFormatter<Everything> formatter = BinaryWriterFormatter.Create<Everything>();
        byte[] body = formatter.Write(Sample());
        Assert.Equal(stream.ToArray(), body);

        Everything read = formatter.Read(body);
        Assert.Equal(body, formatter.Write(read));
        Assert.Equal(Sample().Text, read.Text);
        Assert.Equal(Sample().Letters, read.Letters);
    }

    [Theory]
    [InlineData("02", MessageFormatErrorCode.BadValue, 0)]
    [InlineData("01 8100", MessageFormatErrorCode.BadLength, 1)]
    [InlineData("01 02C328", MessageFormatErrorCode.BadText, 2)]
    [InlineData("01 FFFFFFFF0F", MessageFormatErrorCode.BadLength, 1)]
    [InlineData("01 00 FFFFFF7F", MessageFormatErrorCode.Truncated, 6)]
    [InlineData("01 00 FFFFFFFF", MessageFormatErrorCode.BadValue, 6)] // ReadBytes(-1): the base library's ArgumentOutOfRangeException
    [InlineData("01 00 00000000 FFFFFF7F", MessageFormatErrorCode.Truncated, 10)]
    public void Read_BadBytes_GivesTheTypedErrorWhereBinaryReaderIsLenient(string hex, MessageFormatErrorCode code, int offset)
    {
        var formatter = new BinaryWriterFormatter<object>(
            (_, _) => { },
            r => (r.ReadBoolean(), r.ReadString(), r.ReadBytes(r.ReadInt32()), r.ReadChars(r.ReadInt32())));
        byte[] body = Bytes.Hex(hex);
        Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        long before = GC.GetAllocatedBytesForCurrentThread();
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read(body));
        Assert.InRange(GC.GetAllocatedBytesForCurrentThread() - before, 0, 64 * 1024);
        Assert.Equal(code, e.Code);
        Assert.Equal(offset, e.ByteOffset);
        Assert.True(e.IsPoison);
    }

    [Fact]
    public void Read_LoadThrowsSomethingElse_IsWrappedButNotPoison()
    {
        var formatter = new BinaryWriterFormatter<object>((_, _) => { }, _ => throw new InvalidOperationException("own"));
        MessageFormatException e = Assert.Throws<MessageFormatException>(() => formatter.Read([1]));
        Assert.False(e.IsPoison);
        Assert.IsType<InvalidOperationException>(e.InnerException);
    }

    [Fact]
    public void Write_SaveThrows_PassesThroughAndTheFormatterStillWorks()
    {
        Assert.Throws<NullReferenceException>(() => Formatter.Write(new Order()));
        Order order = SampleOrders.Create(1);
        Assert.True(order.ContentEquals(Formatter.Read(Formatter.Write(order))));
    }

    [Fact]
    public void Write_InsideAnotherSave_UsesAWriterOfItsOwn()
    {
        var outer = new BinaryWriterFormatter<Order>((o, w) => w.Write(Formatter.Write(o)), r => Formatter.Read(r.ReadBytes((int)r.BaseStream.Length)));
        Order order = SampleOrders.Create(1);
        Assert.Equal(Formatter.Write(order), outer.Write(order));
        Assert.True(order.ContentEquals(outer.Read(outer.Write(order))));
    }

    [Fact]
    public void Read_GoodBodyAfterABadOne_IsRead()
    {
        var formatter = new BinaryWriterFormatter<string>((_, _) => { }, r => r.ReadChar().ToString() + new string(r.ReadChars(1)));
        Assert.Equal("AB", formatter.Read([0x41, 0x42]));
        foreach (byte[] bad in new byte[][] { [0xC3], [0x41, 0xE2, 0x82], [0x41, 0xC3], [0xFF, 0xFF] })
        {
            Assert.Throws<MessageFormatException>(() => formatter.Read(bad));
            Assert.Equal("AB", formatter.Read([0x41, 0x42]));
            Assert.Equal("€ü", formatter.Read([0xE2, 0x82, 0xAC, 0xC3, 0xBC]));
        }
    }

    private sealed class Tree
    {
        public Tree? Left;

        // Work behind the call: else optimised code makes a loop of it, which takes no stack.
        private int _height;

        public void Save(BinaryWriter w)
        {
            w.Write(Left is not null);
            Left?.Save(w);
            _height = 1 + (Left?._height ?? 0);
        }

        public void Load(BinaryReader r)
        {
            if (!r.ReadBoolean())
                return;
            Left = new Tree();
            Left.Load(r);
            _height = 1 + Left._height;
        }
    }

    [Fact]
    public void Read_DeepBody_StopsBeforeTheStackEnds()
    {
        BinaryWriterFormatter<Tree> formatter = BinaryWriterFormatter.Create<Tree>();
        byte[] body = new byte[4_000_000];
        body.AsSpan().Fill(1);
        OnSmallStack(() => Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Read(body)).Code));
    }

    [Fact]
    public void Write_Cycle_StopsBeforeTheStackEnds()
    {
        BinaryWriterFormatter<Tree> formatter = BinaryWriterFormatter.Create<Tree>();
        var tree = new Tree();
        tree.Left = tree;
        OnSmallStack(() => Assert.Equal(MessageFormatErrorCode.DepthExceeded, Assert.Throws<MessageFormatException>(() => formatter.Write(tree)).Code));
    }

    private static void OnSmallStack(Action action)
    {
        Exception? error = null;
        var thread = new System.Threading.Thread(() => error = Record.Exception(action), 256 * 1024);
        thread.Start();
        thread.Join();
        Assert.Null(error);
    }

    [Fact]
    public void Write_LoneSurrogateWhenRefused_IsBadText()
    {
        var formatter = new BinaryWriterFormatter<string>((s, w) => w.Write(s), r => r.ReadString(), FormatterLimits.Default with { RefuseInvalidText = true });
        Assert.Equal(MessageFormatErrorCode.BadText, Assert.Throws<MessageFormatException>(() => formatter.Write("a" + (char)0xD800)).Code);
        Assert.Equal("a😀", formatter.Read(formatter.Write("a😀")));
    }

    [Fact]
    public void Create_TypeWithoutThePair_ThrowsArgumentException()
    {
        ArgumentException e = Assert.Throws<ArgumentException>(() => BinaryWriterFormatter.Create<MemoryStream>());
        Assert.Contains("Save(BinaryWriter)", e.Message, StringComparison.Ordinal);
    }
}
