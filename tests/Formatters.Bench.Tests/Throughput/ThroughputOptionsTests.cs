using System;
using System.CommandLine;
using System.Globalization;
using System.Linq;
using Formatters.Bench.CommandLine;
using Formatters.Bench.Throughput;
using Xunit;

namespace Formatters.Bench.Tests.Throughput;

/// <summary>The options of Azure Service Bus's ThroughputTest, each by itself: short, long, its default, and what else it leaves as it was.</summary>
public sealed class ThroughputOptionsTests
{
    /// <summary>Short, long, the default, another value, and what that is read as. The sample's seventeenth is its help.</summary>
    public static TheoryData<string, string, string, string, string> Options => new()
    {
        { "-C", "--connection-string", "memory:q", "loopback:", "loopback:q" },
        { "-S", "--send-path", "q", "orders", "orders" },
        { "-R", "--receive-paths", "q", "a t/subscriptions/b q/$deadletterqueue", "a t/subscriptions/b q/$deadletterqueue" },
        { "-n", "--number-of-messages", "1000000", "70", "70" },
        { "-b", "--message-size-bytes", "1024", "70", "70" },
        { "-f", "--frequency-metrics", "10", "0.5", "0.5" },
        { "-m", "--receive-mode", "PeekLock", "ReceiveAndDelete", "ReceiveAndDelete" },
        { "-r", "--receiver-count", "1", "0", "0" },
        { "-e", "--prefetch-count", "0", "7", "7" },
        { "-t", "--send-batch-count", "0", "7", "7" },
        { "-s", "--sender-count", "1", "7", "7" },
        { "-d", "--send-delay", "0", "7", "7" },
        { "-i", "--inflight-sends", "1", "7", "7" },
        { "-j", "--inflight-receives", "1", "7", "7" },
        { "-v", "--receive-batch-count", "0", "7", "7" },
        { "-w", "--receive-work-duration", "0", "7", "7" },
    };

    [Theory]
    [MemberData(nameof(Options))]
    public void Option_ShortAndLong_SetsWhatItNames_AndNothingElse(string shortName, string longName, string defaultValue, string value, string expected)
    {
        string[] names = [.. Options.Select(static row => (string)row[0])];
        int index = Array.IndexOf(names, shortName);
        string[] before = Describe(Read("-C memory: -S q"));
        Assert.Equal(defaultValue, before[index]);
        string others = string.Join(' ', new[] { "-C memory:", "-S q" }.Where(pair => !pair.StartsWith(shortName, StringComparison.Ordinal)));

        foreach (string name in (string[])[shortName, longName])
        {
            string[] after = Describe(Read($"{others} {name} {value}"));

            Assert.Equal(expected, after[index]);
            // The address has the send path in it, and without -R that is received from.
            string[] mayChange = shortName == "-S" ? ["-C", "-S", "-R"] : [shortName];
            Assert.All(names.Where(other => !mayChange.Contains(other)), other => Assert.Equal(before[Array.IndexOf(names, other)], after[Array.IndexOf(names, other)]));
        }
    }

    [Theory]
    [InlineData("-n", "0")]
    [InlineData("-b", "-1")]
    [InlineData("-f", "0")]
    [InlineData("-f", "0,5")]
    [InlineData("-m", "Peek")]
    [InlineData("-r", "-1")]
    [InlineData("-e", "1.5")]
    [InlineData("-t", "x")]
    [InlineData("-s", "-1")]
    [InlineData("-d", "-1")]
    [InlineData("-i", "0")]
    [InlineData("-j", "0")]
    [InlineData("-v", "-1")]
    [InlineData("-w", "-1")]
    public void Option_OutOfItsRange_IsAnError(string name, string value) => Assert.NotEmpty(Parse($"-C memory: -S q {name} {value}", out _).Errors);

    private static ParseResult Parse(string arguments, out ThroughputSampleOptions options)
    {
        options = new ThroughputSampleOptions();
        var command = new Command("throughput");
        foreach (Option option in options.All)
            command.Options.Add(option);
        return command.Parse(arguments.Split(' '));
    }

    private static ThroughputOptions Read(string arguments)
    {
        ParseResult result = Parse(arguments, out ThroughputSampleOptions options);
        Assert.Empty(result.Errors);
        return options.Read(result);
    }

    /// <summary>What was read, in the order of the options.</summary>
    private static string[] Describe(ThroughputOptions options) =>
    [
        options.Connection.AddressOf(options.SendPath), options.SendPath, string.Join(' ', options.ReceivePaths.Select(static path => path.Text)), Text(options.MessageCount), Text(options.ByteCount),
        Text(options.Frequency.TotalSeconds), options.ReceiveMode.ToString(), Text(options.ReceiverCount), Text(options.PrefetchCount), Text(options.SendBatchCount), Text(options.SenderCount),
        Text(options.SendDelay.TotalMilliseconds), Text(options.InflightSends), Text(options.InflightReceives), Text(options.ReceiveBatchCount), Text(options.WorkDuration.TotalMilliseconds),
    ];

    private static string Text(IFormattable number) => number.ToString(null, CultureInfo.InvariantCulture);
}
