using System;
using System.Buffers.Binary;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Measurement;
using Formatters.Bench.Reports;
using Formatters.Bench.Servers;
using Formatters.Queues;

namespace Formatters.Bench.Factors;

/// <summary>What <c>factors</c> was asked for.</summary>
internal sealed record FactorsOptions
{
    /// <summary>The queue; topics and the second queue have names that begin with its own.</summary>
    internal required string Queue { get; init; }

    /// <summary>For how long each scenario produces, over all rounds.</summary>
    internal TimeSpan Time { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>In how many rounds; the scenarios take turns.</summary>
    internal int Rounds { get; init; } = 7;

    /// <summary>The scenarios; null is all that the claims need.</summary>
    internal IReadOnlyList<Scenario>? Scenarios { get; init; }

    internal bool Purge { get; init; }
}

/// <summary>The job of <c>factors</c>: one producer and one consumer for a time, the time to consume all, scenario by scenario in turns.</summary>
internal sealed class FactorsRun(QueueConnector connector, FactorsOptions options, TimeProvider clock, TextWriter error)
{
    /// <summary>Further than this the producer does not run ahead: what waits takes memory, and all of it is to be consumed.</summary>
    private const int MaxAhead = 20_000;

    private const string Selector = "half = 1";
    private const string Subscription = "factors";

    private static readonly TimeSpan LostAfter = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan WarmUp = TimeSpan.FromMilliseconds(300);

    private string TopicAddress => options.Queue + "-topic";

    private string SecondAddress => options.Queue + "-second";

    /// <summary>Measures.</summary>
    /// <param name="commandLine">The arguments, for the report.</param>
    /// <param name="progress">Is told how far it is.</param>
    /// <param name="cancellationToken">Ends the run. What the whole rounds up to then gave is the outcome; before the first there is none.</param>
    /// <exception cref="OperationCanceledException">The run was ended before the first round was done.</exception>
    /// <exception cref="VerificationException">A message was lost, doubled or changed.</exception>
    internal async Task<FactorsReport> RunAsync(string commandLine, IRunProgress progress, CancellationToken cancellationToken)
    {
        var recorder = new RunRecorder(commandLine, clock);
        QueueStatus? before = await FindSubscriptionAsync(cancellationToken);
        await EmptyQueues.RequireAsync(connector, [options.Queue, SecondAddress], QueueOptions.Fastest, options.Purge, error, cancellationToken);
        if (before is not null)
            await UnsubscribeAsync(before, cancellationToken);
        IReadOnlyDictionary<string, string> settings = await ServerSettings.ReadAsync(options.Queue, cancellationToken);
        var measured = new List<(Scenario Scenario, List<double> Rates, long[] Messages)>();
        var missing = new Dictionary<Scenario, string>();
        QueueCapabilities? first = null;
        var durability = new SortedDictionary<string, string>(StringComparer.Ordinal);
        IReadOnlyList<Scenario> scenarios = options.Scenarios ?? [.. Scenario.All.Where(static scenario => Claims.Needed.Contains(scenario.Name))];
        foreach (Scenario scenario in scenarios)
        {
            (QueueCapabilities capabilities, bool isOffered) = await Modes.ProbeAsync(connector, options.Queue, scenario.Mode, cancellationToken);
            first ??= capabilities;
            if (isOffered)
                durability[Modes.NameOf(scenario.Mode)] = capabilities.Durability;
            if (scenario.MissingIn(capabilities, isOffered) is { } what)
                missing.Add(scenario, what);
            else
                measured.Add((scenario, [], [0]));
        }

        RunText.PrintEstimate(error, (options.Time + WarmUp) * measured.Count);
        IProgress<double> stage = progress.Stage("factors");
        TimeSpan turn = options.Time / options.Rounds;
        int rounds = 0;
        try
        {
            foreach ((Scenario scenario, _, _) in measured)
                await MeasureAsync(scenario, turn < WarmUp ? turn : WarmUp, cancellationToken);
            for (; rounds < options.Rounds; rounds++)
            {
                int done = 0;
                foreach ((Scenario scenario, List<double> rates, long[] messages) in RoundOrder.Of(measured, rounds))
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    (long count, TimeSpan time) = await MeasureAsync(scenario, turn, cancellationToken);
                    rates.Add(count / time.TotalSeconds);
                    messages[0] += count;
                    stage.Report((rounds + (++done / (double)measured.Count)) / options.Rounds);
                }
            }
        }
        catch (OperationCanceledException) when (rounds > 0 && cancellationToken.IsCancellationRequested)
        {
            // The round that was not finished does not count.
        }

        ScenarioRow[] rows = [.. scenarios.Select(scenario => missing.TryGetValue(scenario, out string? what)
            ? new ScenarioRow(scenario.Name, what, 0, [])
            : measured.Find(item => item.Scenario == scenario) is var item ? new ScenarioRow(scenario.Name, null, item.Messages[0], [.. item.Rates.Take(rounds)]) : throw new InvalidOperationException())];
        var queue = new QueueInfo(QueueAddress.Parse(options.Queue).ToString(), first!.Product, "by scenario", string.Join("; ", durability.Select(static mode => $"{mode.Key}: {mode.Value}"))) { Settings = settings };
        return new FactorsReport(recorder.Finish(cancellationToken.IsCancellationRequested), queue, turn.TotalSeconds, rows, options.Scenarios is null ? Claims.Judge(rows) : []);
    }

    /// <summary>Looks for a durable subscription of the name that the scenarios use, which is somebody else's, or left over from a run that was
    /// killed.</summary>
    /// <exception cref="UsageException">There is one and it may not be deleted, or holds messages under lock.</exception>
    private async Task<QueueStatus?> FindSubscriptionAsync(CancellationToken cancellationToken)
    {
        IReadOnlyList<QueueStatus> found;
        try
        {
            found = await connector.ListAsync($"{TopicAddress}.{Subscription}", cancellationToken);
        }
        catch (NotSupportedException)
        {
            // A queue of another library that does not tell. Its subscription is not deleted beforehand; what it holds ends the run.
            return null;
        }
        catch (QueueException) when (QueueAddress.Parse(options.Queue).Uri.IsFile)
        {
            // There is no such folder yet, or it cannot be opened, which the queues say in a moment.
            return null;
        }

        if (found.Count == 0)
            return null;
        string text = Describe(found[0]);
        if (!options.Purge)
            throw new UsageException($"{text}. A measurement deletes the subscription: name another queue, or use --purge to delete it.");
        if (found[0].LockedCount > 0)
            throw new UsageException($"{text}. A receiver has {Numbers.Count(found[0].LockedCount!.Value)} of them locked: end it first.");
        return found[0];
    }

    private async Task UnsubscribeAsync(QueueStatus subscription, CancellationToken cancellationToken)
    {
        await using MessageTopic topic = await connector.OpenTopicAsync(TopicAddress, QueueOptions.Fastest, cancellationToken);
        if (!await topic.UnsubscribeAsync(Subscription, cancellationToken))
            throw new UsageException($"'{QueueAddress.Parse(TopicAddress)}.{Subscription}' is a queue, not a subscription of '{QueueAddress.Parse(TopicAddress)}': name another queue.");
        await error.WriteLineAsync($"deleted: {Describe(subscription)}");
    }

    private string Describe(QueueStatus subscription)
    {
        string count = subscription.MessageCount is { } messages ? $" with {Numbers.Count(messages + (subscription.LockedCount ?? 0))} messages" : "";
        return $"'{QueueAddress.Parse(TopicAddress)}' has a durable subscription '{Subscription}'{count}";
    }

    /// <summary>Closes a topic, and ends its durable subscription, which would go on collecting. Never throws: the run has its own outcome by now.</summary>
    private static async Task CloseAsync(MessageTopic topic, bool unsubscribes)
    {
        try
        {
            using var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(5));
            if (unsubscribes)
                await topic.UnsubscribeAsync(Subscription, timeout.Token);
        }
        catch (Exception e) when (e is QueueException or OperationCanceledException or ObjectDisposedException)
        {
            // The topic is gone, and that is what the run is about to report.
        }

        await topic.DisposeAsync();
    }

    /// <summary>Produces for a time, and consumes to the last message.</summary>
    /// <returns>How many messages were produced, small ones in one body counted by themselves, and how long it took until the last was consumed.</returns>
    private async Task<(long Count, TimeSpan Time)> MeasureAsync(Scenario scenario, TimeSpan time, CancellationToken cancellationToken)
    {
        // AUTO_ACKNOWLEDGE: the queue acknowledges as it hands over. In transactions the commit does.
        var queueOptions = new QueueOptions
        {
            DeliveryMode = scenario.Mode,
            ReceiveMode = scenario.Acknowledge is null ? ReceiveMode.ReceiveAndDelete : ReceiveMode.PeekLock,
            AcknowledgeMode = scenario.Acknowledge ?? AcknowledgeMode.Individual,
        };
        var handles = new List<MessageTopic>();
        var queues = new List<IMessageQueue>();
        try
        {
            (Func<QueueMessage, long, ValueTask> send, IMessageQueue receiver) = await OpenAsync(scenario, queueOptions, handles, queues, cancellationToken);
            return await RunAsync(scenario, send, receiver, queues, time, cancellationToken);
        }
        finally
        {
            foreach (IMessageQueue queue in queues)
                await QueueCleanup.PurgeAndCloseAsync(queue);
            foreach (MessageTopic topic in handles)
                await CloseAsync(topic, scenario.Destination == Destination.Durable);
        }
    }

    private async Task<(Func<QueueMessage, long, ValueTask> Send, IMessageQueue Receiver)> OpenAsync(
        Scenario scenario, QueueOptions queueOptions, List<MessageTopic> handles, List<IMessageQueue> queues, CancellationToken cancellationToken)
    {
        string? selector = scenario.HasSelector ? Selector : null;
        if (scenario.Destination == Destination.Queue)
        {
            IMessageQueue sender = await connector.OpenAsync(options.Queue, queueOptions, cancellationToken);
            queues.Add(sender);
            IMessageQueue receiver = await connector.OpenAsync(options.Queue, queueOptions with { Selector = selector }, cancellationToken);
            queues.Add(receiver);
            IMessageQueue? second = scenario.HasTwoDestinations ? await connector.OpenAsync(SecondAddress, queueOptions, cancellationToken) : null;
            if (second is not null)
                queues.Add(second);
            return ((message, number) => MessageBatch.SendOneAsync(second is not null && number % 2 == 1 ? second : sender, message, cancellationToken), receiver);
        }

        MessageTopic topic = await connector.OpenTopicAsync(TopicAddress, queueOptions, cancellationToken);
        handles.Add(topic);
        IMessageQueue subscription = scenario.Destination == Destination.Durable
            ? await topic.SubscribeDurableAsync(Subscription, selector, queueOptions, cancellationToken)
            : await topic.SubscribeAsync(selector, queueOptions, cancellationToken);
        queues.Add(subscription);
        return (scenario.Mode == DeliveryMode.Transactional ? SendInTransactionAsync : (message, _) => topic.SendAsync(message, null, cancellationToken), subscription);

        async ValueTask SendInTransactionAsync(QueueMessage message, long number)
        {
            await using QueueTransaction transaction = await topic.BeginTransactionAsync(cancellationToken);
            await topic.SendAsync(message, transaction, cancellationToken);
            // Not canceled: the message could arrive after the queue has been purged.
            await transaction.CommitAsync(CancellationToken.None);
        }
    }

    private async Task<(long Count, TimeSpan Time)> RunAsync(
        Scenario scenario, Func<QueueMessage, long, ValueTask> send, IMessageQueue receiver, List<IMessageQueue> queues, TimeSpan time, CancellationToken cancellationToken)
    {
        bool isHalved = scenario.HasSelector || scenario.HasTwoDestinations;
        long produced = 0;
        long consumed = 0;
        bool isDone = false;
        long end = 0;
        using var both = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        long start = clock.GetTimestamp();
        await Task.WhenAll(Task.Run(() => EndBothAsync(ProduceAsync()), CancellationToken.None), Task.Run(() => EndBothAsync(ConsumeAsync()), CancellationToken.None));
        TimeSpan elapsed = clock.GetElapsedTime(start, end);
        // The other half is there, and nobody wants it.
        if (isHalved && scenario.Destination == Destination.Queue)
        {
            long left = 0;
            foreach (IMessageQueue queue in scenario.HasTwoDestinations ? queues.TakeLast(1) : queues.Take(1))
                left += await queue.PurgeAsync(cancellationToken);
            if (left != produced / 2)
                throw new VerificationException(string.Create(CultureInfo.InvariantCulture, $"{scenario.Name}: {produced / 2:N0} messages were for nobody, {left:N0} are left."));
        }

        return (produced * scenario.Packed, elapsed);

        async Task EndBothAsync(Task task)
        {
            try
            {
                await task;
            }
            catch
            {
                await both.CancelAsync();
                throw;
            }
        }

        async Task ProduceAsync()
        {
            // One send at a time, or as many as a producer has in progress that does not wait for each; the same on both sides of a claim.
            var pending = new Queue<Task>(scenario.Window);
            try
            {
                do
                {
                    both.Token.ThrowIfCancellationRequested();
                    while (produced - (Volatile.Read(ref consumed) * (isHalved ? 2 : 1)) > MaxAhead)
                        await Task.Delay(1, both.Token);
                    ValueTask sending = send(CreateMessage(scenario, produced), produced);
                    // A send that has failed by now ends the scenario: the consumer would miss its message.
                    if (sending.IsCompleted)
                        await sending;
                    else
                        pending.Enqueue(sending.AsTask());
                    if (pending.Count == scenario.Window)
                        await pending.Dequeue();
                    Volatile.Write(ref produced, produced + 1);
                }
                while ((isHalved && produced % 2 == 1) || clock.GetElapsedTime(start) < time);
            }
            finally
            {
                await Task.WhenAll(pending);
            }

            Volatile.Write(ref isDone, true);
        }

        async Task ConsumeAsync()
        {
            var wait = TimeSpan.FromMilliseconds(100);
            long lastSeen = TimeProvider.System.GetTimestamp();
            ReceivedMessage? untold = null;
            while (!Volatile.Read(ref isDone) || consumed < Volatile.Read(ref produced) / (isHalved ? 2 : 1))
            {
                long number = isHalved ? consumed * 2 : consumed;
                ReceivedMessage? message = await MessageBatch.ReceiveOneAsync(receiver, received => Check(scenario, received, number), wait, both.Token);
                if (message is null)
                {
                    if (TimeProvider.System.GetElapsedTime(lastSeen) > LostAfter)
                        throw new VerificationException(string.Create(CultureInfo.InvariantCulture, $"{scenario.Name}: message {number:N0} did not come within {LostAfter.TotalSeconds} s."));
                    continue;
                }

                lastSeen = TimeProvider.System.GetTimestamp();
                // CLIENT_ACKNOWLEDGE is of all before: once for ten, as a client does that has something to do with them.
                if (scenario.Acknowledge == AcknowledgeMode.Cumulative)
                {
                    untold = message;
                    if (consumed % 10 == 9)
                        (_, untold) = (await AcknowledgeAsync(message), null);
                }
                else if (scenario.Acknowledge is not null)
                {
                    await message.AcknowledgeAsync(both.Token);
                }

                Volatile.Write(ref consumed, consumed + 1);
            }

            if (untold is not null)
                await untold.AcknowledgeAsync(both.Token);
            end = clock.GetTimestamp();
            // A message that is there twice comes again now.
            if (await MessageBatch.ReceiveOneAsync(receiver, static _ => { }, TimeSpan.FromMilliseconds(5), both.Token) is not null)
                throw new VerificationException(string.Create(CultureInfo.InvariantCulture, $"{scenario.Name}: more messages came than the {consumed:N0} that were produced for the consumer."));

            async ValueTask<bool> AcknowledgeAsync(ReceivedMessage message)
            {
                await message.AcknowledgeAsync(both.Token);
                return true;
            }
        }
    }

    private static QueueMessage CreateMessage(Scenario scenario, long number)
    {
        byte[] body;
        if (scenario.IsText)
        {
            var text = new MessageBody();
            new ActiveXFormatter().Write(text, number.ToString("D16", CultureInfo.InvariantCulture).PadRight(scenario.ByteCount / 2, 'x'));
            return WithHalf(new QueueMessage(text));
        }

        body = new byte[scenario.ByteCount * scenario.Packed];
        for (int i = 0; i < scenario.Packed && scenario.ByteCount > 0; i++)
            BinaryPrimitives.WriteInt64LittleEndian(body.AsSpan(i * scenario.ByteCount), (number * scenario.Packed) + i);
        return WithHalf(new QueueMessage(new MessageBody(body)));

        QueueMessage WithHalf(QueueMessage message)
        {
            if (scenario.HasSelector)
                message.Headers["half"] = (int)(number % 2) ^ 1;
            return message;
        }
    }

    /// <summary>Makes sure that a message is the one that was produced in its place; small ones of one body are read one by one.</summary>
    private static void Check(Scenario scenario, ReceivedMessage message, long number)
    {
        bool isRight;
        long came = -1;
        if (scenario.IsText)
        {
            string? text = new ActiveXFormatter().Read(message.Body) as string;
            isRight = text?.Length == scenario.ByteCount / 2 && long.TryParse(text.AsSpan(0, 16), NumberStyles.None, CultureInfo.InvariantCulture, out came) && came == number;
        }
        else
        {
            byte[] body = message.Body.ToArray();
            isRight = body.Length == scenario.ByteCount * scenario.Packed;
            for (int i = 0; isRight && i < scenario.Packed && scenario.ByteCount > 0; i++)
            {
                long small = BinaryPrimitives.ReadInt64LittleEndian(body.AsSpan(i * scenario.ByteCount));
                came = small / scenario.Packed;
                isRight = small == (number * scenario.Packed) + i;
            }
        }

        if (!isRight)
            throw new VerificationException(string.Create(CultureInfo.InvariantCulture, $"{scenario.Name}: message {came:N0} came in the place of {number:N0}."));
    }
}
