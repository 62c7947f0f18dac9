using System;
using System.Collections.Generic;
using System.Linq;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>The consumers of one queue, by the contracts of their messages.</summary>
internal sealed class QueueConsumers
{
    private const int MaxPrintedCharCount = 100;

    private readonly Dictionary<string, Consumer> _byName = new(StringComparer.Ordinal);
    private readonly IReadOnlyList<Consumer> _consumers;
    private readonly string _queueName;

    /// <summary>Creates the consumers of a queue.</summary>
    /// <exception cref="InvalidOperationException">Two consumers have the same type or contract name.</exception>
    internal QueueConsumers(string queueName, IReadOnlyList<Consumer> consumers)
    {
        _queueName = queueName;
        _consumers = consumers;
        foreach (Consumer consumer in consumers)
        {
            if (consumers.FirstOrDefault(other => other != consumer && other.MessageType == consumer.MessageType) is { } twin)
            {
                throw new InvalidOperationException(
                    $"Queue '{queueName}' has two consumers for {consumer.MessageType}: {consumer} and {twin}. A message is handled once.");
            }

            foreach (string name in consumer.ContractNames)
            {
                if (!_byName.TryAdd(name, consumer))
                {
                    throw new InvalidOperationException(
                        $"Queue '{queueName}' has two consumers for the contract '{name}': {_byName[name].MessageType} and {consumer.MessageType}. "
                            + $"Set {nameof(MessageContractAttribute)}.{nameof(MessageContractAttribute.Name)} of one of them.");
                }
            }
        }

        IsOrdered = consumers.Any(static consumer => consumer.IsOrdered);
    }

    /// <summary>Gets whether a consumer has an ordering key.</summary>
    internal bool IsOrdered { get; }

    /// <summary>Finds the consumer of a message.</summary>
    /// <param name="message">The message.</param>
    /// <param name="reason">Why there is none; otherwise null.</param>
    internal Consumer? Find(QueueMessage message, out string? reason)
    {
        reason = null;
        if (message.HasHeaders && message.Headers.TryGetValue(ContractNames.HeaderName, out object? header))
        {
            if (header is string name && _byName.TryGetValue(name, out Consumer? named))
                return named;
            reason = $"The message names the contract '{Printable(header)}'. Consumers of queue '{_queueName}': {string.Join(", ", _byName.Keys)}.";
            return null;
        }

        foreach (Consumer consumer in _consumers)
        {
            if (consumer.Matches?.Invoke(message) == true)
                return consumer;
        }

        if (_consumers is [{ Matches: null } only])
            return only;
        reason = $"The message has no header '{ContractNames.HeaderName}', and no consumer of queue '{_queueName}' matches it.";
        return null;
    }

    /// <summary>Cuts a header, which comes from the sender, and replaces what could break a line of a log.</summary>
    private static string Printable(object header)
    {
        string text = header as string ?? header.GetType().Name;
        return string.Concat(text.Take(MaxPrintedCharCount).Select(static c => char.IsControl(c) || char.IsSurrogate(c) ? '?' : c));
    }
}
