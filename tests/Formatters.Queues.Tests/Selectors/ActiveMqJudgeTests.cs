using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Queues.Tests;

/// <summary>Selectors of random conditions select the same messages as Apache ActiveMQ's do.</summary>
public sealed class ActiveMqJudgeTests
{
    private const string Variable = "FORMATTERS_ACTIVEMQ";
    private const string Hint = $"No judge: {Variable} is not set. Start ActiveMQ: eval \"$(eng/activemq start)\"";

    private static string Address => Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } address ? address : throw new InvalidOperationException(Hint);

    [JudgeFact]
    public async Task Random_selectors_select_what_ActiveMQ_selects()
    {
        const int Rounds = 5, Selectors = 400, Messages = 40;
        for (int seed = 1; seed <= Rounds; seed++)
        {
            var cases = new SelectorCases(seed);
            string[] selectors = Enumerable.Range(0, Selectors).Select(_ => cases.NextSelector()).ToArray();
            QueueMessage[] messages = Enumerable.Range(0, Messages).Select(_ => cases.NextMessage()).ToArray();
            bool[,] judged = await JudgeAsync(selectors, messages);
            int selected = 0;
            for (int s = 0; s < Selectors; s++)
            {
                MessageSelector selector = MessageSelector.Parse(selectors[s]);
                for (int m = 0; m < Messages; m++)
                {
                    selected += judged[s, m] ? 1 : 0;
                    Assert.True(judged[s, m] == selector.Matches(messages[m]), $"Seed {seed}: ActiveMQ says {judged[s, m]} to {selectors[s]} for {Describe(messages[m])}");
                }
            }

            // Neither all nor none: the cases tell something.
            Assert.InRange(selected, Selectors * Messages / 5, Selectors * Messages * 4 / 5);
        }
    }

    /// <summary>Where ActiveMQ departs from the specification, which is followed here.</summary>
    [JudgeTheory]
    // A property that is missing on the right of = makes it false, not unknown.
    [InlineData("NOT (5 = nowhere)", true, false)]
    // Two that are missing are equal.
    [InlineData("nowhere = nowhere", true, false)]
    // Division by zero is infinity.
    [InlineData("1 / (JMSXGroupSeq - JMSXGroupSeq) > 5", true, false)]
    public async Task Where_ActiveMQ_differs(string selector, bool judge, bool ours)
    {
        var message = new QueueMessage { Headers = { ["JMSXGroupSeq"] = 1 } };

        Assert.Equal(judge, (await JudgeAsync([selector], [message]))[0, 0]);
        Assert.Equal(ours, MessageSelector.Parse(selector).Matches(message));
    }

    private static async Task<bool[,]> JudgeAsync(string[] selectors, QueueMessage[] messages)
    {
        bool[,] judged = new bool[selectors.Length, messages.Length];
        string topic = $"/topic/judge-{Guid.NewGuid():N}";
        await using StompClient receiver = await StompClient.ConnectAsync(Address);
        for (int s = 0; s < selectors.Length; s++)
        {
            // A last message that everybody gets says that there are no more.
            await receiver.SendAsync("SUBSCRIBE", ("id", $"{s}"), ("destination", topic), ("selector", $"({selectors[s]}) OR isLast = 'yes'"), ("receipt", $"{s}"));
            (string command, _) = await receiver.ReceiveAsync();
            Assert.Equal("RECEIPT", command);
        }

        await using StompClient sender = await StompClient.ConnectAsync(Address);
        for (int m = 0; m < messages.Length; m++)
            await sender.SendAsync("SEND", [("destination", topic), ("number", $"{m}"), .. HeadersOf(messages[m])]);
        await sender.SendAsync("SEND", ("destination", topic), ("number", "-1"), ("isLast", "yes"));
        for (int ended = 0; ended < selectors.Length;)
        {
            (_, Dictionary<string, string> headers) = await receiver.ReceiveAsync();
            int number = int.Parse(headers["number"], CultureInfo.InvariantCulture);
            if (number < 0)
                ended++;
            else
                judged[int.Parse(headers["subscription"], CultureInfo.InvariantCulture), number] = true;
        }

        return judged;
    }

    private static IEnumerable<(string, string)> HeadersOf(QueueMessage message)
    {
        foreach ((string name, object value) in message.Headers)
            yield return (name, Convert.ToString(value, CultureInfo.InvariantCulture)!);
        if (message.CorrelationId is not null)
            yield return ("correlation-id", message.CorrelationId);
        if (message.Label is not null)
            yield return ("type", message.Label);
    }

    private static string Describe(QueueMessage message) => string.Join(", ", HeadersOf(message).Select(header => $"{header.Item1}={header.Item2}"));

    private static string? SkipReason => TestScale.SkipReason(Variable, Hint);

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class JudgeFactAttribute : FactAttribute
    {
        public JudgeFactAttribute() => Skip = SkipReason;
    }

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class JudgeTheoryAttribute : TheoryAttribute
    {
        public JudgeTheoryAttribute() => Skip = SkipReason;
    }
}
