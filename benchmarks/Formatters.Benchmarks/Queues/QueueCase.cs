namespace Formatters.Benchmarks;

/// <summary>A queue, opened in one delivery mode.</summary>
/// <param name="Name">The name in tables.</param>
/// <param name="Address">Where it is, without the part of the name by which each run has a queue of its own.</param>
/// <param name="DeliveryMode">How it is opened.</param>
internal sealed record QueueCase(string Name, string Address, DeliveryMode DeliveryMode)
{
    /// <summary>The variable that names a broker, as <c>amqp://guest:guest@127.0.0.1:5672</c>.</summary>
    public const string BrokerVariable = "FORMATTERS_RABBITMQ";

    /// <summary>The variable that names a PostgreSQL server and database, as <c>postgres://postgres:formatters@127.0.0.1:5432/postgres</c>.</summary>
    public const string PostgresVariable = "FORMATTERS_POSTGRES";

    /// <summary>The queues that can be had here.</summary>
    public static IReadOnlyList<QueueCase> All { get; } =
        Create(Environment.GetEnvironmentVariable(BrokerVariable), Environment.GetEnvironmentVariable(PostgresVariable));

    /// <param name="broker">The address of a broker, or null.</param>
    /// <param name="postgres">The address of a PostgreSQL server and database, or null.</param>
    public static IReadOnlyList<QueueCase> Create(string? broker, string? postgres)
    {
        List<QueueCase> cases =
        [
            new("memory, express", "memory:benchmarks-express", DeliveryMode.Express),
            new("memory, transactional", "memory:benchmarks-transactional", DeliveryMode.Transactional),
        ];
        // A folder of each process: two cannot have the same.
        AddServer("folder", new Uri(Path.Combine(Path.GetTempPath(), $"formatters-benchmarks-{Environment.ProcessId}")).AbsoluteUri);
        AddServer("RabbitMQ", broker);
        AddServer("PostgreSQL", postgres);
        return cases;

        void AddServer(string name, string? address)
        {
            if (string.IsNullOrEmpty(address))
                return;
            string root = address.TrimEnd('/');
            cases.Add(new($"{name}, express", $"{root}/formatters-benchmarks-express", DeliveryMode.Express));
            cases.Add(new($"{name}, recoverable", $"{root}/formatters-benchmarks-recoverable", DeliveryMode.Recoverable));
            cases.Add(new($"{name}, transactional", $"{root}/formatters-benchmarks-transactional", DeliveryMode.Transactional));
        }
    }
}
