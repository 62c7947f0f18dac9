using System;
using System.Linq;
using System.Runtime.CompilerServices;
using Formatters.SignalR;
using Microsoft.AspNetCore.SignalR;
using Microsoft.AspNetCore.SignalR.Protocol;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Options;

namespace Microsoft.Extensions.DependencyInjection;

/// <summary>Makes the formatters of this library write the arguments and results of SignalR's hubs.</summary>
public static class FormattersSignalRBuilderExtensions
{
    private const string HubLifetimeManagerName = "Microsoft.AspNetCore.SignalR.HubLifetimeManager`1";

    /// <summary>Adds the MessagePack hub protocol with the formatters of this library, in place of <c>AddMessagePackProtocol</c>.</summary>
    /// <typeparam name="TBuilder">The builder of a server or of a client.</typeparam>
    /// <param name="builder">The builder: of <c>AddSignalR</c>, or a <c>HubConnectionBuilder</c>.</param>
    /// <param name="configure">Changes the options; null for the default. Several calls change them one after the other.</param>
    /// <returns>The builder.</returns>
    /// <exception cref="ArgumentNullException"><paramref name="builder"/> is null.</exception>
    /// <example><code>
    /// builder.Services.AddSignalR().AddMessageFormatters();
    /// </code></example>
    public static TBuilder AddMessageFormatters<TBuilder>(this TBuilder builder, Action<FormatterHubProtocolOptions>? configure = null)
        where TBuilder : ISignalRBuilder
    {
        ArgumentNullException.ThrowIfNull(builder);
        if (configure is not null)
            builder.Services.Configure(configure);
        builder.Services.TryAddEnumerable(ServiceDescriptor.Singleton<IHubProtocol, FormatterHubProtocol>(
            static services => new FormatterHubProtocol(services.GetRequiredService<IOptions<FormatterHubProtocolOptions>>().Value)));
        // A client has no hubs, and perhaps not ASP.NET Core.
        if (builder.Services.FirstOrDefault(static service => service.ServiceType.FullName == HubLifetimeManagerName) is { } manager)
            CheckPushes(builder.Services, manager);
        return builder;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CheckPushes(IServiceCollection services, ServiceDescriptor manager)
    {
        // The manager of a backplane writes messages where they are sent.
        if (manager.ImplementationType == typeof(DefaultHubLifetimeManager<>))
            services.Replace(ServiceDescriptor.Singleton(typeof(HubLifetimeManager<>), typeof(CheckedHubLifetimeManager<>)));
    }
}
