using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Threading.Tasks;
using Formatters.Bench.Network;
using Formatters.Queues;
using Xunit;

namespace Formatters.Bench.Tests.Network;

public class LoopbackProxyTests
{
    [Fact]
    public async Task Bytes_pass_both_ways_in_their_order_and_are_counted()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        await using LoopbackProxy proxy = LoopbackProxy.Before($"amqp://127.0.0.1:{((IPEndPoint)server.LocalEndpoint).Port}/q", new LinkSpeed(TimeSpan.FromMilliseconds(1), 1e9));
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, proxy.Port);
        using TcpClient other = await server.AcceptTcpClientAsync();
        byte[] sent = new byte[300_000];
        new Random(1).NextBytes(sent);

        Task writing = client.GetStream().WriteAsync(sent).AsTask();
        byte[] received = new byte[sent.Length];
        await other.GetStream().ReadExactlyAsync(received);
        await writing;
        await other.GetStream().WriteAsync(sent.AsMemory(0, 7));
        await client.GetStream().ReadExactlyAsync(received.AsMemory(0, 7));
        client.Client.Shutdown(SocketShutdown.Send);

        Assert.Equal(sent, received);
        Assert.Equal((300_000, 7), (proxy.ByteCountToServer, proxy.ByteCountToClient));
        // The end passes, too.
        Assert.Equal(0, await other.GetStream().ReadAsync(received));
    }

    [Fact]
    public async Task Without_a_connection_nothing_passes()
    {
        using var server = new TcpListener(IPAddress.Loopback, 0);
        server.Start();
        await using LoopbackProxy proxy = LoopbackProxy.Before(
            $"postgres://127.0.0.1:{((IPEndPoint)server.LocalEndpoint).Port}/d/q", LinkSpeed.FastEthernet, isConnected: false);
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, proxy.Port);

        int byteCount = 0;
        try
        {
            byteCount = await client.GetStream().ReadAsync(new byte[1]);
        }
        catch (IOException)
        {
            // Or the connection is reset.
        }

        Assert.Equal((0, 0L), (byteCount, proxy.ByteCountToServer));
    }

    [Fact]
    public async Task Addresses_lead_to_the_proxy_with_all_else_as_it_was()
    {
        await using LoopbackProxy proxy = LoopbackProxy.Before("amqp://user:secret@example.org:5673/host/a,b", LinkSpeed.FastEthernet);

        Assert.Equal(
            [$"amqp://user:secret@127.0.0.1:{proxy.Port}/host/a", $"amqp://user:secret@127.0.0.1:{proxy.Port}/host/b"],
            QueueAddress.ParseList(proxy.Rewrite("amqp://user:secret@example.org:5673/host/a,b")).Select(address => address.Uri.AbsoluteUri));
    }

    [Theory]
    [InlineData("memory:q", "only queues of")]
    [InlineData("amqps://localhost/q", "only queues of")]
    [InlineData("amqp://a,b/q", "several hosts")]
    [InlineData("amqp://localhost/q,postgres://localhost/d/q", "several servers")]
    public void What_has_no_one_server_is_refused(string addresses, string words) =>
        Assert.Contains(words, Assert.Throws<UsageException>(() => LoopbackProxy.Before(addresses, LinkSpeed.FastEthernet)).Message, StringComparison.Ordinal);

    /// <summary>A delay is kept: there and back it takes twice as long, at least.</summary>
    [Fact]
    public async Task A_round_trip_takes_the_delay_twice() =>
        Assert.True(await LoopbackProxy.MeasureRoundTripAsync(new LinkSpeed(TimeSpan.FromMilliseconds(5), 1e9), default) >= TimeSpan.FromMilliseconds(9.5));
}
