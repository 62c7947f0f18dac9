namespace Formatters.TradeEngine.Building;

/// <summary>Which messages a set has. The same options give the same messages in the same order.</summary>
internal sealed record MessageSetOptions
{
    /// <summary>The seed of everything that is random.</summary>
    internal int Seed { get; init; } = 1;

    internal int TradeCount { get; init; } = 1_000;

    /// <summary>The day of the trades, a business day.</summary>
    internal DateOnly BusinessDate { get; init; } = new(2026, 11, 24);

    /// <summary>The messages of this many trades are mixed with each other.</summary>
    internal int Window { get; init; } = 64;

    /// <summary>How many messages are sent in addition that must end in the exception queue, as a share of the good ones.</summary>
    internal double BadShare { get; init; }

    /// <summary>How many messages are sent twice, as a share of all good ones.</summary>
    internal double DuplicateShare { get; init; }

    /// <summary>The share of trades one of whose messages is replaced or cancelled.</summary>
    internal double ChangeShare { get; init; }

    /// <summary>The share of trades that lack a message.</summary>
    internal double IncompleteShare { get; init; }
}
