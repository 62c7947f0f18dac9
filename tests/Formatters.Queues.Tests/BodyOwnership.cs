using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Sends messages from buffers that are overwritten as soon as their sends end, and checks the bodies that arrive.</summary>
internal static class BodyOwnership
{
    private const byte Overwritten = 0xEE;

    /// <summary>Runs many sends at a time, most of them cancelled at some moment.</summary>
    /// <param name="sendAsync">Sends messages: one, or several at once.</param>
    /// <param name="perSend">How many messages a send has.</param>
    internal static async Task SendAsync(Func<IReadOnlyList<QueueMessage>, CancellationToken, Task> sendAsync, int perSend = 1, int sendCount = 2000)
    {
        const int Parallel = 32;
        int next = 0;
        await Task.WhenAll(Enumerable.Range(0, Parallel).Select(_ => Task.Run(RunAsync)));

        async Task RunAsync()
        {
            byte[][] buffers = [.. Enumerable.Range(0, perSend).Select(_ => new byte[3000])];
            for (int i; (i = Interlocked.Increment(ref next)) <= sendCount;)
            {
                var random = new Random(i);
                QueueMessage[] messages = [.. buffers.Select((buffer, k) => Create((i * perSend) + k, buffer.AsMemory(0, random.Next(1, buffer.Length))))];
                using var cancellation = new CancellationTokenSource();
                Task cancel = i % 4 == 0 ? Task.CompletedTask : Task.Run(() => Cancel(random.Next(0, 2000), cancellation));
                try
                {
                    await sendAsync(messages, cancellation.Token);
                }
                catch (OperationCanceledException)
                {
                    // The message may or may not have been sent.
                }

                foreach (byte[] buffer in buffers)
                    buffer.AsSpan().Fill(Overwritten);
                await cancel;
            }
        }

        static void Cancel(int spinCount, CancellationTokenSource cancellation)
        {
            Thread.SpinWait(spinCount);
            cancellation.Cancel();
        }
    }

    /// <summary>The message to send after all others.</summary>
    internal static QueueMessage Last { get; } = new() { Label = "last" };

    /// <summary>Receives messages up to the last one, and checks that each has the body of its label.</summary>
    internal static async Task CheckAsync(QueueClient queue, TimeSpan patience)
    {
        var received = new HashSet<string>();
        int wrong = 0;
        while (await queue.ReceiveAsync(patience) is { } message && message.Label != "last")
        {
            Assert.True(received.Add(message.Label!), $"'{message.Label}' came twice");
            byte[] body = message.Body.ToArray();
            if (body.Length == 0 || body.Any(b => b != FillOf(int.Parse(message.Label!, CultureInfo.InvariantCulture))))
                wrong++;
        }

        Assert.NotEmpty(received);
        Assert.True(wrong == 0, $"{wrong} of {received.Count} messages had other bytes than they were sent with");
    }

    private static QueueMessage Create(int number, Memory<byte> body)
    {
        body.Span.Fill(FillOf(number));
        return new QueueMessage(new MessageBody(body)) { Label = number.ToString(CultureInfo.InvariantCulture) };
    }

    private static byte FillOf(int number) => (byte)(number % 200);
}
