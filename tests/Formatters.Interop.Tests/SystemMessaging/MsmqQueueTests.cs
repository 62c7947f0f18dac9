using System;
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

    /// <summary>The place of private queues: on Mono a machine is a broker's host and port.</summary>
    internal static string PlaceOf(PrivateBroker broker) => $@"DIRECT=OS:{new Uri(broker.Address).Authority.Split('@')[^1]}\private$\";
}
