using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Threading.Tasks;
using Formatters.Bench.Diff;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.Bench.Tests.CommandLine;

/// <summary>A signal, as Ctrl-C and the system send it (SIGTERM, since shells let their background jobs ignore SIGINT), to the built tool in a process of its own; over queues in memory, in which nothing waits.</summary>
public sealed class InterruptTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("formatters-interrupt-").FullName;

    /// <summary>Interrupted when the progress has passed what the warm-up is, and the first round; for the second <c>senders</c>,
    /// its first case. Each run takes many times as long as the second after which the tool first says how far it is.</summary>
    [Theory]
    [InlineData("compare --formatter hand-coded --formatter BinaryFormatter --items 1", 30)]
    [InlineData("perftest NOTX SENDANDRECEIVE memory:q --mode express --payload empty --batch 20000 --rounds 1000", 26)]
    [InlineData("limits memory:a memory:b --rounds 1000 --seconds-per-case 0.04", 1)]
    [InlineData("senders memory:a --part tables --mode express --sizes 100 --senders 1,2 --rounds 1000 --seconds-per-case 0.04", 1)]
    [InlineData("senders memory:a --part tables --mode express --sizes 100,200,500,1000 --senders 1,2,3,5,10,20,50 --rounds 2 --seconds-per-case 1.5", 1)]
    [InlineData("factors memory:a --rounds 1000 --seconds 10", 1)]
    public async Task OverMemory_EndsWith130AndWritesWhatItHas(string commandLine, int percent)
    {
        Skip.If(OperatingSystem.IsWindows(), "Windows has no SIGINT.");
        string json = Path.Combine(_folder, "result.json");
        using Process tool = Start([.. commandLine.Split(' '), "--json", json]);
        Task<string> error = ReadAsync(tool.StandardError, percent, out Task isMeasuring);
        Task<string> output = tool.StandardOutput.ReadToEndAsync();
        await isMeasuring;

        using (var kill = Process.Start("kill", ["-TERM", tool.Id.ToString(CultureInfo.InvariantCulture)]))
            await kill.WaitForExitAsync();
        await tool.WaitForExitAsync();

        Assert.True(tool.ExitCode == 130, await error);
        Assert.Contains("interrupted", await error, StringComparison.Ordinal);
        Assert.Contains("The run was interrupted: the figures are", await output, StringComparison.Ordinal);
        ResultFile file = ResultFile.Read(json);
        Assert.True(file.Run!.IsInterrupted);
        Assert.NotEmpty(file.Series!);
        Assert.All(file.Series!, series => Assert.NotEmpty(series.Rounds));
        Assert.Single(Directory.GetFiles(_folder));
    }

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static Process Start(IEnumerable<string> args)
    {
        var start = new ProcessStartInfo("dotnet") { RedirectStandardOutput = true, RedirectStandardError = true };
        start.ArgumentList.Add(typeof(Formatters.Bench.CommandLine.BenchApplication).Assembly.Location);
        foreach (string arg in args)
            start.ArgumentList.Add(arg);
        return Process.Start(start)!;
    }

    private static Task<string> ReadAsync(StreamReader reader, int percent, out Task isMeasuring)
    {
        var source = new TaskCompletionSource();
        isMeasuring = source.Task;
        return Task.Run(async () =>
        {
            var text = new StringWriter();
            while (await reader.ReadLineAsync() is { } line)
            {
                text.WriteLine(line);
                if (line.EndsWith('%') && !line.Contains("warm-up", StringComparison.Ordinal) && int.Parse(line[(line.LastIndexOf(' ') + 1)..^1], CultureInfo.InvariantCulture) >= percent)
                    source.TrySetResult();
            }

            source.TrySetException(new InvalidOperationException($"The tool ended before it was interrupted: {text}"));
            return text.ToString();
        });
    }
}
