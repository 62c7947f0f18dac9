using System;
using System.Data.Common;
using System.IO;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TestSupport;
using Microsoft.Data.Sqlite;
using Microsoft.Extensions.DependencyInjection;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>The disk of the database is full for a while.</summary>
[Collection(FullDisks.Name)]
public class OutboxFullDiskTests
{
    private const int DiskKibibytes = 4096;
    private const int TextCharCount = 600_000;

    [MountFact]
    public async Task AFullDisk_CountsNoAttempts_AndNothingIsLost()
    {
        using var disk = new SmallDisk(DiskKibibytes);
        await using OutboxPlace place = await OutboxPlace.CreateAsync("SQLite");
        string connectionString = $"Data Source={disk.Path}/shop.db";
        string[] configuration =
            [.. place.Configuration, "orders:Retry:Delay=00:00:00.010", "orders:Retry:MaxDelay=00:00:00.050", "orders:Retry:MaxAttempts=1"];
        await using (TestHost host = await TestHost.StartAsync(configuration, queues => queues
            .AddSender<OrderPlaced>("orders")
            .AddSender<OrderStatus>("invoices")
            .AddConsumer<OrderPlaced>("orders", HandleAsync, static consumer => consumer.IsTransactional = true)
            .AddOutbox(_ => new SqliteConnection(connectionString), static options =>
            {
                options.CreateTables = true;
                options.PollInterval = TimeSpan.FromMilliseconds(20);
                options.MaxRetryDelay = TimeSpan.FromMilliseconds(50);
            })))
        {
            await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
            {
                await using (DbCommand create = transaction.CreateCommand("create table shipped (id integer not null)"))
                    await create.ExecuteNonQueryAsync();
                await transaction.CommitAsync();
            }

            string filler = Path.Combine(disk.Path, "filler");
            Fill(filler);
            await host.Get<ISender<OrderPlaced>>().SendAsync(new OrderPlaced(1, new string('a', TextCharCount)));
            await host.Log.WaitForAsync(27);
            await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
            {
                // SQLite writes at the commit what its cache can hold.
                var error = await Assert.ThrowsAsync<OutboxException>(async () =>
                {
                    await transaction.SendAsync(new OrderStatus(2, new string('a', TextCharCount)));
                    await transaction.CommitAsync();
                });
                Assert.Equal(OutboxErrorCode.DiskFull, error.ErrorCode);
            }

            File.Delete(filler);
            QueueClient invoices = host.Host.Services.GetRequiredKeyedService<QueueClient>("invoices");
            ReceivedMessage invoice = (await invoices.ReceiveAsync(Timeout.InfiniteTimeSpan))!;
            Assert.Equal(TextCharCount, invoice.Read(new JsonFormatter<OrderStatus>()).Text.Length);
            await invoice.AcknowledgeAsync();
            await using (OutboxTransaction transaction = await host.Get<IOutbox>().BeginAsync())
            {
                await using DbCommand count = transaction.CreateCommand("select (select count(*) from shipped) * 10 + (select count(*) from formatters_inbox)");
                Assert.Equal(11L, await count.ExecuteScalarAsync());
            }

            await host.Log.WaitForAsync(28);
            Assert.Empty(host.Log.Of(6));
            Assert.Null(await invoices.ReceiveAsync(TimeSpan.Zero));
        }

        SqliteConnection.ClearAllPools();
        foreach (string file in Directory.GetFiles(disk.Path))
            File.Delete(file);
    }

    private static async Task HandleAsync(OrderPlaced order, MessageContext context, CancellationToken cancellationToken)
    {
        var transaction = context.Services.GetRequiredService<IOutboxTransaction>();
        await using (DbCommand insert = transaction.CreateCommand("insert into shipped (id) values (@id)", ("@id", order.Id)))
            await insert.ExecuteNonQueryAsync(cancellationToken);
        await transaction.SendAsync(new OrderStatus(order.Id, order.Customer), cancellationToken: cancellationToken);
    }

    /// <summary>Writes until the disk is full.</summary>
    private static void Fill(string path)
    {
        using var file = new FileStream(path, FileMode.Create, FileAccess.Write, FileShare.None, bufferSize: 0);
        byte[] block = new byte[4096];
        try
        {
            while (true)
                file.Write(block);
        }
        catch (IOException)
        {
            // No space is left.
        }
    }
}

/// <summary>Alone: a program that another test starts has, until it runs, a copy of all open files of this process, which keeps their disk mounted.</summary>
[CollectionDefinition(Name, DisableParallelization = true)]
public sealed class FullDisks
{
    internal const string Name = "full disks";
}
