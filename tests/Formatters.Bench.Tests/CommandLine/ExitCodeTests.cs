using System;
using System.IO;
using System.Text.Json;
using System.Threading;
using System.Threading.Tasks;
using Formatters.Bench.Tests.Support;
using Xunit;

namespace Formatters.Bench.Tests.CommandLine;

public class ExitCodeTests
{
    [Theory]
    [InlineData("")]
    [InlineData("--help")]
    [InlineData("compare --help")]
    [InlineData("perftest --help")]
    [InlineData("perftest -?")]
    [InlineData("limits --help")]
    [InlineData("senders --help")]
    [InlineData("factors --help")]
    [InlineData("diff --help")]
    [InlineData("matrix --help")]
    [InlineData("throughput --help")]
    public async Task Help_IsPrintedWithExamplesWithin80Columns(string commandLine)
    {
        ToolResult result = await new Tool().RunAsync(Split(commandLine));

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Contains("Examples:", result.Output, StringComparison.Ordinal);
        Assert.True(result.LongestLine <= 80, result.Output);
    }

    [Fact]
    public async Task Version_IsTheVersionAlone()
    {
        ToolResult result = await new Tool().RunAsync("--version");

        Assert.Equal(0, result.ExitCode);
        Assert.Matches(@"^\d+\.\d+\.\d+\S*\s*$", result.Output);
        Assert.DoesNotContain('+', result.Output);
    }

    /// <summary>A misspelt option is not taken for a formatter or an address.</summary>
    [Theory]
    [InlineData("compare --formatter JSON --unknown", "There is no option '--unknown'.")]
    [InlineData("compare --iteems 1", "There is no option '--iteems'. Did you mean '--items'?")]
    [InlineData("senders memory:a --bogus 5", "There is no option '--bogus'.")]
    [InlineData("perftest NOTX", "<operation> is missing.")]
    public async Task What_there_is_not_is_named(string commandLine, string message)
    {
        ToolResult result = await new Tool().RunAsync(Split(commandLine));

        Assert.Equal(2, result.ExitCode);
        Assert.StartsWith($"formatters-bench: {message}", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bogus")]
    [InlineData("compare --bogus")]
    [InlineData("compare --items -1")]
    [InlineData("compare --items many")]
    [InlineData("compare --mode fast")]
    [InlineData("compare --mode 1")]
    [InlineData("compare --formatter nope")]
    [InlineData("compare --queue nonsense")]
    [InlineData("compare --queue other:queue")]
    [InlineData("compare --queue memory:a,b")]
    [InlineData("compare --mode recoverable")]
    [InlineData("limits memory:q --senders 0")]
    [InlineData("limits memory:q --senders 1,x")]
    [InlineData("limits memory:q --flush-delay -1")]
    [InlineData("limits memory:a,b")]
    [InlineData("limits nonsense")]
    [InlineData("compare --json no/such/folder/x.json")]
    [InlineData("compare --csv no/such/folder/x.csv")]
    [InlineData("compare --csv .")]
    [InlineData("compare --csv x.txt --json ./x.txt")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --json no/such/folder/x.json")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --csv no/such/folder/x.csv")]
    [InlineData("perftest NOTX SENDANDPURGE nonsense")]
    [InlineData("perftest NOTX SENDANDPURGE other:queue")]
    [InlineData("perftest NOTX CLIENT memory:q nonsense")]
    [InlineData("perftest NOTX CLIENT memory:q other:queue")]
    [InlineData("perftest NOTX CLIENT memory:q memory:r --payload nope")]
    [InlineData("perftest")]
    [InlineData("perftest NOTX")]
    [InlineData("perftest MAYBE SENDANDPURGE memory:q")]
    [InlineData("perftest NOTX SENDANDHOPE memory:q")]
    [InlineData("perftest NOTX SENDANDPURGE")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --rounds 0")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --seconds-per-case NaN")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --payload nope")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --mode transactional")]
    [InlineData("perftest TX SENDANDPURGE memory:q --mode express")]
    [InlineData("perftest NOTX CLIENT memory:q")]
    [InlineData("perftest NOTX CLIENT memory:q memory:a,b")]
    [InlineData("perftest NOTX SERVER memory:q memory:r")]
    [InlineData("perftest NOTX CLIENT memory:q memory:q")]
    [InlineData("perftest NOTX CLIENT memory:q,r memory:r")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q memory:r")]
    [InlineData("perftest NOTX SENDANDRECEIVE memory:q memory:r")]
    [InlineData("perftest NOTX SENDANDPURGE memory:q --mode recoverable")]
    [InlineData("perftest NOTX CLIENT memory:q memory:r --mode recoverable")]
    public async Task Usage_IsOneClearErrorAndExitCode2(string commandLine)
    {
        ToolResult result = await new Tool().RunAsync(Split(commandLine));

        Assert.Equal((2, ""), (result.ExitCode, result.Output));
        Assert.StartsWith("formatters-bench: ", result.ErrorLines[0], StringComparison.Ordinal);
        Assert.InRange(result.ErrorLines.Length, 1, 2);
        Assert.DoesNotContain("   at ", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData((int)Fault.Breaks, "connection")]
    [InlineData((int)Fault.Alters, "Int32 binary")]
    [InlineData((int)Fault.Loses, "Int32 binary")]
    public async Task Failure_IsOneClearErrorAndExitCode1(int fault, string words)
    {
        var tool = new Tool(new FaultyQueueProvider((Fault)fault));

        ToolResult result = await tool.RunAsync(
            "perftest", "NOTX", "SENDANDRECEIVE", "faulty:q", "--payload", "Int32 binary", "--batch", "150", "--timeout", "0.1");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains(words, Assert.Single(result.ErrorLines), StringComparison.Ordinal);
        Assert.Equal(0, await tool.CountAsync("faulty:q"));
    }

    [Fact]
    public async Task Verbose_AddsTheStackTrace()
    {
        ToolResult result = await new Tool(new FaultyQueueProvider(Fault.Breaks)).RunAsync(
            "perftest", "NOTX", "SENDANDPURGE", "faulty:q", "--payload", "empty", "--batch", "150", "--verbose");

        Assert.Equal(1, result.ExitCode);
        Assert.Contains("   at ", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("perftest NOTX SENDANDPURGE memory:q")]
    [InlineData("perftest NOTX SENDANDRECEIVE memory:q")]
    [InlineData("perftest TX SENDANDRECEIVE memory:q")]
    [InlineData("perftest NOTX CLIENT memory:q memory:r")]
    public async Task CtrlC_EndsWith130AndEmptyQueues(string commandLine)
    {
        var tool = new Tool();
        using var cancellation = new CancellationTokenSource();
        Task<ToolResult> run = tool.RunAsync(cancellation.Token, [.. Split(commandLine), "--payload", "empty", "--seconds-per-case", "1000"]);
        await cancellation.CancelAsync();

        ToolResult result = await run;

        Assert.Equal(130, result.ExitCode);
        Assert.Single(result.ErrorLines);
        Assert.Equal(0, await tool.CountAsync("memory:q"));
        Assert.Equal(0, await tool.CountAsync("memory:r"));
    }

    [Fact]
    public async Task CtrlC_OnAServer_IsItsEnd()
    {
        var tool = new Tool(new FaultyQueueProvider(Fault.None));
        using var cancellation = new CancellationTokenSource();
        Task<ToolResult> run = tool.RunAsync(cancellation.Token, Split("perftest NOTX SERVER faulty:q faulty:r"));
        await cancellation.CancelAsync();

        ToolResult result = await run;

        Assert.Equal((0, ""), (result.ExitCode, result.Error));
        Assert.Contains("SERVER ended", result.Output, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Compare_QuickWithTwoFormatters_WritesTableJsonAndCsv()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-bench-").FullName;
        try
        {
            string json = Path.Combine(folder, "report.json");
            string csv = Path.Combine(folder, "report.csv");

            ToolResult result = await new Tool().RunAsync(
                "compare", "--quick", "--study", "--formatter", "hand-coded", "--formatter", "BinaryFormatter", "--items", "3", "--json", json, "--csv", csv);

            Assert.Equal(0, result.ExitCode);
            Assert.Contains("Hand-coded beats BinaryFormatter, sending", result.Output, StringComparison.Ordinal);
            Assert.Contains("compare --quick --study", result.Output, StringComparison.Ordinal);
            Assert.Contains("orders over the queue", result.Error, StringComparison.Ordinal);
            Assert.True(result.LongestLine <= 80, result.Output);
            using JsonDocument document = JsonDocument.Parse(await File.ReadAllTextAsync(json));
            Assert.Equal(2, document.RootElement.GetProperty("orders").GetArrayLength());
            Assert.Equal(1 + (2 * 2), (await File.ReadAllLinesAsync(csv)).Length);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Json_OfARunThatFails_LeavesTheFileAsItWas()
    {
        string folder = Directory.CreateTempSubdirectory("formatters-bench-").FullName;
        try
        {
            string json = Path.Combine(folder, "report.json");
            string csv = Path.Combine(folder, "report.csv");
            await File.WriteAllTextAsync(json, "of an earlier run");

            ToolResult result = await new Tool(new FaultyQueueProvider(Fault.Breaks)).RunAsync(
                "perftest", "NOTX", "SENDANDPURGE", "faulty:q", "--payload", "empty", "--batch", "150", "--json", json, "--csv", csv);

            Assert.Equal(1, result.ExitCode);
            Assert.Equal("of an earlier run", await File.ReadAllTextAsync(json));
            Assert.False(File.Exists(csv));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public async Task Help_SpellsWordsAsTheyAreTyped()
    {
        string root = (await new Tool().RunAsync("--help")).Output;
        string compare = (await new Tool().RunAsync("compare", "--help")).Output;
        string perftest = (await new Tool().RunAsync("perftest", "--help")).Output;
        ToolResult wrong = await new Tool().RunAsync("compare", "--mode", "fast");

        Assert.DoesNotContain("<response-queue>", root, StringComparison.Ordinal);
        Assert.Contains("[<response-queue>]", perftest, StringComparison.Ordinal);
        Assert.Contains("[default: express]", compare, StringComparison.Ordinal);
        Assert.Contains("express, recoverable, transactional", wrong.ErrorLines[0], StringComparison.Ordinal);
    }

    /// <summary>The default is in the help once: either from the option, or in its description.</summary>
    [Theory]
    [InlineData("compare")]
    [InlineData("own")]
    [InlineData("matrix")]
    [InlineData("perftest")]
    [InlineData("throughput")]
    [InlineData("factors")]
    [InlineData("limits")]
    [InlineData("senders")]
    [InlineData("doctor")]
    [InlineData("diff")]
    [InlineData("report")]
    public async Task Help_SaysEachDefaultOnce(string verb)
    {
        string help = string.Join(' ', (await new Tool().RunAsync(verb, "--help")).Output.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries));

        Assert.DoesNotMatch(@"\[default: [^\]]*\] \[default:", help);
    }

    private static string[] Split(string commandLine) => commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
