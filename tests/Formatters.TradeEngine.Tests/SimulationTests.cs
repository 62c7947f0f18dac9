using System.Linq;
using Formatters.TradeEngine.Simulation;
using Xunit;

namespace Formatters.TradeEngine.Tests;

public sealed class SimulationTests
{
    /// <summary>20 us of a node for each message, 10 of a database, flushes of 1 ms.</summary>
    private static readonly SimulationOptions Usual = new()
    {
        StationSeconds = [10e-6, 10e-6, 10e-6, 10e-6, 10e-6],
        DatabaseSeconds = 10e-6,
        BrokerSeconds = 1e-6,
        FlushSeconds = 1e-3,
        Instances = 8,
        Messages = 200_000,
    };

    [Fact]
    public void Rate_WhereNodesAreTheLimit_IsThatOfTheirProcessors()
    {
        // Two processors with 20 us a message.
        SimulationResult one = EngineSimulation.Run(Usual with { Databases = 8 });

        Assert.InRange(one.MessagesPerSecond, 85_000, 101_000);
        Assert.InRange(one.NodeUtilization, 0.9, 1.001);
    }

    [Fact]
    public void Rate_WithMoreNodes_GrowsUntilTheDatabaseIsTheLimit_AndWithMoreDatabasesAgain()
    {
        SimulationOptions slow = Usual with { DatabaseSeconds = 40e-6 };
        double one = EngineSimulation.Run(slow).MessagesPerSecond;
        double four = EngineSimulation.Run(slow with { Nodes = 4 }).MessagesPerSecond;
        SimulationResult cured = EngineSimulation.Run(slow with { Nodes = 4, Databases = 4 });

        // 2 / 40 us whatever the nodes.
        Assert.InRange(one, 40_000, 51_000);
        Assert.InRange(four, 40_000, 51_000);
        Assert.InRange(cured.MessagesPerSecond, 2.5 * four, 4.1 * four);
    }

    /// <summary>The study's failure and its cure: one disk takes 10,000 messages a second, a node sends 20,000.</summary>
    [Fact]
    public void Rate_BehindADiskThatIsTooSlow_FallsForEachNode_AndGrowsWithDatabases()
    {
        SimulationOptions disk = Usual with { StationSeconds = [50e-6, 50e-6, 50e-6, 50e-6, 50e-6], DatabaseSeconds = 1e-6, DiskSeconds = 100e-6, Drivers = 4, Brokers = 4 };
        SimulationResult one = EngineSimulation.Run(disk);
        SimulationResult four = EngineSimulation.Run(disk with { Nodes = 4 });
        SimulationResult cured = EngineSimulation.Run(disk with { Nodes = 4, Databases = 4 });

        // Some hundred writes, each of half to one and a half times its mean.
        Assert.InRange(one.MessagesPerSecond, 9_000, 11_000);
        Assert.InRange(four.MessagesPerSecond, 9_000, 11_000);
        Assert.True(four.DiskQueue > 2 * one.DiskQueue, $"{four.DiskQueue} batches at the disk with four nodes, {one.DiskQueue} with one");
        Assert.InRange(cured.MessagesPerSecond, 3 * four.MessagesPerSecond, 4.1 * four.MessagesPerSecond);
    }

    [Theory]
    [InlineData(1, 1, 9_000, 10_100)]
    [InlineData(4, 1, 17_000, 20_200)]
    [InlineData(4, 4, 36_000, 40_400)]
    public void Rate_WhereDriversOrBrokersAreTheLimit_IsThatOfTheirProcessors(int drivers, int brokers, double least, double most)
    {
        // A driver's machine sends a batch after the other, so that it uses one processor; a broker's uses two.
        SimulationResult result = EngineSimulation.Run(Usual with { Nodes = 4, Databases = 8, Drivers = drivers, Brokers = brokers, DriverSeconds = 100e-6, BrokerSeconds = 100e-6 });

        Assert.InRange(result.MessagesPerSecond, least, most);
    }

    [Fact]
    public void Rate_OnSharedProcessors_IsThatOfAllTimeTogether()
    {
        // 20 + 10 + 1 + 9 us on two processors.
        SimulationResult shared = EngineSimulation.Run(Usual with { SharedProcessors = 2, DriverSeconds = 9e-6, FlushSeconds = 1e-6, Nodes = 2, Databases = 2 });

        Assert.InRange(shared.MessagesPerSecond, 44_000, 51_000);
    }

    [Fact]
    public void Rate_OfOneInstanceBehindASlowDisk_IsThatOfItsFlushes_AndBatchesWait()
    {
        SimulationOptions disk = Usual with { FlushSeconds = 0.1, Instances = 1, BatchSize = 100, Messages = 20_000 };
        SimulationResult slow = EngineSimulation.Run(disk);

        // Each of four components has a batch of 100 flushed in 0.1 s at most; two of seven messages are of a type, one NOE.
        Assert.InRange(slow.MessagesPerSecond, 500, 3_500);
        Assert.True(slow.DiskQueue > 1);
        Assert.Equal(slow, EngineSimulation.Run(disk));
    }

    /// <summary>The bottleneck law: no more messages than the part that is slowest for a message can do. Queues cannot hide it.</summary>
    [Theory]
    // By router, NOE, ALC, NPR, SET in us; instances, processors of a machine, us of the database, us of its disk, us of the broker and the driver.
    [InlineData(10, 10, 10, 100, 10, 1, 8, 1, 0, 1, 0)]
    [InlineData(10, 10, 10, 10, 400, 2, 8, 1, 0, 1, 0)]
    [InlineData(5, 200, 5, 5, 5, 2, 4, 5, 0, 1, 0)]
    [InlineData(100, 10, 10, 10, 10, 4, 2, 10, 0, 1, 0)]
    [InlineData(1, 80, 80, 80, 80, 8, 2, 10, 0, 1, 0)]
    [InlineData(1, 5, 5, 50, 5, 4, 2, 100, 0, 1, 0)]
    [InlineData(1, 5, 5, 50, 5, 4, 2, 10, 100, 1, 0)]
    [InlineData(1, 5, 5, 50, 5, 4, 2, 10, 0, 100, 0)]
    [InlineData(1, 5, 5, 50, 5, 4, 2, 10, 0, 1, 100)]
    public void Rate_IsAtMostThatOfTheBottleneck(
        int router, int noe, int alc, int npr, int set, int instances, int processors, int database, int disk, int broker, int driver)
    {
        int[] stations = [router, noe, alc, npr, set];
        double[] shares = [1, 1 / 7.0, 2 / 7.0, 2 / 7.0, 2 / 7.0];
        int[] counts = [(instances + 1) / 2, (instances + 1) / 2, instances, instances, instances];
        double[] demands =
        [
            stations.Zip(shares, (time, share) => time * share).Sum() / processors,
            // A batch is at the database and its disk while the instance waits.
            .. stations.Select((time, i) => (time + (i == 0 ? 0 : database + disk)) * shares[i] / counts[i]),
            (double)database / processors, disk, (double)broker / processors, driver,
        ];

        SimulationResult result = EngineSimulation.Run(new SimulationOptions
        {
            StationSeconds = [.. stations.Select(time => time * 1e-6)],
            Instances = instances,
            ProcessorsPerMachine = processors,
            DatabaseSeconds = database * 1e-6,
            DiskSeconds = disk * 1e-6,
            BrokerSeconds = broker * 1e-6,
            DriverSeconds = driver * 1e-6,
            FlushSeconds = 1e-6,
        });

        // Times vary by half around their means, and some parts do a few hundred pieces of work: three standard deviations. The law is nearly reached.
        Assert.InRange(result.MessagesPerSecond, 0.75 * 1e6 / demands.Max(), 1.04 * 1e6 / demands.Max());
    }
}
