using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues;

/// <summary>
/// Moves messages from one queue to another as long as it runs: store and forward. A program sends to a folder even without a network, and the
/// forwarder brings the messages to a broker when it can.
/// </summary>
/// <remarks>
/// <para>The order of the source is kept. Messages keep their <see cref="QueueMessage.MessageId"/>, all their other properties, and what is left of
/// their <see cref="QueueMessage.TimeToLive"/>. Messages that expired on the way, and messages that the target cannot carry, go to a dead-letter
/// queue at the source.</para>
/// <para>Exactly once (<see cref="Guarantee"/>): from a folder into a database with <c>ForwarderOptions.Coordination</c>, and between queues of one
/// location with atomic transactions (a folder, a database, this process's memory). Everything else at least once: a message leaves the source when
/// the target has confirmed it.</para>
/// <para>While source or target cannot be reached, it waits, longer after each failure, and opens both again. Use only one forwarder for a source:
/// several would not keep its order.</para>
/// </remarks>
/// <example><code>
/// var connector = new QueueConnector(new FileQueueProvider(), new RabbitMqQueueProvider());
/// var forwarder = new QueueForwarder(connector, "file:outbox/orders", "amqp://localhost/orders");
/// await forwarder.RunAsync(stopping);
/// </code></example>
public sealed class QueueForwarder
{
    private readonly QueueConnector _connector;
    private readonly ForwarderOptions _options;
    private readonly QueueOptions _sourceOptions;
    private readonly QueueOptions _targetOptions;
    private long _forwardedCount;
    private long _setAsideCount;
    private int _isRunning;
    private string? _failedId;
    private Exception? _failure;
    private int _failedCount;
    private bool _isCautious;

    /// <summary>Creates a forwarder; nothing is opened before it runs.</summary>
    /// <param name="connector">
    /// Opens both queues. In a process whose program sends into the source's folder, it must use the same <c>FileQueueProvider</c>.
    /// </param>
    /// <param name="source">The address of the queue that messages are taken from.</param>
    /// <param name="target">The address of the queue that they are put into.</param>
    /// <param name="options">The options; null means <see cref="ForwarderOptions.Default"/>.</param>
    /// <exception cref="ArgumentNullException"><paramref name="connector"/> or an address is null.</exception>
    /// <exception cref="FormatException">An address is not that of a queue.</exception>
    /// <exception cref="ArgumentException">Both are one queue, or one is its dead-letter queue; or <c>ForwarderOptions.Coordination</c> has another
    /// folder provider than the connector.</exception>
    public QueueForwarder(QueueConnector connector, string source, string target, ForwarderOptions? options = null)
    {
        _connector = connector ?? throw new ArgumentNullException(nameof(connector));
        Source = QueueAddress.Parse(source);
        Target = QueueAddress.Parse(target);
        _options = options ?? ForwarderOptions.Default;
        // RabbitMQ stores it with the queue, which may exist without one or with another.
        string? deadLetterQueue = _options.DeadLetterQueue ?? (Source.Scheme is "amqp" or "amqps" ? null : Source.QueueName + ".dead");
        if (Source.QueueName.Length == 0 || Target.QueueName.Length == 0)
            throw new FormatException($"'{(Source.QueueName.Length == 0 ? Source : Target)}' has no queue's name.");
        if (Source.Equals(Target))
            throw new ArgumentException($"'{Source}' cannot be forwarded to itself.", nameof(target));
        if (deadLetterQueue is not null && Source.WithQueueName(deadLetterQueue).Equals(Target))
            throw new ArgumentException($"'{Target}' cannot be both the target and the dead-letter queue.", nameof(target));
#if NET
        if (_options.Coordination is { } coordination && Source.Uri.IsFile && connector.FindProvider(Source) != coordination.Folders)
        {
            throw new ArgumentException(
                $"The connector opens '{Source}' with another {nameof(FileQueueProvider)} than that of {nameof(ForwarderOptions.Coordination)}: only "
                + "one of the two can have the folder. Use one for both.",
                nameof(options));
        }
#endif
        _sourceOptions = new QueueOptions { DeadLetterQueue = deadLetterQueue };
        _targetOptions = new QueueOptions { DuplicateWindow = _options.DuplicateWindow };
    }

    /// <summary>Gets the address of the source.</summary>
    public QueueAddress Source { get; }

    /// <summary>Gets the address of the target.</summary>
    public QueueAddress Target { get; }

    /// <summary>Gets how often a message is delivered to the target.</summary>
    /// <value>Null until both queues have been opened for the first time.</value>
    public ForwardingGuarantee? Guarantee { get; private set; }

    /// <summary>Gets the number of forwarded messages.</summary>
    public long ForwardedCount => Interlocked.Read(ref _forwardedCount);

    /// <summary>Gets the number of dead-lettered messages.</summary>
    public long SetAsideCount => Interlocked.Read(ref _setAsideCount);

    /// <summary>Gets the error because of which the forwarder waits.</summary>
    /// <value>Null while it does not.</value>
    public Exception? LastError { get; private set; }

    /// <summary>Moves messages until it is cancelled.</summary>
    /// <param name="cancellationToken">Stops the forwarder; work in progress is completed or undone first, and no message is lost.</param>
    /// <returns>Completes when it has ended.</returns>
    /// <exception cref="InvalidOperationException">It is already running, or the target does not accept the transactions of
    /// <c>ForwarderOptions.Coordination</c>: the connector opens it with another provider.</exception>
    /// <exception cref="NotSupportedException">No provider of the connector supports an address, or the queue does not support the
    /// options.</exception>
    /// <exception cref="ObjectDisposedException">A provider of the connector is closed.</exception>
    public Task RunAsync(CancellationToken cancellationToken) => RunAsync(untilEmpty: false, cancellationToken);

    /// <summary>
    /// Moves messages until the source is empty. While source or target cannot be reached it waits, as <see cref="RunAsync(CancellationToken)"/>
    /// does.
    /// </summary>
    /// <param name="cancellationToken">Ends it earlier.</param>
    /// <returns>Completes when it has ended.</returns>
    /// <inheritdoc cref="RunAsync(CancellationToken)" path="/exception"/>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public async Task RunUntilEmptyAsync(CancellationToken cancellationToken = default)
    {
        await RunAsync(untilEmpty: true, cancellationToken).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
    }

    private async Task RunAsync(bool untilEmpty, CancellationToken cancellationToken)
    {
        if (Interlocked.Exchange(ref _isRunning, 1) != 0)
            throw new InvalidOperationException($"The forwarder from '{Source}' to '{Target}' is already running.");
        TimeSpan wait = _options.MinBackOff;
        try
        {
            while (!cancellationToken.IsCancellationRequested)
            {
                long movedBefore = ForwardedCount + SetAsideCount;
                try
                {
                    await using ForwardingRoute route = await ForwardingRoute.OpenAsync(
                        _connector, Source, Target, _sourceOptions, _targetOptions, _options, cancellationToken).ConfigureAwait(false);
                    Guarantee = route.Guarantee;
                    LastError = null;
                    await ForwardAsync(route, untilEmpty, cancellationToken).ConfigureAwait(false);
                    return;
                }
                catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
                {
                    return;
                }
                catch (Exception e) when (e is QueueException or TimeoutException)
                {
                    LastError = e;
                    _isCautious = true;
                    if (ForwardedCount + SetAsideCount > movedBefore)
                        wait = _options.MinBackOff;
                    _options.OnRetry?.Invoke(e, wait);
                }

                try
                {
                    await Task.Delay(wait, cancellationToken).ConfigureAwait(false);
                }
                catch (OperationCanceledException)
                {
                    return;
                }

                wait = wait + wait < _options.MaxBackOff ? wait + wait : _options.MaxBackOff;
            }
        }
        finally
        {
            Volatile.Write(ref _isRunning, 0);
        }
    }

    private async Task ForwardAsync(ForwardingRoute route, bool untilEmpty, CancellationToken cancellationToken)
    {
        while (true)
        {
            // After a failure one at a time, to isolate the failing message.
            bool isExact = route.Guarantee == ForwardingGuarantee.ExactlyOnce;
            int batchSize = _isCautious ? 1 : _options.BatchSize ?? (isExact ? 100 : 1);
            int count = await (isExact
                ? MoveInTransactionAsync(route, batchSize, untilEmpty, cancellationToken)
                : MoveAsync(route, batchSize, untilEmpty, cancellationToken))
                .ConfigureAwait(false);
            if (count > 0)
                (_isCautious, _failedId, _failedCount, _failure) = (false, null, 0, null);
            else if (untilEmpty)
                return;
        }
    }

    /// <summary>Sends messages, and acknowledges those that the target has accepted.</summary>
    /// <returns>How many messages left the source.</returns>
    private async Task<int> MoveAsync(ForwardingRoute route, int batchSize, bool untilEmpty, CancellationToken cancellationToken)
    {
        IReadOnlyList<ReceivedMessage> messages = await route.Source.ReceiveBatchAsync(
            batchSize, untilEmpty ? TimeSpan.Zero : Timeout.InfiniteTimeSpan, cancellationToken: cancellationToken).ConfigureAwait(false);
        // Started in order, and not canceled: messages that the target has accepted must leave the source.
        var sends = new Task<Refusal?>[messages.Count];
        for (int i = 0; i < sends.Length; i++)
            sends[i] = SendAsync(route.Target, messages[i], null, CancellationToken.None);
        ExceptionDispatchInfo? failure = null;
        for (int i = 0; i < sends.Length; i++)
        {
            try
            {
                if (await sends[i].ConfigureAwait(false) is { } refusal)
                {
                    await SetAsideAsync(messages[i], refusal).ConfigureAwait(false);
                    Interlocked.Increment(ref _setAsideCount);
                }
                else
                {
                    await messages[i].AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
                    Interlocked.Increment(ref _forwardedCount);
                }
            }
            catch (Exception e)
            {
                // The others are complete; this one is redelivered when the source is closed.
                failure ??= ExceptionDispatchInfo.Capture(e);
            }
        }

        failure?.Throw();
        return messages.Count;
    }

    /// <summary>Moves the available messages, up to a maximum, in one transaction.</summary>
    /// <returns>How many messages left the source.</returns>
    private async Task<int> MoveInTransactionAsync(ForwardingRoute route, int batchSize, bool untilEmpty, CancellationToken cancellationToken)
    {
        TimeSpan timeout = await route.WaitAsync(untilEmpty, cancellationToken).ConfigureAwait(false);
        QueueTransaction transaction = await route.BeginTransactionAsync(cancellationToken).ConfigureAwait(false);
        await using (transaction.ConfigureAwait(false))
        {
            int forwarded = 0, setAside = 0;
            ReceivedMessage? last = null;
            while (forwarded + setAside < batchSize
                && await route.Source.ReceiveAsync(forwarded + setAside == 0 ? timeout : TimeSpan.Zero, transaction, cancellationToken)
                .ConfigureAwait(false) is { } message)
            {
                if (await SendAsync(route.Target, message, transaction, cancellationToken).ConfigureAwait(false) is { } refusal)
                {
                    await SetAsideAsync(message, refusal).ConfigureAwait(false);
                    setAside++;
                }
                else
                {
                    forwarded++;
                    last = message;
                }
            }

            if (forwarded + setAside == 0)
                return 0;
            try
            {
                await transaction.CommitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (Exception e) when (last is not null && (e is QueueException || IsRefusal(e)))
            {
                // The target may reject messages only at the commit. If there were several, each is tried alone next.
                if (forwarded + setAside == 1 && IsRejection(e))
                    NoteFailure(last, e);
                throw e as QueueException ?? new QueueException(e.Message, e);
            }

            Interlocked.Add(ref _forwardedCount, forwarded);
            Interlocked.Add(ref _setAsideCount, setAside);
            return forwarded + setAside;
        }
    }

    /// <summary>Sends a message to the target.</summary>
    /// <returns>Why the message must be dead-lettered; null if it was sent.</returns>
    private async Task<Refusal?> SendAsync(QueueClient target, ReceivedMessage message, QueueTransaction? transaction,
        CancellationToken cancellationToken)
    {
        if (_failure is { } failure && message.MessageId == _failedId)
        {
            // A commit has found out that the target has it: it leaves the source, and is not sent again.
            if (failure is DuplicateMessageException)
                return null;
            if (IsRefusal(failure))
                return new Refusal(DeadLetterReasons.NotForwarded, failure.Message);
            if (_options.MaxAttempts > 0 && _failedCount >= _options.MaxAttempts)
                return new Refusal(DeadLetterReasons.NotForwarded, $"'{Target}', {_failedCount} attempts: {failure.Message}");
        }

        QueueMessage? copy = Copy(message, DateTimeOffset.UtcNow);
        if (copy is null)
            return new Refusal(DeadLetterReasons.Expired, null);
        try
        {
            await target.SendAsync(copy, transaction, cancellationToken).ConfigureAwait(false);
            return null;
        }
        catch (DuplicateMessageException)
        {
            return null; // The answer to the first send was lost.
        }
        catch (Exception e) when (IsRefusal(e))
        {
            return new Refusal(DeadLetterReasons.NotForwarded, e.Message);
        }
        catch (QueueException e) when (IsRejection(e))
        {
            NoteFailure(message, e);
            throw;
        }
    }

    /// <summary>Determines whether the target has rejected a message. A lost connection, or an answer that did not arrive, is not an
    /// attempt.</summary>
    private static bool IsRejection(Exception exception) =>
        exception is not QueueException { OutcomeUnknown: true } and not QueueException { IsUnreachable: true };

    /// <summary>Determines whether the target can never accept the message. Any other error may be temporary.</summary>
    private static bool IsRefusal(Exception exception) =>
        exception is NotSupportedException or ArgumentException or FormatException or QueueException { Code: QueueErrorCode.TooLarge };

    private void NoteFailure(ReceivedMessage message, Exception exception)
    {
        // If several fail together, one counts; next time each is alone.
        lock (_sourceOptions)
        {
            (_failedId, _failedCount, _failure) = (message.MessageId, message.MessageId == _failedId ? _failedCount + 1 : 1, exception);
        }
    }

    private static ValueTask SetAsideAsync(ReceivedMessage message, Refusal refusal) =>
        message.DeadLetterAsync(refusal.Reason, refusal.Description, CancellationToken.None);

    /// <summary>Creates the message for the target, with the same body.</summary>
    /// <returns>Null if its time is over.</returns>
    private static QueueMessage? Copy(ReceivedMessage message, DateTimeOffset now)
    {
        QueueMessage copy = message.Copy();
        copy.DueTime = null; // It is due.
        if (message.TimeToLive is not { } time || message.SentTime is not { } start)
            return copy;
        if (message.DueTime is { } due && due > start)
            start = due;
        // If the clock was set back, the message does not live longer.
        TimeSpan left = now > start ? time - (now - start) : time;
        if (left <= TimeSpan.Zero)
            return null;
        copy.TimeToLive = left;
        return copy;
    }

    /// <summary>The reason of a dead letter.</summary>
    private sealed record Refusal(string Reason, string? Description);
}
