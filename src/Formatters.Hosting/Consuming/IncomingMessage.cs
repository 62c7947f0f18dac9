using System;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>A received message with its consumer and payload, with the reason why it is a dead letter, or with an error that may pass.</summary>
internal sealed record IncomingMessage(ReceivedMessage Message)
{
    internal Consumer? Consumer { get; private init; }

    internal object? Payload { get; private init; }

    /// <summary>Gets the ordering key; null for a message that need not wait for others.</summary>
    internal object? Key { get; private init; }

    /// <summary>Gets the session of the message; null without one.</summary>
    internal QueueClient? Session { get; init; }

    /// <summary>Gets the contract name, for the log.</summary>
    internal string ContractName { get; private init; } = "(unknown)";

    /// <summary>Gets the reason of the dead letter; null if the message can be handled, or read at another attempt.</summary>
    internal string? Reason { get; private init; }

    internal string? Description { get; private init; }

    /// <summary>Gets why the message could not be read.</summary>
    internal Exception? Error { get; private init; }

    /// <summary>Finds the consumer of a message and reads its body.</summary>
    internal static IncomingMessage Read(ReceivedMessage message, QueueConsumers consumers, QueueClient? session = null)
    {
        var incoming = new IncomingMessage(message) { Session = session };
        try
        {
            Consumer? consumer = consumers.Find(message, out string? reason);
            if (consumer is null)
                return incoming with { Reason = DeadLetterReasons.UnknownContract, Description = reason };
            incoming = incoming with { Consumer = consumer, ContractName = consumer.ContractNames[0] };
            object payload = consumer.Read(message);
            return incoming with { Payload = payload, Key = SelectKey(consumer, payload) };
        }
        catch (MessageFormatException e) when (e.IsPoison)
        {
            return incoming with { Reason = DeadLetterReasons.UnreadableBody, Description = e.Message, Error = e };
        }
        catch (Exception e)
        {
            // A key that is being rotated, a limit, memory: another attempt may succeed.
            return incoming with { Error = e };
        }
    }

    private static object? SelectKey(Consumer consumer, object payload)
    {
        try
        {
            object? key = consumer.GetKey(payload);
            // A key whose hash code fails is of no use.
            _ = key?.GetHashCode();
            return key;
        }
        catch (Exception e)
        {
            throw new InvalidOperationException($"The ordering key could not be selected: {e}", e);
        }
    }
}
