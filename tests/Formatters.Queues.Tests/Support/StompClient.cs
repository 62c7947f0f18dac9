using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net.Sockets;
using System.Text;
using System.Threading.Tasks;

namespace Formatters.Queues.Tests;

/// <summary>As much of STOMP 1.2 as the tests need: frames without bodies, sent and received in text headers.</summary>
internal sealed class StompClient : IAsyncDisposable
{
    private readonly TcpClient _client = new();
    private Stream _input = Stream.Null;

    internal static async Task<StompClient> ConnectAsync(string address)
    {
        var uri = new Uri(address);
        var stomp = new StompClient();
        await stomp._client.ConnectAsync(uri.Host, uri.Port);
        stomp._input = new BufferedStream(stomp._client.GetStream(), 1 << 16);
        await stomp.SendAsync("CONNECT", ("accept-version", "1.2"), ("host", "localhost"));
        (string command, _) = await stomp.ReceiveAsync();
        return command == "CONNECTED" ? stomp : throw new IOException($"Not connected: {command}");
    }

    internal async Task SendAsync(string command, params (string Name, string Value)[] headers)
    {
        var frame = new StringBuilder(command).Append('\n');
        foreach ((string name, string value) in headers)
        {
            // The frame that connects is not escaped, as it may go to a broker of STOMP 1.0.
            bool isEscaped = command != "CONNECT";
            frame.Append(isEscaped ? Escape(name) : name).Append(':').Append(isEscaped ? Escape(value) : value).Append('\n');
        }

        await _client.GetStream().WriteAsync(Encoding.UTF8.GetBytes(frame.Append("\n\0").ToString()));
    }

    /// <summary>The next frame; an ERROR is an exception.</summary>
    internal async Task<(string Command, Dictionary<string, string> Headers)> ReceiveAsync()
    {
        string command;
        do
            command = await ReadLineAsync();
        while (command.Length == 0);
        var headers = new Dictionary<string, string>();
        for (string line = await ReadLineAsync(); line.Length > 0; line = await ReadLineAsync())
        {
            string[] parts = line.Split(':', 2);
            headers.TryAdd(Unescape(parts[0]), Unescape(parts[1]));
        }

        var body = new StringBuilder();
        for (int value = await ReadByteAsync(); value != 0; value = await ReadByteAsync())
            body.Append((char)value);
        return command == "ERROR" ? throw new IOException($"{headers.GetValueOrDefault("message")} {body}") : (command, headers);
    }

    public async ValueTask DisposeAsync()
    {
        await _input.DisposeAsync();
        _client.Dispose();
    }

    private async Task<string> ReadLineAsync()
    {
        var line = new List<byte>();
        for (int value = await ReadByteAsync(); value != '\n'; value = await ReadByteAsync())
            line.Add((byte)value);
        return Encoding.UTF8.GetString(line.ToArray()).TrimEnd('\r');
    }

    private async Task<int> ReadByteAsync()
    {
        byte[] one = new byte[1];
        return await _input.ReadAsync(one) == 1 ? one[0] : throw new EndOfStreamException("The broker has closed the connection.");
    }

    private static string Escape(string text) => text.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\r", "\\r", StringComparison.Ordinal)
        .Replace("\n", "\\n", StringComparison.Ordinal).Replace(":", "\\c", StringComparison.Ordinal);

    private static string Unescape(string text) => string.Join('\\', text.Split("\\\\").Select(part => part.Replace("\\r", "\r", StringComparison.Ordinal)
        .Replace("\\n", "\n", StringComparison.Ordinal).Replace("\\c", ":", StringComparison.Ordinal)));
}
