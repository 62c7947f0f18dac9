using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text.Json;
using Formatters.Queues;

namespace Formatters.Tools.Queues;

/// <summary>A message in two files: its body, and beside it, with <c>.properties.json</c> appended to the name, its properties.</summary>
/// <param name="Body">The file of the body.</param>
internal sealed record MessageFile(FileInfo Body)
{
    private const string Extension = ".properties.json";

    /// <summary>Gets the file of the properties.</summary>
    internal FileInfo Properties { get; } = new(Body.FullName + Extension);

    /// <summary>Gets whether a file of a folder is a body: not the properties of one, and not left over from a program that was killed.</summary>
    internal static bool IsBody(FileInfo file) => !WholeFile.IsLeftOver(file) && !file.Name.EndsWith(Extension, StringComparison.Ordinal);

    /// <summary>Writes both files, the body last; a device gets the body alone. After an exception there are neither.</summary>
    /// <returns><see langword="false"/> if the file of the properties exists: another program has taken the name.</returns>
    /// <exception cref="IOException">The files cannot be written, or the body exists.</exception>
    /// <exception cref="UnauthorizedAccessException">The files cannot be written.</exception>
    /// <exception cref="RefusedHeaderException">A header has no form in a file.</exception>
    internal bool TryWrite(ReceivedMessage message)
    {
        MessageProperties properties = MessageProperties.Of(message);
        if (WholeFile.IsStream(Body))
        {
            WholeFile.Write(Body, WriteBody);
            return true;
        }

        try
        {
            // Takes the name: to move a file to a name that is free is not atomic on every system, and to create one is.
            Properties.Open(FileMode.CreateNew, FileAccess.Write).Dispose();
        }
        catch (IOException) when (File.Exists(Properties.FullName))
        {
            return false;
        }

        try
        {
            WholeFile.Write(Properties, stream => JsonSerializer.Serialize(stream, properties, ToolJson.Default.MessageProperties));
            WholeFile.Write(Body, WriteBody, overwrite: false);
            return true;
        }
        catch
        {
            File.Delete(Properties.FullName);
            throw;
        }

        void WriteBody(Stream stream) => stream.Write(message.Body.ToArray());
    }

    /// <summary>Reads and checks the properties.</summary>
    /// <returns>The properties; those of a message that has none, if there is no file.</returns>
    /// <exception cref="UsageException">The properties are not valid.</exception>
    internal MessageProperties ReadProperties()
    {
        if (!Properties.Exists)
            return new MessageProperties();
        try
        {
            using FileStream stream = Properties.OpenRead();
            MessageProperties properties = JsonSerializer.Deserialize(stream, ToolJson.Default.MessageProperties) ?? throw new JsonException("The file has no object.");
            properties.ToMessage([]);
            return properties;
        }
        catch (Exception e) when (e is JsonException or ArgumentException or FormatException or OverflowException)
        {
            throw new UsageException($"'{Properties.FullName}' has no valid properties of a message: {e.Message}");
        }
    }
}

/// <summary>The properties of a message in a file.</summary>
/// <param name="MessageId">The id.</param>
/// <param name="ContentType">The content type of the body.</param>
/// <param name="BodyType">The body type of the body.</param>
/// <param name="Label">The label.</param>
/// <param name="CorrelationId">The correlation id.</param>
/// <param name="ResponseQueue">The address for answers.</param>
/// <param name="Priority">The priority.</param>
/// <param name="Headers">The headers, each with its type.</param>
/// <param name="SessionId">The session.</param>
/// <param name="SentTime">When the message was sent. For information: a message that is sent again has a new time.</param>
/// <param name="TimeToLive">The time to live that the message was sent with. For information.</param>
/// <param name="DeliveryCount">How often the message was delivered. For information.</param>
/// <param name="DeadLetterReason">Why the message was set aside. For information.</param>
/// <param name="DeadLetterDescription">The description of that reason. For information.</param>
/// <param name="DeadLetterSource">The queue from which the message was set aside. For information.</param>
internal sealed record MessageProperties(
    string? MessageId = null,
    string? ContentType = null,
    int BodyType = 0,
    string? Label = null,
    string? CorrelationId = null,
    string? ResponseQueue = null,
    int Priority = QueueMessage.DefaultPriority,
    IReadOnlyList<MessageHeader>? Headers = null,
    string? SessionId = null,
    DateTimeOffset? SentTime = null,
    TimeSpan? TimeToLive = null,
    int DeliveryCount = 0,
    string? DeadLetterReason = null,
    string? DeadLetterDescription = null,
    string? DeadLetterSource = null)
{
    internal static MessageProperties Of(ReceivedMessage message)
    {
        var headers = new List<MessageHeader>();
        foreach ((string name, object value) in message.Headers)
            headers.Add(MessageHeader.Of(name, value));
        return new MessageProperties(
            message.MessageId,
            message.Body.ContentType,
            message.Body.BodyType,
            message.Label,
            message.CorrelationId,
            message.ResponseQueue,
            message.Priority,
            headers,
            message.SessionId,
            message.SentTime,
            message.TimeToLive,
            message.DeliveryCount,
            message.DeadLetterReason,
            message.DeadLetterDescription,
            message.DeadLetterSource);
    }

    internal QueueMessage ToMessage(byte[] body)
    {
        var message = new QueueMessage(new MessageBody(body, BodyType, ContentType))
        {
            MessageId = MessageId,
            Label = Label,
            CorrelationId = CorrelationId,
            ResponseQueue = ResponseQueue,
            Priority = Priority,
            SessionId = SessionId,
        };
        foreach (MessageHeader header in Headers ?? [])
            message.Headers[header.Name] = header.ToValue();
        return message;
    }
}

/// <summary>A header in a file: the types that every queue carries.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Type"><c>string</c>, <c>bool</c>, <c>int</c>, <c>long</c>, <c>double</c> or <c>bytes</c>.</param>
/// <param name="Value">Its value in invariant culture; bytes in base 64.</param>
internal sealed record MessageHeader(string Name, string Type, string Value)
{
    /// <exception cref="RefusedHeaderException">The type of the value has no form in a file.</exception>
    internal static MessageHeader Of(string name, object value) => value switch
    {
        string text => new(name, "string", text),
        bool flag => new(name, "bool", flag ? "true" : "false"),
        int number => new(name, "int", number.ToString(CultureInfo.InvariantCulture)),
        long number => new(name, "long", number.ToString(CultureInfo.InvariantCulture)),
        double number => new(name, "double", number.ToString("R", CultureInfo.InvariantCulture)),
        byte[] bytes => new(name, "bytes", Convert.ToBase64String(bytes)),
        _ => throw new RefusedHeaderException($"The header '{name}' has a value of type {value.GetType()}, which is not written to files. "
            + "Move such messages from queue to queue: migrate --to-format unchanged."),
    };

    internal object ToValue() => Type switch
    {
        "string" => Value,
        "bool" => bool.Parse(Value),
        "int" => int.Parse(Value, CultureInfo.InvariantCulture),
        "long" => long.Parse(Value, CultureInfo.InvariantCulture),
        "double" => double.Parse(Value, CultureInfo.InvariantCulture),
        "bytes" => Convert.FromBase64String(Value),
        _ => throw new FormatException($"the type '{Type}' of the header '{Name}' is not one of string, bool, int, long, double, bytes."),
    };
}

/// <summary>A header cannot be written to a file; its message stays in its queue.</summary>
internal sealed class RefusedHeaderException(string message) : Exception(message);
