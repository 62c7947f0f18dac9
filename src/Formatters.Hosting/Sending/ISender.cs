using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>Sends messages of one type to its queue, or publishes them to its topic. Registered with
/// <see cref="QueuesBuilder.AddSender{T}"/>.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
/// <remarks>Thread-safe. The queue is opened at the first send, and opened again after a failure.</remarks>
public interface ISender<in T>
{
    /// <summary>Sends a message, with the name of its contract in the headers.</summary>
    /// <param name="message">The payload.</param>
    /// <param name="options">Properties of the message; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the guarantee of the queue's <see cref="HostedQueueOptions.DeliveryMode"/> holds.</returns>
    /// <exception cref="QueueException">The queue cannot be reached, or rejected the message.</exception>
    /// <exception cref="NotSupportedException">The queue does not support a property, for example a delay.</exception>
    /// <exception cref="MessageFormatException">The payload cannot be written; nothing was sent.</exception>
    Task SendAsync(T message, SendOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>Sends a request and waits for the reply, which the handler sends with <see cref="MessageContext.ReplyAsync"/>.</summary>
    /// <typeparam name="TReply">The type of the reply.</typeparam>
    /// <param name="message">The payload.</param>
    /// <param name="timeout">How long to wait for the reply. Where the queue supports it, the request expires after that.</param>
    /// <param name="options">Properties of the message; null for none.</param>
    /// <param name="cancellationToken">Cancels the wait; the request may be handled all the same.</param>
    /// <returns>The reply.</returns>
    /// <exception cref="TimeoutException">There was no reply in time.</exception>
    /// <exception cref="MessageFormatException">The reply cannot be read as a <typeparamref name="TReply"/>.</exception>
    /// <remarks>Replies of this process come to a queue of their own, at the location of the sender's queue; it is deleted when the host
    /// stops.</remarks>
    /// <inheritdoc cref="SendAsync" path="/exception"/>
    Task<TReply> RequestAsync<TReply>(T message, TimeSpan timeout, SendOptions? options = null, CancellationToken cancellationToken = default);
}
