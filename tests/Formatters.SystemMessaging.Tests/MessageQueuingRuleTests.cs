using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Messaging;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.Queues.ServiceBus;
using Xunit;
using AcknowledgeTypes = System.Messaging.AcknowledgeTypes;

namespace Formatters.SystemMessaging.Tests;

/// <summary>Rules of Message Queuing that hold on every queue.</summary>
public class MessageQueuingRuleTests(TestQueues queues) : IClassFixture<TestQueues>
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void A_copy_acknowledges_nothing(string machine) => Copies(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void A_copy_acknowledges_nothing_on_a_server(string machine) => Copies(machine);

    private void Copies(string machine)
    {
        using MessageQueue queue = queues.Create(machine);
        queue.UseJournalQueue = true;
        // The location of the administration queue decides who acknowledges: the queue itself, or the program that receives.
        foreach (string location in new[] { machine, machine == "memory" ? "folder" : "memory" })
        {
            using MessageQueue answers = queues.Create(location);
            answers.MessageReadPropertyFilter.SetAll();
            Message asking = new("x")
            {
                AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.FullReceive, UseJournalQueue = true, UseDeadLetterQueue = true,
            };
            queue.Send(asking);
            using (var sent = new MessageQueue(@"FormatName:DIRECT=OS:.\SYSTEM$;JOURNAL"))
                sent.ReceiveById(asking.Id, Soon);
            Assert.Empty(answers.GetAllMessages());
            Assert.Equal(asking.Id, queue.Receive(Soon).Id);
            using (var journal = new MessageQueue(queue.Path + @"\journal$"))
            {
                Assert.Equal(asking.Id, journal.Receive(Soon).Id);
                Assert.Equal([Acknowledgment.Receive], Answers(answers));
                // In a transaction, too.
                queue.Send(asking);
                queue.Receive(Soon);
                if (machine != "rabbit")
                    journal.Receive(Soon, MessageQueueTransactionType.Single);
                else
                    journal.Receive(Soon);
                Assert.Equal([Acknowledgment.Receive], Answers(answers));
            }

            asking.TimeToBeReceived = TimeSpan.Zero;
            queue.Send(asking);
            Assert.Empty(queue.GetAllMessages());
            using (var letters = new MessageQueue($@"FormatName:DIRECT=OS:{machine}\SYSTEM$;DEADLETTER"))
            {
                letters.MessageReadPropertyFilter.SetAll();
                // A copy has the properties of the message, as in Message Queuing.
                Message letter = letters.ReceiveById(asking.Id, Soon);
                Assert.Equal(AcknowledgeTypes.FullReceive, letter.AcknowledgeType);
            }

            Assert.Equal([Acknowledgment.ReceiveTimeout], Answers(answers));
        }

        static Acknowledgment[] Answers(MessageQueue answers)
        {
            Message[] all = answers.GetAllMessages();
            answers.Purge();
            return [.. all.Select(static answer => answer.Acknowledgment)];
        }
    }

    /// <summary>The queue sends it if the administration queue is at the same location, the program otherwise.</summary>
    [Theory]
    [InlineData("memory", "memory")]
    [InlineData("memory", "folder")]
    [InlineData("folder", "folder")]
    [InlineData("folder", "memory")]
    public void A_full_queue_acknowledges_once(string machine, string location)
    {
        using MessageQueue queue = queues.Create(machine), answers = queues.Create(location);
        answers.MessageReadPropertyFilter.SetAll();
        queue.MaximumQueueSize = 1;
        queue.Formatter = new BinaryMessageFormatter();
        Assert.Equal(MessageQueueErrorCode.InsufficientResources, QueueTests.Code(() => queue.Send(
            new Message(new byte[2000], queue.Formatter) { AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.NotAcknowledgeReachQueue })));
        Assert.Equal(Acknowledgment.QueueExceedMaximumSize, Assert.Single(answers.GetAllMessages()).Acknowledgment);
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Transactional_messages_keep_their_order(string machine) => Order(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void Transactional_messages_keep_their_order_on_a_server(string machine) => Order(machine);

    private void Order(string machine)
    {
        using MessageQueue queue = queues.Create(machine, transactional: true);
        queue.MessageReadPropertyFilter.SetAll();
        MessagePriority[] priorities = [MessagePriority.Low, MessagePriority.Highest, MessagePriority.Normal, MessagePriority.Lowest];
        using (var transaction = new MessageQueueTransaction())
        {
            transaction.Begin();
            foreach (MessagePriority priority in priorities)
                queue.Send(new Message(priority.ToString()) { Priority = priority }, transaction);
            transaction.Commit();
        }

        queue.DefaultPropertiesToSend.Priority = MessagePriority.Highest;
        queue.Send("last", MessageQueueTransactionType.Single);
        foreach (string body in priorities.Select(static priority => priority.ToString()).Append("last"))
        {
            Message message = queue.Receive(Soon, MessageQueueTransactionType.Single);
            Assert.Equal((body, MessagePriority.Lowest), (message.Body, message.Priority));
        }
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void A_queue_that_does_not_exist_is_not_created(string machine) => Missing(machine);

    [Fact]
    public void A_queue_is_not_created_in_a_folder_that_nobody_has_opened()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-messaging").FullName;
        try
        {
            MessagingConfiguration.Use(new MessagingConfiguration { Folder = folder, Machines = new Dictionary<string, string> { ["folder"] = $"file:{folder}/other/" } });
            using var missing = new MessageQueue(@"folder\private$\missing");
            Assert.Equal(MessageQueueErrorCode.QueueNotFound, Assert.Throws<MessageQueueException>(() => missing.Send("x")).MessageQueueErrorCode);
            Assert.Equal(MessageQueueErrorCode.QueueNotFound, Assert.Throws<MessageQueueException>(() => missing.Receive(TimeSpan.Zero)).MessageQueueErrorCode);
            Assert.False(MessageQueue.Exists(missing.Path));
        }
        finally
        {
            MessagingConfiguration.Use(queues.Configuration);
            Directory.Delete(folder, recursive: true);
        }
    }

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void A_queue_that_does_not_exist_is_not_created_on_a_server(string machine) => Missing(machine);

    private void Missing(string machine)
    {
        string path = $@"{machine}\private$\missing{Guid.NewGuid():N}";
        using var missing = new MessageQueue(path);
        AllThrow(missing);
        // As an administration queue it gets nothing either.
        using MessageQueue other = queues.Create(machine);
        other.Send(new Message("x") { AdministrationQueue = missing, AcknowledgeType = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive });
        other.Receive(Soon);
        Assert.False(MessageQueue.Exists(path));

        using MessageQueue created = MessageQueue.Create(path);
        created.Send("x");
        MessageQueue.Delete(path);
        AllThrow(created);

        // Deleted by another machine, which has its own notes of the queue's properties.
        using MessageQueue again = MessageQueue.Create(path);
        again.Send("x");
        var connector = new QueueConnector(
            MemoryQueueProvider.Shared, new PostgreSqlQueueProvider(), new RabbitMqQueueProvider(), new ServiceBusQueueProvider());
        if (machine != "folder")
        {
            Assert.Equal(1, connector.DeleteAsync(queues.Configuration.Machines[machine] + path.Split('\\')[^1]).AsTask().GetAwaiter().GetResult());
            // The notes say that it is not transactional.
            AllThrow(again, withTransaction: false);
        }

        void AllThrow(MessageQueue queue, bool withTransaction = true)
        {
            Action[] all =
            [
                () => queue.Send("x", withTransaction ? MessageQueueTransactionType.Single : MessageQueueTransactionType.None),
                () => queue.Send("x"), () => queue.Receive(TimeSpan.Zero),
                () => queue.Peek(TimeSpan.Zero), () => queue.GetAllMessages(), queue.Purge, () => queue.ReceiveById("a", TimeSpan.Zero),
                () => new MessageQueue(path + @"\journal$").Receive(TimeSpan.Zero),
            ];
            foreach (Action operation in all)
            {
                MessageQueueException e = Assert.Throws<MessageQueueException>(operation);
                Assert.Equal(MessageQueueErrorCode.QueueNotFound, e.MessageQueueErrorCode);
                Assert.False(MessageQueue.Exists(path));
            }
        }
    }

    [Theory]
    [InlineData("memory")]
    [InlineData("folder")]
    public void Messages_of_a_deleted_queue_are_dead_letters_if_they_ask_for_it(string machine) => Deleted(machine);

    [ServerTheory]
    [MemberData(nameof(TestQueues.Servers), MemberType = typeof(TestQueues))]
    public void Messages_of_a_deleted_queue_are_dead_letters_if_they_ask_for_it_on_a_server(string machine) => Deleted(machine);

    private void Deleted(string machine)
    {
        foreach (bool transactional in new[] { false, true })
        {
            MessageQueueTransactionType type = transactional ? MessageQueueTransactionType.Single : MessageQueueTransactionType.None;
            foreach (string location in new[] { machine, machine == "memory" ? "folder" : "memory" })
            {
                using MessageQueue queue = queues.Create(machine, transactional), answers = queues.Create(location);
                answers.MessageReadPropertyFilter.SetAll();
                var kept = new Message("kept") { UseDeadLetterQueue = true };
                queue.Send(kept, type);
                var lost = new Message("lost") { AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.NegativeReceive };
                queue.Send(lost, type);
                var asking = new Message("asking")
                {
                    UseDeadLetterQueue = true, AdministrationQueue = answers, AcknowledgeType = AcknowledgeTypes.FullReceive,
                };
                queue.Send(asking, type);
                MessageQueue.Delete(queue.Path);
                Message[] negative = answers.GetAllMessages();
                Assert.Equal(new[] { lost.Id, asking.Id }.Order(), negative.Select(static answer => answer.CorrelationId).Order());
                Assert.All(negative, static answer => Assert.Equal(Acknowledgment.QueueDeleted, answer.Acknowledgment));
                using var letters = new MessageQueue($@"FormatName:DIRECT=OS:{machine}\SYSTEM$;{(transactional ? "DEADXACT" : "DEADLETTER")}");
                letters.Formatter = queue.Formatter;
                Assert.Equal("kept", letters.ReceiveById(kept.Id, Soon).Body);
                Assert.Equal("asking", letters.ReceiveById(asking.Id, Soon).Body);
                Assert.Throws<InvalidOperationException>(() => letters.ReceiveById(lost.Id));
            }
        }
    }
}
