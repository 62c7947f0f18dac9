using System;

namespace Formatters.Queues;

/// <summary>Options of a peek: which messages it returns.</summary>
public sealed record PeekOptions
{
    /// <summary>Gets the default options: the first 100 messages of every kind.</summary>
    public static PeekOptions Default { get; } = new();

    /// <summary>Gets the maximum number of messages to show.</summary>
    /// <value>Default 100.</value>
    public int MaxCount
    {
        get;
        init => field = value > 0 ? value : throw new ArgumentOutOfRangeException(nameof(MaxCount), value, "At least 1.");
    }
        = 100;

    /// <summary>Gets the <see cref="PeekedMessage.Position"/> after which to start: that of the last message of the previous peek.</summary>
    /// <value>Default null: at the front of the queue.</value>
    public string? After { get; init; }

    /// <summary>
    /// Gets a <see cref="MessageSelector"/> for the messages to return. The <see cref="QueueOptions.Selector"/> of the handle is not used here.
    /// </summary>
    /// <value>Default null: all.</value>
    /// <exception cref="InvalidSelectorException">The string is not a selector.</exception>
    public string? Selector
    {
        get;
        init => field = value is null ? null : MessageSelector.Parse(value).ToString();
    }

    /// <summary>Gets whether to include messages that a receiver or a transaction has locked: <see cref="PeekedMessage.IsLocked"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeLocked { get; init; } = true;

    /// <summary>Gets whether to include messages that are not due yet: <see cref="QueueMessage.DueTime"/>.</summary>
    /// <value>Default true.</value>
    public bool IncludeDelayed { get; init; } = true;
}
