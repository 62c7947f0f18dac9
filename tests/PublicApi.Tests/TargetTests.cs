using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text.RegularExpressions;
using Formatters.TestSupport;
using Xunit;

namespace Formatters.PublicApi.Tests;

/// <summary>The listings of two targets against each other: a library compiled for netstandard2.0 runs on the builds for .NET.</summary>
public class TargetTests
{
    /// <summary>Types that netstandard2.0 does not have. A library for it cannot name what takes or returns one.</summary>
    private static readonly string[] s_netOnly = ["DateOnly", "TimeOnly", "Half", "Int128", "UInt128"];

    /// <summary>Methods that the generator calls only where the runtime exposes lists as spans.</summary>
    private static readonly string[] s_blocks =
        ["WriteBlock", "ReadBlockArray", "ReadBlockList", "WriteRecordBlock", "ReadRecordBlockArray", "ReadRecordBlockList",
        "WriteNumbers", "ReadNumberArray", "ReadNumberList", "WriteTextList", "WriteTextArray", "ReadTextList", "ReadTextArray"];

    [Fact]
    public void Everything_of_the_netstandard_build_is_in_the_build_for_NET()
    {
        HashSet<string> net = Members("Formatters.txt");
        Assert.Equal([], [.. Members("Formatters.netstandard2.0.txt").Except(net)]);
    }

    [Fact]
    public void Generated_code_for_netstandard_finds_everything_that_is_in_the_build_for_NET()
    {
        HashSet<string> standard = Members("Formatters.netstandard2.0.txt");
        string[] missing = [.. Members("Formatters.txt").Where(m => m.Contains("Formatters.Generated.", StringComparison.Ordinal) && !standard.Contains(m))];
        Assert.NotEmpty(missing);
        Assert.All(missing, m => Assert.Contains(m.Split(' ', '(', ',', ')', '<', '>', '?'), word => s_blocks.Contains(word) || s_netOnly.Any(type => word == type || word == "Read" + type)));
    }

    /// <summary>The lines of a listing without attributes, which netstandard2.0 lacks in part; each member after its type.</summary>
    private static HashSet<string> Members(string file)
    {
        var members = new HashSet<string>(StringComparer.Ordinal);
        string type = "";
        foreach (string listed in File.ReadLines(Path.Combine(RepositoryFolder.Path, "api", file)))
        {
            string line = Regex.Replace(listed, @"\[(\w+: )?[A-Z]\w*(\(.*?\))?\] ", "");
            if (line[0] != ' ')
                type = line;
            members.Add(line[0] != ' ' ? line : type.Split(" : ")[0] + ": " + line.Trim());
        }

        return members;
    }
}
