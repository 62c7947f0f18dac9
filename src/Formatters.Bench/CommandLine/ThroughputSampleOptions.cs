using System.CommandLine;
using Formatters.Bench.Throughput;

namespace Formatters.Bench.CommandLine;

/// <summary>The options that ThroughputTest has itself, short and long, with its defaults.</summary>
internal sealed class ThroughputSampleOptions
{
    internal const long MaxMessageCount = 1_000_000_000;
    private const int MaxCount = 100_000;
    private const int DayMs = 86_400_000;

    private readonly Option<string> _connection = new("--connection-string", "-C")
    {
        Description = "Where the queues are: an address without a queue's name (amqp://localhost, memory:, file:folder), or a "
            + "connection string (Endpoint=...;EntityPath=...).",
        HelpName = "string",
        Required = true,
    };

    private readonly Option<string> _sendPath = new("--send-path",
        "-S") { Description = "The queue or topic to send to, unless the connection string has an EntityPath.", HelpName = "name" };

    private readonly Option<string[]> _receivePaths = new("--receive-paths", "-R")
    {
        Description = "What to receive from: queue, queue/$deadletterqueue, topic/subscriptions/name. [default: the send path]",
        HelpName = "path ...",
        AllowMultipleArgumentsPerToken = true,
    };

    private readonly Option<long> _count = Whole<long>("--number-of-messages", "-n", "Messages to send.", 1_000_000, 1, MaxMessageCount);
    private readonly Option<int> _size = Whole<int>("--message-size-bytes", "-b", "Bytes of a message.", 1024, 0, 64 << 20);
    private readonly Option<double> _frequency = CommonOptions.CreateNumber("--frequency-metrics", "Seconds between rows.", 0.05, 86_400, 10);

    private readonly Option<ReceiveMode> _receiveMode = new("--receive-mode", "-m")
    {
        Description = "PeekLock or ReceiveAndDelete. [default: PeekLock]",
        HelpName = "mode",
        CustomParser = static result => CommonOptions.ParseWord<ReceiveMode>(result, result.Tokens[0].Value, static name => name),
    };

    private readonly Option<int> _receivers =
        Whole<int>("--receiver-count", "-r", "Receivers of each receive path, at the same time.", 1, 0, MaxCount);
    private readonly Option<int> _prefetch = Whole<int>("--prefetch-count", "-e", "Messages fetched ahead.", 0, 0, MaxCount);
    private readonly Option<int> _sendBatch = Whole<int>("--send-batch-count", "-t", "Messages in one send; 0: no batches.", 0, 0, MaxCount);
    private readonly Option<int> _senders = Whole<int>("--sender-count", "-s", "Senders at the same time.", 1, 0, MaxCount);
    private readonly Option<int> _delay = Whole<int>("--send-delay", "-d", "Milliseconds between the sends of a sender.", 0, 0, DayMs);
    private readonly Option<int> _inflightSends =
        Whole<int>("--inflight-sends", "-i", "The maximum number of sends in progress for each sender.", 1, 1, MaxCount);
    private readonly Option<int> _inflightReceives =
        Whole<int>("--inflight-receives", "-j", "The maximum number of receives in progress for each receiver.", 1, 1, MaxCount);
    private readonly Option<int> _receiveBatch =
        Whole<int>("--receive-batch-count", "-v", "The maximum number of messages in one receive; 0: no batches.", 0, 0, MaxCount);
    private readonly Option<int> _work =
        Whole<int>("--receive-work-duration", "-w", "Milliseconds of work between receive and completion.", 0, 0, DayMs);

    internal ThroughputSampleOptions()
    {
        _frequency.Aliases.Add("-f");
        All =
        [
            _connection, _sendPath, _receivePaths, _count, _size, _frequency, _receiveMode, _receivers, _prefetch, _sendBatch, _senders, _delay,
            _inflightSends, _inflightReceives,
            _receiveBatch, _work,
        ];
    }

    internal IReadOnlyList<Option> All { get; }

    /// <exception cref="UsageException">There is no queue, or two of them.</exception>
    internal ThroughputOptions Read(ParseResult result)
    {
        ConnectionString place = ConnectionString.Parse(result.GetValue(_connection)!);
        string[]? paths = result.GetValue(_receivePaths) is { Length: > 0 } given ? given : null;
        string path = result.GetValue(_sendPath) ?? place.EntityPath
            ?? (result.GetValue(_senders) == 0 && paths is not null ? ReceivePath.Parse(paths[0]).Entity : null)
            ?? throw new UsageException("No queue: give -S, or a connection string with an EntityPath.");
        if (result.GetValue(_sendPath) is { } sendPath && place.EntityPath is { } entity && sendPath != entity)
            throw new UsageException($"-S is '{sendPath}', but the connection string's EntityPath is '{entity}'.");
        return new ThroughputOptions
        {
            Connection = place,
            SendPath = path,
            ReceivePaths = [.. (paths ?? [path]).Select(ReceivePath.Parse)],
            MessageCount = result.GetValue(_count),
            ByteCount = result.GetValue(_size),
            Frequency = TimeSpan.FromSeconds(result.GetValue(_frequency)),
            ReceiveMode = result.GetResult(_receiveMode) is null ? ReceiveMode.PeekLock : result.GetValue(_receiveMode),
            ReceiverCount = result.GetValue(_receivers),
            PrefetchCount = result.GetValue(_prefetch),
            SendBatchCount = result.GetValue(_sendBatch),
            SenderCount = result.GetValue(_senders),
            SendDelay = TimeSpan.FromMilliseconds(result.GetValue(_delay)),
            InflightSends = result.GetValue(_inflightSends),
            InflightReceives = result.GetValue(_inflightReceives),
            ReceiveBatchCount = result.GetValue(_receiveBatch),
            WorkDuration = TimeSpan.FromMilliseconds(result.GetValue(_work)),
        };
    }

    private static Option<T> Whole<T>(string name, string alias, string description, T defaultValue, long min, long max)
        where T : struct
    {
        var option = new Option<T>(name, alias) { Description = description, HelpName = "number", DefaultValueFactory = _ => defaultValue };
        option.Validators.Add(CommonOptions.InRange(option, min, max));
        return option;
    }
}
