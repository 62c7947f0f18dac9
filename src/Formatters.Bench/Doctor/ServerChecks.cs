using Formatters.Bench.Servers;

namespace Formatters.Bench.Doctor;

/// <summary>RabbitMQ and PostgreSQL: whether they can be reached, which they are, and what their settings promise.</summary>
internal static class ServerChecks
{
    // A receive passes over some ten thousand in a tenth of a millisecond.
    private const long ManyDeadRows = 20_000;

    private static readonly string[] LocalHosts = ["localhost", "127.0.0.1", "::1", "[::1]"];

    /// <summary>Looks at a server.</summary>
    /// <param name="address">A place or a queue on it.</param>
    /// <param name="isNamed">Whether somebody asked for it: else it is no failure that it is not there.</param>
    internal static async Task<IReadOnlyList<DoctorCheck>> CheckAsync(QueueAddress address, bool isNamed, QueueConnector connector,
        CancellationToken cancellationToken)
    {
        string area = address.ToString();
        IReadOnlyDictionary<string, string> settings;
        long start = Stopwatch.GetTimestamp();
        try
        {
            settings = await ServerSettings.AskAsync(address, cancellationToken);
        }
        catch (Exception e) when (ServerSettings.IsUnreachable(e) && !cancellationToken.IsCancellationRequested)
        {
            string reason = (e is AggregateException or { InnerException: not null } ? e.GetBaseException() : e).Message.Split('\n')[0]
                .TrimEnd('.', '\r');
            return isNamed
                ? [DoctorCheck.Failed(area, "reached", $"no: {reason}", "Start it, or correct host, port, user and password in the address.")]
                : [DoctorCheck.Unknown(area, "reached", $"no: {reason}; not asked for")];
        }

        List<DoctorCheck> checks =
        [
            DoctorCheck.Ok(
                area, "reached", string.Create(CultureInfo.InvariantCulture, $"in {Stopwatch.GetElapsedTime(start).TotalMilliseconds:0} ms")),
            .. address.Scheme.StartsWith("postgres", StringComparison.Ordinal) ? JudgePostgreSql(area, settings) : JudgeRabbitMq(area, settings),
        ];
        if (LocalHosts.Contains(address.Uri.Host, StringComparer.OrdinalIgnoreCase))
            checks.Add(
                DoctorCheck.WarnIf(Environment.ProcessorCount < 4, area, "place", "on this machine",
                    "It needs the same few cores as the tool: rates are those of both together."));
        // postgres://host/database is a place.
        bool isQueue = address.QueueName.Length > 0
            && (!address.Scheme.StartsWith("postgres", StringComparison.Ordinal)
                || address.Uri.AbsolutePath.Trim('/').Contains('/', StringComparison.Ordinal));
        if (isQueue)
            checks.AddRange(await CheckQueueAsync(address, area, connector, cancellationToken));
        return checks;
    }

    internal static IEnumerable<DoctorCheck> JudgePostgreSql(string area, IReadOnlyDictionary<string, string> settings)
    {
        yield return DoctorCheck.Ok(area, "version", $"PostgreSQL {settings.GetValueOrDefault("server_version") ?? "of unknown version"}");
        yield return Must("fsync", "on", "A power cut may destroy the database: set it on, or state with the results that it is off.");
        yield return Must("full_page_writes", "on", "A power cut in the middle of a page destroys it: set it on.");
        yield return Must("synchronous_commit", "on",
            "A commit is confirmed before it is on the disk here: recoverable and transactional messages set "
            + "it on for themselves, express ones off.");
        if (settings.GetValueOrDefault("commit_delay") is { } delay)
            yield return DoctorCheck.WarnIf(delay != "0", area, "commit_delay", delay,
                "Every commit waits for others: good for many senders, bad for one.");
        if (settings.GetValueOrDefault("wal_sync_method") is { } method)
            yield return DoctorCheck.WarnIf(method.StartsWith("open", StringComparison.Ordinal), area, "wal_sync_method", method,
                "On most systems fdatasync is the faster one: pg_test_fsync tells.");
        if (settings.TryGetValue(ServerSettings.DeadRows, out string? text)
            && long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long dead))
        {
            yield return DoctorCheck.WarnIf(
                dead >= ManyDeadRows,
                area,
                ServerSettings.DeadRows,
                $"{Numbers.Count(dead)} removed messages are still in the tables",
                "A receive has to skip them. Receivers vacuum the tables if their user owns them and no long transaction is open: otherwise "
                    + "run VACUUM, or lower autovacuum_naptime.");
        }

        string[] rest = ["shared_buffers", "max_wal_size", "max_connections"];
        yield return DoctorCheck.Ok(area, "settings", string.Join(", ", rest.Where(settings.ContainsKey).Select(name => $"{name} {settings[name]}")));

        DoctorCheck Must(string name, string value, string advice) => settings.TryGetValue(name, out string? found)
            ? DoctorCheck.WarnIf(found != value, area, name, found, advice)
            : DoctorCheck.Unknown(area, name, "the server does not say");
    }

    internal static IEnumerable<DoctorCheck> JudgeRabbitMq(string area, IReadOnlyDictionary<string, string> settings)
    {
        string version = settings.GetValueOrDefault("version") ?? "";
        yield return DoctorCheck.Ok(
            area, "version",
            $"{settings.GetValueOrDefault("product") ?? "an AMQP server"} {version}, "
            + $"{settings.GetValueOrDefault("platform") ?? "unknown platform"}".Replace(" ,", ",", StringComparison.Ordinal));
        yield return DoctorCheck.WarnIf(
            int.TryParse(version.Split('.')[0], NumberStyles.None, CultureInfo.InvariantCulture, out int major) && major < 4,
            area,
            "series",
            version.Length == 0 ? "unknown" : version,
            "Series 4 has faster queues; results hold for this version.");
    }

    private static async Task<IReadOnlyList<DoctorCheck>> CheckQueueAsync(QueueAddress address, string area, QueueConnector connector,
        CancellationToken cancellationToken)
    {
        try
        {
            IReadOnlyList<QueueStatus> found = await connector.ListAsync(address.Uri.AbsoluteUri, cancellationToken);
            if (found.Count == 0)
                return [DoctorCheck.Ok(area, "queue", "not there yet; a measurement makes it, durable and persistent for recoverable messages")];
            long waiting = found[0].MessageCount ?? 0, locked = found[0].LockedCount ?? 0;
            List<DoctorCheck> checks =
            [
                DoctorCheck.WarnIf(
                    waiting + locked > 0,
                    area,
                    "queue",
                    waiting + locked == 0 ? "there, and empty" : $"holds {Numbers.Count(waiting, "message")}, {Numbers.Count(locked)} locked",
                    "Measurements refuse it: name an empty queue, or use --purge to delete its messages."),
            ];
            // As recoverable: a queue that was made otherwise refuses this, and nothing is changed by it.
            await using QueueClient queue =
                await connector.OpenAsync(address.Uri.AbsoluteUri, new QueueOptions { DeliveryMode = DeliveryMode.Recoverable }, cancellationToken);
            checks.Add(DoctorCheck.Ok(area, "durability", queue.Capabilities.Durability));
            return checks;
        }
        catch (QueueException e)
        {
            return [DoctorCheck.Warning(area, "queue", e.Message.Split('\n')[0],
                "Name another one, or delete it: it was made with other arguments, or cannot be opened.")];
        }
    }
}
