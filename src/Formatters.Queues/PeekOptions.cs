using System;

namespace Formatters.Queues;

/// <summary>Which messages a peek shows.</summary>
public sealed record PeekOptions
{
    /// <summary>The first 100 messages of every kind.</summary>
    public static PeekOptions Default { get; } = new();

    /// <summary>How many messages are shown at most.</summary>
    /// <value>Default 100.</value>
    public int MaxCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxCount), value, "At least 1.");
    }
        = 100;

    /// <summary>The <see cref="PeekedMessage.Position"/> after which to begin: that of the last message of the peek before.</summary>
    /// <value>Default null: at the front of the queue.</value>
    public string? After { get; init; }

    /// <summary>Which messages: those that a <see cref="MessageSelector"/> selects. The <see cref="QueueOptions.Selector"/> of the handle does not count
    /// here.</summary>
    /// <value>Default null: all.</value>
    /// <exception cref="InvalidSelectorException">The string is not a selector.</exception>
    public string? Selector
    {
        get;
        init => field = value is null ? null : MessageSelector.Parse(value).ToString();
    }

    /// <summary>Whether messages are shown that a receiver or a transaction has: <see cref="PeekedMessage.IsLocked"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeLocked { get; init; } = true;

    /// <summary>Whether messages are shown that are not due yet: <see cref="QueueMessage.DueTime"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeDelayed { get; init; } = true;
}
