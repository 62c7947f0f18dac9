using System;
using System.Collections.Generic;
using System.IO;
using System.Threading.Tasks;
using Formatters.Queues;
using Formatters.Queues.PostgreSql;
using Formatters.Queues.RabbitMQ;
using Formatters.Queues.ServiceBus;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Hosting.Tests;

/// <summary>A place for the queues of one test: memory, a folder, or a server.</summary>
internal sealed class QueuePlace : IAsyncDisposable
{
    private readonly string? _folder;
    private readonly string _prefix;
    private readonly QueueProvider? _provider;
    private readonly List<string> _addresses = [];

    private QueuePlace(string prefix, string? folder = null, QueueProvider? provider = null)
    {
        _prefix = prefix;
        _folder = folder;
        _provider = provider;
    }

    internal static QueuePlace Of(string kind)
    {
        string id = Guid.NewGuid().ToString("N");
        switch (kind)
        {
            case "memory":
                return new QueuePlace("memory:");
            case "folder":
                string folder = Directory.CreateTempSubdirectory("formatters-hosting-").FullName;
                return new QueuePlace("file:" + folder + "/", folder);
            case "PostgreSQL":
                return new QueuePlace($"{Environment.GetEnvironmentVariable("FORMATTERS_POSTGRES")}/{id}-", provider: new PostgreSqlQueueProvider());
            case "Service Bus":
                return new QueuePlace($"servicebus:{id}-", provider: ServiceBus());
            default:
                return new QueuePlace($"{Environment.GetEnvironmentVariable("FORMATTERS_RABBITMQ")!.TrimEnd('/')}/{id}-", provider: new RabbitMqQueueProvider());
        }
    }

    private static ServiceBusQueueProvider ServiceBus()
    {
        string connection = Environment.GetEnvironmentVariable("FORMATTERS_SERVICEBUS")!;
        return new ServiceBusQueueProvider(new ServiceBusOptions { ConnectionString = connection, LockDuration = TimeSpan.FromSeconds(5) });
    }

    /// <summary>Gets the address of a queue, and sees to it that the queue is deleted at the end.</summary>
    internal string Address(string name)
    {
        string address = _prefix + name;
        if (_provider is not null)
            _addresses.AddRange([address, address + ".dead"]);
        return address;
    }

    internal QueuesBuilder AddTo(QueuesBuilder queues) => _provider is null ? queues : queues.AddProvider(_provider);

    public async ValueTask DisposeAsync()
    {
        foreach (string address in _addresses)
            await _provider!.DeleteAsync(QueueAddress.Parse(address));
        if (_folder is not null)
            Directory.Delete(_folder, recursive: true);
    }
}

/// <summary>A theory over all kinds of queues; those of servers that are absent are skipped.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class QueueKindDataAttribute : Xunit.Sdk.DataAttribute
{
    /// <summary>Gets or sets the kind that is left out.</summary>
    public string? Except { get; set; }

    public override IEnumerable<object[]> GetData(System.Reflection.MethodInfo testMethod)
    {
        yield return ["memory"];
        yield return ["folder"];
        if (TestScale.SkipReason("FORMATTERS_POSTGRES", "absent") is null)
            yield return ["PostgreSQL"];
        if (Except != "RabbitMQ" && TestScale.SkipReason("FORMATTERS_RABBITMQ", "absent") is null)
            yield return ["RabbitMQ"];
        if (TestScale.SkipReason("FORMATTERS_SERVICEBUS", "absent") is null)
            yield return ["Service Bus"];
    }
}
