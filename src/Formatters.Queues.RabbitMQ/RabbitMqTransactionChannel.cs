using System;
using System.Threading;
using System.Threading.Tasks;
using RabbitMQ.Client;

namespace Formatters.Queues.RabbitMQ;

/// <summary>A channel in tx mode, used by one transaction after the other.</summary>
internal sealed class RabbitMqTransactionChannel
{
    private readonly RabbitMqConnection _connection;
    private string? _returned;

    private RabbitMqTransactionChannel(RabbitMqConnection connection, IChannel channel)
    {
        _connection = connection;
        Channel = channel;
        channel.BasicReturnAsync += (_, e) =>
        {
            _returned = $"'{e.RoutingKey}' ({e.ReplyText})";
            return Task.CompletedTask;
        };
    }

    internal IChannel Channel { get; }

    internal static async Task<RabbitMqTransactionChannel> OpenAsync(RabbitMqConnection connection, CancellationToken cancellationToken)
    {
        IChannel channel = await connection.OpenChannelAsync(confirms: false, "open a channel for a transaction", cancellationToken)
            .ConfigureAwait(false);
        await connection.RunAsync(token => channel.TxSelectAsync(token), "begin a transaction", cancellationToken).ConfigureAwait(false);
        return new RabbitMqTransactionChannel(connection, channel);
    }

    /// <summary>Returns the queue and the reason of a message that the broker has returned since the last call, or null.</summary>
    internal string? TakeReturned() => Interlocked.Exchange(ref _returned, null);

    internal async Task CloseAsync()
    {
        try
        {
            await _connection.RunAsync(token => Channel.CloseAsync(token), "close a channel", CancellationToken.None).ConfigureAwait(false);
        }
        catch (QueueException)
        {
            // The connection is lost, and the channel with it.
        }
    }
}
