using System;
using System.Linq;
using System.Text;
using System.Text.Json;
using CloudNative.CloudEvents;
using CloudNative.CloudEvents.SystemTextJson;
using Formatters.CloudEvents;
using Formatters.Hosting.Buses;
using Formatters.Queues;
using Xunit;

namespace Formatters.Integrations.Tests;

/// <summary>CloudEvents on queues, against the SDK.</summary>
public class CloudEventTests
{
    private static readonly CloudEventAttribute Attempt = CloudEventAttribute.CreateExtension("attempt", CloudEventAttributeType.Integer);
    private static readonly OrderPlaced Order = new() { Id = 7, Customer = "Ådá" };

    public static TheoryData<string, ContentMode> Modes
    {
        get
        {
            var data = new TheoryData<string, ContentMode>();
            foreach (string format in new[] { "messagepack", "xml", "json" })
            {
                data.Add(format, ContentMode.Binary);
                data.Add(format, ContentMode.Structured);
            }

            return data;
        }
    }

    [Theory]
    [MemberData(nameof(Modes))]
    public void Events_ComeBackTheSame(string format, ContentMode mode)
    {
        ContractEventFormatter formatter = FormatterOf(format);
        CloudEvent sent = Event(formatter);
        QueueMessage message = sent.ToQueueMessage(formatter, mode);
        Assert.True(message.IsCloudEvent());
        Assert.Equal("id 1", message.MessageId);
        CloudEvent received = message.ToCloudEvent(formatter, Attempt);
        Assert.Equal(Order, received.Data);
        Assert.Equal(
            sent.GetPopulatedAttributes().Select(static pair => (pair.Key.Name, pair.Value.ToString())).Order(),
            received.GetPopulatedAttributes().Select(static pair => (pair.Key.Name, pair.Value.ToString())).Order());
        Assert.Equal(WireFormat.Find(format)!.ContentType, received.DataContentType);
        Assert.Equal(3, received[Attempt]);
    }

    /// <summary>Binary mode has the names and values of the AMQP binding, and the contract name for workers.</summary>
    [Fact]
    public void BinaryMode_IsThatOfTheAmqpBinding()
    {
        ContractEventFormatter formatter = FormatterOf("messagepack");
        QueueMessage message = Event(formatter).ToQueueMessage(formatter);
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(Order), message.Body.ToArray());
        Assert.Equal("application/x-msgpack", message.Body.ContentType);
        Assert.Equal(
            "cloudEvents:attempt=3 cloudEvents:id=id 1 cloudEvents:source=/shop cloudEvents:specversion=1.0 cloudEvents:subject=Ä "
            + "cloudEvents:time=2026-01-02T03:04:05Z cloudEvents:type=com.example.order-placed message_contract=com.example.order-placed",
            string.Join(" ", message.Headers.OrderBy(static header => header.Key, StringComparer.Ordinal).Select(static header => $"{header.Key}={header.Value}")));
        Assert.Equal(Order, message.Read(MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack)));

        // Other bindings' prefixes, and native AMQP values.
        foreach (string prefix in new[] { "cloudEvents_", "ce-", "ce_" })
        {
            var other = new QueueMessage(message.Body);
            foreach ((string name, object value) in message.Headers)
                other.Headers[name.Replace("cloudEvents:", prefix, StringComparison.Ordinal)] = name.EndsWith(":attempt", StringComparison.Ordinal) ? 3 : value;
            Assert.Equal(3, other.ToCloudEvent(formatter, Attempt)[Attempt]);
        }
    }

    /// <summary>What the SDK's own formatter writes is read here, and the other way round.</summary>
    [Theory]
    [InlineData(ContentMode.Binary)]
    [InlineData(ContentMode.Structured)]
    public void TheSdksFormatter_UnderstandsTheSameMessages(ContentMode mode)
    {
        ContractEventFormatter formatter = FormatterOf("json");
        var sdk = new JsonEventFormatter();
        CloudEvent sent = Event(formatter);
        CloudEvent received = sent.ToQueueMessage(formatter, mode).ToCloudEvent(sdk, Attempt);
        Assert.Equal(Order, JsonSerializer.Deserialize<OrderPlaced>((JsonElement)received.Data!));
        CloudEvent other = Event(formatter);
        other.DataContentType = "application/json";
        Assert.Equal(Order, other.ToQueueMessage(sdk, mode).ToCloudEvent(formatter).Data);

        CloudEvent binary = Event(FormatterOf("messagepack"));
        QueueMessage message = binary.ToQueueMessage(FormatterOf("messagepack"), ContentMode.Structured);
        Assert.Equal("application/cloudevents+json; charset=utf-8", message.Body.ContentType);
        using JsonDocument json = JsonDocument.Parse(message.Body.ToArray());
        Assert.Equal(MessageFormatter.Create<OrderPlaced>(WireFormat.MessagePack).Write(Order), json.RootElement.GetProperty("data_base64").GetBytesFromBase64());
    }

    [Fact]
    public void WhatIsNotAnEvent_IsRejected()
    {
        ContractEventFormatter formatter = FormatterOf("messagepack");
        QueueMessage message = Event(formatter).ToQueueMessage(formatter);
        AssertRejected(MessageFormatErrorCode.UnknownFormat, new QueueMessage());
        foreach ((string name, object value) in new (string, object)[] { ("specversion", "9.9"), ("time", "yesterday"), ("bad name", "x"), ("source", ""), ("type", new object()) })
        {
            var changed = new QueueMessage(message.Body);
            foreach ((string header, object text) in message.Headers)
                changed.Headers[header] = text;
            changed.Headers["cloudEvents:" + name] = value;
            AssertRejected(MessageFormatErrorCode.BadValue, changed);
        }

        var incomplete = new QueueMessage(message.Body) { Headers = { ["cloudEvents:specversion"] = "1.0" } };
        AssertRejected(MessageFormatErrorCode.BadValue, incomplete);
        foreach (string json in new[] { "", "{", "[]", "{}", """{"specversion":"1.0"}""" })
            AssertRejected(MessageFormatErrorCode.BadValue, new QueueMessage(new MessageBody(Encoding.UTF8.GetBytes(json), contentType: "application/cloudevents+json")));
        var truncated = new QueueMessage(new MessageBody(message.Body.ToArray().AsMemory(0, 3), contentType: message.Body.ContentType));
        foreach ((string header, object text) in message.Headers)
            truncated.Headers[header] = text;
        AssertRejected(MessageFormatErrorCode.Truncated, truncated);

        // The type of the event is the contract name: another one would not be read.
        CloudEvent event1 = Event(formatter);
        event1.Type = "other";
        Assert.Throws<ArgumentException>(() => event1.ToQueueMessage(formatter));
        Assert.Throws<ArgumentException>(() => new CloudEvent { Data = Order }.ToQueueMessage(formatter));
        Assert.Throws<NotSupportedException>(() => Event(formatter).ToQueueMessage(new ContractEventFormatter(new ContractRegistry(WireFormat.Cbor)), ContentMode.Structured));

        void AssertRejected(MessageFormatErrorCode code, QueueMessage bad) =>
            Assert.Equal(code, Assert.Throws<MessageFormatException>(() => bad.ToCloudEvent(formatter)).Code);
    }

    private static ContractEventFormatter FormatterOf(string format) =>
        new(new ContractRegistry(WireFormat.Find(format)!).Add<OrderPlaced>(), new JsonEventFormatter());

    private static CloudEvent Event(ContractEventFormatter formatter)
    {
        CloudEvent cloudEvent = formatter.Create(Order, new Uri("/shop", UriKind.Relative), "id 1");
        cloudEvent.Time = new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.Zero);
        cloudEvent.Subject = "Ä";
        cloudEvent[Attempt] = 3;
        return cloudEvent;
    }
}
