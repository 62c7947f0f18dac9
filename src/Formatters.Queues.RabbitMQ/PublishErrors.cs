using System;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Formatters.Queues.RabbitMQ;

/// <summary>Creates the errors of publishes that the broker has returned, refused or not confirmed.</summary>
/// <param name="address">The address of the queue, without its password.</param>
/// <param name="what">The operation: "send the message".</param>
internal sealed class PublishErrors(string address, string what)
{
    /// <summary>Creates the error of a message that the broker has returned, because its queue does not exist.</summary>
    internal QueueException Returned(string reason) =>
        new($"Could not {what} at '{address}': {reason}") { Code = QueueErrorCode.QueueDeleted };

    /// <summary>Creates the error of a message that the broker has not accepted (basic.nack).</summary>
    internal QueueException Nacked() => new(
        $"Could not {what} at '{address}': the broker refused it (basic.nack): the queue is full, or the broker failed.")
    {
        Code = QueueErrorCode.Full,
    };

    /// <summary>Creates the error of a message over which the broker has closed the channel.</summary>
    internal QueueException Refused(ShutdownEventArgs reason, int byteCount) => new(
        RabbitMqReplies.FindSizes(reason.ReplyText) is not null
            ? $"Could not {what} at '{address}': the broker refused its body of "
                + FormattableString.Invariant($"{byteCount:N0} bytes, which is not in the queue: {reason.ReplyText} ")
                + "(max_message_size in its rabbitmq.conf)."
            : $"Could not {what} at '{address}': the broker refused it, and it is not in the queue: {reason.ReplyText}")
    {
        // A precondition of the message: its size.
        Code = reason.ReplyCode == Constants.PreconditionFailed ? QueueErrorCode.TooLarge : QueueErrorCode.None,
    };

    /// <summary>Creates the error of a message whose outcome is unknown.</summary>
    internal QueueException Unconfirmed(string reason) => new(
        $"'{address}' has not confirmed the message: {reason}. It may or may not be in the queue.")
    {
        OutcomeUnknown = true,
        IsUnreachable = true,
    };

    /// <summary>Returns the error of an express message, which the next send reports because no caller waits for it.</summary>
    internal string LostExpress(string reason) => $"An earlier express message for '{address}' {reason}";
}
