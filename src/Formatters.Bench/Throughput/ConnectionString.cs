namespace Formatters.Bench.Throughput;

/// <summary>The location of the entities of a run: that part of an address (<c>amqp://localhost</c>), or a connection string in Service Bus's form
/// around it (<c>Endpoint=...;EntityPath=...</c>).</summary>
/// <param name="Place">The address without the name of a queue.</param>
/// <param name="EntityPath">The queue or topic, where the string names one.</param>
internal sealed record ConnectionString(string Place, string? EntityPath)
{
    private const string Endpoint = "Endpoint";
    private const string Entity = "EntityPath";

    /// <summary>Parses a place, or a connection string.</summary>
    /// <exception cref="UsageException">It is none, or of a service for which there is no adapter. The text does not repeat keys and
    /// passwords.</exception>
    internal static ConnectionString Parse(string text)
    {
        string[] parts = [.. text.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries)];
        if (parts.Length == 0)
            throw new UsageException("-C is empty: give an address, as amqp://localhost, or a connection string.");
        var properties = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        string? place = null;
        for (int i = 0; i < parts.Length; i++)
        {
            string[] pair = parts[i].Split('=', 2, StringSplitOptions.TrimEntries);
            bool isProperty = pair.Length == 2 && pair[0].Length > 0 && pair[0].All(char.IsLetter);
            if (i == 0 && !isProperty)
                place = parts[0];
            else if (!isProperty)
                throw new UsageException($"Part {i + 1} of the connection string is not a name and a value: Name=Value.");
            else if (!properties.TryAdd(pair[0], pair[1]))
                throw new UsageException($"The connection string has {pair[0]} twice.");
        }

        place ??= properties.GetValueOrDefault(Endpoint) ?? throw new UsageException("The connection string has no Endpoint.");
        properties.Remove(Endpoint);
        properties.Remove(Entity, out string? entity);
        if (place.StartsWith("sb:", StringComparison.OrdinalIgnoreCase))
            place = ServiceBusPlace(place, properties);
        if (properties.Count > 0)
            throw new UsageException($"The connection string has {string.Join(", ", properties.Keys)}, which is not understood here: for Azure "
                + $"Service Bus there are SharedAccessKeyName, SharedAccessKey and UseDevelopmentEmulator, for others "
                + $"user and password belong in the address.");
        return new ConnectionString(place, string.IsNullOrEmpty(entity) ? null : entity);
    }

    /// <summary>The address of an entity at this place.</summary>
    internal string AddressOf(string name)
    {
        string separator = Place.EndsWith('/') || Place.EndsWith(':') ? "" : "/";
        string address = Place + separator + Uri.EscapeDataString(name);
        try
        {
            QueueAddress.Parse(address);
            return address;
        }
        catch (FormatException)
        {
            throw new UsageException("-C is neither an address, as amqp://localhost, memory: or file:folder, nor a connection string.");
        }
    }

    /// <summary>The address of what a receive path names. Service Bus has dead letters within their queue.</summary>
    internal string AddressOf(ReceivePath path) => path.DeadLettersOf is { } queue && Place.StartsWith("sb", StringComparison.OrdinalIgnoreCase)
        ? AddressOf(queue + "/$DeadLetterQueue")
        : AddressOf(path.Entity);

    /// <summary>Returns the place of a namespace, with the key of the connection string, whose properties are removed.</summary>
    private static string ServiceBusPlace(string endpoint, Dictionary<string, string> properties)
    {
        if (!Uri.TryCreate(endpoint, UriKind.Absolute, out Uri? uri) || uri.Host.Length == 0)
            throw new UsageException("The Endpoint of the connection string is not sb://, and the host of a namespace.");
        string scheme = properties.Remove("UseDevelopmentEmulator", out string? emulator) && bool.TryParse(emulator, out bool isEmulator)
            && isEmulator
            ? "sb-emulator"
            : "sb";
        string user = uri.UserInfo;
        if (properties.Remove("SharedAccessKeyName", out string? name) && properties.Remove("SharedAccessKey", out string? key))
            user = $"{Uri.EscapeDataString(name)}:{Uri.EscapeDataString(key)}";
        return $"{scheme}://{(user.Length == 0 ? "" : user + "@")}{uri.Authority[(uri.Authority.LastIndexOf('@') + 1)..]}";
    }
}

/// <summary>A parsed receive path.</summary>
/// <param name="Entity">The queue, or the topic.</param>
/// <param name="Subscription">The subscription of the topic; null for a queue.</param>
internal sealed record ReceivePath(string Text, string Entity, string? Subscription)
{
    /// <summary>The end of the name of a dead-letter queue here; in Service Bus's paths it is a part of its own.</summary>
    internal const string DeadLetterSuffix = "-dead-letters";

    private const string DeadLetters = "$deadletterqueue";

    /// <summary>The queue whose dead letters it names; null for another path.</summary>
    internal string? DeadLettersOf => Text.EndsWith("/" + DeadLetters, StringComparison.OrdinalIgnoreCase) ? Text[..Text.IndexOf('/')] : null;

    private const string Subscriptions = "subscriptions";

    /// <summary>Parses <c>queue</c>, <c>queue/$deadletterqueue</c>, or <c>topic/subscriptions/name</c>.</summary>
    /// <exception cref="UsageException">It is none of these.</exception>
    internal static ReceivePath Parse(string text) => text.Split('/') switch
    {
        [{ Length: > 0 } queue] => new ReceivePath(text, queue, null),
        [{ Length: > 0 } queue, var dead] when dead.Equals(DeadLetters, StringComparison.OrdinalIgnoreCase) =>
            new ReceivePath(text, queue + DeadLetterSuffix, null),
        [{ Length: > 0 } topic, var word, { Length: > 0 } name] when word.Equals(Subscriptions, StringComparison.OrdinalIgnoreCase) =>
            new ReceivePath(text, topic, name),
        _ => throw new UsageException($"'{text}' is not a receive path: queue, queue/$deadletterqueue, or topic/subscriptions/name."),
    };
}
