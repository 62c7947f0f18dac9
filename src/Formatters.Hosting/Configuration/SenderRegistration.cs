using System;
using Microsoft.Extensions.DependencyInjection;

namespace Formatters.Hosting;

/// <summary>A registered sender, which is created when the host starts, so that an invalid one fails then.</summary>
internal interface ISenderRegistration
{
    void Validate(IServiceProvider services);
}

/// <inheritdoc/>
internal sealed class SenderRegistration<T>(string queueName) : ISenderRegistration
{
    public void Validate(IServiceProvider services) => services.GetRequiredKeyedService<ISender<T>>(queueName);
}
