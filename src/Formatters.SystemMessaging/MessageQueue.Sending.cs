using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.SystemMessaging;

namespace System.Messaging;

// Sending.
public partial class MessageQueue
{
    /// <summary>Sends an object or a message to a queue that is not transactional.</summary>
    /// <param name="obj">The object, which the queue's <see cref="Formatter"/> writes; or a <see cref="Message"/>, whose <see cref="Message.Id"/> is
    /// then set.</param>
    /// <exception cref="MessageQueueException">The queue does not exist or is transactional, the message is too large, or the queue is at its quota
    /// or cannot be reached.</exception>
    /// <exception cref="InvalidOperationException">There is no path, or the formatter does not write the object.</exception>
    /// <exception cref="PlatformNotSupportedException">The message is to be signed or encrypted.</exception>
    /// <remarks>A message whose queue cannot be reached is kept in the folder of outgoing queues, and forwarded later: see <see
    /// cref="MessagingConfiguration.UseOutgoingQueue"/>.</remarks>
    public void Send(object? obj) => SendCore(obj, null, null, MessageQueueTransactionType.None);

    /// <summary>Sends an object or a message in a transaction.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="transaction">The transaction.</param>
    /// <exception cref="ArgumentNullException"><paramref name="transaction"/> is null.</exception>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public void Send(object? obj, MessageQueueTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(transaction);
        SendCore(obj, null, transaction, MessageQueueTransactionType.None);
    }

    /// <summary>Sends an object or a message.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException"><paramref name="transactionType"/> is not defined.</exception>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public void Send(object? obj, MessageQueueTransactionType transactionType) => SendCore(obj, null, null, transactionType);

    /// <summary>Sends an object or a message with a label.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="label">The label.</param>
    /// <exception cref="ArgumentNullException"><paramref name="label"/> is null.</exception>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public void Send(object? obj, string label)
    {
        ArgumentNullException.ThrowIfNull(label);
        SendCore(obj, label, null, MessageQueueTransactionType.None);
    }

    /// <summary>Sends an object or a message with a label, in a transaction.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="label">The label.</param>
    /// <param name="transaction">The transaction.</param>
    /// <exception cref="ArgumentNullException">The label or the transaction is null.</exception>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public void Send(object? obj, string label, MessageQueueTransaction transaction)
    {
        ArgumentNullException.ThrowIfNull(label);
        ArgumentNullException.ThrowIfNull(transaction);
        SendCore(obj, label, transaction, MessageQueueTransactionType.None);
    }

    /// <summary>Sends an object or a message with a label.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="label">The label.</param>
    /// <param name="transactionType">The transaction.</param>
    /// <exception cref="ArgumentNullException"><paramref name="label"/> is null.</exception>
    /// <exception cref="ComponentModel.InvalidEnumArgumentException"><paramref name="transactionType"/> is not defined.</exception>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public void Send(object? obj, string label, MessageQueueTransactionType transactionType)
    {
        ArgumentNullException.ThrowIfNull(label);
        SendCore(obj, label, null, transactionType);
    }

    /// <summary>Sends an object or a message. Not in .NET Framework.</summary>
    /// <param name="obj">The object or message.</param>
    /// <param name="transaction">The transaction, or null.</param>
    /// <param name="cancellationToken">Cancels the wait; the message may or may not be sent then.</param>
    /// <returns>Completes when the queue has the message.</returns>
    /// <inheritdoc cref="Send(object)" path="/exception"/>
    public Task SendAsync(object? obj, MessageQueueTransaction? transaction = null, CancellationToken cancellationToken = default)
    {
        return SendUnlockedAsync(
            obj, null,
            (system, targets, message) => RunAsync(async token =>
            {
                await SendAsync(system, targets, message, transaction, isSingle: false, token).ConfigureAwait(false);
                return true;
            }, cancellationToken));
    }

    private void SendCore(object? obj, string? label, MessageQueueTransaction? transaction, MessageQueueTransactionType type)
    {
        Checks.Defined(type, "transactionType");
        transaction ??= type == MessageQueueTransactionType.Automatic ? AmbientTransactions.Current() : null;
        SendUnlockedAsync(
            obj, label,
            (system, targets, message) => RunAsync(async cancellationToken =>
            {
                await SendAsync(system, targets, message, transaction, type == MessageQueueTransactionType.Single, cancellationToken)
                    .ConfigureAwait(false);
                return true;
            }, CancellationToken.None)).GetAwaiter().GetResult();
    }

    /// <summary>Prepares and sends a message. A received one is sent with all its properties, also those that the program cannot read.</summary>
    private async Task SendUnlockedAsync(object? obj, string? label, Func<QueueSystem, IReadOnlyList<QueueTarget>, Message, Task> send)
    {
        Message message = obj as Message ?? DefaultPropertiesToSend.ToMessage(obj);
        MessageProperties readable = message.Unlock();
        try
        {
            (QueueSystem system, IReadOnlyList<QueueTarget> targets) = Prepare(message, label);
            await send(system, targets, message).ConfigureAwait(false);
        }
        finally
        {
            message.Lock(readable);
        }
    }

    private static async Task SendAsync(QueueSystem system, IReadOnlyList<QueueTarget> targets, Message message, MessageQueueTransaction? transaction,
        bool isSingle, CancellationToken cancellationToken)
    {
        string id = MessageConversion.NewId();
        foreach (QueueTarget target in targets)
        {
            if (isSingle)
            {
                using var own = new MessageQueueTransaction();
                own.Begin();
                await own.SendAsync(system, target, message, id, cancellationToken).ConfigureAwait(false);
                await own.CommitAsync().ConfigureAwait(false);
            }
            else if (transaction is not null)
            {
                await transaction.SendAsync(system, target, message, id, cancellationToken).ConfigureAwait(false);
            }
            else
            {
                await QueueOperations.SendAsync(system, target, message, id, cancellationToken).ConfigureAwait(false);
            }
        }

        message.SetSent(id);
    }

    private (QueueSystem System, IReadOnlyList<QueueTarget> Targets) Prepare(Message message, string? label)
    {
        if (!CanWrite)
            throw NoAccess("sending");
        QueueSystem system = QueueSystem.Current;
        IReadOnlyList<QueueTarget> targets = QueuePath.Kind is QueuePathKind.List or QueuePathKind.Multicast
            ? system.ResolveAll(QueuePath)
            : [Resolve(system)];
        if (label is not null)
            message.Label = label;
        if (message.HasBodyObject && message.BodyObject is { } body)
        {
            IMessageFormatter formatter = message.Formatter ?? Formatter
                ?? throw new InvalidOperationException($"Neither the message nor the queue has a {nameof(Formatter)}.");
            formatter.Write(message, body);
            // Reading the body of a received message, which is sent again, gives the same object.
            message.SetWritten(body);
        }

        if ((message.UseAuthentication || message.UseEncryption) && !system.Configuration.IgnoreMessageSecurity)
            throw NotHere.Security(message.UseAuthentication ? nameof(Message.UseAuthentication) : nameof(Message.UseEncryption));
        foreach (QueueTarget target in targets)
        {
            QueueOperations.CheckSize(message, target);
            CheckSecurity(target, system);
        }

        return (system, targets);
    }

    private static void CheckSecurity(QueueTarget target, QueueSystem system)
    {
        if (system.Configuration.IgnoreMessageSecurity || target.Place.Store.Find(target.PropertiesName) is not { } properties)
            return;
        if (properties.Authenticate)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.IllegalOperation,
                $"'{target.Path.Text}' accepts only messages that MSMQ has signed ({nameof(Authenticate)}). "
                + NotHere.Security(nameof(Authenticate)).Message);
        }

        if (properties.EncryptionRequired == EncryptionRequired.Body)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.IllegalOperation,
                $"'{target.Path.Text}' accepts only messages that MSMQ has encrypted ({nameof(EncryptionRequired)}). "
                + NotHere.Security(nameof(EncryptionRequired)).Message);
        }
    }

    private MessageQueueException NoAccess(string what) => new(
        MessageQueueErrorCode.AccessDenied, $"'{Path}' was opened as {nameof(QueueAccessMode)}.{AccessMode}, not for {what}.");
}
