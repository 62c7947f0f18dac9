using System;
using System.Collections.Generic;
using System.Net.Mime;
using System.Text;
using System.Text.Json;
using CloudNative.CloudEvents;
using Formatters.Hosting.Buses;

namespace Formatters.CloudEvents;

/// <summary>Writes and reads the data of CloudEvents with formatters: the type of an event is the name of a contract.</summary>
/// <remarks>
/// <para>In binary mode, the data is what the formatter writes, and its content type is that of the formatter. In structured mode, another formatter
/// writes the event; data that is not JSON is in <c>data_base64</c>.</para>
/// <para>Events of types that are not registered are left to the other formatter. If there is none, their data is read as a <c>byte[]</c>.</para>
/// </remarks>
public sealed class ContractEventFormatter : CloudEventFormatter
{
    private readonly ContractRegistry _contracts;
    private readonly CloudEventFormatter? _inner;

    /// <summary>Creates a formatter.</summary>
    /// <param name="contracts">The contracts, by the types of events.</param>
    /// <param name="inner">Writes and reads structured events, and the data of other events: <c>new JsonEventFormatter()</c> of the package
    /// <c>CloudNative.CloudEvents.SystemTextJson</c>. Null for binary mode only.</param>
    /// <exception cref="ArgumentNullException"><paramref name="contracts"/> is null.</exception>
    public ContractEventFormatter(ContractRegistry contracts, CloudEventFormatter? inner = null)
    {
        _contracts = contracts ?? throw new ArgumentNullException(nameof(contracts));
        _inner = inner;
    }

    /// <summary>Creates an event from a payload.</summary>
    /// <param name="payload">The payload: of a type in the registry.</param>
    /// <param name="source">The source of the event.</param>
    /// <param name="id">Its id; null for a new one.</param>
    /// <returns>An event whose type is the contract name. Its time is not set.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="payload"/> or <paramref name="source"/> is null.</exception>
    /// <exception cref="ArgumentException">The type of the payload is not in the registry.</exception>
    public CloudEvent Create(object payload, Uri source, string? id = null)
    {
        ArgumentNullException.ThrowIfNull(payload);
        ArgumentNullException.ThrowIfNull(source);
        PayloadContract contract = _contracts.Find(payload.GetType())
            ?? throw new ArgumentException($"{payload.GetType()} is not registered: add it to the {nameof(ContractRegistry)}.", nameof(payload));
        return new CloudEvent { Id = id ?? Guid.NewGuid().ToString(), Type = contract.Name, Source = source, Data = payload };
    }

    /// <summary>Writes the data of an event, and sets its content type to that of the formatter.</summary>
    /// <param name="cloudEvent">The event.</param>
    /// <returns>The data; empty if there is none.</returns>
    /// <exception cref="MessageFormatException">The data cannot be written.</exception>
    public override ReadOnlyMemory<byte> EncodeBinaryModeEventData(CloudEvent cloudEvent)
    {
        ArgumentNullException.ThrowIfNull(cloudEvent);
        if (ContractOf(cloudEvent) is { } contract)
        {
            byte[] data = contract.Write(cloudEvent.Data!, out string contentType);
            cloudEvent.DataContentType = contentType;
            return data;
        }

        return _inner is not null ? _inner.EncodeBinaryModeEventData(cloudEvent) : cloudEvent.Data switch
        {
            null => ReadOnlyMemory<byte>.Empty,
            byte[] bytes => bytes,
            { } other => throw new ArgumentException(
                $"{other.GetType()} is not registered: add it to the {nameof(ContractRegistry)}.", nameof(cloudEvent)),
        };
    }

    /// <summary>Reads the data of an event.</summary>
    /// <param name="body">The data.</param>
    /// <param name="cloudEvent">The event, whose data is set.</param>
    /// <exception cref="MessageFormatException">The data cannot be read.</exception>
    public override void DecodeBinaryModeEventData(ReadOnlyMemory<byte> body, CloudEvent cloudEvent)
    {
        ArgumentNullException.ThrowIfNull(cloudEvent);
        if (cloudEvent.Type is { } type && _contracts.Find(type) is { } contract)
            cloudEvent.Data = contract.Read(body.ToArray(), cloudEvent.DataContentType);
        else if (_inner is not null)
            _inner.DecodeBinaryModeEventData(body, cloudEvent);
        else
            cloudEvent.Data = body.IsEmpty ? null : body.ToArray();
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The data cannot be written.</exception>
    public override ReadOnlyMemory<byte> EncodeStructuredModeMessage(CloudEvent cloudEvent, out ContentType contentType)
    {
        ArgumentNullException.ThrowIfNull(cloudEvent);
        return Inner.EncodeStructuredModeMessage(WithData(cloudEvent), out contentType);
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The data cannot be read.</exception>
    public override CloudEvent DecodeStructuredModeMessage(
        ReadOnlyMemory<byte> body, ContentType? contentType, IEnumerable<CloudEventAttribute>? extensionAttributes) =>
        Read(Inner.DecodeStructuredModeMessage(body, contentType, extensionAttributes));

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The data cannot be written.</exception>
    public override ReadOnlyMemory<byte> EncodeBatchModeMessage(IEnumerable<CloudEvent> cloudEvents, out ContentType contentType)
    {
        ArgumentNullException.ThrowIfNull(cloudEvents);
        var events = new List<CloudEvent>();
        foreach (CloudEvent cloudEvent in cloudEvents)
            events.Add(WithData(cloudEvent));
        return Inner.EncodeBatchModeMessage(events, out contentType);
    }

    /// <inheritdoc/>
    /// <exception cref="MessageFormatException">The data cannot be read.</exception>
    public override IReadOnlyList<CloudEvent> DecodeBatchModeMessage(
        ReadOnlyMemory<byte> body, ContentType? contentType, IEnumerable<CloudEventAttribute>? extensionAttributes)
    {
        IReadOnlyList<CloudEvent> events = Inner.DecodeBatchModeMessage(body, contentType, extensionAttributes);
        foreach (CloudEvent cloudEvent in events)
            Read(cloudEvent);
        return events;
    }

    /// <summary>Returns the contract name of an event that is written with a contract; null for others.</summary>
    internal string? ContractNameOf(CloudEvent cloudEvent) => ContractOf(cloudEvent)?.Name;

    private CloudEventFormatter Inner => _inner ?? throw new NotSupportedException(
        "There is no formatter of structured events: pass one, such as CloudNative.CloudEvents.SystemTextJson.JsonEventFormatter.");

    /// <summary>Finds the contract of an event's data. The type of the event must be one of its names, or a receiver would not find it.</summary>
    private PayloadContract? ContractOf(CloudEvent cloudEvent)
    {
        if (cloudEvent.Data is null || _contracts.Find(cloudEvent.Data.GetType()) is not { } contract)
            return null;
        return cloudEvent.Type is { } type && _contracts.Find(type) == contract ? contract : throw new ArgumentException(
            $"The type of the event is '{cloudEvent.Type}', and the contract name of its data is '{contract.Name}'.", nameof(cloudEvent));
    }

    /// <summary>Returns an event with the written data.</summary>
    private CloudEvent WithData(CloudEvent cloudEvent)
    {
        if (ContractOf(cloudEvent) is not { } contract)
            return cloudEvent;
        byte[] data = contract.Write(cloudEvent.Data!, out string contentType);
        var copy = new CloudEvent(cloudEvent.SpecVersion, cloudEvent.ExtensionAttributes);
        foreach ((CloudEventAttribute attribute, object value) in cloudEvent.GetPopulatedAttributes())
            copy[attribute] = value;
        cloudEvent.DataContentType = copy.DataContentType = contentType;
        copy.Data = IsJson(contentType) ? JsonSerializer.Deserialize<JsonElement>(data) : IsText(contentType) ? Encoding.UTF8.GetString(data) : data;
        return copy;
    }

    private CloudEvent Read(CloudEvent cloudEvent)
    {
        if (cloudEvent.Type is not { } type || _contracts.Find(type) is not { } contract)
            return cloudEvent;
        ReadOnlyMemory<byte> data = cloudEvent.Data switch
        {
            byte[] bytes => bytes,
            JsonElement element => Encoding.UTF8.GetBytes(element.GetRawText()),
            string text => Encoding.UTF8.GetBytes(text),
            null => throw new MessageFormatException(MessageFormatErrorCode.UnexpectedNull, $"The event has no data, which is not a {type}.",
                isPoison: true),
            { } other => throw new MessageFormatException(MessageFormatErrorCode.TypeNotAllowed, $"The data of the event is a {other.GetType()}."),
        };
        // Without a content type, the data of a structured event is JSON.
        cloudEvent.Data = contract.Read(data, cloudEvent.DataContentType ?? ContentTypes.Json);
        return cloudEvent;
    }

    private static bool IsJson(string contentType) => contentType == ContentTypes.Json;

    private static bool IsText(string contentType) => contentType.StartsWith("text/", StringComparison.Ordinal);
}
