using System;
using Azure.Messaging.ServiceBus;

namespace Formatters.Queues.ServiceBus;

/// <summary>
/// The parts of <c>sb://[key-name:key@]namespace/entity</c>, <c>sb-emulator://[key-name:key@]host[:port]/entity</c> or <c>servicebus:entity</c>.
/// </summary>
internal sealed record ServiceBusAddress
{
    internal const string DeadLetterName = "$DeadLetterQueue";
    internal const string EmulatorScheme = "sb-emulator";

    private const string Subscriptions = "/Subscriptions/";
    private const string DeadLetterSuffix = "/" + DeadLetterName;

    private ServiceBusAddress(QueueAddress address, string entityPath, string? connectionString, string namespaceName)
    {
        Address = address;
        EntityPath = entityPath;
        ConnectionString = connectionString;
        NamespaceName = namespaceName;
    }

    /// <summary>Gets the address, with the name of the entity.</summary>
    internal QueueAddress Address { get; }

    /// <summary>Gets the path of the entity: <c>orders</c>, <c>topic/Subscriptions/name</c>, <c>orders/$DeadLetterQueue</c>.</summary>
    internal string EntityPath { get; }

    /// <summary>Gets the connection string; null for a namespace with a credential.</summary>
    internal string? ConnectionString { get; }

    /// <summary>Gets the namespace, with the port if it has one.</summary>
    internal string NamespaceName { get; }

    /// <summary>Gets whether the entity is the dead-letter queue of another.</summary>
    internal bool IsDeadLetterQueue => EntityPath.EndsWith(DeadLetterSuffix, StringComparison.OrdinalIgnoreCase);

    /// <summary>Gets the path without <c>/$DeadLetterQueue</c>.</summary>
    internal string MainPath => IsDeadLetterQueue ? EntityPath[..^DeadLetterSuffix.Length] : EntityPath;

    /// <summary>Gets the topic and the subscription; null for a queue.</summary>
    internal (string Topic, string Name)? Subscription =>
        MainPath.IndexOf(Subscriptions, StringComparison.OrdinalIgnoreCase) is > 0 and var at
        ? (MainPath[..at], MainPath[(at + Subscriptions.Length)..])
        : null;

    internal static ServiceBusAddress Parse(QueueAddress address, ServiceBusOptions options)
    {
        ServiceBusAddress own = ParseNamespaceOrEntity(address, options);
        return own.EntityPath.Length > 0 ? own : throw Wrong(address);
    }

    /// <summary>Parses an address that may lack an entity: <see cref="EntityPath"/> is empty then.</summary>
    internal static ServiceBusAddress ParseNamespaceOrEntity(QueueAddress address, ServiceBusOptions options)
    {
        if (address is null)
            throw new ArgumentNullException(nameof(address));
        Uri uri = address.Uri;
        bool isShort = address.Scheme == "servicebus" && uri.Host.Length == 0;
        bool isNamed = address.Scheme is "sb" or EmulatorScheme or "servicebus" && uri.Host.Length > 0 && address.OtherHosts.Count == 0;
        string path = Uri.UnescapeDataString(uri.AbsolutePath).Trim('/');
        if ((!isShort && !isNamed) || uri.Query.Length > 0 || uri.Fragment.Length > 0 || path.Contains("//", StringComparison.Ordinal))
            throw Wrong(address);
        return isShort ? WithConnectionString(address, path, options) : WithNamespace(address, path, options);
    }

    /// <summary>Returns another entity of the same namespace.</summary>
    internal ServiceBusAddress WithEntity(string path, QueueAddress? address = null)
    {
        if (address is null)
        {
            string text = Address.Uri.OriginalString;
            int start = text.IndexOf("://", StringComparison.Ordinal) is >= 0 and var slashes
                ? text.IndexOf('/', slashes + 3)
                : text.IndexOf(':', StringComparison.Ordinal);
            string escaped = string.Join('/', Array.ConvertAll(path.Split('/'), Uri.EscapeDataString));
            address = QueueAddress.Parse(text[..(start + 1)] + escaped);
        }

        return new ServiceBusAddress(address, path, ConnectionString, NamespaceName);
    }

    private static ServiceBusAddress WithConnectionString(QueueAddress address, string path, ServiceBusOptions options)
    {
        if (options.ConnectionString is null)
            throw new FormatException(
                $"'{address}' has no namespace: set {nameof(ServiceBusOptions)}.{nameof(ServiceBusOptions.ConnectionString)}, or write "
                + "sb://key-name:key@namespace/entity.");
        ServiceBusConnectionStringProperties parts;
        try
        {
            parts = ServiceBusConnectionStringProperties.Parse(options.ConnectionString);
        }
        catch (Exception e) when (e is FormatException or ArgumentException)
        {
            // The exception of the client may repeat the key.
            throw new FormatException($"'{address}': the connection string is not one of Service Bus: Endpoint=sb://…;SharedAccessKeyName=…;…");
        }

        if (path.Length == 0 && parts.EntityPath is { Length: > 0 } entity)
        {
            path = entity;
            address = QueueAddress.Parse("servicebus:" + string.Join('/', Array.ConvertAll(entity.Split('/'), Uri.EscapeDataString)));
        }

        if (parts.EntityPath is { Length: > 0 } only && !$"{path}/".StartsWith($"{only}/", StringComparison.OrdinalIgnoreCase))
            throw new FormatException($"'{address}': the connection string is for the entity '{only}' only (EntityPath).");
        return new ServiceBusAddress(address, path, options.ConnectionString, parts.Endpoint?.Authority ?? parts.FullyQualifiedNamespace);
    }

    private static ServiceBusAddress WithNamespace(QueueAddress address, string path, ServiceBusOptions options)
    {
        Uri uri = address.Uri;
        string host = uri.Port > 0 ? $"{uri.IdnHost}:{uri.Port}" : uri.IdnHost;
        bool isEmulator = address.Scheme == EmulatorScheme;
        if (uri.UserInfo.Split(':', 2) is [{ Length: > 0 } keyName, { Length: > 0 } key])
        {
            string text = $"Endpoint=sb://{host}/;SharedAccessKeyName={Uri.UnescapeDataString(keyName)};SharedAccessKey={Uri.UnescapeDataString(key)}"
                + (isEmulator ? ";UseDevelopmentEmulator=true" : "");
            return new ServiceBusAddress(address, path, text, host);
        }

        if (uri.UserInfo.Length > 0)
            throw Wrong(address);
        if (options.Credential is not null && !isEmulator)
            return new ServiceBusAddress(address, path, null, host);
        throw new FormatException(
            $"'{address}' has no key: write sb://key-name:key@namespace/entity (percent-encoded: %2F for a slash, %2B for a plus), set "
            + $"{nameof(ServiceBusOptions)}.{nameof(ServiceBusOptions.Credential)}, or use servicebus:entity with "
            + $"{nameof(ServiceBusOptions)}.{nameof(ServiceBusOptions.ConnectionString)}.");
    }

    private static FormatException Wrong(QueueAddress address) => new(
        $"'{address}' is not the address of a Service Bus entity. The form is sb://[key-name:key@]namespace/entity, "
        + $"{EmulatorScheme}://key-name:key@host[:port]/entity or servicebus:entity; a subscription is topic/Subscriptions/name, and the dead "
        + $"letters of an entity are entity/{DeadLetterName}.");
}
