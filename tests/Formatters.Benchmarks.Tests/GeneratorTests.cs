using System;
using System.IO;
using Formatters.Benchmarks.Generators;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>The verb <c>generator</c>, with the real generators.</summary>
public class GeneratorTests
{
    [Theory]
    [InlineData("--rounds")]
    [InlineData("--one-file", "--rounds")]
    public void Table_HasARowForEachGenerator(params string[] options)
    {
        (int exitCode, string output, string error) = Run(["--contracts", "12", "--processes", "1", "--builds", "0", .. options, "1"]);

        Assert.True(exitCode == 0, error);
        Assert.All(GeneratorCase.All, item => Assert.Single(output.Split('\n'), line => line.StartsWith(item.Name + "  ", StringComparison.Ordinal)));
        Assert.Contains("machine: ", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--contracts", "1", "from 2 to 10000")]
    [InlineData("--rounds", "x", "from 1 to 1000")]
    public void Arguments_Wrong_GiveAnErrorAndExitCode2(string option, string value, string expectedError)
    {
        (int exitCode, string output, string error) = Run(option, value);

        Assert.Equal(2, exitCode);
        Assert.Equal("", output);
        Assert.Contains(expectedError, error, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output, string Error) Run(params string[] args) => VerbRun.Of(GeneratorCommand.Run, args);
}
