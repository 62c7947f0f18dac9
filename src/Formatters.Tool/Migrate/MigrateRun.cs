using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Tools.Queues;

namespace Formatters.Tools.Migrate;

/// <summary>Moves messages from one queue to another, each in a new encoding, so that none is lost whatever fails and whenever the process ends.</summary>
/// <remarks>
/// A message leaves the source only when the other queue has confirmed it. Several are under way at once, their sends started in the order of the source.
/// What was not acknowledged goes back to the source when its handle is closed or its process dies: at most it comes twice, never not at all.
/// </remarks>
internal sealed class MigrateRun(QueueConnector connector, MigrateOptions options)
{
    /// <summary>Whether a message has been refused for which there is no error queue: those under way arrive, and no other one is begun.</summary>
    private volatile bool _isEnding;

    /// <summary>Gets the counts, also after a failed run.</summary>
    internal MigrateReport Report { get; } = new();

    /// <summary>Moves the messages.</summary>
    /// <param name="progress">Is told, once the queues are open, which part of the messages found at the start is done.</param>
    /// <param name="cancellationToken">Ends the run between messages: those that are under way arrive.</param>
    /// <returns><see langword="false"/> if the run was ended before its end.</returns>
    /// <exception cref="QueueException">A queue failed, or the source does not exist.</exception>
    /// <exception cref="RefusedMessageException">A message cannot be moved as it is asked, and there is no error queue.</exception>
    /// <exception cref="UsageException">The queues cannot be what they are asked to be.</exception>
    internal async Task<bool> RunAsync(IRunProgress progress, CancellationToken cancellationToken)
    {
        CheckAddresses();
        foreach (QueueAddress address in QueueAddress.ParseList(options.Source))
            await QueueCheck.FindAsync(connector, address, cancellationToken);
        long count = Report.SourceCount = await CountAsync(cancellationToken);
        int prefetchCount = options.IsDryRun ? (int)Math.Clamp(count, 1, MigrateOptions.MaxDryRunCount) : 2 * MigrateOptions.Window;
        await using QueueClient source = await connector.OpenAsync(
            options.Source, new QueueOptions { DeliveryMode = DeliveryMode.Express, ReceiveMode = ReceiveMode.PeekLock, PrefetchCount = prefetchCount }, cancellationToken);
        await using QueueClient? destination = options.IsDryRun ? null : await OpenAsync(options.Destination, cancellationToken);
        await using QueueClient? errorQueue = options.IsDryRun || options.ErrorQueue is null ? null : await OpenAsync(options.ErrorQueue, cancellationToken);

        // A dry run gives nothing back before its end, so that it meets no message twice; what comes meanwhile it leaves alone.
        long limit = Math.Min(options.Limit ?? long.MaxValue, options.IsDryRun ? Math.Min(count, MigrateOptions.MaxDryRunCount) : long.MaxValue);
        long expected = Math.Max(1, Math.Min(count, limit));
        IProgress<double> stage = progress.Stage(options.IsDryRun ? "reading" : "migrating");
        double shown = 0;
        var underWay = new Queue<Task>();
        try
        {
            for (long taken = 0; taken < limit && !_isEnding && !cancellationToken.IsCancellationRequested; taken++)
            {
                if (await ReceiveAsync(source, cancellationToken) is not { } message)
                    break;
                if (destination is null)
                    Inspect(message);
                else
                    underWay.Enqueue(MoveAsync(message, source, destination, errorQueue));
                while (underWay.Count >= MigrateOptions.Window || underWay is { Count: > 0 } && underWay.Peek().IsCompleted)
                    await underWay.Dequeue();
                double done = Math.Min(1, (double)Report.Count / expected);
                // To draw the bar takes longer than to move a message.
                if (done >= shown + 0.005)
                    stage.Report(shown = done);
            }
        }
        finally
        {
            // Whatever has happened: what is under way arrives, and is acknowledged.
            await Task.WhenAll(underWay).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }

        while (underWay.TryDequeue(out Task? move))
            await move;
        if (cancellationToken.IsCancellationRequested)
            return false;
        stage.Report(1);
        return true;
    }

    private async Task<ReceivedMessage?> ReceiveAsync(QueueClient source, CancellationToken cancellationToken)
    {
        try
        {
            return await source.ReceiveAsync(options.Wait, transaction: null, cancellationToken);
        }
        catch (OperationCanceledException) when (cancellationToken.IsCancellationRequested)
        {
            return null;
        }
    }

    private async Task MoveAsync(ReceivedMessage message, QueueClient source, QueueClient destination, QueueClient? errorQueue)
    {
        var changes = new ChangeList();
        RefusedException refusal;
        try
        {
            (MessageBody body, string reader) = options.Reencoding.Convert(message.Body, changes);
            QueueMessage copy = CopyOf(message, body, destination.Capabilities);
            ErrorHeaders.Remove(copy.Headers);
            if (destination.Capabilities.Supports(QueueFeatures.Expiry))
                copy.TimeToLive = RemainingTimeOf(message);
            await SendAsync(destination, copy);
            await message.AcknowledgeAsync();
            Report.AddMoved(message, reader, body.ByteCount, changes);
            return;
        }
        catch (RefusedException e)
        {
            refusal = e;
        }

        Report.AddRefused(message, refusal, changes);
        string advice = "with --error-queue it would be put aside: ";
        if (errorQueue is not null)
        {
            try
            {
                QueueMessage copy = CopyOf(message, message.Body, errorQueue.Capabilities);
                ErrorHeaders.Set(copy.Headers, refusal, source.Address);
                await SendAsync(errorQueue, copy);
                await message.AcknowledgeAsync();
                Report.AddSetAside();
                return;
            }
            catch (RefusedException e)
            {
                advice = $"the error queue does not accept it ({e.Message}): ";
            }
        }

        // Before it is returned: the run takes no further message, which would be this one again.
        _isEnding = true;
        await message.ReturnAsync();
        throw new RefusedMessageException(
            $"The {MigrateReport.NameOf(message)} {(refusal.Step == MigrateStep.Read ? "cannot be read" : "is refused")} and is still in its queue; {advice}{refusal.Message}", refusal);
    }

    /// <summary>Sends a message that the queue may be unable to carry: a header of a type that it has not, a text that is too long, a time to live beyond its
    /// own.</summary>
    private static async Task SendAsync(QueueClient destination, QueueMessage message)
    {
        try
        {
            // Without a token: a send that was begun is waited for.
            await destination.SendAsync(message);
        }
        catch (ArgumentException e)
        {
            throw new RefusedException(MigrateStep.Send, nameof(MessageFormatErrorCode.BadValue), $"{destination.Address} does not accept it: {e.Message}");
        }
    }

    private void Inspect(ReceivedMessage message)
    {
        var changes = new ChangeList();
        try
        {
            (MessageBody body, string reader) = options.Reencoding.Convert(message.Body, changes);
            Report.AddMoved(message, reader, body.ByteCount, changes);
        }
        catch (RefusedException e)
        {
            Report.AddRefused(message, e, changes);
        }
    }

    private static QueueMessage CopyOf(ReceivedMessage message, MessageBody body, QueueCapabilities capabilities)
    {
        QueueMessage copy = MessageCopy.Of(message, body, capabilities);
        if (capabilities.Supports(QueueFeatures.Acknowledgments))
        {
            copy.AdministrationQueue = message.AdministrationQueue;
            copy.AcknowledgeTypes = message.AcknowledgeTypes;
            copy.Acknowledgment = message.Acknowledgment;
        }

        return copy;
    }

    /// <summary>The copy expires when the message would have; a dead letter, which does not expire, not at all. The time of a message that was sent for later
    /// counts from then.</summary>
    private static TimeSpan? RemainingTimeOf(ReceivedMessage message)
    {
        if (message.TimeToLive is not { } time || message.DeadLetterReason is not null)
            return null;
        if (message.SentTime is not { } sent)
            return time;
        if (message.DueTime is { } due && due > sent)
            sent = due;
        TimeSpan age = DateTimeOffset.UtcNow - sent;
        // AMQP says the second in which it was sent: rather a second too long than too short.
        if (sent.Ticks % TimeSpan.TicksPerSecond == 0)
            age -= TimeSpan.FromSeconds(1);
        return age <= TimeSpan.Zero ? time : age < time ? time - age : TimeSpan.FromMilliseconds(1);
    }

    private async Task<long> CountAsync(CancellationToken cancellationToken)
    {
        await using QueueClient queue = await connector.OpenAsync(options.Source, QueueOptions.Default, cancellationToken);
        return await queue.GetMessageCountAsync(cancellationToken);
    }

    /// <summary>Opens a queue whose confirmation means that it has the message: recoverable, unless the source is as short-lived itself.</summary>
    private async Task<QueueClient> OpenAsync(string address, CancellationToken cancellationToken)
    {
        (QueueCapabilities capabilities, bool isRecoverable) = await Modes.ProbeAsync(connector, address, DeliveryMode.Recoverable, cancellationToken);
        if (!isRecoverable && (!capabilities.IsInProcess || (await Modes.ProbeAsync(connector, options.Source, DeliveryMode.Recoverable, cancellationToken)).IsOffered))
            throw new UsageException($"'{QueueAddress.Parse(address)}' does not support recoverable messages ({capabilities.Product}): a message in it could be lost.");
        return await connector.OpenAsync(address, new QueueOptions { DeliveryMode = isRecoverable ? DeliveryMode.Recoverable : DeliveryMode.Express }, cancellationToken);
    }

    private void CheckAddresses()
    {
        QueueAddress[] addresses = [.. new[] { options.Source, options.Destination, options.ErrorQueue }.Where(address => address is not null).Select(address => QueueAddress.Parse(address!))];
        // Users and passwords make no other queue.
        if (addresses.Select(address => address.Uri.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped)).Distinct(StringComparer.OrdinalIgnoreCase).Count() < addresses.Length)
            throw new UsageException("Source, destination and error queue must be different queues.");
        foreach (QueueAddress address in addresses)
            connector.FindProvider(address);
    }
}
