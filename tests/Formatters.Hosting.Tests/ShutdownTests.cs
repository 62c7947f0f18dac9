using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TestSupport;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>The host stops: handlers complete, what was not begun goes back, and nothing is lost.</summary>
public class ShutdownTests
{
    [Fact]
    public async Task Stop_LetsTheHandlerComplete_AndReceivesNoMore()
    {
        await using QueuePlace place = QueuePlace.Of("folder");
        var begun = new TaskCompletionSource();
        var release = new TaskCompletionSource();
        CancellationToken handlerToken = default;
        int handledCount = 0;
        string[] configuration = [$"orders:Address={place.Address("orders")}"];
        await using (TestHost host = await TestHost.StartAsync(configuration, queues => queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", async (_, _, token) =>
        {
            handlerToken = token;
            begun.TrySetResult();
            await release.Task;
            handledCount++;
        })))
        {
            for (int i = 0; i < 3; i++)
                await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, "Ada"));
            await begun.Task;
            Task stop = host.Host.StopAsync();
            await Task.Delay(50);
            Assert.False(stop.IsCompleted);
            Assert.False(handlerToken.IsCancellationRequested);
            release.SetResult();
            await stop;
        }

        Assert.Equal(1, handledCount);
        await using TestHost after = TestHost.Build(configuration, static _ => { });
        QueueClient queue = after.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        Assert.Equal(2, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Stop_WithAHandlerThatIgnoresItsToken_EndsAtTheHostsTimeout_AndTheMessageComesAgain()
    {
        await using QueuePlace place = QueuePlace.Of("folder");
        var begun = new TaskCompletionSource();
        var never = new TaskCompletionSource();
        CancellationToken handlerToken = default;
        string[] configuration = [$"orders:Address={place.Address("orders")}"];
        await using (TestHost host = await TestHost.StartAsync(configuration, queues => queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>("orders", (_, _, token) =>
        {
            handlerToken = token;
            begun.TrySetResult();
            return never.Task;
        })))
        {
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, "Ada"));
            await begun.Task;
            using var timeout = new CancellationTokenSource(TimeSpan.FromMilliseconds(100));
            await host.Host.StopAsync(timeout.Token);
            Assert.True(handlerToken.IsCancellationRequested);
            Assert.Equal("Queue 'orders': 1 handlers have not completed in time; their messages are delivered again.", Assert.Single(host.Log.Of(14)));
        }

        await using TestHost after = TestHost.Build(configuration, static _ => { });
        QueueClient queue = after.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
        Assert.Equal(new OrderPlaced(1, "Ada"), message.Read(new BinaryBodyFormatter<OrderPlaced>()));
        await message.AcknowledgeAsync();
    }

    [Fact]
    public async Task Stop_ReturnsMessagesThatWaitForARetryOrForTheirTurn()
    {
        var begun = new TaskCompletionSource();
        await using QueuePlace place = QueuePlace.Of("folder");
        string[] configuration = [$"orders:Address={place.Address("orders")}", "orders:Concurrency=2", "orders:Retry:Delay=00:00:50"];
        await using (TestHost host = await TestHost.StartAsync(configuration, queues => queues.AddSender<OrderPlaced>("orders").AddConsumer<OrderPlaced>(
            "orders", static (_, _, _) => throw new TimeoutException(), static consumer => consumer.OrderingKey = static order => order.Customer)))
        {
            for (int i = 0; i < 10; i++)
                await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(i, "Ada"));
            await host.Log.WaitForAsync(5);
            await host.Host.StopAsync();
            Assert.Single(host.Log.Of(5));
        }

        await using TestHost after = TestHost.Build(configuration, static _ => { });
        QueueClient queue = after.Host.Services.GetRequiredKeyedService<QueueClient>("orders");
        var formatter = new BinaryBodyFormatter<OrderPlaced>();
        for (int i = 0; i < 10; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(TimeSpan.Zero))!;
            Assert.Equal(i, message.Read(formatter).Id);
            await message.AcknowledgeAsync();
        }
    }

    /// <summary>SIGTERM under load, to a process that sends and handles over a folder: each message whose send completed is handled, once.</summary>
    [TerminateFact]
    public async Task Sigterm_UnderLoad_LosesNothing()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-hosting-").FullName;
        int rounds = TestScale.Count("FORMATTERS_SIGTERM_ROUNDS", full: 3, quick: 3, night: 50);
        long firstId = 0;
        for (int round = 0; round < rounds; round++)
        {
            using Process worker = Process.Start(new ProcessStartInfo("dotnet", [typeof(ShutdownProgram.Program).Assembly.Location, folder, firstId.ToString(CultureInfo.InvariantCulture)])
            {
                RedirectStandardOutput = true,
            })!;
            Assert.Equal("busy", await worker.StandardOutput.ReadLineAsync());
            await Task.Delay(100 + (37 * round % 200));
            using (Process kill = Process.Start("kill", ["-TERM", worker.Id.ToString(CultureInfo.InvariantCulture)]))
                await kill.WaitForExitAsync();
            await worker.WaitForExitAsync();
            Assert.Equal(0, worker.ExitCode);
            firstId += 1_000_000;
        }

        long[] sent = ReadIds(folder, "sent");
        long[] handled = ReadIds(folder, "handled");
        var waiting = new List<long>();
        await using (var provider = new FileQueueProvider())
        {
            await using QueueClient queue = await provider.OpenAsync(QueueAddress.Parse("file:" + folder + "/orders"), QueueOptions.Default, CancellationToken.None);
            while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
            {
                waiting.Add(message.Read(new JsonFormatter<ShutdownProgram.Order>()).Id);
                await message.AcknowledgeAsync();
            }

            Assert.DoesNotContain(await provider.ListAsync(QueueAddress.Parse("file:" + folder + "/")), static status => status.Name.EndsWith(".dead", StringComparison.Ordinal) && status.MessageCount > 0);
        }

        Assert.Empty(sent.Except(handled).Except(waiting));
        // The host's timeout was long enough for each handler: none was interrupted, so none ran twice.
        Assert.Equal(handled.Length, handled.Distinct().Count());
        Assert.Empty(handled.Intersect(waiting));
        Assert.True(sent.Length > 100 * rounds);
        Directory.Delete(folder, recursive: true);
    }

    private static long[] ReadIds(string folder, string name) => [.. File.ReadLines(Path.Combine(folder, name)).Select(static line => long.Parse(line, CultureInfo.InvariantCulture))];
}

/// <summary>A test that starts programs and sends them SIGTERM.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class TerminateFactAttribute : FactAttribute
{
    public TerminateFactAttribute() => Skip = OperatingSystem.IsWindows() ? "Windows has no SIGTERM." : TestScale.SkipReason(static () => null);
}
