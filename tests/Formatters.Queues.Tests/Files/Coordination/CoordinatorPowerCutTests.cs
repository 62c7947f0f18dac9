using System.Threading;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.Queues.Tests;

/// <summary>
/// Random histories of transactions over a folder on a disk that loses power and a database that is away at times: after each opening both sides agree, what was committed is there, and
/// nothing is in doubt. A decision whose block is torn is none.
/// </summary>
[Collection(LongHistories.Name)]
public class CoordinatorPowerCutTests(ITestOutputHelper output)
{
    /// <summary>How many histories: FORMATTERS_DISK_SEEDS; FORMATTERS_DISK_SEED runs one.</summary>
    private static int SeedCount => TestScale.Count("FORMATTERS_DISK_SEEDS", full: 200, quick: 50, night: 10_000);

    [Fact]
    public void Folder_and_database_agree_after_every_power_cut()
    {
        int cuts = 0;
        int commits = 0;
        int inDoubt = 0;
        bool isWhole = Histories.RunAll(SeedCount, seed =>
        {
            using var history = new CoordinatorHistory(seed);
            history.Run();
            Interlocked.Add(ref cuts, history.PowerCuts);
            Interlocked.Add(ref commits, history.CommitCount);
            Interlocked.Add(ref inDoubt, history.InDoubtCount);
        });
        if (!isWhole)
            return;
        output.WriteLine($"{SeedCount} histories, {cuts} power cuts, {commits} transactions committed, {inDoubt} found in doubt by an opening");
        Assert.True(cuts > SeedCount, $"only {cuts} power cuts");
        Assert.True(commits > SeedCount * 10, $"only {commits} commits");
        Assert.True(inDoubt > SeedCount, $"only {inDoubt} transactions in doubt");
    }
}
