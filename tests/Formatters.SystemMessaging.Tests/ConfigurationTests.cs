using System;
using System.Collections.Generic;
using System.Configuration.Install;
using System.IO;
using System.Messaging;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

public class ConfigurationTests(TestQueues queues) : IClassFixture<TestQueues>
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    [Fact]
    public void Settings_are_read_from_a_file_and_the_environment()
    {
        string file = Path.Combine(queues.Folder, "settings.json");
        File.WriteAllText(file, """
            { "Logging": { }, "Messaging": {
                "LocalAddress": "memory:", "Queues": { ".\\private$\\Orders": "memory:mapped/orders" },
                "Machines": { "billing01": "memory:billing/" }, "AllowedTypes": [ "System.Version" ], "OperationTimeout": "00:00:05" } }
            """);
        Environment.SetEnvironmentVariable(MessagingConfiguration.QueuesVariable, @"FormatName:PRIVATE=00000000-0000-0000-0000-000000000001\a=memory:by/number|.\shop=memory:by/name");
        try
        {
            MessagingConfiguration configuration = MessagingConfiguration.Load(file) with { Folder = queues.Folder };
            Assert.Equal((3, TimeSpan.FromSeconds(5)), (configuration.Queues.Count, configuration.OperationTimeout));
            MessagingConfiguration.Use(configuration);
            new MessageQueue(@".\Private$\ORDERS").Send("mapped");
            Assert.Single(new MessageQueue("memory:mapped/orders").GetAllMessages());
            new MessageQueue(@"FormatName:PRIVATE=00000000-0000-0000-0000-000000000001\a").Send("x");
            Assert.Single(new MessageQueue("memory:by/number").GetAllMessages());
            Assert.True(MessageQueue.Exists(@".\shop"));
            Assert.False(MessageQueue.Exists(@"billing01\private$\x"));
        }
        finally
        {
            Environment.SetEnvironmentVariable(MessagingConfiguration.QueuesVariable, null);
            MessagingConfiguration.Use(queues.Configuration);
        }

        File.WriteAllText(file, """{ "Messaging": { "Queue": { } } }""");
        Assert.Contains("Messaging:Queue", Assert.Throws<InvalidDataException>(() => MessagingConfiguration.Load(file)).Message, StringComparison.Ordinal);
        File.WriteAllText(file, """{ "Messaging": { "Queues": [ ] } }""");
        Assert.Throws<InvalidDataException>(() => MessagingConfiguration.Load(file));
    }

    [Fact]
    public async Task Messages_for_an_unreachable_queue_are_kept_and_forwarded()
    {
        var provider = new SwitchedProvider();
        MessagingConfiguration configuration = queues.Configuration with
        {
            Providers = [provider],
            Machines = new Dictionary<string, string>(queues.Configuration.Machines) { ["remote"] = "switched:" },
        };
        MessagingConfiguration.Use(configuration);
        try
        {
            var queue = new MessageQueue(@"remote\private$\orders") { Formatter = new XmlMessageFormatter([typeof(string)]) };
            queue.MessageReadPropertyFilter.SetAll();
            queue.Send(new Message("kept") { Label = "label", Priority = MessagePriority.High });
            using MessageQueue local = queues.Create(".", transactional: true);
            local.Send("to forward", MessageQueueTransactionType.Single);
            using (var transaction = new MessageQueueTransaction())
            {
                transaction.Begin();
                queue.Send(local.Receive(Soon, transaction), transaction);
                transaction.Commit();
            }

            // A program that ends before the queue can be reached loses nothing: the next one forwards.
            MessagingConfiguration.Close();
            provider.IsReachable = true;
            new MessageQueue(@"remote\private$\orders").Send("later");
            var bodies = new HashSet<object?>();
            while (bodies.Count < 3)
            {
                Message message = queue.Receive(Soon);
                Assert.True(bodies.Add(message.Body));
                if ((string)message.Body! == "kept")
                    Assert.Equal(("label", MessagePriority.High), (message.Label, message.Priority));
            }

            MessagingConfiguration.Use(configuration with { UseOutgoingQueue = false });
            provider.IsReachable = false;
            Assert.Equal(MessageQueueErrorCode.ServiceNotAvailable, QueueTests.Code(() => queue.Send("x")));
        }
        finally
        {
            MessagingConfiguration.Use(queues.Configuration);
            await Task.CompletedTask;
        }
    }

    [Theory]
    [InlineData("amqp://127.0.0.1:1/")]
    [InlineData("postgres://127.0.0.1:1/database/")]
    public void A_server_that_cannot_be_reached_is_not_available(string address)
    {
        var machines = new Dictionary<string, string>(queues.Configuration.Machines) { ["unreachable"] = address };
        MessagingConfiguration.Use(queues.Configuration with { Machines = machines, UseOutgoingQueue = false, OperationTimeout = TimeSpan.FromSeconds(1) });
        try
        {
            using var queue = new MessageQueue(@"unreachable\private$\a");
            Action[] all =
            [
                () => queue.Receive(TimeSpan.Zero), () => queue.Peek(TimeSpan.Zero), () => queue.Send("x"), () => queue.GetAllMessages(), queue.Purge,
                () => queue.Receive(TimeSpan.Zero, MessageQueueTransactionType.Single), () => queue.Send("x", MessageQueueTransactionType.Single),
                () => MessageQueue.Create(queue.Path), () => MessageQueue.Delete(queue.Path),
            ];
            Assert.All(all, static operation => Assert.Equal(MessageQueueErrorCode.ServiceNotAvailable, QueueTests.Code(operation)));
        }
        finally
        {
            MessagingConfiguration.Use(queues.Configuration);
        }
    }

    [Fact]
    public void An_installer_creates_and_deletes_a_queue()
    {
        string path = @".\private$\installed" + Guid.NewGuid().ToString("N");
        var installer = new MessageQueueInstaller { Path = path, Label = "Installed", Transactional = true };
        var root = new Installer();
        root.Installers.Add(installer);
        var state = new System.Collections.Hashtable();
        root.Install(state);
        root.Commit(state);
        Assert.Equal(("Installed", true), (new MessageQueue(path).Label, new MessageQueue(path).Transactional));
        root.Uninstall(state);
        Assert.False(MessageQueue.Exists(path));
    }

    /// <summary>Queues that can be made unreachable.</summary>
    private sealed class SwitchedProvider : QueueProvider
    {
        private readonly MemoryQueueProvider _inner = new();

        internal bool IsReachable { get; set; }

        public override IReadOnlyList<string> Schemes { get; } = ["switched"];

        public override ValueTask<QueueClient> OpenAsync(QueueAddress address, QueueOptions options, CancellationToken cancellationToken) =>
            IsReachable
                ? _inner.OpenAsync(QueueAddress.Parse("memory:" + address.QueueName), options, cancellationToken)
                : throw new QueueException($"'{address}' cannot be reached.");
    }
}
