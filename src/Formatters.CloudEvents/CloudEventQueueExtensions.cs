using System;
using System.Globalization;
using System.Net.Mime;
using CloudNative.CloudEvents;
using CloudNative.CloudEvents.Core;
using Formatters.Hosting;
using Formatters.Queues;

namespace Formatters.CloudEvents;

/// <summary>Converts CloudEvents to messages of a queue and back.</summary>
/// <remarks>
/// In binary mode, the attributes of an event are headers with the prefix <see cref="AttributePrefix"/>, as the AMQP binding of CloudEvents says, and
/// the body is its data. In structured mode, the body is the whole event (<c>application/cloudevents+json</c>). Source: CloudEvents, "AMQP Protocol
/// Binding", 3.1 and 3.2.
/// </remarks>
public static class CloudEventQueueExtensions
{
    /// <summary>The prefix of attributes in headers that is written: <c>cloudEvents:</c>.</summary>
    /// <remarks>Read are also <c>cloudEvents_</c> (JMS), <c>ce-</c> (HTTP) and <c>ce_</c> (Kafka).</remarks>
    public const string AttributePrefix = "cloudEvents:";

    private const string SpecVersion = "specversion";

    private static readonly string[] Prefixes = [AttributePrefix, "cloudEvents_", "ce-", "ce_"];

    /// <summary>Determines whether a message is a CloudEvent, in binary or structured mode.</summary>
    /// <param name="message">The message.</param>
    /// <returns>False also for batches.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="message"/> is null.</exception>
    public static bool IsCloudEvent(this QueueMessage message)
    {
        ArgumentNullException.ThrowIfNull(message);
        return IsStructured(message) || FindPrefix(message) is not null;
    }

    /// <summary>Converts an event to a message.</summary>
    /// <param name="cloudEvent">The event. Its data content type may be set.</param>
    /// <param name="formatter">Writes the data, or in structured mode the event: a <see cref="ContractEventFormatter"/>, or any other.</param>
    /// <param name="mode">Whether the attributes are in headers (binary) or in the body (structured).</param>
    /// <returns>A message whose id is that of the event. If a contract has written the data in binary mode, the header
    /// <see cref="ContractNames.HeaderName"/> names it, so that workers of <c>Formatters.Hosting</c> handle the message.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">The event lacks a required attribute, or its type is not the contract name of its data.</exception>
    /// <exception cref="MessageFormatException">The data cannot be written.</exception>
    public static QueueMessage ToQueueMessage(this CloudEvent cloudEvent, CloudEventFormatter formatter, ContentMode mode = ContentMode.Binary)
    {
        ArgumentNullException.ThrowIfNull(cloudEvent);
        ArgumentNullException.ThrowIfNull(formatter);
        Validation.CheckCloudEventArgument(cloudEvent, nameof(cloudEvent));
        if (mode == ContentMode.Structured)
        {
            ReadOnlyMemory<byte> body = formatter.EncodeStructuredModeMessage(cloudEvent, out ContentType contentType);
            return new QueueMessage(new MessageBody(body, contentType: contentType.ToString())) { MessageId = cloudEvent.Id };
        }

        if (mode != ContentMode.Binary)
            throw new ArgumentOutOfRangeException(nameof(mode), mode, "Binary or structured.");
        ReadOnlyMemory<byte> data = formatter.EncodeBinaryModeEventData(cloudEvent);
        string? dataContentType = cloudEvent.DataContentType ?? formatter.GetOrInferDataContentType(cloudEvent);
        var message = new QueueMessage(new MessageBody(data, contentType: dataContentType)) { MessageId = cloudEvent.Id };
        message.Headers[AttributePrefix + SpecVersion] = cloudEvent.SpecVersion.VersionId;
        foreach ((CloudEventAttribute attribute, object value) in cloudEvent.GetPopulatedAttributes())
        {
            // The content type is that of the message.
            if (attribute != cloudEvent.SpecVersion.DataContentTypeAttribute)
                message.Headers[AttributePrefix + attribute.Name] = attribute.Format(value);
        }

        if ((formatter as ContractEventFormatter)?.ContractNameOf(cloudEvent) is { } contractName)
            message.Headers[ContractNames.HeaderName] = contractName;
        return message;
    }

    /// <summary>Converts a message to an event.</summary>
    /// <param name="message">The message, as it was received.</param>
    /// <param name="formatter">Reads the data, or in structured mode the event.</param>
    /// <param name="extensionAttributes">The types of extension attributes; others are strings.</param>
    /// <returns>The event.</returns>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="MessageFormatException">The message is not a CloudEvent (<see cref="MessageFormatErrorCode.UnknownFormat"/>), or is not a
    /// valid one; or the data cannot be read.</exception>
    public static CloudEvent ToCloudEvent(
        this QueueMessage message, CloudEventFormatter formatter, params CloudEventAttribute[] extensionAttributes)
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(formatter);
        ArgumentNullException.ThrowIfNull(extensionAttributes);
        try
        {
            if (IsStructured(message))
            {
                return formatter.DecodeStructuredModeMessage(
                    message.Body.ToArray(), MimeUtilities.CreateContentTypeOrNull(message.Body.ContentType), extensionAttributes);
            }

            string prefix = FindPrefix(message) ?? throw new MessageFormatException(MessageFormatErrorCode.UnknownFormat,
                $"The message is not a CloudEvent: it has no header '{AttributePrefix}{SpecVersion}', and its content type is not that of one.");
            string version = TextOf(message.Headers[prefix + SpecVersion]);
            var cloudEvent = new CloudEvent(
                CloudEventsSpecVersion.FromVersionId(version) ?? throw Bad("The version of CloudEvents is not known."), extensionAttributes);
            foreach ((string name, object value) in message.Headers)
            {
                if (name.StartsWith(prefix, StringComparison.Ordinal) && name.Length > prefix.Length
                    && name.AsSpan(prefix.Length) is var attribute && attribute is not SpecVersion)
                    cloudEvent.SetAttributeFromString(attribute.ToString().ToLowerInvariant(), TextOf(value));
            }

            cloudEvent.DataContentType = message.Body.ContentType;
            formatter.DecodeBinaryModeEventData(message.Body.ToArray(), cloudEvent);
            return cloudEvent.IsValid ? cloudEvent : throw Bad("The CloudEvent lacks a required attribute: id, source or type.");
        }
        catch (Exception e) when (e is ArgumentException or FormatException and not MessageFormatException or InvalidOperationException
            or System.Text.Json.JsonException)
        {
            // Its message may contain parts of the body.
            throw Bad($"The CloudEvent is not valid ({e.GetType().Name}).");
        }
    }

    private static bool IsStructured(QueueMessage message) =>
        MimeUtilities.IsCloudEventsContentType(message.Body.ContentType) && !MimeUtilities.IsCloudEventsBatchContentType(message.Body.ContentType);

    private static string? FindPrefix(QueueMessage message)
    {
        if (!message.HasHeaders)
            return null;
        foreach (string prefix in Prefixes)
        {
            if (message.Headers.ContainsKey(prefix + SpecVersion))
                return prefix;
        }

        return null;
    }

    /// <summary>Converts a header to the string form of an attribute: other libraries send numbers, Booleans and times.</summary>
    private static string TextOf(object value) => value switch
    {
        string text => text,
        bool truth => truth ? "true" : "false",
        byte[] bytes => Convert.ToBase64String(bytes),
        DateTimeOffset or DateTime => ((IFormattable)value).ToString("O", CultureInfo.InvariantCulture),
        IFormattable number => number.ToString(null, CultureInfo.InvariantCulture),
        _ => throw Bad("A header is not an attribute of a CloudEvent."),
    };

    private static MessageFormatException Bad(string message) => new(MessageFormatErrorCode.BadValue, message, isPoison: true);
}
