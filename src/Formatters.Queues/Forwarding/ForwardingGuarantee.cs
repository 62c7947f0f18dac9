namespace Formatters.Queues;

/// <summary>Defines how often a <see cref="QueueForwarder"/> delivers a message to its target.</summary>
public enum ForwardingGuarantee
{
    /// <summary>Once, or again after a lost answer, with the same <see cref="QueueMessage.MessageId"/>.</summary>
    AtLeastOnce,

    /// <summary>Once, by a transaction over source and target.</summary>
    ExactlyOnce,
}
