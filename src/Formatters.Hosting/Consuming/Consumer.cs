using System;
using System.Collections.Generic;
using System.Threading.Tasks;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>A registered handler for the messages of one type on one queue.</summary>
internal abstract class Consumer(string queueName, Type messageType, Type? handlerType)
{
    internal string QueueName => queueName;

    internal Type MessageType => messageType;

    /// <summary>Gets the class of the handler; null for a delegate.</summary>
    internal Type? HandlerType => handlerType;

    /// <summary>Gets the contract name, followed by former ones.</summary>
    internal abstract IReadOnlyList<string> ContractNames { get; }

    internal abstract Func<QueueMessage, bool>? Matches { get; }

    internal abstract bool IsOrdered { get; }

    internal abstract bool IsTransactional { get; }

    internal abstract object? GetKey(object payload);

    /// <summary>Reads the payload of a message.</summary>
    /// <exception cref="MessageFormatException">The body cannot be read.</exception>
    internal abstract object Read(ReceivedMessage message);

    internal abstract Task HandleAsync(MessageContext context);

    public override string ToString() => handlerType?.ToString() ?? "a delegate";
}

/// <inheritdoc/>
internal sealed class Consumer<T> : Consumer
{
    private readonly ConsumerOptions<T> _options;
    private readonly Func<T, MessageContext, Task> _handle;
    private readonly IMessageFormatter _formatter;

    internal Consumer(
        string queueName, Type? handlerType, ConsumerOptions<T> options, Func<T, MessageContext, Task> handle, PayloadFormatters formatters)
        : base(queueName, typeof(T), handlerType)
    {
        _options = options;
        _handle = handle;
        _formatter = formatters.Get<T>(queueName);
        ContractNames = [options.ContractName ?? Hosting.ContractNames.Of(typeof(T)), .. options.FormerNames];
    }

    internal override IReadOnlyList<string> ContractNames { get; }

    internal override Func<QueueMessage, bool>? Matches => _options.Matches;

    internal override bool IsOrdered => _options.OrderingKey is not null;

    internal override bool IsTransactional => _options.IsTransactional;

    internal override object? GetKey(object payload) => _options.OrderingKey?.Invoke((T)payload);

    internal override object Read(ReceivedMessage message) => PayloadFormatters.Read<T>(message, _formatter)!;

    internal override Task HandleAsync(MessageContext context) => _options.IsTransactional
        ? context.Services.GetRequiredService<OutboxScope>().RunAsync(context, CallAsync)
        : CallAsync(context);

    private Task CallAsync(MessageContext context) => _handle((T)context.Payload, context);

    /// <summary>Calls the handler that the services of the message's scope provide.</summary>
    internal static Task HandleAsync<THandler>(T message, MessageContext context)
        where THandler : class, IMessageHandler<T> =>
        context.Services.GetRequiredService<THandler>().HandleAsync(message, context, context.CancellationToken);
}
