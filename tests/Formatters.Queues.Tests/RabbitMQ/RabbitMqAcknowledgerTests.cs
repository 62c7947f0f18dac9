using System;
using System.Collections.Generic;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using RabbitMQ.Client;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>When the broker is told, without a broker.</summary>
public sealed class RabbitMqAcknowledgerTests
{
    /// <summary>The broker stops at the prefetch: what is told later than that would come from the timer alone, ten times a second.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(10)]
    [InlineData(200)]
    [InlineData(5000)]
    public async Task Lazy_TellsBeforeTheBrokerWouldStop(int prefetchCount)
    {
        IChannel channel = DispatchProxy.Create<IChannel, Recorder>();
        using var acknowledger = new RabbitMqAcknowledger(channel, AcknowledgeMode.Lazy, prefetchCount, CancellationToken.None);

        for (ulong tag = 1; tag <= (ulong)prefetchCount; tag++)
            await acknowledger.AcknowledgeAsync(tag);

        Assert.NotEmpty(((Recorder)channel).Calls);
    }

    [Fact]
    public async Task Batch_IsOneFrameIfAllBeforeItIsSettled()
    {
        IChannel channel = DispatchProxy.Create<IChannel, Recorder>();
        using var acknowledger = new RabbitMqAcknowledger(channel, AcknowledgeMode.Individual, 100, CancellationToken.None);
        List<(ulong Tag, bool IsMultiple)> acks = ((Recorder)channel).Acks;

        await acknowledger.AcknowledgeAsync([1, 2, 3, 5]);
        Assert.Equal([(3, true), (5, false)], acks);
        acks.Clear();
        // The fourth is in somebody's hand: no frame may be of it.
        await acknowledger.AcknowledgeAsync([6, 7, 8]);
        Assert.Equal([(6, false), (7, false), (8, false)], acks);
        acks.Clear();
        await acknowledger.ReturnAsync(4);
        await acknowledger.AcknowledgeAsync([9, 10]);
        await acknowledger.AcknowledgeAsync([11]);
        Assert.Equal([(10, true), (11, false)], acks);
        acks.Clear();
        await acknowledger.AcknowledgeAsync(14);
        await acknowledger.AcknowledgeAsync([12, 13]);
        Assert.Equal([(14, false), (12, false), (13, false)], acks);
    }

    public class Recorder : DispatchProxy
    {
        internal List<string> Calls { get; } = [];

        internal List<(ulong Tag, bool IsMultiple)> Acks { get; } = [];

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            lock (Calls)
                Calls.Add(targetMethod!.Name);
            if (targetMethod!.Name == nameof(IChannel.BasicAckAsync))
                Acks.Add(((ulong)args![0]!, (bool)args[1]!));
            return targetMethod.ReturnType == typeof(ValueTask) ? default(ValueTask) : throw new NotSupportedException(targetMethod.Name);
        }
    }
}
