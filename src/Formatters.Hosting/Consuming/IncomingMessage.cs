using System;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>A received message with its consumer and payload, or with the reason why it has none.</summary>
internal sealed record IncomingMessage(ReceivedMessage Message)
{
    internal Consumer? Consumer { get; private init; }

    internal object? Payload { get; private init; }

    /// <summary>Gets the contract name, for the log.</summary>
    internal string ContractName { get; private init; } = "(unknown)";

    /// <summary>Gets the reason of the dead letter; null if the message can be handled.</summary>
    internal string? Reason { get; private init; }

    internal string? Description { get; private init; }

    internal Exception? Error { get; private init; }

    /// <summary>Finds the consumer of a message and reads its body.</summary>
    internal static IncomingMessage Read(ReceivedMessage message, QueueConsumers consumers)
    {
        var incoming = new IncomingMessage(message);
        try
        {
            Consumer? consumer = consumers.Find(message, out string? reason);
            if (consumer is null)
                return incoming with { Reason = HostingDeadLetterReasons.UnknownContract, Description = reason };
            incoming = incoming with { Consumer = consumer, ContractName = consumer.ContractNames[0] };
            return incoming with { Payload = consumer.Read(message) };
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            return incoming with { Reason = DeadLetterReasons.UnreadableBody, Description = e.Message, Error = e };
        }
    }

    /// <summary>Creates the message as one that cannot be read, because its ordering key could not be selected.</summary>
    internal IncomingMessage WithFailedKey(Exception error) => this with
    {
        Payload = null,
        Reason = DeadLetterReasons.UnreadableBody,
        Description = $"The ordering key could not be selected: {error}",
        Error = error,
    };
}
