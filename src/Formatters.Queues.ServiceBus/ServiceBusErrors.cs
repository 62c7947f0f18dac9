using System;
using System.IO;
using System.Net.Sockets;
using System.Threading.Tasks;
using Azure;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>Translates the exceptions of the client: each cause has one clear message.</summary>
internal static class ServiceBusErrors
{
    /// <summary>Determines whether an exception is one of the client or its connection, and not the caller's mistake.</summary>
    internal static bool IsOfService(Exception e) => e is ServiceBusException or UnauthorizedAccessException or TimeoutException or SocketException
        or IOException or RequestFailedException or AggregateException or TaskCanceledException or ObjectDisposedException
        or System.Transactions.TransactionException;

    /// <summary>Returns the reason of an exception.</summary>
    internal static ServiceBusFailureReason ReasonOf(Exception e) => e switch
    {
        ServiceBusException bus => bus.Reason,
        TimeoutException or TaskCanceledException => ServiceBusFailureReason.ServiceTimeout,
        UnauthorizedAccessException or RequestFailedException { Status: > 0 } => ServiceBusFailureReason.GeneralError,
        _ => ServiceBusFailureReason.ServiceCommunicationProblem,
    };

    /// <summary>Determines whether the operation could work on another connection.</summary>
    internal static bool IsConnectionLoss(Exception e) => ReasonOf(e) switch
    {
        ServiceBusFailureReason.ServiceTimeout or ServiceBusFailureReason.ServiceCommunicationProblem => true,
        ServiceBusFailureReason.GeneralError => e is ServiceBusException { IsTransient: true },
        _ => false,
    };

    /// <summary>Translates an exception; the translated one is its inner exception.</summary>
    /// <param name="e">The exception of the client.</param>
    /// <param name="what">What was tried: "send the message".</param>
    /// <param name="address">The address of the handle.</param>
    /// <param name="mayHaveHappened">Whether the operation may have taken effect if the connection was lost.</param>
    internal static QueueException Translate(Exception e, string what, QueueAddress address, bool mayHaveHappened = false)
    {
        string cause = e is UnauthorizedAccessException
            ? "the key or token was refused, or lacks the claim (Listen, Send or Manage)"
            : ReasonOf(e) switch
            {
                ServiceBusFailureReason.MessagingEntityNotFound => "there is no such entity",
                ServiceBusFailureReason.MessagingEntityDisabled => "the entity is disabled",
                ServiceBusFailureReason.MessagingEntityAlreadyExists => "another entity has this name",
                ServiceBusFailureReason.MessageLockLost or ServiceBusFailureReason.SessionLockLost =>
                    "the lock is gone, because it ended or the message was settled: the message is delivered again",
                ServiceBusFailureReason.MessageNotFound => "there is no such message",
                ServiceBusFailureReason.MessageSizeExceeded => "the message is larger than the entity takes",
                ServiceBusFailureReason.QuotaExceeded => "the entity is full, or the namespace has no further connections",
                ServiceBusFailureReason.ServiceBusy => "the service is busy; try again in 10 seconds",
                ServiceBusFailureReason.ServiceTimeout => "the service did not answer in time",
                ServiceBusFailureReason.ServiceCommunicationProblem => "the service cannot be reached, or the connection was lost",
                _ => "the service reported an error",
            };
        bool isLost = IsConnectionLoss(e) || e is ObjectDisposedException;
        return new QueueException($"Could not {what} ('{address}'): {cause}. {FirstLine(e)}", e)
        {
            OutcomeUnknown = mayHaveHappened && isLost,
            IsUnreachable = isLost,
        };
    }

    private static string FirstLine(Exception e)
    {
        string text = e is AggregateException { InnerException: { } inner } ? inner.Message : e.Message;
        int end = text.IndexOfAny(['\r', '\n']);
        int hint = text.IndexOf(" For troubleshooting", StringComparison.Ordinal);
        int length = Math.Min(end < 0 ? text.Length : end, hint < 0 ? text.Length : hint);
        return text[..Math.Min(length, 300)];
    }
}
