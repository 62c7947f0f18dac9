using System.Collections.Generic;

namespace Formatters.Queues;

/// <summary>The tags of a queue for traces and metrics.</summary>
internal sealed class QueueDestination
{
    internal QueueDestination(QueueAddress address)
        : this(address, address.QueueName)
    {
    }

    internal QueueDestination(QueueAddress address, string name)
    {
        Name = name;
        string system = address.Scheme switch
        {
            "amqp" or "amqps" => "rabbitmq",
            "postgres" => "postgresql",
            _ => address.Scheme,
        };
        var tags = new List<KeyValuePair<string, object?>> { new("messaging.system", system), new("messaging.destination.name", Name) };
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
}
