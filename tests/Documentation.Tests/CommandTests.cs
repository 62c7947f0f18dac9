using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Xunit;

namespace Documentation.Tests;

/// <summary>Every command of the tools that a page names is a command of that tool.</summary>
public sealed partial class CommandTests
{
    /// <summary>The pages that name other things: commands of earlier builds, and a string that begins like a command.</summary>
    private static readonly HashSet<string> Others = ["CHANGELOG.md", "docs/wire/envelopes.md"];

    public static TheoryData<string> Pages => [.. Repository.AllPages().Where(page => !Others.Contains(page))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void Commands_Exist(string page)
    {
        string[] bench = CommandsIn("src/Formatters.Bench/CommandLine"), tool = CommandsIn("src/Formatters.Tool/Commands");
        Assert.Contains("senders", bench);
        Assert.Contains("forward", tool);
        foreach (Match code in Code().Matches(File.ReadAllText(Path.Combine(Repository.Root, page))))
        {
            foreach (Match command in Command().Matches(code.Value))
            {
                // B stands for formatters-bench in the pages of the studies.
                Assert.Contains(command.Groups["command"].Value, command.Groups["tool"].Value == "formatters" ? tool : bench);
            }
        }
    }

    private static string[] CommandsIn(string folder) =>
        [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, folder), "*Command.cs").Select(file => Path.GetFileName(file)[..^"Command.cs".Length].ToLowerInvariant())];

    [GeneratedRegex(@"(?s)```.*?```|`[^`\n]+`")]
    private static partial Regex Code();

    [GeneratedRegex(@"(?m)(?:^|[`\s(])(?<tool>B|formatters-bench|formatters) (?<command>[a-z]+)\b")]
    private static partial Regex Command();
}
