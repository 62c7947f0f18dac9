using System.Buffers.Binary;
using Formatters.Bench.Load;
using Formatters.Bench.Servers;

namespace Formatters.Bench.Factors;

/// <summary>Options of <c>factors</c>.</summary>
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

        var estimate = new RunEstimate(error, clock);
        estimate.Print((options.Time + WarmUp) * measured.Count);
        TimeSpan turn = options.Time / options.Rounds;
        foreach ((Scenario scenario, _, _) in measured)
            await MeasureAsync(scenario, turn < WarmUp ? turn : WarmUp, cancellationToken);
        int rounds = await Rounds.RunAsync(
            measured,
            options.Rounds,
            async item =>
            {
                (long count, TimeSpan time) = await MeasureAsync(item.Scenario, turn, cancellationToken);
                item.Rates.Add(count / time.TotalSeconds);
                item.Messages[0] += count;
            },
            estimate.Correct(progress.Stage("factors")),
            cancellationToken);

        ScenarioRow[] rows = [.. scenarios.Select(scenario => missing.TryGetValue(scenario, out string? what)
            ? new ScenarioRow(scenario.Name, what, 0, [])
            : measured.Find(item => item.Scenario == scenario) is var item
                ? new ScenarioRow(scenario.Name, null, item.Messages[0], [.. item.Rates.Take(rounds)]) : throw new InvalidOperationException())];
        var queue = new QueueInfo(QueueAddress.Parse(options.Queue).ToString(), first!.Product, "by scenario",
            string.Join("; ", durability.Select(static mode => $"{mode.Key}: {mode.Value}"))) { Settings = settings };
        return new FactorsReport(recorder.Finish(cancellationToken.IsCancellationRequested), queue, turn.TotalSeconds, rows,
            options.Scenarios is null ? Claims.Judge(rows) : []);
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
            throw new UsageException($"'{QueueAddress.Parse(TopicAddress)}.{Subscription}' is a queue, not a subscription of "
                + $"'{QueueAddress.Parse(TopicAddress)}': name another queue.");
        await error.WriteLineAsync($"deleted: {Describe(subscription)}");
    }

    private string Describe(QueueStatus subscription)
    {
        string count = subscription.MessageCount is { } messages 
            ? $" with {Numbers.Count(messages + (subscription.LockedCount ?? 0), "message")}"
            : "";
        return $"'{QueueAddress.Parse(TopicAddress)}' has a durable subscription '{Subscription}'{count}";
    }

    /// <summary>Closes a topic, and ends its durable subscription, which would go on collecting. Never throws: the run has its own outcome by
    /// now.</summary>
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
    /// <returns>How many messages were produced, small ones in one body counted by themselves, and how long it took until the last was
    /// consumed.</returns>
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
        var queues = new List<QueueClient>();
        try
        {
            LoadScenario load = await OpenAsync(scenario, queueOptions, handles, queues, cancellationToken) with { Time = time };
            LoadResult result = await new LoadRun(load, clock).SendAndReceiveAsync(cancellationToken);
            // A message that is there twice comes again now.
            await using (QueueTransaction? transaction = load.BeginReceive is null ? null : await load.BeginReceive(cancellationToken))
            {
                if (await load.Receive!(TimeSpan.FromMilliseconds(5), transaction, cancellationToken) is not null)
                {
                    throw new VerificationException(string.Create(
                        CultureInfo.InvariantCulture,
                        $"{scenario.Name}: more messages came than the {result.Received:N0} that were produced for the consumer."));
                }
            }

            // The other half is there, and no receiver takes it.
            if (scenario.IsHalved && scenario.Destination == Destination.Queue)
            {
                long left = await queues[scenario.HasTwoDestinations ? ^1 : 0].PurgeAsync(cancellationToken);
                if (left != result.Sent / 2)
                {
                    throw new VerificationException(string.Create(
                        CultureInfo.InvariantCulture, $"{scenario.Name}: {result.Sent / 2:N0} messages were for no receiver, {left:N0} are left."));
                }
            }

            return (result.Sent * scenario.Packed, result.Receiving);
        }
        finally
        {
            foreach (QueueClient queue in queues)
                await QueueCleanup.PurgeAndCloseAsync(queue);
            foreach (MessageTopic topic in handles)
                await CloseAsync(topic, scenario.Destination == Destination.Durable);
        }
    }

    /// <summary>Opens the queues or the topic of a scenario.</summary>
    private async Task<LoadScenario> OpenAsync(
        Scenario scenario, QueueOptions queueOptions, List<MessageTopic> handles, List<QueueClient> queues, CancellationToken cancellationToken)
    {
        string? selector = scenario.HasSelector ? Selector : null;
        bool isTransactional = scenario.Mode == DeliveryMode.Transactional;
        if (scenario.Destination == Destination.Queue)
        {
            QueueClient sender = await connector.OpenAsync(options.Queue, queueOptions, cancellationToken);
            queues.Add(sender);
            QueueClient receiver = await connector.OpenAsync(options.Queue, queueOptions with { Selector = selector }, cancellationToken);
            queues.Add(receiver);
            QueueClient? second = scenario.HasTwoDestinations ? await connector.OpenAsync(SecondAddress, queueOptions, cancellationToken) : null;
            if (second is not null)
                queues.Add(second);
            return Create(
                (message, number, transaction, token) =>
                    (second is not null && number % 2 == 1 ? second : sender).SendAsync(message, transaction, token),
                isTransactional ? sender.BeginTransactionAsync : null,
                receiver);
        }

        MessageTopic topic = await connector.OpenTopicAsync(TopicAddress, queueOptions, cancellationToken);
        handles.Add(topic);
        QueueClient subscription = scenario.Destination == Destination.Durable
            ? await topic.SubscribeDurableAsync(Subscription, selector, queueOptions, cancellationToken)
            : await topic.SubscribeAsync(selector, queueOptions, cancellationToken);
        queues.Add(subscription);
        return Create((message, _, transaction, token) => topic.SendAsync(message, transaction, token),
            isTransactional ? topic.BeginTransactionAsync : null, subscription);

        LoadScenario Create(
            Func<QueueMessage, long, QueueTransaction?, CancellationToken, ValueTask> send,
            Func<CancellationToken, ValueTask<QueueTransaction>>? begin, QueueClient receiver) => new()
        {
            Name = scenario.Name,
            Create = number => CreateMessage(scenario, number),
            Read = message => Read(scenario, message),
            Send = send,
            BeginSend = begin,
            Receive = receiver.ReceiveAsync,
            BeginReceive = isTransactional ? receiver.BeginTransactionAsync : null,
            InFlight = scenario.Window,
            // CLIENT_ACKNOWLEDGE is of all before: once for ten, as a client does that has something to do with them.
            AcknowledgeEvery = scenario.Acknowledge is null ? 0 : scenario.Acknowledge == AcknowledgeMode.Cumulative ? 10 : 1,
            MaxAhead = MaxAhead,
            // As many messages for the receiver as for none.
            ClockInterval = scenario.IsHalved ? 2 : 1,
            ShareOf = scenario.IsHalved ? 2 : 1,
            IsOrdered = true,
            LostAfter = LostAfter,
        };
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

    /// <summary>Reads which message for the receiver it is; small ones of one body are read one by one.</summary>
    /// <returns>The number; -1 if the body is not one that was produced, and null if messages have no body.</returns>
    private static long? Read(Scenario scenario, ReceivedMessage message)
    {
        long number = -1;
        if (scenario.IsText)
        {
            string? text = new ActiveXFormatter().Read(message.Body) as string;
            if (text?.Length != scenario.ByteCount / 2
                || !long.TryParse(text.AsSpan(0, 16), NumberStyles.None, CultureInfo.InvariantCulture, out number))
                return -1;
        }
        else
        {
            byte[] body = message.Body.ToArray();
            if (body.Length != scenario.ByteCount * scenario.Packed)
                return -1;
            if (body.Length == 0)
                return null;
            for (int i = 0; i < scenario.Packed; i++)
            {
                long small = BinaryPrimitives.ReadInt64LittleEndian(body.AsSpan(i * scenario.ByteCount));
                if (small % scenario.Packed != i || (i > 0 && small / scenario.Packed != number))
                    return -1;
                number = small / scenario.Packed;
            }
        }

        return !scenario.IsHalved ? number : number % 2 == 0 ? number / 2 : -1;
    }
}
