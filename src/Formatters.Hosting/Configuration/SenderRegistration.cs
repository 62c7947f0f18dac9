using System;
using Formatters.Queues;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>A registered sender, which is created when the host starts, so that an invalid one fails then.</summary>
internal interface ISenderRegistration
{
    string QueueName { get; }

    string ContractName { get; }

    void Validate(IServiceProvider services);

    /// <summary>Reads the payload of a message that was written earlier.</summary>
    object? Read(QueueMessage message, PayloadFormatters formatters);
}

/// <inheritdoc/>
internal sealed class SenderRegistration<T>(string queueName, string? contractName) : ISenderRegistration
{
    public string QueueName => queueName;

    public string ContractName => contractName ?? ContractNames.Of(typeof(T));

    public void Validate(IServiceProvider services) => services.GetRequiredKeyedService<ISender<T>>(queueName);

    public object? Read(QueueMessage message, PayloadFormatters formatters) => PayloadFormatters.Read<T>(message, formatters.Get<T>(queueName));
}
