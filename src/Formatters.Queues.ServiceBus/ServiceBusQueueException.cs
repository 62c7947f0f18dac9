using System;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>The exception that is thrown when an operation on a Service Bus entity failed, with the reason that the service or its client gave.</summary>
public sealed class ServiceBusQueueException : QueueException
{
    /// <summary>Creates an exception.</summary>
    /// <param name="message">What happened, naming the entity's address without its key.</param>
    /// <param name="reason">The reason.</param>
    /// <param name="innerException">The cause.</param>
    public ServiceBusQueueException(string message, ServiceBusFailureReason reason, Exception? innerException = null)
        : base(message, innerException) => Reason = reason;

    /// <summary>Gets the reason: <see cref="ServiceBusFailureReason.ServiceBusy"/> if the service asks to send later.</summary>
    public ServiceBusFailureReason Reason { get; }

    /// <summary>Gets whether the operation could work on another connection.</summary>
    internal bool IsConnectionLoss { get; init; }
}
