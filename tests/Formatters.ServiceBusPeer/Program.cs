using System;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Threading;
using System.Threading.Tasks;

namespace Formatters.ServiceBusPeer;

/// <summary>
/// <c>PORT KEY</c>: listens on 127.0.0.1 until it is killed. One port is for AMQP and for the administration over HTTP: what a connection begins with tells which.
/// </summary>
public static class Program
{
    /// <summary>Runs it.</summary>
    public static async Task<int> Main(string[] args)
    {
        ArgumentNullException.ThrowIfNull(args);
        if (args.Length != 2 || !int.TryParse(args[0], NumberStyles.None, CultureInfo.InvariantCulture, out int port))
        {
            await Console.Error.WriteLineAsync("usage: Formatters.ServiceBusPeer PORT KEY");
            return 2;
        }

        ThreadPool.SetMinThreads(32, 32);
        var broker = new PeerBroker(args[1]);
        int amqpPort = FreePort();
        broker.Start(amqpPort);
        int httpPort = FreePort();
        new PeerAdministration(broker).Start(httpPort);
        var listener = new TcpListener(IPAddress.Loopback, port);
        listener.Start(500);
        Console.WriteLine($"listens on 127.0.0.1:{port}");
        while (true)
            _ = PassAsync(await listener.AcceptSocketAsync(), amqpPort, httpPort);
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static async Task PassAsync(Socket client, int amqpPort, int httpPort)
    {
        using (client)
        using (var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp))
        {
            try
            {
                client.NoDelay = server.NoDelay = true;
                byte[] first = new byte[8];
                int count = await client.ReceiveAsync(first);
                if (count == 0)
                    return;
                await server.ConnectAsync(IPAddress.Loopback, first[0] == (byte)'A' && first[1] == (byte)'M' ? amqpPort : httpPort);
                await server.SendAsync(first.AsMemory(0, count));
                await Task.WhenAny(CopyAsync(client, server), CopyAsync(server, client));
            }
            catch (SocketException)
            {
                // One end has closed.
            }
        }
    }

    private static async Task CopyAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[64 << 10];
        try
        {
            int count;
            while ((count = await from.ReceiveAsync(buffer)) > 0)
            {
                for (int sent = 0; sent < count;)
                    sent += await to.SendAsync(buffer.AsMemory(sent, count - sent));
            }
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            // One end has closed.
        }
    }
}
