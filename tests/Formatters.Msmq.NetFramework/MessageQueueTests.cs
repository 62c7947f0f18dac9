using System;
using System.IO;
using System.Messaging;
using System.Threading.Tasks;
using Formatters.Interop.Tests.SystemMessaging;
using Formatters.Orders;
using Xunit;

namespace Formatters.Msmq.Tests;

/// <summary>Typed sends and receives over genuine queues: Mono's, over a RabbitMQ broker.</summary>
public sealed class MessageQueueTests : IDisposable
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan Now = TimeSpan.FromMilliseconds(50);
    private static readonly Order Order = OrderFormats.Order(3);
    private static readonly HandCodedFormatter<Order> Binary = new();

    private readonly string _path = Program.PathOf("formatters-tests-" + Guid.NewGuid().ToString("N"));
    private readonly MessageQueue _queue;
    private readonly MessageQueue _errorQueue;

    public MessageQueueTests()
    {
        _queue = MessageQueue.Create(_path);
        _errorQueue = MessageQueue.Create(_path + "-errors");
    }

    public void Dispose()
    {
        _queue.Dispose();
        _errorQueue.Dispose();
        MessageQueue.Delete(_path);
        MessageQueue.Delete(_path + "-errors");
    }

    [Fact]
    public void Payloads_ArriveByEveryFormatter()
    {
        foreach (MessageFormatter<Order> formatter in OrderFormats.All.Values)
        {
            _queue.Send(Order, formatter, "an order");
            ReceivedMessage<Order> received = _queue.Receive<Order>(OrderFormats.Registry, Soon);
            Assert.Equal(("an order", formatter.BodyType), (received.Message.Label, received.Message.BodyType));
            Assert.True(Order.ContentEquals(received.Value));
        }

        _queue.Send(7, new ActiveXFormatter());
        Assert.Equal(7, _queue.Receive<int>(new ActiveXFormatter()).Value);
        AssertEmpty();
    }

    [Fact]
    public void AFormatterOfTheQueue_IsItsOwnForEveryMessage()
    {
        _queue.Formatter = new FormatterAdapter(Binary);
        _queue.Send(Order);
        _queue.Send(Order);
        Assert.True(Order.ContentEquals((Order)_queue.Receive(Soon).Body));
        Assert.True(Order.ContentEquals((Order)_queue.Receive(Soon).Body));
    }

    [Fact]
    public void AMessageWithPropertiesOfItsOwn_IsSentByTheQueueItself()
    {
        var message = new Message { Label = "urgent", Priority = MessagePriority.High, AppSpecific = 5, Recoverable = true };
        message.Write(Order, Binary);
        _queue.Send(message);
        Message received = _queue.Receive(Soon);
        Assert.Equal(("urgent", 5, BodyTypes.Binary), (received.Label, received.AppSpecific, received.BodyType));
        Assert.True(Order.ContentEquals(received.Read<Order>(Binary)));
    }

    [Fact]
    public void Receive_AfterTheTimeout_IsTheQueuesExceptionOrNull()
    {
        Assert.Throws<MessageQueueException>(() => _queue.Receive<Order>(Binary, Now));
        Assert.Throws<MessageQueueException>(() => _queue.Peek<Order>(Binary, Now));
        Assert.Null(_queue.TryReceive<Order>(Binary, Now));
        Assert.Null(_queue.TryReceive<Order>(Binary, Now, MessageQueueTransactionType.Single));
        Assert.Null(_queue.TryPeek<Order>(Binary, Now));
        using MessageQueueTransaction transaction = Begun();
        Assert.Null(_queue.TryReceive<Order>(Binary, Now, transaction));
        transaction.Abort();
    }

    [Fact]
    public void Peek_LeavesTheMessage()
    {
        _queue.Send(Order, Binary, "first");
        Assert.Equal("first", _queue.Peek<Order>(Binary, Soon).Message.Label);
        Assert.True(Order.ContentEquals(_queue.TryPeek<Order>(Binary, Soon)!.Value));
        Assert.Equal("first", _queue.Receive<Order>(Binary, Soon).Message.Label);
        AssertEmpty();
    }

    [Fact]
    public void ReceiveById_TakesTheOneMessage()
    {
        _queue.Send(OrderFormats.Order(1), Binary, "1");
        _queue.Send(OrderFormats.Order(2), Binary, "2");
        string first = _queue.Peek(Soon).Id;
        Assert.Equal("1", _queue.ReceiveById<Order>(Binary, first).Message.Label);
        Assert.Throws<InvalidOperationException>(() => _queue.ReceiveById<Order>(Binary, first));
        Assert.Equal("2", _queue.Receive<Order>(Binary, Soon).Message.Label);
    }

    [Fact]
    public void AnUnreadableMessage_StaysOnTheQueue()
    {
        SendBad("bad");
        for (int i = 0; i < 3; i++)
        {
            MessageFormatException error = Assert.Throws<MessageFormatException>(() => _queue.Receive<Order>(Binary, Soon));
            Assert.True(error.IsPoison);
        }

        Assert.Throws<MessageFormatException>(() => _queue.TryReceive<Order>(Binary, Soon));
        Assert.Throws<MessageFormatException>(() => _queue.Receive<Order>(Binary, Soon, MessageQueueTransactionType.Single));
        Assert.Throws<MessageFormatException>(() => _queue.Peek<Order>(Binary, Soon));
        string id = _queue.Peek(Soon).Id;
        Assert.Throws<MessageFormatException>(() => _queue.ReceiveById<Order>(Binary, id));
        AssertOne("bad");
    }

    [Fact]
    public void AnUnreadableMessage_ComesBackWithItsTransaction()
    {
        SendBad("bad");
        using (MessageQueueTransaction transaction = Begun())
        {
            Assert.Throws<MessageFormatException>(() => _queue.Receive<Order>(Binary, Soon, transaction));
            transaction.Abort();
        }

        AssertOne("bad");
    }

    [Fact]
    public void AnUnreadableMessage_GoesToTheHandler_AndTheNextIsReceived()
    {
        SendBad("bad");
        _queue.Send(Order, Binary, "good");
        ReceivedMessage<Order> received = _queue.Receive<Order>(Binary, Soon, onUnreadable: _errorQueue.SendUnreadable);
        Assert.Equal("good", received.Message.Label);
        AssertEmpty();

        Message bad = _errorQueue.Receive(Soon);
        Assert.Equal("[Truncated, byte 3] bad", bad.Label);
        Assert.Equal(BodyTypes.Binary, bad.BodyType);
        Assert.Equal([1, 2, 3], FormatterAdapterTests.Bytes(bad));
    }

    [Fact]
    public void AHandlerThatFails_LeavesTheMessage()
    {
        SendBad("bad");
        Assert.Throws<IOException>(() => _queue.Receive<Order>(Binary, Soon, onUnreadable: (_, _, _) => throw new IOException()));
        AssertOne("bad");
    }

    [Fact]
    public void AHandler_SendsInTheTransactionOfTheReceive()
    {
        SendBad("bad");
        using (MessageQueueTransaction transaction = Begun())
        {
            // The message is the only one: Mono gives a transaction one receive.
            Assert.Throws<MessageQueueException>(() => _queue.Receive<Order>(Binary, Now, transaction, (message, error, own) =>
            {
                Assert.Same(transaction, own);
                _errorQueue.SendUnreadable(message, error, own);
            }));
            transaction.Commit();
        }

        Assert.StartsWith("[Truncated", _errorQueue.Receive(Soon).Label);
        AssertEmpty();
    }

    [Fact]
    public void Transactions_SendAndReceive()
    {
        using (MessageQueueTransaction transaction = Begun())
        {
            _queue.Send(Order, Binary, "lost", transaction);
            transaction.Abort();
        }

        AssertEmpty();
        using (MessageQueueTransaction transaction = Begun())
        {
            _queue.Send(Order, Binary, "sent", transaction);
            transaction.Commit();
        }

        using (MessageQueueTransaction transaction = Begun())
        {
            Assert.True(Order.ContentEquals(_queue.Receive<Order>(Binary, Soon, transaction).Value));
            transaction.Abort();
        }

        using (MessageQueueTransaction transaction = Begun())
        {
            Assert.Equal("sent", _queue.TryReceive<Order>(Binary, Soon, transaction)!.Message.Label);
            transaction.Commit();
        }

        AssertEmpty();
        _queue.Send(Order, Binary, "single", MessageQueueTransactionType.Single);
        Assert.Equal("single", _queue.Receive<Order>(Binary, Soon, MessageQueueTransactionType.Single).Message.Label);
        AssertEmpty();
    }

    [Fact]
    public void AnotherReceiverThatIsFaster_GetsTheMessage_AndWeTheNext()
    {
        using var other = new MessageQueue(_path);
        _queue.Send(OrderFormats.Order(1), Binary, "1");
        _queue.Send(OrderFormats.Order(2), Binary, "2");
        string? taken = null;
        // Between our look and our removal.
        var slow = DelegateFormatter.FromArrays(ContentTypes.Binary, BodyTypes.Binary, Binary.Write, body =>
        {
            taken ??= other.Receive(Soon).Label;
            return Binary.Read(body);
        });
        ReceivedMessage<Order> received = _queue.Receive<Order>(slow, Soon);
        Assert.Equal(("1", "2"), (taken, received.Message.Label));
        AssertEmpty();
    }

    [Fact]
    public void Async_ReceivesAndPeeks()
    {
        Task<ReceivedMessage<Order>> waiting = _queue.ReceiveAsync<Order>(Binary, Soon);
        Assert.False(waiting.IsCompleted);
        using (var sender = new MessageQueue(_path))
            sender.Send(Order, Binary, "awaited");
        Assert.Equal("awaited", Wait(waiting).Message.Label);

        SendBad("bad");
        _queue.Send(Order, Binary, "good");
        Assert.Throws<MessageFormatException>(() => Wait(_queue.PeekAsync<Order>(Binary, Soon)));
        Assert.Throws<MessageFormatException>(() => Wait(_queue.ReceiveAsync<Order>(Binary, Soon)));
        Assert.Equal("good", Wait(_queue.ReceiveAsync<Order>(Binary, Soon, onUnreadable: _errorQueue.SendUnreadable)).Message.Label);
        Assert.EndsWith("bad", _errorQueue.Receive(Soon).Label);

        _queue.Send(Order, Binary, "in a transaction");
        Assert.True(Order.ContentEquals(Wait(_queue.PeekAsync<Order>(Binary, Soon)).Value));
        using MessageQueueTransaction transaction = Begun();
        Assert.Equal("in a transaction", Wait(_queue.TryReceiveAsync<Order>(Binary, Soon, transaction))!.Message.Label);
        transaction.Commit();
        // Not asked here: what comes after the timeout. Mono then never calls back.
    }

    [Fact]
    public void NullArguments_AreRefusedByName()
    {
        MessageQueue none = null!;
        Assert.Equal("queue", Assert.Throws<ArgumentNullException>(() => none.Send(Order, Binary)).ParamName);
        Assert.Equal("queue", Assert.Throws<ArgumentNullException>(() => none.Receive<Order>(Binary)).ParamName);
        Assert.Equal("errorQueue", Assert.Throws<ArgumentNullException>(() => none.SendUnreadable(new Message(), new MessageFormatException())).ParamName);
        Assert.Equal("formatter", Assert.Throws<ArgumentNullException>(() => _queue.Send(Order, (IMessageFormatter)null!)).ParamName);
        Assert.Equal("formatter", Assert.Throws<ArgumentNullException>(() => _queue.Receive<Order>(null!)).ParamName);
        Assert.Equal("id", Assert.Throws<ArgumentNullException>(() => _queue.ReceiveById<Order>(Binary, null!)).ParamName);
    }

    private static T Wait<T>(Task<T> task) => task.GetAwaiter().GetResult();

    private static MessageQueueTransaction Begun()
    {
        var transaction = new MessageQueueTransaction();
        transaction.Begin();
        return transaction;
    }

    private void SendBad(string label) => _queue.Send(new Message { BodyStream = new MemoryStream([1, 2, 3]), BodyType = BodyTypes.Binary, Label = label });

    private void AssertEmpty() => Assert.Null(_queue.TryReceive<Order>(Binary, Now));

    private void AssertOne(string label)
    {
        Assert.Equal(label, _queue.Receive(Soon).Label);
        AssertEmpty();
    }
}
