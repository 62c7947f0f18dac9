using System;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A connection whose end is noticed at once, and whose operations all end: by an answer, by the connection's end, or by the timeout.</summary>
/// <remarks>
/// RabbitMQ.Client's own waits are not relied on: a publisher can wait without end on a connection whose writing half has
/// failed. Its automatic recovery is off: the queue opens a new connection itself, and knows what happened to each message.
/// </remarks>
internal sealed class RabbitMqConnection : IAsyncDisposable
{
    /// <summary>The largest message that any broker can be told to take (its <c>max_message_size</c>).</summary>
    private const uint MaxMessageByteCount = 512 << 20;

    private static readonly TimeSpan GoodbyeOfTheGone = TimeSpan.FromSeconds(1);

    private readonly IConnection _connection;
    private readonly CancellationTokenSource _lost = new();
    private ShutdownEventArgs? _lostReason;
    private string? _blockedReason;
    private volatile TaskCompletionSource _blocked = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isSilent;
    private int _isDisposed;

    private RabbitMqConnection(RabbitMqAddress address, IConnection connection, TimeSpan timeout)
    {
        Address = address;
        Timeout = timeout;
        _connection = connection;
        Product = "RabbitMQ " + ServerVersion(connection);
        connection.ConnectionShutdownAsync += (_, reason) =>
        {
            _lostReason = reason;
            return _lost.CancelAsync();
        };
        connection.ConnectionBlockedAsync += (_, e) =>
        {
            _blockedReason = e.Reason;
            _blocked.TrySetResult();
            return Task.CompletedTask;
        };
        connection.ConnectionUnblockedAsync += (_, _) =>
        {
            _blockedReason = null;
            _blocked = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return Task.CompletedTask;
        };
    }

    internal RabbitMqAddress Address { get; }

    /// <summary>How long the broker may take for an answer.</summary>
    internal TimeSpan Timeout { get; }

    internal string Product { get; }

    /// <summary>Completes when the broker blocks the connection, as it does with those that send while it is short of memory or disk; completed for
    /// as long as it is blocked.</summary>
    internal Task Blocked => _blocked.Task;

    /// <summary>The largest frame that the broker takes; 0 for any.</summary>
    internal uint MaxFrameByteCount => _connection.FrameMax;

    /// <summary>Cancelled when the connection has ended, for whatever reason.</summary>
    internal CancellationToken Lost => _lost.Token;

    /// <summary>Connects to the first broker of the address that takes the connection; each may take the timeout.</summary>
    internal static async Task<RabbitMqConnection> OpenAsync(RabbitMqAddress address, RabbitMqOptions options, TimeSpan timeout, CancellationToken cancellationToken)
    {
        for (int i = 0; ; i++)
        {
            try
            {
                return await OpenAsync(address, options, address.Hosts[i], timeout, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException) when (i + 1 < address.Hosts.Count)
            {
                // The next one may be there.
            }
        }
    }

    private static async Task<RabbitMqConnection> OpenAsync(
        RabbitMqAddress address, RabbitMqOptions options, (string Name, int Port) host, TimeSpan timeout, CancellationToken cancellationToken)
    {
        // The broker is lost after three to four silent heartbeats (the client counts three whole ones after that of the last frame): within
        // the timeout, also while nobody waits for an answer but a receiver for a message. AMQP knows whole seconds only.
        TimeSpan heartbeat = TimeSpan.FromSeconds(Math.Clamp(Math.Floor(timeout.TotalSeconds / 4), 1, 60));
        var factory = new ConnectionFactory
        {
            HostName = host.Name,
            Port = host.Port,
            UserName = address.User,
            Password = address.Password,
            VirtualHost = address.VirtualHost,
            AutomaticRecoveryEnabled = false,
            TopologyRecoveryEnabled = false,
            RequestedConnectionTimeout = timeout,
            ContinuationTimeout = timeout,
            HandshakeContinuationTimeout = timeout,
            RequestedHeartbeat = heartbeat,
            ClientProvidedName = "Formatters.Queues",
            // What the broker takes comes out again: the client would end the connection over a message of more than 64 MiB, each time it comes.
            MaxInboundMessageBodySize = MaxMessageByteCount,
        };
        RabbitMqTls? tls = address.IsTls ? new RabbitMqTls(options) : null;
        if (tls is not null)
            factory.Ssl = tls.OptionFor(host.Name);
        if (options.AuthenticatesByCertificate)
            factory.AuthMechanisms = [new ExternalMechanismFactory()];

        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        stop.CancelAfter(timeout);
        try
        {
            IConnection connection = await factory.CreateConnectionAsync(stop.Token).WaitAsync(stop.Token).ConfigureAwait(false);
            return new RabbitMqConnection(address, connection, timeout);
        }
        catch (Exception) when (cancellationToken.IsCancellationRequested)
        {
            throw new OperationCanceledException(cancellationToken);
        }
        catch (Exception e)
        {
            throw new QueueException($"'{address.Text}' cannot be reached: {ExplainOpening(address, options, tls, host, e, timeout)}", e);
        }
    }

    /// <summary>Runs an operation of the client until it ends, the connection ends, or the time is over.</summary>
    /// <param name="operation">The operation. It may go on in the background after a timeout.</param>
    /// <param name="what">What it does, for the exception: "count the messages".</param>
    /// <param name="cancellationToken">Cancels the wait.</param>
    internal async Task<T> RunAsync<T>(Func<CancellationToken, Task<T>> operation, string what, CancellationToken cancellationToken)
    {
        ThrowIfLost(what);
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, Lost);
        stop.CancelAfter(Timeout);
        try
        {
            T result = await operation(stop.Token).WaitAsync(stop.Token).ConfigureAwait(false);
            _isSilent = false;
            return result;
        }
        catch (Exception e)
        {
            throw Explain(e, what, cancellationToken);
        }
    }

    internal Task RunAsync(Func<CancellationToken, Task> operation, string what, CancellationToken cancellationToken) =>
        RunAsync(
            async token =>
            {
                await operation(token).ConfigureAwait(false);
                return true;
            },
            what,
            cancellationToken);

    internal async Task<IChannel> OpenChannelAsync(bool confirms, string what, CancellationToken cancellationToken)
    {
        // No rate limiter: the client's default one sleeps between publishes on purpose. The window of the sender stands in its place.
        var options = new CreateChannelOptions(
            publisherConfirmationsEnabled: confirms, publisherConfirmationTrackingEnabled: false, outstandingPublisherConfirmationsRateLimiter: null);
        Task<IChannel>? opening = null;
        try
        {
            // Not cancelled once it is asked for: the client would keep its number, of which a connection has 2,047.
            return await RunAsync(_ => opening = _connection.CreateChannelAsync(options, CancellationToken.None), what, cancellationToken).ConfigureAwait(false);
        }
        catch when (opening is not null)
        {
            _ = CloseLateAsync(opening);
            throw;
        }
    }

    /// <summary>Closes a channel that comes when nobody waits for it any more.</summary>
    private async Task CloseLateAsync(Task<IChannel> opening)
    {
        try
        {
            IChannel channel = await opening.ConfigureAwait(false);
            await RunAsync(token => channel.CloseAsync(token), "close a channel", CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It has not come, or the connection has ended.
        }
    }

    internal void ThrowIfLost(string what)
    {
        if (Lost.IsCancellationRequested)
            throw LostException(what, null);
    }

    /// <summary>What an exception of the client, or of a wait, is for the caller.</summary>
    internal Exception Explain(Exception e, string what, CancellationToken cancellationToken)
    {
        switch (e)
        {
            case QueueException or ArgumentException or ObjectDisposedException { ObjectName: nameof(IMessageQueue) }:
                return e;
            case var _ when cancellationToken.IsCancellationRequested:
                return new OperationCanceledException(cancellationToken);
            case var _ when Lost.IsCancellationRequested:
                return LostException(what, e);
            case OperationCanceledException or TimeoutException:
                _isSilent = true;
                string because = _blockedReason is { } reason ? $" It has blocked this connection: {reason}." : "";
                return new QueueException(
                    FormattableString.Invariant($"Could not {what} at '{Address.Text}': the broker did not answer within {Timeout.TotalSeconds:0.###} s.{because}"), e);
            case OperationInterruptedException { ShutdownReason: { } shutdown }:
                return new QueueException($"Could not {what} at '{Address.Text}': {shutdown.ReplyText}", e);
            default:
                return new QueueException($"Could not {what} at '{Address.Text}': {e.Message}", e);
        }
    }

    internal QueueException LostException(string what, Exception? inner)
    {
        // The client does not wait for the broker's word on the virtual host: it comes as the connection's end, during the first operation.
        if (_lostReason is { ReplyCode: Constants.NotAllowed })
            return new QueueException($"'{Address.Text}' cannot be reached: {ExplainVirtualHost(Address)}", inner);
        return new QueueException($"Could not {what}: the connection to '{Address.Text}' was lost ({LostReason}).", inner);
    }

    /// <summary>Whether the broker has ended the connection because it may not be: another one would end like it.</summary>
    internal bool IsRefused => _lostReason is { ReplyCode: Constants.NotAllowed };

    /// <summary>Why the connection has ended.</summary>
    internal string LostReason =>
        IsHeartbeatMissing ? "the broker does not answer" : _lostReason?.ReplyText is { Length: > 0 } text ? text : "no reason given";

    // The client has no code of its own for it: "End of stream", as when the broker closes the socket, and a text.
    private bool IsHeartbeatMissing =>
        _lostReason is { Initiator: ShutdownInitiator.Library, Exception: System.IO.EndOfStreamException e } && e.Message.StartsWith("Heartbeat missing", StringComparison.Ordinal);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        try
        {
            // Does not throw; a broker that does not answer is not waited for longer than any operation, and not again if that is known.
            bool isGone = _isSilent || Lost.IsCancellationRequested;
            TimeSpan wait = isGone && Timeout > GoodbyeOfTheGone ? GoodbyeOfTheGone : Timeout;
            Task close = _connection.CloseAsync(Constants.ReplySuccess, "closed", wait, abort: true, CancellationToken.None);
            await close.WaitAsync(wait).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (close.IsCompleted)
                await _connection.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationInterruptedException or ObjectDisposedException or System.IO.IOException or OperationCanceledException)
        {
            // Closed already.
        }
    }

    private static string ExplainVirtualHost(RabbitMqAddress address) =>
        $"the broker has no virtual host '{address.VirtualHost}', or user '{address.User}' has no access to it.";

    private static string ServerVersion(IConnection connection) =>
        connection.ServerProperties is { } properties && properties.TryGetValue("version", out object? value) && value is byte[] version
            ? Encoding.UTF8.GetString(version)
            : "of unknown version";

    private static string ExplainOpening(
        RabbitMqAddress address, RabbitMqOptions options, RabbitMqTls? tls, (string Name, int Port) host, Exception e, TimeSpan timeout)
    {
        string ended = $"the broker ended the secure connection: it may ask for a client certificate that it trusts ({nameof(RabbitMqOptions)}.{nameof(RabbitMqOptions.ClientCertificates)}), "
            + $"or have refused user '{address.User}' or its password.";
        for (Exception? cause = e; cause is not null; cause = cause is AggregateException { InnerExceptions: [{ } first, ..] } ? first : cause.InnerException)
        {
            switch (cause)
            {
                case PossibleAuthenticationFailureException when tls is not null:
                    return ended;
                case AuthenticationFailureException or PossibleAuthenticationFailureException when options.AuthenticatesByCertificate:
                    return "the broker refused the client certificate as a user (plugin rabbitmq_auth_mechanism_ssl, auth_mechanisms, ssl_cert_login_from).";
                case AuthenticationFailureException or PossibleAuthenticationFailureException:
                    return $"the broker refused user '{address.User}' or its password (the user guest is accepted only from the broker's own machine).";
                case OperationInterruptedException { ShutdownReason.ReplyCode: Constants.NotAllowed }:
                    return ExplainVirtualHost(address);
                case OperationInterruptedException { ShutdownReason: { } shutdown }:
                    return shutdown.ReplyText;
                case SocketException { SocketErrorCode: SocketError.ConnectionReset or SocketError.ConnectionAborted } or System.IO.IOException { InnerException: null } when tls is not null:
                    return ended;
                case SocketException socket:
                    return $"no broker listens at {host.Name} port {host.Port} ({socket.Message}). Is RabbitMQ started, and is the port its AMQP port?";
                case System.Security.Authentication.AuthenticationException failure:
                    return $"no secure connection: {tls?.Problem ?? failure.Message}";
                case OperationCanceledException or TimeoutException when cause.InnerException is null:
                    return FormattableString.Invariant($"no answer from {host.Name} port {host.Port} within {timeout.TotalSeconds:0.###} s.");
            }
        }

        // What a connection that ends in its handshake throws depends on the moment.
        return tls is null ? e.Message : $"{ended} ({e.GetBaseException().Message})";
    }
}
