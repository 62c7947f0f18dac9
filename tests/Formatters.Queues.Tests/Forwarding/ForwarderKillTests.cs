using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>A program that sends into a folder and forwards to a server is killed again and again, and now and then the server: nothing is lost, the order is kept, and nothing is in PostgreSQL twice.</summary>
public sealed class ForwarderKillTests(ITestOutputHelper output)
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(30);

    /// <summary>How many kills: FORMATTERS_FORWARDER_KILLS; FORMATTERS_KILL_SEED begins with another seed.</summary>
    private static int KillCount => TestScale.Count("FORMATTERS_FORWARDER_KILLS", full: 2, quick: 2, night: 1_000);

    [PostgresFact]
    public async Task Into_PostgreSql_exactly_once()
    {
        await using PrivatePostgres server = await PrivatePostgres.StartAsync();
        await RunAsync(() => $"{server.Address}/forwarded", isExact: true, new PostgreSqlQueueProvider(), async () =>
        {
            await server.KillAsync();
            await server.RestartAsync();
        });
    }

    [BrokerFact]
    public async Task Into_RabbitMQ_at_least_once()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync();
        await broker.MakeQueueAsync("forwarded");
        await RunAsync(() => $"{broker.Address}/forwarded", isExact: false, new RabbitMqQueueProvider(), async () =>
        {
            await broker.KillAsync();
            await broker.RestartAsync();
        });
    }

    private async Task RunAsync(Func<string> target, bool isExact, QueueProvider provider, Func<Task> killServerAsync)
    {
        int firstSeed = TestScale.Number("FORMATTERS_KILL_SEED") ?? TestScale.Seed(1);
        var random = new Random(firstSeed);
        var folder = new TestFolder();
        var sent = new HashSet<long>();
        var begun = new HashSet<long>();
        var lives = new List<string>();
        int serverKills = 0;
        for (int seed = firstSeed; seed < firstSeed + KillCount; seed++)
        {
            string[] arguments = ["forward", folder.Path, target(), ((long)seed * 1_000_000).ToString(CultureInfo.InvariantCulture), .. isExact ? new[] { "exact" } : []];
            using var child = new CrashChild([], arguments);
            await child.WhenWritten(100 + random.Next(1500));
            // Every fourth time the server goes first, and comes back while the program runs.
            if ((seed - firstSeed) % 4 == 1)
            {
                serverKills++;
                await killServerAsync();
                await Task.Delay(random.Next(2000));
            }

            child.Kill();
            (int exitCode, List<string> lines, string error) = await child.EndAsync();
            Assert.True(exitCode == 137, $"seed {seed}: ended with {exitCode}: {error}");
            begun.UnionWith(Numbers(lines, "sending "));
            sent.UnionWith(Numbers(lines, "sent "));
            lives.Add($"{seed}: {lines.Count(line => line.StartsWith("sent ", StringComparison.Ordinal))} sent, {Numbers(lines, "forwarded ").DefaultIfEmpty().Max()} forwarded");
        }

        // What is left goes the same way.
        await using (var folders = new FileQueueProvider(Program.Options))
        {
            QueueForwarder forwarder = ForwardingWorker.Create(folders, new PostgreSqlQueueProvider(), folder.Path, target(), isExact);
            await forwarder.RunUntilEmptyAsync().WaitAsync(TimeSpan.FromMinutes(4));
            Assert.Equal(isExact ? ForwardingGuarantee.ExactlyOnce : ForwardingGuarantee.AtLeastOnce, forwarder.Guarantee);
            QueueClient dead = await folders.OpenAsync(QueueAddress.Parse($"file://{folder.Path}/{ForwardingWorker.QueueName}.dead"), QueueOptions.Default, default);
            Assert.Equal(0, await dead.GetMessageCountAsync());
        }

        var found = new List<long>();
        var ids = new Dictionary<long, string>();
        await using (QueueClient queue = await provider.OpenAsync(QueueAddress.Parse(target()), new QueueOptions { ReceiveMode = ReceiveMode.ReceiveAndDelete }, default))
        {
            while (await queue.ReceiveAsync(found.Count == 0 ? Soon : TimeSpan.FromSeconds(3)) is { } message)
            {
                long number = CrashMessage.Read(message);
                found.Add(number);
                // Those that come again have the id of the first time.
                if (!ids.TryAdd(number, message.MessageId!))
                    Assert.Equal(ids[number], message.MessageId);
            }
        }

        int twice = found.Count - ids.Count;
        output.WriteLine($"{KillCount} kills of the program, {serverKills} of the server; {sent.Count} sends completed, {found.Count} messages arrived, {twice} of them again");
        long[] lost = [.. sent.Except(found).Order()];
        Assert.True(lost.Length == 0, $"{lost.Length} are lost: {string.Join(" ", lost)}; {string.Join("; ", lives)}");
        Assert.Empty(found.Except(begun));
        Assert.True(sent.Count > 50 * KillCount, $"only {sent.Count} sends");
        long[] firsts = [.. found.Distinct()];
        Assert.Equal(firsts.Order(), firsts);
        if (isExact)
            Assert.Equal(0, twice);
        folder.Delete();
    }

    private static IEnumerable<long> Numbers(List<string> lines, string prefix) =>
        lines.Where(line => line.StartsWith(prefix, StringComparison.Ordinal)).Select(line => long.Parse(line[prefix.Length..], CultureInfo.InvariantCulture));
}
