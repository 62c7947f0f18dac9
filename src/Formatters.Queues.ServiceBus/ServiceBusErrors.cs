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
    /// <summary>The name of the operation that accepts a session, for errors.</summary>
    internal const string AcceptSession = "accept a session";

    private const string SessionLost =
        "the lock of the session is gone, because it ended or the connection was lost: its messages are delivered again; accept it again";

    /// <summary>Determines whether an exception is one of the client or its connection, and not the caller's mistake.</summary>
    internal static bool IsOfService(Exception e) => e is ServiceBusException or UnauthorizedAccessException or TimeoutException or SocketException
        or IOException or RequestFailedException or AggregateException or TaskCanceledException or InvalidOperationException
        or System.Transactions.TransactionException;

    /// <summary>Returns the reason of an exception.</summary>
    internal static ServiceBusFailureReason ReasonOf(Exception e) => e switch
    {
        ServiceBusException bus => bus.Reason,
        TimeoutException or TaskCanceledException => ServiceBusFailureReason.ServiceTimeout,
        UnauthorizedAccessException or RequestFailedException { Status: > 0 } => ServiceBusFailureReason.GeneralError,
        // What the service does not allow; an ObjectDisposedException is a link that has closed.
        InvalidOperationException and not ObjectDisposedException => ServiceBusFailureReason.GeneralError,
        _ => ServiceBusFailureReason.ServiceCommunicationProblem,
    };

    /// <summary>Determines whether the lock of a message, or of its session, has ended.</summary>
    internal static bool IsLockLost(Exception e) =>
        ReasonOf(e) is ServiceBusFailureReason.MessageLockLost or ServiceBusFailureReason.SessionLockLost;

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
    /// <param name="session">The session; null without one. The service closes its receiver when its lock is lost.</param>
    internal static QueueException Translate(Exception e, string what, QueueAddress address, bool mayHaveHappened = false,
        ServiceBusSessionReceiver? session = null)
    {
        string cause = e is UnauthorizedAccessException
            ? "the key or token was refused, or lacks the claim (Listen, Send or Manage)"
            : e is InvalidOperationException and not ObjectDisposedException
            ? NotAllowed(what)
            : session is { IsClosed: true }
            ? SessionLost
            : ReasonOf(e) switch
            {
                ServiceBusFailureReason.MessagingEntityNotFound => "there is no such entity",
                ServiceBusFailureReason.MessagingEntityDisabled => "the entity is disabled",
                ServiceBusFailureReason.MessagingEntityAlreadyExists => "another entity has this name",
                ServiceBusFailureReason.MessageLockLost =>
                    "the lock is gone, because it ended or the message was settled: the message is delivered again",
                ServiceBusFailureReason.SessionLockLost => SessionLost,
                ServiceBusFailureReason.SessionCannotBeLocked => "another receiver has locked the session",
                ServiceBusFailureReason.MessageNotFound => "there is no such message",
                ServiceBusFailureReason.MessageSizeExceeded => "it is larger than the entity takes",
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
            Code = ReasonOf(e) switch
            {
                ServiceBusFailureReason.MessageSizeExceeded => QueueErrorCode.TooLarge,
                ServiceBusFailureReason.QuotaExceeded => QueueErrorCode.Full,
                ServiceBusFailureReason.ServiceBusy => QueueErrorCode.Busy,
                ServiceBusFailureReason.MessagingEntityNotFound => QueueErrorCode.QueueDeleted,
                _ => QueueErrorCode.None,
            },
        };
    }

    /// <summary>Says what to do about a receiver of the other kind, which the service does not allow. It has no code for it.</summary>
    private static string NotAllowed(string what) => what == AcceptSession
        ? $"the service does not allow it: open an entity without sessions without {nameof(QueueOptions)}.{nameof(QueueOptions.RequiresSession)}"
        : $"the service does not allow it: open an entity that requires sessions with {nameof(QueueOptions)}."
            + $"{nameof(QueueOptions.RequiresSession)}, send with a {nameof(QueueMessage.SessionId)}, and receive from "
            + nameof(QueueClient.AcceptSessionAsync);

    private static string FirstLine(Exception e)
    {
        string text = e is AggregateException { InnerException: { } inner } ? inner.Message : e.Message;
        int end = text.IndexOfAny(['\r', '\n']);
        int hint = text.IndexOf(" For troubleshooting", StringComparison.Ordinal);
        int length = Math.Min(end < 0 ? text.Length : end, hint < 0 ? text.Length : hint);
        return text[..Math.Min(length, 300)];
    }
}
