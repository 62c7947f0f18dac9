namespace Formatters.Msmq;

/// <summary>A message together with the payload read from its body.</summary>
/// <typeparam name="T">The type of the payload.</typeparam>
public sealed class ReceivedMessage<T>
{
    internal ReceivedMessage(Message message, T value)
    {
        Message = message;
        Value = value;
    }

    /// <summary>Gets the message: its id, label and other properties.</summary>
    public Message Message { get; }

    /// <summary>Gets the payload.</summary>
    public T Value { get; }
}
