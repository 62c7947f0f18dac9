using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>A process that is killed again and again under load: each row and each message is there once.</summary>
public abstract class OutboxCrashTests
{
    private protected static int Kills => TestScale.Count("FORMATTERS_OUTBOX_KILLS", full: 3, quick: 3, night: 200);

    private protected static int ContextKills => TestScale.Count("FORMATTERS_OUTBOX_CONTEXT_KILLS", full: 1, quick: 1, night: 50);

    private protected static async Task RunAsync(string kind, int kills, string prefix = "")
    {
        await using OutboxPlace place = await OutboxPlace.CreateAsync(kind);
        var random = new Random(TestScale.Seed(1));
        for (int i = 0; i < kills; i++)
        {
            using Process worker = Start(place, prefix, (i * 1_000_000L).ToString(CultureInfo.InvariantCulture));
            Assert.Equal("busy", await worker.StandardOutput.ReadLineAsync());
            await Task.Delay(random.Next(200));
            worker.Kill();
            await worker.WaitForExitAsync();
        }

        using (Process drain = Start(place, prefix, "drain"))
        {
            string output = await drain.StandardOutput.ReadToEndAsync();
            await drain.WaitForExitAsync();
            Assert.True(drain.ExitCode == 0, output);
        }

        List<string> placed = await place.QueryAsync("select id from placed order by id");
        Assert.Equal(placed, placed.Distinct());
        Assert.True(placed.Count >= 20 * kills);
        Assert.Equal(placed, await place.QueryAsync("select id from handled order by id"));
        Assert.Empty(await place.QueryAsync("select error from formatters_outbox"));
        var invoices = new List<long>();
        await using var provider = new FileQueueProvider();
        await using QueueClient queue = await provider.OpenAsync(QueueAddress.Parse($"file:{place.Folder}/invoices"), QueueOptions.Default, CancellationToken.None);
        while (await queue.ReceiveAsync(TimeSpan.Zero) is { } message)
        {
            invoices.Add(message.Read(new JsonFormatter<OutboxProgram.Invoice>()).Id);
            await message.AcknowledgeAsync();
        }

        Assert.Equal(placed, invoices.Order().Select(static id => id.ToString(CultureInfo.InvariantCulture)));
        Assert.DoesNotContain(await provider.ListAsync(QueueAddress.Parse($"file:{place.Folder}/")), static status => status.Name.EndsWith(".dead", StringComparison.Ordinal) && status.MessageCount > 0);
    }

    private static Process Start(OutboxPlace place, string prefix, string task) => Process.Start(
        new ProcessStartInfo("dotnet", [typeof(OutboxProgram.Program).Assembly.Location, place.Folder, prefix + (place.Kind == "SQLite" ? "sqlite" : place.ConnectionString), task])
        {
            RedirectStandardOutput = true,
        })!;
}

/// <summary>Kills over SQLite.</summary>
public sealed class SqliteOutboxCrashTests : OutboxCrashTests
{
    [KillFact]
    public Task Kills_UnderLoad_LoseAndRepeatNothing() => RunAsync("SQLite", Kills);

    [KillFact]
    public Task KillsWithAContext_LoseAndRepeatNothing() => RunAsync("SQLite", ContextKills, "ef:");
}

/// <summary>Kills over PostgreSQL.</summary>
public sealed class PostgreSqlOutboxCrashTests : OutboxCrashTests
{
    [KillFact(NeedsPostgreSql = true)]
    public Task Kills_UnderLoad_LoseAndRepeatNothing() => RunAsync("PostgreSQL", Kills);

    [KillFact(NeedsPostgreSql = true)]
    public Task KillsWithAContext_LoseAndRepeatNothing() => RunAsync("PostgreSQL", ContextKills, "ef:");
}

/// <summary>A test that starts programs and kills them.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class KillFactAttribute : FactAttribute
{
    public KillFactAttribute() => Skip = TestScale.SkipReason(static () => null);

    /// <summary>Whether the test needs PostgreSQL.</summary>
    public bool NeedsPostgreSql
    {
        get;
        set
        {
            field = value;
            Skip ??= TestScale.SkipReason("FORMATTERS_POSTGRES", "Set FORMATTERS_POSTGRES; eng/postgres starts a server.");
        }
    }
}
