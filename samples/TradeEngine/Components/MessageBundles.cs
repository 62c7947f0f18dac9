namespace Formatters.TradeEngine.Components;

/// <summary>
/// Messages of a type in one message of a queue: a queue spends its time on messages, whatever their size, and the router has them together anyhow.
/// </summary>
internal static class MessageBundles
{
    /// <summary>How many messages a bundle has at most, unless an engine is told otherwise.</summary>
    internal const int DefaultSize = 64;

    /// <summary>A message with a larger body goes alone.</summary>
    internal const int MaxBodyByteCount = 32 << 10;

    /// <summary>The bodies of a bundle: an array of all of them is no large object for the garbage collector.</summary>
    private const int MaxBundleByteCount = 64 << 10;

    private static readonly BatchFormatter<ForwardedMessage> Formatter = new(BinaryBodyFormatter.Create<ForwardedMessage>());

    /// <summary>Makes the fewest messages in which all others fit, in their order.</summary>
    internal static IEnumerable<QueueMessage> Pack(IReadOnlyList<QueueMessage> messages, int size)
    {
        var bundle = new List<ForwardedMessage>(Math.Min(size, messages.Count));
        long byteCount = 0;
        foreach (QueueMessage message in messages)
        {
            bool isLarge = message.Body.ByteCount > MaxBodyByteCount;
            if (bundle.Count > 0 && (isLarge || bundle.Count == size || byteCount + message.Body.ByteCount > MaxBundleByteCount))
            {
                yield return Write(bundle, messages[0].Label);
                bundle.Clear();
                byteCount = 0;
            }

            if (isLarge)
            {
                yield return message;
                continue;
            }

            bundle.Add(new ForwardedMessage
            {
                CorrelationId = message.CorrelationId,
                ResponseQueue = message.ResponseQueue,
                Body = message.Body.Bytes.IsSingleSegment ? message.Body.Bytes.First : message.Body.ToArray(),
            });
            byteCount += message.Body.ByteCount;
        }

        if (bundle.Count > 0)
            yield return Write(bundle, messages[0].Label);
    }

    internal static bool IsBundle(ReceivedMessage message) => message.Body.BodyType == Formatter.BodyType;

    /// <summary>The messages of a bundle, with the ids under which they are delivered: the same when the bundle comes again.</summary>
    /// <exception cref="MessageFormatException">The body is bad, or has no message: nothing of it is given out.</exception>
    internal static IEnumerable<Incoming> Unpack(ReceivedMessage bundle, MessageFormats formats)
    {
        IReadOnlyList<ForwardedMessage> messages = Formatter.Read(bundle.Body);
        if (messages.Count == 0)
            throw new MessageFormatException(MessageFormatErrorCode.BadValue, "The bundle has no message.");
        return messages.Select((message, i) => new Incoming(
            new QueueMessage(new MessageBody(message.Body, formats.BodyType, formats.ContentType))
            {
                Label = bundle.Label,
                CorrelationId = message.CorrelationId,
                ResponseQueue = message.ResponseQueue,
            },
            bundle.MessageId is null ? null : string.Create(CultureInfo.InvariantCulture, $"{bundle.MessageId}/{i}")));
    }

    /// <summary>All messages to a component have one label: the router chooses the queue by it.</summary>
    private static QueueMessage Write(List<ForwardedMessage> bundle, string? label) =>
        new(new MessageBody(Formatter.Write(bundle), Formatter.BodyType, Formatter.ContentType)) { Label = label };
}

/// <summary>A message that came to a component.</summary>
/// <param name="Message">The message; a bundle that is bad is one by itself.</param>
/// <param name="DeliveryId">The id of its delivery: the same when it comes again. Null if it has none.</param>
/// <param name="Error">Why the bundle that it is cannot be read.</param>
internal readonly record struct Incoming(QueueMessage Message, string? DeliveryId, MessageFormatException? Error = null);
