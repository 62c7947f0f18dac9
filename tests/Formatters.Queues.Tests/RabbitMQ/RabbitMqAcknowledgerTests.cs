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

    public class Recorder : DispatchProxy
    {
        internal List<string> Calls { get; } = [];

        protected override object? Invoke(MethodInfo? targetMethod, object?[]? args)
        {
            lock (Calls)
                Calls.Add(targetMethod!.Name);
            return targetMethod.ReturnType == typeof(ValueTask) ? default(ValueTask) : throw new NotSupportedException(targetMethod.Name);
        }
    }
}
