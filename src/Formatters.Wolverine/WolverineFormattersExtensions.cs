using System;
using System.Collections.Generic;
using System.Linq;
using Formatters;
using Formatters.Hosting;
using Formatters.Hosting.Buses;
using Formatters.Wolverine;
using Wolverine.Runtime.Serialization;

namespace Wolverine;

/// <summary>Configures Wolverine to write and read bodies with formatters.</summary>
public static class WolverineFormattersExtensions
{
    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with Wolverine's default serializer.</summary>
    /// <param name="options">The options of Wolverine.</param>
    /// <param name="format">The wire format of the types that are added without a formatter.</param>
    /// <param name="configure">Adds types; null for none. Types with <see cref="MessageContractAttribute"/> need not be added.</param>
    /// <exception cref="ArgumentNullException"><paramref name="options"/> or <paramref name="format"/> is null.</exception>
    /// <example><code>
    /// builder.UseWolverine(opts => opts.UseFormatters(WireFormat.MessagePack));
    /// </code></example>
    /// <inheritdoc cref="UseFormatters(WolverineOptions, ContractRegistry)" path="/remarks"/>
    public static void UseFormatters(this WolverineOptions options, WireFormat format, Action<ContractRegistry>? configure = null)
    {
        var contracts = new ContractRegistry(format);
        configure?.Invoke(contracts);
        options.UseFormatters(contracts);
    }

    /// <summary>Writes and reads the bodies of known contracts with formatters, and all others with Wolverine's default serializer.</summary>
    /// <param name="options">The options of Wolverine. Configure another default serializer before.</param>
    /// <param name="contracts">The contracts. Add types with formatters of their own before.</param>
    /// <exception cref="ArgumentNullException">An argument is null.</exception>
    /// <exception cref="ArgumentException">A type has an untyped formatter, which does not tell its content type.</exception>
    /// <remarks>
    /// <para>The content type of a message is that of the formatter, and the contract name is in the header <see cref="ContractNames.HeaderName"/>.
    /// Messages without it are read as before, so that senders can be changed one after the other. A serializer that is set for one endpoint
    /// (<c>DefaultSerializer</c>) does not apply to messages of known contracts.</para>
    /// <para>A message with a contract name needs no message type of Wolverine, if the type was added.</para>
    /// <para>A body that cannot be read fails with <see cref="WolverineSerializationException"/>, and Wolverine moves the message to its dead
    /// letters. An endpoint without persistence, whose transport has no dead-letter queue, has none: Wolverine then logs the message and drops
    /// it.</para>
    /// </remarks>
    public static void UseFormatters(this WolverineOptions options, ContractRegistry contracts)
    {
        ArgumentNullException.ThrowIfNull(options);
        ArgumentNullException.ThrowIfNull(contracts);
        if (contracts.Contracts.FirstOrDefault(static contract => contract.ContentTypes.Count == 0) is { } untyped)
        {
            throw new ArgumentException(
                $"The formatter of {untyped.PayloadType} does not tell its content type, by which Wolverine finds it: use a MessageFormatter<T>, "
                + "or a FormatterRegistry of such formatters.", nameof(contracts));
        }

        IMessageSerializer fallback = options.DefaultSerializer;
        foreach (string contentType in ContentTypesOf(contracts, fallback))
            options.AddSerializer(new FormatterMessageSerializer(contentType, contracts, fallback));
        options.MetadataRules.Add(new ContractRule(contracts));
    }

    private static IEnumerable<string> ContentTypesOf(ContractRegistry contracts, IMessageSerializer fallback) => WireFormat.All
        .Select(static format => format.ContentType)
        .Concat([ContentTypes.Signed, ContentTypes.Encrypted, ContentTypes.Compressed, ContentTypes.Batch])
        .Concat(contracts.Contracts.SelectMany(static contract => contract.ContentTypes))
        // JSON that is not the fallback's is not Wolverine's: it stays with its serializer.
        .Where(contentType => contentType != ContentTypes.Json || fallback.ContentType == ContentTypes.Json)
        .Distinct(StringComparer.Ordinal);
}
