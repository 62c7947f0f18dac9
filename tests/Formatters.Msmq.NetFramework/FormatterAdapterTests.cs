using System;
using System.IO;
using Formatters.Interop.Tests.SystemMessaging;
using Formatters.Orders;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>The contract of System.Messaging.IMessageFormatter, over genuine messages.</summary>
public sealed class FormatterAdapterTests
{
    private static readonly Order Order = OrderFormats.Order(3);
    private static readonly HandCodedFormatter<Order> Binary = new();
    private static readonly FormatterAdapter Adapter = new(Binary);

    [Fact]
    public void EveryFormatter_WritesAndReadsThroughAMessage()
    {
        foreach (MessageFormatter<Order> formatter in OrderFormats.All.Values)
        {
            var adapter = new FormatterAdapter(formatter);
            var message = new Message { Label = "kept" };
            adapter.Write(message, Order);
            Assert.Equal((formatter.BodyType, 0L, "kept"), (message.BodyType, message.BodyStream.Position, message.Label));
            Assert.Equal(formatter.Write(Order), Bytes(message));
            Assert.True(adapter.CanRead(message));
            Assert.True(Order.ContentEquals((Order)adapter.Read(message)!));
            Assert.True(Order.ContentEquals(message.Read<Order>(formatter)));
            Assert.True(Order.ContentEquals(message.Read<Order>(OrderFormats.Registry)));
            Assert.True(Order.ContentEquals((Order)new FormatterAdapter(OrderFormats.Registry).Read(message)!));

            var typed = new Message();
            typed.Write(Order, formatter);
            Assert.Equal(message.BodyType, typed.BodyType);
            Assert.Equal(formatter.Write(Order), Bytes(typed));
        }
    }

    [Fact]
    public void NumberedMembers_TravelByMessagePackAndVersioned()
    {
        IMessageFormatter[] formatters =
        [
            new MessagePackFormatter<Note>(),
            new VersionedFormatter<Note>(VersionedOptions.Default),
        ];
        var note = new Note { Text = "Grüße", Number = 7 };
        foreach (IMessageFormatter formatter in formatters)
        {
            var message = new Message { Formatter = new FormatterAdapter(formatter) };
            message.Formatter.Write(message, note);
            Assert.True(message.Formatter.CanRead(message));
            var read = (Note)message.Body;
            Assert.Equal((note.Text, note.Number), (read.Text, read.Number));
        }
    }

    [Fact]
    public void SingleValues_TravelByActiveX()
    {
        var adapter = new FormatterAdapter(new ActiveXFormatter());
        foreach (object? value in new object?[] { null, (short)-1, 7, 1L << 40, 2.5, true, 12.34m, "Grüße", new DateTime(2004, 11, 20), new byte[] { 1, 2 }, Guid.NewGuid() })
        {
            var message = new Message();
            adapter.Write(message, value);
            Assert.Equal(value, adapter.Read(message));
        }

        var number = new Message();
        number.Write(7, new ActiveXFormatter());
        Assert.Equal(7, number.Read<int>(new ActiveXFormatter()));
        Assert.Equal(MessageFormatErrorCode.TypeNotAllowed, Error(() => number.Read<string>(new ActiveXFormatter())).Code);
        number.Write<object?>(null, new ActiveXFormatter());
        Assert.Null(number.Read<string?>(new ActiveXFormatter()));
        Assert.Equal(MessageFormatErrorCode.UnexpectedNull, Error(() => number.Read<int>(new ActiveXFormatter())).Code);
    }

    [Fact]
    public void Body_IsReadByTheFormatterOfTheMessage()
    {
        var message = new Message { Formatter = Adapter };
        Adapter.Write(message, Order);
        Assert.True(Order.ContentEquals((Order)message.Body));

        Message other = Written(Order);
        Assert.Null(other.Formatter);
        Assert.True(Order.ContentEquals(other.Read<Order>(Binary)));
    }

    [Fact]
    public void Write_PutsANewStreamInPlaceOfTheOldOne()
    {
        var old = new MemoryStream();
        old.Write(new byte[10_000], 0, 10_000);
        var message = new Message { BodyStream = old, BodyType = 768 };
        Adapter.Write(message, Order);
        Assert.Equal(10_000, old.Length);
        Assert.NotSame(old, message.BodyStream);
        Assert.Equal(BodyTypes.Binary, message.BodyType);
        Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
    }

    [Fact]
    public void Write_ThatFails_LeavesTheMessageAsItWas()
    {
        var old = new MemoryStream([1]);
        var message = new Message { BodyStream = old, BodyType = 768 };
        Assert.Throws<ArgumentException>(() => Adapter.Write(message, "no order"));
        Assert.Throws<ArgumentNullException>(() => Adapter.Write(message, null));
        Assert.Throws<MessageFormatException>(() => Adapter.Write(message, new Order()));
        Assert.Throws<MessageFormatException>(() => message.Write(new Order(), Binary));
        Assert.Same(old, message.BodyStream);
        Assert.Equal(768, message.BodyType);
    }

    [Fact]
    public void Read_TakesTheWholeStream_WhereverItsPositionIs()
    {
        byte[] bytes = Binary.Write(Order);
        Stream[] streams = [new MemoryStream(bytes), new MemoryStream(bytes, 0, bytes.Length, false, true), new BufferedStream(new MemoryStream(bytes))];
        foreach (Stream stream in streams)
        {
            foreach (int position in new[] { 0, 5, bytes.Length })
            {
                var message = new Message { BodyStream = stream, BodyType = BodyTypes.Binary };
                stream.Position = position;
                Assert.True(Adapter.CanRead(message));
                Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
                Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
                Assert.Equal(position, stream.Position);
                Assert.Same(stream, message.BodyStream);
            }
        }
    }

    [Fact]
    public void Read_AStreamThatCannotSeek_CanBeReadAgain()
    {
        var message = new Message { BodyStream = new ForwardStream(Binary.Write(Order)), BodyType = BodyTypes.Binary };
        Assert.True(Adapter.CanRead(message));
        Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
        Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
        Assert.Equal(BodyTypes.Binary, message.BodyType);
    }

    [Fact]
    public void NoStream_IsAnEmptyBody()
    {
        var message = new Message();
        Assert.False(Adapter.CanRead(message));
        Assert.Equal(MessageFormatErrorCode.Truncated, Error(() => Adapter.Read(message)).Code);

        message.BodyType = 1;
        var activeX = new FormatterAdapter(new ActiveXFormatter());
        Assert.True(activeX.CanRead(message));
        Assert.Null(activeX.Read(message));
    }

    [Fact]
    public void ABodyTypeOfAnotherFormat_IsRefusedUnread()
    {
        Message message = Written(Order);
        message.BodyType = 768;
        Assert.False(Adapter.CanRead(message));
        foreach (Action read in new Action[] { () => Adapter.Read(message), () => message.Read<Order>(Binary), () => message.Read<Order>(OrderFormats.Registry.WithReader(new ActiveXFormatter())) })
        {
            MessageFormatException error = Error(read);
            // The registry gives it to the reader of 768, which says what is wrong.
            Assert.True(error.Code is MessageFormatErrorCode.UnknownFormat or MessageFormatErrorCode.Malformed);
        }

        Assert.False(Error(() => Adapter.Read(message)).IsPoison);
    }

    [Fact]
    public void NoBodyType_SaysNothing_AndIsRead()
    {
        Message message = Written(Order);
        message.BodyType = 0;
        Assert.False(Adapter.CanRead(message));
        Assert.True(Order.ContentEquals((Order)Adapter.Read(message)!));
        Assert.True(Order.ContentEquals(message.Read<Order>(Binary)));
        Assert.False(new FormatterAdapter(OrderFormats.Registry).CanRead(message));
        Assert.True(Order.ContentEquals(message.Read<Order>(OrderFormats.Registry.WithUntaggedReader(Binary))));
    }

    [Fact]
    public void EveryPrefixOfABody_GivesTheOneException()
    {
        foreach (MessageFormatter<Order> formatter in OrderFormats.All.Values)
        {
            byte[] bytes = formatter.Write(OrderFormats.Order(1));
            for (int length = 0; length < bytes.Length; length++)
            {
                var message = new Message { BodyStream = new MemoryStream(bytes, 0, length), BodyType = formatter.BodyType };
                Error(() => new FormatterAdapter(formatter).Read(message));
            }
        }
    }

    [Fact]
    public void Clone_CostsNothing_UnlessTheFormatterHasState()
    {
        Assert.Same(Adapter, Adapter.Clone());
        var stateful = new FormatterAdapter(new Stateful());
        var clone = (FormatterAdapter)stateful.Clone();
        Assert.NotSame(stateful.Formatter, clone.Formatter);
        Assert.IsType<Stateful>(clone.Formatter);
        Assert.Equal("FormatterAdapter (Stateful)", clone.ToString());
    }

    [Fact]
    public void NullArguments_AreRefusedByName()
    {
        Assert.Equal("formatter", Assert.Throws<ArgumentNullException>(() => new FormatterAdapter(null!)).ParamName);
        Assert.Equal("message", Assert.Throws<ArgumentNullException>(() => Adapter.CanRead(null!)).ParamName);
        Assert.Equal("message", Assert.Throws<ArgumentNullException>(() => Adapter.Read(null!)).ParamName);
        Assert.Equal("message", Assert.Throws<ArgumentNullException>(() => Adapter.Write(null!, Order)).ParamName);
        Assert.Equal("message", Assert.Throws<ArgumentNullException>(() => ((Message)null!).Write(Order, Binary)).ParamName);
        Assert.Equal("message", Assert.Throws<ArgumentNullException>(() => ((Message)null!).Read<Order>(Binary)).ParamName);
        Assert.Equal("formatter", Assert.Throws<ArgumentNullException>(() => new Message().Read<Order>(null!)).ParamName);
        Assert.Equal("formatter", Assert.Throws<ArgumentNullException>(() => new Message().Write(Order, null!)).ParamName);
    }

    internal static byte[] Bytes(Message message)
    {
        var copy = new MemoryStream();
        message.BodyStream.Position = 0;
        message.BodyStream.CopyTo(copy);
        message.BodyStream.Position = 0;
        return copy.ToArray();
    }

    private static Message Written(Order order)
    {
        var message = new Message();
        Adapter.Write(message, order);
        return message;
    }

    private static MessageFormatException Error(Action read) => Assert.Throws<MessageFormatException>(read);

    public sealed class Note
    {
        [MessageMember(1)]
        public string Text = "";

        [MessageMember(2)]
        public int Number;
    }

    private sealed class Stateful : IMessageFormatter
    {
        public bool CanRead(MessageBody body) => false;

        public object Read(MessageBody body) => body;

        public void Write(MessageBody body, object? value) => body.BodyType = 1;

        public object Clone() => new Stateful();
    }

    /// <summary>As a stream from a network: in small pieces, with no length and no way back.</summary>
    private sealed class ForwardStream(byte[] bytes) : Stream
    {
        private readonly MemoryStream _stream = new(bytes);

        public override bool CanRead => true;

        public override bool CanSeek => false;

        public override bool CanWrite => false;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override int Read(byte[] buffer, int offset, int count) => _stream.Read(buffer, offset, Math.Min(count, 3));

        public override void Flush()
        {
        }

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException();
    }
}
