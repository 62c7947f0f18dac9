using System;
using System.Threading.Tasks;
using Xunit;

namespace Formatters.Tools.Tests.CommandLine;

public class ExitCodeTests
{
    /// <summary>The help names the command, not the file of the program.</summary>
    [Fact]
    public async Task Help_names_the_command()
    {
        ToolResult result = await new Tool().RunAsync("queue", "peek", "--help");

        Assert.Equal(0, result.ExitCode);
        Assert.Contains("formatters queue peek ", result.Output, StringComparison.Ordinal);
        Assert.DoesNotContain(System.CommandLine.RootCommand.ExecutableName, result.Output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("")]
    [InlineData("--help")]
    [InlineData("inspect --help")]
    [InlineData("migrate --help")]
    [InlineData("forward --help")]
    [InlineData("queue --help")]
    [InlineData("queue list --help")]
    [InlineData("queue peek --help")]
    [InlineData("queue purge --help")]
    [InlineData("queue requeue --help")]
    [InlineData("queue verify --help")]
    [InlineData("queue salvage --help")]
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
    [InlineData("queue list --nope", "There is no option '--nope'.")]
    [InlineData("inspect -- --file", "There is no file '")]
    [InlineData("forward memory:a", "<to> is missing.")]
    public async Task What_there_is_not_is_named(string commandLine, string message)
    {
        ToolResult result = await new Tool().RunAsync(Split(commandLine));

        Assert.Equal(2, result.ExitCode);
        Assert.StartsWith($"formatters: {message}", result.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("bogus")]
    [InlineData("compare")]
    [InlineData("queue")]
    [InlineData("forward memory:a")]
    [InlineData("forward memory:a memory:a")]
    [InlineData("forward memory:a bogus:b")]
    [InlineData("forward memory:a memory:b --batch 0")]
    [InlineData("queue bogus")]
    [InlineData("queue list")]
    [InlineData("queue list nonsense")]
    [InlineData("queue list amqp://localhost")]
    [InlineData("queue list memory: --management nonsense")]
    [InlineData("queue peek")]
    [InlineData("queue peek memory:a --count 0")]
    [InlineData("queue peek memory:a --selector a=")]
    [InlineData("queue purge")]
    [InlineData("queue requeue")]
    [InlineData("queue requeue memory:a --limit 0")]
    [InlineData("queue requeue memory:a --to memory:a")]
    [InlineData("inspect")]
    [InlineData("inspect no/such/file")]
    [InlineData("inspect x --format nope")]
    [InlineData("migrate memory:q memory:r")]
    [InlineData("migrate memory:q memory:q --to-format unchanged")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --error-queue memory:r")]
    [InlineData("migrate nonsense memory:r --to-format unchanged")]
    [InlineData("migrate memory:q other:queue --to-format unchanged")]
    [InlineData("migrate memory:q memory:a,b --to-format unchanged --dry-run --from-format nope")]
    [InlineData("migrate memory:q memory:r --to-format nope")]
    [InlineData("migrate memory:q memory:r --to-format binary")]
    [InlineData("migrate memory:q memory:r --to-format binary --type No.Such.Type")]
    [InlineData("migrate memory:q memory:r --to-format binary --type System.IO.Stream")]
    [InlineData("migrate memory:q memory:r --to-format binary --type System.Int32 --assembly no/such/file.dll")]
    [InlineData("migrate memory:q memory:r --to-format No.Such.Member")]
    [InlineData("migrate memory:q memory:r --to-format System.Int32.MaxValue")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --type System.Int32 --legacy-name nonsense")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --type System.Int32 --legacy-name System.Int32=Old,")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --type System.Int32 --legacy-name System.Nullable`1=Old`1[[System.Int32]]")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --limit 0")]
    [InlineData("migrate memory:q memory:r --to-format unchanged --wait -1")]
    public async Task Usage_IsOneClearErrorAndExitCode2(string commandLine)
    {
        ToolResult result = await new Tool().RunAsync(Split(commandLine));

        Assert.Equal((2, ""), (result.ExitCode, result.Output));
        Assert.StartsWith("formatters: ", result.ErrorLines[0], StringComparison.Ordinal);
        Assert.InRange(result.ErrorLines.Length, 1, 2);
        Assert.DoesNotContain("   at ", result.Error, StringComparison.Ordinal);
    }

    private static string[] Split(string commandLine) => commandLine.Split(' ', StringSplitOptions.RemoveEmptyEntries);
}
