using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Threading.Tasks;
using Azure.Messaging.ServiceBus;
using Azure.Messaging.ServiceBus.Administration;

namespace Formatters.Queues.ServiceBus;

/// <summary>The client of a namespace: one connection for all handles of a provider that use it.</summary>
internal sealed class ServiceBusNamespace : IAsyncDisposable
{
    private static readonly TimeSpan LongestTry = TimeSpan.FromHours(1);

    private readonly Pool _pool;
    private readonly (string, TimeSpan) _key;
    private int _handleCount;

    private ServiceBusNamespace(Pool pool, (string, TimeSpan) key, ServiceBusAddress address, ServiceBusOptions options, TimeSpan timeout)
    {
        _pool = pool;
        _key = key;
        Address = address;
        Options = options;
        Timeout = timeout > LongestTry ? LongestTry : timeout;
        Client = CreateClient(crossesEntities: false);
        Administration = new Lazy<ServiceBusAdministrationClient>(CreateAdministration);
    }

    internal ServiceBusAddress Address { get; }

    internal ServiceBusOptions Options { get; }

    internal TimeSpan Timeout { get; }

    internal ServiceBusClient Client { get; }

    internal Lazy<ServiceBusAdministrationClient> Administration { get; }

    /// <summary>Gets the receiving sides of the handles and transactions in use: the service does not tell what is locked.</summary>
    internal ConcurrentDictionary<ServiceBusInbox, byte> Inboxes { get; } = new();

    /// <summary>Creates a client with a connection of its own. It does not retry: a repeated send could be a second one.</summary>
    internal ServiceBusClient CreateClient(bool crossesEntities)
    {
        var options = new ServiceBusClientOptions
        {
            EnableCrossEntityTransactions = crossesEntities,
            RetryOptions = { MaxRetries = 0, TryTimeout = Timeout },
        };
        return Address.ConnectionString is { } text
            ? new ServiceBusClient(text, options)
            : new ServiceBusClient(Address.NamespaceName, Options.Credential!, options);
    }

    /// <summary>Begins the use of a further handle.</summary>
    internal ServiceBusNamespace Share()
    {
        _pool.Share(this);
        return this;
    }

    /// <summary>Ends the use of a handle; the last one closes the connection.</summary>
    public ValueTask DisposeAsync() => _pool.Release(this) ? new ValueTask(ConnectionThread.LeaveAsync(Client.DisposeAsync())) : default;

    private ServiceBusAdministrationClient CreateAdministration()
    {
        var options = new ServiceBusAdministrationClientOptions();
        options.Retry.MaxRetries = 1;
        options.Retry.Delay = TimeSpan.FromMilliseconds(100);
        options.Retry.NetworkTimeout = Timeout;
        return (Options.AdministrationConnectionString ?? Address.ConnectionString) is { } text
            ? new ServiceBusAdministrationClient(text, options)
            : new ServiceBusAdministrationClient(Address.NamespaceName, Options.Credential!, options);
    }

    /// <summary>Shares the connection of each namespace between the handles that use it.</summary>
    internal sealed class Pool(ServiceBusOptions options)
    {
        private readonly Dictionary<(string, TimeSpan), ServiceBusNamespace> _namespaces = [];

        internal ServiceBusNamespace Take(ServiceBusAddress address, TimeSpan timeout)
        {
            (string, TimeSpan) key = (address.ConnectionString ?? address.NamespaceName, timeout);
            lock (_namespaces)
            {
                if (!_namespaces.TryGetValue(key, out ServiceBusNamespace? found))
                    _namespaces.Add(key, found = new ServiceBusNamespace(this, key, address, options, timeout));
                found._handleCount++;
                return found;
            }
        }

        internal void Share(ServiceBusNamespace used)
        {
            lock (_namespaces)
                used._handleCount++;
        }

        internal bool Release(ServiceBusNamespace used)
        {
            lock (_namespaces)
                return --used._handleCount == 0 && _namespaces.Remove(used._key);
        }
    }
}
