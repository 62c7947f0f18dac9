using System;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>Passes connections on to a broker, until it is told to cut them, or to hold them up, after some more bytes from the client.</summary>
internal sealed class LoopbackProxy : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly string _host;
    private readonly int _port;
    private long _bytesUntilCut = long.MaxValue;
    private long _clientByteCount;
    private long _bytesUntilHold = long.MaxValue;
    private readonly TaskCompletionSource _held = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _released = new(TaskCreationOptions.RunContinuationsAsynchronously);

    internal LoopbackProxy(string address)
    {
        var uri = new Uri(address);
        _host = uri.Host;
        _port = uri.Port;
        // A client that is held up is so soon.
        _listener.Server.ReceiveBufferSize = 1 << 16;
        _listener.Start();
        Address = new UriBuilder(uri) { Host = "127.0.0.1", Port = ((IPEndPoint)_listener.LocalEndpoint).Port }.Uri.ToString().TrimEnd('/');
        _ = AcceptAsync();
    }

    internal string Address { get; }

    /// <summary>How long what the broker says is kept back.</summary>
    internal TimeSpan Delay { get; set; }

    /// <summary>How many bytes the clients have sent.</summary>
    internal long ClientByteCount => Interlocked.Read(ref _clientByteCount);

    /// <summary>Lets so many more bytes of the clients pass, then cuts their connections.</summary>
    internal void CutAfter(long byteCount) => Interlocked.Exchange(ref _bytesUntilCut, byteCount);

    /// <summary>Lets so many more bytes of the clients pass, then reads no further ones until <see cref="Release"/>; once.</summary>
    /// <returns>Completes when it no longer reads.</returns>
    internal Task HoldAfterAsync(long byteCount)
    {
        Interlocked.Exchange(ref _bytesUntilHold, byteCount);
        return _held.Task;
    }

    /// <summary>Reads from the clients again.</summary>
    internal void Release()
    {
        Interlocked.Exchange(ref _bytesUntilHold, long.MaxValue);
        _released.TrySetResult();
    }

    public void Dispose()
    {
        _listener.Dispose();
        Release();
    }

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
                _ = ServeAsync(await _listener.AcceptTcpClientAsync());
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // Disposed.
        }
    }

    private async Task ServeAsync(TcpClient client)
    {
        using (client)
        using (var broker = new TcpClient())
        {
            await broker.ConnectAsync(_host, _port);
            await Task.WhenAny(PassAsync(client, broker, counts: true), PassAsync(broker, client, counts: false));
        }
    }

    private async Task PassAsync(TcpClient from, TcpClient to, bool counts)
    {
        byte[] buffer = new byte[4096];
        try
        {
            int byteCount;
            while ((byteCount = await from.GetStream().ReadAsync(buffer)) > 0)
            {
                if (counts)
                {
                    Interlocked.Add(ref _clientByteCount, byteCount);
                    if (Interlocked.Add(ref _bytesUntilHold, -byteCount) < 0)
                    {
                        _held.TrySetResult();
                        await _released.Task;
                    }
                }
                else if (Delay > TimeSpan.Zero)
                    await Task.Delay(Delay);
                long rest = counts ? Interlocked.Add(ref _bytesUntilCut, -byteCount) + byteCount : long.MaxValue;
                await to.GetStream().WriteAsync(buffer.AsMemory(0, (int)Math.Clamp(rest, 0, byteCount)));
                if (rest < byteCount)
                    return;
            }
        }
        catch (Exception e) when (e is System.IO.IOException or ObjectDisposedException)
        {
            // One end has closed.
        }
    }
}
