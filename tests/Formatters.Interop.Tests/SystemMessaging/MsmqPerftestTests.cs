using System;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.Tests;
using Xunit;

namespace Formatters.Interop.Tests.SystemMessaging;

/// <summary>The verb <c>perftest</c> over System.Messaging on Mono. A class of its own, so that it runs beside the conformance suites.</summary>
public sealed class MsmqPerftestTests
{
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
        string address = MsmqQueueTests.PlaceOf(broker) + queue;
        string output = await SystemMessagingPeer.RunFileAsync(
            "Formatters.Bench.NetFramework",
            "formatters-bench.exe",
            ["perftest", mode, operation, address, .. payloads.SelectMany(payload => new[] { "--payload", payload }), "--batch", "4", "--rounds", "2"]);
        Assert.Contains($"{mode} {operation} {address} --payload", string.Join(' ', output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)), StringComparison.Ordinal);
        return output;
    }
}
