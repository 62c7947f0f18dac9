using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.Options;

namespace Formatters.Hosting.Testing;

/// <summary>Records what an application sends and handles, over queues in memory, and lets a test send to its consumers.</summary>
/// <remarks>
/// Thread-safe. Register it with <see cref="QueueHarnessExtensions.AddQueueHarness"/>, and get it from the services of the host. Waiting has no time
/// limit of its own: pass a token if the test framework has none. A name that is not a queue of the application is an
/// <see cref="OptionsValidationException"/> that lists the queues.
/// </remarks>
public sealed class QueueHarness
{
    private readonly QueueConnections _connections;
    private readonly PayloadFormatters _formatters;
    private readonly IOptionsMonitor<HostedQueueOptions> _options;
    private readonly TimeProvider _time;
    private readonly List<(string Queue, object Payload, QueueMessage Message)> _sent = [];
    private readonly List<(string Queue, object Payload)> _handled = [];
    private readonly List<DeadLetteredMessage> _deadLettered = [];
    private readonly object _gate = new();
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal QueueHarness(
        QueueConnections connections, PayloadFormatters formatters, IOptionsMonitor<HostedQueueOptions> options, TimeProvider time)
    {
        _connections = connections;
        _formatters = formatters;
        _options = options;
        _time = time;
        Observer = new Recorder(this);
    }

    internal QueueObserver Observer { get; }

    /// <summary>Gets the messages that consumers have moved to dead-letter queues, in this order.</summary>
    public IReadOnlyList<DeadLetteredMessage> DeadLettered
    {
        get
        {
            lock (_gate)
                return [.. _deadLettered];
        }
    }

    /// <summary>Gets the payloads that senders have sent, in this order.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="queue">The name of the queue; null for all.</param>
    /// <returns>The payloads, as they were given to the senders.</returns>
    public IReadOnlyList<T> Sent<T>(string? queue = null)
    {
        ThrowIfUnknown(queue);
        lock (_gate)
            return [.. _sent.Where(sent => queue is null || sent.Queue == queue).Select(static sent => sent.Payload).OfType<T>()];
    }

    /// <summary>Gets the messages that senders have sent, with their headers, in this order.</summary>
    /// <param name="queue">The name of the queue.</param>
    /// <returns>The messages.</returns>
    public IReadOnlyList<QueueMessage> SentMessages(string queue)
    {
        ThrowIfUnknown(queue);
        lock (_gate)
            return [.. _sent.Where(sent => sent.Queue == queue).Select(static sent => sent.Message)];
    }

    /// <summary>Gets the payloads that consumers have handled without failure, in this order.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="queue">The name of the queue; null for all.</param>
    /// <returns>The payloads.</returns>
    public IReadOnlyList<T> Handled<T>(string? queue = null)
    {
        ThrowIfUnknown(queue);
        lock (_gate)
            return [.. _handled.Where(handled => queue is null || handled.Queue == queue).Select(static handled => handled.Payload).OfType<T>()];
    }

    /// <summary>Sends a message to a queue, as another application would. It is not among the messages that were sent.</summary>
    /// <typeparam name="T">The type of the payload.</typeparam>
    /// <param name="queue">The name of the queue.</param>
    /// <param name="message">The payload.</param>
    /// <param name="options">Properties of the message; null for none.</param>
    /// <returns>Completes when the message is in the queue.</returns>
    public async Task SendAsync<T>(string queue, T message, SendOptions? options = null)
    {
        var written = new QueueMessage();
        _formatters.Get<T>(queue).Write(written.Body, message);
        options?.ApplyTo(written, _time);
        written.Headers[ContractNames.HeaderName] = ContractNames.Of(typeof(T));
        await SendAsync(queue, written).ConfigureAwait(false);
    }

    /// <summary>Sends a message to a queue as it is, for example one that cannot be read.</summary>
    /// <param name="queue">The name of the queue.</param>
    /// <param name="message">The message.</param>
    /// <returns>Completes when the message is in the queue.</returns>
    public async Task SendAsync(string queue, QueueMessage message) =>
        await (await _connections.GetTargetAsync(queue, CancellationToken.None).ConfigureAwait(false))
            .SendAsync(message, CancellationToken.None).ConfigureAwait(false);

    /// <summary>Waits until consumers have handled a number of messages of a type.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="count">The number since the start.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The payloads, at least <paramref name="count"/>.</returns>
    public async Task<IReadOnlyList<T>> WaitForHandledAsync<T>(int count = 1, CancellationToken cancellationToken = default)
    {
        await WaitAsync(() => Handled<T>().Count, count, $"{typeof(T).Name} handled", cancellationToken).ConfigureAwait(false);
        return Handled<T>();
    }

    /// <summary>Waits until senders have sent a number of messages of a type.</summary>
    /// <typeparam name="T">The type of the payloads.</typeparam>
    /// <param name="count">The number since the start.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The payloads, at least <paramref name="count"/>.</returns>
    public async Task<IReadOnlyList<T>> WaitForSentAsync<T>(int count = 1, CancellationToken cancellationToken = default)
    {
        await WaitAsync(() => Sent<T>().Count, count, $"{typeof(T).Name} sent", cancellationToken).ConfigureAwait(false);
        return Sent<T>();
    }

    /// <summary>Waits until consumers have moved a number of messages to dead-letter queues.</summary>
    /// <param name="count">The number since the start.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    /// <returns>The messages, at least <paramref name="count"/>.</returns>
    public async Task<IReadOnlyList<DeadLetteredMessage>> WaitForDeadLetteredAsync(int count = 1, CancellationToken cancellationToken = default)
    {
        await WaitAsync(() => DeadLettered.Count, count, "dead letters", cancellationToken).ConfigureAwait(false);
        return DeadLettered;
    }

    /// <summary>Waits until consumers have moved a number of messages of a type to dead-letter queues.</summary>
    /// <typeparam name="T">The type of the payloads, by the contract name in the header: the bodies need not be readable.</typeparam>
    /// <inheritdoc cref="WaitForDeadLetteredAsync(int, CancellationToken)"/>
    public async Task<IReadOnlyList<DeadLetteredMessage>> WaitForDeadLetteredAsync<T>(int count = 1, CancellationToken cancellationToken = default)
    {
        string name = ContractNames.Of(typeof(T));
        await WaitAsync(() => Find().Count, count, $"dead letters of {typeof(T).Name}", cancellationToken).ConfigureAwait(false);
        return Find();

        List<DeadLetteredMessage> Find() =>
            [.. DeadLettered.Where(letter => letter.Message.Headers.TryGetValue(ContractNames.HeaderName, out object? value) && name.Equals(value))];
    }

    private async Task WaitAsync(Func<int> getCount, int count, string what, CancellationToken cancellationToken)
    {
        while (true)
        {
            Task changed;
            lock (_gate)
                changed = _changed.Task;
            if (getCount() >= count)
                return;
            try
            {
                await changed.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException e)
            {
                string failed = string.Concat(
                    DeadLettered.Select(static letter => $"; dead letter of {letter.Queue}: {letter.Reason}, {letter.Description}"));
                throw new OperationCanceledException($"The wait was canceled at {getCount()} of {count} {what}{failed}", e, cancellationToken);
            }
        }
    }

    private void ThrowIfUnknown(string? queue)
    {
        if (queue is not null)
            _options.Get(queue);
    }

    private void Record(Action record)
    {
        TaskCompletionSource changed;
        lock (_gate)
        {
            record();
            changed = _changed;
            _changed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        }

        changed.SetResult();
    }

    /// <summary>Records what senders and consumers do.</summary>
    private sealed class Recorder(QueueHarness harness) : QueueObserver
    {
        internal override void OnSent(string queueName, object payload, QueueMessage message) =>
            harness.Record(() => harness._sent.Add((queueName, payload, message)));

        internal override void OnHandled(string queueName, object payload) => harness.Record(() => harness._handled.Add((queueName, payload)));

        internal override void OnDeadLettered(string queueName, QueueMessage message, string reason, string? description) =>
            harness.Record(() => harness._deadLettered.Add(new DeadLetteredMessage(queueName, message, reason, description)));
    }
}

/// <summary>A message that a consumer has moved to the dead-letter queue.</summary>
/// <param name="Queue">The name of the queue from which it was received.</param>
/// <param name="Message">The message.</param>
/// <param name="Reason">Why, for programs: see <see cref="DeadLetterReasons"/>.</param>
/// <param name="Description">Why, for people.</param>
public sealed record DeadLetteredMessage(string Queue, QueueMessage Message, string Reason, string? Description);
