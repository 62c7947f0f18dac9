using System;
using System.Buffers;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Queues with names of their own for each test, closed and deleted after it.</summary>
public abstract class QueueTestBase : IAsyncLifetime
{
    /// <summary>Long enough for a message that is there, on a machine that is busy.</summary>
    protected static readonly TimeSpan Soon = TimeSpan.FromSeconds(20);

    /// <summary>All acknowledgements.</summary>
    protected const AcknowledgeTypes All = AcknowledgeTypes.FullReachQueue | AcknowledgeTypes.FullReceive;

    private readonly List<QueueClient> _opened = [];
    private readonly HashSet<string> _addresses = [];
    private readonly string _prefix = "formatters-tests-" + Guid.NewGuid().ToString("N");
    private readonly List<Func<Task>> _cleanUps = [];
    private QueueConnector? _connector;

    protected abstract QueueProvider Provider { get; }

    /// <summary>The address without the name: <c>memory:</c>.</summary>
    protected abstract string Place { get; }

    protected QueueConnector Connector => _connector ??= new QueueConnector(Provider);

    protected string AddressOf(string name) => $"{Place}{_prefix}-{name}";

    /// <summary>The name of a queue, for options and messages that name it.</summary>
    protected string NameOf(string name) => QueueAddress.Parse(AddressOf(name)).QueueName;

    /// <summary>A message that asks for acknowledgements, to the queue "administration".</summary>
    protected QueueMessage Asking(string text, string? id, AcknowledgeTypes types = All) =>
        new(Message(text).Body) { MessageId = id, AcknowledgeTypes = types, AdministrationQueue = NameOf("administration") };

    /// <summary>What the next acknowledgements say, and of which message.</summary>
    protected static async Task<List<string>> AcknowledgmentsAsync(QueueClient administration, int count, QueueTransaction? transaction = null)
    {
        var told = new List<string>();
        for (int i = 0; i < count; i++)
        {
            ReceivedMessage? message = await administration.ReceiveAsync(Soon, transaction);
            told.Add($"{message?.Acknowledgment?.Class} {message?.CorrelationId}");
        }

        return told;
    }

    protected async Task<QueueClient> OpenAsync(QueueOptions options, string name = "a")
    {
        string address = AddressOf(name);
        QueueClient queue = await Connector.OpenAsync(address, options);
        _opened.Add(queue);
        _addresses.Add(address);
        return queue;
    }

    /// <summary>Skips the test if a queue lacks what it is about, and counts it in the table of what ran.</summary>
    protected void Needs(bool has, [CallerArgumentExpression(nameof(has))] string capability = "") =>
        Skip.Unless(GetType().Name, capability.Substring(capability.LastIndexOf('.') + 1), has);

    /// <summary>Does something after the test, in reverse order.</summary>
    protected void OnDispose(Func<Task> cleanUp) => _cleanUps.Add(cleanUp);

    protected static QueueMessage Message(string text) => new(new MessageBody(Encoding.UTF8.GetBytes(text)));

    protected static QueueMessage Message(int number) => Message(number.ToString(System.Globalization.CultureInfo.InvariantCulture));

    protected static string? Text(ReceivedMessage? message) => message is null ? null : Encoding.UTF8.GetString(message.Body.Bytes.ToArray());

    /// <summary>Receives what is there now, waiting for the first only.</summary>
    protected static async Task<List<string?>> ReceiveAllAsync(QueueClient queue, int count, QueueTransaction? transaction = null)
    {
        var texts = new List<string?>();
        for (int i = 0; i < count; i++)
            texts.Add(Text(await queue.ReceiveAsync(Soon, transaction)));
        return texts;
    }

    /// <summary>Asserts the number of messages; express messages may take a moment to arrive.</summary>
    protected static async Task AssertCountAsync(long expected, QueueClient queue)
    {
        long start = Environment.TickCount64;
        while (await queue.GetMessageCountAsync() < expected && Environment.TickCount64 - start < Soon.TotalMilliseconds)
            await Task.Delay(1);
        Assert.Equal(expected, await queue.GetMessageCountAsync());
    }

    /// <summary>Runs an operation, and blocks in its continuation until others of the same connection have completed.</summary>
    protected static Task BlocksAfterAsync(string name, Func<Task> operation, params Func<Task>[] blocking) => Task.Run(async () =>
    {
        await operation().ConfigureAwait(false);
        foreach (Func<Task> next in blocking)
            Assert.True(Task.Run(next).Wait(TimeSpan.FromMinutes(1)), $"A program that blocks after '{name}' hangs.");
    });

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        foreach (QueueClient queue in _opened)
            await queue.DisposeAsync();
        for (int i = _cleanUps.Count - 1; i >= 0; i--)
            await _cleanUps[i]();
        foreach (string address in _addresses)
            await Connector.DeleteAsync(address);
    }
}
