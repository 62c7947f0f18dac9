using System;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Compare;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TradeEngine.Measurement;
using Xunit;

namespace Formatters.TradeEngine.Tests.CommandLine;

/// <summary>The command line.</summary>
public sealed class EngineCommandTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-engine-verb-").FullName;
    private readonly FileQueueProvider _files = new();

    private string[] Places => ["--queues", $"file://{_folder}/queues/", "--store", Path.Combine(_folder, "store")];

    public void Dispose()
    {
        _files.DisposeAsync().AsTask().GetAwaiter().GetResult();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public async Task Engine_OnTheEmbeddedDefault_EndsAsItMust_AndSaysWhatItFound()
    {
        string json = Path.Combine(_folder, "report.json");
        string csv = Path.Combine(_folder, "report.csv");

        ToolResult result = await new Tool(_files).RunAsync(["run", "--quick", "--trades", "400", "--kills", "5", "--interval", "10", .. Places,
            "--json", json, "--csv", csv]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        EngineReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.EngineReport)!;
        Assert.True(report.Result is { Trades: 400, WarmTrades: 400, WrongClearings: 0, RepeatedClearings: 0, WrongExceptions: 0, Kills: 5, IsRight: true,
            ExpectedExceptions: > 0 });
        Assert.Equal(report.Result.ExpectedClearings, report.Result.Clearings);
        Assert.Equal(["router", "noe", "alc", "npr", "set"], report.Result.Analysis.Stations.Select(station => station.Name));
        Assert.Equal(report.Result.Sent, report.Result.Analysis.Stations[0].Completions);
        Assert.Equal(report.Result.Samples.Count + 1, (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Contains("trades have exactly one CLS that holds", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain("WRONG", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Engine_FromATextFile_SendsWhatIsInIt()
    {
        string set = Path.Combine(_folder, "set.xml");
        var tool = new Tool(_files);
        string[] shares = ["--trades", "150", "--bad", "0.05", "--changes", "0.1"];

        ToolResult written = await tool.RunAsync(["run", "--write-set", set, .. shares]);
        ToolResult result = await tool.RunAsync(["run", "--set", set, .. shares, .. Places]);

        Assert.True(written.ExitCode == 0, written.Error);
        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        string exceptions = Assert.Single(result.OutputLines, line => line.Contains("messages in the exception queue", StringComparison.Ordinal));
        Assert.StartsWith("  ok", exceptions, StringComparison.Ordinal);
        Assert.DoesNotContain("of 0 bad", exceptions, StringComparison.Ordinal);
    }

    /// <summary>Without --trades, whose default is another number, the trades are those of the file: all of them are sent and checked.</summary>
    [Fact]
    public async Task Engine_FromATextFile_ChecksItsTrades()
    {
        string set = Path.Combine(_folder, "set.xml");
        string json = Path.Combine(_folder, "report.json");
        var tool = new Tool(_files);
        await tool.RunAsync(["run", "--write-set", set, "--trades", "90", "--gaps", "0.1"]);

        ToolResult result = await tool.RunAsync(["run", "--set", set, "--gaps", "0.1", "--warm-up", "0", .. Places, "--json", json]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        EngineReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.EngineReport)!;
        Assert.True(report.Result is { Trades: 90, IsRight: true, Clearings: > 70 and < 90 }, result.Output);
        Assert.Equal(report.Result.ExpectedClearings, report.Result.Clearings);
    }

    [Theory]
    [InlineData("--trades 40 --gaps 0.1", "--trades 40: 'set.xml' has 90. Leave --trades out.")]
    [InlineData("--gaps 0", "of 'set.xml' is not one of this seed and these shares")]
    [InlineData("--seed 2 --gaps 0.1", "message 1 of 'set.xml' is not one")]
    public async Task Engine_FromATextFileOfOtherOptions_IsAUsageError(string options, string words)
    {
        string set = Path.Combine(_folder, "set.xml");
        var tool = new Tool(_files);
        await tool.RunAsync(["run", "--write-set", set, "--trades", "90", "--gaps", "0.1"]);

        ToolResult result = await tool.RunAsync(["run", "--set", set, .. options.Split(' '), .. Places]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(words, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Engine_OverAQueueThatSomebodyReceivesFrom_PurgesNone()
    {
        var tool = new Tool(_files);
        await using QueueClient inbound = await tool.Connector.OpenAsync("memory:in-0");
        await inbound.SendAsync(new QueueMessage());
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:noe");
        await queue.SendAsync(new QueueMessage());
        ReceivedMessage locked = (await queue.ReceiveAsync(TimeSpan.Zero))!;

        ToolResult result = await tool.RunAsync("run", "--trades", "10", "--purge", "--queues", "memory:", "--store", Path.Combine(_folder, "store"));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'memory:noe' holds 1 message, 1 of them locked by a receiver or in a transaction", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await inbound.GetMessageCountAsync());
        await locked.AcknowledgeAsync();
    }

    [Fact]
    public async Task Engine_OverQueuesThatAreNotEmpty_LeavesThemAlone()
    {
        var tool = new Tool(_files);
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:noe");
        await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync("run", "--trades", "10", "--queues", "memory:", "--store", Path.Combine(_folder, "store"));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'memory:noe' holds 1 message. A measurement deletes", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Theory]
    [InlineData("--format", "yaml", "'yaml' is not one of xml, binary, versioned, messagepack, cbor, compact, protobuf, json.")]
    [InlineData("--trades", "0", "--trades takes 1 to 10,000,000, not 0.")]
    [InlineData("--set", "nowhere.xml", "no file")]
    [InlineData("--bad", "0,01", "--bad takes a number, not '0,01'.")]
    [InlineData("--gaps", "1.5", "--gaps takes 0 to 1, not 1.5.")]
    [InlineData("--rate", "1,5", "--rate takes a number, not '1,5'.")]
    [InlineData("--bundle", "0", "--bundle takes 1 to 1,000, not 0.")]
    [InlineData("--rate", "0", "--rate takes 0 to 1,000,000,000, not 0.")]
    public async Task Engine_WithArgumentsThatMeanNothing_SaysWhy(string option, string value, string error)
    {
        ToolResult result = await new Tool(_files).RunAsync("run", option, value);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(error, result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Sweep_OverStoresOfASweepBefore_SaysSo()
    {
        string[] line = ["sweep", "--of", "inbound", "--inbound", "1,2", "--trades", "100", "--rounds", "1", "--queues", "memory:", "--store", Path.Combine(_folder, "named")];
        Assert.Equal(0, (await new Tool(_files).RunAsync(line)).ExitCode);

        ToolResult result = await new Tool(_files).RunAsync(line);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("The store has 300 trades", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Engine_ThatTransfers_SaysHow_AndLeavesOtherMessagesAlone()
    {
        var tool = new Tool(_files);
        string[] engine = ["run", "--trades", "100", "--kills", "2", "--inbound-queues", "2", "--transfer", $"file://{_folder}/own/"];

        ToolResult result = await tool.RunAsync([.. engine, .. Places]);
        await using QueueClient queue = await tool.Connector.OpenAsync($"file://{_folder}/own/out-1");
        await queue.SendAsync(new QueueMessage());
        ToolResult refused = await tool.RunAsync([.. engine, "--queues", "memory:", "--store", Path.Combine(_folder, "other")]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        Assert.Contains("transferred at least once", result.Output, StringComparison.Ordinal);
        Assert.Equal(2, refused.ExitCode);
        Assert.Contains("/own/out-1' holds 1 message.", refused.Error, StringComparison.Ordinal);
    }

    [PostgresFact]
    public async Task Sweep_OverAQueueOfALaterCaseThatIsNotEmpty_LeavesItAlone()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        var tool = new Tool(_files, new PostgreSqlQueueProvider());
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:in-1");
        await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync(
            "sweep", "--of", "inbound", "--inbound", "1,2", "--trades", "100", "--queues", "memory:", "--store", database.Address);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'memory:in-1' holds 1 message.", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [PostgresFact]
    public async Task Engine_WhoseQueuesAreNotToBePurged_LeavesTheStoreAlone()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        var tool = new Tool(_files, new PostgreSqlQueueProvider());
        string[] engine = ["run", "--trades", "20", "--warm-up", "0", "--queues", "memory:", "--store", database.Address];
        ToolResult first = await tool.RunAsync(engine);
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:noe");
        await queue.SendAsync(new QueueMessage());
        ReceivedMessage locked = (await queue.ReceiveAsync(TimeSpan.Zero))!;

        ToolResult refused = await tool.RunAsync([.. engine, "--purge"]);
        await locked.AcknowledgeAsync();
        ToolResult again = await tool.RunAsync(engine);

        Assert.True(first.ExitCode == 0, first.Error + first.Output);
        Assert.Equal((2, 2), (refused.ExitCode, again.ExitCode));
        Assert.Contains("The store has 20 trades", again.Error, StringComparison.Ordinal);
    }

    [PostgresFact]
    public async Task Engine_OverAQueueOfReportsThatIsNotEmpty_LeavesItAlone()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        var tool = new Tool(_files, new PostgreSqlQueueProvider());
        await using QueueClient queue = await tool.Connector.OpenAsync(database.Address + "/mine-nodes");
        await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync(
            "run", "--processes", "1", "--trades", "20", "--queues", database.Address + "/mine-", "--store", database.Address);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("mine-nodes' holds 1 message.", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Theory]
    [InlineData("new")]
    [InlineData("empty")]
    public async Task Engine_Interrupted_LeavesNothingInAFolder(string store)
    {
        string path = Path.Combine(_folder, store);
        if (store == "empty")
        {
            Directory.CreateDirectory(path);
            await File.WriteAllTextAsync(Path.Combine(path, "mine.txt"), "mine");
        }

        await InterruptAsync(new Tool(_files), $"file://{_folder}/queues/in-0", ["--queues", $"file://{_folder}/queues/", "--store", path]);

        if (store == "empty")
            Assert.Equal("mine", await File.ReadAllTextAsync(Path.Combine(path, "mine.txt")));
    }

    [PostgresFact]
    public async Task Engine_Interrupted_LeavesNothingInADatabase()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        await InterruptAsync(new Tool(new PostgreSqlQueueProvider()), database.Address + "/q-in-0", ["--queues", database.Address + "/q-", "--store", database.Address]);
    }

    [EngineServersFact]
    public async Task Engine_Interrupted_LeavesNothingOnABroker()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        string prefix = Broker.NewQueue() + "-";
        await InterruptAsync(
            new Tool(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider()), prefix + "in-0", ["--queues", prefix, "--store", database.Address]);
    }

    [PostgresFact]
    public async Task Driver_Interrupted_LeavesNothing()
    {
        await using TestDatabase database = await TestDatabase.CreateAsync();
        var tool = new Tool(new PostgreSqlQueueProvider());
        using var interrupt = new CancellationTokenSource();
        string queue = database.Address + "/q-in-0";
        Task<ToolResult> run = tool.RunAsync(interrupt.Token, "driver", "--queues", database.Address + "/q-", "--trades", "20000");
        await AwaitMessagesAsync(tool, queue, run);
        await interrupt.CancelAsync();
        Assert.Equal(130, (await run).ExitCode);
        Assert.Equal(0, await tool.CountAsync(queue));
    }

    /// <summary>Ctrl-C after the first of many rounds: the figures of the rounds completed by then are the outcome.</summary>
    [Theory]
    [InlineData("sweep --of inbound --inbound 1 --trades 100 --warm-up 10 --rounds 100", true, "points")]
    [InlineData("driver --trades 50 --rounds 1000", false, "cases")]
    public async Task Rounds_BeforeCtrlC_AreKept(string arguments, bool hasStore, string property)
    {
        string json = Path.Combine(_folder, "rounds.json");
        using var interrupt = new CancellationTokenSource();
        using var error = new InterruptingWriter(interrupt);
        using var output = new StringWriter();

        int exitCode = await Task.Run(() => ToolUnderTest.RunAsync(TextWriter.Synchronized(output), error, new Tool(_files).Connector, TimeProvider.System,
            [.. arguments.Split(' '), "--queues", $"file://{_folder}/rounds/", "--json", json,
                .. hasStore ? ["--store", Path.Combine(_folder, "store")] : Array.Empty<string>()], interrupt.Token));

        Assert.True(exitCode == 130, output.ToString());
        JsonNode report = JsonNode.Parse(await File.ReadAllTextAsync(json))!;
        Assert.True((bool)report["run"]!["isInterrupted"]!);
        Assert.NotEmpty(report[property]!.AsArray());
        int[] rounds = [.. report["series"]!.AsArray().Select(series => series!["rounds"]!.AsArray().Count)];
        Assert.InRange(rounds[0], 1, 999);
        Assert.All(rounds, count => Assert.Equal(rounds[0], count));
    }

    /// <summary>Interrupts a second and a half after the first percentage: rounds are being measured then.</summary>
    private sealed class InterruptingWriter(CancellationTokenSource interrupt) : StringWriter
    {
        public override void Write(char value)
        {
            base.Write(value);
            if (value == '%')
                interrupt.CancelAfter(TimeSpan.FromSeconds(1.5));
        }
    }

    /// <summary>Ends the engine in the middle of its work, as Ctrl-C does, and runs it again over the same queues and store.</summary>
    private static async Task InterruptAsync(Tool tool, string inbound, string[] places)
    {
        using var interrupt = new CancellationTokenSource();
        Task<ToolResult> run = tool.RunAsync(interrupt.Token, ["run", "--trades", "500000", "--backlog", "0", .. places]);
        await AwaitMessagesAsync(tool, inbound, run);
        await interrupt.CancelAsync();
        ToolResult interrupted = await run;
        Assert.True(interrupted.ExitCode == 130, interrupted.Error);
        ToolResult again = await tool.RunAsync(["run", "--trades", "20", .. places]);
        Assert.True(again.ExitCode == 0, again.Error + again.Output);
    }

    private static async Task AwaitMessagesAsync(Tool tool, string queue, Task run)
    {
        while (!run.IsCompleted)
        {
            if (await CountAsync() > 0)
                return;
            await Task.Delay(50);
        }

        async Task<long> CountAsync()
        {
            try
            {
                return (await tool.Connector.ListAsync(queue)).Sum(static status => status.MessageCount ?? 0);
            }
            catch (QueueException)
            {
                // Its folder is not there yet.
                return 0;
            }
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Driver_OverAQueueThatSomebodyReceivesFrom_LeavesItAlone(bool purges)
    {
        var tool = new Tool(_files);
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:in-0");
        await queue.SendAsync(new QueueMessage());
        ReceivedMessage locked = (await queue.ReceiveAsync(TimeSpan.Zero))!;

        ToolResult result = await tool.RunAsync(
            ["driver", "--queues", "memory:", "--trades", "20", "--rounds", "1", .. purges ? ["--purge"] : Array.Empty<string>()]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'memory:in-0' holds 1 message, 1 of them locked", result.Error, StringComparison.Ordinal);
        await locked.ReturnAsync();
        Assert.Equal(1, await queue.GetMessageCountAsync());
    }

    [Fact]
    public async Task Driver_Alone_SendsWithBothSignatures()
    {
        string json = Path.Combine(_folder, "driver.json");

        ToolResult result = await new Tool(_files).RunAsync("driver", "--queues", "memory:", "--trades", "20", "--rounds", "1", "--json", json);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        DriverReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.DriverReport)!;
        Assert.Equal(["HMAC-SHA-256", "ECDSA P-256"], report.Cases.Select(item => item.Signature));
        Assert.All(report.Cases, item => Assert.True(item.MessagesPerSecond.Single() > 0));
    }

    [Fact]
    public async Task Extraction_SaysEveryWayAndEveryFormat()
    {
        ToolResult result = await new Tool(_files).RunAsync("extraction", "--trades", "50", "--rounds", "1", "--time", "1");

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        foreach (string name in (string[])["span search", "Boyer-Moore", "SearchValues", "XmlReader", "XmlSerializer", "generated XML", "binary", "MessagePack", "protobuf"])
            Assert.Contains(result.OutputLines, line => line.StartsWith(name, StringComparison.Ordinal));
    }

    /// <summary>Each case begins with an empty store, also where --store names the folder.</summary>
    [Fact]
    public async Task Sweep_OverAFolderThatIsNamed_RunsEveryCase()
    {
        string json = Path.Combine(_folder, "sweep.json");
        ToolResult result = await new Tool(_files).RunAsync(
            ["sweep", "--of", "inbound", "--inbound", "1,2,2", "--trades", "100", "--rounds", "2", "--warm-up", "20", .. Places, "--json", json]);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        SweepReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.SweepReport)!;
        Assert.Equal(
            [(0, "1 queue"), (0, "2 queues"), (0, "2 queues (2)"), (1, "1 queue"), (1, "2 queues"), (1, "2 queues (2)")],
            report.Points.Select(point => (point.Round, point.Name)));
        Assert.All(report.Findings, finding => Assert.Equal(Verdict.Undecided, finding.Verdict));
        Assert.Equal(4, report.Findings.Count);
        Assert.Contains("interval is the least and the greatest of the rounds", string.Join(' ', result.Output.Split((char[])[' ', '\r', '\n'], StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
    }

    /// <summary>Its runs find the rate of full load first.</summary>
    [Fact]
    public async Task Sweep_OfLoad_HasTheRatesOfItsCases()
    {
        string json = Path.Combine(_folder, "load.json");

        ToolResult result = await new Tool(_files).RunAsync(
            "sweep", "--loads", "10,50", "--trades", "100", "--rounds", "1", "--queues", "memory:", "--json", json);

        Assert.True(result.ExitCode == 0, result.Error + result.Output);
        SweepReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.SweepReport)!;
        Assert.Equal([0.1, 0.5], report.Points.Select(point => point.Load!.Value));
        Assert.True(report.Limit > 0);
        Assert.Equal(2, Assert.Single(report.Figures).Categories.Count);
        Assert.Equal(["sweep/10 % load", "sweep/50 % load"], report.Series.Take(2).Select(series => series.Name));
    }

    /// <summary>The study's failure, one database whose disk is too slow, and its cure, from the times of a run that had component processes.</summary>
    [Fact]
    public async Task Simulate_OfASlowDisk_ShowsTheFailureAndItsCure()
    {
        var tool = new Tool(_files);
        string json = Path.Combine(_folder, "engine.json");
        string simulated = Path.Combine(_folder, "simulated.json");
        ToolResult run = await tool.RunAsync(["run", "--trades", "150", .. Places, "--json", json]);
        JsonNode report = JsonNode.Parse(await File.ReadAllTextAsync(json))!;
        report["nodeProcesses"] = 1;
        report["result"]!["storeByteCount"] = 1_000_000;
        report["result"]!["processors"]!["nodes"] = 100e-6;
        report["result"]!["processors"]!["run"] = 20e-6;
        await File.WriteAllTextAsync(json, report.ToJsonString());

        ToolResult result = await tool.RunAsync(
            "simulate", json, "--nodes", "1,8", "--by-databases", "1,4", "--drivers", "8", "--brokers", "8", "--disk", "5", "--json", simulated);

        Assert.True(run.ExitCode == 0, run.Error + run.Output);
        Assert.True(result.ExitCode == 0, result.Error);
        Assert.Contains("us to write a message", result.Output, StringComparison.Ordinal);
        SimulationReport read = JsonSerializer.Deserialize(await File.ReadAllTextAsync(simulated), EngineJson.Default.SimulationReport)!;
        Assert.Equal([(1, 1), (8, 1), (1, 4), (8, 4)], read.Points.Select(point => (point.Nodes, point.Databases)));
        Assert.True(read.Points[1].Result.MessagesPerSecond < 2 * read.Points[0].Result.MessagesPerSecond, result.Output);
        Assert.True(read.Points[3].Result.MessagesPerSecond > 3 * read.Points[1].Result.MessagesPerSecond, result.Output);
        Assert.Equal(
            ["Figures 11 and 12, simulated", "Figure 7, simulated", "Figure 8, simulated", "Figure 8, its cause, simulated", "Figure 13, simulated"],
            read.Figures.Select(figure => figure.Title.Split(':')[0]));
    }

    /// <summary>Component processes over a broker and a database, two of which are killed (SIGKILL) and started again.</summary>
    [EngineServersFact]
    public async Task Processes_ThatAreKilled_EndAsTheyMust()
    {
        string json = Path.Combine(_folder, "processes.json");
        string prefix = Broker.NewQueue() + "-";
        string server = Environment.GetEnvironmentVariable(Broker.PostgreSql)!;
        string name = $"engine_{Guid.NewGuid():N}";
        await ExecuteAsync(server, $"CREATE DATABASE {name}");
        try
        {
            ToolResult result = await new Tool(new RabbitMqQueueProvider(), new PostgreSqlQueueProvider()) { Clock = TimeProvider.System }.RunAsync(
                ["run", "--processes", "2", "--kills", "2", "--trades", "300", "--bad", "0.01", "--changes", "0.01", "--queues", prefix, "--store", $"{server[..server.LastIndexOf('/')]}/{name}",
                    "--json", json]);

            Assert.True(result.ExitCode == 0, result.Error + result.Output);
            EngineReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(json), EngineJson.Default.EngineReport)!;
            Assert.True(report.Result is { Trades: 300, WrongClearings: 0, RepeatedClearings: 0, WrongExceptions: 0, IsRight: true }, result.Output);
            Assert.Equal(report.Result.ExpectedClearings, report.Result.Clearings);
            Assert.DoesNotContain(":formatters@", result.Output, StringComparison.Ordinal);
        }
        finally
        {
            await ExecuteAsync(server, $"DROP DATABASE {name} WITH (FORCE)");
        }
    }

    [Theory]
    [InlineData("run --processes 2", "--queues: component processes share queues of a broker")]
    [InlineData("run --processes 2 --queues amqp://localhost/x-", "--store: component processes share a database")]
    [InlineData("run --processes 0 --queues amqp://localhost/x- --store postgres://localhost/x", "--key names the file")]
    [InlineData("run --processes 0 --kills 1 --key driver=key.bin --queues amqp://localhost/x- --store postgres://localhost/x", "--kills cannot kill")]
    [InlineData("node", "--queues: component processes share queues of a broker")]
    [InlineData("node --component xyz", "xyz")]
    [InlineData("sweep --loads 0", "--loads takes numbers from 1 to 200")]
    [InlineData("simulate nowhere.json", "cannot be read")]
    [InlineData("simulate nowhere.json --disk 1,5", "--disk takes a number, not '1,5'.")]
    [InlineData("simulate nowhere.json --drivers 0", "--drivers takes 1 to 1,000, not 0.")]
    public async Task Engine_WithoutWhatProcessesShare_SaysWhatIsMissing(string arguments, string error)
    {
        ToolResult result = await new Tool(_files).RunAsync([.. arguments.Split(' ')]);

        Assert.Equal(2, result.ExitCode);
        Assert.Contains(error, result.Error, StringComparison.Ordinal);
    }

    private static async Task ExecuteAsync(string server, string statement)
    {
        var address = new Uri(server);
        string[] user = address.UserInfo.Split(':');
        await using var connection = new Npgsql.NpgsqlConnection(
            $"Host={address.Host};Port={address.Port};Username={user[0]};Password={user[1]};Database={address.AbsolutePath.Trim('/')};Pooling=false");
        await connection.OpenAsync();
        await using Npgsql.NpgsqlCommand command = connection.CreateCommand();
        command.CommandText = statement;
        await command.ExecuteNonQueryAsync();
    }
}

/// <summary>A test that needs RabbitMQ and PostgreSQL.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class EngineServersFactAttribute : FactAttribute
{
    public EngineServersFactAttribute() => Skip = Broker.SkipReason(Broker.RabbitMq) ?? Broker.SkipReason(Broker.PostgreSql);
}
