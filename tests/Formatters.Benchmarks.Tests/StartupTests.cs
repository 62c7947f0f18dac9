using System;
using System.Globalization;
using System.IO;
using System.Linq;
using Formatters.Benchmarks.Startup;
using Xunit;

namespace Formatters.Benchmarks.Tests;

/// <summary>The verb <c>startup</c>, with real processes.</summary>
public class StartupTests
{
    [Fact]
    public void Table_HasTheRowsWithTheBaselineFirst()
    {
        (int exitCode, string output, string error) = Run("--row", "generated binary", "--runs", "1");

        Assert.True(exitCode == 0, error);
        string[][] rows = output.Split('\n')
            .SkipWhile(static line => !line.StartsWith("first use", StringComparison.Ordinal)).Skip(1)
            .TakeWhile(static line => line.TrimEnd().Length > 0)
            .Select(static line => line[34..].Split(' ', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries).Prepend(line[..34].TrimEnd()).ToArray())
            .ToArray();
        Assert.Equal(["BinaryWriter", "generated binary"], rows.Select(static row => row[0]));
        Assert.All(rows, static row => Assert.All(row[1..], static cell => Assert.True(double.Parse(cell, CultureInfo.InvariantCulture) > 0)));
        Assert.Equal("1.00", rows[0][2]);
        Assert.Equal("1.00", rows[0][4]);
        Assert.Contains("machine: ", output, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--row", "nobody", "no row 'nobody'")]
    [InlineData("--runs", "0", "from 1 to 1000")]
    [InlineData("--runs", "x", "from 1 to 1000")]
    public void Arguments_Wrong_GiveAnErrorAndExitCode2(string option, string value, string expectedError)
    {
        (int exitCode, string output, string error) = Run(option, value);

        Assert.Equal(2, exitCode);
        Assert.Equal("", output);
        Assert.Contains(expectedError, error, StringComparison.Ordinal);
    }

    private static (int ExitCode, string Output, string Error) Run(params string[] args) => VerbRun.Of(StartupCommand.Run, args);
}
