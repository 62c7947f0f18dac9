using System;
using System.Collections.Concurrent;
using System.IO;
using System.Linq;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>Two hosts on one folder, and a program that only sends.</summary>
public class SharedFolderTests
{
    [Fact]
    public async Task TwoHosts_AndASender_ShareAFolder_AndGoOnWhenTheFirstEnds()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-hosts-").FullName;
        var handled = new ConcurrentBag<(int Host, int Id)>();
        TestHost first = await StartAsync(1), second = await StartAsync(2);
        await using (TestHost sender = await TestHost.StartAsync([$"orders:Address=file://{folder}/orders"], static queues => queues.AddSender<OrderPlaced>("orders")))
        {
            await SendAsync(sender, 0);
            await WaitAsync(100);
            // The first one owns the folder.
            await first.DisposeAsync();
            await SendAsync(sender, 100);
            await WaitAsync(200);
        }

        Assert.Equal(Enumerable.Range(0, 200), handled.Select(static one => one.Id).Order());
        Assert.Equal([1, 2], handled.Select(static one => one.Host).Distinct().Order());
        Assert.Empty(second.Log.Of(2));
        await second.DisposeAsync();
        Directory.Delete(folder, recursive: true);

        Task<TestHost> StartAsync(int number) => TestHost.StartAsync([$"orders:Address=file://{folder}/orders"], queues =>
            queues.AddConsumer<OrderPlaced>("orders", async (order, _, token) =>
            {
                handled.Add((number, order.Id));
                await Task.Delay(1, token);
            }));

        static async Task SendAsync(TestHost sender, int firstId)
        {
            for (int id = firstId; id < firstId + 100; id++)
                await sender.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(id, "Ada"));
        }

        async Task WaitAsync(int count)
        {
            for (int i = 0; i < 6_000 && handled.Count < count; i++)
                await Task.Delay(10);
        }
    }
}
