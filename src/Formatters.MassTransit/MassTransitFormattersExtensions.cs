using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Mime;
using Formatters;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.MassTransit;

namespace MassTransit;

/// <summary>Configures MassTransit to write and read bodies with formatters.</summary>
public static class MassTransitFormattersExtensions
{
    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with MassTransit's JSON.</summary>
    /// <param name="configurator">The configuration of the bus.</param>
    /// <param name="format">The wire format of the types that are added without a formatter.</param>
    /// <param name="configure">Adds types; null for none. Types with <see cref="MessageContractAttribute"/> need not be added.</param>
    /// <exception cref="ArgumentNullException"><paramref name="configurator"/> or <paramref name="format"/> is null.</exception>
    /// <example><code>
    /// x.UsingRabbitMq((context, cfg) =>
    /// {
    ///     cfg.UseFormatters(WireFormat.MessagePack);
    ///     cfg.ConfigureEndpoints(context);
    /// });
    /// </code></example>
    /// <inheritdoc cref="UseFormatters(IBusFactoryConfigurator, ContractRegistry)" path="/remarks"/>
    public static void UseFormatters(this IBusFactoryConfigurator configurator, WireFormat format, Action<ContractRegistry>? configure = null) =>
        configurator.UseFormatters(Registry(format, configure));

    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with MassTransit's JSON.</summary>
    /// <param name="configurator">The configuration of the bus.</param>
    /// <param name="contracts">The contracts.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <remarks>
    /// <para>A body is what the formatter writes, without an envelope. Its content type is that of the formatter; the contract name is in the header
    /// <see cref="ContractNames.HeaderName"/>, and what MassTransit has in its envelope (ids, addresses, message types) is in the headers of its raw
    /// serializers. Messages in MassTransit's own format are read as before, so that senders can be changed one after the other.</para>
    /// <para>A message is of a message type if its payload is: a consumer can have a type of another name than the sender's, with the same contract
    /// name. A body that cannot be read fails with <see cref="System.Runtime.Serialization.SerializationException"/>, and MassTransit moves the
    /// message to the error queue. A contract that no consumer of the endpoint has is skipped: MassTransit moves the message to the skipped
    /// queue.</para>
    /// </remarks>
    public static void UseFormatters(this IBusFactoryConfigurator configurator, ContractRegistry contracts)
    {
        ArgumentNullException.ThrowIfNull(configurator);
        ArgumentNullException.ThrowIfNull(contracts);
        if (!contracts.ReadsOnly)
            configurator.AddSerializer(new FormatterSerializerFactory(contracts.Format.ContentType, contracts));
        foreach (string contentType in ContentTypesOf(contracts))
            configurator.AddDeserializer(new FormatterSerializerFactory(contentType, contracts));
    }

    /// <summary>Writes and reads the bodies of known contracts with formatters, for one endpoint.</summary>
    /// <param name="configurator">The configuration of the endpoint.</param>
    /// <param name="format">The wire format of the types that are added without a formatter.</param>
    /// <param name="configure">Adds types; null for none.</param>
    /// <exception cref="ArgumentNullException"><paramref name="configurator"/> or <paramref name="format"/> is null.</exception>
    /// <inheritdoc cref="UseFormatters(IBusFactoryConfigurator, ContractRegistry)" path="/remarks"/>
    public static void UseFormatters(this IReceiveEndpointConfigurator configurator, WireFormat format, Action<ContractRegistry>? configure = null) =>
        configurator.UseFormatters(Registry(format, configure));

    /// <summary>Writes and reads the bodies of known contracts with formatters, for one endpoint.</summary>
    /// <param name="configurator">The configuration of the endpoint.</param>
    /// <param name="contracts">The contracts.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <inheritdoc cref="UseFormatters(IBusFactoryConfigurator, ContractRegistry)" path="/remarks"/>
    public static void UseFormatters(this IReceiveEndpointConfigurator configurator, ContractRegistry contracts)
    {
        ArgumentNullException.ThrowIfNull(configurator);
        ArgumentNullException.ThrowIfNull(contracts);
        if (!contracts.ReadsOnly)
            configurator.AddSerializer(new FormatterSerializerFactory(contracts.Format.ContentType, contracts));
        foreach (string contentType in ContentTypesOf(contracts))
            configurator.AddDeserializer(new FormatterSerializerFactory(contentType, contracts));
    }

    private static ContractRegistry Registry(WireFormat format, Action<ContractRegistry>? configure)
    {
        var contracts = new ContractRegistry(format);
        configure?.Invoke(contracts);
        return contracts;
    }

    /// <summary>Returns the content types to read: all formats, so that a body in a format that its contract does not read fails with an error
    /// that says so. MassTransit's raw JSON has the content type of the JSON format, which is left to it unless JSON is used here.</summary>
    private static IEnumerable<string> ContentTypesOf(ContractRegistry contracts) => WireFormat.All
        .Where(format => format != WireFormat.Json || contracts.Format == format)
        .Select(static format => format.ContentType)
        .Concat([ContentTypes.Signed, ContentTypes.Encrypted, ContentTypes.Compressed, ContentTypes.Batch])
        .Concat(contracts.Contracts.SelectMany(static contract => contract.ContentTypes))
        .Distinct(StringComparer.OrdinalIgnoreCase);
}

/// <summary>Creates the serializer of one content type.</summary>
internal sealed class FormatterSerializerFactory(string contentType, ContractRegistry contracts) : ISerializerFactory
{
    private readonly FormatterMessageSerializer _serializer = new(new ContentType(contentType), contracts);

    public ContentType ContentType => _serializer.ContentType;

    public IMessageSerializer CreateSerializer() => _serializer;

    public IMessageDeserializer CreateDeserializer() => _serializer;
}
