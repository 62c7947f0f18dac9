using System.CommandLine;
using Formatters.TradeEngine.Measurement;
using Formatters.TradeEngine.Runs;

namespace Formatters.TradeEngine.CommandLine;

/// <summary>Options that the engine and its component processes have in common: both must be given the same.</summary>
internal sealed class SharedOptions
{
    internal Option<string?> Queues { get; } = new("--queues")
    {
        Description = "Where the queues are: the beginning of their addresses, such as amqp://localhost/engine- or memory:. Default: a "
            + "new folder below the current directory.",
        HelpName = "prefix",
    };

    internal Option<string?> Store { get; } = new("--store")
    {
        Description = "Where the trades are: a folder, or postgres://user:password@host/database. Default: a new folder below the current directory.",
        HelpName = "place",
    };

    internal Option<int> Databases { get; } = CommonOptions.CreateCount("--databases", "How many databases hold the trades of a new store.", 1, 64);
    internal Option<string> Format { get; } = CreateFormat();
    internal Option<int> Inbound { get; } =
        CommonOptions.CreateCount("--inbound-queues", "How many queues the driver sends to, each with at least one router.", 1, 64);

    internal Option<int> Instances { get; } = CommonOptions.CreateCount(
        "--instances", "How many instances ALC, NPR and SET have each; NOE and the router have one instance for every two of these.", 2, 64);

    internal Option<int> Batch { get; } = CommonOptions.CreateCount("--batch", "How many messages a component takes at once.", 256, 10_000);

    internal Option<int> Bundle { get; } = CommonOptions.CreateCount(
        "--bundle", "The maximum number of messages of one type that the router sends on as one; 1: each by itself.", MessageBundles.DefaultSize,
        1_000);

    internal Option<int> Seed { get; } =
        CommonOptions.CreateCount("--seed", "The seed of everything that is random, including the reference data.", 1, int.MaxValue, min: 0);
    internal IEnumerable<Option> All => [Queues, Store, Databases, Format, Inbound, Instances, Batch, Bundle, Seed];

    /// <summary>Reads a run's options, with the default folder for queues that are not named.</summary>
    internal EngineRunOptions ToRunOptions(ParseResult result, string? folder)
    {
        int instances = result.GetValue(Instances);
        return new EngineRunOptions
        {
            QueuePrefix = result.GetValue(Queues) ?? $"file:{folder}/queues/",
            Formats = MessageFormats.Find(result.GetValue(Format)!)!,
            InboundQueueCount = result.GetValue(Inbound),
            RouterCount = Math.Max(result.GetValue(Inbound), (instances + 1) / 2),
            NoticeCount = (instances + 1) / 2,
            InstanceCount = instances,
            BatchSize = result.GetValue(Batch),
            BundleSize = result.GetValue(Bundle),
        };
    }

    /// <summary>Refuses places that only one process can have open.</summary>
    internal static void CheckShared(string? queues, string? store)
    {
        if (queues is null || !(queues.StartsWith("amqp", StringComparison.OrdinalIgnoreCase) || EngineStores.IsPostgreSql(queues)))
            throw new UsageException("--queues: component processes share queues of a broker: "
                + "amqp://host/prefix or postgres://host/database/prefix.");
        if (store is null || !EngineStores.IsPostgreSql(store))
            throw new UsageException("--store: component processes share a database: postgres://user:password@host/database.");
    }

    /// <summary>A new folder below the current directory, for what is not named.</summary>
    internal static string NewFolderName() => "trade-engine-" + Guid.NewGuid().ToString("N")[..8];

    /// <summary>Numbers with commas between.</summary>
    internal static Option<Counts> CreateCounts(string name, string description, int[] byDefault, int max) => new(name)
    {
        Description = description,
        HelpName = "numbers",
        DefaultValueFactory = _ => new Counts(byDefault),
        CustomParser = result =>
        {
            var numbers = new List<int>();
            foreach (string text in result.Tokens[0].Value.Split(','))
            {
                if (!int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) || number < 1 || number > max)
                {
                    result.AddError($"{name} takes numbers from 1 to {max}, separated by commas, not '{result.Tokens[0].Value}'.");
                    return null;
                }

                numbers.Add(number);
            }

            return new Counts(numbers);
        },
    };

    /// <summary>The value of an option that takes several numbers, which the help prints as the command line takes them.</summary>
    internal sealed record Counts(IReadOnlyList<int> Values)
    {
        public override string ToString() => string.Join(',', Values);
    }

    internal static Option<int?> CreateWarmUp(string description) => CommonOptions.CreateOptionalCount("--warm-up", description, 0, 1_000_000);

    internal static Option<string?> CreateTransfer() => new("--transfer")
    {
        Description = "Where the driver has queues of its own, such as file:outbox/ or postgres://host/database/out-: a "
            + "forwarder moves the messages from each to an "
            + "in-bound queue. Default: the driver sends to the in-bound queues.",
        HelpName = "prefix",
    };

    private static Option<string> CreateFormat()
    {
        var option = new Option<string>("--format")
        {
            Description = string.Join(", ", MessageFormats.All.Select(item => item.Name)) + ".", HelpName = "name", DefaultValueFactory = _ => "xml",
        };
        option.Validators.Add(result =>
        {
            if (result.Tokens.Count == 1 && MessageFormats.Find(result.Tokens[0].Value) is null)
                result.AddError($"'{result.Tokens[0].Value}' is not one of {string.Join(", ", MessageFormats.All.Select(item => item.Name))}.");
        });
        return option;
    }
}
