using System;
using System.Linq;
using System.Threading.Tasks;
using Formatters.Queues.RabbitMQ;
using Formatters.Queues.ServiceBus;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>The durations and counts of options and messages at their extremes, apart from queues.</summary>
public sealed class OptionExtremesTests
{
    /// <summary>The options that name no queue, so that each can be set on its own.</summary>
    [Fact]
    public void Every_duration_and_count_of_the_options_is_in_the_lists()
    {
        string[] listed = [.. QueueConformance.DurationOptions.Select(static option => option.Name), .. QueueConformance.CountOptions.Select(static option => option.Name)];
        Assert.Equal(
            typeof(QueueOptions).GetProperties().Where(static property => property.CanWrite && IsNumber(property.PropertyType)).Select(static property => property.Name).Order(), listed.Order());
        Assert.Equal(
            [nameof(QueueMessage.DueTime), nameof(QueueMessage.Priority), nameof(QueueMessage.TimeToLive)],
            typeof(QueueMessage).GetProperties().Where(static property => property.CanWrite && IsNumber(property.PropertyType)).Select(static property => property.Name).Order());

        static bool IsNumber(Type type) => (Nullable.GetUnderlyingType(type) ?? type) is var bare && (bare == typeof(int) || bare == typeof(long) || bare == typeof(TimeSpan) || bare == typeof(DateTimeOffset));
    }

    /// <summary>The durations and counts that are not a queue's.</summary>
    [Fact]
    public async Task Extremes_of_the_other_options_work_or_are_refused()
    {
        foreach (TimeSpan value in QueueConformance.Durations)
        {
            Check(value > TimeSpan.Zero, () => new ForwarderOptions { MinBackOff = value });
            Check(value > TimeSpan.Zero, () => new ForwarderOptions { MaxBackOff = value });
            Check(value > TimeSpan.Zero, () => new ForwarderOptions { DuplicateWindow = value });
            Check(value >= TimeSpan.Zero, () => new RabbitMqOptions { ReconnectTimeout = value });
            Check(value >= TimeSpan.Zero, () => new ServiceBusOptions { ReconnectTimeout = value });
            Check(value >= TimeSpan.FromSeconds(5) && value <= TimeSpan.FromMinutes(5), () => new ServiceBusOptions { LockDuration = value });
            Check(value >= TimeSpan.FromSeconds(20) && value <= TimeSpan.FromDays(7), () => new ServiceBusOptions { DuplicateDetectionWindow = value });
            Check(value >= TimeSpan.Zero && value <= TimeSpan.FromSeconds(10), () => new FileQueueOptions { EmulatedFlushDelay = value });
            if (value <= TimeSpan.Zero)
                continue;
            // The longest that Task.Delay has on every runtime.
            Assert.True(new ForwarderOptions { MinBackOff = value }.MinBackOff <= TimeSpan.FromMilliseconds(int.MaxValue));
            Assert.True(new ForwarderOptions { MaxBackOff = value }.MaxBackOff <= TimeSpan.FromMilliseconds(int.MaxValue));
        }

        var connector = new QueueConnector(new MemoryQueueProvider());
        Assert.Throws<ArgumentOutOfRangeException>(() => connector.StartMonitor("memory:a", TimeSpan.FromTicks(1)));
        await using QueueClient queue = await connector.OpenAsync("memory:a");
        await using QueueMonitor monitor = connector.StartMonitor("memory:", TimeSpan.MaxValue);
        while (monitor.Queues.Count == 0 && monitor.LastError is null)
            await Task.Delay(1);
        Assert.Null(monitor.LastError);

        static void Check(bool isValid, Func<object> make)
        {
            if (isValid)
                make();
            else
                Assert.Throws<ArgumentOutOfRangeException>(make);
        }
    }
}
