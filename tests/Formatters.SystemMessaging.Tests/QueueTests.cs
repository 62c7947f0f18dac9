using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Messaging;
using System.Threading;
using System.Threading.Tasks;
using System.Transactions;
using Formatters.Queues;
using Xunit;
using AcknowledgeTypes = System.Messaging.AcknowledgeTypes;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The behaviour of queues in memory and in a folder; the core of it also on PostgreSQL and RabbitMQ.</summary>
public class QueueTests(TestQueues queues) : IClassFixture<TestQueues>
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Messages_are_sent_peeked_at_and_received(string machine) => Core(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void Messages_are_sent_peeked_at_and_received_on_a_server(string machine) => Core(machine);

    private void Core(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        Assert.True(MessageQueue.Exists(queue.Path));
        Assert.Equal(MessageQueueErrorCode.QueueExists, Code(() => MessageQueue.Create(queue.Path)));
        queue.MessageReadPropertyFilter.SetAll();
        var message = new Message("one")
        {
            Label = "first", AppSpecific = 5, Extension = [1, 2, 3], CorrelationId = @"00000000-0000-0000-0000-000000000001\17",
            ResponseQueue = new MessageQueue(@".\private$\answers"), Recoverable = true,
        };
        queue.Send(message);
        queue.Send("two", "second");
        queue.Send(3);
        Assert.NotEqual(Message.NoId, message.Id);

        Assert.Equal("one", queue.Peek(Soon).Body);
        Message[] all = queue.GetAllMessages();
        Assert.Equal(["one", "two", 3], all.Select(static each => each.Body));
        Assert.Equal("two", queue.PeekById(all[1].Id).Body);
        Message received = queue.ReceiveByCorrelationId(message.CorrelationId, Soon);
        Assert.Equal(("one", "first", 5), (received.Body, received.Label, received.AppSpecific));
        Assert.Equal([1, 2, 3], received.Extension);
        Assert.EndsWith(@"\private$\answers", received.ResponseQueue!.Path, StringComparison.Ordinal);
        Assert.EndsWith(queue.QueueName, received.DestinationQueue!.Path, StringComparison.Ordinal);
        Assert.True(received.Recoverable);
        Assert.Equal(Environment.MachineName, received.SourceMachine);
        Assert.Equal(message.Id, received.Id);
        Assert.Equal(3, queue.ReceiveById(all[2].Id).Body);
        Assert.Equal("two", queue.Receive(Soon).Body);
        Assert.Equal(MessageQueueErrorCode.IOTimeout, Code(() => queue.Receive(TimeSpan.Zero)));
        Assert.Equal(MessageQueueErrorCode.IOTimeout, Code(() => queue.Peek(TimeSpan.FromMilliseconds(1))));
        Assert.Throws<InvalidOperationException>(() => queue.ReceiveById(message.Id));

        queue.Send("four");
        queue.Purge();
        Assert.Empty(queue.GetAllMessages());
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Transactions_commit_and_roll_back(string machine) => Transactions(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void Transactions_commit_and_roll_back_on_a_server(string machine) => Transactions(machine);

    private void Transactions(string machine)
    {
        using MessageQueue queue = queues.Create(machine, transactional: true);
        queue.MessageReadPropertyFilter.SetAll();
        Assert.True(queue.Transactional);
        Assert.Equal(MessageQueueErrorCode.TransactionUsage, Code(() => queue.Send("no transaction")));
        using (var transaction = new MessageQueueTransaction())
        {
            Assert.Throws<InvalidOperationException>(() => queue.Send("not begun", transaction));
            transaction.Begin();
            queue.Send("rolled back", transaction);
            Assert.Equal(MessageQueueTransactionStatus.Pending, transaction.Status);
            transaction.Abort();
            Assert.Equal(MessageQueueTransactionStatus.Aborted, transaction.Status);
            transaction.Begin();
            queue.Send("a", transaction);
            queue.Send("b", "label", transaction);
            queue.Send("c", transaction);
            transaction.Commit();
        }

        // It waits for a message.
        using (var transaction = new MessageQueueTransaction())
        using (MessageQueue empty = queues.Create(machine, transactional: true))
        {
            transaction.Begin();
            Task<Message> waiting = empty.ReceiveAsync(MessageQueue.InfiniteTimeout, transaction);
            Thread.Sleep(100);
            empty.Send("late", MessageQueueTransactionType.Single);
            Assert.Equal("late", waiting.GetAwaiter().GetResult().Body);
            transaction.Commit();
        }

        queue.Send("d", MessageQueueTransactionType.Single);
        using (var transaction = new MessageQueueTransaction())
        {
            transaction.Begin();
            Assert.Equal("a", queue.Receive(Soon, transaction).Body);
        }

        using (var transaction = new MessageQueueTransaction())
        {
            transaction.Begin();
            Message a = queue.Receive(Soon, transaction), b = queue.Receive(Soon, transaction), c = queue.Receive(Soon, transaction);
            Assert.Equal(["a", "b", "c"], new[] { a, b, c }.Select(static message => message.Body));
            Assert.Equal((true, false, false), (a.IsFirstInTransaction, b.IsFirstInTransaction, c.IsFirstInTransaction));
            Assert.Equal((false, false, true), (a.IsLastInTransaction, b.IsLastInTransaction, c.IsLastInTransaction));
            Assert.Equal(a.TransactionId, c.TransactionId);
            transaction.Commit();
        }

        Assert.Equal("d", queue.Receive(Soon, MessageQueueTransactionType.Single).Body);
        Assert.Equal(MessageQueueErrorCode.IOTimeout, Code(() => queue.Receive(TimeSpan.Zero, MessageQueueTransactionType.Single)));
        Assert.Throws<InvalidOperationException>(() => new MessageQueueTransaction().Commit());

        using MessageQueue plain = queues.Create(machine);
        Assert.Equal(MessageQueueErrorCode.TransactionUsage, Code(() => plain.Send("x", MessageQueueTransactionType.Single)));
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void An_ambient_transaction_commits_and_rolls_back(string machine)
    {
        using MessageQueue queue = queues.Create(machine, transactional: true);
        using (new TransactionScope())
        {
            queue.Send("lost", MessageQueueTransactionType.Automatic);
        }

        using (var scope = new TransactionScope())
        {
            queue.Send("a", MessageQueueTransactionType.Automatic);
            queue.Send("b", MessageQueueTransactionType.Automatic);
            Assert.Empty(queue.GetAllMessages());
            scope.Complete();
        }

        using (new TransactionScope())
        {
            Assert.Equal("a", queue.Receive(Soon, MessageQueueTransactionType.Automatic).Body);
        }

        using (var scope = new TransactionScope())
        {
            Assert.Equal("a", queue.Receive(Soon, MessageQueueTransactionType.Automatic).Body);
            Assert.Equal("b", queue.Receive(Soon, MessageQueueTransactionType.Automatic).Body);
            scope.Complete();
        }

        Assert.Empty(queue.GetAllMessages());
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Priorities_cursors_enumerators_and_lookup_ids(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        queue.MessageReadPropertyFilter.SetAll();
        foreach (string body in new[] { "a", "b", "c" })
            queue.Send(body);
        queue.Send(new Message("urgent") { Priority = MessagePriority.Highest });
        Assert.Equal(MessagePriority.Highest, queue.Peek().Priority);

        using Cursor cursor = queue.CreateCursor();
        Assert.Equal(MessageQueueErrorCode.IllegalCursorAction, Code(() => queue.Peek(TimeSpan.Zero, cursor, PeekAction.Next)));
        Assert.Equal("urgent", queue.Peek(TimeSpan.Zero, cursor, PeekAction.Current).Body);
        Assert.Equal("a", queue.Peek(TimeSpan.Zero, cursor, PeekAction.Next).Body);
        Assert.Equal("a", queue.Receive(TimeSpan.Zero, cursor).Body);
        Assert.Equal("b", queue.Peek(TimeSpan.Zero, cursor, PeekAction.Current).Body);
        queue.ReceiveById(queue.Peek(TimeSpan.Zero, cursor, PeekAction.Current).Id);
        Assert.Equal(MessageQueueErrorCode.MessageAlreadyReceived, Code(() => queue.Receive(TimeSpan.Zero, cursor)));

        MessageEnumerator enumerator = queue.GetMessageEnumerator2();
        Assert.Throws<InvalidOperationException>(() => enumerator.Current);
        Assert.True(enumerator.MoveNext());
        Assert.Equal("urgent", enumerator.RemoveCurrent().Body);
        Assert.True(enumerator.MoveNext());
        Assert.Equal("c", enumerator.Current.Body);
        Assert.False(enumerator.MoveNext());
        queue.Send("later");
        Assert.True(enumerator.MoveNext(Soon));
        Assert.Equal("later", enumerator.Current.Body);
        enumerator.Reset();
        Assert.True(enumerator.MoveNext());
        Assert.Equal("c", enumerator.Current.Body);

        Message[] all = queue.GetAllMessages();
        Assert.True(all[0].LookupId < all[1].LookupId);
        Assert.Equal("later", queue.PeekByLookupId(MessageLookupAction.Next, all[0].LookupId).Body);
        Assert.Equal("c", queue.PeekByLookupId(MessageLookupAction.Previous, all[1].LookupId).Body);
        Assert.Equal("later", queue.PeekByLookupId(MessageLookupAction.Last, 0).Body);
        Assert.Equal("c", queue.ReceiveByLookupId(all[0].LookupId).Body);
        Assert.Throws<InvalidOperationException>(() => queue.ReceiveByLookupId(all[0].LookupId));
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public async Task Operations_that_have_begun_end_with_a_message_a_timeout_or_the_queue(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        var events = new List<string>();
        using var arrived = new SemaphoreSlim(0);
        queue.PeekCompleted += (sender, e) => { events.Add("peek " + ((MessageQueue)sender).EndPeek(e.AsyncResult).Body); arrived.Release(); };
        queue.ReceiveCompleted += (_, e) => { events.Add("receive " + e.Message.Body); arrived.Release(); };
        queue.BeginPeek();
        queue.Send("x");
        Assert.True(await arrived.WaitAsync(Soon));
        queue.BeginReceive(Soon);
        Assert.True(await arrived.WaitAsync(Soon));
        Assert.Equal(["peek x", "receive x"], events);

        IAsyncResult late = queue.BeginReceive(TimeSpan.FromMilliseconds(20), "state", static _ => { });
        Assert.Equal("state", late.AsyncState);
        Assert.Equal(MessageQueueErrorCode.IOTimeout, Code(() => queue.EndReceive(late)));
        Assert.Throws<ArgumentException>(() => queue.EndPeek(late));

        IAsyncResult waiting = queue.BeginReceive(MessageQueue.InfiniteTimeout, null, static _ => { });
        Task<Message> receiving = queue.ReceiveAsync(MessageQueue.InfiniteTimeout);
        queue.Close();
        Assert.Equal(MessageQueueErrorCode.OperationCanceled, Code(() => queue.EndReceive(waiting)));
        Assert.Equal(MessageQueueErrorCode.OperationCanceled, (await Assert.ThrowsAsync<MessageQueueException>(() => receiving)).MessageQueueErrorCode);
        using var cancellation = new CancellationTokenSource();
        receiving = queue.ReceiveAsync(MessageQueue.InfiniteTimeout, null, cancellation.Token);
        await cancellation.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => receiving);
        await queue.SendAsync("y");
        Assert.Equal("y", (await queue.PeekAsync(Soon)).Body);
        Assert.Equal("y", (await queue.ReceiveAsync(Soon)).Body);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Properties_that_were_not_requested_throw(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        Assert.Throws<InvalidOperationException>(() => new Message().SentTime);
        queue.Send(new Message("x") { Priority = MessagePriority.High });
        Message message = queue.Peek();
        Assert.Throws<InvalidOperationException>(() => message.Priority);
        Assert.Throws<InvalidOperationException>(() => message.SentTime);
        queue.MessageReadPropertyFilter.Priority = true;
        queue.MessageReadPropertyFilter.Body = false;
        message = queue.Peek();
        Assert.Equal(MessagePriority.High, message.Priority);
        Assert.Throws<InvalidOperationException>(() => message.Body);
        Assert.Throws<InvalidOperationException>(() => message.BodyStream);
        queue.MessageReadPropertyFilter.SetAll();
        message = queue.Receive();
        Assert.True(message.SentTime > DateTime.Now.AddHours(-1) && message.ArrivedTime >= message.SentTime);
        // A received message is sent again as it is.
        message.Label = "again";
        queue.Send(message);
        Assert.Equal(("again", "x", MessagePriority.High), (queue.Peek().Label, queue.Peek().Body, queue.Peek().Priority));
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Queue_properties_are_kept_and_quotas_reject(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        var category = Guid.NewGuid();
        queue.Label = "Orders";
        queue.Category = category;
        queue.UseJournalQueue = true;
        queue.MaximumQueueSize = 1;
        using var again = new MessageQueue(queue.Path);
        Assert.Equal(("Orders", category, true, 1L), (again.Label, again.Category, again.UseJournalQueue, again.MaximumQueueSize));
        Assert.NotEqual(Guid.Empty, again.Id);
        Assert.Contains(MessageQueue.GetPrivateQueuesByMachine(machine), other => other.Path == queue.Path);

        queue.Formatter = new BinaryMessageFormatter();
        queue.Send(new byte[600]);
        Assert.Equal(MessageQueueErrorCode.InsufficientResources, Code(() => queue.Send(new byte[600])));
        Assert.Equal(MessageQueueErrorCode.InsufficientResources, Code(() => queue.Send(new byte[5 << 20])));
        queue.Receive(Soon);
        using var journal = new MessageQueue(queue.Path + @"\journal$") { Formatter = new BinaryMessageFormatter() };
        Assert.Equal(600, ((byte[])journal.Receive(Soon).Body!).Length);

        MessageQueue.Delete(queue.Path);
        Assert.False(MessageQueue.Exists(queue.Path));
        Assert.Equal(MessageQueueErrorCode.QueueNotFound, Code(() => queue.Send("x")));
        Assert.Equal(MessageQueueErrorCode.QueueNotFound, Code(() => MessageQueue.Delete(queue.Path)));
        Assert.Equal(MessageQueueErrorCode.QueueNotFound, Code(() => queue.Label = "x"));
        Assert.Throws<PlatformNotSupportedException>(() => queue.SetPermissions("user", MessageQueueAccessRights.FullControl));
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Acknowledgements_dead_letters_and_expiry(string machine)
    {
        using MessageQueue queue = queues.Create(machine), answers = queues.Create(machine);
        answers.MessageReadPropertyFilter.SetAll();
        var message = new Message("x") { AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive };
        queue.Send(message);
        Message reached = answers.Receive(Soon);
        Assert.Equal((MessageType.Acknowledgment, Acknowledgment.ReachQueue, message.Id), (reached.MessageType, reached.Acknowledgment, reached.CorrelationId));
        queue.Receive(Soon);
        Assert.Equal(Acknowledgment.Receive, answers.Receive(Soon).Acknowledgment);

        var expiring = new Message("late")
        {
            TimeToBeReceived = TimeSpan.Zero, UseDeadLetterQueue = true, AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.NegativeReceive,
        };
        queue.Send(expiring);
        queue.Send(new Message("dropped") { TimeToBeReceived = TimeSpan.Zero });
        Assert.Equal(MessageQueueErrorCode.IOTimeout, Code(() => queue.Receive(TimeSpan.FromMilliseconds(50))));
        Assert.Equal(Acknowledgment.ReceiveTimeout, answers.Receive(Soon).Acknowledgment);
        using var letters = new MessageQueue($@"FormatName:DIRECT=OS:{machine}\SYSTEM$;DEADLETTER");
        letters.Formatter = queue.Formatter;
        Assert.Equal("late", letters.ReceiveById(expiring.Id, Soon).Body);

        // The answers of a queue at another location.
        using MessageQueue elsewhere = queues.Create(machine == "memory" ? "folder" : "memory");
        elsewhere.MessageReadPropertyFilter.SetAll();
        queue.Send(new Message("y") { AdministrationQueue = elsewhere, AcknowledgeType = AcknowledgeTypes.FullReachQueue });
        Assert.Equal(Acknowledgment.ReachQueue, elsewhere.Receive(Soon).Acknowledgment);
    }

    [Fact]
    public void Lists_multicast_and_public_queues()
    {
        using MessageQueue a = queues.Create("memory"), b = queues.Create("folder");
        new MessageQueue($"FormatName:{a.FormatName},{b.FormatName}").Send("both");
        Assert.Equal(("both", "both"), (a.Receive(Soon).Body, b.Receive(Soon).Body));
        Assert.Equal(MessageQueueErrorCode.UnsupportedFormatNameOperation, Code(() => new MessageQueue($"FormatName:{a.FormatName},{b.FormatName}").Receive(Soon)));

        using MessageQueue own = queues.Create(".");
        own.MulticastAddress = "234.1.1.1:8001";
        new MessageQueue("FormatName:MULTICAST=234.1.1.1:8001").Send("all");
        Assert.Equal("all", own.Receive(Soon).Body);

        string path = @".\Public" + Guid.NewGuid().ToString("N");
        MessageQueue queue = MessageQueue.Create(path);
        queue.Label = path;
        Assert.Equal(queue.Id, Assert.Single(MessageQueue.GetPublicQueuesByLabel(path)).Id);
        new MessageQueue("Label:" + path).Send("by label");
        new MessageQueue("FormatName:PUBLIC=" + queue.Id).Send("by id");
        Assert.Equal(2, queue.GetAllMessages().Length);
        MessageQueueEnumerator enumerator = MessageQueue.GetMessageQueueEnumerator(new MessageQueueCriteria { Label = path, CreatedAfter = DateTime.Now.AddDays(-1) });
        Assert.True(enumerator.MoveNext());
        Assert.Equal(queue.Id, enumerator.Current.Id);
        Assert.False(enumerator.MoveNext());
        queue.Category = Guid.NewGuid();
        Assert.Equal(queue.Id, Assert.Single(MessageQueue.GetPublicQueuesByCategory(queue.Category)).Id);
        Assert.Empty(MessageQueue.GetPublicQueuesByCategory(Guid.NewGuid()));
    }

    [Fact]
    public void Bad_arguments_have_the_exceptions_of_dotnet_framework()
    {
        Assert.Throws<InvalidOperationException>(() => MessageQueue.Exists(@"FormatName:DIRECT=OS:.\private$\a"));
        Assert.Throws<InvalidOperationException>(() => new MessageQueue().Send("x"));
        Assert.Equal(MessageQueueErrorCode.MachineNotFound, Code(() => new MessageQueue(@"nowhere\private$\a").Send("x")));
        Assert.Equal(MessageQueueErrorCode.QueueNotFound, Code(() => new MessageQueue(@".\private$\missing").Send("x")));
        Assert.Equal(MessageQueueErrorCode.QueueNotFound, Code(() => new MessageQueue(@".\private$\missing").Receive(TimeSpan.Zero)));
        Assert.Throws<ArgumentException>(() => new MessageQueue(@".\private$\a").Receive(TimeSpan.FromSeconds(-1)));
        Assert.Throws<PlatformNotSupportedException>(() => MessageQueue.GetSecurityContext());
        using MessageQueue queue = queues.Create("memory");
        Assert.Throws<PlatformNotSupportedException>(() => queue.Send(new Message("x") { UseAuthentication = true }));
        Assert.Equal(MessageQueueErrorCode.AccessDenied, Code(() => new MessageQueue(queue.Path, QueueAccessMode.Send).Receive(TimeSpan.Zero)));
        Assert.Equal(MessageQueueErrorCode.AccessDenied, Code(() => new MessageQueue(queue.Path, QueueAccessMode.Receive).Send("x")));
        using var exclusive = new MessageQueue(queue.Path, sharedModeDenyReceive: true);
        Code(() => exclusive.Receive(TimeSpan.Zero));
        Assert.Equal(MessageQueueErrorCode.SharingViolation, Code(() => queue.Receive(TimeSpan.Zero)));
        exclusive.Close();

        // A body of another formatter stays in the queue for one that reads it.
        queue.Formatter = new BinaryMessageFormatter();
        queue.Send("binary");
        queue.Formatter = new XmlMessageFormatter([typeof(string)]);
        Assert.Throws<InvalidOperationException>(() => queue.Peek(Soon).Body);
        queue.Formatter = new BinaryMessageFormatter();
        Assert.Equal("binary", queue.Receive(Soon).Body);
    }

    [Fact]
    public void Paths_are_put_together_as_on_dotnet_framework()
    {
        var queue = new MessageQueue(@".\Private$\Orders");
        Assert.Equal((".", @"Private$\Orders"), (queue.MachineName, queue.QueueName));
        queue.QueueName = @"private$\Other";
        Assert.Equal(@".\private$\Other", queue.Path);
        queue.MachineName = "Server";
        Assert.Equal(@"Server\private$\Other", queue.Path);
        Assert.Equal((@".\a", @"m\Journal$"), (new MessageQueue { QueueName = "a" }.Path, new MessageQueue { MachineName = "m" }.Path));
        Assert.Equal(("Server", @"private$\A"), Names(@"FormatName:DIRECT=OS:Server\private$\A"));
        queue.Path = null!;
        Assert.Equal(("", "", "", ""), (queue.Path, queue.MachineName, queue.QueueName, queue.FormatName));

        Assert.Equal(("", ""), Names(""));
        Assert.Equal(TimeSpan.FromMilliseconds(uint.MaxValue), MessageQueue.InfiniteTimeout);
        Assert.Throws<ArgumentException>(() => new MessageQueue(@".\private$\a").Receive(Message.InfiniteTimeout));

        string label = Guid.NewGuid().ToString();
        Assert.Throws<InvalidOperationException>(() => new MessageQueue("Label:" + label).Send("x"));
        Assert.False(MessageQueue.Exists("Label:" + label));
        MessageQueue first = MessageQueue.Create(@".\First" + label), second = MessageQueue.Create(@".\Second" + label);
        first.Label = label;
        Assert.True(MessageQueue.Exists("Label:" + label));
        Assert.Equal("First" + label, new MessageQueue("Label:" + label).QueueName, ignoreCase: true);
        second.Label = label;
        Assert.Throws<InvalidOperationException>(() => new MessageQueue("Label:" + label).Send("x"));
        Assert.Throws<InvalidOperationException>(() => MessageQueue.Exists("Label:" + label));
        var transaction = new MessageQueueTransaction();
        transaction.Dispose();
        Assert.Throws<ObjectDisposedException>(transaction.Begin);

        static (string, string) Names(string path)
        {
            using var named = new MessageQueue(path);
            return (named.MachineName, named.QueueName);
        }
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public Task Deleting_a_queue_ends_the_operations_that_wait_for_it(string machine) => DeleteWhileWaiting(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public Task Deleting_a_queue_ends_the_operations_that_wait_for_it_on_a_server(string machine) => DeleteWhileWaiting(machine);

    private async Task DeleteWhileWaiting(string machine)
    {
        using MessageQueue queue = queues.Create(machine, transactional: true), other = new(queue.Path);
        using var transaction = new MessageQueueTransaction();
        transaction.Begin();
        Task<Message>[] waiting = [queue.ReceiveAsync(MessageQueue.InfiniteTimeout), queue.PeekAsync(MessageQueue.InfiniteTimeout),
            other.ReceiveAsync(MessageQueue.InfiniteTimeout, transaction)];
        await Task.Delay(200);
        MessageQueue.Delete(queue.Path);
        foreach (Task<Message> task in waiting)
        {
            Assert.Equal(
                MessageQueueErrorCode.QueueDeleted, (await Assert.ThrowsAsync<MessageQueueException>(() => task)).MessageQueueErrorCode);
        }

        Assert.False(MessageQueue.Exists(queue.Path));
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public Task Threads_receive_from_one_queue(string machine) => ReceiveConcurrently(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public Task Threads_receive_from_one_queue_on_a_server(string machine) => ReceiveConcurrently(machine);

    private async Task ReceiveConcurrently(string machine)
    {
        const int Count = 120;
        using MessageQueue queue = queues.Create(machine, transactional: true);
        Task<List<int>>[] receivers = [.. Enumerable.Range(0, 4).Select(thread => Task.Run(() =>
        {
            using var own = new MessageQueue(queue.Path) { Formatter = queue.Formatter };
            var received = new List<int>();
            while (true)
            {
                int number = thread % 2 == 0
                    ? (int)own.Receive(Soon).Body!
                    : (int)own.Receive(Soon, MessageQueueTransactionType.Single).Body!;
                if (number < 0)
                    return received;
                received.Add(number);
            }
        }))];
        for (int i = 0; i < Count; i++)
            queue.Send(i, MessageQueueTransactionType.Single);
        foreach (Task<List<int>> _ in receivers)
            queue.Send(-1, MessageQueueTransactionType.Single);
        List<int>[] all = await Task.WhenAll(receivers);
        Assert.Equal(Enumerable.Range(0, Count), all.SelectMany(static each => each).Order());
        Assert.Empty(queue.GetAllMessages());
    }

    /// <summary>A broker hands a fast receiver messages ahead of time: they keep their order, and go back when it pauses.</summary>
    [ServerTheory]
    [InlineData("rabbit")]
    public void A_fast_receiver_keeps_no_messages(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        for (int i = 0; i < 400; i++)
            queue.Send(i);
        for (int i = 0; i < 200; i++)
            Assert.Equal(i, queue.Receive(Soon).Body);
        using var other = new MessageQueue(queue.Path) { Formatter = queue.Formatter };
        Assert.Equal(Enumerable.Range(200, 200), other.GetAllMessages().Select(static message => (int)message.Body!));
        for (int i = 200; i < 300; i++)
            Assert.Equal(i, other.Receive(Soon).Body);
        // Another connection, as of another program.
        Thread.Sleep(500);
        var connector = new QueueConnector(new Formatters.Queues.RabbitMQ.RabbitMqQueueProvider());
        string address = queues.Configuration.Machines[machine] + queue.QueueName[@"private$\".Length..];
        Assert.Equal(100, connector.ListAsync(address).AsTask().GetAwaiter().GetResult().Single().MessageCount);
    }

    [Fact]
    public void Permissions_have_no_effect_if_that_is_allowed()
    {
        using MessageQueue queue = queues.Create("memory");
        var entry = new MessageQueueAccessControlEntry(new Trustee("Everyone"), MessageQueueAccessRights.FullControl);
        Action[] all =
        [
            () => queue.SetPermissions("Everyone", MessageQueueAccessRights.FullControl), queue.ResetPermissions, () => queue.SetPermissions(entry),
            () => queue.SetPermissions("Everyone", MessageQueueAccessRights.FullControl, AccessControlEntryType.Allow),
            () => queue.SetPermissions(new AccessControlList { entry }),
        ];
        Assert.All(all, static set => Assert.Contains("IgnoreAccessControl", Assert.Throws<PlatformNotSupportedException>(set).Message));
        Assert.Throws<ArgumentNullException>(() => queue.SetPermissions((string)null!, MessageQueueAccessRights.FullControl));
        MessagingConfiguration.Use(queues.Configuration with { IgnoreAccessControl = true });
        try
        {
            Assert.All(all, static set => set());
        }
        finally
        {
            MessagingConfiguration.Use(queues.Configuration);
        }
    }

    /// <summary>A queue that a setting maps has no properties before.</summary>
    [Theory]
    [InlineData("memory:messaging-tests/mapped/")]
    [InlineData("file:{folder}/mapped/")]
    public void Expired_messages_of_a_mapped_queue_are_dead_letters(string location)
    {
        location = location.Replace("{folder}", queues.Folder, StringComparison.Ordinal);
        MessagingConfiguration.Use(queues.Configuration with { Queues = new Dictionary<string, string> { [@".\private$\mapped"] = location + "late" } });
        try
        {
            using var queue = new MessageQueue(@".\private$\mapped");
            queue.Purge();
            queue.Send(new Message("x") { TimeToBeReceived = TimeSpan.FromMilliseconds(50), UseDeadLetterQueue = true });
            queue.Send(new Message("y"));
            Thread.Sleep(200);
            queue.Formatter = new XmlMessageFormatter([typeof(string)]);
            Assert.Equal("y", queue.Receive(Soon).Body);
            Assert.Empty(queue.GetAllMessages());
            using var dead = new MessageQueue(location + "deadletter$") { Formatter = queue.Formatter };
            Assert.Equal("x", dead.Receive(Soon).Body);
        }
        finally
        {
            MessagingConfiguration.Use(queues.Configuration);
        }
    }

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void Journals_and_dead_letters_are_queues_of_the_server(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        queue.UseJournalQueue = true;
        queue.Send("a");
        Assert.Equal("a", queue.Receive(Soon).Body);
        using var journal = new MessageQueue(queue.Path + @"\journal$") { Formatter = queue.Formatter };
        Assert.Equal("a", journal.Receive(Soon).Body);

        string label = Guid.NewGuid().ToString();
        queue.Send(new Message("b") { TimeToBeReceived = TimeSpan.FromMilliseconds(50), UseDeadLetterQueue = true, Label = label });
        queue.Send("c");
        Thread.Sleep(200);
        Assert.Equal("c", queue.Receive(Soon).Body);
        using var dead = new MessageQueue($@"FormatName:DIRECT=OS:{machine}\SYSTEM$;DEADLETTER") { Formatter = queue.Formatter };
        dead.MessageReadPropertyFilter.SetAll();
        Message letter = dead.GetAllMessages().Single(message => message.Label == label);
        Assert.Equal("b", dead.ReceiveById(letter.Id).Body);

        queue.Send("d");
        queue.Send("e");
        using MessageEnumerator all = queue.GetMessageEnumerator2();
        Assert.True(all.MoveNext());
        Assert.Equal("d", all.RemoveCurrent().Body);
        Assert.Equal("e", queue.Peek(Soon).Body);
        Assert.Equal("e", queue.ReceiveById(queue.Peek(Soon).Id).Body);
    }

    /// <summary>Each has the exception of .NET Framework, and leaves the queue as it was.</summary>
    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public Task Wrong_use_loses_nothing(string machine) => MisuseAsync(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public Task Wrong_use_loses_nothing_on_a_server(string machine) => MisuseAsync(machine);

    private async Task MisuseAsync(string machine)
    {
        using MessageQueue plain = queues.Create(machine), transactional = queues.Create(machine, transactional: true);
        using var transaction = new MessageQueueTransaction();
        transaction.Begin();
        transactional.Send("kept", transaction);
        Assert.Equal(MessageQueueErrorCode.TransactionUsage, Code(() => plain.Send("x", transaction)));
        Assert.Equal(MessageQueueErrorCode.TransactionUsage, Code(() => plain.Receive(TimeSpan.Zero, transaction)));
        Assert.Equal(MessageQueueErrorCode.TransactionUsage, Code(() => transactional.Send("x")));
        Assert.Equal(MessageQueueErrorCode.InsufficientResources, Code(() => transactional.Send(new Message { BodyStream = new MemoryStream(new byte[5 << 20]) }, transaction)));
        Assert.Throws<InvalidOperationException>(() => transactional.Send(new Unwritable(), transaction));
        // The transaction is what it was.
        Assert.Equal(MessageQueueTransactionStatus.Pending, transaction.Status);
        transaction.Commit();
        Assert.Equal("kept", transactional.Peek(Soon).Body);

        // A body of another formatter: the message is received, and its body throws, until a transaction rolls back.
        using (var reading = new MessageQueueTransaction())
        {
            reading.Begin();
            transactional.Formatter = new BinaryMessageFormatter();
            Message message = transactional.Receive(Soon, reading);
            Assert.ThrowsAny<Exception>(() => message.Body);
            message.Formatter = new XmlMessageFormatter([typeof(string)]);
            Assert.Equal("kept", message.Body);
            message.Formatter = new ActiveXMessageFormatter();
            reading.Abort();
        }

        transactional.Formatter = new XmlMessageFormatter([typeof(string)]);
        Task<Message> waiting = plain.ReceiveAsync(MessageQueue.InfiniteTimeout);
        Task<Message> peeking = plain.PeekAsync(MessageQueue.InfiniteTimeout);
        IAsyncResult begun = plain.BeginReceive(MessageQueue.InfiniteTimeout, null, static _ => { });
        await Task.Delay(100);
        plain.Dispose();
        Assert.Equal(MessageQueueErrorCode.OperationCanceled, (await Assert.ThrowsAsync<MessageQueueException>(() => waiting)).MessageQueueErrorCode);
        Assert.Equal(MessageQueueErrorCode.OperationCanceled, (await Assert.ThrowsAsync<MessageQueueException>(() => peeking)).MessageQueueErrorCode);
        Assert.Equal(MessageQueueErrorCode.OperationCanceled, Code(() => plain.EndReceive(begun)));
        using var again = new MessageQueue(plain.Path) { Formatter = transactional.Formatter };
        again.Send("after");
        Assert.Equal("after", again.Receive(Soon).Body);
        Assert.Equal("kept", transactional.Receive(Soon).Body);
        Assert.Empty(transactional.GetAllMessages());
    }

    /// <summary>A type that XmlSerializer does not write.</summary>
    private sealed class Unwritable
    {
    }

    [Fact]
    public async Task Connectors_open_the_same_queues()
    {
        using MessageQueue queue = queues.Create("memory");
        queue.Send(new Message("x") { Label = "label", ResponseQueue = queue });
        string location = queues.Configuration.Machines["memory"];
        string address = location + queue.QueueName[@"private$\".Length..];
        await using QueueClient same = await new QueueConnector(MemoryQueueProvider.Shared).OpenAsync(address);
        ReceivedMessage message = (await same.ReceiveAsync(TimeSpan.FromSeconds(30)))!;
        Assert.Equal(("label", address), (message.Label, message.ResponseQueue));
        Assert.Equal("x", new XmlFormatter(typeof(string)).Read(message.Body));
        await message.AcknowledgeAsync();
        // A label longer than MSMQ's, and a priority without MSMQ's beside it.
        var answer = new QueueMessage { Label = new string('a', 300), CorrelationId = message.MessageId, Priority = 7 };
        new XmlFormatter(typeof(string)).Write(answer.Body, "y");
        await same.SendAsync(answer);
        queue.MessageReadPropertyFilter.SetAll();
        Message received = queue.ReceiveByCorrelationId(message.MessageId!, TimeSpan.FromSeconds(30));
        Assert.Equal(("y", MessagePriority.VeryHigh, Message.MaxLabelCharCount), (received.Body, received.Priority, received.Label.Length));
    }

    /// <summary>As .NET Framework does; also a stream that is not in memory.</summary>
    [Fact]
    public void A_body_stream_is_sent_from_its_start_and_stays_where_it_is()
    {
        using MessageQueue queue = queues.Create("memory");
        using var stream = new BufferedStream(new MemoryStream([1, 2, 3]));
        stream.Position = 2;
        queue.Send(new Message { BodyStream = stream });
        Assert.Equal(2, stream.Position);
        Assert.Equal([1, 2, 3], ((MemoryStream)queue.Receive(Soon).BodyStream).ToArray());
    }

    [Fact]
    public void Lookup_ids_of_one_moment_differ()
    {
        DateTime now = DateTime.UtcNow;
        long first = MessageConversion.NewLookupId(now), second = MessageConversion.NewLookupId(now);
        Assert.True(first < second);
        Assert.True(second < MessageConversion.NewLookupId(now.AddSeconds(-1)));
    }

    internal static MessageQueueErrorCode Code(Action action) => Assert.Throws<MessageQueueException>(action).MessageQueueErrorCode;

    private static MessageQueueErrorCode Code(Func<object?> action) => Assert.Throws<MessageQueueException>(action).MessageQueueErrorCode;
}
