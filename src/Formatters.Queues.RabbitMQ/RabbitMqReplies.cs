using System;
using System.Globalization;
using System.Text.RegularExpressions;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace Formatters.Queues.RabbitMQ;

/// <summary>
/// Interprets the broker's replies, some only by their words: AMQP has one reply code for several causes, and no field for a size or a setting.
/// </summary>
/// <remarks>Each method has a test against a broker, which fails when the words change.</remarks>
internal static partial class RabbitMqReplies
{
    /// <summary>Determines whether a queue was found to have another optional argument (406), and not another durability or life time.</summary>
    internal static bool IsOfArgument(string replyText) => replyText.Contains("inequivalent arg 'x-", StringComparison.Ordinal);

    /// <summary>Determines whether a queue does not exist (404), and not that its node is down.</summary>
    internal static bool IsNoQueue(string replyText) => replyText.Contains("no queue", StringComparison.Ordinal);

    /// <summary>Determines whether the broker closed a channel over a publish (basic.publish).</summary>
    internal static bool IsOfPublish(ShutdownEventArgs reason) => reason is { Initiator: ShutdownInitiator.Peer, ClassId: 60, MethodId: 40 };

    /// <summary>Reads the size of a message that was refused as too large (406), and the largest size that the broker accepts.</summary>
    /// <returns>Null if the message was refused for another reason.</returns>
    internal static (long ByteCount, long Limit)? FindSizes(string replyText) =>
        TooLarge().Match(replyText) is { Success: true } match
        && long.TryParse(match.Groups[1].Value, CultureInfo.InvariantCulture, out long byteCount)
        && long.TryParse(match.Groups[2].Value, CultureInfo.InvariantCulture, out long limit)
            ? (byteCount, limit) : null;

    [GeneratedRegex(@"message size (\d+) .*max(?:imum)? size (\d+)", RegexOptions.CultureInvariant)]
    private static partial Regex TooLarge();
}
