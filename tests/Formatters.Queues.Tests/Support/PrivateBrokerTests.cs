using System;
using System.Diagnostics;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The brokers of the tests themselves.</summary>
public sealed class PrivateBrokerTests
{
    [BrokerFact]
    public async Task Killed_owner_leaves_no_broker_running()
    {
        using Process owner = Process.Start("sleep", "600");
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_OWNER", $"{owner.Id}"));
        Assert.True(await broker.IsRunningAsync());

        owner.Kill();

        long start = Environment.TickCount64;
        while (await broker.IsRunningAsync())
        {
            Assert.True(Environment.TickCount64 - start < 60_000);
            await Task.Delay(200);
        }
    }

    [PostgresFact]
    public async Task Killed_owner_leaves_no_database_running()
    {
        using Process owner = Process.Start("sleep", "600");
        await using PrivatePostgres server = await PrivatePostgres.StartAsync(owner: owner.Id);
        Assert.True(await server.IsRunningAsync());

        owner.Kill();

        long start = Environment.TickCount64;
        while (await server.IsRunningAsync())
        {
            Assert.True(Environment.TickCount64 - start < 60_000);
            await Task.Delay(200);
        }
    }

    [BrokerFact]
    public async Task Prefetch_that_is_no_number_is_refused()
    {
        InvalidOperationException e = await Assert.ThrowsAsync<InvalidOperationException>(() => PrivateBroker.StartAsync(("RABBITMQ_PREFETCH", "many")));
        Assert.Contains("eng/rabbitmq start failed", e.Message, StringComparison.Ordinal);
    }
}
