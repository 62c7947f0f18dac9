namespace Formatters.Bench.Measurement;

/// <summary>Makes sure that a measurement, which deletes whatever is in its queues, is given empty ones.</summary>
internal static class EmptyQueues
{
    /// <summary>Refuses queues that are not empty, and changes nothing then; or, where that is asked for, empties them.</summary>
    /// <param name="addresses">The queues, each an address or several separated by commas.</param>
    /// <param name="purge">Whether to delete what is in them.</param>
    /// <exception cref="UsageException">A queue is not empty, or holds messages under lock, which only their receivers can delete.</exception>
    internal static async Task RequireAsync(
        QueueConnector connector, IEnumerable<string> addresses, QueueOptions options, bool purge, TextWriter output,
        CancellationToken cancellationToken)
    {
        var queues = new List<QueueClient>();
        try
        {
            foreach (QueueAddress address in addresses.SelectMany(QueueAddress.ParseList))
                queues.Add(await connector.OpenAsync(address.Uri.AbsoluteUri, options, cancellationToken));

            await RequireAsync(queues, purge, output, cancellationToken);
        }
        finally
        {
            foreach (QueueClient queue in queues)
                await queue.DisposeAsync();
        }
    }

    /// <summary>As the other, of queues that are open.</summary>
    /// <param name="queues">The queues, opened by the caller.</param>
    /// <param name="purge">Whether to delete what is in them.</param>
    internal static async Task RequireAsync(IEnumerable<QueueClient> queues, bool purge, TextWriter output, CancellationToken cancellationToken)
    {
        foreach ((QueueClient queue, long count, long locked) in await FindAsync(queues, purge, cancellationToken))
        {
            await queue.PurgeAsync(cancellationToken);
            await output.WriteLineAsync($"purged: {Describe((queue, count, locked))}");
        }
    }

    /// <summary>Refuses queues that are not empty, or hold messages that only their receivers can delete, and changes nothing.</summary>
    /// <param name="queues">The queues. All are looked at.</param>
    /// <param name="purge">Whether what is in them may be deleted.</param>
    /// <returns>Those to purge.</returns>
    internal static async Task<IReadOnlyList<(QueueClient Queue, long Count, long Locked)>> FindAsync(
        IEnumerable<QueueClient> queues, bool purge, CancellationToken cancellationToken)
    {
        var full = new List<(QueueClient Queue, long Count, long Locked)>();
        foreach (QueueClient queue in queues)
        {
            long count = await queue.GetMessageCountAsync(cancellationToken);
            long locked = await queue.GetLockedCountAsync(cancellationToken) ?? 0;
            if (count + locked > 0)
                full.Add((queue, count, locked));
        }

        if (full.Count > 0 && !purge)
        {
            string plural = full.Count > 1 ? "s" : "";
            throw new UsageException($"{string.Join("; ", full.Select(Describe))}. A measurement deletes all messages in its queue{plural}: "
                + "name an empty one, or use --purge to delete them.");
        }

        if (full.Where(item => item.Locked > 0).ToList() is { Count: > 0 } held)
        {
            throw new UsageException($"{string.Join("; ", held.Select(Describe))}. Locked messages cannot be purged, and would come back "
                + "in the middle of the measurement: end the receivers first.");
        }

        return full;
    }

    private static string Describe((QueueClient Queue, long Count, long Locked) item)
    {
        string messages = item.Count + item.Locked == 1 ? "message" : "messages";
        string text = string.Create(CultureInfo.InvariantCulture, $"'{item.Queue.Address}' holds {item.Count + item.Locked:N0} {messages}");
        return item.Locked == 0
            ? text
            : text + string.Create(CultureInfo.InvariantCulture, $", {item.Locked:N0} of them locked by a receiver or in a transaction");
    }
}
