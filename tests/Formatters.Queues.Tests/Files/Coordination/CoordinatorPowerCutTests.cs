using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
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
    /// <summary>How many histories: 5,000 in CI, 500 else, or FORMATTERS_DISK_SEEDS; FORMATTERS_DISK_SEED runs one.</summary>
    private static int SeedCount =>
        int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEEDS"), CultureInfo.InvariantCulture, out int count) ? count
        : Environment.GetEnvironmentVariable("CI") == "true" ? 5_000
        : 500;

    [Fact]
    public void Folder_and_database_agree_after_every_power_cut()
    {
        if (int.TryParse(Environment.GetEnvironmentVariable("FORMATTERS_DISK_SEED"), CultureInfo.InvariantCulture, out int one))
        {
            using var history = new CoordinatorHistory(one);
            history.Run();
            return;
        }

        var failures = new List<string>();
        int cuts = 0;
        int commits = 0;
        int inDoubt = 0;
        Histories.ForEach(SeedCount, seed =>
        {
            try
            {
                using var history = new CoordinatorHistory(seed);
                history.Run();
                Interlocked.Add(ref cuts, history.PowerCuts);
                Interlocked.Add(ref commits, history.CommitCount);
                Interlocked.Add(ref inDoubt, history.InDoubtCount);
            }
            catch (Exception e)
            {
                lock (failures)
                    failures.Add($"FORMATTERS_DISK_SEED={seed}: {e}");
            }

            return true;
        });
        Assert.True(failures.Count == 0, $"{failures.Count} of {SeedCount} histories failed, the first: {failures.FirstOrDefault()}");
        output.WriteLine($"{SeedCount} histories, {cuts} power cuts, {commits} transactions committed, {inDoubt} found in doubt by an opening");
        Assert.True(cuts > SeedCount, $"only {cuts} power cuts");
        Assert.True(commits > SeedCount * 10, $"only {commits} commits");
        Assert.True(inDoubt > SeedCount, $"only {inDoubt} transactions in doubt");
    }
}
