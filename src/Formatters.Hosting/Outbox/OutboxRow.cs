using System;
using System.Buffers;
using System.Collections.Generic;
using System.Data.Common;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Formatters.Queues;

namespace Formatters.Hosting;

/// <summary>A message as a row of the outbox.</summary>
internal sealed record OutboxRow
{
    private const string Label = "label", Correlation = "correlationId", Priority = "priority";
    private const string TimeToLive = "timeToLiveTicks", Due = "dueTicks", Headers = "headers";

    // A text that the database would change is rejected.
    private static readonly UTF8Encoding StrictUtf8 = new(false, throwOnInvalidBytes: true);

    internal required string Queue { get; init; }

    internal required string MessageId { get; init; }

    internal required string Contract { get; init; }

    internal required string Properties { get; init; }

    internal required byte[] Body { get; init; }

    internal required int BodyType { get; init; }

    internal required string? ContentType { get; init; }

    /// <summary>Gets when the message was written, in milliseconds since 1970.</summary>
    internal required long CreatedAt { get; init; }

    /// <summary>Creates the row of a message, which has an id.</summary>
    /// <exception cref="ArgumentException">A header has a type that headers do not support, or a text is not valid UTF-16 or contains a zero
    /// character.</exception>
    internal static OutboxRow Write(string queue, string contract, QueueMessage message, TimeProvider time) => new()
    {
        Queue = queue,
        MessageId = Checked(message.MessageId!, "The message id"),
        Contract = Checked(contract, "The contract name"),
        Properties = WriteProperties(message),
        Body = message.Body.ToArray(),
        BodyType = message.Body.BodyType,
        ContentType = message.Body.ContentType,
        CreatedAt = time.GetUtcNow().ToUnixTimeMilliseconds(),
    };

    /// <summary>Reads the columns after the id.</summary>
    /// <exception cref="FormatException">A column has another type.</exception>
    internal static OutboxRow Read(object[] values) => new()
    {
        Queue = Column<string>(values, 1, "queue"),
        MessageId = Column<string>(values, 2, "message_id"),
        Contract = Column<string>(values, 3, "contract"),
        Properties = Column<string>(values, 4, "properties"),
        Body = Column<byte[]>(values, 5, "body"),
        BodyType = (int)Number(values, 6, "body_type", int.MinValue, int.MaxValue),
        ContentType = values[7] is DBNull ? null : Column<string>(values, 7, "content_type"),
        CreatedAt = Number(
            values, 8, "created_at", DateTimeOffset.MinValue.ToUnixTimeMilliseconds(), DateTimeOffset.MaxValue.ToUnixTimeMilliseconds()),
    };

    internal void AddParameters(DbCommand command)
    {
        command.AddParameter("@queue", Queue);
        command.AddParameter("@message_id", MessageId);
        command.AddParameter("@contract", Contract);
        command.AddParameter("@properties", Properties);
        command.AddParameter("@body", Body);
        command.AddParameter("@body_type", BodyType);
        command.AddParameter("@content_type", ContentType);
        command.AddParameter("@created_at", CreatedAt);
    }

    /// <summary>Creates the message to send.</summary>
    /// <exception cref="FormatException">The row cannot be read.</exception>
    internal QueueMessage ToMessage()
    {
        var message = new QueueMessage(new MessageBody(Body, BodyType, ContentType)) { MessageId = MessageId };
        try
        {
            using JsonDocument properties = JsonDocument.Parse(Properties);
            foreach (JsonProperty property in properties.RootElement.EnumerateObject())
                ReadProperty(property, message);
            return message;
        }
        catch (Exception e) when (e is JsonException or InvalidOperationException or ArgumentException or FormatException)
        {
            throw new FormatException($"The column 'properties' cannot be read: {e.Message}", e);
        }
    }

    private static string WriteProperties(QueueMessage message)
    {
        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            if (message.Label is not null)
                json.WriteString(Label, Checked(message.Label, "The label"));
            if (message.CorrelationId is not null)
                json.WriteString(Correlation, Checked(message.CorrelationId, "The correlation id"));
            if (message.Priority != QueueMessage.DefaultPriority)
                json.WriteNumber(Priority, message.Priority);
            if (message.TimeToLive is { } timeToLive)
                json.WriteNumber(TimeToLive, timeToLive.Ticks);
            if (message.DueTime is { } due)
                json.WriteNumber(Due, due.UtcTicks);
            if (message.HasHeaders)
            {
                json.WriteStartObject(Headers);
                foreach ((string name, object value) in message.Headers)
                    WriteHeader(json, name, value);
                json.WriteEndObject();
            }

            json.WriteEndObject();
        }

        return Encoding.UTF8.GetString(buffer.WrittenSpan);
    }

    /// <summary>Writes a header as an object whose only name is its type: <c>{"int": 5}</c>.</summary>
    private static void WriteHeader(Utf8JsonWriter json, string name, object value)
    {
        json.WriteStartObject(Checked(name, "A header's name"));
        switch (value)
        {
            case string text:
                json.WriteString("string", Checked(text, $"The header '{name}'"));
                break;
            case bool flag:
                json.WriteBoolean("bool", flag);
                break;
            case int number:
                json.WriteNumber("int", number);
                break;
            case long number:
                json.WriteNumber("long", number);
                break;
            case double number:
                json.WriteString("double", number.ToString("R", CultureInfo.InvariantCulture));
                break;
            case byte[] bytes:
                json.WriteBase64String("bytes", bytes);
                break;
            default:
                throw new ArgumentException(
                    $"The header '{name}' is a {value?.GetType().ToString() ?? "null"}; headers are string, bool, int, long, double or byte[].");
        }

        json.WriteEndObject();
    }

    private static void ReadProperty(JsonProperty property, QueueMessage message)
    {
        JsonElement value = property.Value;
        switch (property.Name)
        {
            case Label:
                message.Label = value.GetString();
                break;
            case Correlation:
                message.CorrelationId = value.GetString();
                break;
            case Priority:
                message.Priority = value.GetInt32();
                break;
            case TimeToLive:
                message.TimeToLive = TimeSpan.FromTicks(value.GetInt64());
                break;
            case Due:
                message.DueTime = new DateTimeOffset(value.GetInt64(), TimeSpan.Zero);
                break;
            case Headers:
                foreach (JsonProperty header in value.EnumerateObject())
                {
                    foreach (JsonProperty typed in header.Value.EnumerateObject())
                        message.Headers[header.Name] = ReadHeader(typed);
                }

                break;
            default:
                throw new FormatException($"'{property.Name}' is not a property of a message. A later version may have written it.");
        }
    }

    private static object ReadHeader(JsonProperty typed) => typed.Name switch
    {
        "string" => typed.Value.GetString() ?? throw new FormatException("A header is null."),
        "bool" => typed.Value.GetBoolean(),
        "int" => typed.Value.GetInt32(),
        "long" => typed.Value.GetInt64(),
        "double" => double.Parse(typed.Value.GetString() ?? "", NumberStyles.Float, CultureInfo.InvariantCulture),
        "bytes" => typed.Value.GetBytesFromBase64(),
        _ => throw new FormatException($"'{typed.Name}' is not the type of a header."),
    };

    private static string Checked(string text, string what)
    {
        try
        {
            StrictUtf8.GetByteCount(text);
        }
        catch (EncoderFallbackException e)
        {
            throw new ArgumentException($"{what} has an unpaired surrogate.", e);
        }

        return !text.Contains('\0', StringComparison.Ordinal) ? text : throw new ArgumentException($"{what} has a zero character.");
    }

    private static T Column<T>(object[] values, int index, string name)
        where T : class =>
        values[index] as T ?? throw new FormatException($"The column '{name}' has a {values[index].GetType().Name} instead of a {typeof(T).Name}.");

    private static long Number(object[] values, int index, string name, long min, long max)
    {
        long number = values[index] switch
        {
            long value => value,
            int value => value,
            var other => throw new FormatException($"The column '{name}' has a {other.GetType().Name} instead of a number."),
        };
        return number >= min && number <= max
            ? number
            : throw new FormatException($"The column '{name}' is {number.ToString(CultureInfo.InvariantCulture)}, which is out of range.");
    }
}
