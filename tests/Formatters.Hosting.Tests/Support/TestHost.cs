using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Hosting.Testing;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace Formatters.Hosting.Tests;

/// <summary>A generic host with queues, whose log lines are collected.</summary>
internal sealed class TestHost : IAsyncDisposable
{
    private TestHost(IHost host, LogCollector log)
    {
        Host = host;
        Log = log;
    }

    internal IHost Host { get; }

    internal LogCollector Log { get; }

    internal QueueHarness Harness => Host.Services.GetRequiredService<QueueHarness>();

    internal T Get<T>()
        where T : notnull => Host.Services.GetRequiredService<T>();

    /// <summary>Builds a host whose queues are configured by lines such as <c>orders:Address=memory:orders</c>.</summary>
    internal static TestHost Build(string[] configuration, Action<QueuesBuilder> configure)
    {
        HostApplicationBuilder builder = Microsoft.Extensions.Hosting.Host.CreateEmptyApplicationBuilder(null);
        var log = new LogCollector();
        builder.Logging.AddProvider(log).SetMinimumLevel(LogLevel.Debug);
        foreach (string line in configuration)
        {
            int equals = line.IndexOf('=', StringComparison.Ordinal);
            builder.Configuration.AddInMemoryCollection([new KeyValuePair<string, string?>("Queues:" + line[..equals], line[(equals + 1)..])]);
        }

        configure(builder.Services.AddQueues(builder.Configuration));
        return new TestHost(builder.Build(), log);
    }

    internal static async Task<TestHost> StartAsync(string[] configuration, Action<QueuesBuilder> configure)
    {
        TestHost host = Build(configuration, configure);
        try
        {
            await host.Host.StartAsync();
        }
        catch
        {
            await host.DisposeAsync();
            throw;
        }

        return host;
    }

    /// <summary>Starts a host whose queues are in memory, with a harness.</summary>
    internal static Task<TestHost> StartWithHarnessAsync(Action<QueuesBuilder> configure, TimeProvider? time = null, params string[] configuration) =>
        StartAsync(configuration, queues =>
        {
            configure(queues);
            queues.Services.AddQueueHarness(time);
        });

    public async ValueTask DisposeAsync()
    {
        using (var timeout = new CancellationTokenSource(TimeSpan.FromSeconds(5)))
            await Host.StopAsync(timeout.Token);
        await ((IAsyncDisposable)Host).DisposeAsync();
    }
}
