using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>A message that a queue cannot take fails alone, with an error of its own.</summary>
public abstract partial class QueueConformance
{
    private const string HalfPair = "a\uD800b";

    /// <summary>Messages with half of a surrogate pair, which no queue takes.</summary>
    private static IEnumerable<(string Name, QueueMessage Message)> Malformed()
    {
        yield return ("label", new QueueMessage { Label = HalfPair });
        yield return ("id", new QueueMessage { MessageId = "\uDC00" });
        yield return ("correlation", new QueueMessage { CorrelationId = "\uD800" });
        yield return ("response queue", new QueueMessage { ResponseQueue = "\uDC00\uD800" });
        yield return ("content type", new QueueMessage(new MessageBody { ContentType = HalfPair }));
        yield return ("header", new QueueMessage { Headers = { ["a"] = HalfPair } });
        yield return ("header name", new QueueMessage { Headers = { [HalfPair] = 1 } });
    }

#if !NETFRAMEWORK
    /// <summary>Messages that a queue may take or not.</summary>
    private static IEnumerable<(string Name, QueueMessage Message)> Doubtful()
    {
        var random = new Random(1);
        // Not to be compressed.
        string Long(int length) => new([.. Enumerable.Range(0, length).Select(_ => (char)random.Next('a', 'z' + 1))]);
        yield return ("label with zero", new QueueMessage { Label = "a\0b" });
        yield return ("header with zero", new QueueMessage { Headers = { ["a"] = "a\0b" } });
        yield return ("header name with zero", new QueueMessage { Headers = { ["a\0b"] = "a" } });
        yield return ("long correlation", new QueueMessage { CorrelationId = Long(26_000) });
        yield return ("long id", new QueueMessage { MessageId = Long(26_000) });
        yield return ("correlation of 2,700", new QueueMessage { CorrelationId = Long(2_700) });
        yield return ("long content type", new QueueMessage(new MessageBody { ContentType = Long(300) }));
        yield return ("NaN", new QueueMessage { Headers = { ["a"] = double.NaN } });
        yield return ("infinity", new QueueMessage { Headers = { ["a"] = double.NegativeInfinity } });
        yield return ("NaN in a list", new QueueMessage { Headers = { ["a"] = new List<object> { 1, double.NaN } } });
        yield return ("NaN in a table", new QueueMessage { Headers = { ["a"] = new Dictionary<string, object> { ["b"] = float.NaN } } });
        yield return ("an object", new QueueMessage { Headers = { ["a"] = new object() } });
        yield return ("an object in a list", new QueueMessage { Headers = { ["a"] = new List<object> { new Version(1, 0) } } });
        yield return ("large decimal", new QueueMessage { Headers = { ["a"] = decimal.MaxValue } });
        yield return ("decimal in a table", new QueueMessage { Headers = { ["a"] = new Dictionary<string, object> { ["b"] = decimal.MinValue } } });
        yield return ("null", new QueueMessage { Headers = { ["a"] = null! } });
        yield return ("large header", new QueueMessage { Headers = { ["a"] = Long(131_000) } });
        yield return ("larger header", new QueueMessage { Headers = { ["a"] = Long(140_000) } });
        yield return ("large headers", Headers(100));
        yield return ("label of 200 KB", new QueueMessage { Label = Long(200_000) });
        yield return ("CC", new QueueMessage { Headers = { ["CC"] = "a" } });
        yield return ("long header name", new QueueMessage { Headers = { [Long(300)] = 1 } });

        QueueMessage Headers(int count)
        {
            var message = new QueueMessage();
            for (int i = 0; i < count; i++)
                message.Headers.Add($"h{i}", Long(1_400));
            return message;
        }
    }
#endif

    [QueueFact]
    public async Task Half_of_a_surrogate_pair_is_refused_by_every_verb()
    {
        QueueClient queue = await OpenAsync(PeekLock with { DeadLetterQueue = NameOf("dead") });
        foreach ((string name, QueueMessage message) in Malformed())
        {
            ArgumentException one = await Assert.ThrowsAsync<ArgumentException>(() => queue.SendAsync(message).AsTask());
            ArgumentException batch = await Assert.ThrowsAsync<ArgumentException>(() => queue.SendBatchAsync([Message("x"), message]).AsTask());
            Assert.True(one.Message == batch.Message, name);
        }

        Assert.Equal(0, await queue.GetMessageCountAsync());
        await queue.SendAsync(new QueueMessage(Message("x").Body) { Label = "😀", Headers = { ["😀"] = "a😀" } });
        ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
        Assert.Equal(("😀", "a😀"), (received.Label, received.Headers["😀"]));
        await received.AcknowledgeAsync();
        await Assert.ThrowsAsync<ArgumentException>(() => OpenAsync(PeekLock with { DeadLetterQueue = HalfPair }, "b"));
        if (queue.Capabilities.Supports(QueueFeatures.ReceiveById))
        {
            Task<ReceivedMessage?> waiting = queue.ReceiveByIdAsync("id", Soon).AsTask();
            await Assert.ThrowsAsync<ArgumentException>(() => queue.ReceiveByIdAsync(HalfPair, TimeSpan.Zero).AsTask());
            await queue.SendAsync(new QueueMessage { MessageId = "id" });
            Assert.NotNull(await waiting);
        }
    }

#if !NETFRAMEWORK
    /// <summary>The number of bytes of a body that the queue takes, and hardly more.</summary>
    protected virtual int LargestBody => 1 << 20;

    /// <summary>What a stack trace, a binary body in a message or half a character in it can put into a dead letter.</summary>
    [QueueFact]
    public async Task Every_message_can_be_set_aside_with_every_description()
    {
        QueueOptions options = PeekLock with { DeadLetterQueue = NameOf("dead") };
        QueueClient queue = await OpenAsync(options);
        QueueClient dead = await OpenAsync(PeekLock, "dead");
        // Just within a frame of AMQP.
        string[] headers = [.. Enumerable.Range(0, 115).Select(i => new string((char)('a' + (i % 26)), 1_000))];
        var message = new QueueMessage(new MessageBody(new byte[10]));
        for (int i = 0; i < headers.Length; i++)
            message.Headers.Add($"h{i}", headers[i]);
        QueueMessage[] messages = [Message("x"), message, new QueueMessage(new MessageBody(new byte[LargestBody]))];
        string[] descriptions = [new string('x', 20_000), new string('\u20AC', 20_000), $"a\0b{HalfPair}", new string('x', 4094) + "\U0001F600y", ""];
        foreach (QueueMessage sent in messages)
        {
            // The largest body with the largest description only.
            foreach (string description in sent == messages[2] ? descriptions[1..2] : descriptions)
            {
                foreach (string reason in new[] { "reason", $"a\0{HalfPair}", new string('r', 5_000) })
                {
                    await queue.SendAsync(sent);
                    ReceivedMessage received = (await queue.ReceiveAsync(Soon))!;
                    await received.DeadLetterAsync(reason, description);

                    ReceivedMessage deadLetter = (await dead.ReceiveAsync(Soon))!;
                    Assert.Equal(sent.Body.ToArray(), deadLetter.Body.ToArray());
                    Assert.Equal(sent.Headers.Count, deadLetter.Headers.Count);
                    if (deadLetter.DeadLetterReason is { Length: > 0 } whole)
                        Assert.Equal(Clean(reason), whole);
                    if (deadLetter.DeadLetterDescription is { Length: > 0 } why)
                        Assert.Equal(Clean(description), why);
                    Assert.True(sent != messages[0] || (deadLetter.DeadLetterReason is not null && deadLetter.DeadLetterDescription is not null));
                    await deadLetter.AcknowledgeAsync();
                }
            }
        }

        static string Clean(string text)
        {
            string cut = text.Length > 4096 ? text[..4095].TrimEnd('\uD83D') + "\u2026" : text;
            return Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(cut)).Replace('\0', '\uFFFD');
        }
    }
#endif

    [QueueFact]
    public async Task A_bad_message_fails_alone()
    {
        QueueClient queue = await OpenAsync(ReceiveAndDelete);
#if NETFRAMEWORK
        // Mono's Message Queuing over RabbitMQ checks nothing else, and the broker ends its connection over properties larger than a frame.
        (string Name, QueueMessage Message)[] bad = [.. Malformed()];
#else
        (string Name, QueueMessage Message)[] bad = [.. Malformed(), .. Doubtful()];
#endif
        // Good ones around each, all started at once: they go together where a queue has batches.
        var sends = new List<(string Name, Task Task)>();
        for (int i = 0; i < bad.Length; i++)
        {
            for (int j = 0; j < 5; j++)
                sends.Add(("good", SendAsync(new QueueMessage(Message("good").Body) { Label = "good" })));
            sends.Add((bad[i].Name, SendAsync(bad[i].Message)));
        }

        await Task.WhenAll(sends.Select(static send => send.Task)).ContinueWith(static _ => { }, TaskScheduler.Default);
        Assert.All(sends.Where(static send => send.Name == "good"), static send => Assert.True(send.Task.IsCompletedSuccessfully, send.Task.Exception?.ToString()));
        foreach ((string name, Task task) in sends.Where(static send => send.Task.IsFaulted))
            Assert.True(task.Exception!.InnerException is ArgumentException or NotSupportedException, $"{name}: {task.Exception}");

        // What was taken is received, each with what it had.
        int taken = sends.Count(static send => send.Task.IsCompletedSuccessfully);
        int good = 0;
        for (int i = 0; i < taken; i++)
        {
            ReceivedMessage message = (await queue.ReceiveAsync(Soon))!;
            Assert.NotNull(message);
            good += message.Label == "good" ? 1 : 0;
        }

        Assert.Equal(5 * bad.Length, good);
        Assert.Null(await queue.ReceiveAsync(TimeSpan.FromMilliseconds(100)));

        async Task SendAsync(QueueMessage message) => await queue.SendAsync(message);
    }
}
