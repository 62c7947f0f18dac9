using System;
using System.Collections.Generic;
using System.Globalization;
using System.Threading.Tasks;
using Formatters.Queues.CrashProgram;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>
/// A program of eight senders, receivers and movers is killed (SIGKILL) again and again at random moments, also while it reads the log of the one before; its ledger and
/// the queues must agree. The pages it wrote outlive it: what a power cut does, <see cref="PowerCutTests"/> try.
/// </summary>
public class KillTests(ITestOutputHelper output)
{
    /// <summary>How many kills: FORMATTERS_KILLS; FORMATTERS_KILL_SEED begins with another seed.</summary>
    private static int KillCount => TestScale.Count("FORMATTERS_KILLS", full: 10, quick: 10, night: 1_000);

    [KillFact]
    public async Task Killed_program_loses_nothing_acknowledged_and_nothing_comes_twice()
    {
        int firstSeed = TestScale.Number("FORMATTERS_KILL_SEED") ?? TestScale.Seed(1);
        var random = new Random(firstSeed);
        var folder = new TestFolder();
        var ledger = new CrashLedger();
        int kills = 0;
        int killsBeforeOpen = 0;
        for (int seed = firstSeed; kills < KillCount; seed++)
        {
            kills++;
            using var child = new CrashChild([], "work", folder.Path, ((long)seed * 1_000_000 * CrashMessage.SenderCount).ToString(CultureInfo.InvariantCulture), $"{seed}");
            // After some work, however long that takes here; the reading of its ledger lags, by chance.
            await child.WhenWritten(random.Next(500));
            // On a fast machine that work is done before any lease has ended: every other program lives until one has.
            if ((seed - firstSeed) % 2 == 0)
                await child.Late;
            child.Kill();
            (int exitCode, List<string> lines, string error) = await child.EndAsync();
            Assert.True(exitCode == 137, $"seed {seed}: ended with {exitCode}: {error}");
            Assert.DoesNotContain(lines, line => line.StartsWith("failed ", StringComparison.Ordinal));
            ledger.Read(lines);

            // The next is killed while it reads what this one left, some times in a row.
            for (int again = random.Next(3); again > 0 && kills < KillCount; again--)
            {
                kills++;
                using var reader = new CrashChild([], "open", folder.Path);
                await reader.Started;
                await Task.Delay(random.Next(70));
                reader.Kill();
                (exitCode, lines, error) = await reader.EndAsync();
                Assert.True(exitCode is 137 or 0, $"seed {seed}: ended with {exitCode}: {error}");
                killsBeforeOpen += lines.Contains("opened") ? 0 : 1;
            }

            await ledger.CheckAsync(folder.Path);
        }

        output.WriteLine(
            $"{kills} kills, {killsBeforeOpen} of them before the folder was open; {ledger.SentCount} sends and {ledger.RemovedCount} acknowledgements completed, {ledger.LateCount} came after the end of a lease, "
            + $"{ledger.CommittedCount} transactions committed; {ledger.UncertainCount} were under way at a kill, {ledger.KeptCount} of them are whole in the log");
        Assert.True(ledger.SentCount > kills, $"only {ledger.SentCount} sends");
        Assert.True(ledger.CommittedCount > kills / 2, $"only {ledger.CommittedCount} transactions");
        Assert.True(ledger.LateCount > kills / 10, $"only {ledger.LateCount} receivers whose lease had ended");
        folder.Delete();
    }

    [Fact]
    public async Task Folder_of_a_running_program_is_refused_and_that_of_a_killed_one_is_not()
    {
        var folder = new TestFolder();
        using var child = new CrashChild([], "hold", folder.Path);
        await child.Opened;
        await using (var second = new FileQueueProvider(Program.Options))
        {
            QueueException e = await Assert.ThrowsAsync<QueueException>(() => OpenAsync(second, folder));
            Assert.Contains("one process at a time", e.Message, StringComparison.Ordinal);
            Assert.Contains(folder.Path, e.Message, StringComparison.Ordinal);
        }

        child.Kill();
        await child.EndAsync();
        await using var third = new FileQueueProvider(Program.Options);
        await OpenAsync(third, folder);
        using var fourth = new CrashChild([], "send", folder.Path, "1", "1");
        (_, List<string> lines, _) = await fourth.EndAsync();
        Assert.Contains("one process at a time", Assert.Single(lines, line => line.StartsWith("failed ", StringComparison.Ordinal)), StringComparison.Ordinal);
        await third.DisposeAsync();
        folder.Delete();
    }

    private static async Task OpenAsync(FileQueueProvider provider, TestFolder folder) =>
        await provider.OpenAsync(QueueAddress.Parse($"file://{folder.Path}/a"), new QueueOptions { DeliveryMode = DeliveryMode.Recoverable, ReceiveMode = ReceiveMode.ReceiveAndDelete }, default);
}

/// <summary>A test that kills programs again and again: left out of quick runs.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class KillFactAttribute : FactAttribute
{
    public KillFactAttribute() => Skip = TestScale.SkipReason(() => null);
}
