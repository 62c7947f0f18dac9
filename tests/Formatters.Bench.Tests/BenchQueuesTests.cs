using System;
using Formatters.Queues.RabbitMQ;
using Xunit;

namespace Formatters.Bench.Tests;

public sealed class BenchQueuesTests
{
    [Theory]
    [InlineData(null, RabbitMqQueueType.Classic)]
    [InlineData("", RabbitMqQueueType.Classic)]
    [InlineData("classic", RabbitMqQueueType.Classic)]
    [InlineData("Quorum", RabbitMqQueueType.Quorum)]
    public void TheTypeOfRabbitMqsQueues_IsThatOfTheVariable(string? value, RabbitMqQueueType expected) => Assert.Equal(expected, BenchQueues.ParseQueueType(value));

    [Fact]
    public void ATypeThatThereIsNot_IsAMistake()
    {
        UsageException error = Assert.Throws<UsageException>(() => BenchQueues.ParseQueueType("stream"));

        Assert.Contains("FORMATTERS_RABBITMQ_QUEUES is 'stream'", error.Message, StringComparison.Ordinal);
    }
}
