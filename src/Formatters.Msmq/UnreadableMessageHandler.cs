namespace Formatters.Msmq;

/// <summary>
/// Keeps a message whose body cannot be read, before it leaves its queue. When it returns, the message is removed; when it throws, the message stays.
/// </summary>
/// <param name="message">The message; its body is as it was sent.</param>
/// <param name="error">Why it cannot be read.</param>
/// <param name="transaction">The transaction of the receive, for messages that the handler sends; null if there is none.</param>
/// <remarks>
/// Without a transaction, a process that ends between the handler and the removal leaves the message in both places: a message may be kept twice, but
/// is never lost.
/// </remarks>
public delegate void UnreadableMessageHandler(Message message, MessageFormatException error, MessageQueueTransaction? transaction);
