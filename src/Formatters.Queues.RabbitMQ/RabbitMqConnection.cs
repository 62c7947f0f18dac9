using System;
using System.Net.Sockets;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A connection whose loss is noticed immediately. Each operation ends with an answer, the loss of the connection, or the timeout.</summary>
/// <remarks>
/// Does not rely on the waits of RabbitMQ.Client: a publisher can wait forever on a connection whose writing half has failed. Automatic
/// recovery is off: the queue opens a new connection itself, and knows the outcome of each message.
/// </remarks>
internal sealed class RabbitMqConnection : IAsyncDisposable
{
    /// <summary>The largest message size that a broker can be configured for (<c>max_message_size</c>).</summary>
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

    /// <summary>Gets how long the broker may take to answer.</summary>
    internal TimeSpan Timeout { get; }

    internal string Product { get; }

    /// <summary>
    /// Gets a task that completes when the broker blocks the connection, as it does with senders when memory or disk is low; it stays completed while
    /// the connection is blocked.
    /// </summary>
    internal Task Blocked => _blocked.Task;

    /// <summary>Gets the largest frame that the broker accepts; 0 for no limit.</summary>
    internal uint MaxFrameByteCount => _connection.FrameMax;

    /// <summary>Gets a token that is canceled when the connection has ended for any reason.</summary>
    internal CancellationToken Lost => _lost.Token;

    /// <summary>Connects to the first available broker of the address; each attempt has the full timeout.</summary>
    internal static async Task<RabbitMqConnection> OpenAsync(RabbitMqAddress address, RabbitMqOptions options, TimeSpan timeout,
        CancellationToken cancellationToken)
    {
        for (int i = 0; ; i++)
        {
            try
            {
                return await OpenAsync(address, options, address.Hosts[i], timeout, cancellationToken).ConfigureAwait(false);
            }
            catch (QueueException) when (i + 1 < address.Hosts.Count)
            {
                // Tries the next broker.
            }
        }
    }

    private static async Task<RabbitMqConnection> OpenAsync(
        RabbitMqAddress address, RabbitMqOptions options, (string Name, int Port) host, TimeSpan timeout, CancellationToken cancellationToken)
    {
        // The broker counts as lost after three to four missed heartbeats (the client counts three whole ones after the last frame). This is within
        // the timeout, and also holds while a receive waits for a message. AMQP's heartbeat has whole seconds only.
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
            // Any message that the broker accepted must be receivable. By default the client ends the connection over a message of more than 64 MiB,
            // at each delivery.
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
            throw new QueueException($"'{address.Text}' cannot be reached: {ExplainOpening(address, options, tls, host, e, timeout)}", e)
            {
                IsUnreachable = true,
            };
        }
    }

    /// <summary>Runs an operation of the client until it ends, the connection ends, or the timeout expires.</summary>
    /// <param name="operation">The operation. It may continue in the background after a timeout.</param>
    /// <param name="what">A description for the exception, such as "count the messages".</param>
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
        // No rate limiter: the client's default one deliberately sleeps between publishes. The sender's window replaces it.
        var options = new CreateChannelOptions(
            publisherConfirmationsEnabled: confirms, publisherConfirmationTrackingEnabled: false, outstandingPublisherConfirmationsRateLimiter: null);
        Task<IChannel>? opening = null;
        try
        {
            // Not canceled after the request: the client would not free its channel number, of which a connection has 2,047.
            return await RunAsync(_ => opening = _connection.CreateChannelAsync(options, CancellationToken.None), what, cancellationToken)
                .ConfigureAwait(false);
        }
        catch when (opening is not null)
        {
            _ = CloseLateAsync(opening);
            throw;
        }
    }

    /// <summary>Closes a channel that opens after its caller has stopped waiting.</summary>
    private async Task CloseLateAsync(Task<IChannel> opening)
    {
        try
        {
            IChannel channel = await opening.ConfigureAwait(false);
            await RunAsync(token => channel.CloseAsync(token), "close a channel", CancellationToken.None).ConfigureAwait(false);
        }
        catch (Exception)
        {
            // It did not open, or the connection has ended.
        }
    }

    internal void ThrowIfLost(string what)
    {
        if (Lost.IsCancellationRequested)
            throw LostException(what, null);
    }

    /// <summary>Converts an exception of the client, or of a wait, into the exception for the caller.</summary>
    internal Exception Explain(Exception e, string what, CancellationToken cancellationToken)
    {
        switch (e)
        {
            case QueueException or ArgumentException or ObjectDisposedException { ObjectName: nameof(QueueClient) }:
                return e;
            case var _ when cancellationToken.IsCancellationRequested:
                return new OperationCanceledException(cancellationToken);
            case var _ when Lost.IsCancellationRequested:
                return LostException(what, e);
            case OperationCanceledException or TimeoutException:
                _isSilent = true;
                string because = _blockedReason is { } reason ? $" It has blocked this connection: {reason}." : "";
                return new QueueException(
                    FormattableString.Invariant(
                        $"Could not {what} at '{Address.Text}': the broker did not answer within {Timeout.TotalSeconds:0.###} s.{because}"), e)
                {
                    IsUnreachable = true,
                    Code = because.Length > 0 ? QueueErrorCode.Busy : QueueErrorCode.None,
                };
            case OperationInterruptedException { ShutdownReason: { } shutdown }:
                // What the broker ends is a channel, with its reason, or the connection: then no operation is to blame.
                return new QueueException($"Could not {what} at '{Address.Text}': {shutdown.ReplyText}", e)
                {
                    IsUnreachable = shutdown.Initiator != ShutdownInitiator.Peer || shutdown.ReplyCode == Constants.ConnectionForced,
                };
            default:
                return new QueueException($"Could not {what} at '{Address.Text}': {e.Message}", e) { IsUnreachable = e is System.IO.IOException };
        }
    }

    internal QueueException LostException(string what, Exception? inner)
    {
        // The client does not wait for the broker's verdict on the virtual host, which arrives as the end of the connection during the first
        // operation.
        if (_lostReason is { ReplyCode: Constants.NotAllowed })
            return new QueueException($"'{Address.Text}' cannot be reached: {ExplainVirtualHost(Address)}", inner) { IsUnreachable = true };
        // With the reply code, which says more than that a wait has ended.
        if (_lostReason is { } reason && (inner is null or OperationCanceledException))
            inner = new OperationInterruptedException(reason);
        return new QueueException($"Could not {what}: the connection to '{Address.Text}' was lost ({LostReason}).", inner) { IsUnreachable = true };
    }

    /// <summary>Gets whether the broker denied access, so that another connection would end in the same way.</summary>
    internal bool IsRefused => _lostReason is { ReplyCode: Constants.NotAllowed };

    /// <summary>Gets why the connection has ended.</summary>
    internal string LostReason => _lostReason switch
    {
        // The client has one type for a heartbeat that is missing and for a socket that the broker has closed.
        { Initiator: ShutdownInitiator.Library, Exception: System.IO.EndOfStreamException e } =>
            $"the broker does not answer or has ended the connection: {e.Message.TrimEnd('.')}",
        { ReplyText: { Length: > 0 } text } => text,
        _ => "no reason given",
    };

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) != 0)
            return;
        try
        {
            // Does not throw. Waits for the broker no longer than for any operation, and not at all if it is known not to answer.
            bool isGone = _isSilent || Lost.IsCancellationRequested;
            TimeSpan wait = isGone && Timeout > GoodbyeOfTheGone ? GoodbyeOfTheGone : Timeout;
            Task close = _connection.CloseAsync(Constants.ReplySuccess, "closed", wait, abort: true, CancellationToken.None);
            await close.WaitAsync(wait).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (close.IsCompleted)
                await _connection.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception e) when (e is OperationInterruptedException or ObjectDisposedException or System.IO.IOException
            or OperationCanceledException)
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
        string ended =
            $"the broker ended the secure connection: it may ask for a client certificate that it trusts "
            + $"({nameof(RabbitMqOptions)}.{nameof(RabbitMqOptions.ClientCertificates)}), "
            + $"or have refused user '{address.User}' or its password.";
        for (Exception? cause = e; cause is not null; cause = cause is AggregateException { InnerExceptions: [{ } first, ..] }
            ? first
            : cause.InnerException)
        {
            switch (cause)
            {
                case PossibleAuthenticationFailureException when tls is not null:
                    return ended;
                case AuthenticationFailureException or PossibleAuthenticationFailureException when options.AuthenticatesByCertificate:
                    return "the broker refused the client certificate as a user (plugin rabbitmq_auth_mechanism_ssl, auth_mechanisms, "
                        + "ssl_cert_login_from).";
                case AuthenticationFailureException or PossibleAuthenticationFailureException:
                    return $"the broker refused user '{address.User}' or its password (the user guest is accepted only from the broker's own "
                        + "machine).";
                case OperationInterruptedException { ShutdownReason.ReplyCode: Constants.NotAllowed }:
                    return ExplainVirtualHost(address);
                case OperationInterruptedException { ShutdownReason: { } shutdown }:
                    return shutdown.ReplyText;
                case SocketException { SocketErrorCode: SocketError.ConnectionReset or SocketError.ConnectionAborted }
                    or System.IO.IOException { InnerException: null } when tls is not null:
                    return ended;
                case SocketException socket:
                    return $"no broker listens at {host.Name} port {host.Port} ({socket.Message}). Is RabbitMQ started, and is the port its AMQP "
                        + "port?";
                case System.Security.Authentication.AuthenticationException failure:
                    return $"no secure connection: {tls?.Problem ?? failure.Message}";
                case OperationCanceledException or TimeoutException when cause.InnerException is null:
                    return FormattableString.Invariant($"no answer from {host.Name} port {host.Port} within {timeout.TotalSeconds:0.###} s.");
            }
        }

        // The exception of a connection that ends during its handshake depends on the moment.
        return tls is null ? e.Message : $"{ended} ({e.GetBaseException().Message})";
    }
}
