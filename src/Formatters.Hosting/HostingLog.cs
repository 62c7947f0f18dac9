using System;
using Formatters.Queues;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting;

/// <summary>The log events of this package, in the category <c>Formatters.Hosting</c>. The ids are stable.</summary>
internal static partial class HostingLog
{
    [LoggerMessage(1, LogLevel.Information, "Queue '{Queue}': receiving from {Address} ({Product}; {ConnectionCount} connections of its own).")]
    internal static partial void Receiving(this ILogger logger, string queue, QueueAddress address, string product, int connectionCount);

    [LoggerMessage(2, LogLevel.Error, "Queue '{Queue}' is unreachable; it is opened again until it is reachable.")]
    internal static partial void Unreachable(this ILogger logger, Exception error, string queue);

    [LoggerMessage(3, LogLevel.Information, "Queue '{Queue}' is reachable again, after {Outage}.")]
    internal static partial void Reachable(this ILogger logger, string queue, TimeSpan outage);

    [LoggerMessage(4, LogLevel.Critical, "A queue cannot be opened with its options; the application stops.")]
    internal static partial void ReceiverFailed(this ILogger logger, Exception error);

    [LoggerMessage(
        5,
        LogLevel.Warning,
        "Queue '{Queue}': attempt {Attempt} of {MaxAttempts} to handle {Contract} {MessageId} failed; the next one is in {Delay}.")]
    internal static partial void AttemptFailed(
        this ILogger logger, Exception error, string queue, string contract, string? messageId, int attempt, int maxAttempts, TimeSpan delay);

    [LoggerMessage(6, LogLevel.Error, "Queue '{Queue}': {Contract} {MessageId} is moved to the dead-letter queue ({Reason}): {Description}")]
    internal static partial void DeadLettered(
        this ILogger logger, Exception? error, string queue, string contract, string? messageId, string reason, string? description);

    [LoggerMessage(
        7,
        LogLevel.Error,
        "Queue '{Queue}': {Contract} {MessageId} ({Reason}) cannot be moved to a dead-letter queue; it stays, and is tried again every {Delay}.")]
    internal static partial void NotSetAside(
        this ILogger logger, Exception? error, string queue, string contract, string? messageId, string reason, TimeSpan delay);

    [LoggerMessage(8, LogLevel.Warning, "Queue '{Queue}': {Contract} {MessageId} could not be {Settlement}; it is delivered again.")]
    internal static partial void NotSettled(
        this ILogger logger, Exception error, string queue, string contract, string? messageId, string settlement);

    [LoggerMessage(9, LogLevel.Error, "Queue '{Queue}': {FailureCount} attempts in a row failed; receiving pauses for {BreakDuration}.")]
    internal static partial void CircuitOpened(this ILogger logger, Exception error, string queue, int failureCount, TimeSpan breakDuration);

    [LoggerMessage(10, LogLevel.Information, "Queue '{Queue}': a message was handled; receiving goes on.")]
    internal static partial void CircuitClosed(this ILogger logger, string queue);

    [LoggerMessage(
        11, LogLevel.Error, "Queue '{Queue}': the handler of {Contract} {MessageId} has not completed within {HandlerTimeout}; it is cancelled.")]
    internal static partial void HandlerOverdue(this ILogger logger, string queue, string contract, string? messageId, TimeSpan handlerTimeout);

    [LoggerMessage(
        12, LogLevel.Warning, "Queue '{Queue}': the lease of {Contract} {MessageId} was lost before it was settled; the message is delivered again.")]
    internal static partial void LeaseLost(this ILogger logger, string queue, string contract, string? messageId);

    [LoggerMessage(13, LogLevel.Debug, "Queue '{Queue}': {Contract} {MessageId} is returned, because the host stops.")]
    internal static partial void Returned(this ILogger logger, string queue, string contract, string? messageId);

    [LoggerMessage(14, LogLevel.Warning, "Queue '{Queue}': {Count} handlers have not completed in time; their messages are delivered again.")]
    internal static partial void Unfinished(this ILogger logger, string queue, int count);

    [LoggerMessage(15, LogLevel.Warning, "Queue '{Queue}' could not be closed.")]
    internal static partial void NotClosed(this ILogger logger, Exception error, string queue);

    [LoggerMessage(16, LogLevel.Warning, "Queue '{Queue}': session '{Session}' was lost; its messages are delivered again.")]
    internal static partial void SessionLost(this ILogger logger, Exception error, string queue, string session);

    [LoggerMessage(20, LogLevel.Information, "Outbox: sending the messages of '{Table}' in '{Database}'.")]
    internal static partial void Dispatching(this ILogger logger, string table, string database);

    [LoggerMessage(21, LogLevel.Error, "Outbox: the database failed; it is tried again until it works. Messages wait in it.")]
    internal static partial void OutboxFailed(this ILogger logger, Exception error);

    [LoggerMessage(22, LogLevel.Information, "Outbox: the database works again, after {Outage}.")]
    internal static partial void OutboxWorks(this ILogger logger, TimeSpan outage);

    [LoggerMessage(23, LogLevel.Error, "Outbox: queue '{Queue}' does not take messages; they wait in the database, and are sent when it does.")]
    internal static partial void DispatchFailed(this ILogger logger, Exception error, string queue);

    [LoggerMessage(24, LogLevel.Information, "Outbox: queue '{Queue}' takes messages again.")]
    internal static partial void DispatchWorks(this ILogger logger, string queue);

    [LoggerMessage(25, LogLevel.Error, "Outbox: row {Id} of '{Table}' for queue '{Queue}' cannot be sent, and is set aside: {Reason}")]
    internal static partial void RowSetAside(this ILogger logger, Exception? error, long id, string table, string queue, string reason);

    [LoggerMessage(
        27,
        LogLevel.Error,
        "Queue '{Queue}': the database of the outbox failed. {Contract} {MessageId} and others are tried until it works; no attempt is counted.")]
    internal static partial void InboxFailed(this ILogger logger, Exception error, string queue, string contract, string? messageId);

    [LoggerMessage(28, LogLevel.Information, "Queue '{Queue}': the database of the outbox works again, after {Outage}.")]
    internal static partial void InboxWorks(this ILogger logger, string queue, TimeSpan outage);

    [LoggerMessage(
        29, LogLevel.Warning, "Outbox: the database did not answer in time for the host to stop. Messages whose rows remain are sent again.")]
    internal static partial void OutboxUnfinished(this ILogger logger);

    [LoggerMessage(30, LogLevel.Debug, "Outbox: listening for messages of other processes.")]
    internal static partial void Listening(this ILogger logger);

    [LoggerMessage(31, LogLevel.Debug, "Outbox: not listening for messages of other processes, which are found by polling until then.")]
    internal static partial void NotListening(this ILogger logger, Exception error);

    [LoggerMessage(26, LogLevel.Debug, "Queue '{Queue}': {Contract} {MessageId} was handled before; it is acknowledged.")]
    internal static partial void Repeated(this ILogger logger, string queue, string contract, string messageId);
}
