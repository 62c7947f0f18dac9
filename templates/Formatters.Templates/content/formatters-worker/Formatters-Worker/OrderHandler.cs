using Formatters.Hosting;
using Microsoft.Extensions.Logging;

namespace Formatters_Worker;

/// <summary>Handles an order. If it throws, the order is tried again, and is a dead letter after the last attempt.</summary>
public sealed class OrderHandler(ILogger<OrderHandler> logger) : IMessageHandler<OrderPlaced>
{
    public Task HandleAsync(OrderPlaced message, MessageContext context, CancellationToken cancellationToken)
    {
        logger.LogInformation("Order {Id} of {Customer} is shipped.", message.Id, message.Customer);
        return Task.CompletedTask;
    }
}
