using System;
using Formatters.Queues.RabbitMQ;
using Formatters.Tools.Queues;
using Xunit;

namespace Formatters.Tools.Tests.Queues;

public sealed class ToolQueuesTests
{
    [Theory]
    [InlineData(null, RabbitMqQueueType.Classic)]
    [InlineData("", RabbitMqQueueType.Classic)]
    [InlineData("classic", RabbitMqQueueType.Classic)]
    [InlineData("Quorum", RabbitMqQueueType.Quorum)]
    public void TheTypeOfRabbitMqsQueues_IsThatOfTheVariable(string? value, RabbitMqQueueType expected) => Assert.Equal(expected, ToolQueues.ParseQueueType(value));

    [Fact]
    public void ATypeThatThereIsNot_IsAMistake()
    {
        UsageException error = Assert.Throws<UsageException>(() => ToolQueues.ParseQueueType("stream"));

        Assert.Contains("FORMATTERS_RABBITMQ_QUEUES is 'stream'", error.Message, StringComparison.Ordinal);
    }
}
