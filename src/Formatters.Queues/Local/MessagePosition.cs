using System;
using System.Globalization;

namespace Formatters.Queues;

/// <summary>
/// The position of a message in its queue: by priority, then by the order of the sends. Formatted for <see cref="PeekedMessage.Position"/>:
/// <c>4-17</c>.
/// </summary>
internal readonly record struct MessagePosition(int Priority, long Order) : IComparable<MessagePosition>
{
    /// <summary>Gets the position before all messages.</summary>
    internal static MessagePosition Front { get; } = new(9, -1);

    internal static MessagePosition Of(LocalMessage message) => new(message.Priority, message.Order);

    /// <exception cref="ArgumentException">The string is not a position.</exception>
    internal static MessagePosition Parse(string? text)
    {
        if (text is null)
            return Front;
        if (text.Length > 2 && text[0] is >= '0' and <= '9' && text[1] == '-'
            && long.TryParse(text[2..], NumberStyles.None, CultureInfo.InvariantCulture, out long order) && order < long.MaxValue)
            return new MessagePosition(text[0] - '0', order);
        throw new ArgumentException($"'{text}' is not a {nameof(PeekedMessage.Position)} of this queue.", nameof(text));
    }

    public int CompareTo(MessagePosition other) => Priority != other.Priority ? other.Priority.CompareTo(Priority) : Order.CompareTo(other.Order);

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Priority}-{Order}");
}
