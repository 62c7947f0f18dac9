using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Reports;
using Formatters.Bench.Tests.Support;
using Formatters.Bench.Throughput;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.Throughput;

public sealed class ThroughputTests : IDisposable
{
    private const string SendHeader =
        "pstart|pend|sbc|mifs|snd.avg|snd.med|snd.dev|snd.min|snd.max|gld.avg|gld.med|gld.dev|gld.min|gld.max|msg/s|total|sndop|errs|busy|overall";

    private const string ReceiveHeader =
        "pstart|pend|rbc|mifr|rcv.avg|rcv.med|rcv.dev|rcv.min|rcv.max|cpl.avg|cpl.med|cpl.dev|cpl.min|cpl.max|msg/s|total|rcvop|errs|busy|overall|backlog";

    /// <summary>What a user of the sample has: it knows S and R, and the columns by their numbers.</summary>
    private const string Awk = """
        BEGIN { FS = "|" }
        $1 == "S" && $2 + 0 == $2 { sent += $17; operations += $18; sends++; if ($21 > last) last = $21 + 0 }
        $1 == "R" && $2 + 0 == $2 { received += $17; errors += $19 }
        END { print sent, operations, received, errors, (sends > 0), last }
        """;

    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-throughput-").FullName;

    private string Json => Path.Combine(_folder, "report.json");

    /// <summary>The options of the sample, with its defaults.</summary>
    [Theory]
    [InlineData("-C", "--connection-string", null)]
    [InlineData("-S", "--send-path", null)]
    [InlineData("-R", "--receive-paths", "the send path")]
    [InlineData("-n", "--number-of-messages", "1000000")]
    [InlineData("-b", "--message-size-bytes", "1024")]
    [InlineData("-f", "--frequency-metrics", "10")]
    [InlineData("-m", "--receive-mode", "PeekLock")]
    [InlineData("-r", "--receiver-count", "1")]
    [InlineData("-e", "--prefetch-count", "0")]
    [InlineData("-t", "--send-batch-count", "0")]
    [InlineData("-s", "--sender-count", "1")]
    [InlineData("-d", "--send-delay", "0")]
    [InlineData("-i", "--inflight-sends", "1")]
    [InlineData("-j", "--inflight-receives", "1")]
    [InlineData("-v", "--receive-batch-count", "0")]
    [InlineData("-w", "--receive-work-duration", "0")]
    public async Task EveryOptionOfTheSample_IsThere(string shortName, string longName, string? defaultValue)
    {
        string help = (await new Tool().RunAsync("throughput", "--help")).Output;

        string text = string.Join(' ', help[help.IndexOf($"{shortName}, {longName}", StringComparison.Ordinal)..].Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Take(40));
        Assert.Contains(defaultValue is null ? longName : $"[default: {defaultValue}]", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Rows_HaveEveryColumnInOrder_AndAreReadByAwk()
    {
        ToolResult result = await RunAsync("-C memory: -S q -n 20000 -t 10 -v 10 -f 0.05");

        Assert.Equal("S|" + SendHeader, Squeeze(result.OutputLines[0]));
        Assert.Equal("R|" + ReceiveHeader, Squeeze(result.OutputLines[1]));
        Assert.All(result.OutputLines.Where(line => line.StartsWith("S|", StringComparison.Ordinal)), line => Assert.Equal(21, line.Split('|').Length));
        Assert.All(result.OutputLines.Where(line => line.StartsWith("R|", StringComparison.Ordinal)), line => Assert.Equal(22, line.Split('|').Length));
        Skip.If(OperatingSystem.IsWindows(), "Windows has no awk.");
        string rows = Path.Combine(_folder, "rows.txt");
        await File.WriteAllTextAsync(rows, result.Output);
        Assert.InRange(Awk.Split('\n').Length, 1, 10);
        var start = new ProcessStartInfo("/usr/bin/awk", [Awk, rows]) { RedirectStandardOutput = true };
        using Process awk = Process.Start(start)!;
        Assert.Equal("20000 2000 20000 0 1 20000", (await awk.StandardOutput.ReadToEndAsync()).Trim());
    }

    [Theory]
    [InlineData("-C memory: -S q -n 3000")]
    [InlineData("-C memory: -S q -n 3000 -m ReceiveAndDelete")]
    [InlineData("-C memory: -S q -n 3001 -t 7 -v 5 -i 3 -j 2 -s 2 -r 3 -e 10")]
    [InlineData("-C memory:;EntityPath=q -n 100")]
    [InlineData("-C Endpoint=memory:;EntityPath=q -n 100 -S q")]
    [InlineData("--connection-string memory: --send-path q --number-of-messages 100 --message-size-bytes 10")]
    [InlineData("-C memory: -S q -n 200 --formatter generated --payload order:3")]
    [InlineData("-C memory: -S q -n 20 -d 1 -w 1")]
    public async Task EveryMessage_ComesOutOnce_AndTheQueueIsLeftEmpty(string arguments)
    {
        var tool = new Tool();

        ThroughputReport report = await MeasureAsync(tool, arguments);

        string count = arguments.Split(' ')[Array.FindIndex(arguments.Split(' '), word => word is "-n" or "--number-of-messages") + 1];
        Assert.Equal((count, count), ($"{report.Summary.Sent}", $"{report.Summary.Received}"));
        Assert.Equal((report.Summary.Sent, report.Summary.Received), (report.Sends.Sum(row => row.Total), report.Receives.Sum(row => row.Total)));
        Assert.Equal(report.Summary.Received, report.Receives[^1].Overall);
        Assert.Equal(0, report.Receives[^1].Backlog);
        Assert.Equal(arguments.Contains("ReceiveAndDelete", StringComparison.Ordinal), report.Summary.Completion is null);
        Assert.Equal(["send", "receive"], report.Series.Select(series => series.Name));
        Assert.Equal(0, await tool.CountAsync("memory:q"));
    }

    [Fact]
    public async Task Topic_EachSubscriptionGetsEveryMessage()
    {
        ThroughputReport report = await MeasureAsync(new Tool(), "-C memory: -S t -R t/subscriptions/a t/Subscriptions/b -n 500 -t 10");

        Assert.Equal((500, 1_000), (report.Summary.Sent, report.Summary.Received));
        Assert.Equal(0, report.Receives[^1].Backlog);
    }

    [Fact]
    public async Task SeveralPaths_OneIsADeadLetterQueue()
    {
        var tool = new Tool();
        await using (await tool.Connector.OpenAsync("memory:q"))
        await using (QueueClient dead = await tool.Connector.OpenAsync("memory:q-dead-letters"))
        {
            for (int i = 0; i < 5; i++)
                await dead.SendAsync(new QueueMessage());
        }

        ThroughputReport report = await MeasureAsync(tool, "-C memory: -S q -s 0 -R q q/$DeadLetterQueue -n 5");

        Assert.Equal((0, 5), (report.Summary.Sent, report.Summary.Received));
        Assert.Equal(0, await tool.CountAsync("memory:q-dead-letters"));
    }

    [Fact]
    public async Task SendAlone_LeavesItsMessages_AndReceiveAloneTakesThem()
    {
        var tool = new Tool();

        ThroughputReport sent = await MeasureAsync(tool, "-C memory: -S q -r 0 -n 70");
        Assert.Equal(70, await tool.CountAsync("memory:q"));
        ThroughputReport received = await MeasureAsync(tool, "-C memory: -S q -s 0 -n 70");

        Assert.Equal((70, 0, 0, 70), (sent.Summary.Sent, sent.Receives.Count, received.Sends.Count, received.Summary.Received));
        Assert.Equal(0, await tool.CountAsync("memory:q"));
    }

    [Fact]
    public async Task ASend_TakesAsLongAsTheQueueTakes()
    {
        var clock = new ManualClock();
        var tool = new Tool(new KnownSpeedProvider("fake", clock, _ => TimeSpan.FromMilliseconds(2), _ => TimeSpan.FromMilliseconds(4))) { Clock = clock };

        ThroughputReport sent = await MeasureAsync(tool, "-C fake: -S q -r 0 -n 50");
        ThroughputReport received = await MeasureAsync(tool, "-C fake: -S q -s 0 -n 50");

        ThroughputRow send = Assert.Single(sent.Sends);
        Assert.Equal((0, 0.1, 500), (send.Start, Math.Round(send.End, 9), Math.Round(send.Rate, 6)));
        Assert.Equal(new Durations(2, 2, 0, 2, 2), send.First);
        Assert.Equal(new Durations(0, 0, 0, 0, 0), send.Second);
        Assert.Equal(500, sent.Summary.SendRate, 6);
        Assert.Equal(new Durations(4, 4, 0, 4, 4), received.Receives[0].First);
        Assert.Equal(250, received.Summary.ReceiveRate, 6);
    }

    /// <summary>Messages are due every half millisecond and a send takes one: each waits for all before it, though no send takes longer than another.</summary>
    [Fact]
    public async Task EndToEnd_IsFromWhenAMessageWasDue()
    {
        var clock = new ManualClock();
        var tool = new Tool(new ProcessedSendProvider(clock)) { Clock = clock };

        ThroughputReport report = await MeasureAsync(tool, "-C fake: -S q -n 100 --rate 2000");

        Assert.InRange(report.Summary.EndToEnd!.P50, 25, 27);
        Assert.InRange(report.Summary.EndToEnd.Max, 50, 52);
        Assert.Equal(1, report.Summary.Send!.P99, 6);
        Assert.Equal(["send", "receive", "end to end/p50", "end to end/p99"], report.Series.Select(series => series.Name));
    }

    [Fact]
    public async Task ARate_IsKept()
    {
        ThroughputReport report = await MeasureAsync(new Tool(), "-C memory: -S q --rate 500 -n 100");

        // 100 messages at 500 a second take 198 ms, on a busy machine longer.
        Assert.InRange(report.Summary.SendRate, 1, 510);
    }

    /// <summary>A sender that waits until a message is due uses no processor. In a process of its own: the time of others would be counted.</summary>
    [Fact]
    public async Task ARate_DoesNotCostProcessorTime()
    {
        using var tool = System.Diagnostics.Process.Start(
            "dotnet", [typeof(Formatters.Bench.CommandLine.BenchApplication).Assembly.Location, .. "throughput -C memory: -S q --rate 500 -n 4000 --json".Split(' '), Json]);
        await tool.WaitForExitAsync();

        Assert.Equal(0, tool.ExitCode);
        ThroughputReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(Json), ReportJson.Default.ThroughputReport)!;
        // Messages are due every 2,000 us; the rest is the start of the process.
        Assert.InRange(report.Summary.Use!.CpuMicroseconds, 0, 800);
    }

    [Fact]
    public async Task AFullQueue_IsBusy_AndIsTriedAgain()
    {
        ThroughputReport report = await MeasureAsync(new Tool(), "-C memory: -S q -n 400 --max-messages 10 -w 1");

        Assert.True(report.Summary.Busy > 0);
        Assert.Equal((400, 400, 0), (report.Summary.Sent, report.Summary.Received, report.Summary.Errors));
    }

    [Fact]
    public async Task ReceiversThatFallBehind_AreSaid()
    {
        ToolResult result = await RunAsync("-C memory: -S q --rate 400 --seconds 1.5 -w 20 -f 0.1");

        Assert.Contains("The receivers are falling behind", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData((int)Fault.Loses, "did not come out of 'q'")]
    [InlineData((int)Fault.Alters, "does not belong to this run")]
    public async Task LostAndAlteredMessages_EndTheRun(int fault, string words)
    {
        ToolResult result = await new Tool(new FaultyQueueProvider((Fault)fault)).RunAsync([.. "throughput -C faulty: -S q -n 150 --timeout 0.3".Split(' '), "--json", Json]);

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(words, Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.False(File.Exists(Json));
    }

    [Fact]
    public async Task AMessageThatComesTwice_EndsTheRun()
    {
        ToolResult result = await new Tool(new DoublingProvider()).RunAsync("throughput -C doubling: -S q -n 150".Split(' '));

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("1 message came twice", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AConnectionThatBreaksForGood_IsAFailure()
    {
        ToolResult result = await new Tool(new BrokenProvider()).RunAsync("throughput -C broken: -S q -n 150".Split(' '));

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("The connection to the broker was lost", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=a;SharedAccessKey=b/c+d=;EntityPath=q", "sb://a:b%2Fc%2Bd%3D@x.servicebus.windows.net/q")]
    [InlineData("Endpoint=sb://127.0.0.1:5672;SharedAccessKeyName=a;SharedAccessKey=b;UseDevelopmentEmulator=true;EntityPath=q", "sb-emulator://a:b@127.0.0.1:5672/q")]
    [InlineData("Endpoint=sb://x.servicebus.windows.net;EntityPath=q", "sb://x.servicebus.windows.net/q")]
    [InlineData("amqp://localhost;EntityPath=q", "amqp://localhost/q")]
    public void AConnectionString_IsTheAddressOfItsEntity(string text, string address)
    {
        ConnectionString connection = ConnectionString.Parse(text);

        Assert.Equal(address, connection.AddressOf(connection.EntityPath!));
    }

    [Theory]
    [InlineData("sb://x", "sb://x/q%2F%24DeadLetterQueue")]
    [InlineData("amqp://x", "amqp://x/q-dead-letters")]
    public void DeadLetters_AreWhereTheBrokerHasThem(string place, string address) =>
        Assert.Equal(address, ConnectionString.Parse(place).AddressOf(ReceivePath.Parse("q/$deadletterqueue")));

    [Theory]
    [InlineData("-C Endpoint=sb://x.servicebus.windows.net/;SharedAccessSignature=secret;EntityPath=q", "SharedAccessSignature")]
    [InlineData("-C memory:", "No queue")]
    [InlineData("-C memory:;EntityPath=a -S b", "EntityPath")]
    [InlineData("-C memory:;SharedAccessKey=secret -S b", "SharedAccessKey")]
    [InlineData("-C EntityPath=q", "no Endpoint")]
    [InlineData("-C memory:;EntityPath=a;EntityPath=b", "twice")]
    [InlineData("-C secret -S q", "neither an address")]
    [InlineData("-C other: -S q", "other:")]
    [InlineData("-C memory: -S q -R a/b/c", "is not a receive path")]
    [InlineData("-C memory: -S q -s 0 -r 0", "there is nothing to do")]
    [InlineData("-C memory: -S q -b 23 --rate 5", "24 bytes")]
    [InlineData("-C memory: -S q --payload order:5", "--formatter")]
    [InlineData("-C memory: -S q --formatter JSON --payload invoice:5", "order:n")]
    [InlineData("-C memory: -S q --formatter nope", "nope")]
    [InlineData("-C memory: -S q --mode transactional", "without transactions")]
    [InlineData("-C memory: -S q --mode recoverable", "recoverable")]
    [InlineData("-C memory: -S q -m Peek", "PeekLock")]
    [InlineData("-C memory: -S q -i 0", "--inflight-sends")]
    [InlineData("-S q", "--connection-string")]
    public async Task WhatCannotBe_IsAUsageErrorThatKeepsSecrets(string arguments, string words)
    {
        ToolResult result = await new Tool().RunAsync(["throughput", .. arguments.Split(' ')]);

        Assert.Equal((2, ""), (result.ExitCode, result.Output));
        Assert.Contains(words, result.ErrorLines[0], StringComparison.Ordinal);
        Assert.DoesNotContain("secret", result.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task AQueueThatIsNotEmpty_IsRefused()
    {
        var tool = new Tool();
        await using QueueClient queue = await tool.Connector.OpenAsync("memory:q");
        await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync("throughput -C memory: -S q -n 10".Split(' '));
        ToolResult purged = await tool.RunAsync("throughput -C memory: -S q -n 10 --purge".Split(' '));

        Assert.Equal((2, 0), (result.ExitCode, purged.ExitCode));
        Assert.Contains("--purge", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("memory:q")]
    [InlineData("memory:t.b")]
    public async Task AQueueBesideATopic_OrALaterSubscription_ThatIsNotEmpty_IsRefused(string full)
    {
        var tool = new Tool();
        await using (MessageTopic topic = await tool.Connector.OpenTopicAsync("memory:t"))
        {
            await using QueueClient subscription = await topic.SubscribeDurableAsync("b");
            if (full == "memory:t.b")
                await topic.SendAsync(new QueueMessage());
        }

        await using QueueClient queue = await tool.Connector.OpenAsync("memory:q");
        if (full == "memory:q")
            await queue.SendAsync(new QueueMessage());

        ToolResult result = await tool.RunAsync("throughput -C memory: -S t -R t/subscriptions/a q t/subscriptions/b -n 10 -t 1".Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains($"'{full}' holds 1 message. A measurement deletes", result.Error, StringComparison.Ordinal);
        Assert.Equal(1, await tool.CountAsync(full));
    }

    [Theory]
    [InlineData("")]
    [InlineData(" --purge")]
    public async Task ASubscriptionThatSomebodyReceivesFrom_IsRefused(string purge)
    {
        var tool = new Tool();
        await using MessageTopic topic = await tool.Connector.OpenTopicAsync("memory:t");
        await using QueueClient subscription = await topic.SubscribeDurableAsync("a");
        await topic.SendAsync(new QueueMessage());
        ReceivedMessage locked = (await subscription.ReceiveAsync(TimeSpan.Zero))!;

        ToolResult result = await tool.RunAsync(("throughput -C memory: -S t -R t/subscriptions/a -n 10 -t 1" + purge).Split(' '));

        Assert.Equal(2, result.ExitCode);
        Assert.Contains("'memory:t.a' holds 1 message, 1 of them locked", result.Error, StringComparison.Ordinal);
        await locked.ReturnAsync();
        Assert.Equal(1, await subscription.GetMessageCountAsync());
    }

    [Fact]
    public async Task Interrupted_WritesWhatItHas_AndLeavesTheQueueEmpty()
    {
        var tool = new Tool();
        using var stop = new CancellationTokenSource(TimeSpan.FromSeconds(3));

        ToolResult result = await tool.RunAsync(stop.Token, [.. "throughput -C memory: -S q -n 10000000 -f 0.1 -d 1".Split(' '), "--json", Json]);

        Assert.Equal(130, result.ExitCode);
        ThroughputReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(Json), ReportJson.Default.ThroughputReport)!;
        Assert.True(report is { Run.IsInterrupted: true, Summary.Sent: > 0, Sends.Count: > 1 }, $"{report}");
        Assert.Equal(0, await tool.CountAsync("memory:q"));
    }

    [Fact]
    public async Task Ramp_HasARowAStep_AndNamesTheKnees()
    {
        string csv = Path.Combine(_folder, "ramp.csv");

        ToolResult result = await new Tool().RunAsync([.. "throughput -C memory: -S q --ramp --seconds 0.02".Split(' '), "--json", Json, "--csv", csv]);

        Assert.True(result.ExitCode == 0, result.Error);
        RampReport report = JsonSerializer.Deserialize(await File.ReadAllTextAsync(Json), ReportJson.Default.RampReport)!;
        Assert.Equal([9, 4, 4], report.Steps.GroupBy(step => step.Raised).Select(group => group.Count()));
        Assert.Equal(["in-flight", "batch", "prefetch"], report.Knees.Select(knee => knee.Raised));
        Assert.Equal(1 + 17, (await File.ReadAllLinesAsync(csv)).Length);
        Assert.Contains("knee of in-flight: ", result.Output, StringComparison.Ordinal);
        // The batches are measured at the knee of what was raised before.
        Assert.All(report.Steps.Where(step => step.Raised == "batch"), step => Assert.Equal(report.Knees[0].Value, step.Inflight));
    }

    [Fact]
    public void Knee_IsTheLeastStepWithinTenPercentOfTheBest()
    {
        RampStep[] steps = [.. new double[] { 10, 50, 91, 95, 100, 70 }.Select((rate, i) => new RampStep("batch", 1, i, 0, rate, rate, 1))];

        Assert.Equal(2, ThroughputRamp.KneeOf(steps).Batch);
    }

    [BrokerFact]
    public Task OverRabbitMq() => OverServerAsync(new RabbitMqQueueProvider(), Broker.RabbitMq, "-i 100 -e 100");

    [PostgresFact]
    public Task OverPostgreSql() => OverServerAsync(new PostgreSqlQueueProvider(), Broker.PostgreSql, "-t 50 -v 50");

    [Fact]
    public async Task OverAFolder()
    {
        await using var files = new FileQueueProvider();

        ThroughputReport report = await MeasureAsync(new Tool(files), $"-C file://{_folder}/queues -S q -n 2000 -t 50 -v 50 -i 4");

        Assert.Equal(("recoverable", 2_000), (report.Queue.DeliveryMode, report.Summary.Received));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Squeeze(string line) => line.Replace(" ", "", StringComparison.Ordinal);

    private async Task OverServerAsync(QueueProvider provider, string variable, string arguments)
    {
        string queue = Broker.NewQueue(variable);
        int slash = queue.LastIndexOf('/');
        var tool = new Tool(provider);
        try
        {
            ThroughputReport report = await MeasureAsync(tool, $"-C {queue[..slash]} -S {queue[(slash + 1)..]} -n 2000 {arguments}");

            Assert.Equal(("recoverable", 2_000, 0), (report.Queue.DeliveryMode, report.Summary.Received, report.Summary.Errors));
            Assert.DoesNotContain("guest:guest", report.Run.CommandLine, StringComparison.Ordinal);
            Assert.DoesNotContain(":formatters@", report.Run.CommandLine, StringComparison.Ordinal);
        }
        finally
        {
            await tool.Connector.DeleteAsync(queue);
        }
    }

    private static async Task<ToolResult> RunAsync(string arguments)
    {
        ToolResult result = await new Tool().RunAsync(["throughput", .. arguments.Split(' ')]);
        Assert.True(result.ExitCode == 0, result.Error);
        return result;
    }

    private async Task<ThroughputReport> MeasureAsync(Tool tool, string arguments)
    {
        ToolResult result = await tool.RunAsync(["throughput", .. arguments.Split(' '), "--json", Json]);
        Assert.True(result.ExitCode == 0, result.Error);
        return JsonSerializer.Deserialize(await File.ReadAllTextAsync(Json), ReportJson.Default.ThroughputReport)!;
    }

    /// <summary>Queues whose sends take a millisecond, and end when their message has been processed: nothing waits in the queue.</summary>
    private sealed class ProcessedSendProvider(ManualClock clock) : WrappingQueueProvider("fake")
    {
        protected override async ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            clock.Advance(TimeSpan.FromMilliseconds(1));
            await base.SendAsync(queue, message, transaction, cancellationToken);
            while (await queue.GetMessageCountAsync(cancellationToken) > 0)
                await Task.Delay(1, cancellationToken);
        }
    }

    private sealed class DoublingProvider() : WrappingQueueProvider("doubling")
    {
        private int _sends;

        protected override async ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken)
        {
            await base.SendAsync(queue, message, transaction, cancellationToken);
            if (++_sends == 100)
                await base.SendAsync(queue, message, transaction, cancellationToken);
        }
    }

    private sealed class BrokenProvider() : WrappingQueueProvider("broken")
    {
        protected override ValueTask SendAsync(QueueClient queue, QueueMessage message, QueueTransaction? transaction, CancellationToken cancellationToken) =>
            ValueTask.FromException(new QueueException("The connection to the broker was lost."));
    }
}
