using System;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>A message that is being handled: its payload, headers and delivery.</summary>
public sealed class MessageContext
{
    private readonly ReceivedMessage _received;
    private readonly ReplySender _replies;

    internal MessageContext(
        string queueName,
        IncomingMessage incoming,
        int attempt,
        IServiceProvider services,
        ReplySender replies,
        HandlerTimer timer,
        CancellationToken cancellationToken)
    {
        QueueName = queueName;
        ContractName = incoming.ContractName;
        Payload = incoming.Payload!;
        Consumer = incoming.Consumer!;
        Attempt = attempt;
        Services = services;
        Timer = timer;
        CancellationToken = cancellationToken;
        Session = incoming.Session;
        _received = incoming.Message;
        _replies = replies;
    }

    /// <summary>The name of the queue in the configuration.</summary>
    public string QueueName { get; }

    /// <summary>The name of the message's contract: see <see cref="ContractNames"/>.</summary>
    public string ContractName { get; }

    /// <summary>The payload, as the handler gets it.</summary>
    public object Payload { get; }

    /// <summary>The message with its headers, label and ids. Do not settle it: that is done when the handler has completed.</summary>
    public QueueMessage Message => _received;

    /// <summary>Identifies the message.</summary>
    public string? MessageId => _received.MessageId;

    /// <summary>The id of the message that this one answers, or what the sender set.</summary>
    public string? CorrelationId => _received.CorrelationId;

    /// <summary>Gets which attempt to handle the message this is, by the queue's count of deliveries and the attempts in this process. 1 for the
    /// first.</summary>
    public int Attempt { get; }

    /// <summary>Gets how often the queue has handed the message out: <see cref="ReceivedMessage.DeliveryCount"/>.</summary>
    public int DeliveryCount => _received.DeliveryCount;

    /// <summary>Gets when the message was sent.</summary>
    /// <value>UTC; null where the queue does not report it.</value>
    public DateTimeOffset? SentTime => _received.SentTime;

    /// <summary>The session of the message, for its state. Do not close it, and do not receive from it.</summary>
    /// <value>Null unless the queue has <see cref="HostedQueueOptions.RequiresSession"/>.</value>
    public QueueClient? Session { get; }

    /// <summary>The services of the message's scope.</summary>
    public IServiceProvider Services { get; }

    /// <summary>The token that the handler gets.</summary>
    public CancellationToken CancellationToken { get; }

    internal Consumer Consumer { get; }

    internal HandlerTimer Timer { get; }

    /// <summary>Gets or sets whether the message was handled before, and its handler not called.</summary>
    internal bool IsRepeated { get; set; }

    /// <summary>Answers a request: sends a reply to the queue that the message names, with the message's id as correlation id.</summary>
    /// <typeparam name="TReply">The type of the reply.</typeparam>
    /// <param name="reply">The reply, written in the format of this queue.</param>
    /// <param name="options">Properties of the reply; null for none. Its correlation id is always the request's message id.</param>
    /// <param name="cancellationToken">Cancels the wait, as <see cref="CancellationToken"/> does.</param>
    /// <returns>Completes when the reply is sent.</returns>
    /// <exception cref="InvalidOperationException">The message names no queue for replies, or one at another location than that of this queue:
    /// replies are not
    /// sent wherever a message says.</exception>
    /// <exception cref="QueueException">The reply could not be sent.</exception>
    public async Task ReplyAsync<TReply>(TReply reply, SendOptions? options = null, CancellationToken cancellationToken = default)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(CancellationToken, cancellationToken);
        await _replies.ReplyAsync(QueueName, _received, reply, options, either.Token).ConfigureAwait(false);
    }
}
