using System;
using Formatters;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.Rebus;
using Rebus.Serialization;

namespace Rebus.Config;

/// <summary>Configures Rebus to write and read bodies with formatters.</summary>
public static class RebusFormattersExtensions
{
    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with the serializer that is configured
    /// besides.</summary>
    /// <param name="configurer">Rebus's configuration of serialization.</param>
    /// <param name="format">The wire format of the types that are added without a formatter.</param>
    /// <param name="configure">Adds the types that are received; null for none. Types with <see cref="MessageContractAttribute"/> are sent without
    /// being added.</param>
    /// <exception cref="ArgumentNullException"><paramref name="configurer"/> or <paramref name="format"/> is null.</exception>
    /// <example><code>
    /// Configure.With(activator)
    ///     .Serialization(s => s.UseFormatters(WireFormat.MessagePack, contracts => contracts.Add&lt;OrderPlaced&gt;()))
    /// </code></example>
    /// <inheritdoc cref="UseFormatters(StandardConfigurer{ISerializer}, ContractRegistry)" path="/remarks"/>
    public static void UseFormatters(
        this StandardConfigurer<ISerializer> configurer, WireFormat format, Action<ContractRegistry>? configure = null)
    {
        var contracts = new ContractRegistry(format);
        configure?.Invoke(contracts);
        configurer.UseFormatters(contracts);
    }

    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with the serializer that is configured
    /// besides.</summary>
    /// <param name="configurer">Rebus's configuration of serialization.</param>
    /// <param name="contracts">The contracts.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <remarks>
    /// <para>A body of a formatter has its content type in <c>rbs2-content-type</c> and its contract name in
    /// <see cref="ContractNames.HeaderName"/>. Messages without that header are read by the other serializer (System.Text.Json, unless another one is
    /// configured), so that senders can be changed one after the other.</para>
    /// <para>A body that can never be read fails with <see cref="Exceptions.FailFastException"/>, so that Rebus moves the message to its error
    /// queue at once. An unknown contract name and an exceeded limit fail with <see cref="MessageFormatException"/>, which Rebus tries again as
    /// usual before it moves the message.</para>
    /// </remarks>
    public static void UseFormatters(this StandardConfigurer<ISerializer> configurer, ContractRegistry contracts)
    {
        ArgumentNullException.ThrowIfNull(configurer);
        ArgumentNullException.ThrowIfNull(contracts);
        configurer.Decorate(
            c => new FormatterSerializer(c.Get<ISerializer>(), contracts, c.Get<IMessageTypeNameConvention>()),
            $"Formatters ({contracts.Format})");
    }
}
