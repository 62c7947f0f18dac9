using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Messaging;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Messaging.Tests;

/// <summary>Several programs over the queues of one folder, some of which are killed.</summary>
public class ProgramTests(TestQueues queues) : IClassFixture<TestQueues>
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Programs_share_a_folder_and_a_killed_receiver_loses_nothing()
    {
        int rounds = TestScale.Count("FORMATTERS_MESSAGING_KILLS", full: 4, quick: 2, night: 50);
        using MessageQueue queue = queues.Create(".", transactional: true);
        const int Batch = 12;
        var received = new List<string>();
        for (int round = 0; round < rounds; round++)
        {
            // One program sends, one receives and is killed, and this one has the folder open too.
            using Process receiver = Start("receive", queue.Path);
            using Process sender = Start("send", queue.Path, (round * Batch).ToString(), Batch.ToString());
            for (int i = 0; i < 5 && await receiver.StandardOutput.ReadLineAsync() is { } line; i++)
                received.Add(line);
            receiver.Kill();
            received.AddRange((await receiver.StandardOutput.ReadToEndAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries));
            string errors = await sender.StandardError.ReadToEndAsync();
            await sender.WaitForExitAsync();
            Assert.True(sender.ExitCode == 0, errors);
            await receiver.WaitForExitAsync();
        }

        int[] committed = [.. Numbers("committed ")];
        Assert.Equal(committed.Distinct(), committed);
        Assert.NotEmpty(committed);
        var left = new List<int>();
        foreach (Message message in queue.GetAllMessages())
            left.Add((int)message.Body!);
        Assert.Equal(left.Distinct(), left);
        Assert.Empty(left.Intersect(committed));
        // What is in neither was received, and killed between the commit and the line that reports it: at most one in a round.
        int[] unknown = [.. Enumerable.Range(0, rounds * Batch).Except(left).Except(committed)];
        Assert.True(unknown.Length <= rounds && unknown.All(Numbers("received ").Contains), string.Join(", ", unknown));

        IEnumerable<int> Numbers(string word) =>
            received.Where(line => line.StartsWith(word, StringComparison.Ordinal)).Select(line => int.Parse(line[word.Length..]));
    }

    [Fact]
    public async Task A_transaction_of_another_program_keeps_the_folder_until_it_is_killed()
    {
        using MessageQueue queue = queues.Create(".", transactional: true);
        queue.Send(1, MessageQueueTransactionType.Single);
        using Process holder = Start("hold", queue.Path);
        Assert.Equal("received 1", await holder.StandardOutput.ReadLineAsync());
        MessagingConfiguration.Use(queues.Configuration with { OperationTimeout = TimeSpan.FromMilliseconds(300) });
        Assert.Equal(MessageQueueErrorCode.SharingViolation, QueueTests.Code(() => queue.Send(2, MessageQueueTransactionType.Single)));
        MessagingConfiguration.Use(queues.Configuration);
        holder.Kill();
        await holder.WaitForExitAsync();
        queue.Send(3, MessageQueueTransactionType.Single);
        Assert.Equal(1, queue.Receive(Soon, MessageQueueTransactionType.Single).Body);
        Assert.Equal(3, queue.Receive(Soon, MessageQueueTransactionType.Single).Body);
    }

    private Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Formatters.Messaging.Program.dll"));
        foreach (string argument in arguments)
            start.ArgumentList.Add(argument);
        start.Environment[MessagingConfiguration.FolderVariable] = queues.Folder;
        return Process.Start(start)!;
    }
}
