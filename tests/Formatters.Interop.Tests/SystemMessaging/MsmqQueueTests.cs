using System;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.Tests;
using Xunit;

namespace Formatters.Interop.Tests.SystemMessaging;

/// <summary>The queues of System.Messaging behind the queues' own abstraction, on Mono, over a broker that hands out one message at a time as MSMQ does.</summary>
public sealed class MsmqQueueTests
{
    private const string Conformance = "Formatters.Queues.NetFramework";

    [SystemMessagingFact]
    public async Task Queues_PassTheConformanceSuites()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_PREFETCH", "1"));

        string output = await SystemMessagingPeer.RunProgramAsync(Conformance, PlaceOf(broker));

        Assert.Contains("MsmqExpressTests.PeekLock_HandleClosed_MessagesComeAgainInOrder: ok", output, StringComparison.Ordinal);
        Assert.Contains("MsmqTransactionTests.One_transaction_moves_a_message_between_queues: ok", output, StringComparison.Ordinal);
        Assert.Contains(" tests passed, 0 failed", output, StringComparison.Ordinal);
    }

    [SystemMessagingFact]
    public async Task Perftest_OverDirectNames()
    {
        await using PrivateBroker broker = await PrivateBroker.StartAsync(("RABBITMQ_PREFETCH", "1"));

        string express = await PerftestAsync(broker, "NOTX", "SENDANDRECEIVE", "orders", "order hand-coded", "order BinaryFormatter");
        string transactional = await PerftestAsync(broker, "TX", "SENDANDRECEIVE", "transactions", "Int32 ActiveX");
        string sent = await PerftestAsync(broker, "NOTX", "SENDANDPURGE", "sent", "string 500");

        Assert.Contains("express: System.Messaging on Mono", express, StringComparison.Ordinal);
        Assert.Matches(@"\norder hand-coded +2,521 +4 +[0-9.,]+ ", express);
        Assert.Matches(@"\norder BinaryFormatter +4,141 +4 +[0-9.,]+ ", express);
        Assert.Contains("recoverable: not offered by System.Messaging on Mono", express, StringComparison.Ordinal);
        Assert.Contains("transactional: System.Messaging on Mono", transactional, StringComparison.Ordinal);
        Assert.Matches(@"\nInt32 ActiveX +4 +4 +[0-9.,]+ ", transactional);
        Assert.Matches(@"\nstring 500 +502 +4 +[0-9.,]+ ", sent);
    }

    private static async Task<string> PerftestAsync(PrivateBroker broker, string mode, string operation, string queue, params string[] payloads)
    {
        string address = PlaceOf(broker) + queue;
        string output = await SystemMessagingPeer.RunFileAsync(
            "Formatters.Bench.NetFramework",
            "formatters-bench.exe",
            ["perftest", mode, operation, address, .. payloads.SelectMany(payload => new[] { "--payload", payload }), "--batch", "4", "--rounds", "2"]);
        Assert.Contains($"{mode} {operation} {address} --payload", string.Join(' ', output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        return output;
    }

    /// <summary>The place of private queues: on Mono a machine is a broker's host and port.</summary>
    private static string PlaceOf(PrivateBroker broker) => $@"DIRECT=OS:{new Uri(broker.Address).Authority.Split('@')[^1]}\private$\";
}
