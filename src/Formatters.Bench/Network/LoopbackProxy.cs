using System.Buffers;
using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;

namespace Formatters.Bench.Network;

/// <summary>The delay and bandwidth of a link between two machines.</summary>
/// <param name="Delay">How long a byte is under way, in each direction; kept to about a millisecond.</param>
/// <param name="BytesPerSecond">How many bytes a second pass in each direction, all connections together.</param>
internal sealed record LinkSpeed(TimeSpan Delay, double BytesPerSecond)
{
    /// <summary>Fast Ethernet, 100 Mbit/s, as between the machines of 1998.</summary>
    internal static LinkSpeed FastEthernet { get; } = new(TimeSpan.FromMilliseconds(1), 12.5e6);

    public override string ToString() =>
        string.Create(CultureInfo.InvariantCulture, $"{Delay.TotalMilliseconds:0.###} ms and {BytesPerSecond / 1e6:0.###} MB/s each way");
}

/// <summary>A server as if on another machine: a proxy on loopback that passes bytes on as a link with delay and bandwidth would, and counts
/// them.</summary>
internal sealed class LoopbackProxy : IAsyncDisposable
{
    private const int ChunkByteCount = 16 << 10;

    // As what a socket would have under way: beyond that the sender waits.
    private const int MaxChunks = 64;

    private readonly string _host;
    private readonly int _port;
    private readonly Link _toServer;
    private readonly Link _toClient;
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly HashSet<Socket> _sockets = [];
    private readonly Task _accepting;
    private bool _isConnected;

    private LoopbackProxy(string host, int port, LinkSpeed speed, bool isConnected)
    {
        (_host, _port, _isConnected, Speed) = (host, port, isConnected, speed);
        (_toServer, _toClient) = (new Link(speed), new Link(speed));
        _listener.Start();
        Port = ((IPEndPoint)_listener.LocalEndpoint).Port;
        _accepting = AcceptAsync();
    }

    /// <summary>Gets where it listens.</summary>
    internal int Port { get; }

    internal LinkSpeed Speed { get; }

    /// <summary>Gets how many bytes went to the server up to now.</summary>
    internal long ByteCountToServer => _toServer.ByteCount;

    /// <summary>Gets how many came from it.</summary>
    internal long ByteCountToClient => _toClient.ByteCount;

    /// <summary>Puts a proxy before the server of queues.</summary>
    /// <param name="addresses">One address or several of one server.</param>
    /// <param name="speed">What the link is like.</param>
    /// <param name="isConnected">Whether connections are taken from the beginning; else from <see cref="Connect"/> on.</param>
    /// <exception cref="UsageException">The queues have no server, or one that cannot be reached through a proxy.</exception>
    internal static LoopbackProxy Before(string addresses, LinkSpeed speed, bool isConnected = true)
    {
        IReadOnlyList<QueueAddress> list = QueueAddress.ParseList(addresses);
        if (WhyNot(list) is { } reason)
            throw new UsageException($"'{list[0]}' cannot be reached through a proxy: {reason}.");
        return new LoopbackProxy(list[0].Uri.Host, PortOf(list[0]), speed, isConnected);
    }

    /// <summary>Returns why queues cannot be reached through a proxy; null if they can.</summary>
    internal static string? WhyNot(IReadOnlyList<QueueAddress> list) =>
        list.Any(address => address.Scheme is not ("amqp" or "postgres" or "postgresql"))
            ? "only queues of RabbitMQ (amqp:) and PostgreSQL (postgres:) have a server that can be reached over a network"
        : list.Any(address => address.OtherHosts.Count > 0) ? "it has several hosts"
        : list.Any(address => address.Uri.Host != list[0].Uri.Host || PortOf(address) != PortOf(list[0])) ? "the queues have several servers"
        : null;

    /// <summary>The port of a queue's server.</summary>
    internal static int PortOf(QueueAddress address) => address.Uri.Port > 0 ? address.Uri.Port : address.Scheme == "amqp" ? 5672 : 5432;

    /// <summary>The same queues, by way of the proxy.</summary>
    internal string Rewrite(string addresses) =>
        string.Join(',', QueueAddress.ParseList(addresses)
            .Select(address => new UriBuilder(address.Uri) { Host = "127.0.0.1", Port = Port }.Uri.AbsoluteUri));

    /// <summary>Connects what was not connected.</summary>
    internal void Connect() => Volatile.Write(ref _isConnected, true);

    /// <summary>Returns how long a byte takes there and back over a link: measured, since timers are coarse.</summary>
    internal static async Task<TimeSpan> MeasureRoundTripAsync(LinkSpeed speed, CancellationToken cancellationToken)
    {
        const int Count = 15;
        using var echo = new TcpListener(IPAddress.Loopback, 0);
        echo.Start();
        await using var proxy = new LoopbackProxy("127.0.0.1", ((IPEndPoint)echo.LocalEndpoint).Port, speed, isConnected: true);
        using var client = new TcpClient { NoDelay = true };
        await client.ConnectAsync(IPAddress.Loopback, proxy.Port, cancellationToken);
        using TcpClient server = await echo.AcceptTcpClientAsync(cancellationToken);
        server.NoDelay = true;
        byte[] one = new byte[1];
        var times = new double[Count];
        for (int i = 0; i < Count; i++)
        {
            long start = System.Diagnostics.Stopwatch.GetTimestamp();
            await client.GetStream().WriteAsync(one, cancellationToken);
            await server.GetStream().ReadExactlyAsync(one, cancellationToken);
            await server.GetStream().WriteAsync(one, cancellationToken);
            await client.GetStream().ReadExactlyAsync(one, cancellationToken);
            times[i] = System.Diagnostics.Stopwatch.GetElapsedTime(start).TotalMilliseconds;
        }

        return TimeSpan.FromMilliseconds(Measurement.Statistics.Of(times).Median);
    }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        lock (_sockets)
        {
            foreach (Socket socket in _sockets)
                socket.Dispose();
        }

        await _accepting;
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        try
        {
            while (true)
            {
                Socket client = await _listener.AcceptSocketAsync(_end.Token);
                if (Volatile.Read(ref _isConnected))
                {
                    connections.RemoveAll(static connection => connection.IsCompleted);
                    connections.Add(ConnectAsync(client));
                }
                else
                {
                    client.Dispose();
                }
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            await Task.WhenAll(connections);
        }
    }

    private async Task ConnectAsync(Socket client)
    {
        using var server = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        client.NoDelay = true;
        lock (_sockets)
        {
            _sockets.Add(client);
            _sockets.Add(server);
        }

        try
        {
            await server.ConnectAsync(_host, _port, _end.Token);
            await Task.WhenAll(PumpAsync(client, server, _toServer), PumpAsync(server, client, _toClient));
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // As over a network: the other end sees its connection end.
        }
        finally
        {
            client.Dispose();
            lock (_sockets)
            {
                _sockets.Remove(client);
                _sockets.Remove(server);
            }
        }
    }

    /// <summary>Carries one direction of a connection, and ends the other end when this one ends.</summary>
    private async Task PumpAsync(Socket from, Socket to, Link link)
    {
        var channel = Channel.CreateBounded<(byte[] Buffer, int ByteCount, long Due)>(new BoundedChannelOptions(MaxChunks) { SingleReader = true,
            SingleWriter = true });
        Task writing = WriteAsync();
        try
        {
            while (true)
            {
                byte[] buffer = ArrayPool<byte>.Shared.Rent(ChunkByteCount);
                int byteCount = await from.ReceiveAsync(buffer.AsMemory(0, ChunkByteCount), _end.Token);
                if (byteCount == 0)
                    break;
                await channel.Writer.WriteAsync((buffer, byteCount, link.Take(byteCount)), _end.Token);
            }
        }
        catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException or ChannelClosedException)
        {
            // The end of this direction.
        }

        channel.Writer.TryComplete();
        await writing;

        async Task WriteAsync()
        {
            try
            {
                await foreach ((byte[] buffer, int byteCount, long due) in channel.Reader.ReadAllAsync(_end.Token))
                {
                    await PreciseTimer.WaitAsync(due).WaitAsync(_end.Token);
                    await to.SendAsync(buffer.AsMemory(0, byteCount), _end.Token);
                    ArrayPool<byte>.Shared.Return(buffer);
                }

                to.Shutdown(SocketShutdown.Send);
            }
            catch (Exception e) when (e is SocketException or OperationCanceledException or ObjectDisposedException)
            {
                channel.Writer.TryComplete();
                from.Dispose();
            }
        }
    }

    /// <summary>One direction of the link, which all connections share.</summary>
    private sealed class Link(LinkSpeed speed)
    {
        private readonly Lock _gate = new();
        private long _freeAt = System.Diagnostics.Stopwatch.GetTimestamp();
        private long _byteCount;

        internal long ByteCount => Interlocked.Read(ref _byteCount);

        /// <summary>Takes the link for some bytes.</summary>
        /// <returns>When the last of them arrives.</returns>
        internal long Take(int byteCount)
        {
            Interlocked.Add(ref _byteCount, byteCount);
            lock (_gate)
            {
                long now = System.Diagnostics.Stopwatch.GetTimestamp();
                _freeAt = Math.Max(_freeAt, now) + (long)(byteCount / speed.BytesPerSecond * System.Diagnostics.Stopwatch.Frequency);
                return _freeAt + (long)(speed.Delay.TotalSeconds * System.Diagnostics.Stopwatch.Frequency);
            }
        }
    }
}
