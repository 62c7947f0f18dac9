using System;
using System.Collections.Generic;
using System.IO;
using System.Messaging;
using Formatters.Queues.Tests;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.SystemMessaging.Tests;

/// <summary>The configuration of the tests: a machine for each kind of queue, and a folder that is deleted at the end.</summary>
public sealed class TestQueues : IDisposable
{
    internal const string PostgresVariable = "FORMATTERS_POSTGRES";
    internal const string RabbitVariable = "FORMATTERS_RABBITMQ";

    private readonly List<string> _paths = [];

    public TestQueues()
    {
        Folder = Directory.CreateTempSubdirectory("formatters-messaging").FullName;
        Configuration = new MessagingConfiguration
        {
            Folder = Folder,
            Machines = new Dictionary<string, string>
            {
                ["memory"] = $"memory:messaging-tests/{Guid.NewGuid():N}/",
                ["folder"] = $"file:{Folder}/other/",
                ["postgres"] = (Environment.GetEnvironmentVariable(PostgresVariable) ?? "postgres://127.0.0.1/postgres") + "/",
                ["bus"] = (Environment.GetEnvironmentVariable(ServiceBusPeer.Variable) is { Length: > 0 } ? ServiceBusPeer.Address : "sb-emulator://k:k@127.0.0.1") + "/",
                ["rabbit"] = (Environment.GetEnvironmentVariable(RabbitVariable) ?? "amqp://127.0.0.1") + "/",
            },
        };
        MessagingConfiguration.Use(Configuration);
    }

    /// <summary>The machines whose queues are on a server.</summary>
    public static TheoryData<string> Servers => new() { "postgres", "rabbit", "bus" };

    internal string Folder { get; }

    internal MessagingConfiguration Configuration { get; }

    /// <summary>Creates a queue, which is deleted at the end.</summary>
    internal MessageQueue Create(string machine, bool transactional = false, string? name = null)
    {
        string path = $@"{machine}\private$\{name ?? "q" + Guid.NewGuid().ToString("N")[..12]}";
        MessageQueue queue = MessageQueue.Create(path, transactional);
        queue.Formatter = new XmlMessageFormatter([typeof(string), typeof(int)]);
        _paths.Add(path);
        return queue;
    }

    public void Dispose()
    {
        MessagingConfiguration.Use(Configuration);
        foreach (string path in _paths)
        {
            if (!path.StartsWith("memory", StringComparison.Ordinal) && !path.StartsWith("folder", StringComparison.Ordinal)
                && !path.StartsWith('.') && MessageQueue.Exists(path))
                MessageQueue.Delete(path);
        }

        MessagingConfiguration.Close();
        Directory.Delete(Folder, recursive: true);
    }
}


/// <summary>A theory that needs PostgreSQL, RabbitMQ and the peer of Service Bus.</summary>
public sealed class ServerTheoryAttribute : TheoryAttribute
{
    public ServerTheoryAttribute() =>
        Skip = TestScale.SkipReason(TestQueues.PostgresVariable, "Set FORMATTERS_POSTGRES; eng/postgres starts a server.")
            ?? TestScale.SkipReason(TestQueues.RabbitVariable, "Set FORMATTERS_RABBITMQ; eng/rabbitmq starts a server.")
            ?? ServiceBusPeer.SkipReason;
}
