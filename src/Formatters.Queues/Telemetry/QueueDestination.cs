using System;
using System.Collections.Generic;
using System.Diagnostics;

namespace Formatters.Queues;

/// <summary>The tags of a queue, topic or subscription for traces and metrics, and the names of operations in its messaging system.</summary>
internal sealed class QueueDestination
{
    private const string SubscriptionPart = "/Subscriptions/";

    private readonly string _system;
    private readonly string? _routingKey;

    private QueueDestination(QueueAddress address, string name, string? topic, bool isTopic)
    {
        _system = MessagingSystems.Of(address);
        string? subscription = null;
        if (_system == MessagingSystems.RabbitMq)
        {
            // A queue has its name as the routing key of the default exchange. The exchange of a topic needs no routing key.
            _routingKey = topic is null && !isTopic ? name : null;
            name = topic is null ? name : $"{topic}:{name}";
        }
        else if (_system == MessagingSystems.ServiceBus && Uri.UnescapeDataString(address.Uri.AbsolutePath) is var path
            && path.IndexOf(SubscriptionPart, StringComparison.OrdinalIgnoreCase) is var end and >= 0)
        {
            subscription = path[(end + SubscriptionPart.Length)..];
            name = path[..end].TrimStart('/');
        }

        Name = name;
        var tags = new List<KeyValuePair<string, object?>> { new("messaging.system", _system), new("messaging.destination.name", Name) };
        if (subscription is not null)
            tags.Add(new("messaging.destination.subscription.name", subscription));
        if (!address.Uri.IsFile && address.Uri.Host.Length > 0)
        {
            tags.Add(new("server.address", address.Uri.Host));
            if (address.Uri.Port > 0)
                tags.Add(new("server.port", address.Uri.Port));
        }

        Tags = [.. tags];
    }

    internal string Name { get; }

    internal KeyValuePair<string, object?>[] Tags { get; }

    internal static QueueDestination OfQueue(QueueAddress address) => OfQueue(address, address.QueueName);

    internal static QueueDestination OfQueue(QueueAddress address, string name) => new(address, name, null, isTopic: false);

    internal static QueueDestination OfTopic(QueueAddress address) => new(address, address.QueueName, null, isTopic: true);

    internal static QueueDestination OfSubscription(QueueAddress topic, QueueAddress queue) => new(queue, queue.QueueName, topic.QueueName, false);

    /// <summary>Returns the name of an operation, which the conventions leave to the messaging system.</summary>
    internal string NameOf(string operation) => (_system, operation) switch
    {
        (MessagingSystems.ServiceBus, "ack") => "complete",
        (MessagingSystems.ServiceBus, "nack") => "abandon",
        _ => operation,
    };

    /// <summary>Returns the tags of a span at its start.</summary>
    internal TagList TagsOf(string operation, string type)
    {
        var tags = new TagList { { "messaging.operation.name", operation }, { "messaging.operation.type", type } };
        foreach (KeyValuePair<string, object?> tag in Tags)
            tags.Add(tag);
        if (_routingKey is not null && type != "settle")
            tags.Add("messaging.rabbitmq.destination.routing_key", _routingKey);
        return tags;
    }
}
