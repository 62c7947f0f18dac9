using System.Collections.Generic;
using System.IO;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;

namespace System.Messaging;

/// <summary>Keeps messages whose queue cannot be reached in a folder, one queue for each destination, and forwards them.</summary>
/// <remarks>A message is removed from the folder when its queue has confirmed it: it arrives at least once.</remarks>
internal sealed class OutgoingQueues(QueueSystem system)
{
    private const string DestinationAddress = "msmq-destination-path";

    private static readonly TimeSpan MinWait = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan MaxWait = TimeSpan.FromSeconds(10);

    private readonly object _gate = new();
    private readonly string _marker = Path.Combine(Path.GetFullPath(system.Configuration.Folder), "outgoing");
    private bool _isRunning;
    private long _keptCount;

    /// <summary>Keeps a message.</summary>
    /// <exception cref="MessageQueueException">The message cannot be kept either.</exception>
    internal async Task KeepAsync(QueueTarget target, Message message, string id, QueueException reason, CancellationToken cancellationToken)
    {
        QueueClient queue = await OpenAsync(target, reason, cancellationToken).ConfigureAwait(false);
        Mark();
        await queue.SendAsync(ToKept(target, message, id, queue.Capabilities, default), null, cancellationToken).ConfigureAwait(false);
        Start();
    }

    /// <inheritdoc cref="KeepAsync(QueueTarget, Message, string, QueueException, CancellationToken)"/>
    internal async Task KeepAsync(QueueTarget target, QueueMessage message, QueueException reason, CancellationToken cancellationToken)
    {
        QueueClient queue = await OpenAsync(target, reason, cancellationToken).ConfigureAwait(false);
        Mark();
        message.Headers[DestinationAddress] = target.Path.Text;
        await queue.SendAsync(message, null, cancellationToken).ConfigureAwait(false);
        Start();
    }

    /// <summary>Creates the message for the folder.</summary>
    internal QueueMessage ToKept(QueueTarget target, Message message, string id, QueueCapabilities capabilities, TransactionPosition position)
    {
        QueueCapabilities silent = capabilities with { Features = capabilities.Features & ~QueueFeatures.Acknowledgments };
        QueueMessage kept = MessageConversion.ToQueueMessage(message, target, id, silent, position, system);
        kept.Headers[DestinationAddress] = target.Path.Text;
        // Whatever comes first: the time to reach the queue, or the time to be received. The forwarder decides.
        kept.TimeToLive = null;
        return kept;
    }

    /// <summary>Returns the outgoing queue of a destination.</summary>
    internal QueueTarget QueueOf(QueueTarget target) => OutgoingQueue(
        QueueSystem.OutgoingPrefix
            + Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(target.Place.BaseAddress)).AsSpan(0, 8)).ToLowerInvariant(),
        target.Path);

    private QueueTarget OutgoingQueue(string name, QueuePath path) => new(system.LocalFolder, name, path) { IsImplicit = true };

    /// <summary>Starts forwarding if a program has kept messages, and has ended before they were forwarded.</summary>
    internal void Resume()
    {
        if (File.Exists(_marker))
            Start();
    }

    /// <summary>Notes for other programs that there are messages to be forwarded.</summary>
    internal void Mark()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(_marker)!);
        File.WriteAllBytes(_marker, []);
    }

    /// <summary>Starts forwarding, if it does not run.</summary>
    internal void Start()
    {
        // Another program may have deleted it before this message was kept.
        Mark();
        lock (_gate)
        {
            _keptCount++;
            if (_isRunning)
                return;
            _isRunning = true;
        }

        _ = Task.Run(RunAsync);
    }

    private async Task<QueueClient> OpenAsync(QueueTarget target, QueueException reason, CancellationToken cancellationToken)
    {
        try
        {
            return await system.LocalFolder.OpenAsync(QueueOf(target), QueueOptions.Default, cancellationToken).ConfigureAwait(false);
        }
        catch (QueueException e)
        {
            throw new MessageQueueException(
                MessageQueueErrorCode.ServiceNotAvailable,
                $"'{target.Address}' cannot be reached ({reason.Message}), and the message cannot be kept for later ({e.Message}).", reason);
        }
    }

    /// <summary>Forwards until nothing is left, waiting longer after each failure.</summary>
    private async Task RunAsync()
    {
        TimeSpan wait = MinWait;
        bool isSure = false;
        try
        {
            while (true)
            {
                long keptCount = Interlocked.Read(ref _keptCount);
                bool isEmpty = true;
                foreach (string name in await QueueOperations.ListAsync(system.LocalFolder, system.Closing).ConfigureAwait(false) ?? [])
                {
                    if (name.StartsWith(QueueSystem.OutgoingPrefix, StringComparison.Ordinal))
                        isEmpty &= await ForwardAsync(name).ConfigureAwait(false);
                }

                if (isEmpty && isSure)
                {
                    lock (_gate)
                    {
                        if (_keptCount == keptCount)
                        {
                            _isRunning = false;
                            return;
                        }
                    }
                }
                else if (isEmpty)
                {
                    // Then look again: another program may have kept one in the meantime.
                    File.Delete(_marker);
                    isSure = true;
                }
                else
                {
                    if (isSure)
                        Mark();
                    isSure = false;
                    await Task.Delay(wait, system.Closing).ConfigureAwait(false);
                    wait = wait + wait < MaxWait ? wait + wait : MaxWait;
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or QueueException or ObjectDisposedException or IOException)
        {
            // The configuration was replaced, or the folder is gone: the next message that is kept, or the next program, starts this again.
            lock (_gate)
                _isRunning = false;
        }
    }

    /// <summary>Forwards the messages of one outgoing queue.</summary>
    /// <returns>Whether it is empty.</returns>
    private async Task<bool> ForwardAsync(string name)
    {
        while (true)
        {
            QueuePlace place = system.LocalFolder;
            QueueClient queue = await place.OpenAsync(
                OutgoingQueue(name, QueuePath.DeadLetters),
                QueueOptions.Default with { DeadLetterQueue = QueuePath.DeadLetterName }, system.Closing).ConfigureAwait(false);
            if (await queue.ReceiveAsync(TimeSpan.Zero, cancellationToken: system.Closing).ConfigureAwait(false) is not { } message)
                return await queue.GetMessageCountAsync(system.Closing).ConfigureAwait(false) == 0;
            try
            {
                await ForwardAsync(message).ConfigureAwait(false);
            }
            catch (Exception e) when (e is ArgumentException or NotSupportedException or FormatException
                or MessageQueueException { MessageQueueErrorCode: MessageQueueErrorCode.QueueNotFound })
            {
                // The queue can never accept it.
                await message.DeadLetterAsync(DeadLetterReasons.NotForwarded, e.Message, CancellationToken.None).ConfigureAwait(false);
                await QueueOperations.AnswerAsync(system, message, Acknowledgment.BadDestinationQueue).ConfigureAwait(false);
            }
            catch (Exception e) when (e is QueueException or MessageQueueException or TimeoutException)
            {
                await message.ReturnAsync(CancellationToken.None).ConfigureAwait(false);
                return false;
            }
        }
    }

    private async Task ForwardAsync(ReceivedMessage message)
    {
        QueueTarget target = system.Resolve(QueuePath.ParsePath((string)message.Headers[DestinationAddress]));
        long now = DateTime.UtcNow.Ticks, sent = Ticks(message, MessageHeaders.SentTime) ?? now;
        bool isLate = Ticks(message, MessageHeaders.TimeToReachQueue) is { } reach && now - sent >= reach;
        long? left = Ticks(message, MessageHeaders.TimeToBeReceived) - (now - sent);
        if (isLate || left <= 0)
        {
            await GiveUpAsync(message, isLate ? Acknowledgment.ReachQueueTimeout : Acknowledgment.ReceiveTimeout).ConfigureAwait(false);
            return;
        }

        QueueMessage copy = QueueOperations.Copy(message);
        copy.Headers.Remove(DestinationAddress);
        copy.Headers[MessageHeaders.ArrivedTime] = now;
        QueuePlace place = target.Place;
        QueueProperties properties = QueueOperations.PropertiesOf(target);
        QueueClient queue = await place.OpenAsync(target, QueueOperations.OptionsOf(properties, target), system.Closing).ConfigureAwait(false);
        if (queue.Capabilities.Supports(QueueFeatures.Priorities))
        {
            copy.Priority = message.Priority;
            copy.Headers.Remove(MessageHeaders.Priority);
        }

        bool usesDeadLetters = (QueueOperations.FlagsOf(message) & MessageHeaders.Flag.UseDeadLetterQueue) != 0;
        if (left is { } time && usesDeadLetters)
            copy.Headers[MessageHeaders.Expires] = now + time;
        else if (left is { } other && queue.Capabilities.Supports(QueueFeatures.Expiry))
            copy.TimeToLive = new TimeSpan(other);
        await QueueOperations.SendAsync(target, place, queue, copy, null, CancellationToken.None).ConfigureAwait(false);
        await message.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
        await QueueOperations.AnswerArrivalAsync(system, target, copy).ConfigureAwait(false);
    }

    private async Task GiveUpAsync(ReceivedMessage message, Acknowledgment acknowledgment)
    {
        if ((QueueOperations.FlagsOf(message) & MessageHeaders.Flag.UseDeadLetterQueue) != 0)
            await message.DeadLetterAsync(DeadLetterReasons.Expired, acknowledgment.ToString(), CancellationToken.None).ConfigureAwait(false);
        else
            await message.AcknowledgeAsync(CancellationToken.None).ConfigureAwait(false);
        await QueueOperations.AnswerAsync(system, message, acknowledgment).ConfigureAwait(false);
    }

    private static long? Ticks(QueueMessage message, string name) =>
        message.Headers.TryGetValue(name, out object? value) && value is long ticks ? ticks : null;
}
