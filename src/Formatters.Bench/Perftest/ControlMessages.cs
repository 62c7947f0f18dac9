using Formatters.Binary;

namespace Formatters.Bench.Perftest;

/// <summary>The few messages by which CLIENT and SERVER understand each other; told from those under test by their labels.</summary>
/// <remarks>
/// The client sends a <see cref="BatchStart"/> before each batch, in the same queue, so that it arrives before it. The server answers each with one
/// <see cref="BatchAnswer"/> when all messages are processed. A batch of no messages asks whether a server is there. A message with the label
/// <see cref="EndLabel"/> and no body ends the conversation.
/// </remarks>
internal static class ControlMessages
{
    internal const string StartLabel = "formatters-bench start";
    internal const string AnswerLabel = "formatters-bench answer";
    internal const string EndLabel = "formatters-bench end";

    internal static async Task SendAsync<T>(QueueClient queue, string label, T control, CancellationToken cancellationToken)
        where T : IBinaryBody, new()
    {
        byte[] body = new HandCodedFormatter<T>().Write(control);
        await MessageBatch.SendOneAsync(
            queue, new QueueMessage(new MessageBody(body, BodyTypes.Binary, ContentTypes.Binary)) { Label = label }, cancellationToken);
    }

    /// <summary>Sends the message that ends the conversation.</summary>
    internal static ValueTask SendEndAsync(QueueClient queue, CancellationToken cancellationToken) =>
        MessageBatch.SendOneAsync(queue, new QueueMessage { Label = EndLabel }, cancellationToken);

    /// <exception cref="MessageFormatException">It is damaged.</exception>
    internal static T Read<T>(ReceivedMessage message)
        where T : IBinaryBody, new() => new HandCodedFormatter<T>().Read(message.Body.Bytes);
}

/// <summary>Says what the next messages are.</summary>
internal sealed class BatchStart : IBinaryBody
{
    /// <summary>The client's run; the answer repeats it and the batch.</summary>
    internal Guid Run;

    internal int Number;

    /// <summary>The name of the payload; it says how to read the bodies.</summary>
    internal string Payload = "";

    /// <summary>The line items of each order, where they are orders.</summary>
    internal int LineItems;

    /// <summary>The number of messages that follow; 0 asks only whether a server is there.</summary>
    internal int Count;

    /// <summary>Whether the whole content of every message is compared.</summary>
    internal bool WholeContent;

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Run);
        writer.Write(Number);
        writer.Write(Payload);
        writer.Write(LineItems);
        writer.Write(Count);
        writer.Write(WholeContent);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Run = reader.ReadGuid();
        Number = reader.ReadInt32();
        Payload = reader.ReadString();
        LineItems = reader.ReadInt32();
        Count = reader.ReadInt32();
        WholeContent = reader.ReadBoolean();
    }
}

/// <summary>Says that a batch is processed.</summary>
internal sealed class BatchAnswer : IBinaryBody
{
    /// <summary>As in the <see cref="BatchStart"/> that it answers.</summary>
    internal Guid Run;

    internal int Number;

    /// <summary>The error; empty if every message arrived unchanged.</summary>
    internal string Error = "";

    public void Save(ref BinaryBodyWriter writer)
    {
        writer.Write(Run);
        writer.Write(Number);
        writer.Write(Error);
    }

    public void Load(ref BinaryBodyReader reader)
    {
        Run = reader.ReadGuid();
        Number = reader.ReadInt32();
        Error = reader.ReadString();
    }
}
