using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Messaging;
using System.Threading;
using System.Threading.Tasks;
using Formatters.TestSupport;
using Xunit;
using Xunit.Abstractions;

namespace Formatters.SystemMessaging.Tests;

/// <summary>Several programs over the queues of one folder, some of which are killed.</summary>
public class ProgramTests(TestQueues queues, ITestOutputHelper output) : IClassFixture<TestQueues>
{
    private static readonly TimeSpan Soon = TimeSpan.FromSeconds(60);

    [Fact]
    public async Task Programs_share_a_folder_and_a_killed_receiver_loses_nothing()
    {
        int rounds = TestScale.Count("FORMATTERS_MESSAGING_KILLS", full: 2, quick: 2, night: 50);
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
    public Task A_killed_program_moves_each_message_once() => KillMovers(".");

    [ServerTheory]
    [InlineData("postgres")]
    public Task A_killed_program_moves_each_message_once_on_a_server(string machine) => KillMovers(machine);

    private async Task KillMovers(string machine)
    {
        int rounds = TestScale.Count("FORMATTERS_MESSAGING_KILLS", full: 2, quick: 2, night: 250), seed = TestScale.Seed(17);
        using MessageQueue source = queues.Create(machine, transactional: true), destination = queues.Create(machine, transactional: true);
        destination.Formatter = source.Formatter;
        const int Batch = 12;
        var random = new Random(seed);
        var committed = new List<int>();
        for (int round = 0; round < rounds; round++)
        {
            // Sent by this process: starting another program would take most of the round.
            for (int i = 0; i < Batch; i++)
                source.Send((round * Batch) + i, MessageQueueTransactionType.Single);
            using Process mover = Start("move", source.Path, destination.Path);
            var lines = new List<string>();
            for (int left = random.Next(1, 12); left > 0 && await mover.StandardOutput.ReadLineAsync() is { } line; left--)
                lines.Add(line);
            Assert.True(lines.Count > 0, lines.Count > 0 ? "" : await mover.StandardError.ReadToEndAsync());
            Thread.SpinWait(random.Next(200_000));
            mover.Kill();
            lines.AddRange((await mover.StandardOutput.ReadToEndAsync()).Split('\n', StringSplitOptions.RemoveEmptyEntries));
            await mover.WaitForExitAsync();
            committed.AddRange(lines.Where(line => line.StartsWith("committed ", StringComparison.Ordinal)).Select(line => int.Parse(line[10..])));
        }

        // The database may still roll back what the last program has left.
        int[] moved = [], waiting = [];
        for (int i = 0; i < 600 && moved.Length + waiting.Length < rounds * Batch; i++)
        {
            Thread.Sleep(i == 0 ? 0 : 100);
            (moved, waiting) = (Numbers(destination), Numbers(source));
        }

        Assert.True(moved.Concat(waiting).Order().SequenceEqual(Enumerable.Range(0, rounds * Batch)), $"Seed {seed}: "
            + $"{moved.Length} moved, {waiting.Length} not, of {rounds * Batch}: {string.Join(", ", Differences())}");
        Assert.Empty(committed.Except(moved));
        output.WriteLine($"{machine}: {rounds} kills, {rounds * Batch} messages, {moved.Length} moved, {committed.Count} of them reported.");

        static int[] Numbers(MessageQueue queue) => [.. queue.GetAllMessages().Select(static message => (int)message.Body!)];

        IEnumerable<string> Differences() => Enumerable.Range(0, rounds * Batch)
            .Select(number => (number, Count: moved.Concat(waiting).Count(each => each == number)))
            .Where(static each => each.Count != 1).Select(static each => $"{each.number} is there {each.Count} times");
    }

    [Fact]
    public async Task A_transaction_of_another_program_holds_up_nobody_and_is_rolled_back_when_it_is_killed()
    {
        using MessageQueue queue = queues.Create(".", transactional: true);
        queue.Send(1, MessageQueueTransactionType.Single);
        using Process holder = Start("hold", queue.Path);
        Assert.Equal("received 1", await holder.StandardOutput.ReadLineAsync());
        queue.Send(2, MessageQueueTransactionType.Single);
        Assert.Equal(2, queue.Peek(Soon).Body);
        Assert.Equal(2, queue.Receive(Soon, MessageQueueTransactionType.Single).Body);
        holder.Kill();
        await holder.WaitForExitAsync();
        Assert.Equal(1, queue.Receive(Soon, MessageQueueTransactionType.Single).Body);
    }

    private Process Start(params string[] arguments)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardInput = true, RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(Path.Combine(AppContext.BaseDirectory, "Formatters.SystemMessaging.Program.dll"));
        foreach (string argument in arguments)
            start.ArgumentList.Add(argument);
        start.Environment[MessagingConfiguration.FolderVariable] = queues.Folder;
        start.Environment[MessagingConfiguration.MachinesVariable] = "postgres=" + queues.Configuration.Machines["postgres"];
        return Process.Start(start)!;
    }
}
