using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.Logging;

namespace Formatters.SignalR;

/// <summary>Checks that a message can be written before it is sent to clients: otherwise SignalR would end the connection of each of them, and the
/// sender would not know. The check writes the message, and takes place only while a client uses <see cref="FormatterHubProtocol"/>.</summary>
internal sealed class CheckedHubLifetimeManager<THub>(ILogger<DefaultHubLifetimeManager<THub>> logger, IEnumerable<IHubProtocol> protocols)
    : DefaultHubLifetimeManager<THub>(logger)
    where THub : Hub
{
    private readonly FormatterHubProtocol? _protocol = protocols.OfType<FormatterHubProtocol>().FirstOrDefault();
    private int _connectionCount;

    public override Task OnConnectedAsync(HubConnectionContext connection)
    {
        if (connection.Protocol is FormatterHubProtocol)
            Interlocked.Increment(ref _connectionCount);
        return base.OnConnectedAsync(connection);
    }

    public override Task OnDisconnectedAsync(HubConnectionContext connection)
    {
        if (connection.Protocol is FormatterHubProtocol)
            Interlocked.Decrement(ref _connectionCount);
        return base.OnDisconnectedAsync(connection);
    }

    public override Task SendAllAsync(string methodName, object?[] args, CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendAllAsync(methodName, args, cancellationToken);
    }

    public override Task SendAllExceptAsync(string methodName, object?[] args, IReadOnlyList<string> excludedConnectionIds,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendAllExceptAsync(methodName, args, excludedConnectionIds, cancellationToken);
    }

    public override Task SendConnectionAsync(string connectionId, string methodName, object?[] args, CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendConnectionAsync(connectionId, methodName, args, cancellationToken);
    }

    public override Task SendConnectionsAsync(IReadOnlyList<string> connectionIds, string methodName, object?[] args,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendConnectionsAsync(connectionIds, methodName, args, cancellationToken);
    }

    public override Task SendGroupAsync(string groupName, string methodName, object?[] args, CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendGroupAsync(groupName, methodName, args, cancellationToken);
    }

    public override Task SendGroupsAsync(IReadOnlyList<string> groupNames, string methodName, object?[] args,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendGroupsAsync(groupNames, methodName, args, cancellationToken);
    }

    public override Task SendGroupExceptAsync(string groupName, string methodName, object?[] args, IReadOnlyList<string> excludedConnectionIds,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendGroupExceptAsync(groupName, methodName, args, excludedConnectionIds, cancellationToken);
    }

    public override Task SendUserAsync(string userId, string methodName, object?[] args, CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendUserAsync(userId, methodName, args, cancellationToken);
    }

    public override Task SendUsersAsync(IReadOnlyList<string> userIds, string methodName, object?[] args,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.SendUsersAsync(userIds, methodName, args, cancellationToken);
    }

    public override Task<T> InvokeConnectionAsync<T>(string connectionId, string methodName, object?[] args,
        CancellationToken cancellationToken = default)
    {
        Check(methodName, args);
        return base.InvokeConnectionAsync<T>(connectionId, methodName, args, cancellationToken);
    }

    private void Check(string methodName, object?[] args)
    {
        if (Volatile.Read(ref _connectionCount) > 0)
            _protocol?.Check(methodName, args);
    }
}
