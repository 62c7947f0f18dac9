using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>
/// The spans of each queue, compared with a table of the conventions (version 1.44):
/// https://github.com/open-telemetry/semantic-conventions/tree/v1.44.0/docs/messaging
/// </summary>
[Collection("telemetry")]
public sealed class TelemetryConventionTests
{
    /// <summary>messaging-spans.md, "Span kind".</summary>
    private static readonly Dictionary<string, ActivityKind> Kinds = new()
    {
        ["create"] = ActivityKind.Producer,
        ["send"] = ActivityKind.Producer,
        ["receive"] = ActivityKind.Client,
        ["process"] = ActivityKind.Consumer,
        ["settle"] = ActivityKind.Client,
    };

    /// <summary>The operation names that azure-messaging.md permits, by type. The others are free.</summary>
    private static readonly Dictionary<string, string[]> ServiceBusNames = new()
    {
        ["send"] = ["send", "schedule"],
        ["receive"] = ["receive", "peek", "receive_deferred"],
        ["process"] = ["process"],
        ["settle"] = ["abandon", "complete", "defer", "dead_letter", "delete"],
    };

    /// <summary>The attributes of the tables in messaging-spans.md, rabbitmq.md and azure-messaging.md, and of their sections on errors.</summary>
    private static readonly string[] Attributes =
    [
        "messaging.operation.name", "messaging.operation.type", "messaging.system", "messaging.destination.name", "server.address", "server.port",
        "messaging.message.id", "messaging.message.conversation_id", "messaging.message.body.size", "messaging.batch.message_count", "error.type",
        "messaging.rabbitmq.destination.routing_key", "messaging.destination.subscription.name",
    ];

    [Fact]
    public Task Spans_in_memory_are_those_of_the_conventions() => CompareAsync("memory:conventions/", "memory", "{topic}.s");

    [PostgresFact]
    public Task Spans_of_PostgreSQL_are_those_of_the_conventions() =>
        CompareAsync(Environment.GetEnvironmentVariable(Postgres.Variable) + "/", "postgresql", "{topic}.s");

    /// <summary>The routing key of a topic's exchange is empty.</summary>
    [BrokerFact]
    public Task Spans_of_RabbitMQ_are_those_of_the_conventions() =>
        CompareAsync(Environment.GetEnvironmentVariable(Broker.Variable) + "/", "rabbitmq", "{topic}:{topic}.s");

    [ServiceBusFact]
    public Task Spans_of_Service_Bus_are_those_of_the_conventions() => CompareAsync(ServiceBusPeer.Address + "/", "servicebus", "{topic}");

    /// <param name="place">The address of a location.</param>
    /// <param name="system">Its messaging.system.</param>
    /// <param name="subscriptionName">The destination of a topic's subscription.</param>
    private static async Task CompareAsync(string place, string system, string subscriptionName)
    {
        var connector = new QueueConnector(
            new MemoryQueueProvider(), new PostgreSqlQueueProvider(), new RabbitMqQueueProvider(), new ServiceBus.ServiceBusQueueProvider());
        string queueName = "q" + Guid.NewGuid().ToString("N"), topicName = "t" + queueName;
        var spans = new ConcurrentQueue<Activity>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == QueueTelemetry.ActivitySourceName,
            Sample = static (ref ActivityCreationOptions<ActivityContext> options) =>
                // What a sampler is to know.
                options.Tags?.Any(static tag => tag.Key == "messaging.destination.name") == true
                && options.Tags.Any(static tag => tag.Key == "messaging.operation.name") && options.Tags.Any(static tag => tag.Key == "messaging.system")
                ? ActivitySamplingResult.AllDataAndRecorded : ActivitySamplingResult.None,
            ActivityStopped = spans.Enqueue,
        };
        ActivitySource.AddActivityListener(listener);
        TimeSpan soon = TimeSpan.FromSeconds(30);
        try
        {
            await using QueueClient queue = await connector.OpenAsync(place + queueName, new QueueOptions { ReceiveMode = ReceiveMode.PeekLock });
            for (int i = 0; i < 2; i++)
                await queue.SendAsync(new QueueMessage(new MessageBody(new byte[3])) { MessageId = "m" + i, CorrelationId = "c" });
            await queue.SendBatchAsync([new QueueMessage(), new QueueMessage()]);
            ReceivedMessage first = (await queue.ReceiveAsync(soon))!;
            using (first.StartProcessActivity())
                await first.AcknowledgeAsync();
            await (await queue.ReceiveAsync(soon))!.ReturnAsync();
            int left = 3;
            while (left > 0)
            {
                IReadOnlyList<ReceivedMessage> batch = await queue.ReceiveBatchAsync(left, soon);
                await queue.AcknowledgeBatchAsync(batch);
                left -= batch.Count;
            }

            await using MessageTopic topic = await connector.OpenTopicAsync(place + topicName);
            await using (QueueClient subscription = await topic.SubscribeDurableAsync("s"))
            {
                await topic.SendAsync(new QueueMessage());
                await (await subscription.ReceiveAsync(soon))!.AcknowledgeAsync();
            }

            await topic.UnsubscribeAsync("s");
        }
        finally
        {
            await connector.DeleteAsync(place + queueName);
        }

        string[] names = [queueName, topicName, subscriptionName.Replace("{topic}", topicName, StringComparison.Ordinal)];
        Activity[] own = [.. spans.Where(span => (string?)span.GetTagItem("messaging.destination.name") is { } name && names.Contains(name))];
        Assert.Equal(["process", "receive", "send", "settle"], own.Select(static span => (string)span.GetTagItem("messaging.operation.type")!).Distinct().Order());
        foreach (Activity span in own)
        {
            string type = (string)span.GetTagItem("messaging.operation.type")!, operation = (string)span.GetTagItem("messaging.operation.name")!;
            string destination = (string)span.GetTagItem("messaging.destination.name")!;
            Assert.Equal((Kinds[type], system, $"{operation} {destination}"), (span.Kind, span.GetTagItem("messaging.system"), span.DisplayName));
            Assert.All(span.TagObjects, static tag => Assert.Contains(tag.Key, Attributes));
            if (system == "servicebus")
                Assert.Contains(operation, ServiceBusNames[type]);
            Assert.Equal(
                system == "rabbitmq" && type != "settle" && destination == queueName ? queueName : null,
                span.GetTagItem("messaging.rabbitmq.destination.routing_key"));
            Assert.Equal(
                system == "servicebus" && type is not "send" && destination == topicName ? "s" : null,
                span.GetTagItem("messaging.destination.subscription.name"));
        }

        Assert.Contains(own, span => (string)span.GetTagItem("messaging.destination.name")! == names[2] && span.Kind == ActivityKind.Client);
    }

    /// <summary>The well-known values of messaging.system.</summary>
    [Theory]
    [InlineData("amqp://host/q", "rabbitmq")]
    [InlineData("amqps://host/q", "rabbitmq")]
    [InlineData("sb://space.servicebus.windows.net/q", "servicebus")]
    [InlineData("sb-emulator://k:k@127.0.0.1/q", "servicebus")]
    [InlineData("servicebus:q", "servicebus")]
    [InlineData("postgres://host/d/q", "postgresql")]
    [InlineData("postgresql://host/d/q", "postgresql")]
    [InlineData("memory:q", "memory")]
    [InlineData("msmq://localhost/private$/q", "msmq")]
    public void Systems_have_their_well_known_names(string address, string system)
    {
        QueueDestination destination = QueueDestination.OfQueue(QueueAddress.Parse(address));
        Assert.Equal((system, "q"), (destination.Tags[0].Value, destination.Name));
    }
}
